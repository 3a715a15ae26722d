// SPDX-License-Identifier: Apache-2.0

/// An operation that the user can allow a program permanently. The raw value is its number on the wire and on the disk,
/// and that of the policy's operation; it never changes.
public enum GrantableOperation: UInt8, CaseIterable, Hashable, Sendable {
    case readData = 4
    case update = 5
    case delete = 6

    public var name: String {
        switch self {
        case .readData: "read-data"
        case .update: "update"
        case .delete: "delete"
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

/// The grants to be revoked.
public enum GrantSelection: Hashable, Sendable {
    case number(UInt64)
    case all
    case program(ProgramIdentity)
}
