// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import FoundationEssentials
import KeychainHelperWire
import SwiftASN1
import Testing
import TrustEvaluation
import X509

/// The faults of a chain.
struct RuleTests {
    private let tls = TrustPolicy(.tlsServer, name: "example.org")

    // MARK: Dates

    @Test func `each certificate has to be valid at the time for which is asked`() async throws {
        let chain = try TestChain()
        let start = Int64(TestAuthority.start.timeIntervalSince1970)
        #expect(try await chain.evaluate(date: start).isClean)
        #expect(
            try await chain.evaluate(date: start - 1).findings
                == (0...2).map { .init(place: $0, fault: .notYetValid) })
        let year: Int64 = 365 * 86_400
        #expect(try await chain.evaluate(date: start + year - 1).isClean)
        #expect(try await chain.evaluate(date: start + year).findings == [.init(place: 0, fault: .expired)])
        #expect(try await chain.evaluate(date: .max).faults == [.expired, .expired, .expired])
        #expect(try await chain.evaluate(date: .min).faults == [.notYetValid, .notYetValid, .notYetValid])
    }

    @Test func `dates are overlooked where the request says so`() async throws {
        var root = try TestAuthority.Content.authority("root")
        root.days = 10
        let chain = try TestChain(root: root)
        #expect(try await chain.evaluate().findings == [.init(place: 2, fault: .expired)])
        #expect(try await chain.evaluate(options: .allowsExpiredRoot).isClean)
        #expect(try await chain.evaluate(date: .max, options: .allowsExpired).isClean)
        #expect(try await chain.evaluate(date: .max, options: .allowsExpiredRoot).faults == [.expired, .expired])
    }

    // MARK: Names

    @Test(arguments: [
        ("example.org", true), ("EXAMPLE.org", true), ("example.org.", true), ("www.example.org", false),
        ("a.wild.example", true), ("A.WILD.example", true), ("wild.example", false), ("a.b.wild.example", false),
        ("192.0.2.1", true), ("192.0.2.2", false), ("2001:db8::1", true), ("2001:DB8:0:0::1", true),
        ("2001:db8::2", false), ("common.example", false), ("", false), ("exa mple.org", false),
        ("example.org\0.evil", false), ("*.wild.example", false), ("3.2.0.192", false),
    ])
    func `a server's certificate names the host`(_ host: String, isNamed: Bool) async throws {
        var leaf = try TestAuthority.Content.server([
            .dnsName("example.org"), .dnsName("*.wild.example"),
            .ipAddress(ASN1OctetString(contentBytes: [192, 0, 2, 1])),
            .ipAddress(ASN1OctetString(contentBytes: [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
        ])
        leaf.name = "common.example"
        let chain = try TestChain(leaf: leaf)
        let answer = try await chain.evaluate(TrustPolicy(.tlsServer, name: host))
        #expect(answer.findings == (isNamed ? [] : [.init(place: 0, fault: .hostName)]))
    }

    @Test func `a common name is no host, and an address in a name is no address`() async throws {
        var leaf = try TestAuthority.Content.server([.rfc822Name("ada@example.org")])
        leaf.name = "example.org"
        #expect(try await TestChain(leaf: leaf).evaluate(tls).faults == [.hostName])
        leaf.extensions.removeFirst()
        #expect(try await TestChain(leaf: leaf).evaluate(tls).faults == [.hostName])
        let address = try TestChain(leaf: .server([.dnsName("192.0.2.1")]))
        #expect(try await address.evaluate(TrustPolicy(.tlsServer, name: "192.0.2.1")).faults == [.hostName])
    }

    @Test func `a mail certificate names the address`() async throws {
        var leaf = TestAuthority.Content("Ada")
        leaf.extensions = [
            try Certificate.Extension(SubjectAlternativeNames([.rfc822Name("Ada@Example.org")]), critical: false),
            try Certificate.Extension(ExtendedKeyUsage([.emailProtection]), critical: false),
            try Certificate.Extension(KeyUsage(digitalSignature: true), critical: true),
        ]
        let chain = try TestChain(leaf: leaf)
        #expect(try await chain.evaluate(TrustPolicy(.mail, name: "ada@example.org", keyUsage: 1)).isClean)
        #expect(try await chain.evaluate(TrustPolicy(.mail, name: "bob@example.org")).faults == [.mailAddress])
        #expect(try await chain.evaluate(TrustPolicy(.mail, keyUsage: 0b100)).faults == [.keyUsage])
        #expect(try await chain.evaluate(TrustPolicy(.tlsServer)).faults == [.extendedKeyUsage])
    }

    @Test func `a certificate without a subject needs another name`() async throws {
        var leaf = try TestAuthority.Content.server()
        leaf.name = ""
        #expect(try await TestChain(leaf: leaf).evaluate().isClean)
        leaf.extensions.removeFirst()
        #expect(try await TestChain(leaf: leaf).evaluate().faults == [.emptySubject])
    }

    // MARK: Usage

    @Test func `the extended key usage has to fit the purpose`() async throws {
        func answer(_ usages: [ExtendedKeyUsage.Usage]?, _ purpose: TrustPolicy.Purpose) async throws -> Bool {
            var leaf = try TestAuthority.Content.server()
            leaf.extensions.removeLast()
            if let usages {
                leaf.extensions.append(try Certificate.Extension(ExtendedKeyUsage(usages), critical: true))
            }
            let answer = try await TestChain(leaf: leaf).evaluate(TrustPolicy(purpose))
            #expect(answer.isClean || answer.faults == [.extendedKeyUsage])
            return answer.isClean
        }
        #expect(try await answer([.clientAuth], .any))
        #expect(try await answer([.serverAuth], .tlsServer))
        // A server's certificate must have this usage since 2019.
        #expect(try await !answer(nil, .tlsServer))
        #expect(try await !answer([.any], .tlsServer))
        #expect(try await answer(nil, .tlsClient))
        #expect(try await answer([.any], .tlsClient))
        #expect(try await !answer([.serverAuth], .tlsClient))
        #expect(try await answer([.codeSigning], .codeSigning))
        #expect(try await !answer(nil, .codeSigning))
        #expect(try await answer([.timeStamping], .timeStamping))
        #expect(try await answer([.serverAuth], .networkServer))
        #expect(try await !answer([.clientAuth], .networkServer))
        #expect(try await answer([.clientAuth], .networkClient))
        #expect(try await answer([.init(oid: [1, 3, 6, 1, 5, 5, 7, 3, 17])], .ipsec))
        #expect(try await !answer([.serverAuth], .ipsec))
    }

    @Test func `an authority for certain purposes issues certificates only for those`() async throws {
        var middle = try TestAuthority.Content.authority("middle")
        middle.extensions.append(try Certificate.Extension(ExtendedKeyUsage([.emailProtection]), critical: false))
        let chain = try TestChain(middle: middle)
        #expect(try await chain.evaluate().isClean)
        #expect(try await chain.evaluate(tls).findings == [.init(place: 1, fault: .extendedKeyUsage)])
    }

    @Test func `a server's certificate is valid for 825 days at most, for 398 below an anchor of the system`()
        async throws
    {
        func faults(days: Double, isSystem: Bool, start: Double? = nil) async throws -> [TrustAnswer.Fault] {
            var leaf = try TestAuthority.Content.server()
            leaf.days = days
            if let start { leaf.start = Date(timeIntervalSince1970: start) }
            let chain = try TestChain(leaf: leaf)
            return isSystem
                ? try await chain.evaluate(tls, anchors: [], system: [chain.root]).faults
                : try await chain.evaluate(tls).faults
        }
        #expect(try await faults(days: 825, isSystem: false).isEmpty)
        #expect(try await faults(days: 826, isSystem: false) == [.validityPeriod])
        #expect(try await faults(days: 398, isSystem: true).isEmpty)
        #expect(try await faults(days: 399, isSystem: true) == [.validityPeriod])
        // Issued before the rules.
        #expect(try await faults(days: 5000, isSystem: false, start: 1_561_939_199).isEmpty)
        #expect(try await faults(days: 2800, isSystem: true, start: 1_561_939_200) == [.validityPeriod])
    }

    @Test func `a proof that a certificate is not revoked is always missing`() async throws {
        let chain = try TestChain()
        #expect(
            try await chain.evaluate(TrustPolicy(.any, requiresRevocationCheck: true)).faults == [.revocationUnknown])
    }

    @Test func `all policies have to hold`() async throws {
        let chain = try TestChain()
        let request = TrustRequest(
            certificates: [chain.leaf.der, chain.middle.der], policies: [tls, TrustPolicy(.mail)],
            anchors: [chain.root.der],
            usesSystemAnchors: false, options: [], date: TestAuthority.now)
        #expect(try await TrustEvaluator { [] }.evaluate(request).faults == [.extendedKeyUsage])
    }

    // MARK: Authorities

    @Test func `only an authority issues certificates`() async throws {
        let plain = try TestChain(middle: .server())
        #expect(try await plain.evaluate().faults == [.basicConstraints])
        #expect(try await plain.evaluate().findings.map(\.place) == [1])
        var silent = TestAuthority.Content("middle")
        silent.extensions = []
        #expect(try await TestChain(middle: silent).evaluate().faults == [.basicConstraints])
        silent.version = .v1
        #expect(try await TestChain(middle: silent).evaluate().faults == [.basicConstraints])
        var noSigning = try TestAuthority.Content.authority("middle")
        noSigning.extensions[1] = try Certificate.Extension(KeyUsage(digitalSignature: true), critical: true)
        #expect(try await TestChain(middle: noSigning).evaluate().findings == [.init(place: 1, fault: .keyUsage)])
    }

    @Test func `an old anchor of version 1 may issue certificates`() async throws {
        var root = TestAuthority.Content("root")
        root.version = .v1
        #expect(try await TestChain(root: root).evaluate().isClean)
        root.version = .v3
        #expect(try await TestChain(root: root).evaluate().findings == [.init(place: 2, fault: .basicConstraints)])
    }

    @Test func `no more authorities follow than the path length allows`() async throws {
        let none = try TestChain(root: .authority("root", pathLength: 0))
        #expect(try await none.evaluate().findings == [.init(place: 2, fault: .pathLength)])
        #expect(try await TestChain(root: .authority("root", pathLength: 1)).evaluate().isClean)
        #expect(try await TestChain(middle: .authority("middle", pathLength: 0)).evaluate().isClean)
    }

    @Test(arguments: [
        (permitted: ["example.org"], excluded: [] as [String], isAllowed: true),
        (permitted: ["example.com"], excluded: [], isAllowed: false),
        (permitted: [], excluded: ["example.org"], isAllowed: false),
        (permitted: [], excluded: ["www.example.org"], isAllowed: true),
    ])
    func `names stay within the constraints`(_ permitted: [String], _ excluded: [String], _ isAllowed: Bool)
        async throws
    {
        var middle = try TestAuthority.Content.authority("middle")
        middle.extensions.append(
            try Certificate.Extension(
                NameConstraints(
                    permittedSubtrees: permitted.map { .dnsName($0) }, excludedSubtrees: excluded.map { .dnsName($0) }),
                critical: true))
        let answer = try await TestChain(middle: middle).evaluate()
        #expect(answer.faults == (isAllowed ? [] : [.nameConstraints]))
    }

    // MARK: Extensions and algorithms

    @Test func `an unknown critical extension is a fault in each certificate`() async throws {
        let unknown = Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 99999, 1], critical: true, value: [5, 0])
        var leaf = try TestAuthority.Content.server()
        leaf.extensions.append(unknown)
        #expect(
            try await TestChain(leaf: leaf).evaluate().findings == [.init(place: 0, fault: .criticalExtension)])
        var middle = try TestAuthority.Content.authority("middle")
        middle.extensions.append(unknown)
        #expect(
            try await TestChain(middle: middle).evaluate().findings == [.init(place: 1, fault: .criticalExtension)])
        leaf.extensions[leaf.extensions.count - 1].critical = false
        #expect(try await TestChain(leaf: leaf).evaluate().isClean)
    }

    @Test func `a known extension that is malformed is a fault`() async throws {
        var leaf = try TestAuthority.Content.server()
        leaf.extensions[1] = Certificate.Extension(
            oid: .X509ExtensionID.extendedKeyUsage, critical: false, value: [0x30, 0x03, 0x06])
        #expect(try await TestChain(leaf: leaf).evaluate().faults.contains(.malformed))
        var old = try TestAuthority.Content.server()
        old.version = .v1
        #expect(try await TestChain(leaf: old).evaluate().faults == [.malformed])
    }

    @Test func `signatures over SHA-1 are not relied on, but for those of anchors`() async throws {
        let rsa = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        var root = try TestAuthority.Content.authority("root")
        root.key = rsa
        root.algorithm = .sha1WithRSAEncryption
        #expect(try await TestChain(root: root).evaluate().isClean)
        var middle = try TestAuthority.Content.authority("middle")
        middle.algorithm = .sha1WithRSAEncryption
        #expect(
            try await TestChain(root: root, middle: middle).evaluate().findings
                == [.init(place: 1, fault: .signatureAlgorithm)])
    }
}
