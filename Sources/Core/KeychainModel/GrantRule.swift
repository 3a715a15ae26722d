// SPDX-License-Identifier: Apache-2.0

/// By which rule something was granted. The raw value is the word in the audit log.
public enum GrantRule: String, CaseIterable, Hashable, Sendable {
    /// The items are in the caller's own access groups.
    case ownGroup = "own-group"
    /// The command that came with the service may do that.
    case administration
    /// A person said "Always Allow" before.
    case rememberedGrant = "remembered-grant"
    /// A person said so now.
    case person
    /// The item's access object lets the program do it.
    case accessObject = "access-object"
    /// All of the user's programs may do that with items of a file keychain.
    case fileKeychain = "file-keychain"
}
