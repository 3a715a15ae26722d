// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Who is asking, as the service found out by itself. Nothing in it was declared by the client.
public struct Caller: Hashable, Sendable {
    public let userID: UInt32
    public let processID: Int32
    public let tier: CallerTier
    /// The access groups whose items are the caller's own; the first is where it adds items. Empty: it may do nothing.
    public let accessGroups: [String]
    /// The path of its executable, for people to read. Never compared with anything.
    public let displayPath: String
    /// The command that was installed with the service: it may list the attributes of all the user's items.
    public let isAdministrationTool: Bool

    public init(
        userID: UInt32, processID: Int32, tier: CallerTier, accessGroups: [String], displayPath: String,
        isAdministrationTool: Bool
    ) {
        self.userID = userID
        self.processID = processID
        self.tier = tier
        self.accessGroups = accessGroups
        self.displayPath = displayPath
        self.isAdministrationTool = isAdministrationTool
    }
}

/// How surely the service knows which program is asking. The raw value is the number on the wire.
public enum CallerTier: UInt8, CaseIterable, Hashable, Sendable {
    /// Nothing is known but the user.
    case unidentified = 0
    /// An executable that its user can change: known by the SHA-256 of the file.
    case unsigned = 1
    /// A root-owned executable in a path that no ordinary user can write: known by that path.
    case installed = 2

    public var name: String {
        switch self {
        case .unidentified: "unidentified"
        case .unsigned: "unsigned"
        case .installed: "installed"
        }
    }
}

/// What the service knows of an item before anything of it is decrypted.
public struct ItemFacts: Hashable, Sendable {
    /// The item's access group, if it is one of the caller's or was named by it; nil for any other, whose name is
    /// sealed.
    public let accessGroup: String?
    public let accessibility: Accessibility

    public init(accessGroup: String?, accessibility: Accessibility) {
        self.accessGroup = accessGroup
        self.accessibility = accessibility
    }
}
