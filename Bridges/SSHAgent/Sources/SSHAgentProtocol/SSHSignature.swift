// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import KeychainBytes
public import KeychainKeys

/// The flags of a request for a signature.
public struct SignatureFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let rsaSHA256 = SignatureFlags(rawValue: 2)
    public static let rsaSHA512 = SignatureFlags(rawValue: 4)
}

/// A signature algorithm of SSH for a key without a security key.
public struct SignatureAlgorithm: Hashable, Sendable {
    /// The name in a signature.
    public let name: String
    /// The algorithm with which the key signs the message. ECDSA's is the one with two integers of fixed length.
    public let operation: KeyAlgorithm
    private let isECDSA: Bool

    /// Finds the algorithm of a signature.
    ///
    /// - Parameter allowsSHA1: whether RSA without a flag, which is SHA-1, is allowed.
    /// - Throws: `.invalid` for RSA with SHA-1 if it is not allowed; and for security keys, which sign other bytes.
    public init(_ type: SSHKeyType, _ flags: SignatureFlags, allowsSHA1: Bool = false) throws(MessageError) {
        switch type {
        case .rsa:
            // If a client sets both flags, OpenSSH takes this one, too.
            if flags.contains(.rsaSHA256) {
                self = .rsa256
            } else if flags.contains(.rsaSHA512) {
                self = .rsa512
            } else {
                guard allowsSHA1 else {
                    throw .invalid("the client requests an RSA signature with SHA-1, which is not allowed")
                }
                self = Self(type.name, .rsaSignature(.pkcs1v15, .message, .sha1))
            }
        case .ed25519, .ecdsaP256, .ecdsaP384, .ecdsaP521, .securityKeyEd25519, .securityKeyECDSA:
            guard let algorithm = Self.only(type) else {
                throw .invalid("the key signs in a security key")
            }
            self = algorithm
        }
    }

    /// Returns the bytes of a signature in messages.
    ///
    /// - Parameter result: the result of ``operation``.
    public func signature(_ result: some Collection<UInt8>) -> [UInt8] {
        var writer = ByteWriter()
        writer.block(name)
        guard isECDSA else {
            writer.block(result)
            return writer.bytes
        }
        var numbers = ByteWriter()
        numbers.magnitude(result.prefix(result.count / 2))
        numbers.magnitude(result.dropFirst(result.count / 2))
        writer.block(numbers.bytes)
        return writer.bytes
    }

    private init(_ name: String, _ operation: KeyAlgorithm, isECDSA: Bool = false) {
        self.name = name
        self.operation = operation
        self.isECDSA = isECDSA
    }

    private static let rsa256 = Self("rsa-sha2-256", .rsaSignature(.pkcs1v15, .message, .sha256))
    private static let rsa512 = Self("rsa-sha2-512", .rsaSignature(.pkcs1v15, .message, .sha512))

    /// Returns the algorithm of a type that has one; nil for RSA and security keys.
    private static func only(_ type: SSHKeyType) -> Self? {
        switch type {
        case .ed25519: Self(type.name, .ed25519)
        case .ecdsaP256: Self(type.name, .ecdsa(.rfc4754, .message, .sha256), isECDSA: true)
        case .ecdsaP384: Self(type.name, .ecdsa(.rfc4754, .message, .sha384), isECDSA: true)
        case .ecdsaP521: Self(type.name, .ecdsa(.rfc4754, .message, .sha512), isECDSA: true)
        case .rsa, .securityKeyEd25519, .securityKeyECDSA: nil
        }
    }

    /// Finds the algorithm that a signature names.
    fileprivate static func named(_ name: String, by type: SSHKeyType) -> Self? {
        switch type {
        case .rsa: [rsa256, rsa512].first { $0.name == name }
        // A security key signs a message of its own with the plain algorithm.
        case .securityKeyEd25519: name == type.name ? only(.ed25519) : nil
        case .securityKeyECDSA: name == type.name ? only(.ecdsaP256) : nil
        case .ed25519, .ecdsaP256, .ecdsaP384, .ecdsaP521: name == type.name ? only(type) : nil
        }
    }
}

extension SSHPublicKey {
    /// Verifies a signature with the key; a certificate is not considered. SHA-1 is not accepted.
    ///
    /// - Throws: `.invalid` if the key did not make the signature.
    public func verify(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) throws(MessageError) {
        var reader = MessageReader(Array(signature))
        guard let algorithm = SignatureAlgorithm.named(try reader.name(), by: type) else {
            throw .invalid("the algorithm of the signature does not belong to the key, or is not supported")
        }
        let result = try result(try reader.string())
        let signed = try signedBytes(message, &reader)
        try reader.finish()
        do throws(KeyError) {
            try key.verify(result, for: signed, using: algorithm.operation)
        } catch {
            throw .invalid("the signature does not match the data and the key")
        }
    }

    /// Returns the signature in the form that ``SignatureAlgorithm/operation`` has.
    private func result(_ signature: [UInt8]) throws(MessageError) -> [UInt8] {
        if let (curve, _) = type.curve {
            var numbers = MessageReader(signature)
            let pair = (try numbers.magnitude(), try numbers.magnitude())
            try numbers.finish()
            guard let first = pair.0.padded(to: curve.coordinateByteCount),
                let second = pair.1.padded(to: curve.coordinateByteCount)
            else { throw .invalid("a number of the signature is too large") }
            return first + second
        }
        // Some programs leave out leading zeros of RSA.
        return type == .rsa ? signature.padded(to: key.blockSize) ?? signature : signature
    }

    /// Returns the bytes that the key signs for a message (PROTOCOL.u2f of OpenSSH for security keys).
    private func signedBytes(
        _ message: some Collection<UInt8>, _ reader: inout MessageReader
    ) throws(MessageError) -> [UInt8] {
        guard let application else { return Array(message) }
        let flags = try reader.u8()
        let counter = try reader.u32()
        var writer = ByteWriter()
        writer.raw(Array(SHA256.hash(data: Array(application.utf8))))
        writer.u8(flags)
        writer.u32(counter)
        writer.raw(Array(SHA256.hash(data: Array(message))))
        return writer.bytes
    }
}
