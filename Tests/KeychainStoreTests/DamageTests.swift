// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Testing

@testable import KeychainStore

@Suite struct `A damaged log` {
    private let directory: Directory
    private static let frame = 24 + 2048

    /// A keychain with five items, as a service that was killed leaves it.
    init() throws {
        let living = try Directory()
        directory = try Directory()
        let fixture = try Fixture(at: .file(living.database))
        for number in 0..<5 { try fixture.add([.account: .string("\(number)")], secret: "secret \(number)") }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: living.database + suffix, toPath: directory.database + suffix)
        }
        try fixture.store.close()
    }

    private func change(at place: Int) throws {
        var log = try directory.bytes("-wal")
        log[place] ^= 1
        try log.write(to: URL(fileURLWithPath: directory.database + "-wal"))
    }

    private func isDamaged() throws -> Bool {
        let before = try (directory.bytes(), directory.bytes("-wal"))
        var isDamaged = false
        do {
            _ = try StoreOpening.inspect(
                file: directory.database, .dataProtection, deviceKey: Fixture.deviceKey(), storage: PlainKeyStorage())
        } catch StoreError.damaged(.log) {
            isDamaged = true
        }
        #expect(try (directory.bytes(), directory.bytes("-wal")) == before)
        return isDamaged
    }

    @Test func `that is whole is read`() throws {
        #expect(try !isDamaged())
        #expect(try Fixture(at: .file(directory.database)).accounts(Fixture.query()) == ["0", "1", "2", "3", "4"])
    }

    @Test(arguments: [0, 4, 8, 12, 16, 20, 24, 31])
    func `is noticed where its header was changed`(_ place: Int) throws {
        try change(at: place)
        #expect(try isDamaged())
    }

    @Test(arguments: [0, 4, 8, 16, 23, 24, 1000, 2071])
    func `is noticed where a frame was changed, and left as it is`(_ place: Int) throws {
        try change(at: 32 + Self.frame * 3 + place)
        #expect(try isDamaged())
        #expect(throws: StoreError.damaged(.log)) { try Fixture(at: .file(directory.database)) }
    }

    @Test func `whose last transaction is torn is what a power cut leaves`() throws {
        let size = try directory.bytes("-wal").count
        try change(at: size - 100)
        #expect(try !isDamaged())
        #expect(try Fixture(at: .file(directory.database)).accounts(Fixture.query()) == ["0", "1", "2", "3"])
    }

    @Test(arguments: [1, 31, 32, 33, 5000])
    func `that is cut off is what a power cut leaves, and the keychain is the same one`(_ length: Int) throws {
        let log = try directory.bytes("-wal").prefix(length)
        try log.write(to: URL(fileURLWithPath: directory.database + "-wal"))
        #expect(try !isDamaged())
        _ = try Fixture(at: .file(directory.database))
    }

    @Test func `with a changed header is none where the database has all of it already`() throws {
        let log = try directory.bytes("-wal")
        try directory.edit("PRAGMA wal_checkpoint(TRUNCATE)")
        // As a cut in the moment in which a new header is written over the old one leaves it.
        try log.write(to: URL(fileURLWithPath: directory.database + "-wal"))
        try change(at: 20)
        #expect(try !isDamaged())
    }

    @Test func `that cannot be read is an error, and not taken for none`() throws {
        try FileManager.default.removeItem(atPath: directory.database + "-wal")
        try FileManager.default.createDirectory(atPath: directory.database + "-wal", withIntermediateDirectories: false)
        #expect(throws: StoreError.inputOutput) { try StoreOpening.damagedLog(of: directory.database) }
        #expect(throws: StoreError.untrusted(.log)) { try Fixture(at: .file(directory.database)) }
    }

    @Test(arguments: [20, 32 + frame * 4 + 500, 32 + frame * 9 + 8])
    func `is saved but for what was changed`(_ place: Int) throws {
        try change(at: place)
        let new = directory.path + "/new.db"
        let salvage = try Salvage(
            directory.database, snapshots: [], deviceKey: Fixture.deviceKey(), in: PlainKeyStorage(),
            passcode: ProtectorSecret<[UInt8]>?.none)
        let report = try salvage.run(directory.database, snapshots: [], into: new)
        #expect(report.isUncertain)
        let fixture = try Fixture(at: .file(new))
        for item in try fixture.read(Fixture.query()) {
            #expect(item.secret == "secret \(item.attributes?[.account]?.string ?? "")")
        }
        #expect(try fixture.accounts(Fixture.query()).count >= 4)
    }
}

@Suite struct `A schema that was changed` {
    @Test(arguments: [
        ("genp", "accc BLOB, cdat", "accc BLOBl cdat"), ("genp", "mdat BLOB", "ndat BLOB"),
        ("genp_acct", "unreadable = 0", "unreadable = 9"), ("genp_numbering", "AFTER", "BEFORE"),
        ("keybag", "id = 1", "id = 9"),
    ])
    func `is refused before a row is written by it`(_ name: String, _ old: String, _ new: String) throws {
        let directory = try Directory()
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.add([.account: .string("a")])
        try fixture.store.close()
        try directory.edit(
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?",
            [.text(old), .text(new), .text(name)])
        let before = try directory.bytes()
        #expect(throws: StoreError.damaged(.database)) { try Fixture(at: .file(directory.database)) }
        #expect(try directory.bytes() == before)
    }

    @Test(arguments: 0...Migrations.steps.count)
    func `is any other than what the steps make`(_ count: Int) throws {
        let database = try Database(path: ":memory:")
        for step in Migrations.steps[..<count] { try database.execute(step) }
        #expect(try Schema(of: database) == Schema(after: Migrations.steps[..<count]))
    }

    @Test func `is refused where one lacks or has too much`() throws {
        for change in [
            "DROP INDEX genp_acct", "DROP TRIGGER genp_numbering", "CREATE TABLE another (id)",
            "CREATE TRIGGER kept BEFORE DELETE ON genp BEGIN SELECT RAISE(IGNORE); END",
        ] {
            let directory = try Directory()
            try Fixture(at: .file(directory.database)).store.close()
            try directory.edit(change)
            #expect(throws: StoreError.damaged(.database)) { try Fixture(at: .file(directory.database)) }
        }
    }

    @Test func `is not what SQLite itself adds`() throws {
        let directory = try Directory()
        try Fixture(at: .file(directory.database)).store.close()
        try directory.edit("ANALYZE")
        _ = try Fixture(at: .file(directory.database))
    }
}

@Suite struct `A row of another type` {
    @Test(arguments: ["last = x''", "failed = 'x'"])
    func `in the table of guesses is damage, and no crash`(_ change: String) throws {
        let directory = try Directory()
        try Fixture(at: .file(directory.database)).store.close()
        try directory.edit("UPDATE guesses SET \(change)")
        let fixture = try Fixture(at: .file(directory.database))
        #expect(throws: StoreError.damaged(.database)) { try fixture.store.attempts(of: .protector(.passcode)) }
    }
}

@Suite struct `Indices and lists` {
    private let directory: Directory
    private let fixture: Fixture

    init() throws {
        directory = try Directory()
        fixture = try Fixture(at: .file(directory.database))
        for number in 0..<30 { try fixture.add([.account: .string("\(number)")]) }
    }

    @Test func `a list that takes long does not hold up who looks up one item`() throws {
        let query = Fixture.query([.account: .string("7")])
        let found = try fixture.store.scanningReader().access { _ in
            try fixture.store.find(query, in: Fixture.own, limit: .one).count
        }
        #expect(found == 1)
    }

    @Test func `indices that are whole are left alone`() throws {
        #expect(try fixture.store.checkIndices() == .whole)
    }

    @Test func `an index that does not name all rows is built anew, and they are found again`() throws {
        try fixture.store.close()
        // What an index was made of is taken away from under it, and put back.
        try directory.edit(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'unreadable = 0', 'unreadable = 9') WHERE name = 'genp_acct';
            """)
        try directory.edit("REINDEX genp_acct")
        try directory.edit(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'unreadable = 9', 'unreadable = 0') WHERE name = 'genp_acct';
            """)
        let damaged = try Fixture(at: .file(directory.database))
        #expect(try damaged.store.checkIndices() == .builtAnew)
        #expect(try damaged.accounts(Fixture.query([.account: .string("7")])) == ["7"])
        #expect(try damaged.store.checkIndices() == .whole)
    }

    @Test func `a table that hides a row from who looks it up is told of, though all rows are there`() throws {
        try fixture.store.close()
        var hidden = 0
        try directory.changeFirstEntry(of: "genp") { entry in
            hidden = Int(entry.row) - 1
            entry.row -= 1
        }
        let damaged = try Fixture(at: .file(directory.database))
        #expect(try damaged.accounts(Fixture.query([.account: .string("\(hidden)")])) == [])
        #expect(try damaged.store.checkIndices() == .damaged)
        #expect(try damaged.store.checkContents() == .damaged)
        try damaged.store.acceptContents()
        #expect(damaged.store.contentsState == .damaged)
    }

    @Test func `an index whose pages are damaged is left as it is: what it leads to may belong to others`() throws {
        for number in 30..<120 { try fixture.add([.account: .string("\(number)")]) }
        try fixture.store.close()
        var file = try directory.bytes()
        let page = (try directory.root(of: "genp_acct") - 1) * DatabasePages.usualPageSize
        try #require(file[page] == 2, "an index of more than one page")
        // The number of the page on the right.
        file.replaceSubrange(page + 8..<page + 12, with: [0, 0, 0, UInt8(try directory.root(of: "genp"))])
        try file.write(to: URL(fileURLWithPath: directory.database))
        let damaged = try Fixture(at: .file(directory.database))
        #expect(try damaged.store.checkIndices() == .damaged)
        try damaged.store.close()
        #expect(try directory.bytes() == file)
    }

    @Test func `a page that cannot be read is told of`() throws {
        try fixture.store.close()
        try directory.changeFirstEntry(of: "genp") { $0.page = 5_000_000 }
        let damaged = try Fixture(at: .file(directory.database))
        #expect(try damaged.store.checkContents() == .damaged)
        #expect(damaged.store.contentsState == .damaged)
    }
}

@Suite struct `An index that leads to other rows` {
    private let directory: Directory
    private let fixture: Fixture
    private let pairs: [(ItemIdentifier, ItemIdentifier)]

    private static let classes: [(itemClass: ItemClass, table: String)] = [
        (.genericPassword, "genp"), (.internetPassword, "inet"), (.certificate, "cert"), (.key, "keys"),
    ]

    private static func value(_ key: AttributeKey, _ number: Int) -> AttributeValue {
        switch key {
        case .creator, .type, .keyClass: .number(Int64(number))
        case .publicKeyHash, .applicationLabel, .serialNumber, .issuer, .subject, .subjectKeyID, .generic:
            .data([UInt8](repeating: UInt8(number), count: 20))
        default: .string("value \(number)")
        }
    }

    private static func indexed(_ itemClass: ItemClass) throws -> [AttributeKey] {
        try #require(ItemTable.of(itemClass)).columns.filter(\.isIndexed).map(\.key)
    }

    /// Two items of each class, whose rows have changed places behind the back of all indices.
    init() throws {
        directory = try Directory()
        let whole = try Fixture(at: .file(directory.database))
        var pairs: [(ItemIdentifier, ItemIdentifier)] = []
        for (itemClass, _) in Self.classes {
            let items = try (0...1).map { number in
                var entries = Dictionary(
                    uniqueKeysWithValues: try Self.indexed(itemClass).map { ($0, Self.value($0, number)) })
                if itemClass == .key { entries[.keyClass] = .number(1) }
                return try whole.add(entries, itemClass, secret: "secret \(number)").identifier
            }
            pairs.append((items[0], items[1]))
        }
        self.pairs = pairs
        try whole.store.close()
        let database = try Database(path: directory.database)
        let indices = try database.rows(
            of: "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE type IN ('index', 'trigger')")
        try database.execute(
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE type IN ('index', 'trigger')")
        try database.close()
        for (_, table) in Self.classes {
            try directory.edit(
                """
                UPDATE \(table) SET id = 1000 WHERE id = 1;
                UPDATE \(table) SET id = 1 WHERE id = 2;
                UPDATE \(table) SET id = 2 WHERE id = 1000;
                """)
        }
        let again = try Database(path: directory.database)
        try again.execute("PRAGMA writable_schema = ON")
        for index in indices {
            try again.execute(
                "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)", index)
        }
        try again.close()
        fixture = try Fixture(at: .file(directory.database))
    }

    private func secrets(_ query: ItemQuery) throws -> [String?] { try fixture.read(query).map(\.secret) }

    @Test func `gives out no other item, by whichever attribute one is looked up`() throws {
        for (itemClass, _) in Self.classes {
            for key in try Self.indexed(itemClass) where key != .keyClass {
                for matching in [[], TextMatching.caseInsensitive] {
                    let query = Fixture.query([key: Self.value(key, 0)], itemClass, matching: matching)
                    #expect(try secrets(query).allSatisfy { $0 == "secret 0" }, "\(itemClass) \(key)")
                }
            }
        }
    }

    @Test func `gives out no other item by all that makes one unique, nor by its reference`() throws {
        for ((itemClass, _), items) in zip(Self.classes, pairs) {
            let table = try #require(ItemTable.of(itemClass))
            let named = table.columns.enumerated().filter { table.key & 1 << UInt32($0.offset) != 0 }
            let query = Fixture.query(
                Dictionary(
                    uniqueKeysWithValues: named.map {
                        ($0.element.key, $0.element.key == .keyClass ? .number(1) : Self.value($0.element.key, 0))
                    }), itemClass)
            #expect(try secrets(query).allSatisfy { $0 == "secret 0" }, "\(itemClass)")
            var byReference = Fixture.query([:], itemClass)
            byReference.persistentReference = PersistentReference(itemClass: itemClass, item: items.0)
            #expect(try secrets(byReference).allSatisfy { $0 == "secret 0" }, "\(itemClass)")
        }
    }

    @Test func `has no other item changed, deleted or set aside`() throws {
        for (itemClass, _) in Self.classes {
            for key in try Self.indexed(itemClass) where key != .keyClass {
                let query = Fixture.query([key: Self.value(key, 0)], itemClass)
                _ = try? fixture.update(query, [.label: .string("changed")])
                _ = try? fixture.delete(query)
            }
        }
        #expect(try fixture.store.checkIndices() == .builtAnew)
        for (itemClass, table) in Self.classes {
            #expect(try secrets(Fixture.query([:], itemClass)).contains("secret 1"), "\(table)")
        }
    }

    @Test func `is found and built anew, and each item is found again`() throws {
        #expect(try fixture.store.checkIndices() == .builtAnew)
        for (itemClass, _) in Self.classes {
            for key in try Self.indexed(itemClass) where key != .keyClass {
                #expect(
                    try secrets(Fixture.query([key: Self.value(key, 0)], itemClass)) == ["secret 0"],
                    "\(itemClass) \(key)")
            }
        }
    }
}
