// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainHelperWire
internal import KeychainKeys
internal import KeychainModel
internal import SecurityValues

/// The `kSecMatch…` keys for certificates (semantics 3).
///
/// The client checks them, before any limit, because the service does not parse certificates.
struct CertificateConditions {
    /// The required position of a text in the common name.
    enum Position {
        case anywhere, beginning, end, whole
    }

    var commonName: [(position: Position, text: String)] = []
    /// `kSecMatchEmailAddressIfPresent`: the certificate has this address, without regard to case.
    var emailAddress: String?
    /// `kSecMatchValidOnDate`
    var validOn: Date?
    /// `kSecMatchIssuers`: normalised names, one of which issued the certificate or one above it.
    var issuers: Set<[UInt8]> = []

    /// `kSecMatchPolicy`: the contents of the certificate satisfy this policy. Its issuers are not considered.
    var policy: SecPolicy?
    /// `kSecMatchTrustedOnly`: a certificate chain, which may include stored certificates, ends in an anchor of the
    /// system.
    var isTrustedOnly = false
    /// Evaluates the last two conditions; nil for the installed helper program.
    var helper: TrustHelper?

    /// A key whose value no certificate can match.
    var wrongKey: String?
    /// A key that only certificates support, and the status of a call that uses it for other items.
    var ownKey: (name: String, status: StatusCode)?

    /// Whether a position in the common name is required, for which only macOS has keys.
    var comparesSubject: Bool { commonName.contains { $0.position != .anywhere } }

    /// Whether all certificates match.
    var isEmpty: Bool {
        commonName.isEmpty && emailAddress == nil && validOn == nil && issuers.isEmpty && policy == nil
            && !isTrustedOnly
    }

    /// The maximum length of a certificate chain.
    private static let chainLength = 10

    /// - Parameters:
    ///   - matching: the differences that are ignored when common names are compared.
    ///   - certificates: returns the stored certificates of a subject.
    /// - Throws: the errors of `certificates` and of `TrustHelper.evaluate(_:)`: if the helper does not answer, the
    ///   search fails.
    func accepts(
        _ certificate: Certificate, _ matching: TextMatching,
        certificates: (_ subject: [UInt8]) throws(CallFailure) -> [Certificate]
    ) throws(CallFailure) -> Bool {
        guard commonName.allSatisfy({ Self.has(certificate.commonName, $0.text, at: $0.position, matching: matching) })
        else {
            return false
        }
        if let emailAddress {
            let addresses = certificate.emailAddresses
            guard addresses.contains(where: { $0.lowercased() == emailAddress.lowercased() }) else { return false }
        }
        if let validOn, validOn < certificate.notBefore || validOn > certificate.notAfter { return false }
        if !issuers.isEmpty, try !isIssued(certificate, certificates) { return false }
        // Last, because each evaluation starts a process.
        if let policy {
            // With the certificate as its own anchor, no other certificate is evaluated.
            let request = request([certificate], policy, anchors: [certificate])
            guard try isClean(request) else { return false }
        }
        guard isTrustedOnly else { return true }
        let chain = [certificate] + (try issuers(of: certificate, certificates))
        return try isClean(request(chain, SecPolicyCreateBasicX509(), anchors: []))
    }

    private func request(_ chain: [Certificate], _ policy: SecPolicy, anchors: [Certificate]) -> TrustRequest {
        // A date that does not fit into the number is outside of all certificates' validity.
        let seconds = ((validOn ?? Date()).timeIntervalSince1970).rounded(.down)
        return TrustRequest(
            certificates: chain.map(\.encoded), policies: [policy.wire], anchors: anchors.map(\.encoded),
            usesSystemAnchors: anchors.isEmpty, options: [],
            date: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }

    private func isClean(_ request: TrustRequest) throws(CallFailure) -> Bool {
        do throws(TrustFailure) {
            return try (helper ?? .installed).evaluate(request).findings.isEmpty
        } catch {
            throw CallFailure(error.status, error.reason)
        }
    }

    /// Returns the stored certificates that may be above a certificate, by names; at most as many as an evaluation
    /// accepts beside it.
    private func issuers(
        of certificate: Certificate, _ certificates: (_ subject: [UInt8]) throws(CallFailure) -> [Certificate]
    ) throws(CallFailure) -> [Certificate] {
        var found: [Certificate] = []
        var names: Set = [certificate.issuer.normalizedContent]
        var seen: Set<[UInt8]> = [certificate.subject.normalizedContent]
        for _ in 0..<Self.chainLength where !names.isEmpty {
            seen.formUnion(names)
            var above: Set<[UInt8]> = []
            for name in names {
                for issuer in try certificates(name) where found.count < TrustLimits.certificates - 1 {
                    found.append(issuer)
                    above.insert(issuer.issuer.normalizedContent)
                }
            }
            names = above.subtracting(seen)
        }
        return found
    }

    private static func has(
        _ name: String?, _ text: String, at position: Position, matching: TextMatching
    ) -> Bool {
        guard let name else { return false }
        if text.isEmpty { return position != .whole || name.isEmpty }
        var options: String.CompareOptions = []
        if matching.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if matching.contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        if matching.contains(.widthInsensitive) { options.insert(.widthInsensitive) }
        switch position {
        case .anywhere: return name.range(of: text, options: options) != nil
        case .beginning: return name.range(of: text, options: options.union(.anchored)) != nil
        case .end: return name.range(of: text, options: options.union([.anchored, .backwards])) != nil
        case .whole: return name.compare(text, options: options) == .orderedSame
        }
    }

    /// Returns whether one of the issuers is above the certificate, by names. Trust evaluation verifies the signatures.
    private func isIssued(
        _ certificate: Certificate, _ certificates: (_ subject: [UInt8]) throws(CallFailure) -> [Certificate]
    ) throws(CallFailure) -> Bool {
        var names: Set = [certificate.issuer.normalizedContent]
        var seen: Set<[UInt8]> = []
        for _ in 0..<Self.chainLength {
            guard names.isDisjoint(with: issuers) else { return true }
            seen.formUnion(names)
            var above: Set<[UInt8]> = []
            for name in names {
                for issuer in try certificates(name) { above.insert(issuer.issuer.normalizedContent) }
            }
            names = above.subtracting(seen)
            if names.isEmpty { return false }
        }
        return false
    }
}
