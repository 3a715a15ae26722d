// SPDX-License-Identifier: Apache-2.0

internal import CryptoExtras
internal import FoundationEssentials
internal import KeychainBytes
public import KeychainKeys

/// A private key that a client adds, with its certificate if the client adds one.
public struct NewIdentity: Sendable {
    public enum PrivatePart: Sendable {
        case key(PrivateKey)
        case securityKey(SecurityKeyHandle)
    }

    public let publicKey: SSHPublicKey
    public let privatePart: PrivatePart
    /// The bytes of the comment, which are returned as they are.
    public let comment: [UInt8]
    public let constraints: KeyConstraints

    /// Reads a request to add a key (RFC 9987; the private parts of certificates as OpenSSH sends them).
    ///
    /// - Parameters:
    ///   - message: the message, of which the type is not read.
    ///   - isConstrained: whether constraints follow.
    /// - Throws: `.invalid` for a public half that does not belong to the private one, and for a certificate of another
    ///   key.
    init(_ message: [UInt8], isConstrained: Bool) throws(MessageError) {
        var reader = MessageReader(message, from: 1, to: message.count)
        guard let (type, isCertificate) = SSHKeyType.find(try reader.name()) else {
            throw .invalid("the type of the key is not supported")
        }
        let certificate = isCertificate ? try SSHPublicKey(blob: try reader.string()) : nil
        if let certificate, certificate.type != type || certificate.certificate == nil {
            throw .invalid("the certificate is of another type than the key")
        }
        switch type {
        case .ed25519: (publicKey, privatePart) = try Self.ed25519(certificate, &reader)
        case .ecdsaP256, .ecdsaP384, .ecdsaP521: (publicKey, privatePart) = try Self.ecdsa(type, certificate, &reader)
        case .rsa: (publicKey, privatePart) = try Self.rsa(certificate, &reader)
        case .securityKeyEd25519, .securityKeyECDSA:
            let flags: UInt8
            (publicKey, flags) = try Self.securityKey(type, certificate, &reader)
            privatePart = .securityKey(
                SecurityKeyHandle(serializedKey: Array(message[1..<reader.position]), flags: flags))
        }
        comment = try reader.string(atMost: MessageLimits.text)
        constraints = isConstrained ? try KeyConstraints(&reader, of: .key) : KeyConstraints()
        try reader.finish()
        guard constraints.securityKeyProvider == nil || type.isSecurityKey else {
            throw .invalid("the request names a provider of security keys for a key that is not in one")
        }
    }

    // MARK: The types

    private static func ed25519(
        _ certificate: SSHPublicKey?, _ reader: inout MessageReader
    ) throws(MessageError) -> (SSHPublicKey, PrivatePart) {
        let point = try reader.string()
        let pair = try reader.string()
        guard pair.count == 64, pair.suffix(32).elementsEqual(point) else { throw mismatch }
        let publicKey: SSHPublicKey
        if let certificate {
            publicKey = certificate
        } else {
            publicKey = try plain(.ed25519) { $0.block(point) }
        }
        return (publicKey, .key(try privateKey(.ed25519, pair.prefix(32), of: publicKey)))
    }

    private static func ecdsa(
        _ type: SSHKeyType, _ certificate: SSHPublicKey?, _ reader: inout MessageReader
    ) throws(MessageError) -> (SSHPublicKey, PrivatePart) {
        guard let (curve, name) = type.curve else { throw .malformed }
        let publicKey: SSHPublicKey
        if let certificate {
            publicKey = certificate
        } else {
            let given = try reader.name()
            let point = try reader.string()
            guard given == name else { throw .invalid("the key names another curve than its type") }
            publicKey = try plain(type) { writer in
                writer.block(name)
                writer.block(point)
            }
        }
        guard let scalar = try reader.magnitude().padded(to: curve.coordinateByteCount) else { throw mismatch }
        let representation = Array(publicKey.key.externalRepresentation) + scalar
        return (publicKey, .key(try privateKey(.ellipticCurve, representation, of: publicKey)))
    }

    private static func rsa(
        _ certificate: SSHPublicKey?, _ reader: inout MessageReader
    ) throws(MessageError) -> (SSHPublicKey, PrivatePart) {
        let publicKey: SSHPublicKey
        let (modulus, exponent): ([UInt8], [UInt8])
        if let certificate {
            publicKey = certificate
            (modulus, exponent) = try rsaNumbers(of: certificate)
        } else {
            (modulus, exponent) = (try reader.magnitude(), try reader.magnitude())
            publicKey = try plain(.rsa) { writer in
                writer.magnitude(exponent)
                writer.magnitude(modulus)
            }
        }
        let privateExponent = try reader.magnitude()
        // The inverse of the second prime, which the library computes itself.
        _ = try reader.magnitude()
        let primes = (try reader.magnitude(), try reader.magnitude())
        guard [privateExponent, primes.0, primes.1].allSatisfy({ !$0.isEmpty && $0.count <= modulus.count }),
            let key = try? _RSA.Signing.PrivateKey(
                n: modulus, e: exponent, d: privateExponent, p: primes.0, q: primes.1)
        else { throw .invalid("the numbers of the RSA key are inconsistent") }
        var representation = key.derRepresentation
        defer { representation.resetBytes(in: representation.startIndex..<representation.endIndex) }
        return (publicKey, .key(try privateKey(.rsa, representation, of: publicKey)))
    }

    private static func securityKey(
        _ type: SSHKeyType, _ certificate: SSHPublicKey?, _ reader: inout MessageReader
    ) throws(MessageError) -> (SSHPublicKey, flags: UInt8) {
        let application: String
        let publicKey: SSHPublicKey
        if let certificate {
            // OpenSSH repeats the point of an Ed25519 key.
            if type == .securityKeyEd25519 {
                let point = try reader.string()
                guard point.elementsEqual(certificate.key.externalRepresentation) else { throw mismatch }
            }
            application = try reader.text(atMost: MessageLimits.text)
            publicKey = certificate
        } else {
            let curve = type == .securityKeyECDSA ? try reader.name() : nil
            let point = try reader.string()
            application = try reader.text(atMost: MessageLimits.text)
            publicKey = try plain(type) { writer in
                if let curve { writer.block(curve) }
                writer.block(point)
                writer.block(application)
            }
        }
        guard application == publicKey.application else { throw mismatch }
        let flags = try reader.u8()
        // The handle of the key, and a reserved field.
        _ = try reader.string(atMost: MessageLimits.text)
        _ = try reader.string(atMost: MessageLimits.text)
        return (publicKey, flags)
    }

    // MARK: Parts

    private static var mismatch: MessageError {
        .invalid("the public half of the key does not belong to the private half")
    }

    private static func plain(
        _ type: SSHKeyType, _ write: (inout ByteWriter) -> Void
    ) throws(MessageError) -> SSHPublicKey {
        var writer = ByteWriter()
        writer.block(type.name)
        write(&writer)
        return try SSHPublicKey(blob: writer.bytes)
    }

    private static func privateKey(
        _ family: KeyType, _ representation: some Collection<UInt8>, of publicKey: SSHPublicKey
    ) throws(MessageError) -> PrivateKey {
        let key: PrivateKey
        do throws(KeyError) {
            key = try PrivateKey(type: family, externalRepresentation: representation)
        } catch {
            throw .invalid(error.reason)
        }
        guard key.publicKey == publicKey.key else { throw mismatch }
        return key
    }

    private static func rsaNumbers(
        of certificate: SSHPublicKey
    ) throws(MessageError) -> (modulus: [UInt8], exponent: [UInt8]) {
        var reader = MessageReader(certificate.plainBlob)
        _ = try reader.name()
        let exponent = try reader.magnitude()
        return (try reader.magnitude(), exponent)
    }
}

/// The data with which a security key finds its private key.
public struct SecurityKeyHandle: Hashable, Sendable {
    /// The key as the client sent it, which is also how ssh-sk-helper takes it.
    public let serializedKey: [UInt8]
    public let flags: UInt8

    /// Whether the user must touch the security key for each signature.
    public var needsTouch: Bool { flags & 1 != 0 }
}
