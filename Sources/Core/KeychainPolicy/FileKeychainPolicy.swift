// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Who may do what with the items of keychains that are files (semantics 8.6): what an item's access object says, where
/// the data-protection keychain goes by access groups.
public enum FileKeychainPolicy {
    /// Stands in the place of an access group in all rows. No program has it, and nobody is told of it.
    public static let group = "keychain file"

    /// Where the caller may look: at all items. Who cannot be told from others may look at none.
    ///
    /// - Throws: `errSecMissingEntitlement` for a program that could not be identified; `errSecNoSuchAttr` for a request that
    ///   names an access group.
    public static func scope(of caller: Caller, accessGroup: String?) throws(Refusal) -> SearchScope {
        guard caller.tier != .unidentified else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        guard accessGroup == nil || accessGroup == group else {
            throw Refusal(.noSuchAttribute, .notInKeychainFiles)
        }
        return .groups([group])
    }
}
