// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import SwiftASN1
internal import X509

/// The checks of name constraints that swift-certificates lacks: it treats a name or constraint that it considers
/// invalid as no match, so an excluded name in another form would pass.
///
/// Source: RFC 5280, 4.2.1.10.
struct NameConstraintExamination {
    let chain: UnverifiedCertificateChain

    /// The greatest number of comparisons of a name with a constraint in a chain, as in OpenSSL, because a certificate
    /// can have tens of thousands of both.
    private static let greatestComparisons = 1 << 20

    /// The faults: one for each certificate with a constraint or a name that cannot be examined, or with a wildcard
    /// that stands for an excluded name; `.tooComplex` alone if there are too many of them.
    var findings: [TrustAnswer.Finding] {
        var places: Set<Int> = []
        var comparisons = 0
        for issuer in chain.indices.dropFirst() {
            // Name constraints that cannot be decoded are already a fault.
            guard let constraints = try? chain[issuer].extensions.nameConstraints else { continue }
            let count = constraints.permittedSubtrees.count + constraints.excludedSubtrees.count
            for place in chain.indices[..<issuer] {
                comparisons += count * chain[place].alternativeNames.count
                guard comparisons <= Self.greatestComparisons else { return [.init(place: place, fault: .tooComplex)] }
            }
            guard let constraints = ConstraintsOfNames(constraints) else {
                places.insert(issuer)
                continue
            }
            for place in chain.indices[..<issuer] where !places.contains(place) {
                if !chain[place].alternativeNames.allSatisfy(constraints.allow) { places.insert(place) }
            }
        }
        return places.sorted().map { .init(place: $0, fault: .nameConstraints) }
    }
}

/// The name constraints of one certificate, if all of them can be examined. swift-certificates handles constraints of
/// other kinds, and reports each as a fault.
private struct ConstraintsOfNames {
    /// Nil if no DNS names are constrained; empty if none are excluded.
    private var excludedNames: [DNSConstraint]?
    /// Nil if no hosts of URIs are constrained; empty if all hosts are permitted that are not excluded.
    private var permittedHosts: [DNSConstraint]?
    private var constrainsAddresses = false

    /// Nil if one of the constraints cannot be examined.
    init?(_ constraints: NameConstraints) {
        for subtree in constraints.permittedSubtrees {
            switch subtree {
            case .dnsName(let text):
                guard DNSConstraint(text) != nil else { return nil }
                excludedNames = []
            case .uniformResourceIdentifier(let text):
                guard let constraint = DNSConstraint(text) else { return nil }
                permittedHosts = permittedHosts ?? []
                permittedHosts?.append(constraint)
            case .ipAddress(let network):
                guard Self.isNetwork(network.bytes) else { return nil }
                constrainsAddresses = true
            case .otherName, .rfc822Name, .x400Address, .directoryName, .ediPartyName, .registeredID: break
            }
        }
        for subtree in constraints.excludedSubtrees {
            switch subtree {
            case .dnsName(let text):
                guard let constraint = DNSConstraint(text) else { return nil }
                excludedNames = excludedNames ?? []
                excludedNames?.append(constraint)
            case .uniformResourceIdentifier(let text):
                guard DNSConstraint(text) != nil else { return nil }
                permittedHosts = permittedHosts ?? []
            case .ipAddress(let network):
                guard Self.isNetwork(network.bytes) else { return nil }
                constrainsAddresses = true
            case .otherName, .rfc822Name, .x400Address, .directoryName, .ediPartyName, .registeredID: break
            }
        }
    }

    /// Whether the name can be examined, and swift-certificates does not accept it wrongly.
    func allow(_ name: GeneralName) -> Bool {
        switch name {
        case .dnsName(let text):
            guard let excludedNames else { return true }
            guard let name = DNSName(text) else { return false }
            return !excludedNames.contains { $0.mayContainName(of: name) }
        case .uniformResourceIdentifier(let text):
            guard let permittedHosts else { return true }
            guard let host = ResourceHost(text) else { return false }
            return permittedHosts.isEmpty || permittedHosts.contains(where: host.isWithin)
        case .ipAddress(let address):
            return !constrainsAddresses || Self.isAddress(address.bytes)
        case .otherName, .rfc822Name, .x400Address, .directoryName, .ediPartyName, .registeredID: return true
        }
    }

    /// Whether the bytes are an address of version 4 or 6 and a mask of the same length whose set bits come first.
    private static func isNetwork(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 8 || bytes.count == 32 else { return false }
        let mask = bytes.suffix(bytes.count / 2).drop { $0 == 0xff }
        return (mask.first.map { (~$0).leadingZeroBitCount + $0.trailingZeroBitCount == 8 } ?? true)
            && mask.dropFirst().allSatisfy { $0 == 0 }
    }

    /// Whether the bytes are an address of version 4 or 6. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is not
    /// accepted, because it would be compared with networks of version 6 only.
    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
        return bytes.count == 4 || bytes.count == 16 && !bytes.starts(with: mapped)
    }
}
