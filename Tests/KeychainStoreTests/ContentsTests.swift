// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import KeychainStore
import SecretMemory
import SQLiteStatements
import Testing

@testable import KeychainStore

@Suite struct `The seal over all rows` {
    let directory: Directory
    let fixture: Fixture

    init() throws {
        directory = try Directory()
        fixture = try Fixture(at: .file(directory.database))
        for account in ["a", "b", "c"] {
            try fixture.add([.account: .string(account), .service: .string("s"), .label: .string(account)])
        }
        try fixture.add([.account: .string("d"), .server: .string("s")], .internetPassword)
        _ = try fixture.update(Fixture.query([.account: .string("b")]), [.label: .string("newer")])
    }

    private func query(_ account: String) -> ItemQuery { Fixture.query([.account: .string(account)]) }

    @Test func `says nothing before the rows were looked at`() throws {
        #expect(fixture.store.contentsState == .unknown)
        #expect(try fixture.store.checkContents() == .asLeft)
        #expect(fixture.store.contentsState == .asLeft)
    }

    @Test func `fits after a deletion while locked, and after each change of what opens the keychain`() throws {
        let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!
        try fixture.store.setFirstPasscode(Array("1".utf8), cost: cost)
        #expect(try fixture.store.checkContents() == .asLeft)
        try fixture.add([.account: .string("x"), .synchronizable: .number(1)])
        try fixture.add([.account: .string("y"), .accessible: .string("akpu")])
        fixture.store.lock()
        var synchronizable = query("x")
        synchronizable.synchronizable = .any
        _ = try fixture.delete(synchronizable)
        #expect(try fixture.store.checkContents() == .asLeft)
        let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, Array("1".utf8)))
        _ = try fixture.store.addProtector(
            ProtectorSecret(.passcode, Array("2".utf8)), label: "", cost: cost, with: key)
        #expect(try fixture.store.checkContents() == .asLeft)
        try fixture.store.removePasscode(with: key)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `of a new keychain is that of no rows`() throws {
        #expect(try Fixture().store.checkContents() == .asLeft)
        let empty = try Directory()
        #expect(try Fixture(at: .file(empty.database)).store.checkContents() == .asLeft)
        try empty.edit("UPDATE seal SET bytes = (SELECT bytes FROM seal)")
        #expect(try Fixture(at: .file(empty.database)).store.checkContents() == .asLeft)
    }

    /// Adding, changing, moving, deleting, with tombstones that are made, taken and swept, refused changes in between.
    @Test(arguments: [true, false]) func `fits after every change`(isFile: Bool) throws {
        let fixture = isFile ? fixture : try Fixture()
        var random = Bytes(searchFrom: 1)
        for step in 0..<400 {
            let isSynchronizable: AttributeValue = .number(Int64.random(in: 0...1, using: &random))
            let entries: [AttributeKey: AttributeValue] = [
                .account: .string("\(Int.random(in: 0..<8, using: &random))"), .synchronizable: isSynchronizable,
            ]
            var some = Fixture.query([.account: entries[.account]!])
            some.synchronizable = .any
            let itemClass: ItemClass = Bool.random(using: &random) ? .genericPassword : .internetPassword
            do throws(StoreError) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1, 2: try fixture.add(entries, itemClass)
                case 3: _ = try fixture.update(some, [.account: .string("\(Int.random(in: 0..<8, using: &random))")])
                case 4: _ = try fixture.update(some, [.label: .string("\(step)")], secret: "\(step)")
                default: _ = try fixture.delete(some)
                }
            } catch {
                #expect(error == .duplicate || error == .notFound)
            }
            if step % 20 == 0 { #expect(try fixture.store.checkContents() == .asLeft, "step \(step)") }
        }
        #expect(try fixture.store.checkContents() == .asLeft)
        guard isFile else { return }
        try fixture.store.close()
        let again = try Fixture(at: .file(directory.database))
        #expect(try again.store.checkContents() == .asLeft)
        try again.add([.account: .string("new")])
        #expect(try again.store.checkContents() == .asLeft)
    }

    @Test func `fits after a change that was undone`() throws {
        var both = Fixture.query([.service: .string("s")])
        both.attributes[.account] = nil
        #expect(throws: StoreError.duplicate) { try fixture.update(both, [.account: .string("same")]) }
        #expect(throws: StoreError.duplicate) { try fixture.add([.account: .string("a"), .service: .string("s")]) }
        #expect(try fixture.store.checkContents() == .asLeft)
        try fixture.add([.account: .string("e")])
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `fits after a damaged row was set aside`() throws {
        try directory.edit("UPDATE genp SET data = x'0102' WHERE id = 2")
        #expect(try fixture.accounts(Fixture.query([.service: .string("s")])) == ["a", "c"])
        #expect(try fixture.store.statistics().unreadable == 1)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `shows an older version of one row that was put back`() throws {
        try directory.edit("CREATE TABLE kept AS SELECT * FROM genp WHERE id = 2")
        _ = try fixture.update(query("b"), [.label: .string("newest")], secret: "newest")
        try directory.edit("DELETE FROM genp WHERE id = 2; INSERT INTO genp SELECT * FROM kept; DROP TABLE kept")
        // It opens, because its content was valid at an earlier time.
        #expect(try fixture.read(query("b")).map(\.secret) == ["secret"])
        #expect(try fixture.store.checkContents() == .changed(rowsMore: 0))
    }

    @Test func `shows a deleted row that was put back, and a row that was left out`() throws {
        try directory.edit("CREATE TABLE kept AS SELECT * FROM genp WHERE id = 2")
        _ = try fixture.delete(query("b"))
        try directory.edit("INSERT INTO genp SELECT * FROM kept; DROP TABLE kept")
        #expect(try fixture.read(query("b")).count == 1)
        #expect(try fixture.store.checkContents() == .changed(rowsMore: 1))
        try directory.edit("DELETE FROM genp WHERE id < 3")
        #expect(try fixture.store.checkContents() == .changed(rowsMore: -1))
    }

    @Test func `fits after every change of what opens the keychain, and shows an older keybag`() throws {
        let cost = try #require(ScryptCost(logN: 4, blockSize: 8, parallelism: 1))
        try fixture.store.setFirstPasscode(Array("old".utf8), cost: cost)
        #expect(try fixture.store.checkContents() == .asLeft)
        let kept = fixture.store.keybag.encoded
        let old = ProtectorSecret(.passcode, Array("old".utf8))
        let key = try fixture.store.keybagKey(for: old)
        _ = try fixture.store.addProtector(
            ProtectorSecret(.passcode, Array("new".utf8)), label: "", cost: cost, with: key)
        try fixture.add([.account: .string("e"), .accessible: .string("akpu")])
        #expect(try fixture.store.checkContents() == .asLeft)
        try fixture.store.close()
        let again = try Fixture(at: .file(directory.database))
        #expect(throws: StoreError.self) { try again.store.keybagKey(for: old) }
        #expect(try again.store.checkContents() == .asLeft)
        // The old passcode could open the keychain with it again.
        try directory.edit("UPDATE keybag SET bytes = ?", [.bytes(kept)])
        #expect(try again.store.checkContents() == .changed(rowsMore: 0))
        try again.store.acceptContents()
        try again.store.close()
        let last = try Fixture(at: .file(directory.database))
        #expect(try last.store.checkContents() == .asLeft)
        try last.store.removePasscode(with: try last.store.keybagKey(for: old))
        #expect(try last.store.checkContents() == .asLeft)
        #expect(try last.store.statistics().items[.genericPassword] == 3)
    }

    @Test(arguments: [
        "tomb = 1", "labl = (SELECT labl FROM genp WHERE id = 1)", "labl = NULL", "acct_folded = acct", "mdat = cdat",
        "id = 77", "version = version + 1", "version = 'x'", "acct = x''", "agrp = zeroblob(16)", "sync = 1",
        "item = zeroblob(16)", "item_key = zeroblob(40)", "item_key = zeroblob(39)", "accessibility = 2",
        "attributes = zeroblob(200)", "attributes = x''",
    ])
    func `shows any change of what a row is bound to or found by`(_ change: String) throws {
        try directory.edit("UPDATE genp SET \(change) WHERE id = 2")
        #expect(try fixture.store.checkContents() == .changed(rowsMore: 0))
    }

    @Test func `shows a row that moved to another table's`() throws {
        let (one, other) = (try Fixture(at: .file(directory.database)), try Directory())
        try Fixture(at: .file(other.database)).store.close()
        try one.store.close()
        try other.edit("ATTACH '\(directory.database)' AS source; INSERT INTO genp SELECT * FROM source.genp")
        // The same device key, and another keybag.
        let moved = try Fixture(at: .file(other.database))
        #expect(try moved.store.checkContents() == .changed(rowsMore: 3))
        #expect(try moved.accounts(Fixture.query([.service: .string("s")])).isEmpty)
    }

    @Test(arguments: [
        "DELETE FROM seal", "UPDATE seal SET bytes = x''", "UPDATE seal SET bytes = x'02' || substr(bytes, 2)",
        "UPDATE seal SET bytes = 5", "UPDATE seal SET bytes = substr(bytes, 1, 68)",
        "UPDATE seal SET bytes = substr(bytes, 1, 30) || x'00' || substr(bytes, 32)",
    ])
    func `that is damaged is no reason to refuse items, and is not mended by changing them`(_ change: String) throws {
        try fixture.store.close()
        try directory.edit(change)
        let again = try Fixture(at: .file(directory.database))
        #expect(try again.store.checkContents() == .sealDamaged)
        try again.add([.account: .string("e")])
        _ = try again.update(query("e"), [.label: .string("x")])
        _ = try again.delete(query("e"))
        #expect(try again.read(query("a")).map(\.secret) == ["secret"])
        #expect(try again.store.checkContents() == .sealDamaged)
        try again.store.acceptContents()
        #expect(try again.store.checkContents() == .asLeft)
    }

    @Test func `of another time or of another keychain does not fit`() throws {
        let other = try Directory()
        try Fixture(at: .file(other.database)).store.close()
        try directory.edit("CREATE TABLE kept AS SELECT * FROM seal")
        try fixture.add([.account: .string("e")])
        try directory.edit("UPDATE seal SET bytes = (SELECT bytes FROM kept)")
        #expect(try fixture.store.checkContents() == .changed(rowsMore: 1))
        try directory.edit("ATTACH '\(other.database)' AS o; UPDATE seal SET bytes = (SELECT bytes FROM o.seal)")
        #expect(try fixture.store.checkContents() == .sealDamaged)
    }

    @Test func `keeps showing a change until it is accepted, whatever else is written`() throws {
        try directory.edit("DELETE FROM genp WHERE id = 2")
        for account in ["e", "f"] { try fixture.add([.account: .string(account), .service: .string("s")]) }
        _ = try fixture.update(Fixture.query([.service: .string("s")]), [.label: .string("x")])
        _ = try fixture.delete(query("a"))
        #expect(try fixture.store.checkContents() == .changed(rowsMore: -1))
        try fixture.store.close()
        let again = try Fixture(at: .file(directory.database))
        #expect(try again.store.checkContents() == .changed(rowsMore: -1))
        try again.store.acceptContents()
        #expect(again.store.contentsState == .asLeft)
        try again.add([.account: .string("g")])
        #expect(try again.store.checkContents() == .asLeft)
    }

    @Test func `does not tell which rows there are, and is another one after every change`() throws {
        var seals: Set<Data> = [try #require(try seal())]
        for _ in 0..<5 {
            try fixture.add([.account: .string("e")])
            _ = try fixture.delete(query("e"))
            seals.insert(try #require(try seal()))
        }
        #expect(seals.count == 6 && seals.allSatisfy { $0.count == 69 })
    }

    private func seal() throws -> Data? {
        try fixture.store.reader.access { db in
            try db.value(of: "SELECT bytes FROM seal")?.bytes
        }
    }
}
