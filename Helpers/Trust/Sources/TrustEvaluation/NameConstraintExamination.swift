// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import SwiftASN1
internal import X509

/// What swift-certificates overlooks when it holds names against name constraints: a name or a constraint that it takes for invalid
/// matches nothing, so an excluded name in another form would pass.
///
/// Source: RFC 5280, 4.2.1.10.
struct NameConstraintExamination {
    let chain: UnverifiedCertificateChain

    /// The greatest number of comparisons of a name with a constraint in a chain, as in OpenSSL: a certificate may have ten thousands of both.
    private static let greatestComparisons = 1 << 20

    /// A fault for each certificate with a constraint or a name that cannot be judged, or with a wildcard that stands for an excluded name;
    /// `.tooComplex` alone where there are too many of them.
    var findings: [TrustAnswer.Finding] {
        var places: Set<Int> = []
        var comparisons = 0
        for issuer in chain.indices.dropFirst() {
            // What cannot be read is a fault already.
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

/// The name constraints of one certificate, all of which can be judged. Those of other kinds than these are left to swift-certificates,
/// which takes each for a fault.
private struct ConstraintsOfNames {
    /// Nil where no DNS names are constrained; empty where none are excluded.
    private var excludedNames: [DNSConstraint]?
    /// Nil where no hosts of resources are constrained; empty where all are permitted that are not excluded.
    private var permittedHosts: [DNSConstraint]?
    private var constrainsAddresses = false

    /// Nil where one of them cannot be judged.
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

    /// Whether the name can be judged, and is none that swift-certificates would let pass wrongly.
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

    /// An address of version 4 or 6, and a mask of as many bytes whose bits that are set come first.
    private static func isNetwork(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 8 || bytes.count == 32 else { return false }
        let mask = bytes.suffix(bytes.count / 2).drop { $0 == 0xff }
        return (mask.first.map { (~$0).leadingZeroBitCount + $0.trailingZeroBitCount == 8 } ?? true)
            && mask.dropFirst().allSatisfy { $0 == 0 }
    }

    /// An address of version 4 or 6. One of version 4 that is written as one of version 6 (`::ffff:192.0.2.1`) would be compared with networks
    /// of version 6 alone.
    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
        return bytes.count == 4 || bytes.count == 16 && !bytes.starts(with: mapped)
    }
}
