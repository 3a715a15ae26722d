// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Testing

/// The typed API over a keychain in memory. These files import only the modules that a program imports.
struct GenericPasswordTests {
    private let memory: InMemoryKeychain
    private let keychain: UserKeychain
    private let mail = GenericPassword(service: "com.example.mail", account: "ann")

    init() throws {
        memory = try InMemoryKeychain(now: Date(timeIntervalSinceReferenceDate: 800_000_000))
        keychain = memory.keychain
    }

    @Test func `a password is added, found and read`() async throws {
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "correct horse"))
        let found = try #require(try await keychain.find(mail))
        #expect(found.reference == reference)
        #expect(found.service == mail.service && found.account == mail.account)
        #expect(found.attributes.accessGroup == "tests")
        #expect(found.creationDate == Date(timeIntervalSinceReferenceDate: 800_000_000))
        #expect(found.creationDate == found.modificationDate)
        #expect(try await keychain.secret(for: mail)?.utf8String == "correct horse")
        #expect(try await keychain.secret(for: reference)?.utf8String == "correct horse")
        #expect(try await keychain.secret(for: found)?.utf8String == "correct horse")
    }

    @Test func `all attributes come back as they were given`() async throws {
        var item = GenericPassword(
            service: "s", account: "a", label: "l", itemDescription: "d", comment: "c", generic: [0, 255],
            accessGroup: "tests", accessibility: .afterFirstUnlock, isSynchronizable: true)
        item.legacy = LegacyAttributes(
            creator: .max, type: 1, scriptCode: 3, alias: [1, 0], isInvisible: true, isNegative: false,
            hasCustomIcon: true)
        try await keychain.add(item, secret: SecretData(copying: [1]))
        #expect(try await keychain.find(item)?.attributes == item)
        #expect(try await keychain.find(GenericPassword.Query(service: "s")) == nil, "it synchronizes")
        #expect(
            try await keychain.findAll(GenericPassword.Query(synchronizable: .any)).map(\.attributes) == [item])
    }

    @Test func `finding nothing is nil, empty or false, not an error`() async throws {
        #expect(try await keychain.find(mail) == nil)
        #expect(try await keychain.findAll(GenericPassword.Query()).isEmpty)
        #expect(try await keychain.secret(for: mail) == nil)
        #expect(try await keychain.reveal(mail) == nil)
        #expect(try await keychain.revealAll(GenericPassword.Query()).isEmpty)
        #expect(try await !keychain.contains(mail))
        #expect(try await !keychain.delete(mail))
        #expect(try await !keychain.deleteAll(GenericPassword.Query()))
        #expect(try await !keychain.updateAll(GenericPassword.Query(), applying: GenericPassword.Changes(label: "l")))
    }

    @Test func `an item may have no secret, which is not the same as an empty one`() async throws {
        try await keychain.add(mail, secret: nil)
        #expect(try await keychain.contains(mail))
        #expect(try await keychain.secret(for: mail) == nil)
        let revealed = try #require(try await keychain.reveal(mail))
        #expect(revealed.secret == nil && revealed.account == "ann")
        try await keychain.update(mail, secret: SecretData(utf8: ""))
        #expect(try await keychain.secret(for: mail)?.count == 0)
    }

    @Test func `a search by each attribute finds its item and no other`() async throws {
        var item = GenericPassword(
            service: "s", account: "a", label: "l", itemDescription: "d", comment: "c", generic: [7],
            accessibility: .afterFirstUnlock)
        item.legacy = LegacyAttributes(creator: 1, type: 2, isInvisible: true, isNegative: true)
        try await keychain.add(item, secret: nil)
        try await keychain.add(GenericPassword(service: "other"), secret: nil)
        var queries = [
            GenericPassword.Query(service: "s"), .init(account: "a"), .init(label: "l"), .init(comment: "c"),
            .init(generic: [7]), .init(accessibility: .afterFirstUnlock),
        ]
        for set in [
            { $0.itemDescription = "d" }, { $0.legacy.creator = 1 }, { $0.legacy.type = 2 },
            { $0.legacy.isInvisible = true }, { $0.legacy.isNegative = true },
        ] as [(inout GenericPassword.Query) -> Void] {
            var query = GenericPassword.Query()
            set(&query)
            queries.append(query)
        }
        for query in queries {
            #expect(try await keychain.findAll(query).map(\.service) == ["s"], "\(query)")
        }
        #expect(try await keychain.findAll(GenericPassword.Query(service: "s", account: "b")).isEmpty, "all must hold")
    }

    @Test func `an update changes the secret, the attributes, or both, and nothing else`() async throws {
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "1"))
        try await keychain.update(mail, secret: SecretData(utf8: "2"))
        #expect(try await keychain.secret(for: reference)?.utf8String == "2")
        try await keychain.update(reference, applying: .init(account: "bob", label: "Bob's"))
        let bob = GenericPassword(service: mail.service, account: "bob")
        #expect(try await keychain.secret(for: bob)?.utf8String == "2")
        try await keychain.update(bob, applying: .init(comment: "c"), secret: SecretData(utf8: "3"))
        let found = try #require(try await keychain.reveal(bob))
        #expect(found.reference == reference && found.label == "Bob's" && found.comment == "c")
        #expect(found.secret?.utf8String == "3")
        #expect(try await !keychain.contains(mail))
    }

    @Test func `every attribute can be changed`() async throws {
        let both = try InMemoryKeychain(accessGroups: ["tests", "second"]).keychain
        let reference = try await both.add(mail, secret: nil)
        var changes = GenericPassword.Changes(
            service: "s", account: "a", label: "l", itemDescription: "d", comment: "c", generic: [1],
            accessGroup: "second", accessibility: .always, isSynchronizable: true)
        changes.legacy = LegacyAttributes(
            creator: 1, type: 2, scriptCode: 4, alias: [2], isInvisible: true, isNegative: true, hasCustomIcon: false)
        try await both.update(reference, applying: changes)
        var expected = GenericPassword(
            service: "s", account: "a", label: "l", itemDescription: "d", comment: "c", generic: [1],
            accessGroup: "second", accessibility: .always, isSynchronizable: true)
        expected.legacy = changes.legacy
        #expect(try await both.find(reference)?.attributes == expected)
    }

    @Test func `updating all changes all that match`() async throws {
        for account in ["a", "b"] {
            try await keychain.add(GenericPassword(service: "x", account: account), secret: nil)
        }
        try await keychain.add(mail, secret: nil)
        #expect(
            try await keychain.updateAll(
                GenericPassword.Query(service: "x"), applying: .init(label: "l"), secret: SecretData(utf8: "1")))
        let found = try await keychain.revealAll(GenericPassword.Query())
        #expect(found.count == 3)
        for item in found {
            #expect((item.label == "l") == (item.service == "x"))
            #expect(item.secret?.utf8String == (item.service == "x" ? "1" : nil))
        }
    }

    @Test func `what was deleted is gone, and a reference to it names nothing`() async throws {
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "1"))
        let same = try #require(ItemReference<GenericPassword>(bytes: reference.bytes))
        #expect(same == reference && reference.bytes.count == 20)
        #expect(try await keychain.delete(same))
        #expect(try await !keychain.delete(reference))
        #expect(try await keychain.secret(for: reference) == nil)
        #expect(try await keychain.find(reference) == nil)
        await expectError(.itemNotFound) { () throws(KeychainError) in
            try await keychain.update(reference, secret: SecretData(utf8: "2"))
        }
    }

    @Test func `deleteAll deletes what matches and nothing else`() async throws {
        for account in ["a", "b"] {
            try await keychain.add(GenericPassword(service: "x", account: account), secret: SecretData(utf8: "1"))
        }
        try await keychain.add(mail, secret: SecretData(utf8: "1"))
        #expect(try await keychain.deleteAll(GenericPassword.Query(service: "x")))
        #expect(try await keychain.findAll(GenericPassword.Query()).map(\.service) == [mail.service])
    }

    @Test func `a limit is kept`() async throws {
        for account in ["a", "b", "c"] {
            try await keychain.add(GenericPassword(service: "x", account: account), secret: SecretData(utf8: account))
        }
        let query = GenericPassword.Query(service: "x")
        for limit in 0...4 {
            #expect(try await keychain.findAll(query, limit: limit).count == min(limit, 3))
            #expect(try await keychain.revealAll(query, limit: limit).count == min(limit, 3))
        }
        let all = try await keychain.revealAll(query)
        #expect(all.map(\.account).sorted() == ["a", "b", "c"])
        #expect(all.allSatisfy { $0.secret?.utf8String == $0.account })
    }

    // MARK: Storing

    @Test func `storing adds an item or replaces its secret, under the same reference`() async throws {
        let first = try await keychain.store(mail, secret: SecretData(utf8: "1"))
        var labelled = mail
        labelled.label = "Mail"
        let second = try await keychain.store(labelled, secret: SecretData(utf8: "2"))
        #expect(first == second)
        let found = try #require(try await keychain.reveal(mail))
        #expect(found.secret?.utf8String == "2" && found.label == "Mail")
        try await keychain.store(mail, secret: SecretData(utf8: "3"))
        #expect(try await keychain.find(mail)?.label == "Mail", "what is not given stays")
        #expect(try await keychain.findAll(GenericPassword.Query()).count == 1)
    }

    @Test func `storing leaves an item of the same name in another group, or a synchronizable item, alone`()
        async throws
    {
        let memory = try InMemoryKeychain(accessGroups: ["first", "second"])
        let keychain = memory.keychain
        var elsewhere = mail
        elsewhere.accessGroup = "second"
        var synchronizable = mail
        synchronizable.isSynchronizable = true
        for item in [elsewhere, synchronizable, mail] { try await keychain.store(item, secret: SecretData(utf8: "1")) }
        try await keychain.store(mail, secret: SecretData(utf8: "2"))
        let query = GenericPassword.Query(synchronizable: .any)
        #expect(try await keychain.findAll(query).count == 3)
        var here = mail
        here.accessGroup = "first"
        #expect(try await keychain.secret(for: here)?.utf8String == "2")
        #expect(try await keychain.secret(for: elsewhere)?.utf8String == "1")
        #expect(try await keychain.secret(for: synchronizable)?.utf8String == "1")
    }

    @Test func `many tasks that store the same item leave one`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                let keychain = memory.keychain
                group.addTask { try await keychain.store(mail, secret: SecretData(utf8: "\(number)")) }
            }
            var references: Set<ItemReference<GenericPassword>> = []
            for try await reference in group { references.insert(reference) }
            #expect(references.count == 1)
        }
    }

    // MARK: Whose items

    @Test func `without a client the keychain is the current one, and tasks inherit it`() async throws {
        try await memory.run {
            try await UserKeychain().add(mail, secret: SecretData(utf8: "1"))
            let found = try await Task { try await UserKeychain().find(mail) }.value
            #expect(found != nil)
        }
        #expect(try await keychain.find(mail) != nil)
    }

    @Test func `items of other programs do not exist`() async throws {
        try await memory.keychain(accessGroups: ["other"]).add(mail, secret: nil)
        #expect(try await !keychain.contains(mail))
        #expect(try await keychain.findAll(GenericPassword.Query(synchronizable: .any)).isEmpty)
    }

    @Test func `a reference to an item of one class is none to an item of another`() async throws {
        let reference = try await keychain.add(mail, secret: nil)
        #expect(ItemReference<InternetPassword>(bytes: reference.bytes) == nil)
        #expect(ItemReference<GenericPassword>(bytes: []) == nil)
    }

    @Test func `a secret made of bytes can take them away`() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = SecretData(moving: &bytes)
        #expect(bytes.isEmpty && secret.withSpan { $0[0] + $0[1] + $0[2] } == 6)
    }

    @Test func `a secret is redacted wherever it is printed`() async throws {
        let secret = SecretData(utf8: "HIDDEN")
        try await keychain.add(mail, secret: secret)
        let revealed = try #require(try await keychain.reveal(mail))
        var dumped = ""
        dump(secret, to: &dumped)
        dump(revealed, to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(revealed) \(dumped)".contains("HIDDEN"))
        #expect(secret.count == 6)
        #expect(SecretData(copying: [0xFF]).utf8String == nil)
    }
}
