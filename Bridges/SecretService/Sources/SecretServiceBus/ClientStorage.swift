// SPDX-License-Identifier: Apache-2.0

internal import SecretService

/// All collections as one client sees them: those of the storage, and `session` in memory.
struct ClientStorage: SecretStorage {
    let base: any SecretStorage
    let session: SessionCollection

    private static let fixed = StorageError.unsupported("The collection ‘session’ cannot be changed.")

    func program() throws(StorageError) -> ClientProgram { try base.program() }

    /// Returns the collection with an alias; nil if there is none. The aliases are fixed: a program that could choose the
    /// collection of `default` would receive the later secrets of other programs.
    func collection(alias: String) -> CollectionID? {
        switch alias {
        case "default", CollectionID.login.name: .login
        case CollectionID.session.name: .session
        default: nil
        }
    }

    func collections() throws(StorageError) -> [StoredCollection] {
        try base.collections() + [session.collection]
    }

    func collection(_ id: CollectionID) throws(StorageError) -> StoredCollection? {
        id == .session ? session.collection : try base.collection(id)
    }

    func createCollection(
        label: String, password: [UInt8]?, _ interaction: Interaction
    ) throws(StorageError) -> CollectionID {
        try base.createCollection(label: label, password: password, interaction)
    }

    func deleteCollection(_ id: CollectionID, _ interaction: Interaction) throws(StorageError) {
        guard id != .session else { throw Self.fixed }
        try base.deleteCollection(id, interaction)
    }

    func setLabel(of collection: CollectionID, _ label: String) throws(StorageError) {
        guard collection != .session else { throw Self.fixed }
        try base.setLabel(of: collection, label)
    }

    func lock(_ collection: CollectionID) throws(StorageError) {
        guard collection != .session else { throw Self.fixed }
        try base.lock(collection)
    }

    func unlock(_ collection: CollectionID, password: [UInt8]) throws(StorageError) {
        guard collection != .session else { throw Self.fixed }
        try base.unlock(collection, password: password)
    }

    func changePassword(
        of collection: CollectionID, from old: [UInt8], to new: [UInt8]
    ) throws(StorageError) {
        guard collection != .session else { throw Self.fixed }
        try base.changePassword(of: collection, from: old, to: new)
    }

    func unlock(_ targets: [LockTarget], _ interaction: Interaction) throws(StorageError) -> [LockTarget] {
        // Items in memory are never unlocked for other programs.
        let others = targets.filter { target in
            if case .item(let id) = target { id.collection != .session } else { true }
        }
        guard !others.isEmpty else { throw !interaction.isAllowed ? .locked : .dismissed }
        return try base.unlock(others, interaction)
    }

    func items(in collection: CollectionID, limit: Int?) throws(StorageError) -> [ItemID] {
        collection == .session
            ? session.items(limit: limit, for: try base.program()) : try base.items(in: collection, limit: limit)
    }

    func search(
        _ attributes: [String: String], in collection: CollectionID?
    ) throws(StorageError) -> [FoundItem] {
        var found: [FoundItem] = []
        if collection != .session { found = try base.search(attributes, in: collection) }
        // Most searches find nothing in memory, and need no request for the identity of the program.
        if collection == nil || collection == .session, session.contains(attributes) {
            found += session.search(attributes, for: try base.program())
        }
        return FoundItem.newestFirst(found)
    }

    func item(_ id: ItemID) throws(StorageError) -> StoredItem? {
        id.collection == .session
            ? session.item(id, for: try base.program()) : try base.item(id)
    }

    func secret(of id: ItemID) throws(StorageError) -> Secret {
        id.collection == .session
            ? try session.secret(of: id, for: try base.program()) : try base.secret(of: id)
    }

    func create(
        _ item: NewItem, in collection: CollectionID, replaces: Bool, _ interaction: Interaction
    ) throws(StorageError) -> (id: ItemID, isNew: Bool) {
        collection == .session
            ? try session.create(item, replaces: replaces, for: try base.program())
            : try base.create(item, in: collection, replaces: replaces, interaction)
    }

    func change(_ id: ItemID, _ change: ItemChange) throws(StorageError) {
        if id.collection == .session {
            try session.change(id, change, for: try base.program())
        } else {
            try base.change(id, change)
        }
    }

    func delete(_ id: ItemID, _ interaction: Interaction) throws(StorageError) {
        if id.collection == .session {
            // A prompt would not help: `unlock(_:_:)`.
            do throws(StorageError) {
                try session.delete(id, for: try base.program())
            } catch .locked {
                throw .dismissed
            }
        } else {
            try base.delete(id, interaction)
        }
    }

    func watch(until cancellation: Cancellation, _ deliver: (StorageEvent) -> Void) throws(StorageError) {
        try base.watch(until: cancellation, deliver)
    }

    func close() { base.close() }
}
