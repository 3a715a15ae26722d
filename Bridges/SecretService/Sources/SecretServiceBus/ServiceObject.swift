// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import SecretService

/// `org.freedesktop.Secret.Service`, as one client sees it.
struct ServiceObject: BusObject {
    let provider: SecretServiceProvider
    let client: Client

    static let interface: InterfaceName = "org.freedesktop.Secret.Service"
    static let description = interfaces[0].description

    static let interfaces: [Interface<ServiceObject>] = [
        Interface(
            interface,
            methods: [
                Method(
                    "OpenSession", in: [Argument("algorithm", "s"), Argument("input", "v")],
                    out: [Argument("output", "v"), Argument("result", "o")], later: { $0.openSession($1, $2) }),
                Method(
                    "CreateCollection", in: [Argument("properties", "a{sv}"), Argument("alias", "s")],
                    out: [Argument("collection", "o"), Argument("prompt", "o")],
                    later: { $0.createCollection($1, $2) }),
                Method(
                    "SearchItems", in: [Argument("attributes", "a{ss}")],
                    out: [Argument("unlocked", "ao"), Argument("locked", "ao")], later: { $0.searchItems($1, $2) }),
                Method(
                    "Unlock", in: [Argument("objects", "ao")],
                    out: [Argument("unlocked", "ao"), Argument("prompt", "o")], later: { $0.unlock($1, $2) }),
                Method(
                    "Lock", in: [Argument("objects", "ao")],
                    out: [Argument("locked", "ao"), Argument("prompt", "o")], later: { $0.lock($1, $2) }),
                Method(
                    "GetSecrets", in: [Argument("items", "ao"), Argument("session", "o")],
                    out: [Argument("secrets", "a{o(oayays)}")], later: { $0.getSecrets($1, $2) }),
                Method(
                    "ReadAlias", in: [Argument("name", "s")], out: [Argument("collection", "o")],
                    later: { $0.readAlias($1, $2) }),
                Method(
                    "SetAlias", in: [Argument("name", "s"), Argument("collection", "o")],
                    later: { $0.setAlias($1, $2) }),
            ],
            signals: [
                SignalDescription("CollectionCreated", [Argument("collection", "o")]),
                SignalDescription("CollectionDeleted", [Argument("collection", "o")]),
                SignalDescription("CollectionChanged", [Argument("collection", "o")]),
            ],
            properties: [
                Property(
                    "Collections", "ao",
                    getLater: { service, reply in
                        service.client.perform(reply) { storage in
                            Arguments.value(try storage.collections().map { ObjectName.collection($0.id).path })
                        }
                    })
            ]),
        masterPassword,
    ]

    // MARK: Sessions

    private func openSession(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        let (algorithm, input) = (call.arguments[0].string ?? "", call.arguments[1])
        client.enqueue(reply) {
            let (cipher, output) = try SessionCipher.negotiate(
                algorithm, input.unwrapped, randomBytes: provider.dependencies.randomBytes)
            let number = provider.nextNumber()
            try client.add(cipher, number)
            return [.variant(output), .objectPath(ObjectName.session(number).path)]
        }
    }

    // MARK: Collections

    private func createCollection(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let alias = call.arguments[1].string ?? ""
            // The specification: a collection that has the alias is returned instead.
            if let existing = storage.collection(alias: alias) {
                return [.objectPath(ObjectName.collection(existing).path), .objectPath(ObjectName.none)]
            }
            guard alias.isEmpty else { throw Self.fixedAliases }
            let label = try Arguments.label(call.arguments[0], of: CollectionObject.interface) ?? ""
            guard !label.isEmpty else {
                throw MethodError.invalidArguments(
                    "A collection needs a label: \(CollectionObject.interface).Label.")
            }
            let (result, prompt) = try provider.attempt(
                client, storage, keeping: label.utf8.count, dismissed: .objectPath(ObjectName.none)
            ) {
                storage, interaction throws(StorageError) in
                let id = try storage.createCollection(label: label, password: nil, interaction)
                provider.announce("CollectionCreated", id, client)
                return .objectPath(ObjectName.collection(id).path)
            }
            return [result ?? .objectPath(ObjectName.none), prompt]
        }
    }

    private func readAlias(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let id = storage.collection(alias: call.arguments[0].string ?? "")
            return [.objectPath(id.map { ObjectName.collection($0).path } ?? ObjectName.none)]
        }
    }

    private static let fixedAliases = MethodError.notSupported(
        "Aliases cannot be changed: ‘default’ always is the collection ‘login’. Name the other collection when you store an item."
    )

    private func setAlias(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            guard let existing = storage.collection(alias: call.arguments[0].string ?? ""),
                let path = call.arguments[1].objectPath, path != ObjectName.none,
                try storage.collection(at: path) == existing
            else { throw Self.fixedAliases }
            return []
        }
    }

    // MARK: Items

    private func searchItems(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let attributes = try Arguments.attributes(call.arguments[0])
            // As other providers: no attributes match no item.
            let found = attributes.isEmpty ? [] : try storage.search(attributes, in: nil)
            func paths(_ isLocked: Bool) -> Value {
                Arguments.value(found.filter { $0.isLocked == isLocked }.map { ObjectName.item($0.id).path })
            }
            return [paths(false), paths(true)]
        }
    }

    private func getSecrets(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let session = call.arguments[1].objectPath ?? ObjectName.none
            // An error even if there is no item.
            _ = try client.session(at: session)
            var entries: [Value.DictionaryEntry] = []
            for path in Arguments.paths(call.arguments[0]) {
                guard case .item(let id)? = ObjectName(path) else { continue }
                do throws(StorageError) {
                    let secret = try storage.secret(of: id)
                    entries.append(.init(.objectPath(path), try encrypt(secret, session)))
                } catch {
                    // The specification: items that cannot be read are left out.
                    guard error == .locked || error == .noSuchObject else { throw error }
                }
            }
            return [.dictionary(key: .objectPath, value: "(oayays)", entries)]
        }
    }

    private func encrypt(_ secret: Secret, _ session: ObjectPath) throws(StorageError) -> Value {
        do {
            return try Arguments.value(
                secret, session, of: client, randomBytes: provider.dependencies.randomBytes)
        } catch {
            throw .unavailable("The secret cannot be encrypted for the session.")
        }
    }

    // MARK: Lock state

    private func unlock(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            var unlocked: [ObjectPath] = []
            var locked: [LockTarget: ObjectPath] = [:]
            for path in Arguments.paths(call.arguments[0]) {
                guard let (target, isLocked) = try storage.lockState(at: path) else { continue }
                if isLocked { locked[target] = path } else { unlocked.append(path) }
            }
            guard !locked.isEmpty else { return [Arguments.value(unlocked), .objectPath(ObjectName.none)] }
            let waiting = locked
            let byteCount = waiting.values.reduce(0) { $0 + $1.rawValue.utf8.count }
            let (result, prompt) = try provider.attempt(
                client, storage, keeping: byteCount, dismissed: Arguments.value([])
            ) {
                storage, interaction throws(StorageError) in
                let targets = try storage.unlock(Array(waiting.keys), interaction)
                // A prompt that unlocks nothing was denied.
                if targets.isEmpty { throw !interaction.isAllowed ? .locked : .dismissed }
                for target in targets { provider.announceLock(target, isLocked: false, client) }
                return Arguments.value(targets.compactMap { waiting[$0] })
            }
            return [Arguments.value(unlocked + Arguments.paths(result ?? Arguments.value([]))), prompt]
        }
    }

    private func lock(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            var locked: [ObjectPath] = []
            for path in Arguments.paths(call.arguments[0]) {
                // An item is locked with its collection, as in other providers.
                let id: CollectionID
                switch ObjectName(path) {
                case .item(let item)?: id = item.collection
                default:
                    do throws(StorageError) {
                        id = try storage.collection(at: path)
                    } catch .noSuchObject {
                        continue
                    }
                }
                guard let collection = try storage.collection(id) else { continue }
                do throws(StorageError) {
                    if !collection.isLocked {
                        try storage.lock(id)
                        provider.announceLock(.collection(id), isLocked: true, client)
                    }
                    locked.append(path)
                } catch .unsupported {
                    // A collection that cannot be locked is left out of the answer.
                    continue
                }
            }
            return [Arguments.value(locked), .objectPath(ObjectName.none)]
        }
    }
}

extension ClientStorage {
    /// Returns the collection at a path. Throws `.noSuchObject`.
    func collection(at path: ObjectPath) throws(StorageError) -> CollectionID {
        switch ObjectName(path) {
        case .collection(let id)?:
            guard try collection(id) != nil else { throw .noSuchObject }
            return id
        case .alias(let alias)?:
            guard let id = collection(alias: alias) else { throw .noSuchObject }
            return id
        default: throw .noSuchObject
        }
    }

    /// Returns whether a collection or an item is locked for the client; nil if it does not exist.
    fileprivate func lockState(
        at path: ObjectPath
    ) throws(StorageError) -> (target: LockTarget, isLocked: Bool)? {
        if case .item(let id)? = ObjectName(path) {
            guard let item = try item(id) else { return nil }
            return (.item(id), item.isLocked)
        }
        do throws(StorageError) {
            let id = try collection(at: path)
            return try collection(id).map { (.collection(id), $0.isLocked) }
        } catch .noSuchObject {
            return nil
        }
    }
}
