// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPolicy
import KeychainStore
import Synchronization
import Testing

@Suite struct `Adding items` {
    let fixture: Fixture
    init() throws { fixture = try Fixture() }

    @Test func `an added item is found with all it was given, its defaults and its dates`() throws {
        let stored = try fixture.add([.account: .string("jenny"), .service: .string("mail"), .label: .data([1, 2])])
        let found = try fixture.read(Fixture.query([.service: .string("mail")]))
        #expect(found == [.init(identifier: stored.identifier, attributes: stored.attributes, secret: "secret")])
        let now = AttributeValue.date(fixture.clock.now)
        #expect(
            stored.attributes.entries.map(\.key) == [
                .account, .accessGroup, .creationDate, .label, .modificationDate, .accessible, .service,
                .synchronizable,
            ])
        #expect(stored.attributes[.creationDate] == now && stored.attributes[.modificationDate] == now)
        #expect(stored.attributes.accessibility == .whenUnlocked && !stored.attributes.isSynchronizable)
    }

    @Test func `dates that the caller gives are not taken`() throws {
        let long = AttributeValue.date(Timestamp(secondsSinceReferenceDate: 1))
        let stored = try fixture.add([.creationDate: long, .modificationDate: long])
        #expect(stored.attributes[.creationDate] == .date(fixture.clock.now))
    }

    @Test func `an item without account and service has empty ones`() throws {
        try fixture.add([:])
        #expect(try fixture.read(Fixture.query([.account: .string(""), .service: .string("")])).count == 1)
        #expect(throws: StoreError.duplicate) { try fixture.add([.account: .string("")]) }
    }

    @Test func `no secret is not the same as an empty one`() throws {
        try fixture.add([.account: .string("none")], secret: nil)
        try fixture.add([.account: .string("empty")], secret: "")
        #expect(try fixture.read(Fixture.query()).map(\.secret) == [nil, ""])
    }

    @Test(
        arguments: [
            [.label: .string("x"), .accessible: .string("ck"), .generic: .data([1])],
            [.account: .data(Array("jenny".utf8))], [.syncViewHint: .string("")],
        ] as [[AttributeKey: AttributeValue]])
    func `what does not make an item another one is a duplicate`(_ extra: [AttributeKey: AttributeValue]) throws {
        let key: [AttributeKey: AttributeValue] = [.account: .string("jenny"), .service: .string("mail")]
        try fixture.add(key)
        #expect(throws: StoreError.duplicate) { try fixture.add(key.merging(extra) { $1 }) }
        #expect(try fixture.store.statistics().items[.genericPassword] == 1)
    }

    @Test func `group, account, service, synchronizable and view hint make different items`() throws {
        let key: [AttributeKey: AttributeValue] = [.account: .string("jenny"), .service: .string("mail")]
        try fixture.add(key)
        try fixture.add(key, group: other)
        for extra in [
            [.account: .string("john")], [.service: .string("web")], [.synchronizable: .number(1)],
            [.syncViewHint: .string("home")],
        ] as [[AttributeKey: AttributeValue]] {
            try fixture.add(key.merging(extra) { $1 })
        }
        #expect(try fixture.store.statistics().items[.genericPassword] == 6)
    }

    @Test func `a class that needs a passcode is refused, before anything is said of duplicates`() throws {
        try fixture.add([.account: .string("jenny")])
        #expect(throws: StoreError.keyNotAvailable(.whenPasscodeSetThisDeviceOnly)) {
            try fixture.add([.account: .string("jenny"), .accessible: .string("akpu")])
        }
        #expect(StoreError.keyNotAvailable(.whenPasscodeSetThisDeviceOnly).status == .authenticationFailed)
        let control = AccessControl(protection: .afterFirstUnlock)
        let stored = try fixture.add([.account: .string("john"), .accessControl: .accessControl(control)])
        #expect(stored.attributes.accessibility == .afterFirstUnlock)
    }

    @Test func `a big secret comes back whole`() throws {
        let secret = String(repeating: "0123456789abcdef", count: 1 << 16)
        try fixture.add([:], secret: secret)
        #expect(try fixture.read(Fixture.query()).map(\.secret) == [secret])
    }

    @Test func `observers hear of changes when they are done`() throws {
        let heard = Mutex<[ItemChange.Kind]>([])
        fixture.store.observe { changes in heard.withLock { $0 += changes.map(\.kind) } }
        try fixture.add([.account: .string("a")])
        try fixture.add([.account: .string("b")])
        #expect(throws: StoreError.duplicate) { try fixture.add([.account: .string("b")]) }
        _ = try fixture.update(Fixture.query(), [.label: .string("x")])
        _ = try fixture.delete(Fixture.query())
        #expect(heard.withLock { $0 } == [.added, .added, .updated, .updated, .deleted, .deleted])
    }
}

@Suite struct `Finding items` {
    let fixture: Fixture
    init() throws { fixture = try Fixture() }

    @Test func `all attributes can be searched by`() throws {
        let values: [AttributeKey: AttributeValue] = [
            .account: .string("a"), .service: .string("s"), .label: .string("l"), .generic: .data([1]),
            .itemDescription: .string("d"), .comment: .string("c"), .creator: .number(1), .type: .number(2),
            .isInvisible: .number(1), .isNegative: .number(3), .scriptCode: .number(4), .alias: .string("e"),
            .hasCustomIcon: .number(5), .isProtected: .data([6]), .syncViewHint: .string("v"),
            .accessible: .string("ck"),
            .accessControl: .accessControl(AccessControl(protection: .afterFirstUnlock)),
        ]
        let stored = try fixture.add(values)
        try fixture.add([.account: .string("another")])
        for (key, value) in stored.attributes.entries.map({ ($0.key, $0.value) }) where key != .synchronizable {
            let found = try fixture.read(Fixture.query([key: value]))
            #expect(found.first?.identifier == stored.identifier, "\(key)")
            let dates: Set<AttributeKey> = [.creationDate, .modificationDate, .accessGroup]
            #expect(found.count == (dates.contains(key) ? 2 : 1), "\(key)")
        }
        // An attribute dictionary, fed back, finds its item.
        #expect(try fixture.read(Fixture.query(values)).count == 1)
        for key in values.keys where key != .accessible && key != .accessControl {
            var wrong = values
            wrong[key] = .string("something else")
            #expect(try fixture.read(Fixture.query(wrong)).isEmpty, "\(key)")
        }
    }

    @Test func `limits and row order hold, one group or more`() throws {
        for (place, group) in [team, other, team, other, team].enumerated() {
            try fixture.add([.account: .string("\(place)"), .service: .string("s")], group: group)
        }
        let query = Fixture.query([.service: .string("s")])
        #expect(try fixture.accounts(query) == ["0", "1", "2", "3", "4"])
        #expect(try fixture.accounts(query, limit: .one) == ["0"])
        #expect(try fixture.accounts(query, limit: .atMost(3)) == ["0", "1", "2"])
        #expect(try fixture.accounts(query, in: .groups([other])) == ["1", "3"])
        #expect(try fixture.accounts(query, in: .groups([other, other, "TEAM.none"])) == ["1", "3"])
        #expect(try fixture.accounts(query, in: .groups([])) == [])
    }

    @Test func `limits and row order hold among items that differ only in attributes outside the search`() throws {
        for (place, hint) in ["c", "a", "d", "b"].enumerated() {
            try fixture.add([.account: .string("a"), .label: .string("\(place)"), .syncViewHint: .string(hint)])
        }
        let query = Fixture.query([.account: .string("a"), .service: .string("")])
        func labels(_ limit: MatchLimit) throws -> [String?] {
            try fixture.read(query, limit: limit).map { $0.attributes?[.label]?.string }
        }
        #expect(try labels(.all) == ["0", "1", "2", "3"])
        #expect(try labels(.one) == ["0"])
        #expect(try labels(.atMost(3)) == ["0", "1", "2"])
    }

    @Test func `own groups come first where everything is looked through`() throws {
        for (place, group) in ["X", other, "Y", other, "X"].enumerated() {
            try fixture.add([.account: .string("\(place)")], group: group)
        }
        let everything = SearchScope.everything(own: [team, other])
        #expect(try fixture.accounts(Fixture.query(), in: everything) == ["1", "3", "0", "2", "4"])
        #expect(try fixture.accounts(Fixture.query(), in: everything, limit: .atMost(3)) == ["1", "3", "0"])
        #expect(try fixture.accounts(Fixture.query(), in: everything, limit: .one) == ["1"])
        #expect(try fixture.accounts(Fixture.query([.account: .string("4")]), in: everything, limit: .one) == ["4"])
        let facts = try fixture.store.find(Fixture.query(), in: everything, limit: .all).facts
        #expect(facts.map(\.accessGroup) == [other, other, nil, nil, nil])
        var named = Fixture.query()
        named.accessGroup = "X"
        #expect(try fixture.accounts(named, in: everything) == ["0", "4"])
    }

    @Test func `groups of enforced programs are left out where everything is looked through`() throws {
        for (place, group) in ["X", "enforced:X", "Y"].enumerated() {
            try fixture.add([.account: .string("\(place)")], group: group)
        }
        func accounts(_ query: ItemQuery, withEnforced: Bool = false) throws -> [String] {
            try fixture.accounts(query, in: .everything(own: [team], withEnforced: withEnforced))
        }
        #expect(try accounts(Fixture.query()) == ["0", "2"])
        #expect(try accounts(Fixture.query(), withEnforced: true) == ["0", "1", "2"])
        #expect(try accounts(Fixture.query([.account: .string("1")])) == [])
        #expect(try fixture.accounts(Fixture.query(), in: .groups(["enforced:X"])) == ["1"])
        // An item that is moved there is left out as well, and an item that is moved back is included again.
        var moved = Fixture.query()
        for (group, destination, left) in [("Y", "enforced:Y", ["0"]), ("enforced:Y", "Y", ["0", "2"])] {
            moved.accessGroup = group
            let owner = Caller(
                userID: 1000, processID: 1, tier: .signed, identity: .unidentified, accessGroups: [group],
                displayPath: "")
            let outcome = try fixture.store.update(
                moved, in: .groups([group]), changes: Fixture.attributes([.accessGroup: .string(destination)]),
                secret: nil
            ) { AccessPolicy.judge(owner, $0, items: $1, lockState: .noPasscode) }
            #expect(outcome.changed?.count == 1)
            #expect(try accounts(Fixture.query()) == left)
        }
    }

    @Test func `items that synchronize are seen only by who asks`() throws {
        try fixture.add([.account: .string("local")])
        try fixture.add([.account: .string("sync"), .synchronizable: .number(1)])
        #expect(try fixture.accounts(Fixture.query()) == ["local"])
        #expect(try fixture.accounts(Fixture.query(sync: .synchronizableOnly)) == ["sync"])
        #expect(try fixture.accounts(Fixture.query(sync: .any)) == ["local", "sync"])
    }

    @Test func `a persistent reference finds its item in either form, in the groups given`() throws {
        let items = try ["a", "b", "c"].map { try fixture.add([.account: .string($0), .synchronizable: .number(1)]) }
        var query = Fixture.query()
        query.persistentReference = PersistentReference(itemClass: .genericPassword, item: items[1].identifier)
        query.synchronizable = .any
        #expect(try fixture.accounts(query) == ["b"])
        #expect(try fixture.accounts(query, in: .groups([other])) == [])
        #expect(try fixture.accounts(query, in: .everything(own: [other])) == ["b"])
        query.persistentReference = PersistentReference(bytes: Array("genp".utf8) + [0, 0, 0, 0, 0, 0, 0, 3])
        #expect(try fixture.accounts(query) == ["c"])
        #expect(try fixture.accounts(query, in: .groups([other])) == [])
        query.persistentReference = PersistentReference(bytes: Array("inet".utf8) + [0, 0, 0, 0, 0, 0, 0, 3])
        #expect(try fixture.accounts(query) == [])
    }

    @Test func `a row number is never used again`() throws {
        try fixture.add([.account: .string("a")])
        _ = try fixture.delete(Fixture.query())
        try fixture.add([.account: .string("b")])
        var query = Fixture.query()
        query.persistentReference = PersistentReference(bytes: Array("genp".utf8) + [0, 0, 0, 0, 0, 0, 0, 1])
        #expect(try fixture.accounts(query) == [])
    }

    @Test func `only what was asked for is opened`() throws {
        try fixture.add([.account: .string("a")])
        let bare = try fixture.read(Fixture.query(), parts: .persistentReference)
        #expect(bare.map(\.attributes) == [nil] && bare.map(\.secret) == [nil])
        #expect(try fixture.read(Fixture.query(), parts: .attributes).map(\.secret) == [nil])
        #expect(try fixture.read(Fixture.query(), parts: .data).map(\.attributes) == [nil])
    }

    @Test func `a class that is not stored has no items`() throws {
        try fixture.add([:])
        #expect(try fixture.store.find(ItemQuery(.internetPassword), in: Fixture.own, limit: .all).isEmpty)
        #expect(throws: StoreError.notFound) { try fixture.delete(ItemQuery(.key)) }
    }

    @Test func `a grant for something else opens nothing`() async {
        await #expect(processExitsWith: .failure) {
            let fixture = try Fixture()
            let found = try fixture.store.find(Fixture.query(), in: Fixture.own, limit: .all)
            try fixture.store.open(found, parts: .data, with: Fixture.grant(.readAttributes)) { _ in }
        }
    }
}

@Suite struct `Changing items` {
    let fixture: Fixture
    init() throws { fixture = try Fixture() }

    @Test func `an update changes what it names and nothing else`() throws {
        let stored = try fixture.add([.account: .string("a"), .label: .string("old"), .comment: .string("c")])
        fixture.clock.set(800_000_100)
        let outcome = try fixture.update(Fixture.query([.account: .string("a")]), [.label: .string("new")])
        #expect(outcome.changed == [stored.identifier])
        var expected = stored.attributes
        expected[.label] = .string("new")
        expected[.modificationDate] = .date(fixture.clock.now)
        let found = try fixture.read(Fixture.query())
        #expect(found == [.init(identifier: stored.identifier, attributes: expected, secret: "secret")])
        #expect(try fixture.read(Fixture.query([.label: .string("old")])).isEmpty)
        #expect(try fixture.read(Fixture.query([.label: .string("new")])).count == 1)
    }

    @Test func `a secret can be changed, added and emptied`() throws {
        try fixture.add([:], secret: nil)
        for secret in ["one", "", "two"] {
            _ = try fixture.update(Fixture.query(), [:], secret: secret)
            #expect(try fixture.read(Fixture.query()).map(\.secret) == [secret])
        }
    }

    @Test func `an item without secret stays so`() throws {
        try fixture.add([:], secret: nil)
        _ = try fixture.update(Fixture.query(), [.label: .string("x")])
        #expect(try fixture.read(Fixture.query()).map(\.secret) == [nil])
    }

    @Test func `the modification date increases, whatever the clock does`() throws {
        try fixture.add([:])
        fixture.clock.set(700_000_000)
        var last = 800_000_000.0
        for _ in 0..<3 {
            _ = try fixture.update(Fixture.query(), [.label: .string("x")])
            guard case .date(let date) = try fixture.read(Fixture.query())[0].attributes?[.modificationDate] else {
                Issue.record("no date")
                return
            }
            #expect(date.secondsSinceReferenceDate > last)
            last = date.secondsSinceReferenceDate
        }
    }

    @Test func `accessibility, group and synchronizable can change`() throws {
        try fixture.add([.account: .string("a")])
        _ = try fixture.update(Fixture.query(), [.accessible: .string("dku")])
        #expect(
            try fixture.store.find(Fixture.query(), in: Fixture.own, limit: .one).facts[0].accessibility.code == "dku")
        _ = try fixture.update(Fixture.query(), [.accessGroup: .string(other)])
        #expect(try fixture.accounts(Fixture.query(), in: .groups([team])) == [])
        #expect(try fixture.read(Fixture.query(), in: .groups([other])).map(\.secret) == ["secret"])
        _ = try fixture.update(Fixture.query(), [.accessible: .string("dk"), .synchronizable: .number(1)])
        #expect(try fixture.accounts(Fixture.query(sync: .synchronizableOnly)) == ["a"])
    }

    @Test func `an item for this device only can be made synchronizable`() throws {
        try fixture.add([.account: .string("a"), .accessible: .string("dku")])
        _ = try fixture.update(Fixture.query(), [.synchronizable: .number(1)])
        #expect(try fixture.accounts(Fixture.query()) == [])
        #expect(try fixture.accounts(Fixture.query(sync: .synchronizableOnly)) == ["a"])
    }

    @Test func `all that match are changed, or none`() throws {
        for account in ["a", "b", "c"] { try fixture.add([.account: .string(account), .service: .string("s")]) }
        let all = Fixture.query([.service: .string("s")])
        #expect(try fixture.update(all, [.label: .string("x")]).changed?.count == 3)
        let before = try fixture.read(Fixture.query())
        #expect(throws: StoreError.duplicate) { try fixture.update(all, [.account: .string("one")], secret: "new") }
        #expect(throws: StoreError.duplicate) {
            try fixture.update(Fixture.query([.account: .string("b")]), [.account: .string("a")])
        }
        #expect(throws: StoreError.keyNotAvailable(.whenPasscodeSetThisDeviceOnly)) {
            try fixture.update(all, [.accessible: .string("akpu")])
        }
        #expect(try fixture.read(Fixture.query()) == before)
        #expect(throws: StoreError.notFound) { try fixture.update(Fixture.query([.account: .string("z")]), [:]) }
    }

    @Test func `delete takes all that match, and nothing else`() throws {
        for account in ["a", "b", "c"] { try fixture.add([.account: .string(account)]) }
        try fixture.add([.account: .string("sync"), .synchronizable: .number(1)])
        try fixture.add([.account: .string("foreign")], group: "X")
        #expect(try fixture.delete(Fixture.query([.account: .string("b")])).changed?.count == 1)
        #expect(try fixture.accounts(Fixture.query()) == ["a", "c"])
        #expect(try fixture.delete(Fixture.query()).changed?.count == 2)
        #expect(throws: StoreError.notFound) { try fixture.delete(Fixture.query()) }
        #expect(try fixture.store.statistics().items[.genericPassword] == 2)
    }

    @Test func `a judge that refuses or asks leaves everything as it was, and is told which items were found`() throws {
        let item = try fixture.add([:], group: "X").identifier
        let scope = SearchScope.everything(own: [team])
        let before = try fixture.read(Fixture.query(), in: scope)
        let refusal = Refusal(.interactionNotAllowed, .locked)
        let refused = try fixture.store.delete(Fixture.query(), in: scope) { _, _ in .refuse(refusal) }
        guard case .refused(refusal, [item]) = refused else { Issue.record("not refused"); return }
        let asked = try fixture.store.update(
            Fixture.query(), in: scope, changes: Fixture.attributes([.label: .string("x")]), secret: nil,
            judge: Fixture.allow)
        guard case .ask(let question, [item]) = asked else { Issue.record("not asked"); return }
        #expect(question.operation == .update)
        #expect(try fixture.read(Fixture.query(), in: scope) == before)
    }
}
