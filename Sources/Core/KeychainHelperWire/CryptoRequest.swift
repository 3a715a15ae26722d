// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// Requests one operation with an RSA key that is in the calling program's memory.
public struct RSARequest: Sendable {
    public enum Operation: UInt8, CaseIterable, Hashable, Sendable {
        case sign = 1
        case verify = 2
        case encrypt = 3
        case decrypt = 4
    }

    public enum Padding: UInt8, CaseIterable, Hashable, Sendable {
        /// The bare operation of RSA (RFC 8017, 5). Shorter data is the same number with leading zeros.
        case none = 0
        /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2); without a hash, its padding around the data as it is.
        case pkcs1 = 1
        /// RSASSA-PSS (RFC 8017, 8.1) with MGF1 of the same hash and a salt as long as the digest.
        case pss = 2
        /// RSAES-OAEP (RFC 8017, 7.1) with MGF1 of the same hash and an empty label.
        case oaep = 3
    }

    public enum Hash: UInt8, CaseIterable, Hashable, Sendable {
        case none = 0
        case sha1 = 1
        case sha224 = 2
        case sha256 = 3
        case sha384 = 4
        case sha512 = 5
    }

    public let operation: Operation
    public let padding: Padding
    public let hash: Hash
    /// Whether a signature's data is a message, of which the helper computes the digest; otherwise it is the digest.
    public let isMessage: Bool
    /// RSAPrivateKey in DER for `sign` and `decrypt`, RSAPublicKey in DER for the others (RFC 8017, A.1).
    public let key: [UInt8]
    public let data: [UInt8]
    /// The signature to verify; empty for the other operations.
    public let signature: [UInt8]

    /// Creates a request; nil if the protocol does not define it or a value exceeds ``CryptoLimits``.
    public init?(
        _ operation: Operation, _ padding: Padding, _ hash: Hash, isMessage: Bool = false, key: [UInt8], data: [UInt8],
        signature: [UInt8] = []
    ) {
        self.operation = operation
        self.padding = padding
        self.hash = hash
        self.isMessage = isMessage
        self.key = key
        self.data = data
        self.signature = signature
        guard isDefined, key.count <= CryptoLimits.keyBytes, data.count <= CryptoLimits.dataBytes,
            signature.count <= CryptoLimits.signatureBytes
        else { return nil }
    }

    /// The frame. It contains the key: the caller wipes it.
    public var frame: [UInt8] {
        let size = HelperFrameHeader.size + 16 + key.count + data.count + signature.count
        var writer = HelperWriter(.rsaRequest, capacity: size)
        writer.u8(operation.rawValue)
        writer.u8(padding.rawValue)
        writer.u8(hash.rawValue)
        writer.u8(isMessage ? 1 : 0)
        writer.block(key)
        writer.block(data)
        writer.block(signature)
        return writer.frame()
    }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.rsaRequest])
        operation = try reader.value(Operation.self)
        padding = try reader.value(Padding.self)
        hash = try reader.value(Hash.self)
        isMessage = try reader.flag()
        key = try reader.bytes(atMost: CryptoLimits.keyBytes)
        data = try reader.bytes(atMost: CryptoLimits.dataBytes)
        signature = try reader.bytes(atMost: CryptoLimits.signatureBytes)
        try reader.finish()
        guard isDefined else { throw .malformed }
    }

    private var isDefined: Bool {
        guard operation == .verify || signature.isEmpty else { return false }
        let isSignature = operation == .sign || operation == .verify
        return switch padding {
        case .none: hash == .none && !isMessage
        case .pkcs1: isSignature && (hash != .none || !isMessage)
        case .pss: isSignature && hash != .none
        case .oaep: !isSignature && hash != .none && !isMessage
        }
    }
}

/// Requests the decryption of data with a passphrase, by one of the older schemes of PKCS #12 (RFC 7292, C), or by PBES2
/// (RFC 8018, 6.2).
public struct DecryptionRequest: Sendable {
    /// The AlgorithmIdentifier in DER, as it is in the file.
    public let algorithm: [UInt8]
    /// In UTF-8.
    public let passphrase: [UInt8]
    public let ciphertext: [UInt8]

    /// Creates a request; nil if a value exceeds ``CryptoLimits``.
    public init?(algorithm: [UInt8], passphrase: [UInt8], ciphertext: [UInt8]) {
        guard algorithm.count <= CryptoLimits.algorithmBytes, passphrase.count <= CryptoLimits.passphraseBytes,
            ciphertext.count <= CryptoLimits.dataBytes
        else { return nil }
        self.algorithm = algorithm
        self.passphrase = passphrase
        self.ciphertext = ciphertext
    }

    /// The frame. It contains the passphrase: the caller wipes it.
    public var frame: [UInt8] {
        let size = HelperFrameHeader.size + 12 + algorithm.count + passphrase.count + ciphertext.count
        var writer = HelperWriter(.decryptionRequest, capacity: size)
        writer.block(algorithm)
        writer.block(passphrase)
        writer.block(ciphertext)
        return writer.frame()
    }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.decryptionRequest])
        algorithm = try reader.bytes(atMost: CryptoLimits.algorithmBytes)
        passphrase = try reader.bytes(atMost: CryptoLimits.passphraseBytes)
        ciphertext = try reader.bytes(atMost: CryptoLimits.dataBytes)
        try reader.finish()
    }
}

/// The reply to an ``RSARequest`` or a ``DecryptionRequest``.
public enum CryptoReply: Hashable, Sendable {
    /// The signature, the ciphertext or the plaintext; no bytes for a signature that is valid.
    case result([UInt8])
    case failure(CryptoFailure)
    case refusal(HelperRefusal)

    /// The frame. It may contain a plaintext: the caller wipes it.
    public var frame: [UInt8] {
        switch self {
        case .result(let bytes):
            var writer = HelperWriter(.cryptoResult, capacity: HelperFrameHeader.size + 4 + bytes.count)
            writer.block(bytes)
            return writer.frame()
        case .failure(let failure):
            var writer = HelperWriter(.cryptoFailure)
            writer.u8(failure.rawValue)
            return writer.frame()
        case .refusal(let refusal): return refusal.frame
        }
    }

    /// Reads a reply.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.cryptoResult, .cryptoFailure, .refusal])
        self =
            switch try HelperFrameHeader(frame).kind {
            case .cryptoResult: .result(try reader.bytes(atMost: CryptoLimits.dataBytes))
            case .cryptoFailure: .failure(try reader.value(CryptoFailure.self))
            default: .refusal(try HelperRefusal(&reader))
            }
        try reader.finish()
    }
}

/// The reason why an operation returned no bytes.
public enum CryptoFailure: UInt8, CaseIterable, Hashable, Sendable {
    /// The signature does not belong to the data and the key, the data was not encrypted in this way with the public
    /// half, or the passphrase is wrong.
    case mismatch = 1
    /// The data does not fit: it is longer than the padding allows, or a number that is not below the modulus.
    case unsuitableData = 2
}

/// The limits of the messages of `chatelaine-crypto`, in bytes.
public enum CryptoLimits {
    /// Data, a ciphertext or a result: the longest file of keys and certificates that is read.
    public static let dataBytes = 4 << 20
    /// An RSA key; a private one of 8192 bits has 4.7 KB.
    public static let keyBytes = 16 << 10
    /// A signature; a key of 8192 bits makes 1 KiB.
    public static let signatureBytes = 4 << 10
    public static let algorithmBytes = 4 << 10
    public static let passphraseBytes = 64 << 10
    /// The longest frame.
    public static let frameBytes = HelperFrameHeader.size + dataBytes + (128 << 10)
}
