// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Testing

/// Searches that overlook differences between texts.
struct SearchTests {
    private let keychain: UserKeychain

    init() throws { keychain = try InMemoryKeychain().keychain }

    private static let all: TextMatching = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]

    @Test(
        arguments: [
            ("imauser", .caseInsensitive, true), ("imauser", [], false), ("IMAUSER", all, true),
            ("ImaUser", [], true), ("imausér", .caseInsensitive, false),
            ("imausér", [.caseInsensitive, .diacriticInsensitive], true),
            ("ＩｍａＵｓｅｒ", .widthInsensitive, true), ("ＩｍａＵｓｅｒ", .caseInsensitive, false),
            ("ima user", all, false),
        ] as [(String, TextMatching, Bool)])
    func `both classes are found by a name that differs only in ignored properties`(
        _ account: String, _ matching: TextMatching, _ isFound: Bool
    ) async throws {
        let generic = GenericPassword(service: "mail", account: "ImaUser")
        try await keychain.add(generic, secret: SecretData(utf8: "1"))
        let internet = InternetPassword(server: "Example.com", account: "ImaUser")
        try await keychain.add(internet, secret: SecretData(utf8: "2"))

        let query = GenericPassword.Query(account: account, matching: matching)
        #expect(try await keychain.findAll(query).count == (isFound ? 1 : 0))
        #expect(try await keychain.secret(for: query)?.utf8String == (isFound ? "1" : nil))
        let other = InternetPassword.Query(account: account, matching: matching)
        #expect(try await keychain.find(other)?.server == (isFound ? "Example.com" : nil))
        #expect(try await keychain.contains(other) == isFound)
    }

    @Test func `ignored differences apply to all texts of a query`() async throws {
        try await keychain.add(
            GenericPassword(service: "Mail", account: "Ann", label: "Work", comment: "Note"), secret: nil)
        for query in [
            GenericPassword.Query(service: "MAIL"), .init(label: "WORK"), .init(comment: "NOTE"),
            .init(service: "mail", account: "ann", label: "work", comment: "note"),
        ] {
            var query = query
            #expect(try await keychain.find(query) == nil)
            query.matching = .caseInsensitive
            #expect(try await keychain.find(query) != nil)
        }
        #expect(
            try await keychain.find(GenericPassword.Query(accessGroup: "tests", matching: .caseInsensitive)) != nil)
    }

    @Test func `a limit counts the items that match`() async throws {
        for account in ["ANN", "Ann", "ann", "bob"] {
            try await keychain.add(GenericPassword(service: "s", account: account), secret: nil)
        }
        let query = GenericPassword.Query(account: "aNN", matching: .caseInsensitive)
        for limit in 0...4 { #expect(try await keychain.findAll(query, limit: limit).count == min(limit, 3)) }
    }

    @Test func `an item is never taken for another that differs in case alone`() async throws {
        try await keychain.add(GenericPassword(service: "s", account: "Ann"), secret: nil)
        let other = GenericPassword(service: "s", account: "ann")
        #expect(try await !keychain.contains(other))
        #expect(try await !keychain.delete(other))
        try await keychain.store(other, secret: SecretData(utf8: "1"))
        #expect(try await keychain.findAll(GenericPassword.Query()).count == 2)
    }

    @Test func `an access group of the program's limits a search, another one is refused`() async throws {
        let both = try InMemoryKeychain(accessGroups: ["first", "second"]).keychain
        for group in ["first", "second"] {
            try await both.add(GenericPassword(service: "s", accessGroup: group), secret: nil)
        }
        #expect(try await both.findAll(GenericPassword.Query()).count == 2)
        #expect(
            try await both.findAll(GenericPassword.Query(accessGroup: "second")).map(\.accessGroup) == ["second"])
        await expectError(.missingEntitlement) { () throws(KeychainError) in
            try await both.findAll(GenericPassword.Query(accessGroup: "third"))
        }
    }
}
