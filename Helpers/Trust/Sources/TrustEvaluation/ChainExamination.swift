// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import CryptoExtras
internal import KeychainHelperWire
internal import SwiftASN1
@_spi(DisableValidityCheck) internal import X509

/// The examination of a chain whose signatures are valid.
///
/// Sources: RFC 5280, 6.1; RFC 9525 for hosts; Apple's published requirements for servers of TLS (HT210176, HT211025).
struct ChainExamination {
    let chain: UnverifiedCertificateChain
    let anchor: TrustAnswer.Anchor
    let request: TrustRequest
    let publicSuffixes: PublicSuffixes

    var findings: [TrustAnswer.Finding] {
        var findings: [TrustAnswer.Finding] = []
        for (place, certificate) in chain.enumerated() {
            for fault in faults(of: certificate, at: place) { findings.append(.init(place: place, fault: fault)) }
        }
        for policy in request.policies {
            for finding in self.findings(policy) where !findings.contains(finding) { findings.append(finding) }
        }
        findings += constraintFindings(knowing: findings)
        return findings
    }

    private func isAnchor(_ place: Int) -> Bool { anchor != .none && place == chain.count - 1 }

    // MARK: Each certificate

    /// The extensions that the examination processes or that cannot invalidate a chain: certificate policies
    /// (2.5.29.32) limit a chain only if policy constraints require them, and those are not in this list.
    private static let understoodExtensions: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage, [2, 5, 29, 32],
    ]

    private func faults(of certificate: Certificate, at place: Int) -> [TrustAnswer.Fault] {
        var faults: [TrustAnswer.Fault] = []
        if !isReadable(certificate) { faults.append(.malformed) }
        if certificate.extensions.contains(where: { $0.critical && !Self.understoodExtensions.contains($0.oid) }) {
            faults.append(.criticalExtension)
        }
        faults += dateFaults(certificate, isAnchor: isAnchor(place))
        if let key = _RSA.Signing.PublicKey(certificate.publicKey),
            key.keySizeInBits < UnreadableCertificate.leastRSAKey
        {
            faults.append(.keySize)
        }
        // The signature of an anchor is not relied on.
        if !isAnchor(place), !certificate.hasStrongSignature { faults.append(.signatureAlgorithm) }
        if place > 0 {
            faults += issuerFaults(certificate, at: place)
        } else if certificate.subject.isEmpty, certificate.alternativeNames.isEmpty {
            faults.append(.emptySubject)
        }
        return faults
    }

    private func isReadable(_ certificate: Certificate) -> Bool {
        // Extensions came with version 3.
        if certificate.version == .v1, !certificate.extensions.isEmpty { return false }
        do {
            _ = try certificate.extensions.basicConstraints
            _ = try certificate.extensions.keyUsage
            _ = try certificate.extensions.extendedKeyUsage
            _ = try certificate.extensions.nameConstraints
            _ = try certificate.extensions.subjectAlternativeNames
            return true
        } catch {
            return false
        }
    }

    private func dateFaults(_ certificate: Certificate, isAnchor: Bool) -> [TrustAnswer.Fault] {
        if request.options.contains(.allowsExpired) { return [] }
        if request.options.contains(.allowsExpiredRoot), isAnchor || certificate.isSelfSigned { return [] }
        let date = Double(request.date)
        if date < certificate.notValidBefore.timeIntervalSince1970 { return [.notYetValid] }
        if date > certificate.notValidAfter.timeIntervalSince1970 { return [.expired] }
        return []
    }

    /// Returns the faults of a certificate that issued the certificate before it.
    private func issuerFaults(_ certificate: Certificate, at place: Int) -> [TrustAnswer.Fault] {
        var faults: [TrustAnswer.Fault] = []
        switch try? certificate.extensions.basicConstraints {
        case .some(.isCertificateAuthority(let longest)):
            // Self-issued certificates do not count (RFC 5280, 4.2.1.9).
            let between = chain[1..<place].count { $0.subject != $0.issuer }
            if let longest, between > longest { faults.append(.pathLength) }
        case .some(.notCertificateAuthority): faults.append(.basicConstraints)
        case .none:
            // Certificates of version 1 have no basic constraints. Some old anchors are of that version, and they were
            // chosen deliberately.
            if !isAnchor(place) || certificate.version == .v3 { faults.append(.basicConstraints) }
        }
        if let usage = try? certificate.extensions.keyUsage, !usage.keyCertSign { faults.append(.keyUsage) }
        return faults
    }

    // MARK: Policies

    private func findings(_ policy: TrustPolicy) -> [TrustAnswer.Finding] {
        var faults: [TrustAnswer.Fault] = []
        let leaf = chain.leaf
        if !allows(leaf, policy) { faults.append(.extendedKeyUsage) }
        if policy.keyUsage != 0, let usage = try? leaf.extensions.keyUsage, usage.bits & policy.keyUsage == 0 {
            faults.append(.keyUsage)
        }
        if let name = policy.name {
            if policy.purpose == .mail {
                if !names(leaf, mail: name) { faults.append(.mailAddress) }
            } else if !names(host: name) {
                faults.append(.hostName)
            }
        }
        if policy.purpose == .tlsServer, isValidTooLong(leaf) { faults.append(.validityPeriod) }
        if policy.requiresRevocationCheck { faults.append(.revocationUnknown) }
        // An authority that is restricted to some purposes cannot issue for others. Anchors are trusted without this
        // check.
        let restricted = chain.indices.dropFirst().filter { place in
            guard !isAnchor(place), let usages = try? chain[place].extensions.extendedKeyUsage else { return false }
            return !policy.purpose.isAmong(usages)
        }
        return faults.map { .init(place: 0, fault: $0) } + restricted.map { .init(place: $0, fault: .extendedKeyUsage) }
    }

    private func allows(_ leaf: Certificate, _ policy: TrustPolicy) -> Bool {
        if let usages = try? leaf.extensions.extendedKeyUsage {
            guard policy.purpose.isAmong(usages) else { return false }
            return policy.purpose != .tlsServer || !Self.isNew(leaf) || usages.contains(.serverAuth)
        }
        switch policy.purpose {
        case .any, .tlsClient, .mail, .networkServer, .networkClient, .ipsec: return true
        case .codeSigning, .timeStamping: return false
        case .tlsServer: return !Self.isNew(leaf)
        }
    }

    /// Whether the certificate was issued since 2019-07-01, when the rules for servers became stricter (HT210176).
    private static func isNew(_ leaf: Certificate) -> Bool {
        leaf.notValidBefore.timeIntervalSince1970 >= 1_561_939_200
    }

    /// Whether the certificate is valid for too long: 825 days for certificates issued since 2019-07-01 (HT210176); 398
    /// for those issued since 2020-09-01 by an anchor of the system (HT211025). The day that contains the last valid
    /// second counts as a whole day.
    private func isValidTooLong(_ leaf: Certificate) -> Bool {
        let start = leaf.notValidBefore.timeIntervalSince1970
        let days = (leaf.notValidAfter.timeIntervalSince1970 - start) / 86_400
        if anchor == .system, start >= 1_598_918_400 { return days > 398 }
        return Self.isNew(leaf) && days > 825
    }

    // MARK: Names

    /// Whether the certificate names the host or the IP address. A common name does not count as a host.
    private func names(host: String) -> Bool {
        if let host = DNSName(host: host) {
            return chain.leaf.alternativeNames.contains { name in
                guard case .dnsName(let text) = name, let name = DNSName(text), name.matches(host) else { return false }
                return !name.isWildcard || !publicSuffixes.forbidWildcard(above: name.labels)
            }
        }
        // Other bytes could end the text for the functions that parse addresses.
        guard host.utf8.allSatisfy({ "0123456789ABCDEFabcdef.:".utf8.contains($0) }) else { return false }
        var policy = ServerIdentityPolicy(serverHostname: nil, serverIP: host)
        if case .meetsPolicy = policy.chainMeetsPolicyRequirements(chain: chain) { return true }
        return false
    }

    private func names(_ certificate: Certificate, mail address: String) -> Bool {
        var addresses = certificate.alternativeNames.compactMap { name -> String? in
            if case .rfc822Name(let address) = name { address } else { nil }
        }
        // PKCS #9's emailAddress in the subject, the older place for mail addresses.
        for attribute in certificate.subject.lazy.joined() where attribute.type == [1, 2, 840, 113549, 1, 9, 1] {
            if let text = String(attribute.value) { addresses.append(text) }
        }
        return addresses.contains { $0.isEqualIgnoringASCIICase(address) }
    }

    // MARK: Constraints

    /// Returns the remaining faults after RFC 5280: name constraints, and all others that were not found before.
    private func constraintFindings(knowing known: [TrustAnswer.Finding]) -> [TrustAnswer.Finding] {
        // A certificate that is itself an anchor needs no issuer.
        guard chain.count > 1 else { return [] }
        let findings = NameConstraintExamination(chain: chain).findings
        guard findings.isEmpty else { return findings }
        switch RFC5280Policy.withValidityCheckDisabled().chainMeetsPolicyRequirements(chain: chain) {
        case .meetsPolicy: return []
        case .failsToMeetPolicy:
            let explanations: [TrustAnswer.Fault] = [.basicConstraints, .pathLength, .malformed]
            return known.contains { explanations.contains($0.fault) } ? [] : [.init(place: 0, fault: .nameConstraints)]
        }
    }
}

extension Certificate {
    /// The alternative names; none if they cannot be decoded, which is a separate fault.
    var alternativeNames: [GeneralName] { (try? extensions.subjectAlternativeNames).map { Array($0) } ?? [] }

    /// Whether the signature's algorithm is known and its digest is not known to be forgeable.
    var hasStrongSignature: Bool {
        let strong: [SignatureAlgorithm] = [
            .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512, .sha256WithRSAEncryption, .sha384WithRSAEncryption,
            .sha512WithRSAEncryption, .ed25519,
        ]
        return strong.contains(signatureAlgorithm)
    }
}

extension TrustPolicy.Purpose {
    /// Whether a certificate with these extended usages permits this usage.
    fileprivate func isAmong(_ usages: ExtendedKeyUsage) -> Bool {
        let wanted: [ExtendedKeyUsage.Usage] =
            switch self {
            case .any: []
            case .tlsServer, .networkServer: [.serverAuth]
            case .tlsClient, .networkClient: [.clientAuth]
            case .mail: [.emailProtection]
            case .codeSigning: [.codeSigning]
            case .timeStamping: [.timeStamping]
            // RFC 4945, 5.1.3.12, and its predecessor.
            case .ipsec: [.init(oid: [1, 3, 6, 1, 5, 5, 7, 3, 17]), .init(oid: [1, 3, 6, 1, 5, 5, 8, 2, 2])]
            }
        return wanted.isEmpty || usages.contains(.any) || wanted.contains(where: usages.contains)
    }
}

extension KeyUsage {
    /// The bits as in ``TrustPolicy/keyUsage``.
    fileprivate var bits: UInt16 {
        let all = [
            digitalSignature, nonRepudiation, keyEncipherment, dataEncipherment, keyAgreement, keyCertSign, cRLSign,
            encipherOnly, decipherOnly,
        ]
        return all.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt16($1.offset) : 0) }
    }
}

extension String {
    /// Whether the bytes are equal except for the case of ASCII letters. Swift's own comparison treats a Kelvin sign as
    /// a K.
    fileprivate func isEqualIgnoringASCIICase(_ other: String) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return utf8.elementsEqual(other.utf8) { folded($0) == folded($1) }
    }
}
