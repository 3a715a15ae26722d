// SPDX-License-Identifier: Apache-2.0

public import Crypto
internal import FoundationEssentials

/// A private key of swift-crypto that the keychain can store and return: P-256, P-384, P-521 and Curve25519, for
/// signing and for key agreement.
///
/// For a curve over a prime field, the same item serves both purposes: read it as the type that is needed.
public protocol StorablePrivateKey: Sendable {
    /// The kind of key as which the keychain stores it.
    static var keyKind: KeyKind { get }

    /// Creates a key from its bytes in the keychain.
    ///
    /// - Throws: swift-crypto's error for bytes that are not such a key.
    init(keychainRepresentation: SecretData) throws

    /// The key's bytes in the keychain: 04 | X | Y | K (ANSI X9.63), or 32 bytes.
    var keychainRepresentation: SecretData { get }
}

extension P256.Signing.PrivateKey: StorablePrivateKey {
    public static var keyKind: KeyKind { .p256 }
    public init(keychainRepresentation: SecretData) throws {
        self = try keychainRepresentation.lend { try Self(x963Representation: $0) }
    }
    public var keychainRepresentation: SecretData { SecretData(wiping: x963Representation) }
}

extension P256.Signing.PublicKey {
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
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
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
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
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
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
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
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
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
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
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
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
    // Must not be overwritten: swift-crypto returns the key's own memory.
    public var keychainRepresentation: SecretData { SecretData(copying: rawRepresentation) }
}

extension Curve25519.Signing.PublicKey {
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
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
    // Must not be overwritten: swift-crypto returns the key's own memory.
    public var keychainRepresentation: SecretData { SecretData(copying: rawRepresentation) }
}

extension Curve25519.KeyAgreement.PublicKey {
    /// Creates the public half of a key in the keychain; nil for a key of another kind.
    public init?(_ key: KeychainPublicKey) {
        guard key.kind == .x25519, let key = try? Self(rawRepresentation: key.externalRepresentation) else {
            return nil
        }
        self = key
    }
}
