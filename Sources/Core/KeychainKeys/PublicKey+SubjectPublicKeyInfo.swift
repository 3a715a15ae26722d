// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import SwiftASN1

extension PublicKey {
    /// Reads a SubjectPublicKeyInfo in DER (RFC 5280, 4.1) of RSA (RFC 3279, 2.3.1), of a named curve (RFC 5480) or of
    /// Curve25519 (RFC 8410).
    ///
    /// - Throws: `invalid` if these are not the bytes of exactly one; the errors of
    ///   ``init(type:externalRepresentation:)``; `unsupportedAlgorithm` for another algorithm or curve.
    public init(subjectPublicKeyInfo bytes: some Collection<UInt8>) throws(KeyError) {
        let parts: SubjectPublicKeyInfo
        do {
            parts = try SubjectPublicKeyInfo(derEncoded: try DER.parse(Array(bytes)))
        } catch {
            throw KeyError(.invalid, "the bytes are not a SubjectPublicKeyInfo in DER")
        }
        try self.init(algorithm: parts.algorithm, parameters: parts.parameters, bits: parts.bits)
    }

    /// Reads a key from the parts of a SubjectPublicKeyInfo: its algorithm, the parameters and the bytes of the bit
    /// string. Throws the errors of ``init(subjectPublicKeyInfo:)``.
    init(
        algorithm: ASN1ObjectIdentifier, parameters: ASN1Any?, bits: some Collection<UInt8>
    ) throws(KeyError) {
        switch algorithm {
        case .rsaEncryption:
            // The parameters are NULL; some encoders omit them, against the standard.
            guard parameters.map({ (try? ASN1Null(asn1Any: $0)) != nil }) ?? true else {
                throw KeyError(.invalid, "an RSA key must not have parameters")
            }
            try self.init(type: .rsa, externalRepresentation: bits)
        case .ecPublicKey:
            guard let name = parameters.flatMap({ try? ASN1ObjectIdentifier(asn1Any: $0) }),
                let curve = EllipticCurve(name)
            else {
                throw KeyError(
                    .unsupportedAlgorithm, "only the named elliptic curves P-256, P-384 and P-521 are supported")
            }
            guard bits.count == 1 + 2 * curve.coordinateByteCount else {
                throw KeyError(
                    .invalid, "a key on the curve of \(curve.sizeInBits) bits must be encoded as 04, X and Y")
            }
            try self.init(type: .ellipticCurve, externalRepresentation: bits)
        case .ed25519, .x25519:
            guard parameters == nil else { throw KeyError(.invalid, "a key on Curve25519 must not have parameters") }
            try self.init(type: algorithm == .ed25519 ? .ed25519 : .x25519, externalRepresentation: bits)
        default:
            throw KeyError(.unsupportedAlgorithm, "keys of the algorithm \(algorithm) are not supported")
        }
    }
}

/// The parsed syntax, without its meaning.
private struct SubjectPublicKeyInfo {
    let algorithm: ASN1ObjectIdentifier
    let parameters: ASN1Any?
    let bits: ArraySlice<UInt8>

    init(derEncoded root: ASN1Node) throws {
        self = try DER.sequence(root, identifier: .sequence) { nodes in
            guard let identifier = nodes.next() else {
                throw ASN1Error.invalidASN1Object(reason: "the key is empty")
            }
            let (algorithm, parameters) = try DER.sequence(identifier, identifier: .sequence) { parts in
                let algorithm = try ASN1ObjectIdentifier(derEncoded: &parts)
                let parameters: ASN1Any? = parts.next().map { ASN1Any(derEncoded: $0) }
                return (algorithm, parameters)
            }
            let key = try ASN1BitString(derEncoded: &nodes)
            guard key.paddingBits == 0 else {
                throw ASN1Error.invalidASN1Object(reason: "a key must consist of whole bytes")
            }
            return Self(algorithm: algorithm, parameters: parameters, bits: key.bytes)
        }
    }

    private init(algorithm: ASN1ObjectIdentifier, parameters: ASN1Any?, bits: ArraySlice<UInt8>) {
        self.algorithm = algorithm
        self.parameters = parameters
        self.bits = bits
    }
}

extension EllipticCurve {
    fileprivate init?(_ name: ASN1ObjectIdentifier) {
        switch name {
        case .secp256r1: self = .p256
        case .secp384r1: self = .p384
        case .secp521r1: self = .p521
        default: return nil
        }
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let rsaEncryption: Self = [1, 2, 840, 113549, 1, 1, 1]
    fileprivate static let ecPublicKey: Self = [1, 2, 840, 10045, 2, 1]
    fileprivate static let secp256r1: Self = [1, 2, 840, 10045, 3, 1, 7]
    fileprivate static let secp384r1: Self = [1, 3, 132, 0, 34]
    fileprivate static let secp521r1: Self = [1, 3, 132, 0, 35]
    fileprivate static let ed25519: Self = [1, 3, 101, 112]
    fileprivate static let x25519: Self = [1, 3, 101, 110]
}
