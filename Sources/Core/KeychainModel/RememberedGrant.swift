// SPDX-License-Identifier: Apache-2.0

/// An operation that the user can allow a program permanently. The raw value is its number on the wire and on the disk,
/// and that of the policy's operation; it never changes.
public enum GrantableOperation: UInt8, CaseIterable, Hashable, Sendable {
    case readData = 4
    case update = 5
    case delete = 6
    /// Signs, decrypts or agrees with a private key, which stays in the service.
    case useKey = 9

    public var name: String {
        switch self {
        case .readData: "read-data"
        case .update: "update"
        case .delete: "delete"
        case .useKey: "use-key"
        }
    }
}

/// A permanent permission that the user gave a program for an item ("Always Allow").
public struct RememberedGrant: Hashable, Sendable {
    /// The number of the grant in its keychain, counted from 1 and never reused.
    public let number: UInt64
    public let identity: ProgramIdentity
    /// The tier of the program at that time. The grant does not count at a lower tier.
    public let tier: CallerTier
    public let operation: GrantableOperation
    public let itemClass: ItemClass
    public let item: ItemIdentifier
    public let date: Timestamp

    public init(
        number: UInt64, identity: ProgramIdentity, tier: CallerTier, operation: GrantableOperation,
        itemClass: ItemClass, item: ItemIdentifier, date: Timestamp
    ) {
        self.number = number
        self.identity = identity
        self.tier = tier
        self.operation = operation
        self.itemClass = itemClass
        self.item = item
        self.date = date
    }

    public var reference: PersistentReference { PersistentReference(itemClass: itemClass, item: item) }
}

/// A grant in a list, with the names of its item.
public struct ListedGrant: Hashable, Sendable {
    public let grant: RememberedGrant
    /// Nil if the item's names cannot be read: its class is locked, or the row is damaged.
    public let names: ItemNames?

    public init(_ grant: RememberedGrant, names: ItemNames?) {
        self.grant = grant
        self.names = names
    }
}

/// The approvals ("Allow") that a client of a bridge holds until its process ends, in a list.
public struct ListedApproval: Hashable, Sendable {
    public let identity: ProgramIdentity
    public let process: UInt32
    /// The path of the client's executable.
    public let path: String
    /// The path of the bridge's executable.
    public let bridgePath: String
    /// The number of items that the client may read.
    public let itemCount: UInt32

    public init(identity: ProgramIdentity, process: UInt32, path: String, bridgePath: String, itemCount: UInt32) {
        self.identity = identity
        self.process = process
        self.path = path
        self.bridgePath = bridgePath
        self.itemCount = itemCount
    }
}

/// The grants to be revoked. Approvals that clients of bridges hold are revoked with them.
public enum GrantSelection: Hashable, Sendable {
    case number(UInt64)
    case all
    case program(ProgramIdentity)
}
