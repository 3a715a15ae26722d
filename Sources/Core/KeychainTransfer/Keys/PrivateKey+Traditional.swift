// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
public import KeychainKeys
internal import SwiftASN1

extension PrivateKey {
    /// Reads an RSAPrivateKey in DER (PKCS #1; RFC 8017, A.1.2).
    ///
    /// - Throws: `malformed`; `unsupported` for an unsupported size.
    public init(pkcs1 bytes: some Collection<UInt8>) throws(TransferError) {
        try self.init(family: .rsa, representation: Array(bytes))
    }

    /// Reads an ECPrivateKey in DER (SEC 1, C.4; RFC 5915).
    ///
    /// - Parameter curve: the curve named by the container; nil if the key must name it itself.
    /// - Throws: `malformed`, also for a public half that does not belong to the private one, and a curve that
    ///   contradicts `curve`; `unsupported` for curves other than P-256, P-384 and P-521, and for those not given by
    ///   name.
    public init(sec1 bytes: some Collection<UInt8>, curve outer: EllipticCurve? = nil) throws(TransferError) {
        let what = "the private key on an elliptic curve"
        var parts = try readBER(bytes, what).fields(what)
        guard try parts.next(what).number(what) == 1 else { throw .unexpected(what) }
        var scalar = try parts.next(what).octets(what)
        defer { scalar.wipe() }
        let inner: EllipticCurve?
        if let parameters = parts.next(if: .context(0)) {
            inner = try EllipticCurve(parameters: try parameters.explicit(0, what))
        } else {
            inner = nil
        }
        var point: [UInt8]?
        if let node = parts.next(if: .context(1)) {
            let bits = try node.explicit(1, what).primitive(.bitString, what)
            guard bits.first == 0 else { throw .unexpected(what) }
            point = Array(bits.dropFirst())
        }
        try parts.end(what)
        guard let curve = inner ?? outer else {
            throw TransferError(.unsupported, "\(what): it does not name its curve")
        }
        guard outer == nil || outer == curve else {
            throw TransferError(.malformed, "\(what): it names two different curves")
        }
        try self.init(scalar: scalar, on: curve)
        // Only the uncompressed form of the point is compared, because the scalar determines the point.
        if let point, point.first == 4, point != Array(publicKey.externalRepresentation) {
            throw TransferError(.malformed, "\(what): its public key belongs to a different private key")
        }
    }

    /// RSAPrivateKey of PKCS #1 or ECPrivateKey of SEC 1 in DER: OpenSSL's traditional forms. Nil for keys on
    /// Curve25519, which have none. The caller wipes it.
    public var traditional: [UInt8]? {
        switch type {
        case .rsa: Array(externalRepresentation)
        case .ellipticCurve: publicKey.curve.map { sec1($0, namesCurve: true) }
        case .ed25519, .x25519: nil
        }
    }

    /// Encodes an ECPrivateKey.
    ///
    /// - Parameter namesCurve: false if the container names the curve, as in PKCS #8.
    func sec1(_ curve: EllipticCurve, namesCurve: Bool) -> [UInt8] {
        var scalar = Array(externalRepresentation.suffix(curve.coordinateByteCount))
        defer { scalar.wipe() }
        return Encoded.sequence(
            Encoded.number(1), Encoded.octets(scalar),
            namesCurve ? Encoded.tagged(0, Encoded.oid(curve.objectIdentifier)) : [],
            Encoded.tagged(1, Encoded.bits(publicKey.externalRepresentation)))
    }

    /// Creates a key from the bytes of ``externalRepresentation``, with this module's errors. Does not wipe the
    /// argument.
    init(family: KeyType, representation: [UInt8]) throws(TransferError) {
        do throws(KeyError) {
            try self.init(type: family, externalRepresentation: representation)
        } catch {
            throw TransferError(error)
        }
    }

    /// Creates a key from its scalar.
    ///
    /// - Parameter scalar: big-endian; leading zeros may be missing or too many.
    init(scalar: [UInt8], on curve: EllipticCurve) throws(TransferError) {
        let digits = scalar.drop { $0 == 0 }
        guard digits.count <= curve.coordinateByteCount else {
            throw TransferError(.malformed, "the private number of a key is too large for its curve")
        }
        var padded = Array(repeating: 0, count: curve.coordinateByteCount - digits.count) + digits
        defer { padded.wipe() }
        var representation: Data
        do {
            switch curve {
            case .p256: representation = try P256.Signing.PrivateKey(rawRepresentation: padded).x963Representation
            case .p384: representation = try P384.Signing.PrivateKey(rawRepresentation: padded).x963Representation
            case .p521: representation = try P521.Signing.PrivateKey(rawRepresentation: padded).x963Representation
            }
        } catch {
            throw TransferError(.malformed, "the private number of a key is zero or too large for its curve")
        }
        defer { representation.resetBytes(in: representation.startIndex..<representation.endIndex) }
        try self.init(family: .ellipticCurve, representation: Array(representation))
    }
}

extension PublicKey {
    /// Creates a key from the bytes of ``externalRepresentation``, with this module's errors.
    init(family: KeyType, representation: [UInt8]) throws(TransferError) {
        do throws(KeyError) {
            try self.init(type: family, externalRepresentation: representation)
        } catch {
            throw TransferError(error)
        }
    }

    /// Reads a SubjectPublicKeyInfo, with this module's errors.
    init(info bytes: some Collection<UInt8>) throws(TransferError) {
        do throws(KeyError) {
            try self.init(subjectPublicKeyInfo: bytes)
        } catch {
            throw TransferError(error)
        }
    }

    /// SubjectPublicKeyInfo in DER (RFC 5280, 4.1).
    public var subjectPublicKeyInfo: [UInt8] {
        Encoded.sequence(keyAlgorithm, Encoded.bits(externalRepresentation))
    }

    /// AlgorithmIdentifier, as in SubjectPublicKeyInfo and PKCS #8.
    var keyAlgorithm: [UInt8] {
        switch type {
        case .rsa: Encoded.algorithm(.rsaEncryption, Encoded.null)
        case .ellipticCurve: Encoded.algorithm(.ecPublicKey, curve.map { Encoded.oid($0.objectIdentifier) } ?? [])
        case .ed25519: Encoded.algorithm(.ed25519)
        case .x25519: Encoded.algorithm(.x25519)
        }
    }
}
