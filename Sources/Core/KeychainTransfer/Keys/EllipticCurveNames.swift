// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import SwiftASN1

extension EllipticCurve {
    /// Reads the curve in an AlgorithmIdentifier's parameters, or in those of a SEC 1 key (RFC 5480, 2.1.1): named
    /// curves only.
    ///
    /// - Throws: `unsupported`.
    init(parameters: ASN1Node?) throws(TransferError) {
        guard let parameters, let name = try? ASN1ObjectIdentifier(derEncoded: parameters),
            let curve = Self.allCases.first(where: { $0.objectIdentifier == name })
        else {
            throw TransferError(.unsupported, "only the named elliptic curves P-256, P-384 and P-521 are supported")
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
    /// The curve; nil for a key that is not on a curve over a prime field.
    var curve: EllipticCurve? { type == .ellipticCurve ? EllipticCurve(sizeInBits: sizeInBits) : nil }
}
