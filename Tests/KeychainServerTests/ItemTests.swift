// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

/// The four requests on items, through the client and the service's pipeline.
struct ItemTests {
    private let keychain: InMemoryKeychain
    private var client: KeychainClient { keychain.client }

    init() throws { keychain = try InMemoryKeychain(accessGroups: ["a", "b"]) }

    @Test func `an item that was added is found with its secret, attributes and reference`() throws {
        let reference = try client.addPassword()
        let found = try client.copyMatching(try query(service: "mail"), limit: .one, returning: .all) { Array($0) }
        #expect(found.count == 1)
        #expect(found[0].reference == reference)
        #expect(found[0].secret == Array("correct horse".utf8))
        #expect(found[0].attributes?[.account] == .string("ann"))
        #expect(found[0].attributes?.accessGroup == "a")
        #expect(found[0].attributes?.accessibility == .whenUnlocked)
    }

    @Test func `only the parts that are asked for are returned`() throws {
        try client.addPassword()
        let bare = try client.copyMatching(try query(), limit: .all, returning: []) { Array($0) }
        #expect(bare.map { $0.attributes == nil && $0.secret == nil } == [true])
        let data = try client.copyMatching(try query(), limit: .all, returning: .data) { Array($0) }
        #expect(data.map { $0.attributes == nil && $0.secret != nil } == [true])
    }

    @Test func `adding returns what was asked for`() throws {
        let added = try client.add(
            try attributes([(.account, .string("x"))]), secret: [1, 2], returning: [.data, .attributes]
        ) { Array($0) }
        #expect(added.secret == [1, 2])
        #expect(added.attributes?[.creationDate] == .date(Timestamp(secondsSinceReferenceDate: 800_000_000)))
    }

    @Test func `a second item of the same service, account, group and synchronizing is a duplicate`() throws {
        try client.addPassword()
        #expect(try refusal { try client.addPassword(secret: "other") } == Refusal(.duplicateItem, .none))
        #expect(throws: Never.self) { try client.addPassword(account: "bob") }
        #expect(throws: Never.self) { try client.addPassword(group: "b") }
        let synchronizable = try attributes([
            (.service, .string("mail")), (.account, .string("ann")), (.synchronizable, .number(1)),
        ])
        #expect(throws: Never.self) { try client.add(synchronizable, secret: nil) }
        #expect(try client.secrets(try query(service: "mail", account: "ann", group: "a")) == ["correct horse"])
    }

    @Test func `nothing found is errSecItemNotFound`() throws {
        let notFound = Refusal(.itemNotFound, .none)
        #expect(try refusal { _ = try client.secrets(try query()) } == notFound)
        #expect(try refusal { try client.delete(try query()) } == notFound)
        let changes = try attributes(.update, [(.label, .string("l"))])
        #expect(try refusal { try client.update(try query(), changes: changes, secret: [1]) } == notFound)
    }

    @Test func `lookup attributes find the items that have all pairs, for a search, an update and a deletion`() throws {
        func lookup(_ pairs: [String: String]) throws -> (AttributeKey, AttributeValue) {
            (.lookup, .data(try LookupAttributes(pairs).encoded))
        }
        func found(_ pairs: [String: String]) throws -> [AttributeValue?] {
            var query = ItemQuery(.genericPassword)
            query.attributes = try attributes(.query, [lookup(pairs)])
            let items = try client.copyMatching(query, limit: .all, returning: .attributes) { Array($0) }
            return items.map { $0.attributes?[.account] }
        }
        for name in ["ann", "bob"] {
            let entries = [(.account, .string(name)), try lookup(["kind": "mail", "user": name])]
            try client.add(try attributes(entries), secret: Array(name.utf8))
        }
        #expect(try found(["kind": "mail"]) == [.string("ann"), .string("bob")])
        #expect(try found(["user": "bob", "kind": "mail"]) == [.string("bob")])
        var query = ItemQuery(.genericPassword)
        query.attributes = try attributes(.query, [lookup(["user": "bob"])])
        try client.update(query, changes: try attributes(.update, [lookup(["user": "robert"])]), secret: [UInt8]?.none)
        #expect(try refusal { _ = try found(["user": "bob"]) } == Refusal(.itemNotFound, .none))
        query.attributes = try attributes(.query, [lookup(["user": "robert"])])
        #expect(try client.secrets(query) == ["bob"])
        try client.delete(query)
        #expect(try refusal { _ = try found(["user": "robert"]) } == Refusal(.itemNotFound, .none))
        #expect(try found(["kind": "mail"]) == [.string("ann")])
    }

    @Test func `an item without data has no secret, and one with empty data an empty one`() throws {
        try client.addPassword(account: "none", secret: nil)
        try client.addPassword(account: "empty", secret: "")
        #expect(try client.secrets(try query(account: "none")) == [nil])
        #expect(try client.secrets(try query(account: "empty")) == [""])
    }

    @Test func `an update changes what it names, of every item that matches`() throws {
        try client.addPassword(account: "x", secret: "1")
        try client.addPassword(account: "y", secret: "2")
        try client.addPassword(service: "other", account: "z", secret: "3")
        try client.update(
            try query(service: "mail"), changes: try attributes(.update, [(.label, .string("L"))]),
            secret: [UInt8]?.none)
        let labelled = try client.attributeSets(try query()).filter { $0[.label] == .string("L") }
        #expect(Set(labelled.map { $0[.account] }) == [.string("x"), .string("y")])
        #expect(Set(try client.secrets(try query(service: "mail"))) == ["1", "2"])
        try client.update(
            try query(account: "z"), changes: ItemAttributes(empty: .genericPassword), secret: Array("4".utf8))
        #expect(try client.secrets(try query(account: "z")) == ["4"])
    }

    @Test func `an update onto another item is a duplicate and changes nothing`() throws {
        try client.addPassword(account: "x", secret: "1")
        try client.addPassword(account: "y", secret: "2")
        let changes = try attributes(.update, [(.account, .string("y"))])
        #expect(
            try refusal { try client.update(try query(account: "x"), changes: changes, secret: [9]) }
                == Refusal(.duplicateItem, .none))
        #expect(try client.secrets(try query(account: "x")) == ["1"])
    }

    @Test func `creation stays, modification is strictly later even when time stands still`() throws {
        func dates() throws -> (AttributeValue?, AttributeValue?) {
            let found = try client.attributeSets(try query())[0]
            return (found[.creationDate], found[.modificationDate])
        }
        func at(_ seconds: Double) -> AttributeValue { .date(Timestamp(secondsSinceReferenceDate: seconds)) }
        func touch() throws {
            try client.update(try query(), changes: ItemAttributes(empty: .genericPassword), secret: [1])
        }
        try client.addPassword()
        #expect(try dates() == (at(800_000_000), at(800_000_000)))
        try touch()
        #expect(try dates() == (at(800_000_000), at(800_000_000.001)))
        keychain.setTime(to: Timestamp(secondsSinceReferenceDate: 800_000_500))
        try touch()
        #expect(try dates() == (at(800_000_000), at(800_000_500)))
        keychain.setTime(to: Timestamp(secondsSinceReferenceDate: 1))
        try touch()
        #expect(try dates() == (at(800_000_000), at(800_000_500.001)))
    }

    @Test func `a caller's dates for a new item are not taken`() throws {
        let early = AttributeValue.date(Timestamp(secondsSinceReferenceDate: 1))
        let given = try attributes([(.creationDate, early), (.modificationDate, early)])
        let added = try client.add(given, secret: [UInt8]?.none, returning: .attributes) { _ in }
        #expect(added.attributes?[.creationDate] != early && added.attributes?[.modificationDate] != early)
    }

    @Test func `a persistent reference names the item whatever of it changes, until it is deleted`() throws {
        let reference = try client.addPassword()
        var byReference = ItemQuery(.genericPassword)
        byReference.persistentReference = reference
        byReference.synchronizable = .any
        let changes = try attributes(
            .update,
            [
                (.account, .string("new")), (.service, .string("new")), (.accessGroup, .string("b")),
                (.synchronizable, .number(1)),
            ])
        try client.update(byReference, changes: changes, secret: Array("2".utf8))
        #expect(try client.secrets(byReference) == ["2"])
        let found = try client.copyMatching(byReference, limit: .one, returning: .attributes) { _ in }[0]
        #expect(found.reference == reference && found.attributes?[.account] == .string("new"))
        try client.delete(byReference)
        #expect(try refusal { try client.delete(byReference) }.status == .itemNotFound)
    }

    @Test func `synchronizable items are seen only by those who ask`() throws {
        try client.add(
            try attributes([(.account, .string("s")), (.synchronizable, .number(1))]), secret: Array("s".utf8)
        )
        try client.addPassword(secret: "l")
        var all = try query()
        #expect(try client.secrets(all) == ["l"])
        all.synchronizable = .synchronizableOnly
        #expect(try client.secrets(all) == ["s"])
        all.synchronizable = .any
        #expect(try Set(client.secrets(all)) == ["l", "s"])
    }

    @Test func `a limit bounds how many are returned`() throws {
        for number in 0..<5 { try client.addPassword(account: "\(number)") }
        #expect(try client.secrets(try query(), limit: .one).count == 1)
        #expect(try client.secrets(try query(), limit: .atMost(3)).count == 3)
        #expect(try client.secrets(try query(), limit: .all).count == 5)
    }

    @Test func `many large secrets come back whole`() throws {
        for number in 0..<20 {
            let secret = [UInt8](repeating: UInt8(number), count: 60_000)
            try client.add(try attributes([(.account, .string("\(number)"))]), secret: secret)
        }
        let found = try client.copyMatching(try query(), limit: .all, returning: [.data, .attributes]) { Array($0) }
        #expect(found.count == 20)
        for item in found {
            let number = try #require(item.attributes?[.account]?.string.flatMap(UInt8.init))
            #expect(item.secret == [UInt8](repeating: number, count: 60_000))
        }
    }

    @Test func `promises that could not be kept are refused`() throws {
        let constrained = AccessControl(protection: .whenUnlocked, flags: .userPresence).map(
            AttributeValue.accessControl)
        let refused = try refusal {
            try client.add(try attributes([(.accessControl, try #require(constrained))]), secret: [1])
        }
        #expect(refused == Refusal(.authenticationFailed, .noPasscode))
        let needsPasscode = try attributes([(.accessible, .string("akpu"))])
        #expect(
            try refusal { try client.add(needsPasscode, secret: [1]) }
                == Refusal(.authenticationFailed, .noPasscode))
        try client.addPassword()
        let update = try attributes(.update, [(.accessible, .string("akpu"))])
        #expect(
            try refusal { try client.update(try query(), changes: update, secret: [UInt8]?.none) }
                == Refusal(.authenticationFailed, .noPasscode))
    }
}
