// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Testing

@testable import KeychainStore

private let names = ["a", "b", "c"]

extension Fixture {
    fileprivate func fill() throws {
        for account in names { try add(account, ["common": "yes", "user": account]) }
    }

    /// Each item must be found by its pair, and all by the pair that they share.
    fileprivate func expectAllFound() throws {
        for account in names { #expect(try found(["user": account]) == [account]) }
        #expect(try found(["common": "yes"]) == names)
    }

    /// Items may be missing, but no other item may be found.
    fileprivate func expectNoneConfused() throws {
        for account in names { #expect(try found(["user": account]).allSatisfy { $0 == account }) }
        #expect(try found(["common": "yes"]).allSatisfy(names.contains))
        #expect(try found(["common": "yes", "user": "b"]).allSatisfy { $0 == "b" })
    }

    fileprivate func unlock(_ passcode: String) throws {
        let epoch = store.epoch
        let key = try store.keybagKey(for: ProtectorSecret(.passcode, Array(passcode.utf8)))
        #expect(try store.unlock(with: key, since: epoch))
    }
}

private let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!

@Suite struct `A damaged index of lookup attributes` {
    private let directory: Directory
    private let fixture: Fixture

    init() throws {
        directory = try Directory()
        fixture = try Fixture(at: .file(directory.database))
        try fixture.fill()
    }

    private static let exchange = [
        "UPDATE lookup SET id = id + 100 WHERE id < 3", "UPDATE lookup SET id = 103 - id WHERE id > 100",
    ]

    private func change(_ statements: [String]) throws {
        for statement in statements { try directory.edit(statement) }
    }

    @Test(arguments: [
        ["DELETE FROM lookup"], ["DELETE FROM lookup WHERE id = 2"], exchange,
        ["UPDATE lookup SET digest = 5 WHERE id = 2 AND digest = (SELECT max(digest) FROM lookup WHERE id = 2)"],
        ["UPDATE lookup SET agrp = zeroblob(16) WHERE id = 2"], ["UPDATE lookup SET agrp = 'x' WHERE id = 2"],
        ["INSERT OR REPLACE INTO lookup SELECT 3, digest, agrp FROM lookup WHERE id = 2"],
    ])
    func `leads to no other item, and is built from the sealed attributes again`(_ statements: [String]) throws {
        try change(statements)
        try fixture.expectNoneConfused()
        #expect(try fixture.store.checkContents() == .asLeft)
        try fixture.expectAllFound()
        #expect(try fixture.lookupRows() == 6)
        #expect(try fixture.store.checkIndices() == .whole)
    }

    @Test func `has no other item changed or deleted`() throws {
        try change(Self.exchange)
        let query = Fixture.query([.lookup: Fixture.lookup(["user": "a"])])
        #expect(throws: StoreError.notFound) { try fixture.update(query, [.label: .string("x")]) }
        #expect(throws: StoreError.notFound) { try fixture.delete(query) }
        #expect(try fixture.accounts(Fixture.query()) == names)
        #expect(try fixture.accounts(Fixture.query([.label: .string("x")])).isEmpty)
    }

    @Test func `with the pairs of an older version of an item is built from the current version`() throws {
        try directory.edit("CREATE TABLE kept AS SELECT * FROM lookup")
        let query = Fixture.query([.account: .string("b")])
        _ = try fixture.update(query, [.lookup: Fixture.lookup(["user": "new"])])
        try change(["DELETE FROM lookup", "INSERT INTO lookup SELECT * FROM kept", "DROP TABLE kept"])
        #expect(try fixture.found(["user": "b"]).isEmpty)
        #expect(try fixture.store.checkContents() == .asLeft)
        #expect(try fixture.found(["user": "new"]) == ["b"])
        #expect(try fixture.lookupRows(of: 2) == 1)
    }

    @Test func `that lacks entries of its table is rebuilt at the start`() throws {
        try fixture.store.close()
        // The index gets a condition, is rebuilt with it, and loses it.
        let condition = " WHERE id = 1"
        try directory.edit(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = sql || '\(condition)' WHERE name = 'lookup_digest';
            """)
        try directory.edit("REINDEX lookup_digest")
        try directory.edit(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, '\(condition)', '') WHERE name = 'lookup_digest';
            """)
        let damaged = try Fixture(at: .file(directory.database))
        #expect(try damaged.found(["user": "b"]).isEmpty)
        #expect(try damaged.store.checkIndices() == .builtAnew)
        try damaged.expectAllFound()
        #expect(try damaged.store.checkContents() == .asLeft)
    }

    @Test func `with rows of no item is reported until it is accepted, and such a row prevents no new item`() throws {
        let digest = fixture.store.digests.lookups(try LookupAttributes(["user": "d"]), .genericPassword)[0]
        try directory.edit("INSERT INTO lookup VALUES (4, ?, zeroblob(16))", [.bytes(Data(digest.bytes))])
        try directory.edit("INSERT INTO lookup VALUES (77, zeroblob(16), zeroblob(16))")
        #expect(try fixture.store.checkContents() == .changed(rowsMore: 2))
        // The row number of the first of these is the next one.
        try fixture.add("d", ["user": "d"])
        #expect(try fixture.found(["user": "d"]) == ["d"])
        #expect(try fixture.store.checkContents() == .changed(rowsMore: 1))
        try fixture.store.acceptContents()
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `is built again even if the seal is damaged, or the contents are accepted before they are checked`()
        throws
    {
        try change(["DELETE FROM lookup", "DELETE FROM seal"])
        #expect(try fixture.store.checkContents() == .sealDamaged)
        try fixture.expectAllFound()
        try directory.edit("DELETE FROM lookup")
        try fixture.store.acceptContents()
        #expect(try fixture.store.checkContents() == .asLeft)
        try fixture.expectAllFound()
    }

    @Test func `of locked items is built again after the keychain is unlocked`() throws {
        try fixture.store.setFirstPasscode(Array("1".utf8), cost: cost)
        try fixture.add("always", ["user": "always"], more: [.accessible: .string("dk")])
        try fixture.store.close()
        try directory.edit("DELETE FROM lookup")
        let locked = try Fixture(at: .file(directory.database))
        #expect(try locked.store.checkContents() == .changed(rowsMore: -6))
        #expect(try locked.found(["user": "always"]) == ["always"])
        #expect(!locked.store.hasLookupsToCorrect)
        try locked.unlock("1")
        #expect(locked.store.hasLookupsToCorrect)
        #expect(try locked.store.checkContents() == .asLeft)
        #expect(!locked.store.hasLookupsToCorrect)
        for account in names { #expect(try locked.found(["user": account]) == [account]) }
    }

    @Test func `is left as it is in a database with damaged pages`() throws {
        for number in 0..<30 { try fixture.add([.account: .string("\(number)")]) }
        try fixture.store.close()
        try directory.edit("DELETE FROM lookup; PRAGMA wal_checkpoint(TRUNCATE)")
        try directory.changeFirstEntry(of: "genp") { $0.row -= 1 }
        let damaged = try Fixture(at: .file(directory.database))
        #expect(try damaged.store.checkContents() == .changed(rowsMore: -6))
        #expect(try damaged.lookupRows() == 0)
    }

    @Test func `leads to no item that is set aside, nor keeps a new item from its place`() throws {
        try directory.edit("UPDATE genp SET data = x'0102' WHERE id = 2")
        #expect(try fixture.found(["user": "b"]).isEmpty)
        #expect(try fixture.found(["common": "yes"]) == ["a", "c"])
        #expect(try fixture.store.statistics().unreadable == 1)
        #expect(try fixture.store.checkContents() == .asLeft)
        try fixture.add("b", ["user": "b"])
        #expect(try fixture.found(["user": "b"]) == ["b"])
        #expect(try fixture.store.checkContents() == .asLeft)
    }
}

@Suite struct `Salvaged lookup attributes` {
    private let directory: Directory
    private let snapshots: Snapshots

    init() throws {
        directory = try Directory()
        snapshots = Snapshots(
            of: directory.database, in: directory.path + "/snapshots", synchronize: { _ in }, log: { _ in })
    }

    private func fill(passcode: String? = nil, takesSnapshot: Bool = false) throws {
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.fill()
        if let passcode { try fixture.store.setFirstPasscode(Array(passcode.utf8), cost: cost) }
        if takesSnapshot { try snapshots.take(now: Timestamp(secondsSinceReferenceDate: 800_000_000)) }
        try fixture.store.close()
    }

    private func destroy(_ name: String) throws {
        var file = try directory.bytes()
        let page = (try directory.root(of: name) - 1) * DatabasePages.usualPageSize
        file.replaceSubrange(page..<page + DatabasePages.usualPageSize, with: Data(count: DatabasePages.usualPageSize))
        try file.write(to: URL(fileURLWithPath: directory.database))
    }

    private func salvage() throws -> Fixture {
        let (new, copy) = (directory.path + "/new.db", directory.path + "/copy.db")
        try FileManager.default.copyItem(atPath: directory.database, toPath: copy)
        let salvage = try Salvage(
            copy, snapshots: snapshots.paths, deviceKey: Fixture.deviceKey(), in: PlainKeyStorage(),
            passcode: ProtectorSecret<[UInt8]>?.none)
        let report = try salvage.run(copy, snapshots: snapshots.paths, into: new)
        #expect(report.recovered + report.fromSnapshots == 3 && report.lost.isEmpty)
        return try Fixture(at: .file(new))
    }

    @Test(arguments: [[], ["lookup"], ["lookup_digest"], ["lookup", "lookup_digest"]])
    func `are found, whatever part of their index is destroyed`(_ destroyed: [String]) throws {
        try fill()
        for name in destroyed { try destroy(name) }
        let salvaged = try salvage()
        try salvaged.expectAllFound()
        #expect(try salvaged.store.checkContents() == .asLeft)
    }

    @Test(arguments: [[], ["lookup"], ["lookup_digest"]])
    func `of locked items are copied from the table or its index`(_ destroyed: [String]) throws {
        try fill(passcode: "1")
        for name in destroyed { try destroy(name) }
        let salvaged = try salvage()
        #expect(try salvaged.lookupRows() == 6)
        try salvaged.unlock("1")
        try salvaged.expectAllFound()
        #expect(try salvaged.store.checkContents() == .asLeft)
    }

    @Test(arguments: [nil, "1"])
    func `of an item that only a snapshot has are found`(passcode: String?) throws {
        try fill(passcode: passcode, takesSnapshot: true)
        try directory.edit("UPDATE genp SET attributes = zeroblob(60), version = 'x' WHERE id = 2")
        try directory.edit("DELETE FROM lookup WHERE id = 2")
        let salvaged = try salvage()
        if let passcode { try salvaged.unlock(passcode) }
        try salvaged.expectAllFound()
        #expect(try salvaged.store.checkContents() == .asLeft)
    }
}
