// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Who may do what with the items of keychains that are files (semantics 8.6): what an item's access object says, where
/// the data-protection keychain goes by access groups.
public enum FileKeychainPolicy {
    /// Stands in the place of an access group in all rows. No program has it, and nobody is told of it.
    public static let group = "keychain file"
    /// The class of all items: their secrets need the keychain's password.
    public static let accessibility = Accessibility.whenUnlockedThisDeviceOnly

    /// Where the caller may look: at all items. Who cannot be told from others may look at none.
    ///
    /// - Throws: `errSecMissingEntitlement` for a program that could not be identified.
    public static func scope(of caller: Caller) throws(Refusal) -> SearchScope {
        guard caller.tier != .unidentified else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        return .groups([group])
    }

    /// Whether items here can have, and be searched by, these attributes. What only the data-protection keychain keeps is
    /// refused and not ignored: nobody should believe to have what is not there.
    ///
    /// - Throws: `errSecNoSuchAttr` with the reason `notInKeychainFiles`.
    public static func check(_ attributes: ItemAttributes) throws(Refusal) {
        guard !attributes.entries.contains(where: { !isPossible($0) }) else { throw notHere }
    }

    public static func check(_ query: ItemQuery) throws(Refusal) {
        try check(query.attributes)
        guard query.accessGroup == nil, query.synchronizable != .synchronizableOnly else { throw notHere }
    }

    private static let notHere = Refusal(.noSuchAttribute, .notInKeychainFiles)

    private static func isPossible(_ entry: ItemAttributes.Entry) -> Bool {
        switch entry.key {
        case .accessGroup, .accessible, .accessControl, .tokenID, .syncViewHint: false
        case .synchronizable: entry.value == .number(0)
        default: true
        }
    }

    /// A new item as it is kept.
    public static func kept(_ attributes: ItemAttributes) -> ItemAttributes {
        var attributes = attributes
        attributes[.accessible] = .string(accessibility.code)
        return attributes
    }

    /// An item as programs see it.
    public static func shown(_ attributes: ItemAttributes) -> ItemAttributes {
        var attributes = attributes
        for key in [AttributeKey.accessGroup, .accessible] { attributes[key] = nil }
        return attributes
    }

    /// Whether the keychain has to be unlocked for it. What has no secret in it can be looked at and deleted at any time.
    static func needsUnlocked(_ operation: Operation) -> Bool {
        switch operation {
        case .probe, .match, .readAttributes, .delete: false
        case .add, .readData, .useKey, .update, .backUp, .restore: true
        }
    }
}
