// SPDX-License-Identifier: Apache-2.0

/// An operation of the service with a private key.
public enum KeyUse: UInt8, CaseIterable, Hashable, Sendable {
    case sign = 1
    case decrypt = 2
    /// Agrees on a secret with the owner of a public key.
    case agree = 3

    /// The attribute of a key that allows it.
    public var permission: AttributeKey {
        switch self {
        case .sign: .canSign
        case .decrypt: .canDecrypt
        case .agree: .canDerive
        }
    }
}

extension ItemAttributes {
    /// Whether the item is a held key: a private key that the service uses and never returns, because
    /// `kSecAttrIsExtractable` is false or `kSecAttrIsSensitive` true. Any other value counts as the stricter one.
    public var isHeldKey: Bool { itemClass == .key && (!isExtractableKey || isSensitiveKey) }

    /// `kSecAttrIsExtractable` of a key; true by default.
    public var isExtractableKey: Bool { (self[.isExtractable] ?? .number(1)) == .number(1) }

    /// `kSecAttrIsSensitive` of a key; false by default.
    public var isSensitiveKey: Bool { (self[.isSensitive] ?? .number(0)) != .number(0) }

    /// `kSecAttrTokenID`: the token that keeps or will make the key; nil for a key that the keychain keeps.
    public var token: String? {
        switch self[.tokenID] {
        case .string(let name): name.isEmpty ? nil : name
        case nil: nil
        // The schema does not accept these types, and they do not mean the keychain.
        case .number, .data, .date, .accessControl: "?"
        }
    }

    /// The value of `kSecAttrTokenIDSecureEnclave`.
    public static let secureElementToken = "com.apple.setoken"

    /// Whether a key to be generated is not stored: the program keeps it, sealed (`kSecAttrIsPermanent` is false).
    public var isUnstoredKey: Bool { itemClass == .key && self[.isPermanent] == .number(0) }

    /// Whether `kSecAttrKeyClass` marks the key as private.
    public var isPrivateKey: Bool { self[.keyClass] == .number(1) }

    /// The reason why the data of a held key is not returned: it may leave encrypted, or never.
    public var heldKeyRefusal: Refusal {
        return Refusal(isExtractableKey ? .keyIsSensitive : .dataNotAvailable, .heldKey)
    }
}
