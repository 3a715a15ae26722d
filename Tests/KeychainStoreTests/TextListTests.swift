// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPolicy
import KeychainSealing
import Synchronization
import Testing

@testable import KeychainStore

/// Searches for a contained text through the items of all programs, in a file.
@Suite struct `The list of texts` {
    private let directory: Directory
    private let fixture: Fixture
    private let everything = SearchScope.everything(own: [team])

    init() throws {
        directory = try Directory()
        fixture = try Fixture(at: .file(directory.database))
    }

    private func query(_ text: String, _ itemClass: ItemClass = .genericPassword) -> ItemQuery {
        var query = Fixture.query([:], itemClass, sync: .any)
        query.containedText = text
        return query
    }

    private func matchGrant() -> Grant { Fixture.grant(.match) }

    private func candidates(_ query: ItemQuery, in scope: SearchScope? = nil) throws(StoreError) -> FoundItems {
        try fixture.store.findCandidates(
            query, in: scope ?? everything, limit: .all, parts: .attributes, with: matchGrant())
    }

    /// The accounts of the matches.
    private func accounts(_ query: ItemQuery, in scope: SearchScope? = nil) throws -> [String] {
        let found = try fixture.store.matching(
            try candidates(query, in: scope), limit: .all, with: Fixture.grant(.readAttributes))
        var accounts: [String] = []
        try fixture.store.open(found, parts: .attributes, with: Fixture.grant(.readAttributes)) { item in
            accounts.append(item.attributes?[.account]?.string ?? "?")
        }
        return accounts
    }

    private func isKnown(_ itemClass: ItemClass = .genericPassword) -> Bool {
        fixture.store.texts.withLock { $0[itemClass] != nil }
    }

    private func fill() throws {
        for number in 0..<40 {
            try fixture.add(
                [.account: .string("account \(number)"), .label: .string(number % 10 == 3 ? "Café \(number)" : "x")],
                group: number % 2 == 0 ? team : "foreign")
        }
    }

    @Test func `the first search makes it, and the next one reads the matches alone`() throws {
        try fill()
        #expect(!isKnown())
        let expected = ["account 3", "account 13", "account 23", "account 33"]
        #expect(try accounts(query("CAFE")) == expected)
        #expect(isKnown() && !isKnown(.internetPassword))
        #expect(try candidates(query("CAFE")).count == 4)
        #expect(try accounts(query("CAFE")) == expected)
        // Only the list leads to these: without it, a search returns all items.
        #expect(try fixture.store.find(query("CAFE"), in: everything, limit: .all, parts: .attributes).count == 40)
    }

    @Test func `it finds what opening each item finds, in the same order, after each change`() throws {
        for round in 0..<30 {
            let account = "a\(round * 7 % 20)"
            let selection = Fixture.query([.account: .string(account)], sync: .any)
            switch round % 4 {
            case 0, 1:
                _ = try? fixture.add(
                    [
                        .account: .string(account), .service: .string("Dienst \(round)"),
                        .synchronizable: .number(Int64(round % 3 == 0 ? 1 : 0)),
                    ], group: round % 2 == 0 ? team : "foreign")
            case 2: _ = try? fixture.update(selection, [.label: .string("Größe \(round)")])
            default: _ = try? fixture.delete(selection)
            }
            for text in ["a1", "DIENST", "grosse", "größe 1", "none"] {
                let opened = try fixture.accounts(query(text), in: everything)
                // With a list that was made before the change, then with a new one.
                for _ in 0..<2 { #expect(try accounts(query(text)) == opened, "\(text) in round \(round)") }
            }
        }
    }

    @Test func `a change by another connection counts at once`() throws {
        try fill()
        _ = try accounts(query("CAFE"))
        try directory.edit("DELETE FROM genp WHERE id = 4")
        #expect(try accounts(query("CAFE")) == ["account 13", "account 23", "account 33"])
    }

    @Test func `while a class is locked it has no answer, and after the unlock the same as before`() throws {
        try fill()
        let (passcode, cost) = (Array("1".utf8), ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!)
        try fixture.store.setFirstPasscode(passcode, cost: cost)
        #expect(try accounts(query("CAFE")).count == 4)
        #expect(isKnown())
        fixture.store.lock()
        // The policy has to decide about all items, and nothing is opened.
        #expect(try candidates(query("CAFE")).count == 40)
        #expect(throws: StoreError.keyNotAvailable(.whenUnlocked)) { try accounts(query("CAFE")) }
        let key = try fixture.store.keybagKey(for: ProtectorSecret(.passcode, passcode))
        #expect(try fixture.store.unlock(with: key, since: fixture.store.epoch))
        #expect(try candidates(query("CAFE")).count == 4)
    }

    @Test func `a query with another condition, and one of a program's own items, make no list`() throws {
        try fill()
        var local = query("CAFE")
        local.synchronizable = .localOnly
        var labelled = query("CAFE")
        labelled.attributes = Fixture.attributes([.label: .string("Café 3")])
        #expect(try accounts(local).count == 4)
        #expect(try accounts(labelled) == ["account 3"])
        #expect(try accounts(query("CAFE"), in: .groups(["foreign"])).count == 4)
        #expect(try accounts(query("CAFE"), in: .everything(own: [team], withEnforced: true)).count == 4)
        #expect(!isKnown())
    }

    @Test func `no list is made of more texts than its limit, and the same items are found`() throws {
        let long = String(repeating: "x", count: 600_000)
        for number in 0..<8 {
            try fixture.add([.account: .string("\(number)"), .label: .string(long + (number == 5 ? "needle" : ""))])
        }
        #expect(8 * 600_000 > TextList.limit)
        for _ in 0..<2 { #expect(try accounts(query("NEEDLE")) == ["5"]) }
        #expect(!isKnown())
    }

    @Test func `texts of many parts are all found, and none across two texts`() throws {
        let long = String(repeating: "y", count: 50_000)
        for number in 0..<12 {
            try fixture.add([.account: .string("n\(number)"), .label: .string(long), .service: .string("begin")])
        }
        #expect(try accounts(query(long)).count == 12)
        #expect(try accounts(query("n7")) == ["n7"])
        #expect(try accounts(query("yn7")).isEmpty && accounts(query("7begin")).isEmpty)
    }

    @Test func `sealed texts are not readable, and open under no other class`() throws {
        let texts = Array("a text of an item".utf8)
        let sealed = try fixture.store.keyRing.sealTexts(texts, of: .whenUnlocked)
        #expect(try Array(fixture.store.keyRing.openTexts(sealed)) == texts)
        let other = try Fixture()
        #expect(throws: SealingError.damaged) { try other.store.keyRing.openTexts(sealed) }
    }
}
