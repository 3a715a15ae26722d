// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import SecretService
internal import Synchronization

/// `org.freedesktop.Secret.Item`, as one client sees it. One object serves one call.
final class ItemObject: BusObject {
    private let provider: SecretServiceProvider
    private let client: Client
    private let id: ItemID
    /// What the storage returned for this call, so that `GetAll` requests it once.
    private let found = Mutex<StoredItem?>(nil)

    static let interface: InterfaceName = "org.freedesktop.Secret.Item"
    static let schemaAttribute = "xdg:schema"
    private static let defaultSchema = "org.freedesktop.Secret.Generic"

    init(provider: SecretServiceProvider, client: Client, id: ItemID) {
        self.provider = provider
        self.client = client
        self.id = id
    }

    static let interfaces: [Interface<ItemObject>] = [
        Interface(
            interface,
            methods: [
                Method("Delete", out: [Argument("prompt", "o")], later: { $0.delete($2) }),
                Method(
                    "GetSecret", in: [Argument("session", "o")], out: [Argument("secret", "(oayays)")],
                    later: { $0.getSecret($1, $2) }),
                Method("SetSecret", in: [Argument("secret", "(oayays)")], later: { $0.setSecret($1, $2) }),
            ],
            properties: [
                Property("Locked", "b", getLater: { $0.read($1) { .boolean($0.isLocked) } }),
                Property(
                    "Attributes", "a{ss}", getLater: { $0.read($1) { Arguments.value($0.attributes) } },
                    setLater: { item, call, reply in
                        item.change(reply, ["Attributes", "Type"]) {
                            .attributes(try Arguments.attributes(call.arguments[0]))
                        }
                    }),
                Property(
                    "Label", "s", getLater: { $0.read($1) { .string($0.label) } },
                    setLater: { item, call, reply in
                        item.change(reply, ["Label"]) { .label(call.arguments[0].string ?? "") }
                    }),
                Property(
                    "Type", "s",
                    getLater: { $0.read($1) { .string($0.attributes[schemaAttribute] ?? defaultSchema) } }),
                Property("Created", "t", getLater: { $0.read($1) { Arguments.value(seconds: $0.created) } }),
                Property("Modified", "t", getLater: { $0.read($1) { Arguments.value(seconds: $0.modified) } }),
            ])
    ]

    private func stored(_ storage: ClientStorage) throws(StorageError) -> StoredItem {
        if let item = found.withLock({ $0 }) { return item }
        guard let item = try storage.item(id) else { throw .noSuchObject }
        found.withLock { $0 = item }
        return item
    }

    private func read(_ reply: Reply<Value>, _ value: @escaping @Sendable (StoredItem) -> Value) {
        client.perform(reply) { [self] storage in value(try stored(storage)) }
    }

    private func getSecret(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        let session = call.arguments[0].objectPath ?? ObjectName.none
        client.enqueue { [self] in
            do {
                let storage = try client.storage()
                do {
                    reply.succeed(try secret(storage, session))
                } catch StorageError.locked {
                    try answerAfterPrompt(reply, storage, session)
                }
            } catch {
                reply.fail(MethodError(secretService: error))
            }
        }
    }

    private func secret(_ storage: ClientStorage, _ session: ObjectPath) throws -> MethodResult {
        _ = try client.session(at: session)
        let secret = try storage.secret(of: id)
        return [try Arguments.value(secret, session, of: client, randomBytes: provider.dependencies.randomBytes)]
    }

    /// Answers the call when the user has decided about another program's item. Programs that show keyrings, such as
    /// Seahorse, request the secret of one item at a time, and never unlock an item of an unlocked collection.
    ///
    /// - Throws: `.locked` if the collection is locked, which these programs unlock; `LimitsExceeded`.
    private func answerAfterPrompt(
        _ reply: Reply<MethodResult>, _ storage: ClientStorage, _ session: ObjectPath
    ) throws {
        guard try storage.collection(id.collection)?.isLocked == false else { throw StorageError.locked }
        let number = try provider.addPrompt(client, dismissed: nil) {
            [self] storage, interaction throws(StorageError) in
            do {
                for target in try storage.unlock([.item(id)], interaction) {
                    provider.announceLock(target, isLocked: false, client)
                }
                reply.succeed(try secret(storage, session))
            } catch {
                let isDenied = error as? StorageError == .dismissed
                reply.fail(MethodError(secretService: isDenied ? StorageError.locked : error))
            }
            return .boolean(true)
        }
        client.startPrompt(number) { error in reply.fail(MethodError(secretService: error)) }
    }

    private func setSecret(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { [self] storage in
            try storage.change(id, .secret(try Arguments.secret(call.arguments[0], of: client)))
            announce([], storage)
            return []
        }
    }

    private func change(
        _ reply: Reply<Void>, _ properties: Set<MemberName>, _ change: @escaping @Sendable () throws -> ItemChange
    ) {
        client.perform(reply) { [self] storage in
            try storage.change(id, try change())
            announce(properties, storage)
        }
    }

    /// Announces the change, and to this client the new values of properties and the date. Other clients read the
    /// values, so that each of them is judged.
    private func announce(_ properties: Set<MemberName>, _ storage: ClientStorage) {
        provider.announce("ItemChanged", id, client)
        // An item that another client has deleted meanwhile has no values.
        guard let item = try? storage.item(id) else { return }
        let values: [(MemberName, Value)] = [
            ("Attributes", Arguments.value(item.attributes)),
            ("Label", .string(item.label)),
            ("Type", .string(item.attributes[Self.schemaAttribute] ?? Self.defaultSchema)),
            ("Modified", Arguments.value(seconds: item.modified)),
        ]
        for (name, value) in values where name == "Modified" || properties.contains(name) {
            provider.announceProperty(name, value, of: Self.interface, at: ObjectName.item(id).path, to: client.name)
        }
    }

    private func delete(_ reply: Reply<MethodResult>) {
        client.perform(reply) { [self] storage in
            let (provider, client, id) = (provider, client, id)
            let (_, prompt) = try provider.attempt(client, storage, dismissed: .string("")) {
                storage, interaction throws(StorageError) in
                try storage.delete(id, interaction)
                provider.announce("ItemDeleted", id, client)
                return .string("")
            }
            return [prompt]
        }
    }
}
