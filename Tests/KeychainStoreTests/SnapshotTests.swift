// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import SecretMemory
import SQLiteStatements
import Testing

@testable import KeychainStore

private let day = 86_400.0
private let start = 800_000_000.0

private func moment(_ days: Double) -> Timestamp { Timestamp(secondsSinceReferenceDate: start + days * day) }

extension Directory {
    fileprivate var snapshots: Snapshots {
        Snapshots(of: database, in: path + "/snapshots", synchronize: { _ in }, log: { _ in })
    }
}

@Suite struct `Snapshots of a keychain` {
    private let directory: Directory
    private let snapshots: Snapshots
    private let fixture: Fixture

    init() throws {
        directory = try Directory()
        snapshots = directory.snapshots
        fixture = try Fixture(at: .file(directory.database), snapshots: snapshots)
    }

    private func restored(_ path: String) throws -> Fixture {
        let copy = directory.path + "/copy-\(UUID().uuidString).db"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return try Fixture(at: .file(copy))
    }

    @Test func `are made once a day and are keychains themselves`() throws {
        try fixture.add([.account: .string("ann")])
        #expect(try snapshots.takeDaily(now: moment(0), count: 7, days: 30) > .zero)
        try fixture.add([.account: .string("bob")])
        try snapshots.takeDaily(now: moment(0.1), count: 7, days: 30)
        #expect(snapshots.paths.count == 1)
        #expect(try restored(snapshots.paths[0]).accounts(Fixture.query()) == ["ann"])
        try snapshots.takeDaily(now: moment(1), count: 7, days: 30)
        #expect(snapshots.paths.count == 2)
        #expect(try restored(snapshots.paths[0]).accounts(Fixture.query()).sorted() == ["ann", "bob"])
    }

    @Test func `are made before a database of an earlier version is upgraded, and open afterwards`() throws {
        try fixture.add([.account: .string("ann")], secret: "before")
        try fixture.store.close()
        // As version 1 left it, which knew no certificates and keys.
        try directory.edit(
            """
            DROP TABLE lookup; DROP TABLE guesses; DROP TABLE enforced_groups; DROP TABLE enrolment; DROP TABLE cert; DROP TABLE keys; DELETE FROM numbering WHERE class IN (3, 4); PRAGMA user_version = 1
            """)
        let newer = try Fixture(at: .file(directory.database), snapshots: snapshots)
        #expect(snapshots.paths.count == 1)
        #expect(try newer.read(Fixture.query()).map(\.secret) == ["before"])
        #expect(try newer.store.checkContents() == .asLeft)
        for itemClass in [ItemClass.certificate, .key] {
            try newer.add([.label: .string("new")], itemClass, secret: "after")
            #expect(try newer.read(Fixture.query([:], itemClass)).map(\.secret) == ["after"])
        }
        #expect(try newer.store.checkContents() == .asLeft)
        // The snapshot is of version 1 still, and becomes one of this version where it is opened.
        #expect(try restored(snapshots.paths[0]).read(Fixture.query()).map(\.secret) == ["before"])
    }

    @Test func `are due again when the next day begins in UTC`() throws {
        let rest = try snapshots.takeDaily(now: moment(0), count: 7, days: 30)
        let next = Timestamp(secondsSinceReferenceDate: start + rest / .seconds(1))
        #expect(next.secondsSinceReferenceDate.truncatingRemainder(dividingBy: day) == 0)
        #expect(rest > .zero && rest <= .seconds(86_400))
    }

    @Test func `can be read by their owner alone, and leave nothing beside them`() throws {
        try snapshots.take(now: moment(0))
        let manager = FileManager.default
        let mode = try manager.attributesOfItem(atPath: snapshots.paths[0])[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try manager.attributesOfItem(atPath: snapshots.folder)[.posixPermissions] as? Int == 0o700)
        #expect(try manager.contentsOfDirectory(atPath: snapshots.folder).count == 1)
    }

    @Test func `are not left half made by a process that was killed`() throws {
        try snapshots.take(now: moment(0))
        for name in [".keychain-20260101000000Z.db", ".keychain-20260101000000Z.db-journal"] {
            try Data([1]).write(to: URL(fileURLWithPath: "\(snapshots.folder)/\(name)"))
        }
        snapshots.removeUnfinished()
        let names = try FileManager.default.contentsOfDirectory(atPath: snapshots.folder)
        #expect(names.map { "\(snapshots.folder)/\($0)" } == snapshots.paths)
    }

    @Test func `go when they are too many or too old, but for the newest`() throws {
        for number in 0..<5 { try snapshots.takeDaily(now: moment(Double(number)), count: 3, days: 30) }
        #expect(snapshots.paths.count == 3)
        try snapshots.takeDaily(now: moment(5), count: 30, days: 2)
        #expect(
            snapshots.paths.compactMap { Snapshots.date(($0 as NSString).lastPathComponent) } == [
                moment(5), moment(4), moment(3),
            ])
        try snapshots.takeDaily(now: moment(6), count: 0, days: 2)
        #expect(snapshots.paths.isEmpty)
    }

    @Test func `stay when the clock jumps back`() throws {
        try snapshots.takeDaily(now: moment(10), count: 7, days: 30)
        try snapshots.takeDaily(now: moment(3), count: 7, days: 30)
        #expect(snapshots.paths.count == 2)
    }

    @Test func `have names that are read as they were written`() throws {
        for seconds in stride(from: -60_000_000_000.0, through: 200_000_000_000, by: 7_777_777_777.0) {
            let moment = Timestamp(secondsSinceReferenceDate: seconds)
            let name = try #require(CivilTime(moment)).compact
            #expect(Snapshots.date("keychain-\(name).db") == moment)
        }
        for name in ["keychain-.db", "keychain-20260231000000Z.db", "keychain-2026010100000xZ.db", "other.db"] {
            #expect(Snapshots.date(name) == nil, "\(name)")
        }
    }

    @Test func `open with no former passcode`() throws {
        try fixture.add([.account: .string("ann")])
        try snapshots.take(now: moment(0))
        let cost = try #require(ScryptCost(logN: 4, blockSize: 1, parallelism: 1))
        try fixture.store.setFirstPasscode(Array("first".utf8), cost: cost)
        func opens(_ passcode: String) throws -> Bool {
            let store = try restored(snapshots.paths[0]).store
            return (try? store.keybagKey(for: ProtectorSecret(.passcode, Array(passcode.utf8)))) != nil
        }
        #expect(try restored(snapshots.paths[0]).store.lockState == .beforeFirstUnlock)
        #expect(try opens("first"))
        let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, Array("first".utf8)))
        _ = try fixture.store.addProtector(
            ProtectorSecret(.passcode, Array("second".utf8)), label: "", cost: cost, with: key)
        #expect(try !opens("first") && opens("second"))
        // Its items open with the new one.
        let copy = try restored(snapshots.paths[0])
        #expect(try copy.store.checkContents() == .asLeft)
        let copyKey = try copy.store.keybagKey(for: ProtectorSecret(.passcode, Array("second".utf8)))
        #expect(try copy.store.unlock(with: copyKey, since: copy.store.epoch))
        #expect(try copy.accounts(Fixture.query()) == ["ann"])
    }

    @Test func `get the keybag at the start if a change of it was interrupted`() throws {
        try snapshots.take(now: moment(0))
        let old = try Data(contentsOf: URL(fileURLWithPath: snapshots.paths[0]))
        let cost = try #require(ScryptCost(logN: 4, blockSize: 1, parallelism: 1))
        try fixture.store.setFirstPasscode(Array("first".utf8), cost: cost)
        // As if the service had been killed before it came to the snapshots.
        try old.write(to: URL(fileURLWithPath: snapshots.paths[0]))
        #expect(try restored(snapshots.paths[0]).store.lockState == .noPasscode)
        try fixture.store.close()
        let next = try Fixture(at: .file(directory.database), snapshots: snapshots)
        #expect(try next.store.checkContents() == .asLeft)
        #expect(try restored(snapshots.paths[0]).store.lockState == .beforeFirstUnlock)
    }

    @Test func `get it at the first unlock where something else was changed from outside`() throws {
        try fixture.add([.account: .string("ann")])
        try snapshots.take(now: moment(0))
        let old = try Data(contentsOf: URL(fileURLWithPath: snapshots.paths[0]))
        try protect()
        try old.write(to: URL(fileURLWithPath: snapshots.paths[0]))
        try fixture.store.close()
        try directory.edit("DELETE FROM genp")
        let next = try Fixture(at: .file(directory.database), snapshots: snapshots)
        #expect(try next.store.checkContents() == .changed(rowsMore: -1))
        #expect(try restored(snapshots.paths[0]).store.lockState == .noPasscode)
        let key = try next.store.keybagKey(for: passcode)
        #expect(try next.store.unlock(with: key, since: next.store.epoch))
        #expect(try restored(snapshots.paths[0]).store.lockState == .beforeFirstUnlock)
    }

    @Test func `keep a keybag that is whole where that of the database is not, and salvage takes it`() throws {
        try fixture.add([.account: .string("ann"), .accessible: .string("ak")])
        try protect()
        try snapshots.take(now: moment(0))
        try fixture.store.close()
        let whole = try keybag(directory.database)
        var changed = whole
        // The wrapped key of class ak (Documentation/Formats/keybag.md).
        changed[whole.count - 40 - 7 * 81 + 1] ^= 1
        try directory.edit("UPDATE keybag SET bytes = ?", [.bytes(changed)])

        let next = try Fixture(at: .file(directory.database), snapshots: snapshots)
        #expect(try next.store.checkContents() == .changed(rowsMore: 0))
        // The passcode is right, but the opened content is rejected.
        #expect(throws: StoreError.damaged(.keybag)) { try next.store.keybagKey(for: passcode) }
        try next.store.close()
        #expect(try keybag(directory.database) == changed)
        #expect(try keybag(snapshots.paths[0]) == whole)

        let path = directory.path + "/new.db"
        let salvage = try Salvage(
            directory.database, snapshots: snapshots.paths, deviceKey: Fixture.deviceKey(), in: PlainKeyStorage(),
            passcode: passcode)
        let report = try salvage.run(directory.database, snapshots: snapshots.paths, into: path)
        #expect(report.recovered == 1 && report.unchecked == 0 && report.lost.isEmpty)
        let saved = try Fixture(at: .file(path))
        let key = try saved.store.keybagKey(for: passcode)
        #expect(try saved.store.unlock(with: key, since: saved.store.epoch))
        #expect(try saved.accounts(Fixture.query()) == ["ann"])
    }

    private let passcode = ProtectorSecret(.passcode, Array("first".utf8))

    private func protect() throws {
        let cost = try #require(ScryptCost(logN: 4, blockSize: 1, parallelism: 1))
        try fixture.store.setFirstPasscode(passcode.bytes, cost: cost)
    }

    private func keybag(_ path: String) throws -> Data {
        try #require(try Database(path: path).storedKeybag())
    }

    @Test func `are removed when they cannot get the new keybag`() throws {
        try snapshots.take(now: moment(0))
        try Data("no database".utf8).write(to: URL(fileURLWithPath: snapshots.paths[0]))
        let cost = try #require(ScryptCost(logN: 4, blockSize: 1, parallelism: 1))
        try fixture.store.setFirstPasscode(Array("first".utf8), cost: cost)
        #expect(snapshots.paths.isEmpty)
    }
}
