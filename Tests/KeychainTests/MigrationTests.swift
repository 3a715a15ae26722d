// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Testing

/// Moving an item to another place. KeychainServerTests has the tests of a program that ends in between.
struct MigrationTests {
    private let memory: InMemoryKeychain
    private let keychain: UserKeychain
    private let old = GenericPassword(service: "Mail", account: "ann")
    private let new = GenericPassword(service: "com.example.mail", account: "ann")

    init() throws {
        memory = try InMemoryKeychain(accessGroups: ["tests", "shared"])
        keychain = memory.keychain
    }

    @Test func `an item moves to another service once, with what describes it`() async throws {
        var described = old
        described.label = "Mail of Ann"
        described.comment = "old comment"
        described.generic = [1, 2]
        described.legacy = LegacyAttributes(creator: 7, isNegative: false)
        try await keychain.add(described, secret: SecretData(utf8: "1"))
        var target = new
        target.comment = "new comment"
        target.accessibility = .afterFirstUnlock
        #expect(try await keychain.migrate(old, to: target))
        #expect(try await !keychain.contains(old))
        let found = try #require(try await keychain.reveal(new))
        #expect(found.secret?.utf8String == "1" && found.accessibility == .afterFirstUnlock)
        #expect(found.label == "Mail of Ann" && found.comment == "new comment" && found.generic == [1, 2])
        #expect(found.legacy == described.legacy)

        try await keychain.update(new, secret: SecretData(utf8: "2"))
        #expect(try await !keychain.migrate(old, to: target), "nothing is left to move")
        #expect(try await keychain.secret(for: new)?.utf8String == "2")
    }

    @Test func `an item without a secret moves as well`() async throws {
        try await keychain.add(old, secret: nil)
        #expect(try await keychain.migrate(old, to: new))
        let found = try #require(try await keychain.reveal(new))
        #expect(found.secret == nil)
    }

    @Test func `a migration that was interrupted after the addition is completed`() async throws {
        try await keychain.add(old, secret: SecretData(utf8: "1"))
        let reference = try await keychain.add(new, secret: SecretData(utf8: "1"))
        #expect(try await keychain.migrate(old, to: new))
        #expect(try await !keychain.contains(old))
        #expect(try await keychain.find(new)?.reference == reference)
    }

    @Test(arguments: ["2", "", nil] as [String?])
    func `another secret in the new place is an error, and both items stay`(_ other: String?) async throws {
        try await keychain.add(old, secret: SecretData(utf8: "1"))
        try await keychain.add(new, secret: other.map { SecretData(utf8: $0) })
        let error = try await #require(throws: KeychainError.self) { try await keychain.migrate(old, to: new) }
        #expect(error.code == .duplicateItem && error.attempt == "move an item" && error.recoverySuggestion != nil)
        #expect(try await keychain.secret(for: old)?.utf8String == "1")
        let found = try #require(try await keychain.reveal(new))
        #expect(found.secret?.utf8String == other)
    }

    @Test func `an item whose new place is its old one stays`() async throws {
        let reference = try await keychain.add(old, secret: SecretData(utf8: "1"))
        var labelled = old
        labelled.label = "Mail"
        #expect(try await !keychain.migrate(old, to: labelled))
        #expect(try await !keychain.migrate(reference, to: old))
        #expect(try await keychain.secret(for: reference)?.utf8String == "1")
    }

    @Test func `an item moves to another access group under the same name`() async throws {
        try await keychain.add(old, secret: SecretData(utf8: "1"))
        var (source, target) = (old, old)
        (source.accessGroup, target.accessGroup) = ("tests", "shared")
        #expect(try await keychain.migrate(source, to: target))
        #expect(try await keychain.findAll(GenericPassword.Query()).map(\.accessGroup) == ["shared"])
        #expect(try await memory.keychain(accessGroups: ["shared"]).secret(for: old)?.utf8String == "1")
        #expect(try await !keychain.migrate(source, to: target))
    }

    @Test func `an access group that is not the program's leaves the item in its place`() async throws {
        try await keychain.add(old, secret: SecretData(utf8: "1"))
        var target = new
        target.accessGroup = "other"
        await expectError(.missingEntitlement) { () throws(KeychainError) in
            try await keychain.migrate(old, to: target)
        }
        #expect(try await keychain.secret(for: old)?.utf8String == "1")
    }

    @Test func `an item moves from a keychain file to the data-protection keychain, and back`() async throws {
        try await withKeychainFolder { memory, _ in
            let keychain = memory.keychain
            let file = keychain.inFile(
                try await keychain.files.create(at: "login", password: SecretData(utf8: "sesame")))
            let site = InternetPassword(server: "example.com", account: "ann", protocol: .https, path: "/login")
            try await file.add(site, secret: SecretData(utf8: "1"))
            #expect(try await keychain.migrate(site, from: file, to: site))
            #expect(try await !file.contains(site))
            #expect(try await keychain.secret(for: site)?.utf8String == "1")
            #expect(try await !keychain.migrate(site, from: file, to: site))
            #expect(try await file.migrate(site, from: keychain, to: site))
            #expect(try await !keychain.contains(site))
            #expect(try await file.secret(for: site)?.utf8String == "1")
        }
    }
}
