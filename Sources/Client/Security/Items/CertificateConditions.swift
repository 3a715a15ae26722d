// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
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

    /// A key whose value no certificate could fulfil.
    var wrongKey: String?
    /// A key that cannot be looked at yet.
    var unsupportedKey: String?
    /// A key that other items than certificates do not take, and what a call with it then returns.
    var ownKey: (name: String, status: StatusCode)?

    /// Whether all certificates fulfil them.
    var isEmpty: Bool { commonName.isEmpty && emailAddress == nil && validOn == nil && issuers.isEmpty }

    /// So many certificates a chain of issuers has at most.
    private static let chainLength = 10

    /// - Parameters:
    ///   - matching: what comparing the common name overlooks.
    ///   - certificates: those that are stored for a subject.
    /// - Throws: what `certificates` throws.
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
        if issuers.isEmpty { return true }
        return try isIssued(certificate, certificates)
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
