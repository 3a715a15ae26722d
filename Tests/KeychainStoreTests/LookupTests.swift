// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPolicy
import KeychainSealing
import SQLiteStatements
import Testing

@testable import KeychainStore

extension Fixture {
    static func lookup(_ pairs: [String: String]) -> AttributeValue {
        // The tests stay within the limits.
        .data(try! LookupAttributes(pairs).encoded)
    }

    @discardableResult
    func add(
        _ account: String, _ pairs: [String: String], group: String = team,
        more: [AttributeKey: AttributeValue] = [:]
    ) throws(StoreError) -> StoredItem {
        let entries: [AttributeKey: AttributeValue] = [.account: .string(account), .lookup: Self.lookup(pairs)]
        return try add(entries.merging(more) { $1 }, group: group, secret: account)
    }

    /// The accounts of the items that have these pairs.
    func found(
        _ pairs: [String: String], in scope: SearchScope = own, limit: MatchLimit = .all,
        more: [AttributeKey: AttributeValue] = [:]
    ) throws -> [String] {
        let query = Self.query([.lookup: Self.lookup(pairs)].merging(more) { $1 }, sync: .any)
        return try accounts(query, in: scope, limit: limit)
    }

    /// The number of rows in the index of lookup attributes.
    func lookupRows(of id: Int64? = nil) throws -> Int64? {
        try store.reader.access { db in
            try db.rows(
                of: "SELECT count(*) FROM lookup" + (id.map { " WHERE id = \($0)" } ?? "")
            ).first?[0].integer
        }
    }
}

@Suite struct `Lookup attributes` {
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        try fixture.add("ann", ["schema": "mail", "user": "ann", "server": "a.example"])
        try fixture.add("bob", ["schema": "mail", "user": "bob", "server": "a.example"])
        try fixture.add("web", ["schema": "web", "user": "ann"])
        try fixture.add([.account: .string("none")])
    }

    @Test func `find the items that have all pairs of the search`() throws {
        #expect(try fixture.found(["schema": "mail"]) == ["ann", "bob"])
        #expect(try fixture.found(["user": "ann"]) == ["ann", "web"])
        #expect(try fixture.found(["user": "ann", "schema": "mail"]) == ["ann"])
        #expect(try fixture.found(["user": "ann", "schema": "mail", "server": "a.example"]) == ["ann"])
        for other in [
            ["user": "eve"], ["user": "ann", "schema": "mail", "server": "b.example"], ["ann": "user"],
            ["user": ""], ["schema": "web", "server": "a.example"], ["schema": "MAIL"],
        ] {
            #expect(try fixture.found(other).isEmpty, "\(other)")
        }
        // The empty set is a part of every set.
        #expect(try fixture.found([:]) == ["ann", "bob", "web", "none"])
    }

    @Test func `are returned as they were set, and compared byte by byte`() throws {
        let pairs = ["xdg:schema": "org.example.Ünïcode", "": "", "empty": "", "line": "a\nb\0c"]
        try fixture.add("all", pairs)
        let items = try fixture.read(Fixture.query([.account: .string("all")]))
        #expect(items.first?.attributes?.lookupAttributes?.pairs == pairs)
        for (name, value) in pairs { #expect(try fixture.found([name: value]) == ["all"]) }
        try fixture.add("composed", ["name": "\u{E9}"])
        try fixture.add("decomposed", ["name": "e\u{301}"])
        #expect(try fixture.found(["name": "\u{E9}"]) == ["composed"])
        #expect(try fixture.found(["name": "e\u{301}"]) == ["decomposed"])
    }

    @Test func `lead to no item that lacks a pair, whichever pair the others have`() throws {
        for number in 0..<40 {
            try fixture.add("\(number)", ["common": "yes", "third": "\(number % 3)", "number": "\(number)"])
        }
        let pairs = ["common": "yes", "third": "1", "number": "22"]
        let query = Fixture.query([.lookup: Fixture.lookup(pairs)])
        #expect(try fixture.store.find(query, in: Fixture.own, limit: .all).count == 1)
        #expect(try fixture.found(pairs) == ["22"])
        let none = Fixture.query([.lookup: Fixture.lookup(["common": "yes", "third": "2", "number": "22"])])
        #expect(try fixture.store.find(none, in: Fixture.own, limit: .all).isEmpty)
    }

    @Test func `are read from the index by the rarest pair`() throws {
        for number in 0..<200 {
            try fixture.add("\(number)", ["common": "yes", "tenth": "\(number % 10)", "half": "\(number % 2)"])
        }
        for (pairs, rarest) in [
            (["common": "yes", "tenth": "3"], ["tenth": "3"]), (["common": "yes", "half": "1"], ["half": "1"]),
            (["half": "1", "tenth": "3", "common": "yes"], ["tenth": "3"]),
        ] {
            let query = Fixture.query([.lookup: Fixture.lookup(pairs)])
            let search = try #require(
                Search(query, in: .groups([team]), reading: .all, digest: fixture.store.digests))
            let first = try fixture.store.reader.access { db in
                try search.orderedLookups(in: search.groups[0].digest, fixture.store.reader, db)?.first
            }
            #expect(try first == fixture.store.digests.lookups(LookupAttributes(rarest), .genericPassword)[0])
        }
        let absent = Fixture.query([.lookup: Fixture.lookup(["common": "yes", "tenth": "10"])])
        let search = try #require(Search(absent, in: .groups([team]), reading: .all, digest: fixture.store.digests))
        let order = try fixture.store.reader.access { db in
            try search.orderedLookups(in: search.groups[0].digest, fixture.store.reader, db)
        }
        #expect(order == nil)
    }

    @Test func `that few items have are looked up while a long list is read`() throws {
        let directory = try Directory()
        let fixture = try Fixture(at: .file(directory.database))
        for number in 0..<100 { try fixture.add("\(number)", ["common": "yes", "number": "\(number)"]) }
        let query = Fixture.query([.lookup: Fixture.lookup(["common": "yes", "number": "7"])])
        let everything = SearchScope.everything(own: [other])
        let found = try fixture.store.scanningReader().access { _ in
            try [Fixture.own, everything].map { try fixture.store.find(query, in: $0, limit: .all).count }
        }
        #expect(found == [1, 1])
        let common = Fixture.query([.lookup: Fixture.lookup(["common": "yes"])])
        let search = try #require(Search(common, in: everything, reading: .all, digest: fixture.store.digests))
        #expect(try !fixture.store.reader.access { db in try search.leadsToFew(fixture.store.reader, db) })
    }

    @Test func `are compared in index entries, before a row is read and without sorting`() throws {
        let table = try #require(ItemTable.of(.genericPassword))
        for lookups in [1, 2, 5, LookupLimits.pairs] {
            for columns in [0, 1, 1 << 2, 1 << 3, 0b1001] as [UInt32] {
                var shape = QueryShape(.genericPassword, withAttributes: true, withData: true)
                (shape.lookups, shape.columns) = (lookups, columns)
                let sql = shape.sql(table)
                var plan = try fixture.store.reader.access { db in try db.plan(of: sql) }
                #expect(plan.removeFirst() == "SEARCH i USING COVERING INDEX lookup_digest (agrp=? AND digest=?)")
                #expect(plan.removeLast() == "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)")
                let others = plan.filter { $0.hasPrefix("SEARCH") }
                #expect(others.allSatisfy { $0.hasPrefix("SEARCH l USING PRIMARY KEY (id=? AND digest=?)") }, "\(plan)")
                #expect(others.count == lookups - 1)
                #expect(!plan.contains { $0.contains("TEMP") })
            }
        }
    }

    @Test func `are combined with other attributes, folded texts and references`() throws {
        #expect(try fixture.found(["user": "ann"], more: [.account: .string("web")]) == ["web"])
        #expect(try fixture.found(["user": "bob"], more: [.account: .string("web")]).isEmpty)
        // The account and the service are looked up in the unique index.
        let key: [AttributeKey: AttributeValue] = [.account: .string("web"), .service: .string("")]
        #expect(try fixture.found(["user": "ann"], more: key) == ["web"])
        #expect(try fixture.found(["schema": "mail"], more: key).isEmpty)
        var folded = Fixture.query(
            [.lookup: Fixture.lookup(["user": "ann"]), .account: .string("WEB")], matching: .caseInsensitive)
        #expect(try fixture.accounts(folded) == ["web"])
        folded.attributes[.lookup] = Fixture.lookup(["user": "bob"])
        #expect(try fixture.accounts(folded).isEmpty)
        let ann = try fixture.read(Fixture.query([.account: .string("ann")]))[0].identifier
        var query = ItemQuery(PersistentReference(itemClass: .genericPassword, item: ann))
        query.attributes[.lookup] = Fixture.lookup(["user": "ann"])
        #expect(try fixture.accounts(query) == ["ann"])
        query.attributes[.lookup] = Fixture.lookup(["user": "bob"])
        #expect(try fixture.accounts(query).isEmpty)
        try fixture.add("sync", ["user": "ann"], more: [.synchronizable: .number(1)])
        let local = Fixture.query([.lookup: Fixture.lookup(["user": "ann"])])
        #expect(try fixture.accounts(local) == ["ann", "web"])
    }

    @Test func `are searched in the groups of the scope, own ones first, in the order of addition`() throws {
        try fixture.add("foreign", ["schema": "mail"], group: "X")
        try fixture.add("second", ["schema": "mail"], group: other)
        try fixture.add("shielded", ["schema": "mail"], group: EnforcedGroup.name(of: "Y"))
        try fixture.add("last", ["schema": "mail"])
        #expect(try fixture.found(["schema": "mail"]) == ["ann", "bob", "second", "last"])
        #expect(try fixture.found(["schema": "mail"], in: .groups([other])) == ["second"])
        let everything = SearchScope.everything(own: [other])
        #expect(try fixture.found(["schema": "mail"], in: everything) == ["second", "ann", "bob", "foreign", "last"])
        #expect(try fixture.found(["schema": "mail"], in: everything, limit: .atMost(2)) == ["second", "ann"])
        #expect(try fixture.found(["schema": "mail"], limit: .one) == ["ann"])
        #expect(
            try fixture.found(["schema": "mail"], in: .everything(own: [other], withEnforced: true)).contains(
                "shielded"))
        #expect(try fixture.found(["schema": "mail"], more: [.accessGroup: .string(other)]) == ["second"])
    }

    @Test func `of a set of the largest size are found by each pair and by all`() throws {
        let pairs = Dictionary(uniqueKeysWithValues: (0..<LookupLimits.pairs).map { ("name \($0)", "\($0)") })
        try fixture.add("largest", pairs)
        #expect(try fixture.found(pairs) == ["largest"])
        #expect(try fixture.found(["name 255": "255"]) == ["largest"])
        var other = pairs
        other["name 7"] = "8"
        #expect(try fixture.found(other).isEmpty)
        #expect(try fixture.lookupRows() == 8 + 256)
    }

    @Test func `follow an update, and leave none of the former pairs`() throws {
        let bob = Fixture.query([.account: .string("bob")])
        _ = try fixture.update(bob, [.lookup: Fixture.lookup(["user": "robert", "schema": "mail"])])
        #expect(try fixture.found(["user": "bob"]).isEmpty)
        #expect(try fixture.found(["server": "a.example"]) == ["ann"])
        #expect(try fixture.found(["user": "robert", "schema": "mail"]) == ["bob"])
        #expect(try fixture.lookupRows(of: 2) == 2)
        // Unchanged by an update of something else.
        _ = try fixture.update(bob, [.label: .string("x")], secret: "new")
        #expect(try fixture.found(["user": "robert"]) == ["bob"])
        _ = try fixture.update(bob, [.accessGroup: .string(other)])
        #expect(try fixture.found(["user": "robert"], in: .groups([other])) == ["bob"])
        #expect(try fixture.found(["user": "robert"], in: .groups([team])).isEmpty)
        _ = try fixture.update(bob, [.lookup: Fixture.lookup([:])])
        #expect(try fixture.found(["user": "robert"]).isEmpty)
        #expect(try fixture.lookupRows(of: 2) == 0)
        _ = try fixture.update(Fixture.query([.account: .string("none")]), [.lookup: Fixture.lookup(["user": "new"])])
        #expect(try fixture.found(["user": "new"]) == ["none"])
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `select the items of an update and of a deletion`() throws {
        let query = Fixture.query([.lookup: Fixture.lookup(["schema": "mail"])])
        #expect(try fixture.update(query, [.label: .string("x")]).changed?.count == 2)
        #expect(try fixture.accounts(Fixture.query([.label: .string("x")])) == ["ann", "bob"])
        #expect(try fixture.delete(query).changed?.count == 2)
        #expect(throws: StoreError.notFound) { try fixture.delete(query) }
        #expect(try fixture.accounts(Fixture.query()) == ["web", "none"])
        #expect(try fixture.lookupRows() == 2)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `of a deleted synchronizable item are gone, and those of its successor are found`() throws {
        let sync: [AttributeKey: AttributeValue] = [.synchronizable: .number(1)]
        try fixture.add("sync", ["user": "sync"], more: sync)
        let query = Fixture.query([.account: .string("sync")], sync: .any)
        _ = try fixture.delete(query)
        #expect(try fixture.found(["user": "sync"]).isEmpty)
        #expect(try fixture.lookupRows() == 8)
        try fixture.add("sync", ["user": "again"], more: sync)
        #expect(try fixture.found(["user": "again"]) == ["sync"])
        #expect(try fixture.found(["user": "sync"]).isEmpty)
        // It becomes another item, and leaves a tombstone.
        _ = try fixture.update(query, [.account: .string("moved")])
        #expect(try fixture.found(["user": "again"]) == ["moved"])
        #expect(try fixture.lookupRows() == 9)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `of an item that is deleted while it is locked are gone at once`() throws {
        let cost = try #require(ScryptCost(logN: 4, blockSize: 8, parallelism: 1))
        try fixture.store.setFirstPasscode(Array("1".utf8), cost: cost)
        try fixture.add("sync", ["user": "sync"], more: [.synchronizable: .number(1)])
        fixture.store.lock()
        _ = try fixture.delete(Fixture.query([.account: .string("sync")], sync: .any))
        #expect(try fixture.lookupRows() == 8)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `of a refused change are those before it`() throws {
        #expect(throws: StoreError.duplicate) { try fixture.add("ann", ["user": "other"]) }
        #expect(throws: StoreError.duplicate) {
            try fixture.update(
                Fixture.query([.account: .string("bob")]),
                [.account: .string("ann"), .lookup: Fixture.lookup(["user": "other"])])
        }
        #expect(try fixture.found(["user": "other"]).isEmpty)
        #expect(try fixture.found(["user": "bob"]) == ["bob"])
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `fit the seal after every change`() throws {
        var random = Bytes(searchFrom: 3)
        for _ in 0..<300 {
            let account = "\(Int.random(in: 0..<6, using: &random))"
            let sync = AttributeValue.number(Int64.random(in: 0...1, using: &random))
            let pairs = Dictionary(
                uniqueKeysWithValues: (0..<Int.random(in: 0..<4, using: &random)).map { ("\($0)", account) })
            let query = Fixture.query([.account: .string(account)], sync: .any)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: _ = try? fixture.add(account, pairs, more: [.synchronizable: sync])
            case 1: _ = try? fixture.update(query, [.lookup: Fixture.lookup(pairs), .synchronizable: sync])
            case 2: _ = try? fixture.update(query, [.account: .string("moved \(account)")])
            default: _ = try? fixture.delete(query)
            }
        }
        #expect(try fixture.lookupRows() ?? 0 > 8)
        #expect(try fixture.store.checkContents() == .asLeft)
        // Whatever is left is what the attributes state.
        #expect(try !fixture.store.rebuildLookups())
    }

    @Test func `are in a backup, and found after the restore`() throws {
        let restored = try Fixture()
        try restored.restore(try fixture.readAll().items)
        #expect(try restored.found(["schema": "mail", "user": "bob"]) == ["bob"])
        // Replaced by a newer one with other pairs.
        fixture.clock.set(900_000_000)
        let bob = Fixture.query([.account: .string("bob")])
        _ = try fixture.update(bob, [.lookup: Fixture.lookup(["user": "robert"])])
        try restored.restore(try fixture.readAll().items)
        #expect(try restored.found(["user": "robert"]) == ["bob"])
        #expect(try restored.found(["user": "bob"]).isEmpty)
        #expect(try restored.lookupRows() == 6)
        #expect(try restored.store.checkContents() == .asLeft)
    }

    @Test func `leave nothing in the file that tells what they are`() throws {
        let directory = try Directory()
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.add("a", ["name-in-clear": "value-in-clear"])
        for suffix in ["", "-wal"] {
            let file = try directory.bytes(suffix)
            #expect(file.range(of: Data("in-clear".utf8)) == nil, "\(suffix)")
        }
        // The same pair in another keychain has another digest.
        let other = try Fixture()
        let set = try LookupAttributes(["name-in-clear": "value-in-clear"])
        let digest = fixture.store.digests.lookups(set, .genericPassword)
        #expect(digest != other.store.digests.lookups(set, .genericPassword))
        // A pair has another digest than its name and value exchanged, and than the same bytes of another attribute.
        let exchanged = try LookupAttributes(["value-in-clear": "name-in-clear"])
        #expect(digest != fixture.store.digests.lookups(exchanged, .genericPassword))
        let generic = fixture.store.keyRing.digest(of: .data(set.encoded), for: .generic, in: .genericPassword)
        #expect(digest != [generic])
    }

    @Test func `are found in keychain files, which seal attributes under another key`() throws {
        let directory = try Directory()
        let file = try Fixture(at: .file(directory.database), as: .file)
        try file.add("ann", ["user": "ann"])
        try file.store.close()
        let again = try Fixture(at: .file(directory.database), as: .file)
        #expect(try again.found(["user": "ann"]) == ["ann"])
        #expect(try again.store.checkContents() == .asLeft)
    }

    @Test func `of a keychain that was made before them are found after its upgrade`() throws {
        let directory = try Directory()
        let before = try Fixture(at: .file(directory.database))
        try before.add([.account: .string("old")])
        try before.store.close()
        try directory.edit("DROP TABLE lookup; PRAGMA user_version = 5")
        let after = try Fixture(at: .file(directory.database))
        #expect(try after.store.checkContents() == .asLeft)
        #expect(try after.found(["user": "new"]).isEmpty)
        _ = try after.update(Fixture.query([.account: .string("old")]), [.lookup: Fixture.lookup(["user": "new"])])
        try after.add("new", ["user": "new"])
        #expect(try after.found(["user": "new"]) == ["old", "new"])
        #expect(try after.store.checkContents() == .asLeft)
    }
}
