// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPolicy
import KeychainStore
import SQLiteStatements
import Testing

@testable import KeychainStore

@Suite struct `Rows that are not what was sealed` {
    let directory: Directory
    let fixture: Fixture

    init() throws {
        directory = try Directory()
        fixture = try Fixture(at: .file(directory.database))
        for account in ["a", "b", "c"] {
            try fixture.add([.account: .string(account), .service: .string("s")], secret: account)
        }
        try fixture.add([.account: .string("foreign"), .service: .string("s")], group: "X", secret: "theirs")
    }

    private var query: ItemQuery { Fixture.query([.service: .string("s")]) }

    @Test(arguments: [
        "attributes = (SELECT attributes FROM genp WHERE id = 1)", "data = (SELECT data FROM genp WHERE id = 1)",
        "data = (SELECT data FROM genp WHERE id = 1), item_key = (SELECT item_key FROM genp WHERE id = 1)",
        "attributes = x''", "data = x''", "data = x'0103'", "item_key = x''", "item_key = 'text'", "version = 2",
        "version = -1", "version = 'x'", "accessibility = 2", "accessibility = 99", "accessibility = 'x'",
        "item = x'00112233445566778899AABBCCDDEEFF'", "item = x'00'", "item = 5",
        "acct = x'00112233445566778899AABBCCDDEEFF'", "vwht = x'00112233445566778899AABBCCDDEEFF'", "tkid = x'00'",
        "data = 12", "attributes = 'Zürich'", "attributes = zeroblob(3000000)",
    ])
    func `are set aside, and the others stay usable`(_ change: String) throws {
        try directory.edit("UPDATE genp SET \(change) WHERE id = 2")
        // A faulty item in the caller's group does not make the search one of others' items.
        let found = try fixture.store.find(query, in: Fixture.own, limit: .all)
        #expect(found.facts.allSatisfy { $0.accessGroup == team })
        #expect(try fixture.accounts(query) == ["a", "c"])
        #expect(
            try fixture.store.statistics()
                == StoreStatistics(
                    items: [.genericPassword: 3, .internetPassword: 0, .certificate: 0, .key: 0], unreadable: 1))
        #expect(try fixture.store.find(query, in: Fixture.own, limit: .all).count == 2)
        // Its place can be taken.
        try fixture.add([.account: .string("b"), .service: .string("s")], secret: "new")
        #expect(try fixture.read(query).map(\.secret) == ["a", "c", "new"])
        #expect(
            try fixture.store.statistics()
                == StoreStatistics(
                    items: [.genericPassword: 4, .internetPassword: 0, .certificate: 0, .key: 0], unreadable: 1))
    }

    @Test(arguments: ["attributes = CAST(attributes AS TEXT)", "attributes = 7", "attributes = x''", "data = 7"])
    func `are set aside where they were keys as well`(_ change: String) throws {
        for label in ["a", "b"] {
            try fixture.add([.applicationTag: .data(Array(label.utf8)), .keyClass: .number(1)], .key, secret: label)
        }
        try directory.edit("UPDATE keys SET \(change) WHERE id = 1")
        #expect(try fixture.read(Fixture.query([:], .key)).map(\.secret) == ["b"])
        #expect(try fixture.store.statistics().unreadable == 1)
    }

    @Test func `a row moved into another group gives nothing away`() throws {
        try directory.edit("UPDATE genp SET agrp = (SELECT agrp FROM genp WHERE id = 1) WHERE id = 4")
        #expect(try fixture.read(query).compactMap(\.secret) == ["a", "b", "c"])
        #expect(try fixture.store.statistics().unreadable == 1)
    }

    @Test func `two rows that exchanged their places in the index are not taken for each other`() throws {
        try directory.edit(
            """
            UPDATE genp SET unreadable = id WHERE id < 3;
            UPDATE genp SET acct = (SELECT acct FROM genp AS other WHERE other.id = 3 - genp.id) WHERE id = 1;
            UPDATE genp SET unreadable = 0 WHERE id = 1
            """)
        #expect(try fixture.read(Fixture.query([.account: .string("b")])).isEmpty)
    }

    @Test(arguments: ["attributes = x'01'", "data = x'0102'"])
    func `a new item takes the place of an unnoticed row, and of no other`(change: String) throws {
        func add(_ account: String) throws(StoreError) -> StoredItem {
            try fixture.add([.account: .string(account), .service: .string("s")], secret: "new")
        }
        try directory.edit("UPDATE genp SET \(change) WHERE id = 2")
        #expect(throws: StoreError.duplicate) { try add("a") }
        let new = try add("b")
        let found = try fixture.read(Fixture.query([.account: .string("b")]))
        #expect(found.map(\.identifier) == [new.identifier] && found[0].secret == "new")
        #expect(try fixture.store.statistics().unreadable == 1)
        #expect(throws: StoreError.duplicate) { try add("b") }
    }

    @Test func `one among those that a search has to open is left out, whatever the search is for`() throws {
        try directory.edit("UPDATE genp SET attributes = x'01' WHERE id = 2")
        let all = Fixture.query([.service: .string("S")], matching: .caseInsensitive)
        #expect(try fixture.accounts(all) == ["a", "c"])
        #expect(try fixture.store.statistics().unreadable == 1)
        try directory.edit("UPDATE genp SET unreadable = 0")
        #expect(try fixture.update(all, [.label: .string("x")]).changed?.count == 2)
        #expect(try fixture.store.statistics().unreadable == 1)
        try directory.edit("UPDATE genp SET unreadable = 0")
        #expect(try fixture.delete(all).changed?.count == 2)
        #expect(try fixture.store.statistics().unreadable == 1)
    }

    @Test func `an update of one counts as not found`() throws {
        try directory.edit("UPDATE genp SET attributes = x'01' WHERE id = 2")
        let one = Fixture.query([.account: .string("b")])
        #expect(throws: StoreError.notFound) { try fixture.update(one, [.label: .string("x")]) }
        #expect(try fixture.store.statistics().unreadable == 1)
        #expect(try fixture.update(query, [.label: .string("x")]).changed?.count == 2)
    }

    @Test func `an update that finds one among others changes the others`() throws {
        try directory.edit("UPDATE genp SET data = x'0102' WHERE id = 2")
        #expect(try fixture.update(query, [.label: .string("x")]).changed?.count == 2)
        #expect(try fixture.store.statistics().unreadable == 1)
    }

    @Test func `an older version of a part does not open beside a newer one`() throws {
        let old = try fixture.store.find(Fixture.query([.account: .string("a")]), in: Fixture.own, limit: .one)
        let content = try #require(old.rows[0].content)
        _ = try fixture.update(Fixture.query([.account: .string("a")]), [:], secret: "newer")
        try directory.edit(
            "UPDATE genp SET data = ?, item_key = ? WHERE id = 1",
            [.bytes(content.data ?? Data()), .bytes(content.wrappedKey)])
        #expect(try fixture.read(Fixture.query([.account: .string("a")])).isEmpty)
    }

    @Test func `a damaged page is reported`() throws {
        let empty = try Directory()
        try Fixture(at: .file(empty.database)).store.close()
        let firstSize = try empty.bytes().count
        for number in 0..<200 { try fixture.add([.account: .string("\(number)")]) }
        try fixture.store.close()
        var bytes = try directory.bytes()
        // All pages but those of an empty keychain, which hold the schema, the keybag and the roots.
        for place in stride(from: firstSize, to: bytes.count, by: 2048) { bytes[place] = 0xFF }
        try bytes.write(to: URL(fileURLWithPath: directory.database))
        let damaged = try Fixture(at: .file(directory.database))
        #expect(throws: StoreError.damaged(.database)) { try damaged.read(query) }
        #expect(throws: StoreError.damaged(.database)) { try damaged.add([:]) }
        #expect(try directory.bytes().count == bytes.count)
    }
}

@Suite struct `Searches and their indexes` {
    @Test func `every shape uses its index and finds the first row without looking at others`() throws {
        let store = try Fixture().store
        var shapes: [QueryShape] = []
        for table in ItemTable.all {
            let itemClass = try #require(ItemClass(code: table.name))
            func shape(exact: UInt32 = 0, folded: UInt32 = 0) -> QueryShape {
                var shape = QueryShape(itemClass, withAttributes: true, withData: true)
                shape.columns = exact
                shape.foldedColumns = folded
                return shape
            }
            for columns in 0..<UInt32(1 << 10) { shapes.append(shape(exact: columns)) }
            for bit in 10..<table.columns.count { shapes.append(shape(exact: 1 << bit)) }
            for (bit, column) in table.columns.enumerated() where column.isFolded {
                shapes.append(shape(folded: 1 << bit))
                for other in 0..<UInt32(10) where other != bit {
                    shapes.append(shape(exact: 1 << other, folded: 1 << bit))
                }
            }
            for target in [QueryShape.Target.item, .row] {
                var named = shape()
                named.target = target
                shapes.append(named)
            }
        }
        for shape in shapes {
            let table = try #require(ItemTable.of(shape.itemClass))
            let sql = shape.sql(table)
            let plan = try store.reader.access { db in try db.plan(of: sql) }
            // The index alone, and then the rows that it names.
            if let index = shape.index(table) {
                #expect(plan.first?.hasPrefix("SEARCH i USING ") == true, "\(sql) \(plan)")
                #expect(plan.first?.contains("INDEX \(index.name) (") == true, "\(sql) \(plan)")
            }
            #expect(plan.last == "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", "\(sql) \(plan)")
            #expect(plan.count == (shape.index(table) == nil ? 1 : 2), "\(sql) \(plan)")
        }
    }

    @Test func `what clients make the store keep is bounded`() throws {
        let fixture = try Fixture()
        try fixture.add([.account: .string("a")])
        let keys: [AttributeKey] = [.account, .service, .label, .generic, .comment, .alias, .creator, .type]
        for bits in 0..<256 {
            let chosen = keys.indices.filter { bits & 1 << $0 != 0 }
            let query = Fixture.query(Dictionary(uniqueKeysWithValues: chosen.map { (keys[$0], .string("a")) }))
            _ = try fixture.store.find(query, in: .groups([team, "group \(bits)"]), limit: .all)
        }
        #expect(fixture.store.reader.statementCount <= 64)
        #expect(try fixture.accounts(Fixture.query()) == ["a"])
    }
}

@Suite struct `SQLite's result codes` {
    /// The numbers of SQLite's documentation, "Result and Error Codes".
    private static let meanings: [(Int32, StoreError)] = [
        (19 | 8 << 8, .duplicate), (13, .diskFull), (10 | 19 << 8, .diskFull), (8, .readOnly),
        (8 | 6 << 8, .readOnly), (3, .readOnly), (26, .notAKeychain), (11, .damaged(.database)),
        (11 | 3 << 8, .damaged(.database)), (19 | 5 << 8, .damaged(.database)), (1, .damaged(.database)),
        (10 | 4 << 8, .inputOutput), (14, .inputOutput), (5, .inputOutput), (5 | 2 << 8, .inputOutput),
        (7, .inputOutput), (10 | 32 << 8, .damaged(.database)), (21, .closed), (14 | 2 << 8, .notAKeychain),
        (12345, .inputOutput),
    ]

    @Test(arguments: meanings) func `say what they mean`(_ code: Int32, _ error: StoreError) {
        #expect(StoreError(SQLiteError(SQLiteError.Code(rawValue: code))) == error)
    }
}
