// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainHelperWire
internal import KeychainKeys
internal import KeychainModel

/// The `kSecMatch…` keys that say something of certificates (semantics 3).
///
/// They are held against the certificates here, before any limit: the service reads no certificates.
struct CertificateConditions {
    /// Where in the common name a text has to stand.
    enum Place {
        case anywhere, beginning, end, whole
    }

    var commonName: [(place: Place, text: String)] = []
    /// `kSecMatchEmailAddressIfPresent`: the certificate has this address, upper and lower case being the same.
    var emailAddress: String?
    /// `kSecMatchValidOnDate`
    var validOn: Date?
    /// `kSecMatchIssuers`: normalised names, one of which issued the certificate or one above it.
    var issuers: Set<[UInt8]> = []

    /// `kSecMatchPolicy`: what the certificate says of itself fits this policy. Its issuers do not count.
    var policy: SecPolicy?
    /// `kSecMatchTrustedOnly`: a chain of issuers, of which some may be stored, ends in an anchor of the system.
    var isTrustedOnly = false
    /// Who judges the last two; nil for the program that is installed.
    var helper: TrustHelper?

    /// A key whose value no certificate could fulfil.
    var wrongKey: String?
    /// A key that other items than certificates do not take, and what a call with it then returns.
    var ownKey: (name: String, status: StatusCode)?

    /// Whether a place in the common name is asked for, which only macOS has keys for.
    var comparesSubject: Bool { commonName.contains { $0.place != .anywhere } }

    /// Whether all certificates fulfil them.
    var isEmpty: Bool {
        commonName.isEmpty && emailAddress == nil && validOn == nil && issuers.isEmpty && policy == nil
            && !isTrustedOnly
    }

    /// So many certificates a chain of issuers has at most.
    private static let chainLength = 10

    /// - Parameters:
    ///   - matching: what comparing the common name overlooks.
    ///   - certificates: those that are stored for a subject.
    /// - Throws: what `certificates` throws, and what ``TrustHelper/evaluate(_:)`` throws: without an answer nothing is found.
    func accepts(
        _ certificate: Certificate, _ matching: TextMatching,
        certificates: (_ subject: [UInt8]) throws(CallFailure) -> [Certificate]
    ) throws(CallFailure) -> Bool {
        guard commonName.allSatisfy({ Self.has(certificate.commonName, $0.text, $0.place, matching) }) else {
            return false
        }
        if let emailAddress {
            let addresses = certificate.emailAddresses
            guard addresses.contains(where: { $0.lowercased() == emailAddress.lowercased() }) else { return false }
        }
        if let validOn, validOn < certificate.notBefore || validOn > certificate.notAfter { return false }
        if !issuers.isEmpty, try !isIssued(certificate, certificates) { return false }
        // Last, since each takes a process.
        if let policy {
            // With itself as its anchor, nobody else is asked about.
            let request = request([certificate], policy, anchors: [certificate])
            guard try isClean(request) else { return false }
        }
        guard isTrustedOnly else { return true }
        let chain = [certificate] + (try issuers(of: certificate, certificates))
        return try isClean(request(chain, SecPolicyCreateBasicX509(), anchors: []))
    }

    private func request(_ chain: [Certificate], _ policy: SecPolicy, anchors: [Certificate]) -> TrustRequest {
        // A date beyond what a number holds is beyond all certificates, too.
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
            throw CallFailure(StatusCode(rawValue: error.status), error.reason)
        }
    }

    /// The stored certificates that may be above one, by names; so many as an evaluation takes beside it.
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
        _ name: String?, _ text: String, _ place: Place, _ matching: TextMatching
    ) -> Bool {
        guard let name else { return false }
        if text.isEmpty { return place != .whole || name.isEmpty }
        var options: String.CompareOptions = []
        if matching.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if matching.contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        if matching.contains(.widthInsensitive) { options.insert(.widthInsensitive) }
        switch place {
        case .anywhere: return name.range(of: text, options: options) != nil
        case .beginning: return name.range(of: text, options: options.union(.anchored)) != nil
        case .end: return name.range(of: text, options: options.union([.anchored, .backwards])) != nil
        case .whole: return name.compare(text, options: options) == .orderedSame
        }
    }

    /// Whether one of the issuers is above the certificate, by names; signatures are the concern of trust.
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
