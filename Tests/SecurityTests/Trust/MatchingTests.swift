// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainEndpoint
import KeychainHelperWire
import KeychainModel
import SecurityValues
import Synchronization
import Testing

@testable import Security

/// Trust as a condition of searches.
struct TrustMatchingTests {
    private let leaf: Certificate
    private let issuer: Certificate

    init() throws {
        leaf = try vectorCertificate("a person's certificate for RSA with most extensions").content
        issuer = try vectorCertificate("an authority, on P-256, with a limit of the path").content
    }

    /// Returns the requests while a certificate is matched with conditions, and whether it fulfils them.
    private func outcome(
        _ conditions: CertificateConditions, findings: [TrustAnswer.Finding] = [], stored: [Certificate] = []
    ) throws -> (isAccepted: Bool, requests: [TrustRequest]) {
        let requests = Mutex<[TrustRequest]>([])
        var conditions = conditions
        let first = leaf.encoded
        conditions.helper = TrustHelper { request throws(HelperError) in
            requests.withLock { $0 += [try? TrustRequest(request)].compactMap { $0 } }
            return TrustAnswer(chain: [first], anchor: .own, findings: findings).frame
        }
        let isAccepted = try conditions.accepts(leaf, []) { subject in
            stored.filter { $0.subject.normalizedContent == subject }
        }
        return (isAccepted, requests.withLock { $0 })
    }

    @Test func `a policy is held against the certificate alone`() throws {
        var conditions = CertificateConditions()
        #expect(conditions.isEmpty)
        conditions.policy = SecPolicyCreateSSL(true, "example.org" as CFString)
        conditions.validOn = leaf.notBefore
        #expect(!conditions.isEmpty)
        let (isAccepted, requests) = try outcome(conditions)
        #expect(isAccepted)
        #expect(
            requests == [
                TrustRequest(
                    certificates: [leaf.encoded], policies: [TrustPolicy(.tlsServer, name: "example.org")],
                    anchors: [leaf.encoded], usesSystemAnchors: false, options: [],
                    date: Int64(leaf.notBefore.timeIntervalSince1970))
            ])
        #expect(try !outcome(conditions, findings: [.init(place: 0, fault: .hostName)]).isAccepted)
    }

    @Test func `a certificate is trusted with the help of those that are stored`() throws {
        var conditions = CertificateConditions()
        conditions.isTrustedOnly = true
        #expect(!conditions.isEmpty)
        #expect(try outcome(conditions).requests.first?.certificates == [leaf.encoded])
        // The issuer, which issued itself, and a stranger.
        let stranger = try vectorCertificate("P-384").content
        let (isAccepted, requests) = try outcome(conditions, stored: [stranger, issuer])
        #expect(isAccepted)
        #expect(requests.first?.certificates == [leaf.encoded, issuer.encoded])
        #expect(requests.first?.usesSystemAnchors == true)
        #expect(requests.first?.anchors == [])
        #expect(try !outcome(conditions, findings: [.init(place: 0, fault: .missingIssuer)]).isAccepted)
    }

    @Test func `no prompt is shown about a certificate that fails another condition`() throws {
        var conditions = CertificateConditions()
        conditions.isTrustedOnly = true
        conditions.emailAddress = "nobody@example.org"
        let (isAccepted, requests) = try outcome(conditions)
        #expect(!isAccepted)
        #expect(requests.isEmpty)
    }

    @Test func `without an answer nothing is found, and the status says why`() throws {
        var conditions = CertificateConditions()
        conditions.isTrustedOnly = true
        conditions.helper = TrustHelper { _ throws(HelperError) in HelperRefusal(reason: "no anchors").frame }
        do throws(CallFailure) {
            _ = try conditions.accepts(leaf, []) { _ in [] }
            Issue.record("an answer without a helper")
        } catch {
            #expect(error.status.rawValue == errSecTrustNotAvailable)
            #expect(error.summary == "no anchors")
        }
    }

    @Test func `a policy that is none is a mistake, for certificates`() {
        let query = [kSecClass: kSecClassCertificate, kSecMatchPolicy: "x"] as [CFString: Any]
        #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecParam)
    }
}
