// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The collection `session`: items in memory, which end with the provider.
///
/// An item belongs to the program that created it, as the keychain service identifies it. No prompt gives another program
/// access, because no owner of such an item can be asked about it later. For an application in a sandbox, items of other
/// programs do not exist.
public final class SessionCollection: Sendable {
    /// The bounds of all items together.
    public struct Limits: Hashable, Sendable {
        public var items = 4096
        /// Bytes of secrets and attributes.
        public var bytes = 32 << 20

        public init() {}
    }

    private struct Entry {
        let program: String
        var item: StoredItem
        var secret: Secret

        /// Whether it belongs to a program. By bytes, because the paths of two programs may be equal as text.
        func isOf(_ program: ClientProgram) -> Bool { self.program.utf8.elementsEqual(program.name.utf8) }

        func exists(for program: ClientProgram) -> Bool { !program.isSandboxed || isOf(program) }

        var byteCount: Int { Self.byteCount(item.label, item.attributes, secret) }

        static func byteCount(_ label: String, _ attributes: [String: String], _ secret: Secret) -> Int {
            attributes.reduce(256 + label.utf8.count + secret.value.count + secret.contentType.utf8.count) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
        }
    }

    private struct State {
        var entries: [ItemID: Entry] = [:]
        var byteCount = 0
        var lastNumber = 0
        var modified: Double
    }

    private let limits: Limits
    private let created: Double
    private let now: @Sendable () -> Double
    private let state: Mutex<State>

    /// - Parameter now: returns the seconds since 1970.
    public init(limits: Limits = Limits(), now: @escaping @Sendable () -> Double) {
        self.limits = limits
        self.now = now
        created = now()
        state = Mutex(State(modified: created))
    }

    public var collection: StoredCollection {
        let modified = state.withLock(\.modified)
        return StoredCollection(
            .session, label: "Session", isLocked: false, created: created, modified: modified)
    }

    public func items(limit: Int?, for program: ClientProgram) -> [ItemID] {
        let ids = state.withLock { $0.entries.values.filter { $0.exists(for: program) }.map(\.item.id) }
        return Array(ids.sorted { (Int($0.name) ?? 0) < (Int($1.name) ?? 0) }.prefix(limit ?? .max))
    }

    public func item(_ id: ItemID, for program: ClientProgram) -> StoredItem? {
        guard let entry = state.withLock({ $0.entries[id] }), entry.exists(for: program) else { return nil }
        var item = entry.item
        item.isLocked = !entry.isOf(program)
        return item
    }

    /// Whether a search would find an item of any program.
    public func contains(_ attributes: [String: String]) -> Bool {
        state.withLock { $0.entries.values.contains { $0.item.attributes.includes(attributes) } }
    }

    public func search(_ attributes: [String: String], for program: ClientProgram) -> [FoundItem] {
        state.withLock { state in
            state.entries.values.filter { entry in
                entry.exists(for: program) && entry.item.attributes.includes(attributes)
            }.map { FoundItem($0.item.id, isLocked: !$0.isOf(program), modified: $0.item.modified) }
        }
    }

    /// Throws `.noSuchObject`, and `.locked` for an item of another program.
    public func secret(of id: ItemID, for program: ClientProgram) throws(StorageError) -> Secret {
        try state.withLock { state throws(StorageError) in try Self.entry(id, program, state).secret }
    }

    /// Throws `.limitExceeded`.
    public func create(
        _ new: NewItem, replaces: Bool, for program: ClientProgram
    ) throws(StorageError) -> (id: ItemID, isNew: Bool) {
        let time = now()
        return try state.withLock { state throws(StorageError) in
            let old =
                replaces
                ? state.entries.values.filter { $0.isOf(program) && $0.item.attributes.isSame(as: new.attributes) }
                    .max { $0.item.modified < $1.item.modified } : nil
            var entry: Entry
            if let old {
                entry = old
                entry.item.label = new.label
                entry.item.modified = time
                entry.secret = new.secret
            } else {
                guard state.entries.count < limits.items else {
                    throw .limitExceeded("The collection has its largest number of items. Delete items first.")
                }
                let id = ItemID(.session, "\(state.lastNumber + 1)")
                entry = Entry(
                    program: program.name,
                    item: StoredItem(
                        id, label: new.label, attributes: new.attributes, isLocked: false, created: time,
                        modified: time),
                    secret: new.secret)
            }
            try store(entry, instead: old, time, &state)
            if old == nil { state.lastNumber += 1 }
            return (entry.item.id, old == nil)
        }
    }

    /// Throws `.noSuchObject`, `.locked` for an item of another program, and `.limitExceeded`.
    public func change(_ id: ItemID, _ change: ItemChange, for program: ClientProgram) throws(StorageError) {
        let time = now()
        try state.withLock { state throws(StorageError) in
            let old = try Self.entry(id, program, state)
            var entry = old
            switch change {
            case .label(let label): entry.item.label = label
            case .attributes(let attributes): entry.item.attributes = attributes
            case .secret(let secret): entry.secret = secret
            }
            entry.item.modified = time
            try store(entry, instead: old, time, &state)
        }
    }

    /// Throws `.noSuchObject`, and `.locked` for an item of another program.
    public func delete(_ id: ItemID, for program: ClientProgram) throws(StorageError) {
        let time = now()
        try state.withLock { state throws(StorageError) in
            state.byteCount -= try Self.entry(id, program, state).byteCount
            state.entries[id] = nil
            state.modified = time
        }
    }

    private static func entry(_ id: ItemID, _ program: ClientProgram, _ state: State) throws(StorageError) -> Entry {
        guard let entry = state.entries[id], entry.exists(for: program) else { throw .noSuchObject }
        guard entry.isOf(program) else { throw .locked }
        return entry
    }

    private func store(
        _ entry: Entry, instead old: Entry?, _ time: Double, _ state: inout State
    ) throws(StorageError) {
        let byteCount = state.byteCount - (old?.byteCount ?? 0) + entry.byteCount
        guard byteCount <= limits.bytes else {
            throw .limitExceeded("The items of the collection are too large in total. Delete items first.")
        }
        state.byteCount = byteCount
        state.entries[entry.item.id] = entry
        state.modified = time
    }
}

/// Comparisons by bytes, as the keychain compares attributes: texts that are equal as text may be different bytes.
extension [String: String] {
    fileprivate func includes(_ pairs: [String: String]) -> Bool {
        pairs.allSatisfy { key, value in
            guard let place = index(forKey: key) else { return false }
            return self[place].key.utf8.elementsEqual(key.utf8) && self[place].value.utf8.elementsEqual(value.utf8)
        }
    }

    fileprivate func isSame(as other: [String: String]) -> Bool { count == other.count && includes(other) }
}
