// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import SecretService
internal import Synchronization

/// The announcements of the property `Items`.
struct ItemLists {
    /// The collections whose list is about to be announced.
    var waiting: Set<CollectionID> = []
    /// The collections that were found to have too many items for an announcement. An item less may change that.
    var long: Set<CollectionID> = []
}

// Signals. A failure means that the bus is gone, or does not read.
extension SecretServiceProvider {
    /// Announces a collection: `CollectionCreated`, `CollectionDeleted` or `CollectionChanged`.
    func announce(_ signal: MemberName, _ id: CollectionID, _ client: Client) {
        try? server.emit(
            signal, [.objectPath(ObjectName.collection(id).path)], of: ServiceObject.description,
            at: ObjectName.root)
        guard signal != "CollectionChanged" else { return }
        client.enqueue { [self] in
            guard let collections = try? client.storage().collections() else { return }
            announceProperty(
                "Collections", Arguments.value(collections.map { ObjectName.collection($0.id).path }),
                of: ServiceObject.interface, at: ObjectName.root)
        }
    }

    /// The largest list of items that `PropertiesChanged` contains. A longer one would make each change of a large
    /// collection slow; clients then rely on the signals of the collection.
    static let announcedItemLimit = 256

    /// Announces an item: `ItemCreated`, `ItemDeleted` or `ItemChanged`.
    func announce(_ signal: MemberName, _ id: ItemID, _ client: Client) {
        let collection = ObjectName.collection(id.collection).path
        try? server.emit(
            signal, [.objectPath(ObjectName.item(id).path)], of: CollectionObject.description, at: collection)
        guard signal != "ItemChanged" else { return }
        let mustList = lists.withLock { lists in
            if signal == "ItemDeleted" { lists.long.remove(id.collection) }
            return !lists.long.contains(id.collection) && lists.waiting.insert(id.collection).inserted
        }
        guard mustList else { return }
        client.enqueue { [self] in
            lists.withLock { _ = $0.waiting.remove(id.collection) }
            let limit = Self.announcedItemLimit
            guard let items = try? client.storage().items(in: id.collection, limit: limit + 1) else { return }
            guard items.count <= limit else {
                lists.withLock { _ = $0.long.insert(id.collection) }
                return
            }
            announceProperty(
                "Items", Arguments.value(items.map { ObjectName.item($0).path }), of: CollectionObject.interface,
                at: collection)
        }
    }

    func announceProperty(
        _ property: MemberName, _ value: Value, of interface: InterfaceName, at path: ObjectPath,
        to client: BusName? = nil
    ) {
        try? server.emit(
            "PropertiesChanged",
            [
                .string(interface.rawValue),
                .dictionary(
                    key: .string, value: .variant, [.init(.string(property.rawValue), .variant(value))]),
                .array(of: .string, []),
            ], of: StandardInterface.properties, at: path, to: client)
    }

    /// Announces that a client can read something now, or that a collection is locked.
    func announceLock(_ target: LockTarget, isLocked: Bool, _ client: Client) {
        switch target {
        case .collection(let id):
            announceProperty(
                "Locked", .boolean(isLocked), of: CollectionObject.interface, at: ObjectName.collection(id).path)
            announce("CollectionChanged", id, client)
        case .item(let id):
            // Other clients may not read the item, so the signals are for this one.
            let path = ObjectName.item(id).path
            announceProperty("Locked", .boolean(isLocked), of: ItemObject.interface, at: path, to: client.name)
            try? server.emit(
                "ItemChanged", [.objectPath(path)], of: CollectionObject.description,
                at: ObjectName.collection(id.collection).path, to: client.name)
        }
    }

    /// Announces a change that was made through another interface. Those of clients are announced with their calls.
    func announce(_ event: StorageEvent, _ client: Client) {
        guard !connections.isConnected(event.process) else { return }
        switch event.change {
        case .itemCreated(let id): announce("ItemCreated", id, client)
        case .itemChanged(let id): announce("ItemChanged", id, client)
        case .itemDeleted(let id): announce("ItemDeleted", id, client)
        case .collectionCreated(let id): announce("CollectionCreated", id, client)
        case .collectionDeleted(let id): announce("CollectionDeleted", id, client)
        case .collectionLocked(let id): announceLock(.collection(id), isLocked: true, client)
        case .collectionUnlocked(let id): announceLock(.collection(id), isLocked: false, client)
        }
    }
}
