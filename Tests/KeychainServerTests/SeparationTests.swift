// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainWire
import Testing

/// The visibility of programs to each other.
struct SeparationTests {
    private let keychain: InMemoryKeychain
    private let mine: KeychainClient
    private let other: KeychainClient

    init() throws {
        keychain = try InMemoryKeychain(accessGroups: ["mine"])
        mine = keychain.client
        other = keychain.client(accessGroups: ["other"])
    }

    private let notFound = Refusal(.itemNotFound, .none)
    private let foreignGroup = Refusal(.missingEntitlement, .foreignAccessGroup)
    private let othersItem = Refusal(.interactionNotAllowed, .otherProgramsItem)
    private let changes = ItemAttributes(empty: .genericPassword)

    @Test func `for another program an item does not exist`() throws {
        let reference = try mine.addPassword()
        var byReference = ItemQuery(.genericPassword)
        byReference.persistentReference = reference
        byReference.synchronizable = .any
        for query in [byReference, try query(), try query(service: "mail")] {
            #expect(try refusal { _ = try other.secrets(query) } == notFound)
            #expect(try refusal { _ = try other.attributeSets(query) } == notFound)
            #expect(try refusal { try other.update(query, changes: changes, secret: [1]) } == notFound)
            #expect(try refusal { try other.delete(query) } == notFound)
        }
        #expect(throws: Never.self) { try other.addPassword(secret: "other's") }
        #expect(try mine.secrets(try query()) == ["correct horse"])
        #expect(try other.secrets(try query()) == ["other's"])
    }

    @Test func `naming a foreign access group is errSecMissingEntitlement, whether it has items or not`() throws {
        try mine.addPassword()
        for group in ["mine", "nobody's", "chatelaine"] {
            let query = try query(group: group)
            #expect(try refusal { _ = try other.secrets(query) } == foreignGroup)
            #expect(try refusal { try other.update(query, changes: changes, secret: [1]) } == foreignGroup)
            #expect(try refusal { try other.delete(query) } == foreignGroup)
            #expect(try refusal { try other.addPassword(group: group) } == foreignGroup)
        }
        try other.addPassword()
        let move = try attributes(.update, [(.accessGroup, .string("mine"))])
        #expect(
            try refusal { try other.update(try query(), changes: move, secret: [UInt8]?.none) } == foreignGroup)
    }

    @Test func `a caller that is not identified gets errSecMissingEntitlement for everything`() throws {
        try mine.addPassword()
        let nobody = keychain.client(accessGroups: [])
        let refused = Refusal(.missingEntitlement, .unidentifiedCaller)
        #expect(try refusal { try nobody.addPassword() } == refused)
        for query in [try query(), try query(group: "mine")] {
            #expect(try refusal { _ = try nobody.secrets(query) } == refused)
            #expect(try refusal { _ = try nobody.attributeSets(query) } == refused)
            #expect(try refusal { try nobody.update(query, changes: changes, secret: [1]) } == refused)
            #expect(try refusal { try nobody.delete(query) } == refused)
        }
        #expect(try refusal { _ = try nobody.watch() } == refused)
    }

    // MARK: The administration tool

    @Test func `the administration tool lists the attributes of all items`() throws {
        try mine.addPassword(account: "1")
        try other.addPassword(account: "2")
        let tool = keychain.administrationClient()
        try tool.addPassword(account: "3")
        let accounts = try tool.attributeSets(try query()).map { $0[.account]?.string }
        #expect(Set(accounts) == ["1", "2", "3"])
        #expect(accounts.first == "3", "its own come first")
        #expect(try tool.attributeSets(try query(group: "other")).map { $0[.account]?.string } == ["2"])
    }

    @Test func `the administration tool gets no secret of another program and changes nothing of it`() throws {
        let reference = try mine.addPassword()
        let tool = keychain.administrationClient()
        var byReference = ItemQuery(.genericPassword)
        byReference.persistentReference = reference
        byReference.synchronizable = .any
        for query in [byReference, try query(), try query(group: "mine")] {
            #expect(try refusal { _ = try tool.secrets(query) } == othersItem)
            #expect(try refusal { try tool.update(query, changes: changes, secret: [1]) } == othersItem)
            #expect(try refusal { try tool.delete(query) } == othersItem)
        }
        #expect(try mine.secrets(try query()) == ["correct horse"])
    }

    @Test func `the administration tool's own item is found before another's of the same name`() throws {
        try mine.addPassword(secret: "mine")
        let tool = keychain.administrationClient()
        try tool.addPassword(secret: "tool's")
        try other.addPassword(secret: "other's")
        #expect(try tool.secrets(try query(service: "mail"), limit: .one) == ["tool's"])
        #expect(try refusal { _ = try tool.secrets(try query(service: "mail"), limit: .all) } == othersItem)
        try tool.delete(try query(service: "mail", group: "chatelaine"))
        #expect(try mine.secrets(try query()) == ["mine"])
    }

    @Test func `the counts of items are told to the administration tool only`() throws {
        try mine.addPassword()
        #expect(try mine.status().itemCount == nil)
        #expect(try mine.status().accessGroups == ["mine"])
        #expect(try keychain.administrationClient().status().itemCount == 1)
        #expect(try keychain.administrationClient().status().unreadableCount == 0)
    }
}
