// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

/// The sizes of RSA keys, also of those in certificates that swift-certificates does not read.
enum RSAKeySize {
    /// In bits. Apple trusts no smaller keys.
    static let least = 2048

    private static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]

    /// The bits of the modulus; nil for another kind of key and for what is no certificate in DER.
    static func bits(inCertificate bytes: [UInt8]) -> Int? {
        // RFC 5280, 4.1: the key is the seventh field, or the sixth where the version is left out.
        guard let certificate = try? children(DER.parse(bytes)), let first = certificate.first,
            var fields = try? children(first)[...]
        else { return nil }
        if fields.first?.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
            fields.removeFirst()
        }
        guard let key = fields.dropFirst(5).first, let parts = try? children(key), parts.count == 2,
            let algorithm = try? children(parts[0]).first,
            (try? ASN1ObjectIdentifier(derEncoded: algorithm)) == rsaEncryption,
            let content = try? ASN1BitString(derEncoded: parts[1]).bytes,
            let modulus = try? children(DER.parse(content)).first, modulus.identifier == .integer,
            case .primitive(let digits) = modulus.content
        else { return nil }
        let significant = digits.drop { $0 == 0 }
        return significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
    }

    private static func children(_ node: ASN1Node) throws -> [ASN1Node] {
        try DER.sequence(node, identifier: .sequence) { nodes in
            var found: [ASN1Node] = []
            while let next = nodes.next() { found.append(next) }
            return found
        }
    }
}
