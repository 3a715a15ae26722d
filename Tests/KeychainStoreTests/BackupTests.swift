// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPolicy
import KeychainSealing
import SecretMemory
import Synchronization
import Testing

@testable import KeychainStore

extension Fixture {
    static func backupGrant(_ operation: KeychainPolicy.Operation) -> Grant {
        switch AccessPolicy.judgeBackup(caller, operation, lockState: .noPasscode) {
        case .grant(let grant): return grant
        case .ask: fatalError("the administration tool may")
        case .authenticate: fatalError("nobody has to show anything")
        case .refuse: fatalError("the administration tool may")
        }
    }

    /// All items, as a backup would have them.
    func readAll() throws -> (items: [BackupItem], unreadable: [BackupOmission]) {
        var (items, unreadable): ([BackupItem], [BackupOmission]) = ([], [])
        var position: BackupPosition? = .start
        while let from = position {
            position = try store.readAll(from: from, with: Self.backupGrant(.backUp)) { candidate in
                switch candidate {
                // The store wipes the bytes that it lent.
                case .item(let item):
                    items.append(
                        BackupItem(
                            identifier: item.identifier, attributes: item.attributes,
                            data: item.data.map { Data(Array($0)) }))
                case .unreadable(_, let reason): unreadable.append(reason)
                }
            }
        }
        return (items, unreadable)
    }

    @discardableResult
    func restore(
        _ items: [BackupItem], replacesNewer: Bool = false, isDryRun: Bool = false
    ) throws -> [RestoreResult] {
        try store.restore(
            items, replacesNewer: replacesNewer, isDryRun: isDryRun, with: Self.backupGrant(.restore))
    }
}

@Suite struct `Reading all items for a backup` {
    let fixture: Fixture
    init() throws { fixture = try Fixture() }

    @Test func `hands over every item of every class once, whatever their number`() throws {
        for number in 0..<600 { try fixture.add([.account: .string("\(number)")], secret: "secret \(number)") }
        try fixture.add([.server: .string("example.org")], .internetPassword, secret: nil)
        let (items, unreadable) = try fixture.readAll()
        #expect(items.count == 601 && unreadable.isEmpty)
        for (number, item) in items.prefix(600).enumerated() {
            #expect(item.attributes[.account] == .string("\(number)"))
            #expect(item.data == Data("secret \(number)".utf8))
        }
        #expect(items[600].data == nil)
    }

    @Test func `keeps few large items at once`() throws {
        for number in 0..<5 {
            try fixture.add([.account: .string("\(number)")], secret: String(repeating: "x", count: 3 << 20))
        }
        var sizes: [Int] = []
        var position: BackupPosition? = .start
        while let from = position {
            var size = 0
            position = try fixture.store.readAll(from: from, with: Fixture.backupGrant(.backUp)) { candidate in
                if case .item(let item) = candidate { size += item.data?.count ?? 0 }
            }
            sizes.append(size)
        }
        #expect(sizes.reduce(0, +) == 5 * (3 << 20))
        #expect(sizes.allSatisfy { $0 <= 4 << 20 }, "\(sizes)")
    }

    @Test func `leaves tombstones out and names what cannot be read`() throws {
        let directory = try Directory()
        do {
            let fixture = try Fixture(at: .file(directory.database))
            try fixture.add([.account: .string("gone"), .synchronizable: .number(1)])
            _ = try fixture.delete(Fixture.query([.account: .string("gone")], sync: .any))
            try fixture.add([.account: .string("aside")])
            try fixture.add([.account: .string("broken")])
            try fixture.add([.account: .string("whole")])
            try fixture.store.close()
        }
        try directory.edit("UPDATE genp SET unreadable = 1 WHERE id = 2")
        try directory.edit("UPDATE genp SET data = zeroblob(40) WHERE id = 3")
        let (items, unreadable) = try Fixture(at: .file(directory.database)).readAll()
        #expect(items.map { $0.attributes[.account] } == [.string("whole")])
        #expect(unreadable == [.unreadable, .unreadable])
    }
}

@Suite struct `Restoring items` {
    let fixture: Fixture
    init() throws { fixture = try Fixture() }

    private func everything(_ fixture: Fixture) throws -> [Fixture.Opened] {
        try [.genericPassword, .internetPassword].flatMap {
            try fixture.read(Fixture.query([:], $0, sync: .any), in: .everything(own: [team, other]))
        }
    }

    @Test func `gives an empty keychain the same items, identifiers and dates`() throws {
        try fixture.add([.account: .string("ann"), .label: .string("Ann's")])
        try fixture.add([.account: .string("bob"), .synchronizable: .number(1)], group: other, secret: nil)
        try fixture.add([.server: .string("example.org"), .port: .number(80)], .internetPassword, secret: "")
        let items = try fixture.readAll().items
        let second = try Fixture(deviceKey: DeviceKey.generate(in: PlainKeyStorage()))
        second.clock.set(900_000_000)
        #expect(try second.restore(items).map(\.outcome) == [.added, .added, .added])
        #expect(try everything(second) == everything(fixture))
        // Again: nothing is left to do.
        #expect(try second.restore(items).map(\.outcome) == [.unchanged, .unchanged, .unchanged])
        #expect(try everything(second) == everything(fixture))
    }

    @Test func `changes nothing in a dry run and says what would come of it`() throws {
        try fixture.add([.account: .string("ann")])
        let items = try fixture.readAll().items
        let second = try Fixture()
        #expect(try second.restore(items, isDryRun: true).map(\.outcome) == [.added])
        #expect(try everything(second).isEmpty)
    }

    @Test func `gives an item a new identifier where another has its own`() throws {
        let stored = try fixture.add([.account: .string("ann")])
        let items = try fixture.readAll().items
        _ = try fixture.update(Fixture.query([.account: .string("ann")]), [.account: .string("renamed")])
        let results = try fixture.restore(items)
        #expect(results.map(\.outcome) == [.addedWithNewIdentifier])
        #expect(try fixture.accounts(Fixture.query()).sorted() == ["ann", "renamed"])
        let reference = PersistentReference(itemClass: .genericPassword, item: stored.identifier)
        #expect(results[0].reference != reference)
        // A repeated restore finds the item by its unique attributes.
        #expect(try fixture.restore(items).map(\.outcome) == [.unchanged])
    }

    @Test func `replaces an older item, keeps a newer one, and gives that up only when told to`() throws {
        try fixture.add([.account: .string("ann")], secret: "first")
        let old = try fixture.readAll().items
        fixture.clock.set(800_000_100)
        _ = try fixture.update(Fixture.query([.account: .string("ann")]), [:], secret: "second")
        let new = try fixture.readAll().items
        let query = Fixture.query([.account: .string("ann")])

        #expect(try fixture.restore(old).map(\.outcome) == [.conflict])
        #expect(try fixture.read(query).map(\.secret) == ["second"])
        #expect(try fixture.restore(old, replacesNewer: true).map(\.outcome) == [.replaced])
        #expect(try fixture.read(query).map(\.secret) == ["first"])
        #expect(try fixture.restore(new).map(\.outcome) == [.replaced])
        let restored = try fixture.read(query)
        #expect(restored.map(\.secret) == ["second"])
        #expect(restored[0].attributes == new[0].attributes && restored[0].identifier == new[0].identifier)
    }

    @Test func `keeps equally old and different items`() throws {
        try fixture.add([.account: .string("ann")], secret: "mine")
        var items = try fixture.readAll().items
        items[0].data = Data("theirs".utf8)
        #expect(try fixture.restore(items).map(\.outcome) == [.conflict])
        #expect(try fixture.read(Fixture.query()).map(\.secret) == ["mine"])
    }

    @Test func `finds an item with the same content unchanged whatever its dates`() throws {
        try fixture.add([.account: .string("ann")])
        let items = try fixture.readAll().items
        fixture.clock.set(800_500_000)
        _ = try fixture.delete(Fixture.query())
        try fixture.add([.account: .string("ann")])
        #expect(try fixture.restore(items).map(\.outcome) == [.unchanged])
    }

    @Test func `brings a deleted item back in the place of its tombstone`() throws {
        let stored = try fixture.add([.account: .string("ann"), .synchronizable: .number(1)])
        let items = try fixture.readAll().items
        _ = try fixture.delete(Fixture.query(sync: .any))
        #expect(try fixture.restore(items).map(\.outcome) == [.added])
        let found = try fixture.read(Fixture.query(sync: .any))
        #expect(found.map(\.identifier) == [stored.identifier] && found[0].attributes == items[0].attributes)
    }

    @Test func `replaces an unreadable item`() throws {
        let directory = try Directory()
        var items: [BackupItem] = []
        do {
            let fixture = try Fixture(at: .file(directory.database))
            try fixture.add([.account: .string("ann")])
            items = try fixture.readAll().items
            try fixture.store.close()
        }
        try directory.edit("UPDATE genp SET data = zeroblob(40)")
        let fixture = try Fixture(at: .file(directory.database))
        // Its identifier belongs to the row that is set aside.
        #expect(try fixture.restore(items).map(\.outcome) == [.addedWithNewIdentifier])
        #expect(try fixture.read(Fixture.query()).map(\.secret) == ["secret"])
        #expect(try fixture.store.statistics().unreadable == 1)
    }

    @Test func `tells the observers of the store after the change`() throws {
        try fixture.add([.account: .string("ann")])
        let items = try fixture.readAll().items
        let second = try Fixture()
        let seen = Mutex<[ItemChange]>([])
        second.store.observe { changes in seen.withLock { $0 += changes } }
        try second.restore(items, isDryRun: true)
        #expect(seen.withLock { $0 }.isEmpty)
        let results = try second.restore(items)
        try second.restore(items)
        #expect(seen.withLock { $0 } == [ItemChange(.added, results[0].reference)])
    }

    @Test func `restores all items of a call or none`() throws {
        let directory = try Directory()
        let fixture = try Fixture(at: .file(directory.database))
        let source = try Fixture()
        for number in 0..<20 { try source.add([.account: .string("\(number)")]) }
        let items = try source.readAll().items
        // The eleventh addition fails in the database.
        try directory.edit(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON genp WHEN (SELECT count(*) FROM genp) >= 10
            BEGIN SELECT raise(ABORT, 'no more'); END
            """)
        #expect(throws: StoreError.self) { try fixture.restore(items) }
        #expect(try fixture.store.statistics().items[.genericPassword] == 0)
        try directory.edit("DROP TRIGGER refuse")
        #expect(try fixture.restore(items).map(\.outcome) == Array(repeating: .added, count: 20))
    }
}
