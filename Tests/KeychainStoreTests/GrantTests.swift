// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import Testing

@testable import KeychainPolicy
@testable import KeychainStore

/// The stored form of the user's "Always Allow".
@Suite struct `Remembered grants` {
    let directory: Directory
    let fixture: Fixture
    let a: ItemIdentifier
    let b: ItemIdentifier

    init() throws {
        directory = try Directory()
        fixture = try Fixture(at: .file(directory.database))
        a = try fixture.add([.account: .string("a"), .service: .string("s")]).identifier
        b = try fixture.add([.account: .string("b"), .service: .string("s")]).identifier
    }

    private static func reference(_ item: ItemIdentifier, _ itemClass: ItemClass = .genericPassword)
        -> PersistentReference
    {
        PersistentReference(itemClass: itemClass, item: item)
    }

    private static func lasting(
        _ items: [PersistentReference], _ operation: KeychainPolicy.Operation = .readData,
        tier: CallerTier = .installed
    ) throws -> LastingGrant {
        let mutt = Caller(
            userID: 1000, processID: 1, tier: tier, identity: .installed(path: "/usr/bin/mutt"), accessGroups: ["mutt"],
            displayPath: "/usr/bin/mutt")
        let question = ApprovalRequest(caller: mutt, operation: operation, items: items, because: .otherProgramsItem)
        let permission = try #require(Permission(question, isLasting: true))
        return try #require(LastingGrant(permission, rules: .compatible))
    }

    private func remember(
        _ item: ItemIdentifier, _ operation: KeychainPolicy.Operation = .readData, tier: CallerTier = .installed,
        in store: ItemStore? = nil
    ) throws {
        try (store ?? fixture.store).remember(try Self.lasting([Self.reference(item)], operation, tier: tier))
    }

    private func all(_ store: ItemStore? = nil) throws -> [RememberedGrant] {
        try (store ?? fixture.store).grants(after: 0, limit: 1000).grants
    }

    private func numbers() throws -> [UInt64] { try all().map(\.number) }

    private func query(_ account: String) -> ItemQuery {
        Fixture.query([.account: .string(account)], sync: .any)
    }

    // MARK: Keeping

    @Test func `are there after the store was opened again, with all that was said`() throws {
        fixture.clock.set(800_000_123.5)
        try fixture.store.remember(try Self.lasting([Self.reference(a), Self.reference(b)], .update, tier: .signed))
        try fixture.store.close()
        let again = try Fixture(at: .file(directory.database))
        let grants = try all(again.store)
        #expect(grants.map(\.number) == [1, 2] && grants.map(\.item) == [a, b])
        for grant in grants {
            #expect(
                grant.identity == .installed(path: "/usr/bin/mutt") && grant.tier == .signed
                    && grant.operation == .update)
            #expect(grant.date == Timestamp(secondsSinceReferenceDate: 800_000_123.5))
        }
        #expect(try again.store.grants(of: [Self.reference(b)]).map(\.number) == [2])
        #expect(try again.store.checkContents() == .asLeft)
    }

    @Test func `saying the same again takes the place of what was said, other operations stay`() throws {
        try remember(a)
        try remember(a, .update)
        try remember(a, .readData, tier: .signed)
        #expect(try all().map(\.operation) == [.update, .readData])
        #expect(try numbers() == [2, 3])
        #expect(try all().last?.tier == .signed)
    }

    @Test func `of items that are gone, and of rows without an identifier, nothing is remembered`() throws {
        _ = try fixture.delete(query("a"))
        try fixture.add([.account: .string("t"), .synchronizable: .number(1)])
        let tombstone = try #require(try fixture.read(query("t")).first).identifier
        _ = try fixture.delete(query("t"))
        let row = PersistentReference(itemClass: .genericPassword, row: 2)
        try fixture.store.remember(try Self.lasting([Self.reference(a), Self.reference(tombstone), row]))
        #expect(try all().isEmpty)
        try fixture.store.remember(try Self.lasting([Self.reference(b, .internetPassword)]))
        #expect(try all().isEmpty)
    }

    @Test func `are listed in pages`() throws {
        for _ in 0..<5 { try remember(a, .delete) }
        for operation in [KeychainPolicy.Operation.readData, .update] { try remember(b, operation) }
        let first = try fixture.store.grants(after: 0, limit: 2)
        #expect(first.grants.map(\.number) == [5, 6] && first.next == 6)
        let second = try fixture.store.grants(after: 6, limit: 2)
        #expect(second.grants.map(\.number) == [7] && second.next == nil)
        #expect(try fixture.store.grants(after: .max, limit: 2).grants.isEmpty)
    }

    // MARK: Going

    @Test func `go with their item and stay through its updates`() throws {
        try remember(a)
        try remember(b)
        _ = try fixture.update(query("a"), [.label: .string("x"), .account: .string("a2")], secret: "new")
        #expect(try numbers() == [1, 2])
        _ = try fixture.delete(query("a2"))
        #expect(try numbers() == [2])
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test(arguments: [false, true])
    func `go with a synchronizable item of which a tombstone stays, and do not come back with the item`(
        isLocked: Bool
    ) throws {
        let entries: [AttributeKey: AttributeValue] = [.account: .string("t"), .synchronizable: .number(1)]
        let item = try fixture.add(entries).identifier
        try remember(item)
        if isLocked {
            let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!
            try fixture.store.setFirstPasscode(Array("1".utf8), cost: cost)
            fixture.store.lock()
        }
        _ = try fixture.delete(query("t"))
        #expect(try all().isEmpty)
        if isLocked {
            let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, Array("1".utf8)))
            #expect(try fixture.store.unlock(with: key, since: fixture.store.epoch))
        }
        #expect(try fixture.add(entries).identifier == item)
        #expect(try all().isEmpty)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `go with the items that go when the passcode is removed`() throws {
        let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!
        try fixture.store.setFirstPasscode(Array("1".utf8), cost: cost)
        try remember(try fixture.add([.account: .string("y"), .accessible: .string("akpu")]).identifier)
        try remember(a)
        let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, Array("1".utf8)))
        try fixture.store.removePasscode(with: key)
        #expect(try all().map(\.item) == [a])
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `are taken back by number, by program, and all at once`() throws {
        try remember(a)
        try remember(b)
        try remember(a, .update)
        #expect(try fixture.store.revokeGrants(.number(2)) == 1)
        #expect(try fixture.store.revokeGrants(.number(2)) == 0)
        #expect(try fixture.store.revokeGrants(.number(.max)) == 0)
        #expect(try numbers() == [1, 3])
        #expect(try fixture.store.revokeGrants(.program(.installed(path: "/bin/p"))) == 0)
        #expect(try fixture.store.revokeGrants(.program(.installed(path: "/usr/bin/mutt"))) == 2)
        try remember(b)
        #expect(try fixture.store.revokeGrants(.all) == 1)
        #expect(try fixture.store.revokeGrants(.all) == 0)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `never have the number of a revoked grant`() throws {
        try remember(a)
        try remember(b)
        _ = try fixture.store.revokeGrants(.number(2))
        try fixture.store.close()
        let again = try Fixture(at: .file(directory.database))
        try remember(b, in: again.store)
        #expect(try all(again.store).map(\.number) == [1, 3])
    }

    @Test func `can be taken back while the keychain is locked`() throws {
        try remember(a)
        let cost = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!
        try fixture.store.setFirstPasscode(Array("1".utf8), cost: cost)
        fixture.store.lock()
        #expect(try numbers() == [1])
        #expect(try fixture.store.revokeGrants(.number(1)) == 1)
    }

    // MARK: Other hands in the file

    @Test(arguments: [
        // Another's row under its own number, a bit of it, a number and an item of one's choosing.
        "UPDATE grants SET bytes = (SELECT bytes FROM grants WHERE id = 1) WHERE id = 2",
        "UPDATE grants SET id = 7 WHERE id = 1",
        "UPDATE grants SET item = (SELECT item FROM genp WHERE id = 2) WHERE id = 1",
        "UPDATE grants SET bytes = x'01' WHERE id = 1",
        "UPDATE grants SET bytes = 'text', item = 7 WHERE id = 1",
        "INSERT INTO grants SELECT 9, item, bytes FROM grants WHERE id = 1",
    ])
    func `that were made up, changed or exchanged count for nothing, and show`(sql: String) throws {
        try remember(a)
        try remember(a, .update)
        try directory.edit(sql)
        let grants = try all()
        // Each grant that can be opened is unchanged and in its original place.
        #expect(grants.allSatisfy { $0.item == a && ($0.number == 1) == ($0.operation == .readData) })
        #expect(grants.count < 2 || sql.hasPrefix("INSERT"))
        #expect(try fixture.store.checkContents() != .asLeft)
        #expect(try fixture.store.grants(of: [Self.reference(a), Self.reference(b)]).isEmpty)
        // Unreadable grants can be removed as well.
        #expect(try fixture.store.revokeGrants(.all) >= 2)
        #expect(try fixture.store.grants(after: 0, limit: 10).grants.isEmpty)
    }

    @Test
    func `that were put back after they were taken away do not count, and are gone when the contents are accepted`()
        throws
    {
        try remember(a)
        try fixture.store.setTeam("CRTKWQ4OHDTDKNPHKXQBSM6VYA", isTrusted: true)
        try fixture.store.change([.idleLockSeconds: 60])
        try directory.edit("CREATE TABLE kept AS SELECT * FROM grants")
        #expect(try fixture.store.grants(of: [Self.reference(a)]).count == 1)
        _ = try fixture.store.revokeGrants(.number(1))
        try fixture.store.close()
        try directory.edit("INSERT INTO grants SELECT * FROM kept; DROP TABLE kept")
        let again = try Fixture(at: .file(directory.database))
        #expect(try all(again.store).map(\.number) == [1], "it opens: it once was said")
        // The rows have not been checked yet, so this call checks them.
        #expect(try again.store.grants(of: [Self.reference(a)]).isEmpty)
        #expect(again.store.contentsState == .changed(rowsMore: 1))
        #expect(try again.store.trustedTeams().count == 1)
        try again.store.acceptContents()
        #expect(try all(again.store).isEmpty)
        #expect(try again.store.trustedTeams().isEmpty, "which of them the owner trusted is not known either")
        #expect(try again.store.settings()[.idleLockSeconds] == 60)
        #expect(try again.store.checkContents() == .asLeft)
    }

    @Test func `do not count while the seal is damaged, or other rows are not those that were left`() throws {
        try remember(a)
        try directory.edit("DELETE FROM genp WHERE id = 2")
        #expect(try fixture.store.grants(of: [Self.reference(a)]).isEmpty)
        try fixture.store.acceptContents()
        try remember(a)
        #expect(try fixture.store.grants(of: [Self.reference(a)]).count == 1)
        try directory.edit("UPDATE seal SET bytes = x'00'")
        #expect(try fixture.store.checkContents() == .sealDamaged)
        #expect(try fixture.store.grants(of: [Self.reference(a)]).isEmpty)
    }

    // MARK: Copies

    @Test func `are in no backup, and stay where the same items are restored`() throws {
        try remember(a)
        let items = try fixture.readAll().items
        #expect(items.map(\.identifier) == [a, b])
        let elsewhere = try Fixture()
        try elsewhere.restore(items)
        #expect(try elsewhere.accounts(Fixture.query()) == ["a", "b"])
        #expect(try all(elsewhere.store).isEmpty)
        _ = try fixture.update(query("a"), [.label: .string("newer")])
        try fixture.restore(items, replacesNewer: true)
        #expect(try numbers() == [1])
        // An item that was deleted and restored has no grants.
        _ = try fixture.delete(query("a"))
        #expect(try fixture.restore(items).first?.reference == Self.reference(a))
        #expect(try all().isEmpty)
        #expect(try fixture.store.checkContents() == .asLeft)
    }

    @Test func `are in snapshots, and do not go through a salvage`() throws {
        try remember(a)
        try fixture.store.setTeam("CRTKWQ4OHDTDKNPHKXQBSM6VYA", isTrusted: true)
        let snapshots = Snapshots(
            of: directory.database, in: directory.path + "/snapshots", synchronize: { _ in }, log: { _ in })
        try snapshots.take(now: fixture.clock.now)
        let copy = try Fixture(at: .file(try #require(snapshots.paths.first)))
        #expect(try all(copy.store).map(\.number) == [1])
        try copy.store.close()
        try fixture.store.close()

        let salvage = try Salvage(
            directory.database, snapshots: snapshots.paths, deviceKey: Fixture.deviceKey(), in: PlainKeyStorage(),
            passcode: ProtectorSecret<[UInt8]>?.none)
        let saved = directory.path + "/saved.db"
        #expect(try salvage.run(directory.database, snapshots: snapshots.paths, into: saved).recovered == 2)
        let again = try Fixture(at: .file(saved))
        #expect(try all(again.store).isEmpty)
        #expect(try again.store.trustedTeams().isEmpty)
        #expect(try again.store.checkContents() == .asLeft)
        // Nor is their number given away again.
        try remember(a, in: again.store)
        #expect(try all(again.store).map(\.number) == [2])
    }
}
