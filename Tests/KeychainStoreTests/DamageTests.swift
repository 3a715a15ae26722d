// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import KeychainModel
import KeychainSealing
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
                file: directory.database, .dataProtection, Fixture.deviceKey(), PlainKeyStorage())
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
        let queue = try DatabaseQueue(path: directory.database)
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try queue.close()
        // As a cut in the moment in which a new header is written over the old one leaves it.
        try log.write(to: URL(fileURLWithPath: directory.database + "-wal"))
        try change(at: 20)
        #expect(try !isDamaged())
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

@Suite struct `A row of another type` {
    @Test(arguments: ["last = x''", "failed = 'x'"])
    func `in the table of attempts is damage, and no crash`(_ change: String) throws {
        let directory = try Directory()
        try Fixture(at: .file(directory.database)).store.close()
        try directory.edit("UPDATE attempts SET \(change)")
        let fixture = try Fixture(at: .file(directory.database))
        #expect(throws: StoreError.damaged(.database)) { try fixture.store.attempts() }
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
        let found = try fixture.store.scanningReader().queue.unsafeRead { _ in
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
}
