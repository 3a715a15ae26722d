// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

/// Why a search found nothing, and why an item cannot be added.
struct ExplanationTests {
    private let keychain: InMemoryKeychain
    private let client: KeychainClient

    init() throws {
        keychain = try InMemoryKeychain(accessGroups: ["mine", "also mine"])
        client = keychain.client
    }

    private func sentences(_ query: ItemQuery) throws -> [String] {
        try client.explainSearch(query).sentences(about: query.itemClass)
    }

    @Test func `the filter that leaves nothing is named, and what would match without it`() throws {
        try client.addPassword(service: "mail", account: "ann")
        try client.addPassword(service: "mail", account: "bob")
        try client.addPassword(service: "news", account: "ann")
        let query = try query(service: "chat", account: "ann")
        let explanation = try client.explainSearch(query)
        #expect(
            explanation.facts == [
                .candidates(3), .narrowed(by: .attribute(.account), to: 2), .narrowed(by: .attribute(.service), to: 0),
                .without(.attribute(.service), matches: 2),
            ])
        #expect(explanation.decisiveFilters == [.attribute(.service)])
        #expect(
            explanation.sentences(about: .genericPassword) == [
                "Searched 3 generic passwords in the program's access groups; account leaves 2; service leaves none.",
                "Without service, 2 items would match.",
            ])
    }

    @Test func `a contained text is a condition like others`() throws {
        try client.addPassword(service: "mail", account: "ann")
        try client.addPassword(service: "mail", account: "bob")
        var query = try query(service: "mail")
        query.containedText = "NN"
        #expect(try client.explainSearch(query).facts == [.candidates(2), .narrowed(by: .text, to: 1)])
        query.containedText = "x"
        #expect(
            try client.explainSearch(query).facts == [
                .candidates(2), .narrowed(by: .text, to: 0), .without(.text, matches: 2),
            ])
    }

    @Test func `synchronizable items that were not searched are mentioned`() throws {
        try client.add(
            try attributes([(.service, .string("mail")), (.synchronizable, .number(1))]), secret: nil)
        let explanation = try client.explainSearch(try query(service: "mail"))
        #expect(explanation.facts.contains(.without(.attribute(.synchronizable), matches: 1)))
        let text = explanation.sentences(about: .genericPassword).joined(separator: " ")
        #expect(text.contains("kSecAttrSynchronizableAny"))
    }

    @Test func `a text that differs only in case is mentioned`() throws {
        try client.addPassword(service: "mail", account: "ImaUser")
        let explanation = try client.explainSearch(try query(service: "mail", account: "imauser"))
        #expect(explanation.facts.contains(.overlooking(.caseInsensitive, matches: 1)))
        #expect(!explanation.facts.contains(.overlooking(.widthInsensitive, matches: 1)))
    }

    @Test func `an empty keychain is said to be one`() throws {
        #expect(
            try sentences(try query(service: "mail")) == [
                "Searched no generic passwords in the program's access groups."
            ])
    }

    @Test func `a group of the caller's own is a filter like others`() throws {
        try client.addPassword(service: "mail", account: "ann", group: "also mine")
        let explanation = try client.explainSearch(try query(service: "mail", group: "mine"))
        #expect(explanation.facts.first == .candidates(1))
        #expect(explanation.decisiveFilters == [.attribute(.accessGroup)])
    }

    @Test func `a search that finds something has nothing decisive`() throws {
        try client.addPassword()
        let explanation = try client.explainSearch(try query(service: "mail"))
        #expect(explanation.facts == [.candidates(1)])
    }

    @Test func `the existing item is named`() throws {
        let reference = try client.addPassword(service: "mail", account: "ann")
        try client.addPassword(service: "mail", account: "bob")
        let new = try attributes([
            (.service, .string("mail")), (.account, .string("ann")), (.label, .string("another")),
        ])
        let explanation = try client.explainAddition(new)
        #expect(explanation.existing == reference)
        let text = explanation.sentences(about: .genericPassword).joined(separator: " ")
        #expect(text.contains("same account, access group, service, synchronizable and sync view hint"), "\(text)")
        #expect(try client.explainAddition(try attributes([(.service, .string("mail"))])).existing == nil)
    }

    @Test func `an internet password's defaults count as given`() throws {
        let attributes = try ItemAttributes(
            .internetPassword, for: .add, [.init(.server, .string("example.com")), .init(.port, .number(0))])
        let reference = try client.add(attributes, secret: nil)
        let same = try ItemAttributes(.internetPassword, for: .add, [.init(.server, .string("example.com"))])
        #expect(try client.explainAddition(same).existing == reference)
    }

    @Test func `nothing is told of another program's items`() throws {
        let other = keychain.client(accessGroups: ["other"])
        try other.addPassword(service: "mail", account: "ann")
        #expect(try client.explainSearch(try query(service: "mail")).facts == [.candidates(0)])
        let foreign = Refusal(.missingEntitlement, .foreignAccessGroup)
        #expect(try refusal { _ = try client.explainSearch(try query(group: "other")) } == foreign)
        let addition = try attributes([(.service, .string("mail")), (.accessGroup, .string("other"))])
        #expect(try refusal { _ = try client.explainAddition(addition) } == foreign)
    }

    @Test func `no value of an attribute is in an explanation`() throws {
        try client.addPassword(service: "hidden service", account: "hidden account", secret: "hidden secret")
        let query = try query(service: "hidden service", account: "hidden other")
        #expect(try sentences(query).allSatisfy { !$0.contains("hidden") })
    }
}
