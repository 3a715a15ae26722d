// SPDX-License-Identifier: Apache-2.0

/// The rule that granted an operation. The raw value is the word in the audit log.
public enum GrantRule: String, CaseIterable, Hashable, Sendable {
    /// The items are in the caller's own access groups.
    case ownGroup = "own-group"
    /// The operation is open to the command that was installed with the service.
    case administration
    /// The user chose "Always Allow" earlier.
    case rememberedGrant = "remembered-grant"
    /// The user approved this request.
    case person
    /// The item's access object authorizes the program.
    case accessObject = "access-object"
    /// All of the user's programs may do this with items of a file keychain.
    case fileKeychain = "file-keychain"
    /// A client of a bridge lists the attributes of all items.
    case bridgeListing = "bridge-listing"
    /// The mode for bridges is `learn`; `ask` would have prompted.
    case bridgesLearn = "bridges-learn"
    /// The mode for bridges is `open`.
    case bridgesOpen = "bridges-open"
    /// The user approved reading the item earlier, for as long as the client of a bridge runs.
    case clientApproval = "client-approval"
}
