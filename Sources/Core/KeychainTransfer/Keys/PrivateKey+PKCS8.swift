// SPDX-License-Identifier: Apache-2.0

public import KeychainKeys
internal import SwiftASN1

extension PrivateKey {
    /// Reads a PrivateKeyInfo or OneAsymmetricKey in DER (PKCS #8; RFC 5208, RFC 5958) of an RSA key, of a named curve
    /// (RFC 5915) or of Curve25519 (RFC 8410). Attributes are ignored.
    ///
    /// - Throws: `malformed`; `unsupported` for another algorithm, curve or size.
    public init(pkcs8 bytes: some Collection<UInt8>) throws(TransferError) {
        try self.init(privateKeyInfo: try readBER(bytes, "the private key"))
    }

    /// PrivateKeyInfo in DER. The caller wipes it.
    public var pkcs8: [UInt8] {
        var key: [UInt8]
        switch type {
        case .rsa: key = Array(externalRepresentation)
        case .ellipticCurve: key = publicKey.curve.map { sec1($0, namesCurve: false) } ?? []
        case .ed25519, .x25519: key = Encoded.octets(externalRepresentation)
        }
        defer { key.wipe() }
        return Encoded.sequence(Encoded.number(0), publicKey.keyAlgorithm, Encoded.octets(key))
    }

    init(privateKeyInfo node: ASN1Node) throws(TransferError) {
        let what = "the private key"
        var parts = try node.fields(what)
        guard try parts.next(what).number(what) <= 1 else {
            throw TransferError(.unsupported, "only the versions 0 and 1 of PKCS #8 are supported")
        }
        let algorithm = try parts.next(what).algorithm(what)
        var key = try parts.next(what).octets(what)
        defer { key.wipe() }
        _ = parts.next(if: .context(0))
        _ = parts.next(if: .context(1))
        try parts.end(what)
        switch algorithm.type {
        case .rsaEncryption: try self.init(pkcs1: key)
        case .ecPublicKey: try self.init(sec1: key, curve: try EllipticCurve(parameters: algorithm.parameters))
        case .ed25519, .x25519:
            guard algorithm.parameters == nil else { throw .unexpected(what) }
            var seed = try readBER(key, what).octets(what)
            defer { seed.wipe() }
            try self.init(family: algorithm.type == .ed25519 ? .ed25519 : .x25519, representation: seed)
        default: throw TransferError(.unsupported, "private keys of the algorithm \(algorithm.type) are not supported")
        }
    }
}
