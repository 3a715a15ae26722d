// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What holds for keys that the service uses and never gives out (`ItemAttributes.isHeldKey`), and for the use of all keys.
public enum HeldKeyRules {
    /// Looks at what is said of a key's protection, and puts in what the service alone can say: the private half of an
    /// added key was somewhere else before.
    ///
    /// - Throws: `errSecParam` for a protection that is neither yes nor no; `errSecUnimplemented` for other keys than
    ///   private ones that shall be held.
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

    /// Looks at what is said of a key that shall be made in a token, and puts in that it stays there.
    ///
    /// - Throws: `errSecUnimplemented` for another token than the secure element; `errSecParam` for anything but a private key on
    ///   P-256, one that may leave, and one that synchronizes.
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

    /// Whether an item may be added with data of its own.
    ///
    /// - Throws: `errSecParam` for a key in a token, which the token makes.
    public static func checkAddition(_ item: ItemAttributes) throws(Refusal) {
        guard item.itemClass != .key || item.token == nil else { throw Refusal(.parameter, .tokenKey) }
    }

    /// Whether an item may be changed so: what is held stays held, and stays what it is.
    ///
    /// - Throws: `errSecParam` for a held key that shall be given out, or be another kind of key, or move into a token or out of it; `errSecDataNotModifiable`
    ///   for other data in its place; `errSecUnimplemented` for another key than a private one that shall be held.
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

    /// Whether an item may be used so.
    ///
    /// - Throws: `errSecParam` with `unusableKey` for what is no private key; `errSecKeyUsageIncorrect` where the
    ///   attribute for that use is there and not true.
    public static func admit(_ use: KeyUse, of item: ItemAttributes) throws(Refusal) {
        guard item.itemClass == .key, item.isPrivateKey else { throw Refusal(.parameter, .unusableKey) }
        guard (item[use.permission] ?? .number(1)) == .number(1) else {
            throw Refusal(.keyUsageIncorrect, .keyUseNotAllowed)
        }
    }
}
