// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The rules for keys that the service uses and never returns (`ItemAttributes.isHeldKey`), and for the use of all
/// keys.
public enum HeldKeyRules {
    /// Checks a key's protection, and sets the attributes that only the service can know: the private half of an added
    /// key existed elsewhere before.
    ///
    /// - Throws: `errSecParam` for a protection that is neither yes nor no; `errSecUnimplemented` if a key that is to
    ///   be held is not a private key.
    static func apply(to attributes: inout ItemAttributes, isNew: Bool) throws(Refusal) {
        for key in [AttributeKey.isExtractable, .isSensitive] {
            guard let value = attributes[key] else { continue }
            guard value == .number(0) || value == .number(1) else { throw Refusal(.parameter, .none) }
        }
        guard isNew else { return }
        guard !attributes.isHeldKey || attributes.isPrivateKey else {
            throw Refusal(.unimplemented, .notSupportedYet)
        }
        for key in [AttributeKey.wasAlwaysSensitive, .wasNeverExtractable]
        where attributes.isHeldKey || attributes[key] != nil {
            attributes[key] = .number(0)
        }
    }

    /// Checks the attributes of a key to be made in a token, and sets the attribute that it stays there.
    ///
    /// - Throws: `errSecUnimplemented` for a token other than the secure element; `errSecParam` for a key that is not a
    ///   private key on P-256, that is extractable, or that synchronizes.
    public static func apply(toTokenKey attributes: inout ItemAttributes) throws(Refusal) {
        guard attributes.token == ItemAttributes.secureElementToken else {
            throw Refusal(.unimplemented, .notSupportedYet)
        }
        guard attributes[.type] == .number(ellipticCurve), attributes[.keySizeInBits] == .number(256),
            attributes[.keyClass] ?? .number(1) == .number(1), attributes[.isExtractable] ?? .number(0) == .number(0),
            !attributes.isSynchronizable
        else { throw Refusal(.parameter, .tokenKey) }
        attributes[.isExtractable] = .number(0)
    }

    /// The number of `kSecAttrKeyTypeECSECPrimeRandom`.
    private static let ellipticCurve: Int64 = 73

    /// Checks whether an item may be added with its own data.
    ///
    /// - Throws: `errSecParam` for a key in a token, because the token makes the key.
    public static func checkAddition(_ item: ItemAttributes) throws(Refusal) {
        guard item.itemClass != .key || item.token == nil else { throw Refusal(.parameter, .tokenKey) }
    }

    /// Checks whether an item may be changed in this way: a held key stays held, and stays the same key.
    ///
    /// - Throws: `errSecParam` if a held key would become extractable, change its kind of key, or move into or out of a
    ///   token; `errSecDataNotModifiable` if its data would be replaced; `errSecUnimplemented` if a key that is to be
    ///   held is not a private key.
    public static func checkChange(
        of old: ItemAttributes, to new: ItemAttributes, replacesData: Bool
    ) throws(Refusal) {
        guard old.itemClass != .key || old.token == new.token else { throw Refusal(.parameter, .tokenKey) }
        guard old.isHeldKey else {
            guard !new.isHeldKey || new.isPrivateKey else { throw Refusal(.unimplemented, .notSupportedYet) }
            return
        }
        let isLoosened =
            new.isExtractableKey && !old.isExtractableKey || !new.isSensitiveKey && old.isSensitiveKey
        let fixed: [AttributeKey] = [.keyClass, .type, .wasAlwaysSensitive, .wasNeverExtractable]
        guard !isLoosened, fixed.allSatisfy({ old[$0] == new[$0] }) else { throw Refusal(.parameter, .heldKey) }
        guard !replacesData else { throw Refusal(.dataNotModifiable, .heldKey) }
    }

    /// Checks whether an item may be used in this way.
    ///
    /// - Throws: `errSecParam` with `unusableKey` for an item that is not a private key; `errSecKeyUsageIncorrect` if
    ///   the attribute for that use is present and not true.
    public static func admit(_ use: KeyUse, of item: ItemAttributes) throws(Refusal) {
        guard item.itemClass == .key, item.isPrivateKey else { throw Refusal(.parameter, .unusableKey) }
        guard (item[use.permission] ?? .number(1)) == .number(1) else {
            throw Refusal(.keyUsageIncorrect, .keyUseNotAllowed)
        }
    }
}
