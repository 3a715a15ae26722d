// SPDX-License-Identifier: Apache-2.0

public import Crypto
internal import FoundationEssentials

/// A private key of swift-crypto's that the keychain can store and give back: of P-256, P-384, P-521 and Curve25519, for
/// signing and for agreeing.
///
/// The same item serves both purposes of a curve over a prime field: read it as the type that you need.
public protocol StorablePrivateKey: Sendable {
    /// What the keychain takes it for.
    static var keyKind: KeyKind { get }

    /// From the bytes in which the keychain has it.
    ///
    /// - Throws: swift-crypto's error for bytes that are no such key.
    init(keychainRepresentation: SecretData) throws

    /// In the bytes in which the keychain has it: 04 | X | Y | K (ANSI X9.63), or 32 bytes.
    var keychainRepresentation: SecretData { get }
}

extension SecretData {
    /// A copy of these bytes, which are overwritten.
    fileprivate init(wiping given: consuming Data) {
        var data = consume given
        self.init(copying: data)
        data.resetBytes(in: data.startIndex..<data.endIndex)
    }

    /// Lends the bytes as a value that is overwritten afterwards.
    fileprivate func lend<Key>(_ body: (Data) throws -> Key) rethrows -> Key {
        var data = Data(bytes)
        defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
        return try body(data)
    }
}

extension P256.Signing.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .p256 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(x963Representation: $0) }
    }
    public var keychainRepresentation: SecretData { SecretData(wiping: x963Representation) }
}

extension P256.Signing.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .p256, let key = try? Self(x963Representation: key.externalRepresentation) else { return nil }
        self = key
    }
}

extension P256.KeyAgreement.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .p256 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(x963Representation: $0) }
    }
    public var keychainRepresentation: SecretData { SecretData(wiping: x963Representation) }
}

extension P256.KeyAgreement.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .p256, let key = try? Self(x963Representation: key.externalRepresentation) else { return nil }
        self = key
    }
}

extension P384.Signing.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .p384 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(x963Representation: $0) }
    }
    public var keychainRepresentation: SecretData { SecretData(wiping: x963Representation) }
}

extension P384.Signing.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .p384, let key = try? Self(x963Representation: key.externalRepresentation) else { return nil }
        self = key
    }
}

extension P384.KeyAgreement.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .p384 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(x963Representation: $0) }
    }
    public var keychainRepresentation: SecretData { SecretData(wiping: x963Representation) }
}

extension P384.KeyAgreement.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .p384, let key = try? Self(x963Representation: key.externalRepresentation) else { return nil }
        self = key
    }
}

extension P521.Signing.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .p521 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(x963Representation: $0) }
    }
    public var keychainRepresentation: SecretData { SecretData(wiping: x963Representation) }
}

extension P521.Signing.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .p521, let key = try? Self(x963Representation: key.externalRepresentation) else { return nil }
        self = key
    }
}

extension P521.KeyAgreement.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .p521 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(x963Representation: $0) }
    }
    public var keychainRepresentation: SecretData { SecretData(wiping: x963Representation) }
}

extension P521.KeyAgreement.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .p521, let key = try? Self(x963Representation: key.externalRepresentation) else { return nil }
        self = key
    }
}

extension Curve25519.Signing.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .ed25519 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(rawRepresentation: $0) }
    }
    // Not to be overwritten: it is the key's own memory, which swift-crypto gives out as it is.
    public var keychainRepresentation: SecretData { SecretData(copying: rawRepresentation) }
}

extension Curve25519.Signing.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .ed25519, let key = try? Self(rawRepresentation: key.externalRepresentation) else {
            return nil
        }
        self = key
    }
}

extension Curve25519.KeyAgreement.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .x25519 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(rawRepresentation: $0) }
    }
    // Not to be overwritten: it is the key's own memory, which swift-crypto gives out as it is.
    public var keychainRepresentation: SecretData { SecretData(copying: rawRepresentation) }
}

extension Curve25519.KeyAgreement.PublicKey {
    /// The public half of a key in the keychain; nil for one of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .x25519, let key = try? Self(rawRepresentation: key.externalRepresentation) else {
            return nil
        }
        self = key
    }
}
