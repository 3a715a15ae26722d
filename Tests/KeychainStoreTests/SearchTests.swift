// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import SQLiteStatements
import Testing

@testable import KeychainStore

@Suite struct `Searches that overlook differences between texts` {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func found(_ account: AttributeValue, _ matching: TextMatching) throws -> [String] {
        try fixture.accounts(Fixture.query([.account: account], matching: matching))
    }

    @Test func `the case of letters does not count when it need not`() throws {
        try fixture.add([.account: .string("ImaUser"), .service: .string("Apple Store")])
        try fixture.add([.account: .string("somebody"), .service: .string("Apple Store")])
        #expect(try found(.string("imauser"), []).isEmpty)
        #expect(try found(.string("imauser"), .caseInsensitive) == ["ImaUser"])
        #expect(try found(.string("IMAUSER"), .caseInsensitive) == ["ImaUser"])
        #expect(try found(.data(Array("IMAUSER".utf8)), .caseInsensitive) == ["ImaUser"])
        let both: [AttributeKey: AttributeValue] = [.account: .string("imauser"), .service: .string("apple store")]
        #expect(try fixture.accounts(Fixture.query(both, matching: .caseInsensitive)) == ["ImaUser"])
    }

    @Test func `each difference is overlooked only when it is asked for`() throws {
        for account in ["cafe", "Cafe", "café", "CAFÉ", "\u{FF43}\u{FF41}\u{FF46}\u{FF45}", "cafe\u{301}"] {
            try fixture.add([.account: .string(account)])
        }
        let wide = "\u{FF43}\u{FF41}\u{FF46}\u{FF45}"
        func set(_ matching: TextMatching) throws -> Set<String> {
            // As bytes: Swift takes the composed and the decomposed letter for the same.
            Set(
                try found(.string("cafe"), matching).map {
                    $0.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
                })
        }
        func codes(_ texts: String...) -> Set<String> {
            Set(texts.map { $0.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") })
        }
        #expect(try set([]) == codes("cafe"))
        #expect(try set(.caseInsensitive) == codes("cafe", "Cafe"))
        #expect(try set(.diacriticInsensitive) == codes("cafe", "café", "cafe\u{301}"))
        #expect(try set(.widthInsensitive) == codes("cafe", wide))
        #expect(
            try set([.caseInsensitive, .diacriticInsensitive]) == codes("cafe", "Cafe", "café", "CAFÉ", "cafe\u{301}"))
        #expect(try set(.all).count == 6)
    }

    @Test(arguments: [("straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ÅNGSTRÖM", "ångström"), ("ДОМ", "дом")])
    func `case is that of all scripts`(stored: String, wanted: String) throws {
        try fixture.add([.account: .string(stored)])
        #expect(try found(.string(wanted), .caseInsensitive) == [stored])
        #expect(try found(.string(wanted), []).isEmpty)
    }

    @Test func `an exact search does not take a text for another with the same folded form`() throws {
        for account in ["ann", "Ann", "ANN"] { try fixture.add([.account: .string(account)]) }
        for account in ["ann", "Ann", "ANN"] { #expect(try found(.string(account), []) == [account]) }
        #expect(try found(.string("aNN"), []).isEmpty)
    }

    @Test func `what has no folded index is compared when it is opened`() throws {
        try fixture.add([.account: .string("a"), .alias: .string("Nick")])
        try fixture.add([.account: .string("b"), .alias: .string("Other")])
        let query = Fixture.query([.alias: .string("NICK")], matching: .caseInsensitive)
        #expect(try fixture.accounts(query) == ["a"])
    }

    @Test func `numbers, dates and bytes that are no text are compared as ever`() throws {
        try fixture.add([.account: .data([0xFF, 0x41]), .creator: .number(7)])
        let parts: [AttributeKey: AttributeValue] = [.account: .data([0xFF, 0x41]), .creator: .number(7)]
        #expect(try fixture.read(Fixture.query(parts, matching: .all)).count == 1)
        #expect(try fixture.read(Fixture.query([.account: .data([0xFF, 0x61])], matching: .all)).isEmpty)
        #expect(try fixture.read(Fixture.query([.creator: .number(8)], matching: .all)).isEmpty)
    }

    @Test func `the limit counts matches, not candidates`() throws {
        for account in ["É1", "e1", "E1", "é1"] { try fixture.add([.account: .string(account)]) }
        let query = Fixture.query([.account: .string("e1")], matching: .caseInsensitive)
        #expect(try fixture.accounts(query, limit: .atMost(2)) == ["e1", "E1"])
        #expect(try fixture.accounts(query, limit: .one) == ["e1"])
    }

    @Test func `updates and deletions can overlook differences too`() throws {
        for account in ["ann", "ANN", "bob"] { try fixture.add([.account: .string(account)]) }
        let query = Fixture.query([.account: .string("Ann")], matching: .caseInsensitive)
        #expect(try fixture.update(query, [.label: .string("x")]).changed?.count == 2)
        #expect(try fixture.delete(query).changed?.count == 2)
        #expect(throws: StoreError.notFound) { try fixture.delete(query) }
        #expect(try fixture.accounts(Fixture.query()) == ["bob"])
    }

    @Test func `the folded form follows an update`() throws {
        try fixture.add([.account: .string("Ann")])
        _ = try fixture.update(Fixture.query(), [.account: .string("Bea")])
        #expect(try found(.string("ANN"), .caseInsensitive).isEmpty)
        #expect(try found(.string("BEA"), .caseInsensitive) == ["Bea"])
    }
}

@Suite struct `Internet passwords in the store` {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test func `all seven attributes tell items apart, and their defaults do not`() throws {
        let base: [AttributeKey: AttributeValue] = [.server: .string("example.com"), .account: .string("ann")]
        try fixture.add(base, .internetPassword)
        let others: [(AttributeKey, AttributeValue)] = [
            (.account, .string("bob")), (.server, .string("example.org")), (.securityDomain, .string("d")),
            (.protocol, .string("http")), (.authenticationType, .string("dflt")), (.port, .number(8080)),
            (.path, .string("/x")), (.synchronizable, .number(1)),
        ]
        for (key, value) in others {
            try fixture.add(base.merging([key: value]) { $1 }, .internetPassword)
            #expect(throws: StoreError.duplicate) {
                try fixture.add(base.merging([key: value]) { $1 }, .internetPassword)
            }
        }
        for (key, value) in [
            (AttributeKey.port, AttributeValue.number(0)), (.path, .string("")), (.label, .string("l")),
        ] {
            #expect(throws: StoreError.duplicate) {
                try fixture.add(base.merging([key: value]) { $1 }, .internetPassword)
            }
        }
        #expect(try fixture.read(Fixture.query([.port: .number(8080)], .internetPassword)).count == 1)
        #expect(try fixture.read(Fixture.query([.port: .number(0)], .internetPassword)).count == 7)
        #expect(try fixture.read(Fixture.query([.path: .string("")], .internetPassword)).count == 7)
    }

    @Test func `the classes do not see each other`() throws {
        let generic = try fixture.add([.account: .string("ann")])
        let internet = try fixture.add([.account: .string("ann")], .internetPassword)
        #expect(try fixture.read(Fixture.query()).map(\.identifier) == [generic.identifier])
        #expect(try fixture.read(Fixture.query([:], .internetPassword)).map(\.identifier) == [internet.identifier])
        let counts = try fixture.store.statistics().items
        #expect(counts.filter { $0.value > 0 } == [.genericPassword: 1, .internetPassword: 1])
        #expect(try fixture.delete(Fixture.query([:], .internetPassword)).changed == [internet.identifier])
        #expect(try fixture.read(Fixture.query()).count == 1)
    }

    @Test func `a row number is never used again`() throws {
        var references: Set<Int64> = []
        for _ in 0..<3 {
            try fixture.add([:], .internetPassword)
            let found = try fixture.store.find(Fixture.query([:], .internetPassword), in: Fixture.own, limit: .one)
            #expect(references.insert(found.rows[0].id).inserted)
            _ = try fixture.delete(Fixture.query([:], .internetPassword))
        }
    }

    @Test func `a host stands for itself and all below it`() throws {
        for server in ["origin.example.com", "example.com", "myexample.com", "example.com.evil.org", "Example.COM"] {
            try fixture.add([.server: .string(server)], .internetPassword)
        }
        func servers(_ host: String, _ matching: TextMatching = []) throws -> [String] {
            var query = Fixture.query([:], .internetPassword, matching: matching)
            query.hostOrSubdomain = host
            return try fixture.read(query).map { $0.attributes?[.server]?.string ?? "?" }
        }
        #expect(try servers("example.com") == ["origin.example.com", "example.com"])
        #expect(try servers("origin.example.com") == ["origin.example.com"])
        #expect(try servers("foobar.com").isEmpty)
        #expect(try servers("EXAMPLE.com", .caseInsensitive) == ["origin.example.com", "example.com", "Example.COM"])
    }
}

@Suite struct `Searches for a contained text` {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func query(_ text: String, _ itemClass: ItemClass = .genericPassword) -> ItemQuery {
        var query = Fixture.query([:], itemClass)
        query.containedText = text
        return query
    }

    @Test(arguments: [
        ("book", ["label"]), ("NOTE", ["label"]), ("café", ["service"]), ("CAFE", ["service"]), ("ｃａｆｅ", ["service"]),
        ("strasse", ["street"]), ("account", ["account name"]), ("e", ["account name", "label", "service", "street"]),
        ("secret", []), ("comment", []), ("books", []),
    ])
    func `the label, the account and the service are searched, and nothing else`(
        text: String, accounts: [String]
    ) throws {
        try fixture.add([.account: .string("account name"), .comment: .string("a comment")], secret: "secret")
        try fixture.add([.account: .string("label"), .label: .string("Notebook")])
        try fixture.add([.account: .string("service"), .service: .data(Array("le Cafe\u{301}".utf8))])
        try fixture.add([.account: .string("street"), .service: .string("Hauptstraße")])
        #expect(try fixture.accounts(query(text)).sorted() == accounts)
    }

    @Test func `of internet passwords, the server and the path are searched as well`() throws {
        try fixture.add([.server: .string("git.example.org"), .path: .string("/login")], .internetPassword)
        try fixture.add([.server: .string("news.example.org"), .protocol: .string("htps")], .internetPassword)
        func servers(_ text: String) throws -> [String] {
            try fixture.read(query(text, .internetPassword)).map { $0.attributes?[.server]?.string ?? "?" }
        }
        #expect(try servers("EXAMPLE") == ["git.example.org", "news.example.org"])
        #expect(try servers("t.e") == ["git.example.org"])
        #expect(try servers("/LOG") == ["git.example.org"])
        #expect(try servers("htps").isEmpty)
    }

    @Test func `a limit counts the matches, and items of other groups are not found`() throws {
        for number in 0..<6 {
            try fixture.add([.account: .string(number % 2 == 0 ? "even \(number)" : "odd \(number)")])
        }
        try fixture.add([.account: .string("even 6")], group: "foreign")
        #expect(try fixture.accounts(query("EVEN"), limit: .atMost(2)) == ["even 0", "even 2"])
        #expect(try fixture.accounts(query("EVEN")) == ["even 0", "even 2", "even 4"])
        #expect(try fixture.accounts(query("EVEN"), in: .everything(own: [team])).count == 4)
    }

    @Test func `the other conditions of the query hold as well`() throws {
        for service in ["a", "b"] { try fixture.add([.account: .string("ann"), .service: .string(service)]) }
        var query = Fixture.query([.service: .string("b")])
        query.containedText = "AN"
        #expect(try fixture.read(query).map { $0.attributes?[.service]?.string } == ["b"])
        _ = try fixture.delete(query)
        #expect(try fixture.read(self.query("ann")).map { $0.attributes?[.service]?.string } == ["a"])
    }

    @Test func `changed and deleted items are found by their new texts alone`() throws {
        try fixture.add([.account: .string("ann"), .label: .string("old")])
        #expect(try fixture.accounts(query("old")) == ["ann"])
        _ = try fixture.update(Fixture.query([.account: .string("ann")]), [.label: .string("new")])
        #expect(try fixture.accounts(query("old")).isEmpty)
        #expect(try fixture.accounts(query("new")) == ["ann"])
        try fixture.add([.account: .string("bob"), .label: .string("new too")])
        #expect(try fixture.accounts(query("new")) == ["ann", "bob"])
        _ = try fixture.delete(Fixture.query([.account: .string("ann")]))
        #expect(try fixture.accounts(query("new")) == ["bob"])
    }
}

@Suite struct `Tombstones of synchronizable items` {
    private let fixture: Fixture
    private let synced = Fixture.query([:], sync: .any)

    init() throws { fixture = try Fixture() }

    private func add(_ account: String, label: String? = nil) throws -> StoredItem {
        var entries: [AttributeKey: AttributeValue] = [.account: .string(account), .synchronizable: .number(1)]
        entries[.label] = label.map { .string($0) }
        return try fixture.add(entries)
    }

    private func rows() throws -> [(tomb: Int64, labelled: Bool)] {
        try fixture.store.reader.access { db in
            try db.rows(of: "SELECT tomb, labl IS NOT NULL FROM genp ORDER BY id").map {
                ($0[0].integer ?? -1, $0[1] == .integer(1))
            }
        }
    }

    @Test func `a deleted item leaves a row that no search sees`() throws {
        _ = try add("ann", label: "l")
        #expect(try fixture.delete(synced).changed?.count == 1)
        #expect(try fixture.read(synced).isEmpty)
        #expect(throws: StoreError.notFound) { try fixture.delete(synced) }
        #expect(throws: StoreError.notFound) { try fixture.update(synced, [.label: .string("x")]) }
        let left = try rows()
        #expect(left.count == 1 && left[0].tomb == 1 && !left[0].labelled)
        #expect(try fixture.store.statistics().items[.genericPassword] == 0)
    }

    @Test func `the same item added again takes its place and its identifier`() throws {
        let first = try add("ann")
        _ = try fixture.delete(synced)
        let second = try add("ann", label: "new")
        #expect(second.identifier == first.identifier)
        let items = try fixture.read(synced)
        #expect(items.count == 1 && items[0].secret == "secret" && items[0].attributes?[.label] == .string("new"))
        #expect(items[0].attributes?[.tombstone] == nil)
        #expect(try rows().count == 1)
        #expect(throws: StoreError.duplicate) { try add("ann") }
    }

    @Test func `an item that becomes another leaves one under its old name`() throws {
        let item = try add("ann")
        _ = try fixture.update(synced, [.account: .string("bea")])
        #expect(try rows().map(\.tomb) == [0, 1])
        #expect(try fixture.accounts(synced) == ["bea"])
        #expect(try fixture.read(synced)[0].identifier == item.identifier)
        // And back, over the tombstone.
        _ = try fixture.update(synced, [.account: .string("ann")])
        #expect(try fixture.accounts(synced) == ["ann"])
        #expect(try rows().map(\.tomb) == [0, 1])
        #expect(try add("bea").identifier != item.identifier)
        #expect(try rows().map(\.tomb) == [0, 0])
    }

    @Test func `other changes leave none, nor does a local item`() throws {
        _ = try add("ann")
        _ = try fixture.update(synced, [.label: .string("x")], secret: "new")
        #expect(try rows().map(\.tomb) == [0])
        try fixture.add([.account: .string("local")])
        _ = try fixture.delete(Fixture.query())
        #expect(try rows().map(\.tomb) == [0])
    }

    @Test func `an item that stops synchronizing leaves one`() throws {
        _ = try add("ann")
        _ = try fixture.update(synced, [.synchronizable: .number(0)])
        #expect(try fixture.accounts(Fixture.query()) == ["ann"])
        #expect(try rows().map(\.tomb) == [0, 1])
    }
}
