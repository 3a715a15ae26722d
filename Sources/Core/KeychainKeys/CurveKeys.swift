// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials

// swift-crypto has the three curves as types without a common protocol. These protocols declare their common functions,
// so that all other code is written once.

/// A public key on a curve over a prime field.
protocol CurvePublicKey: Sendable {
    associatedtype Signature: CurveSignature
    associatedtype AgreementKey

    static var curve: EllipticCurve { get }

    /// Reads a key.
    ///
    /// - Parameter point: 04 | X | Y (ANSI X9.63, 4.3.6); it must be on the curve.
    init(point: Data) throws
    var x963Representation: Data { get }

    func isValidSignature<D: Digest>(_ signature: Signature, for digest: D) -> Bool
    func agreementKey() throws -> AgreementKey
}

/// A private key on a curve over a prime field.
protocol CurvePrivateKey: Sendable {
    associatedtype Public: CurvePublicKey

    static func generated() -> Self

    /// Reads a key.
    ///
    /// - Parameter representation: 04 | X | Y | K; the point must be K times the base point.
    init(representation: Data) throws
    var publicKey: Public { get }
    var x963Representation: Data { get }

    func signature<D: Digest>(for digest: D) throws -> Public.Signature
    func sharedSecret(with peer: Public) throws -> SharedSecret
}

/// The two numbers of an ECDSA signature.
protocol CurveSignature {
    /// Reads an Ecdsa-Sig-Value in DER (ANSI X9.62; RFC 3279, 2.2.3).
    init(der: Data) throws
    /// Reads r | s, each as long as a coordinate (RFC 4754, 7).
    init(concatenated: Data) throws
    var derRepresentation: Data { get }
    var rawRepresentation: Data { get }
}

extension P256.Signing.PublicKey: CurvePublicKey {
    static var curve: EllipticCurve { .p256 }
    init(point: Data) throws { try self.init(x963Representation: point) }
    func agreementKey() throws -> P256.KeyAgreement.PublicKey { try .init(x963Representation: x963Representation) }
}

extension P256.Signing.PrivateKey: CurvePrivateKey {
    static func generated() -> Self { Self(compactRepresentable: false) }
    init(representation: Data) throws { try self.init(x963Representation: representation) }

    func sharedSecret(with peer: P256.Signing.PublicKey) throws -> SharedSecret {
        var bytes = rawRepresentation
        defer { bytes.wipe() }
        return try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes)
            .sharedSecretFromKeyAgreement(with: peer.agreementKey())
    }
}

extension P256.Signing.ECDSASignature: CurveSignature {
    init(der: Data) throws { try self.init(derRepresentation: der) }
    init(concatenated: Data) throws { try self.init(rawRepresentation: concatenated) }
}

extension P384.Signing.PublicKey: CurvePublicKey {
    static var curve: EllipticCurve { .p384 }
    init(point: Data) throws { try self.init(x963Representation: point) }
    func agreementKey() throws -> P384.KeyAgreement.PublicKey { try .init(x963Representation: x963Representation) }
}

extension P384.Signing.PrivateKey: CurvePrivateKey {
    static func generated() -> Self { Self(compactRepresentable: false) }
    init(representation: Data) throws { try self.init(x963Representation: representation) }

    func sharedSecret(with peer: P384.Signing.PublicKey) throws -> SharedSecret {
        var bytes = rawRepresentation
        defer { bytes.wipe() }
        return try P384.KeyAgreement.PrivateKey(rawRepresentation: bytes)
            .sharedSecretFromKeyAgreement(with: peer.agreementKey())
    }
}

extension P384.Signing.ECDSASignature: CurveSignature {
    init(der: Data) throws { try self.init(derRepresentation: der) }
    init(concatenated: Data) throws { try self.init(rawRepresentation: concatenated) }
}

extension P521.Signing.PublicKey: CurvePublicKey {
    static var curve: EllipticCurve { .p521 }
    init(point: Data) throws { try self.init(x963Representation: point) }
    func agreementKey() throws -> P521.KeyAgreement.PublicKey { try .init(x963Representation: x963Representation) }
}

extension P521.Signing.PrivateKey: CurvePrivateKey {
    static func generated() -> Self { Self(compactRepresentable: false) }
    init(representation: Data) throws { try self.init(x963Representation: representation) }

    func sharedSecret(with peer: P521.Signing.PublicKey) throws -> SharedSecret {
        var bytes = rawRepresentation
        defer { bytes.wipe() }
        return try P521.KeyAgreement.PrivateKey(rawRepresentation: bytes)
            .sharedSecretFromKeyAgreement(with: peer.agreementKey())
    }
}

extension P521.Signing.ECDSASignature: CurveSignature {
    init(der: Data) throws { try self.init(derRepresentation: der) }
    init(concatenated: Data) throws { try self.init(rawRepresentation: concatenated) }
}

extension Data {
    /// Overwrites the bytes. Other copies remain, also those of swift-crypto, which wipes its own when it frees them.
    mutating func wipe() { resetBytes(in: startIndex..<endIndex) }
}
