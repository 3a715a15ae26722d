// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import SwiftASN1

/// The reason why swift-certificates cannot decode a certificate. It supports neither small RSA keys nor signature
/// algorithms beyond the trusted ones, and the user should learn this reason.
enum UnreadableCertificate {
    /// The smallest RSA key that Apple trusts, in bits.
    static let leastRSAKey = 2048

    /// Returns the reason.
    static func fault(_ bytes: [UInt8]) -> TrustAnswer.Fault {
        // RFC 5280, 4.1: the signed content, the algorithm, the signature.
        guard let parts = try? children(DER.parse(bytes)), parts.count == 3, let fields = try? children(parts[0]),
            let algorithm = try? identifier(parts[1])
        else { return .malformed }
        if let bits = rsaKeyBits(fields), bits < leastRSAKey { return .keySize }
        return knownAlgorithms.contains(algorithm) ? .malformed : .signatureAlgorithm
    }

    /// RSA with SHA-1 (known, though not relied on), SHA-256, SHA-384 and SHA-512; ECDSA with the last three; Ed25519.
    private static let knownAlgorithms: Set<ASN1ObjectIdentifier> = [
        [1, 2, 840, 113549, 1, 1, 5], [1, 2, 840, 113549, 1, 1, 11], [1, 2, 840, 113549, 1, 1, 12],
        [1, 2, 840, 113549, 1, 1, 13], [1, 2, 840, 10045, 4, 3, 2], [1, 2, 840, 10045, 4, 3, 3],
        [1, 2, 840, 10045, 4, 3, 4], [1, 3, 101, 112],
    ]

    /// Returns the bits of the modulus; nil for another kind of key and for malformed bytes.
    private static func rsaKeyBits(_ fields: [ASN1Node]) -> Int? {
        // The key is the seventh field, or the sixth if the version is left out.
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        let place = fields.first?.identifier == version ? 6 : 5
        guard fields.indices.contains(place), let parts = try? children(fields[place]), parts.count == 2,
            (try? identifier(parts[0])) == [1, 2, 840, 113549, 1, 1, 1],
            let content = try? ASN1BitString(derEncoded: parts[1]).bytes,
            let modulus = try? children(DER.parse(content)).first, modulus.identifier == .integer,
            case .primitive(let digits) = modulus.content
        else { return nil }
        let significant = digits.drop { $0 == 0 }
        return significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
    }

    /// Returns the identifier in an AlgorithmIdentifier.
    private static func identifier(_ algorithm: ASN1Node) throws -> ASN1ObjectIdentifier? {
        try children(algorithm).first.map { try ASN1ObjectIdentifier(derEncoded: $0) }
    }

    private static func children(_ node: ASN1Node) throws -> [ASN1Node] {
        try DER.sequence(node, identifier: .sequence) { nodes in
            var found: [ASN1Node] = []
            while let next = nodes.next() { found.append(next) }
            return found
        }
    }
}
