// SPDX-License-Identifier: Apache-2.0

/// What the service does with a private key.
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
    /// Whether the item is a held key: a private key that the service uses and never gives out, as `kSecAttrIsExtractable`
    /// is false or `kSecAttrIsSensitive` true. A value that is neither counts as the stricter one.
    public var isHeldKey: Bool { itemClass == .key && (!isExtractableKey || isSensitiveKey) }

    /// `kSecAttrIsExtractable`, of a key; true where nothing is said.
    public var isExtractableKey: Bool { (self[.isExtractable] ?? .number(1)) == .number(1) }

    /// `kSecAttrIsSensitive`, of a key; false where nothing is said.
    public var isSensitiveKey: Bool { (self[.isSensitive] ?? .number(0)) != .number(0) }

    /// `kSecAttrTokenID`: the token that keeps the key, or shall; nil for a key of the keychain's own.
    public var token: String? {
        switch self[.tokenID] {
        case .string(let name): name.isEmpty ? nil : name
        case nil: nil
        // Nothing that the schema lets in; not the keychain's own, either.
        case .number, .data, .date, .accessControl: "?"
        }
    }

    /// The value of `kSecAttrTokenIDSecureEnclave`.
    public static let secureElementToken = "com.apple.setoken"

    /// `kSecAttrKeyClass`: whether a key is said to be a private one.
    public var isPrivateKey: Bool { self[.keyClass] == .number(1) }

    /// Why the data of a held key is not given out: it may leave encrypted, or never.
    public var heldKeyRefusal: Refusal {
        if token != nil { return Refusal(.unimplemented, .tokenKey) }
        return Refusal(isExtractableKey ? .keyIsSensitive : .dataNotAvailable, .heldKey)
    }
}
