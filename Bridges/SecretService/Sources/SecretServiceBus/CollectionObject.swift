// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import SecretService

/// `org.freedesktop.Secret.Collection`, as one client sees it: by its own path, or by the path of an alias.
struct CollectionObject: BusObject {
    enum Name {
        case id(CollectionID)
        case alias(String)
    }

    let provider: SecretServiceProvider
    let client: Client
    let name: Name

    static let interface: InterfaceName = "org.freedesktop.Secret.Collection"
    static let description = interfaces[0].description

    static let interfaces: [Interface<CollectionObject>] = [
        Interface(
            interface,
            methods: [
                Method("Delete", out: [Argument("prompt", "o")], later: { $0.delete($2) }),
                Method(
                    "SearchItems", in: [Argument("attributes", "a{ss}")], out: [Argument("results", "ao")],
                    later: { $0.searchItems($1, $2) }),
                Method(
                    "CreateItem",
                    in: [
                        Argument("properties", "a{sv}"), Argument("secret", "(oayays)"), Argument("replace", "b"),
                    ], out: [Argument("item", "o"), Argument("prompt", "o")], later: { $0.createItem($1, $2) }),
            ],
            signals: [
                SignalDescription("ItemCreated", [Argument("item", "o")]),
                SignalDescription("ItemDeleted", [Argument("item", "o")]),
                SignalDescription("ItemChanged", [Argument("item", "o")]),
            ],
            properties: [
                Property(
                    "Items", "ao",
                    getLater: { collection, reply in
                        collection.client.perform(reply) { storage in
                            let id = try collection.id(storage)
                            return Arguments.value(
                                try storage.items(in: id, limit: nil).map { ObjectName.item($0).path })
                        }
                    }),
                Property(
                    "Label", "s", getLater: { $0.read($1) { .string($0.label) } },
                    setLater: { $0.setLabel($1, $2) }),
                Property("Locked", "b", getLater: { $0.read($1) { .boolean($0.isLocked) } }),
                Property("Created", "t", getLater: { $0.read($1) { Arguments.value(seconds: $0.created) } }),
                Property("Modified", "t", getLater: { $0.read($1) { Arguments.value(seconds: $0.modified) } }),
            ])
    ]

    private func id(_ storage: ClientStorage) throws(StorageError) -> CollectionID {
        switch name {
        case .id(let id): return id
        case .alias(let alias):
            guard let id = storage.collection(alias: alias) else { throw .noSuchObject }
            return id
        }
    }

    private func stored(_ storage: ClientStorage) throws(StorageError) -> StoredCollection {
        guard let collection = try storage.collection(try id(storage)) else { throw .noSuchObject }
        return collection
    }

    private func read(_ reply: Reply<Value>, _ value: @escaping @Sendable (StoredCollection) -> Value) {
        client.perform(reply) { storage in value(try stored(storage)) }
    }

    private func setLabel(_ call: MethodCall, _ reply: Reply<Void>) {
        client.perform(reply) { storage in
            let id = try stored(storage).id
            let label = call.arguments[0].string ?? ""
            guard !label.isEmpty else { throw MethodError.invalidArguments("The label is empty.") }
            try storage.setLabel(of: id, label)
            provider.announceProperty(
                "Label", .string(label), of: Self.interface, at: ObjectName.collection(id).path, to: client.name)
            provider.announce("CollectionChanged", id, client)
        }
    }

    private func delete(_ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let id = try stored(storage).id
            let (_, prompt) = try provider.attempt(client, storage, dismissed: .string("")) {
                storage, interaction throws(StorageError) in
                try storage.deleteCollection(id, interaction)
                provider.announce("CollectionDeleted", id, client)
                return .string("")
            }
            return [prompt]
        }
    }

    private func searchItems(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let id = try stored(storage).id
            let attributes = try Arguments.attributes(call.arguments[0])
            let found = attributes.isEmpty ? [] : try storage.search(attributes, in: id)
            return [Arguments.value(found.map { ObjectName.item($0.id).path })]
        }
    }

    private func createItem(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let id = try id(storage)
            let item = try Arguments.newItem(call.arguments[0], call.arguments[1], of: client)
            let replaces = call.arguments[2].bool ?? false
            let (result, prompt) = try provider.attempt(
                client, storage, keeping: item.byteCount, dismissed: .objectPath(ObjectName.none)
            ) {
                storage, interaction throws(StorageError) in
                let (created, isNew) = try storage.create(item, in: id, replaces: replaces, interaction)
                provider.announce(isNew ? "ItemCreated" : "ItemChanged", created, client)
                return .objectPath(ObjectName.item(created).path)
            }
            return [result ?? .objectPath(ObjectName.none), prompt]
        }
    }
}
