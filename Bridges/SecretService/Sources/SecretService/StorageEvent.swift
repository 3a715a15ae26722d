// SPDX-License-Identifier: Apache-2.0

/// A change in the storage, made through any interface.
public struct StorageEvent: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case itemCreated(ItemID)
        case itemChanged(ItemID)
        case itemDeleted(ItemID)
        case collectionCreated(CollectionID)
        case collectionDeleted(CollectionID)
        case collectionLocked(CollectionID)
        case collectionUnlocked(CollectionID)
    }

    public let change: Change
    /// The process that made the change; 0 for the storage itself.
    public let process: UInt32

    public init(_ change: Change, by process: UInt32) {
        self.change = change
        self.process = process
    }
}
