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

    /// Whether an item may be changed so: what is held stays held, and stays what it is.
    ///
    /// - Throws: `errSecParam` for a held key that shall be given out, or be another kind of key; `errSecDataNotModifiable`
    ///   for other data in its place; `errSecUnimplemented` for another key than a private one that shall be held.
    public static func checkChange(
        of old: ItemAttributes, to new: ItemAttributes, replacesData: Bool
    ) throws(Refusal) {
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
