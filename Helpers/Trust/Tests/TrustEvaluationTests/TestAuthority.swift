// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainHelperWire
import SwiftASN1
import TrustEvaluation
import X509

/// A certificate with its key, which can issue others.
struct TestAuthority {
    let certificate: Certificate
    let key: Certificate.PrivateKey

    /// 2026-01-01.
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
    /// 2026-07-01, the time of the evaluation in tests.
    static let now: Int64 = 1_782_864_000

    var der: [UInt8] { Self.der(certificate) }

    static func der(_ certificate: Certificate) -> [UInt8] {
        var serializer = DER.Serializer()
        // The certificate was just created from valid values, so a failure ends the test.
        do { try serializer.serialize(certificate) } catch { fatalError("\(error)") }
        return serializer.serializedBytes
    }

    /// The parts of a certificate that tests vary.
    struct Content {
        var name: String
        var key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        var start = TestAuthority.start
        var days = 365.0
        var extensions: [Certificate.Extension] = []
        var version = Certificate.Version.v3
        var algorithm: Certificate.SignatureAlgorithm?

        init(_ name: String) { self.name = name }

        static func authority(_ name: String, pathLength: Int? = nil) throws -> Content {
            var content = Content(name)
            content.days = 3650
            content.extensions = [
                try Certificate.Extension(
                    BasicConstraints.isCertificateAuthority(maxPathLength: pathLength), critical: true),
                try Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true),
            ]
            return content
        }

        static func server(_ names: [GeneralName] = [.dnsName("example.org")]) throws -> Content {
            var content = Content("server")
            content.extensions = [
                try Certificate.Extension(SubjectAlternativeNames(names), critical: false),
                try Certificate.Extension(ExtendedKeyUsage([.serverAuth]), critical: false),
            ]
            return content
        }
    }

    /// Creates a self-signed certificate.
    init(_ content: Content) throws { try self.init(content, issuer: nil) }

    func issue(_ content: Content) throws -> TestAuthority { try TestAuthority(content, issuer: self) }

    private init(_ content: Content, issuer: TestAuthority?) throws {
        let subject = try content.name.isEmpty ? DistinguishedName() : DistinguishedName { CommonName(content.name) }
        let signer = issuer?.key ?? content.key
        key = content.key
        let extensions = try Certificate.Extensions(content.extensions)
        let end = content.start.addingTimeInterval(content.days * 86_400 - 1)
        if let algorithm = content.algorithm {
            certificate = try Certificate(
                version: content.version, serialNumber: .init(), publicKey: content.key.publicKey,
                notValidBefore: content.start, notValidAfter: end, issuer: issuer?.certificate.subject ?? subject,
                subject: subject, signatureAlgorithm: algorithm, extensions: extensions, issuerPrivateKey: signer)
        } else {
            certificate = try Certificate(
                version: content.version, serialNumber: .init(), publicKey: content.key.publicKey,
                notValidBefore: content.start, notValidAfter: end, issuer: issuer?.certificate.subject ?? subject,
                subject: subject, extensions: extensions, issuerPrivateKey: signer)
        }
    }
}

/// A root, an authority below it and a server, and an evaluation request for them.
struct TestChain {
    var root: TestAuthority
    var middle: TestAuthority
    var leaf: TestAuthority

    init(
        root: TestAuthority.Content? = nil, middle: TestAuthority.Content? = nil, leaf: TestAuthority.Content? = nil
    ) throws {
        self.root = try TestAuthority(try root ?? .authority("root"))
        self.middle = try self.root.issue(try middle ?? .authority("middle"))
        self.leaf = try self.middle.issue(try leaf ?? .server())
    }

    /// Returns whether the certificate is trusted, and the faults as (place, fault).
    func evaluate(
        _ policy: TrustPolicy = TrustPolicy(.any), date: Int64 = TestAuthority.now, options: TrustOptions = [],
        certificates: [[UInt8]]? = nil, anchors: [TestAuthority]? = nil, system: [TestAuthority]? = nil,
        publicSuffixes: String = ""
    ) async throws -> TrustAnswer {
        let system = system?.map(\.certificate)
        let evaluator = TrustEvaluator(
            systemAnchors: { system ?? [] }, publicSuffixes: { PublicSuffixes(list: publicSuffixes) })
        return try await evaluator.evaluate(
            TrustRequest(
                certificates: certificates ?? [leaf.der, middle.der], policies: [policy],
                anchors: (anchors ?? [root]).map(\.der), usesSystemAnchors: system != nil, options: options, date: date)
        )
    }
}

extension TrustAnswer {
    /// Whether the chain is trusted.
    var isClean: Bool { findings.isEmpty && anchor != .none }

    var faults: [Fault] { findings.map(\.fault) }
}
