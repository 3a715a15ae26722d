// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// A request for the private keys that the service keeps (Documentation/Protocols/client.md, "Keys").
public enum KeyRequest<Secret> {
    case use(KeyWork<Secret>)
    /// Makes a new key in the service, with these attributes. If it is not stored (`ItemAttributes.isUnstoredKey`), the
    /// data of the answer is its public half, followed by the bytes of ``UsedKey/sealed(_:)``.
    case generate(ItemAttributes)

    init(
        _ reader: inout WireReader, secret: (ArraySlice<UInt8>) -> Secret
    ) throws(WireError) {
        let number = try reader.u8()
        guard let use = KeyUse(rawValue: number & ~Self.sealedKey) else {
            guard number == Self.generation else { throw .malformed }
            let attributes = try reader.attributes(for: .add)
            guard attributes.itemClass == .key else { throw .malformed }
            self = .generate(attributes)
            return
        }
        let isSealed = number & Self.sealedKey != 0
        self = .use(try KeyWork(use, isSealed: isSealed, &reader, secret: secret))
    }

    private static var generation: UInt8 { 4 }
    /// Marks the use of a key that is not stored.
    fileprivate static var sealedKey: UInt8 { 0x10 }
}

/// The private key of a use.
public enum UsedKey: Hashable, Sendable {
    case stored(PersistentReference)
    /// A key that is not stored: the bytes that the service returned when it made the key.
    case sealed([UInt8])
}

/// One use of a key.
public struct KeyWork<Secret> {
    public let key: UsedKey
    /// Apple's name of the algorithm, such as `algid:sign:ECDSA:digest-X962:SHA256`.
    public let algorithm: String
    public let input: Input

    public enum Input {
        /// A message or a digest, depending on the algorithm.
        case sign(Secret)
        case decrypt(Secret)
        case agree(KeyAgreement)
    }

    public init(_ key: PersistentReference, algorithm: String, _ input: Input) {
        self.init(.stored(key), algorithm: algorithm, input)
    }

    public init(_ key: UsedKey, algorithm: String, _ input: Input) {
        self.key = key
        self.algorithm = algorithm
        self.input = input
    }

    public var use: KeyUse {
        switch input {
        case .sign: .sign
        case .decrypt: .decrypt
        case .agree: .agree
        }
    }

    fileprivate init(
        _ use: KeyUse, isSealed: Bool, _ reader: inout WireReader, secret: (ArraySlice<UInt8>) -> Secret
    ) throws(WireError) {
        if isSealed {
            key = .sealed(Array(try reader.block(atMost: WireLimits.sealedKeyBytes)))
        } else {
            let reference = try reader.persistentReference()
            guard reference.itemClass == .key else { throw .malformed }
            key = .stored(reference)
        }
        algorithm = try reader.text(atMost: WireLimits.algorithmBytes)
        switch use {
        case .sign: input = .sign(secret(try reader.block(atMost: WireLimits.keyInputBytes)))
        case .decrypt: input = .decrypt(secret(try reader.block(atMost: WireLimits.keyInputBytes)))
        case .agree: input = .agree(try KeyAgreement(&reader))
        }
    }
}

extension KeyWork {
    /// An upper bound of the size of a sealed key; a reference is small.
    fileprivate var keySize: Int { if case .sealed(let bytes) = key { bytes.count } else { 0 } }
}

extension KeyWork: Sendable where Secret: Sendable {}
extension KeyWork.Input: Sendable where Secret: Sendable {}

/// The other party of a key agreement, and the inputs of the key derivation.
public struct KeyAgreement: Hashable, Sendable {
    /// The other party's public key in its external representation, of the same family as the private key.
    public let publicKey: [UInt8]
    /// The number of bytes to derive.
    public let requestedSize: UInt32?
    public let sharedInfo: [UInt8]

    public init(publicKey: [UInt8], requestedSize: UInt32?, sharedInfo: [UInt8]) {
        self.publicKey = publicKey
        self.requestedSize = requestedSize
        self.sharedInfo = sharedInfo
    }

    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        publicKey = Array(try reader.block(atMost: WireLimits.publicKeyBytes))
        requestedSize = try reader.optional { reader throws(WireError) in try reader.u32() }
        sharedInfo = Array(try reader.block(atMost: WireLimits.sharedInfoBytes))
    }

    fileprivate func write(to writer: inout WireWriter) {
        writer.block(publicKey)
        writer.optional(requestedSize) { $0.u32($1) }
        writer.block(sharedInfo)
    }
}

extension KeyWork where Secret: Collection {
    /// Whether the service accepts the request; a larger one ends the connection.
    public var isWithinLimits: Bool {
        guard algorithm.utf8.count <= WireLimits.algorithmBytes else { return false }
        if case .sealed(let bytes) = key, bytes.count > WireLimits.sealedKeyBytes { return false }
        return switch input {
        case .sign(let input), .decrypt(let input): input.count <= WireLimits.keyInputBytes
        case .agree(let agreement):
            agreement.publicKey.count <= WireLimits.publicKeyBytes
                && agreement.sharedInfo.count <= WireLimits.sharedInfoBytes
        }
    }
}

extension KeyRequest where Secret: Collection, Secret.Element == UInt8 {
    /// An upper bound of the size that ``write(to:)`` writes.
    var size: Int {
        switch self {
        case .generate(let attributes): 1 + WireWriter.size(of: attributes)
        case .use(let work):
            switch work.input {
            case .sign(let input), .decrypt(let input): 64 + work.keySize + work.algorithm.utf8.count + input.count
            case .agree(let agreement):
                64 + work.keySize + work.algorithm.utf8.count + agreement.publicKey.count + agreement.sharedInfo.count
            }
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .generate(let attributes):
            writer.u8(Self.generation)
            writer.attributes(attributes)
        case .use(let work):
            switch work.key {
            case .stored(let reference):
                writer.u8(work.use.rawValue)
                writer.persistentReference(reference)
            case .sealed(let bytes):
                writer.u8(work.use.rawValue | Self.sealedKey)
                writer.block(bytes)
            }
            writer.block(work.algorithm)
            switch work.input {
            case .sign(let input), .decrypt(let input): writer.block(input)
            case .agree(let agreement): agreement.write(to: &writer)
            }
        }
    }
}

/// The reply to the use of a key: a signature, a plaintext, or a shared secret.
public struct KeyResult<Secret> {
    public let bytes: Secret

    /// Reads a reply.
    ///
    /// - Parameter secret: copies the bytes out of the frame.
    public init(_ frame: Frame, secret: (ArraySlice<UInt8>) -> Secret) throws(WireError) {
        var reader = try frame.answer()
        bytes = secret(try reader.block(atMost: WireLimits.keyInputBytes))
        try reader.finish()
    }
}

extension KeyResult where Secret: Collection, Secret.Element == UInt8 {
    public init(_ bytes: Secret) { self.bytes = bytes }

    /// The frame. It may contain a secret: the sender wipes it.
    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 4 + bytes.count)
        writer.block(bytes)
        return (consume writer).frame()
    }
}
