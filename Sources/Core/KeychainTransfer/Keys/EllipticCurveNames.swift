// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import SwiftASN1

extension EllipticCurve {
    /// The curve of an AlgorithmIdentifier's parameters, or of those in a key of SEC 1 (RFC 5480, 2.1.1): by name alone.
    ///
    /// - Throws: `unsupported`.
    init(parameters: ASN1Node?) throws(TransferError) {
        guard let parameters, let name = try? ASN1ObjectIdentifier(derEncoded: parameters),
            let curve = Self.allCases.first(where: { $0.objectIdentifier == name })
        else {
            throw TransferError(.unsupported, "of elliptic curves, P-256, P-384 and P-521 are known, by name")
        }
        self = curve
    }

    var objectIdentifier: ASN1ObjectIdentifier {
        switch self {
        case .p256: .secp256r1
        case .p384: .secp384r1
        case .p521: .secp521r1
        }
    }
}

extension PublicKey {
    /// Nil for what is not on a curve over a prime field.
    var curve: EllipticCurve? { type == .ellipticCurve ? EllipticCurve(sizeInBits: sizeInBits) : nil }
}
