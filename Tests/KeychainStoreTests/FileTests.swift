// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import KeychainStore
import SQLiteStatements
import Testing

@testable import KeychainStore

@Suite struct `The file` {
    let directory: Directory
    init() throws { directory = try Directory() }

    private func open(_ key: DeviceKey = Fixture.deviceKey()) throws(StoreError) -> Fixture {
        try Fixture(at: .file(directory.database), deviceKey: key)
    }

    @Test func `items are there again after closing and opening`() throws {
        var fixture = try open()
        let stored = try fixture.add([.account: .string("jenny")])
        try fixture.store.close()
        #expect(throws: StoreError.closed) { try fixture.read(Fixture.query()) }
        #expect(throws: StoreError.closed) { try fixture.add([:]) }
        fixture = try open()
        #expect(try fixture.read(Fixture.query()).map(\.identifier) == [stored.identifier])
    }

    @Test func `items are there again without closing`() throws {
        let first = try open()
        try first.add([.account: .string("jenny")])
        let second = try open()
        #expect(try second.accounts(Fixture.query()) == ["jenny"])
    }

    @Test func `a search through all items is not made where lookups wait for it`() throws {
        let fixture = try open()
        try fixture.add([.account: .string("jenny"), .service: .string("mail")])
        let store = fixture.store
        #expect(try fixture.accounts(Fixture.query()) == ["jenny"])
        #expect(try fixture.accounts(Fixture.query([.isInvisible: .number(1)])) == [])
        #expect(store.reader.statementCount == 0)
        let scanner = try store.scanningReader()
        #expect(scanner !== store.reader && scanner.statementCount == 2)
        let key = Fixture.query([.account: .string("jenny"), .service: .string("mail")])
        #expect(try fixture.accounts(key) == ["jenny"])
        #expect(store.reader.statementCount == 1 && scanner.statementCount == 2)
        try store.close()
        #expect(throws: StoreError.closed) { try store.scanningReader() }
    }

    @Test func `what was acknowledged is there after the process was killed`() async throws {
        let (path, key) = (directory.database, Array(try Fixture.deviceKey().encoded()))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, key = key as [UInt8]] in
            let deviceKey = try DeviceKey(decoding: key, in: PlainKeyStorage())
            let fixture = try Fixture(at: .file(path), deviceKey: deviceKey)
            for number in 0..<5 { try fixture.add([.account: .string("\(number)")]) }
            kill(getpid(), SIGKILL)
        }
        #expect(try open().accounts(Fixture.query()) == ["0", "1", "2", "3", "4"])
    }

    @Test func `a database that was killed while it was made is made anew`() throws {
        // SQLite writes the first page of a database with a rollback journal. Copied in the middle of that, as a killed
        // process leaves them.
        let unfinished = try Directory()
        let db = try Database(path: unfinished.database)
        try db.execute("PRAGMA page_size = 2048; PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN")
        try db.execute("CREATE TABLE t (x)")
        for _ in 0..<100 { try db.execute("INSERT INTO t VALUES (randomblob(2000))") }
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(
                atPath: unfinished.database + suffix, toPath: directory.database + suffix)
        }
        try db.execute("ROLLBACK")
        let journal = try FileManager.default.attributesOfItem(atPath: directory.database + "-journal")
        #expect(journal[.size] as? Int != 0)
        let fixture = try open()
        try fixture.add([.account: .string("ann")])
        #expect(try fixture.accounts(Fixture.query()) == ["ann"])
    }

    @Test func `the promised settings are in force`() throws {
        let store = try open().store
        let (writer, reader) = (store.writer, store.reader)
        func pragma(_ name: String, _ connection: Connection) throws -> SQLiteValue? {
            try connection.access { db in try db.value(of: "PRAGMA \(name)") }
        }
        #expect(try pragma("journal_mode", writer) == .text("wal"))
        #expect(try pragma("synchronous", writer) == .integer(2))
        #expect(try pragma("page_size", writer) == .integer(2048))
        #expect(try pragma("application_id", writer) == .integer(0x4348_544C))
        #expect(try pragma("user_version", writer) == .integer(Int64(Migrations.steps.count)))
        for connection in [writer, reader] {
            #expect(try pragma("secure_delete", connection) == .integer(1))
            #expect(try pragma("foreign_keys", connection) == .integer(1))
            #expect(try pragma("busy_timeout", connection) == .integer(5000))
            #expect(try pragma("trusted_schema", connection) == .integer(0))
            #expect(try pragma("cell_size_check", connection) == .integer(1))
        }
        #expect(reader !== writer)
        #expect(throws: SQLiteError(.readOnly)) {
            try reader.access { db throws(SQLiteError) in try db.execute("DELETE FROM genp") }
        }
    }

    @Test func `one thread at a time uses a connection to it, also after uses that failed`() throws {
        let connection = try open().store.writer
        try connection.access { db in try db.execute("CREATE TABLE counts (x); INSERT INTO counts VALUES (0)") }
        let ends = DispatchSemaphore(value: 0)
        for _ in 0..<8 {
            Thread.detachNewThread {
                for number in 0..<50 {
                    // Two statements, so a use by another thread between them would lose a count.
                    try? connection.access { db in
                        let count = try db.value(of: "SELECT x FROM counts")?.integer ?? 0
                        try db.execute("UPDATE counts SET x = ?", [.integer(count + 1)])
                        if number.isMultiple(of: 2) { throw StoreError.notFound }
                    }
                }
                ends.signal()
            }
        }
        for _ in 0..<8 { ends.wait() }
        #expect(try connection.access { db in try db.value(of: "SELECT x FROM counts") } == .integer(400))
    }

    @Test func `only its owner can read it`() throws {
        let fixture = try open()
        try fixture.add([:])
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.database + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
    }

    @Test func `no attribute and no secret stands in it in clear`() throws {
        let fixture = try open()
        let words = ["accountname", "servicename", "labelname", "TEAM.app", "correct horse"]
        try fixture.add(
            [.account: .string(words[0]), .service: .string(words[1]), .label: .string(words[2])], secret: words[4])
        _ = try fixture.update(Fixture.query(), [.comment: .string(words[0])])
        let log = try directory.bytes("-wal")
        #expect(log.count > 4096)
        try fixture.store.close()
        let file = try directory.bytes()
        #expect(file.range(of: Data("CREATE TABLE genp".utf8)) != nil)
        for word in words {
            for bytes in [log, file] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)") }
        }
    }

    @Test func `the sealed bytes of a deleted item are overwritten`() throws {
        let fixture = try open()
        try fixture.add([:])
        let found = try fixture.store.find(Fixture.query(), in: Fixture.own, limit: .one)
        let box = try #require(found.rows[0].content?.attributes)
        _ = try fixture.delete(Fixture.query())
        try fixture.store.close()
        #expect(try directory.bytes().range(of: box) == nil)
    }

    @Test func `a row number is never used again, not even by the next process`() throws {
        var fixture = try open()
        for account in ["a", "b", "c"] { try fixture.add([.account: .string(account)]) }
        _ = try fixture.delete(Fixture.query([.account: .string("b")]))
        _ = try fixture.delete(Fixture.query([.account: .string("c")]))
        try fixture.store.close()
        fixture = try open()
        try fixture.add([.account: .string("d")])
        func accounts(row: UInt8) throws -> [String] {
            var query = Fixture.query()
            query.persistentReference = PersistentReference(bytes: Array("genp".utf8) + [0, 0, 0, 0, 0, 0, 0, row])
            return try fixture.accounts(query)
        }
        #expect(try (1...4).map(accounts) == [["a"], [], [], ["d"]])
    }

    @Test func `another device key is refused, and the file stays as it is`() throws {
        try open().store.close()
        let before = try directory.bytes()
        let another = try DeviceKey.generate(in: PlainKeyStorage())
        #expect(throws: StoreError.wrongDeviceKey) { try open(another) }
        #expect(try directory.bytes() == before)
        #expect(throws: Never.self) { try open() }
    }

    @Test(arguments: [
        ("PRAGMA application_id = 1", StoreError.notAKeychain),
        ("PRAGMA user_version = \(Migrations.steps.count + 1)", .newerVersion),
        ("PRAGMA user_version = 0", .damaged(.database)),
        ("UPDATE keybag SET bytes = x'00'", .damaged(.keybag)),
        ("UPDATE keybag SET bytes = x'4348544C4B424702'", .newerVersion),
        ("DELETE FROM keybag", .damaged(.keybag)),
        ("DROP TABLE keybag", .damaged(.database)),
    ])
    func `a database that is not in order is refused, and stays as it is`(_ sql: String, _ error: StoreError) throws {
        try open().store.close()
        try directory.edit(sql)
        let before = try directory.bytes()
        #expect(throws: error) { try open() }
        #expect(try directory.bytes() == before)
    }

    @Test(arguments: [
        Data("This is a letter, and not a short one.".utf8), Data(repeating: 0, count: 4096),
        Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 5000),
    ])
    func `a file that is something else is refused, and stays as it is`(_ bytes: Data) throws {
        try bytes.write(to: URL(fileURLWithPath: directory.database))
        #expect(throws: StoreError.notAKeychain) { try open() }
        #expect(try directory.bytes() == bytes)
    }

    @Test func `another user's database is refused, and stays as it is`() throws {
        try directory.edit("CREATE TABLE notes (text TEXT)")
        let before = try directory.bytes()
        #expect(throws: StoreError.notAKeychain) { try open() }
        #expect(try directory.bytes() == before)
    }

    @Test func `an empty file becomes a keychain`() throws {
        try Data().write(to: URL(fileURLWithPath: directory.database))
        #expect(throws: Never.self) { try open().add([:]) }
    }

    @Test func `a creation that was cut off begins anew`() throws {
        // The file that SQLite leaves if only the journal mode has been written.
        try directory.edit("PRAGMA journal_mode = WAL")
        #expect(throws: Never.self) { try open().add([:]) }
    }

    @Test func `a missing directory, or one in the file's place, is an error`() throws {
        #expect(throws: StoreError.inputOutput) { try Fixture(at: .file(directory.path + "/none/keychain.db")) }
        #expect(throws: StoreError.inputOutput) { try Fixture(at: .file(directory.path)) }
    }

    @Test func `a full disk is said to be one, and what was there stays`() throws {
        let fixture = try open()
        try fixture.add([.account: .string("first")])
        try fixture.store.writer.access { db in
            try db.execute("PRAGMA max_page_count = 1")  // becomes the present size
        }
        let big = String(repeating: "x", count: 1 << 20)
        #expect(throws: StoreError.diskFull) { try fixture.add([.account: .string("second")], secret: big) }
        #expect(throws: StoreError.diskFull) { try fixture.update(Fixture.query(), [:], secret: big) }
        #expect(try fixture.read(Fixture.query()).map(\.secret) == ["secret"])
        try fixture.store.writer.access { db in
            try db.execute("PRAGMA max_page_count = 100000")
        }
        #expect(throws: Never.self) { try fixture.add([.account: .string("second")], secret: big) }
    }

    // Permissions do not stop the super-user, as whom tests may run; query_only makes SQLite report the same error.
    @Test func `a store that cannot be written can still be read`() throws {
        let fixture = try open()
        try fixture.add([.account: .string("first")])
        try fixture.store.writer.access { db in try db.execute("PRAGMA query_only = ON") }
        #expect(throws: StoreError.readOnly) { try fixture.add([:]) }
        #expect(throws: StoreError.readOnly) { try fixture.update(Fixture.query(), [.label: .string("x")]) }
        #expect(throws: StoreError.readOnly) { try fixture.delete(Fixture.query()) }
        #expect(try fixture.accounts(Fixture.query()) == ["first"])
    }

    @Test func `readers and writers on many threads get along`() async throws {
        let fixture = try open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        try fixture.add([.account: .string("\(worker) \(number)"), .service: .string("\(worker)")])
                        let found = try fixture.read(Fixture.query([.service: .string("\(worker)")]))
                        #expect(found.count == number + 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.store.statistics().items[.genericPassword] == 200)
    }
}
