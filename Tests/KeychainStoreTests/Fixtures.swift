// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPolicy
import KeychainSealing
import SQLiteStatements
import SecretMemory
import Synchronization

@testable import KeychainStore

let team = "TEAM.app"
let other = "TEAM.other"

/// A directory that is gone with the test.
final class Directory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/keychain.db" }

    func bytes(_ suffix: String = "") throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: database + suffix))
    }

    /// Another program's connection to the database.
    func edit(_ sql: String, _ arguments: [SQLiteValue] = []) throws {
        try Database(path: database).execute(sql, arguments)
    }

    /// The first page of a table or an index, counted from 1.
    func root(of name: String) throws -> Int {
        let page = try Database(path: database).value(
            of: "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)])
        return Int(page!.integer!)
    }

    /// Gives a row of a table of one page another number, as nothing but damage does: it may be another row's.
    func renumber(_ old: UInt8, of table: String, to new: UInt8) throws {
        var file = try bytes()
        let page = (try root(of: table) - 1) * DatabasePages.usualPageSize
        precondition(file[page] == 13, "a table of one page")
        for cell in 0..<Int(file[page + 4]) {
            let pointer = page + 8 + 2 * cell
            var place = page + Int(file[pointer]) << 8 + Int(file[pointer + 1])
            while file[place] >= 0x80 { place += 1 }
            if file[place + 1] == old { file[place + 1] = new }
        }
        try file.write(to: URL(fileURLWithPath: database))
    }

    /// Changes the first entry of a table's inner page: the page that it leads to, and the highest row number that is there.
    func changeFirstEntry(of table: String, _ change: (inout (page: UInt32, row: UInt8)) -> Void) throws {
        var file = try bytes()
        let page = (try root(of: table) - 1) * DatabasePages.usualPageSize
        precondition(file[page] == 5, "a table of more than one page")
        let place = page + Int(file[page + 12]) << 8 + Int(file[page + 13])
        var entry = (page: file[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }, row: file[place + 4])
        precondition(entry.row < 0x80, "a table of few rows")
        change(&entry)
        for byte in 0..<4 { file[place + byte] = UInt8(truncatingIfNeeded: entry.page >> (24 - 8 * UInt32(byte))) }
        file[place + 4] = entry.row
        try file.write(to: URL(fileURLWithPath: database))
    }
}

/// A clock that tests set.
final class TestClock: Sendable {
    private let seconds = Mutex(800_000_000.0)
    func set(_ value: Double) { seconds.withLock { $0 = value } }
    var now: Timestamp { Timestamp(secondsSinceReferenceDate: seconds.withLock { $0 }) }
}

struct Fixture: Sendable {
    let store: ItemStore
    let clock = TestClock()

    init(
        at location: ItemStore.Location = .memory, as kind: StoreKind = .dataProtection,
        deviceKey: DeviceKey = Fixture.deviceKey(), snapshots: Snapshots? = nil
    ) throws(StoreError) {
        let (clock, count) = (clock, Counter())
        store = try ItemStore(
            at: location, as: kind, deviceKey: deviceKey, keyStorage: PlainKeyStorage(), snapshots: snapshots,
            clock: { clock.now }, makeIdentifier: { count.next() })
    }

    static func deviceKey() -> DeviceKey { key }
    // Fails only without memory.
    private static let key = try! DeviceKey.generate(in: PlainKeyStorage())

    /// Identifiers that differ, also between stores of one file.
    private final class Counter: Sendable {
        private static let stores = Atomic<UInt64>(0)
        private let start = stores.add(1, ordering: .relaxed).newValue << 32
        private let count = Atomic<UInt64>(0)
        func next() -> ItemIdentifier {
            let number = start + count.add(1, ordering: .relaxed).newValue
            return ItemIdentifier(bytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> (($0 % 8) * 8)) })!
        }
    }

    static let caller = Caller(
        userID: 1000, processID: 1, tier: .unsigned, identity: .command, accessGroups: [team, other],
        displayPath: "/bin/app")
    static let own = SearchScope.groups([team, other])

    static func grant(_ operation: KeychainPolicy.Operation) -> Grant {
        switch AccessPolicy.judge(caller, operation, items: [], lockState: .noPasscode) {
        case .grant(let grant): return grant
        case .ask: fatalError("own items are granted")
        case .authenticate: fatalError("nobody has to show anything")
        case .refuse: fatalError("own items are granted")
        }
    }

    static func allow(_ operation: KeychainPolicy.Operation, _ facts: [ItemFacts]) -> Decision {
        AccessPolicy.judge(caller, operation, items: facts, lockState: .noPasscode)
    }

    static func attributes(
        _ entries: [AttributeKey: AttributeValue], _ itemClass: ItemClass = .genericPassword
    ) -> ItemAttributes {
        // The tests name attributes of the class.
        try! ItemAttributes(stored: itemClass, entries.map { ItemAttributes.Entry($0.key, $0.value) })
    }

    static func query(
        _ entries: [AttributeKey: AttributeValue] = [:], _ itemClass: ItemClass = .genericPassword,
        sync: ItemQuery.SynchronizableFilter = .localOnly, matching: TextMatching = []
    ) -> ItemQuery {
        var query = ItemQuery(itemClass)
        query.attributes = attributes(entries, itemClass)
        query.synchronizable = sync
        query.textMatching = matching
        return query
    }

    @discardableResult
    func add(
        _ entries: [AttributeKey: AttributeValue], _ itemClass: ItemClass = .genericPassword, group: String = team,
        secret: String? = "secret"
    ) throws(StoreError) -> StoredItem {
        var attributes = Self.attributes(entries, itemClass)
        attributes[.accessGroup] = .string(group)
        let bytes = secret.map { SecretBytes(copying: $0.utf8) }
        return try store.add(attributes, secret: bytes, with: Self.grant(.add))
    }

    struct Opened: Equatable {
        var identifier: ItemIdentifier
        var attributes: ItemAttributes?
        var secret: String?
    }

    func read(
        _ query: ItemQuery, in scope: SearchScope = own, limit: MatchLimit = .all,
        parts: ReturnedParts = [.data, .attributes]
    ) throws -> [Opened] {
        var found = try store.find(query, in: scope, limit: limit, parts: parts)
        if found.needsOpening {
            found = try store.matching(found, limit: limit, with: Self.grant(.readAttributes))
        }
        var items: [Opened] = []
        try store.open(found, parts: parts, with: Self.grant(.readData)) { item in
            let secret = item.data.map { String(decoding: $0, as: UTF8.self) }
            items.append(Opened(identifier: item.identifier, attributes: item.attributes, secret: secret))
        }
        return items
    }

    func accounts(_ query: ItemQuery, in scope: SearchScope = own, limit: MatchLimit = .all) throws -> [String] {
        try read(query, in: scope, limit: limit).map { $0.attributes?[.account]?.string ?? "?" }
    }

    func update(
        _ query: ItemQuery, _ changes: [AttributeKey: AttributeValue], secret: String? = nil
    ) throws(StoreError) -> ChangeResult {
        let changes = Self.attributes(changes, query.itemClass)
        let bytes = secret.map { SecretBytes(copying: $0.utf8) }
        return try store.update(query, in: Self.own, changes: changes, secret: bytes, judge: Self.allow)
    }

    func delete(_ query: ItemQuery) throws(StoreError) -> ChangeResult {
        try store.delete(query, in: Self.own, judge: Self.allow)
    }
}

extension ChangeResult {
    var changed: [ItemIdentifier]? { if case .changed(let items) = self { items } else { nil } }
}

extension Database {
    /// Returns the steps of SQLite's plan for a statement.
    func plan(of sql: String) throws(SQLiteError) -> [String] {
        let statement = try PreparedStatement(self, sql: "EXPLAIN QUERY PLAN " + sql)
        var steps: [String] = []
        // The plan is the same for all arguments.
        let arguments = [SQLiteValue](repeating: .null, count: statement.parameterCount)
        try statement.run(arguments) { row in steps.append(row.values.last?.text ?? "") }
        return steps
    }
}
