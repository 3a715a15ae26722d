// SPDX-License-Identifier: Apache-2.0

import DBus
import Dispatch
import SecretService
import Synchronization

/// A keychain in memory, with programs that own items and a user who answers prompts.
final class MemoryKeychain: Sendable {
    enum PromptAnswer {
        case allow
        case deny
        /// The prompt stays until it is cancelled.
        case wait
        /// No prompt can be shown.
        case impossible
    }

    struct Entry {
        let owner: String
        var item: StoredItem
        var secret: Secret
    }

    struct State {
        /// The program of the next client that is identified.
        var program = "mail"
        var answer = PromptAnswer.impossible
        var promptCount = 0
        var cancelledPromptCount = 0
        var inboxes: [(program: String, inbox: Inbox)] = []
        var openedCount = 0
        var closedCount = 0
        var isReachable = true
        var time = 1000.0
        var lastNumber = 0
        var collections: [CollectionID: StoredCollection] = [
            .login: StoredCollection(.login, label: "Login", isLocked: false, created: 1000, modified: 1000)
        ]
        var passwords: [CollectionID: [UInt8]] = [.login: Array("old".utf8)]
        var entries: [ItemID: Entry] = [:]
        var approvals: [ItemID: Set<String>] = [:]
    }

    /// Events that a watch has not delivered yet.
    final class Inbox: Sendable {
        private let events = Mutex<[StorageEvent?]>([])
        private let count = DispatchSemaphore(value: 0)

        func put(_ event: StorageEvent?) {
            events.withLock { $0.append(event) }
            count.signal()
        }

        /// Waits for the next event; nil at the end.
        func take() -> StorageEvent? {
            count.wait()
            return events.withLock { $0.removeFirst() }
        }
    }

    let state = Mutex(State())

    /// The programs with whose rights the keychain is watched.
    var watchers: [String] { state.withLock { $0.inboxes.map(\.program) } }

    /// Makes a change through another interface.
    func happens(_ change: StorageEvent.Change, by process: UInt32 = 1) {
        for (_, inbox) in state.withLock(\.inboxes) { inbox.put(StorageEvent(change, by: process)) }
    }

    func open(_ process: Descriptor) throws(StorageError) -> any SecretStorage {
        let program = state.withLock { state -> String? in
            guard state.isReachable else { return nil }
            state.openedCount += 1
            return state.program
        }
        guard let program else { throw .unavailable("The keychain service does not run.") }
        return MemoryStorage(keychain: self, name: program)
    }

    /// Shows a prompt.
    fileprivate func prompt(_ interaction: Interaction) throws(StorageError) {
        guard case .allowed(let cancellation) = interaction else { throw .locked }
        let answer = state.withLock { state in
            state.promptCount += 1
            return state.answer
        }
        switch answer {
        case .allow: return
        case .deny, .impossible: throw .dismissed
        case .wait:
            let ended = DispatchSemaphore(value: 0)
            cancellation.ending(with: { ended.signal() }) { ended.wait() }
            state.withLock { $0.cancelledPromptCount += 1 }
            throw .dismissed
        }
    }

    fileprivate func entry(_ id: ItemID, for program: String) throws(StorageError) -> Entry {
        let (entry, isLocked) = state.withLock { ($0.entries[id], self.isLocked(id, for: program, $0)) }
        guard let entry else { throw .noSuchObject }
        guard !isLocked else { throw .locked }
        return entry
    }

    fileprivate func isLocked(_ id: ItemID, for program: String, _ state: State) -> Bool {
        guard let entry = state.entries[id], state.collections[id.collection]?.isLocked == false else { return true }
        return entry.owner != program && state.approvals[id]?.contains(program) != true
    }
}

/// What one program sees of a ``MemoryKeychain``.
struct MemoryStorage: SecretStorage {
    let keychain: MemoryKeychain
    let name: String

    func program() throws(StorageError) -> ClientProgram { ClientProgram(name, isSandboxed: name == "sandboxed") }

    func collections() throws(StorageError) -> [StoredCollection] {
        keychain.state.withLock { $0.collections.values.sorted { $0.id.name < $1.id.name } }
    }

    func collection(_ id: CollectionID) throws(StorageError) -> StoredCollection? {
        keychain.state.withLock { $0.collections[id] }
    }

    func createCollection(
        label: String, password: [UInt8]?, _ interaction: Interaction
    ) throws(StorageError) -> CollectionID {
        if password == nil { try keychain.prompt(interaction) }
        let id = CollectionID(label)
        keychain.state.withLock { state in
            state.collections[id] = StoredCollection(
                id, label: label, isLocked: false, created: state.time, modified: state.time)
            state.passwords[id] = password
        }
        return id
    }

    func deleteCollection(_ id: CollectionID, _ interaction: Interaction) throws(StorageError) {
        guard id != .login else { throw .unsupported("The collection ‘login’ cannot be deleted.") }
        try keychain.prompt(interaction)
        keychain.state.withLock { $0.collections[id] = nil }
    }

    func setLabel(of collection: CollectionID, _ label: String) throws(StorageError) {
        keychain.state.withLock { $0.collections[collection]?.label = label }
    }

    func lock(_ collection: CollectionID) throws(StorageError) {
        keychain.state.withLock { $0.collections[collection]?.isLocked = true }
    }

    func unlock(_ collection: CollectionID, password: [UInt8]) throws(StorageError) {
        let isRight = keychain.state.withLock { state in
            guard state.passwords[collection] == password else { return false }
            state.collections[collection]?.isLocked = false
            return true
        }
        guard isRight else { throw .invalid("The password is wrong.") }
    }

    func changePassword(
        of collection: CollectionID, from old: [UInt8], to new: [UInt8]
    ) throws(StorageError) {
        try unlock(collection, password: old)
        keychain.state.withLock { $0.passwords[collection] = new }
    }

    func unlock(_ targets: [LockTarget], _ interaction: Interaction) throws(StorageError) -> [LockTarget] {
        try keychain.prompt(interaction)
        keychain.state.withLock { state in
            for target in targets {
                switch target {
                case .collection(let id): state.collections[id]?.isLocked = false
                case .item(let id): state.approvals[id, default: []].insert(name)
                }
            }
        }
        return targets
    }

    func items(in collection: CollectionID, limit: Int?) throws(StorageError) -> [ItemID] {
        let all = keychain.state.withLock { state -> [ItemID]? in
            state.collections[collection] == nil
                ? nil : state.entries.keys.filter { $0.collection == collection }
        }
        guard let all else { throw .noSuchObject }
        return Array(all.sorted { Int($0.name)! < Int($1.name)! }.prefix(limit ?? .max))
    }

    func search(
        _ attributes: [String: String], in collection: CollectionID?
    ) throws(StorageError) -> [FoundItem] {
        keychain.state.withLock { state in
            state.entries.values.filter { entry in
                (collection == nil || entry.item.id.collection == collection)
                    && attributes.allSatisfy { entry.item.attributes[$0.key] == $0.value }
            }.map {
                FoundItem(
                    $0.item.id, isLocked: keychain.isLocked($0.item.id, for: name, state), modified: $0.item.modified)
            }
        }
    }

    func item(_ id: ItemID) throws(StorageError) -> StoredItem? {
        keychain.state.withLock { state in
            state.entries[id].map { entry in
                var item = entry.item
                item.isLocked = keychain.isLocked(id, for: name, state)
                return item
            }
        }
    }

    func secret(of id: ItemID) throws(StorageError) -> Secret { try keychain.entry(id, for: name).secret }

    func create(
        _ new: NewItem, in collection: CollectionID, replaces: Bool, _ interaction: Interaction
    ) throws(StorageError) -> (id: ItemID, isNew: Bool) {
        guard let stored = try self.collection(collection) else { throw .noSuchObject }
        if stored.isLocked { _ = try unlock([.collection(collection)], interaction) }
        return keychain.state.withLock { state in
            state.time += 1
            let old = state.entries.values.first {
                replaces && $0.owner == name && $0.item.id.collection == collection
                    && $0.item.attributes == new.attributes
            }
            if old == nil { state.lastNumber += 1 }
            let id = old?.item.id ?? ItemID(collection, "\(state.lastNumber)")
            state.entries[id] = MemoryKeychain.Entry(
                owner: name,
                item: StoredItem(
                    id, label: new.label, attributes: new.attributes, isLocked: false,
                    created: old?.item.created ?? state.time, modified: state.time),
                secret: new.secret)
            return (id, old == nil)
        }
    }

    func change(_ id: ItemID, _ change: ItemChange) throws(StorageError) {
        var entry = try keychain.entry(id, for: name)
        switch change {
        case .label(let label): entry.item.label = label
        case .attributes(let attributes): entry.item.attributes = attributes
        case .secret(let secret): entry.secret = secret
        }
        let changed = entry
        keychain.state.withLock { state in
            state.time += 1
            state.entries[id] = changed
            state.entries[id]?.item.modified = state.time
        }
    }

    func delete(_ id: ItemID, _ interaction: Interaction) throws(StorageError) {
        do throws(StorageError) {
            _ = try keychain.entry(id, for: name)
        } catch .locked {
            try keychain.prompt(interaction)
        }
        keychain.state.withLock { $0.entries[id] = nil }
    }

    func watch(until cancellation: Cancellation, _ deliver: (StorageEvent) -> Void) throws(StorageError) {
        guard name != "sandboxed" else { throw .denied("An application in a sandbox.") }
        let inbox = MemoryKeychain.Inbox()
        keychain.state.withLock { $0.inboxes.append((name, inbox)) }
        cancellation.ending(with: { inbox.put(nil) }) {
            while let event = inbox.take() { deliver(event) }
        }
        keychain.state.withLock { $0.inboxes.removeAll { $0.inbox === inbox } }
        throw .dismissed
    }

    func close() { keychain.state.withLock { $0.closedCount += 1 } }
}
