// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Testing

@testable import KeychainStore

/// A generator of bytes that repeat for a seed.
///
/// The environment variable CHATELAINE_SEED, a decimal number, changes the seeds of all searches. Without it, they are fixed.
struct Bytes: RandomNumberGenerator {
    private var state: UInt64

    init(searchFrom seed: UInt64) {
        state = seed &+ (ProcessInfo.processInfo.environment["CHATELAINE_SEED"].flatMap { UInt64($0) } ?? 0)
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

@Suite struct `Salvaging a keychain` {
    private let directory: Directory
    private let snapshots: Snapshots

    init() throws {
        directory = try Directory()
        snapshots = Snapshots(
            of: directory.database, in: directory.path + "/snapshots", synchronize: { _ in }, log: { _ in })
    }

    /// A closed keychain with so many items, the number of each its account.
    private func fill(_ count: Int, snapshotAfter: Int? = nil) throws {
        let fixture = try Fixture(at: .file(directory.database))
        for number in 0..<count {
            try fixture.add([.account: .string("\(number)"), .label: .string("label")], secret: "secret \(number)")
            if number + 1 == snapshotAfter {
                try snapshots.take(now: Timestamp(secondsSinceReferenceDate: 800_000_000))
            }
        }
        try fixture.store.close()
    }

    private func salvage(
        deviceKey: DeviceKey = Fixture.deviceKey(), passcode: String? = nil
    ) throws -> (report: Salvage.Report, fixture: Fixture) {
        let new = directory.path + "/new-\(UUID().uuidString).db"
        let copy = directory.path + "/copy-\(UUID().uuidString).db"
        try FileManager.default.copyItem(atPath: directory.database, toPath: copy)
        let salvage = try Salvage(
            copy, snapshots: snapshots.paths, deviceKey: deviceKey, in: PlainKeyStorage(),
            passcode: passcode.map { ProtectorSecret(.passcode, Array($0.utf8)) })
        let report = try salvage.run(copy, snapshots: snapshots.paths, into: new)
        return (report, try Fixture(at: .file(new)))
    }

    /// All secrets by account; every one must be the right one.
    private func accounts(_ fixture: Fixture) throws -> Set<Int> {
        var accounts: Set<Int> = []
        for item in try fixture.read(Fixture.query()) {
            let account = try #require(item.attributes?[.account]?.string)
            #expect(item.secret == "secret \(account)")
            accounts.insert(try #require(Int(account)))
        }
        return accounts
    }

    private func overwrite(pages: some Sequence<Int>, _ random: inout Bytes) throws {
        var file = try directory.bytes()
        for page in pages {
            for place in page * 2048..<min((page + 1) * 2048, file.count) {
                file[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        try file.write(to: URL(fileURLWithPath: directory.database))
    }

    @Test func `of a whole one gives the same one`() throws {
        try fill(50)
        let (report, fixture) = try salvage()
        #expect(report.recovered == 50 && report.lost.isEmpty && report.fromSnapshots == 0 && !report.isUncertain)
        #expect(try accounts(fixture) == Set(0..<50))
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `saves the rest when pages are overwritten at random`(_ seed: UInt64) throws {
        let count = isLong ? 400 : 150
        try fill(count)
        var random = Bytes(searchFrom: seed)
        let pageCount = try directory.bytes().count / 2048
        // The first page names the tables; without it only a snapshot helps.
        try overwrite(pages: (0..<4).map { _ in Int.random(in: 1..<pageCount, using: &random) }, &random)
        let result: (report: Salvage.Report, fixture: Fixture)
        do {
            result = try salvage()
        } catch StoreError.damaged(.keybag) {
            // The page with the keybag was among them, and there is no snapshot.
            return
        }
        let (report, fixture) = result
        let saved = try accounts(fixture)
        #expect(saved.count == report.recovered)
        #expect(report.isUncertain || saved.count + report.lost.count == count, "\(saved.count), \(report.lost.count)")
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `fills up from snapshots, whatever page is overwritten`(_ seed: UInt64) throws {
        let count = isLong ? 300 : 100
        try fill(count, snapshotAfter: count)
        var random = Bytes(searchFrom: seed)
        let pageCount = try directory.bytes().count / 2048
        // With the first one the whole file is unreadable.
        let first = seed == 0 ? [0] : []
        try overwrite(pages: first + (0..<8).map { _ in Int.random(in: 1..<pageCount, using: &random) }, &random)
        let (report, fixture) = try salvage()
        #expect(report.lost.isEmpty)
        #expect(report.recovered + report.fromSnapshots == count)
        #expect(try accounts(fixture) == Set(0..<count))
    }

    @Test func `does not bring back what was deleted after the snapshot`() throws {
        try fill(40, snapshotAfter: 40)
        let fixture = try Fixture(at: .file(directory.database))
        _ = try fixture.delete(Fixture.query([.account: .string("7")]))
        _ = try fixture.update(Fixture.query([.account: .string("8")]), [.label: .string("newer")])
        try fixture.store.close()
        try directory.edit("UPDATE genp SET data = zeroblob(60) WHERE id IN (1, 9)")
        let (report, salvaged) = try salvage()
        // Of the ninth item, only the snapshot's version is left.
        #expect(report.recovered == 37 && report.fromSnapshots == 2 && report.lost.isEmpty)
        #expect(try accounts(salvaged) == Set(0..<40).subtracting([7]))
    }

    @Test func `names lost items where their names are intact`() throws {
        try fill(10)
        try directory.edit("UPDATE genp SET data = zeroblob(60) WHERE id = 4")
        let (report, fixture) = try salvage()
        let names = ItemNames(itemClass: .genericPassword, label: "label", place: "", account: "3")
        #expect(report.lost == [Salvage.Loss(itemClass: .genericPassword, row: 4, names: names)])
        #expect(try fixture.store.statistics().unreadable == 1)
        #expect(try accounts(fixture) == Set(0..<10).subtracting([3]))
    }

    @Test func `takes items over unchecked that are locked, and checks them with the passcode`() throws {
        let cost = try #require(ScryptCost(logN: 4, blockSize: 1, parallelism: 1))
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.store.setFirstPasscode(Array("1234".utf8), cost: cost)
        for number in 0..<5 { try fixture.add([.account: .string("\(number)")], secret: "secret \(number)") }
        try fixture.add([.account: .string("5"), .accessible: .string("dk")], secret: "secret 5")
        let item = GuessableSecret.item(ItemIdentifier(value: 9))
        let last = Timestamp(secondsSinceReferenceDate: 1)
        try fixture.store.record([
            .protector(.passcode): Attempts(failed: 3, last: last), item: Attempts(failed: 4, last: last),
        ])
        try fixture.store.close()
        try directory.edit("UPDATE genp SET data = zeroblob(60) WHERE id = 1")

        let blind = try salvage()
        #expect(blind.report.recovered == 6 && blind.report.unchecked == 5 && blind.report.lost.isEmpty)
        #expect(try blind.fixture.store.attempts(of: .protector(.passcode)).failed == 3)
        #expect(try blind.fixture.store.attempts(of: .protector(.loginPassword)).failed == 0)
        #expect(try blind.fixture.store.attempts(of: item).failed == 4)
        let seeing = try salvage(passcode: "1234")
        #expect(seeing.report.recovered == 5 && seeing.report.unchecked == 0 && seeing.report.lost.count == 1)
        #expect(throws: StoreError.refused(Refusal(.authenticationFailed, .wrongSecret))) {
            try salvage(passcode: "4321")
        }
    }

    @Test func `saves the changes in the log of a killed service`() throws {
        try fill(20)
        let fixture = try Fixture(at: .file(directory.database))
        for number in 20..<30 { try fixture.add([.account: .string("\(number)")], secret: "secret \(number)") }
        // As the files lie there while the service runs.
        let copy = directory.path + "/killed.db"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: directory.database + suffix, toPath: copy + suffix)
        }
        let new = directory.path + "/new.db"
        let salvage = try Salvage(
            copy, snapshots: [], deviceKey: Fixture.deviceKey(), in: PlainKeyStorage(),
            passcode: ProtectorSecret<[UInt8]>?.none)
        let report = try salvage.run(copy, snapshots: [], into: new)
        #expect(report.recovered == 30 && report.lost.isEmpty)
        #expect(try accounts(try Fixture(at: .file(new))) == Set(0..<30))
    }

    @Test(arguments: [
        ("id INTEGER PRIMARY", "id INTEGXR PRIMARY"), ("id INTEGER", "ad INTEGER"), ("data BLOB", "dbta BLOB"),
        ("TABLE genp", "TABLE ggnp"), ("PRIMARY", "PRIMARX"), ("item BLOB", "jtem BLOB"),
        ("version INTEGER", "version+INTEGER"), ("accc BLOB, cdat", "accc BLOBl cdat"), ("mdat BLOB,", "mdat BLOB "),
        ("data BLOB NOT NULL", "data BLOB AOT NULL"), ("attributes BLOB", "attributes(BLOB"),
        ("acct BLOB", "acct,BLOB"),
    ])
    func `saves the rows of a table whose schema is damaged`(_ whole: String, _ damaged: String) throws {
        try fill(20)
        try directory.edit(
            """
            PRAGMA writable_schema = ON; \
            UPDATE sqlite_master SET sql = replace(sql, '\(whole)', '\(damaged)') WHERE type = 'table' AND name = 'genp'
            """)
        let (report, salvaged) = try salvage()
        #expect(report.recovered == 20 && report.lost.isEmpty)
        #expect(try accounts(salvaged) == Set(0..<20))
    }

    @Test func `saves the rows in whose place another table's are found`() throws {
        try fill(20)
        let fixture = try Fixture(at: .file(directory.database))
        for number in 0..<3 { try fixture.add([.server: .string("\(number)")], .internetPassword) }
        try fixture.store.close()
        let other = UInt32(try directory.root(of: "inet"))
        try directory.changeFirstEntry(of: "genp") { $0.page = other }
        let (report, salvaged) = try salvage()
        #expect(report.recovered == 23 && report.lost.isEmpty)
        #expect(try accounts(salvaged) == Set(0..<20))
    }

    @Test(arguments: [1, 3, 9] as [UInt8])
    func `saves a row whose number was changed, and the row that has the number`(_ number: UInt8) throws {
        let fixture = try Fixture(at: .file(directory.database))
        for server in ["a", "b", "c"] { try fixture.add([.server: .string(server)], .internetPassword, secret: server) }
        try fixture.store.close()
        try directory.renumber(2, of: "inet", to: number)
        let (report, salvaged) = try salvage()
        #expect(report.recovered == 3 && report.lost.isEmpty)
        let found = try salvaged.read(Fixture.query([:], .internetPassword))
        #expect(Set(found.map(\.secret)) == ["a", "b", "c"])
        #expect(try salvaged.store.statistics().unreadable == 0)
    }

    @Test(arguments: [
        "acct_folded = zeroblob(16)", "acct_folded = NULL", "labl = x'00'", "labl = NULL", "desc = zeroblob(16)",
        "unreadable = 1", "tomb = 7",
    ])
    func `puts right by what an item is found`(_ change: String) throws {
        let fixture = try Fixture(at: .file(directory.database))
        for account in ["Anna", "Berta"] {
            try fixture.add([.account: .string(account), .label: .string("label")], secret: account)
        }
        try fixture.store.close()
        let before = try index()
        try directory.edit("UPDATE genp SET \(change) WHERE id = 1")
        let (report, salvaged) = try salvage()
        #expect(report.recovered == 2 && report.lost.isEmpty)
        let account: [AttributeKey: AttributeValue] = [.account: .string("Anna")]
        #expect(try salvaged.read(Fixture.query(account)).map(\.secret) == ["Anna"])
        #expect(try index(salvaged) == before)
    }

    @Test func `an item that was set aside stays so where another has its place`() throws {
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.add([.account: .string("a")], secret: "old")
        try directory.edit("UPDATE genp SET unreadable = 1")
        try fixture.add([.account: .string("a")], secret: "new")
        try fixture.store.close()
        let (report, salvaged) = try salvage()
        #expect(report.recovered == 1 && report.lost.map(\.row) == [1])
        #expect(try salvaged.read(Fixture.query()).map(\.secret) == ["new"])
    }

    /// Returns the columns of the rows, without the sealed ones.
    private func index(_ fixture: Fixture? = nil) throws -> [[SQLiteValue]] {
        let fixture = try fixture ?? Fixture(at: .file(directory.database))
        return try fixture.store.reader.access { db in
            let names = try PreparedStatement(db, sql: "SELECT * FROM genp").columnNames.filter {
                !["item_key", "attributes", "data"].contains($0)
            }
            return try db.rows(of: "SELECT \(names.joined(separator: ", ")) FROM genp ORDER BY id")
        }
    }

    @Test func `saves an item that only seems to be deleted`() throws {
        try fill(10)
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.add([.account: .string("without secret")], secret: nil)
        try fixture.store.close()
        try directory.edit("UPDATE genp SET tomb = 1 WHERE id IN (4, 11)")
        let (report, salvaged) = try salvage()
        #expect(report.recovered == 11 && report.lost.isEmpty)
        #expect(try salvaged.accounts(Fixture.query()).count == 11)
    }

    @Test func `keeps tombstones and the numbering of rows`() throws {
        let fixture = try Fixture(at: .file(directory.database))
        try fixture.add([.account: .string("0"), .synchronizable: .number(1)])
        try fixture.add([.account: .string("1")])
        try fixture.add([.account: .string("2")])
        _ = try fixture.delete(Fixture.query([.account: .string("0")], sync: .any))
        _ = try fixture.delete(Fixture.query([.account: .string("2")]))
        try fixture.store.close()
        let (report, salvaged) = try salvage()
        #expect(report.recovered == 1 && report.lost.isEmpty)
        try salvaged.add([.account: .string("3")])
        let rows = try salvaged.store.reader.access { db in
            try db.rows(of: "SELECT id FROM genp ORDER BY id")
        }
        #expect(rows == [[.integer(1)], [.integer(2)], [.integer(4)]])
    }

    @Test func `saves a keychain file, and its locked items unchecked without its password`() throws {
        let cost = try #require(ScryptCost(logN: 4, blockSize: 1, parallelism: 1))
        let item: [AttributeKey: AttributeValue] = [.accessible: .string("aku")]
        let fixture = try Fixture(at: .file(directory.database), as: .file)
        try fixture.store.setFirstPasscode(Array("sesame".utf8), cost: cost)
        for number in 0..<40 {
            try fixture.add(item.merging([.account: .string("\(number)")]) { $1 }, secret: "secret \(number)")
        }
        try fixture.store.close()
        try directory.edit("UPDATE genp SET data = zeroblob(60) WHERE id IN (3, 4)")
        func salvaged(_ kind: StoreKind, _ password: String?) throws -> (report: Salvage.Report, path: String) {
            let new = directory.path + "/new-\(UUID().uuidString).db"
            let salvage = try Salvage(
                directory.database, of: kind, snapshots: [], deviceKey: Fixture.deviceKey(), in: PlainKeyStorage(),
                passcode: password.map { ProtectorSecret(.passcode, Array($0.utf8)) })
            return (try salvage.run(directory.database, snapshots: [], into: new), new)
        }
        let blind = try salvaged(.file, nil).report
        // Its attributes open without the password; of two items they show that their secrets are none.
        #expect(blind.unchecked == 38 && blind.recovered == 38 && blind.lost.count == 2)
        let (report, path) = try salvaged(.file, "sesame")
        #expect(report.recovered == 38 && report.unchecked == 0 && report.lost.count == 2)
        // It is a keychain file with the same password, and no other kind of keychain.
        let new = try Fixture(at: .file(path), as: .file)
        let secret = ProtectorSecret(.passcode, Array("sesame".utf8))
        let key = try new.store.keybagKey(for: secret)
        #expect(try new.store.unlock(with: key, since: new.store.epoch))
        #expect(try accounts(new) == Set(0..<40).subtracting([2, 3]))
        try new.store.close()
        #expect(throws: StoreError.self) { try Fixture(at: .file(path)) }
        #expect(throws: StoreError.refused(Refusal(.authenticationFailed, .wrongSecret))) {
            try salvaged(.file, "other")
        }
    }

    @Test func `needs the device key`() throws {
        try fill(1)
        let other = try DeviceKey.generate(in: PlainKeyStorage())
        #expect(throws: StoreError.wrongDeviceKey) { try salvage(deviceKey: other) }
    }
}

/// Whether the tests may take long: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
