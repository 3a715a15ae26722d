// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

/// The typed API over a keychain in memory.
struct UserKeychainTests {
    private let memory: InMemoryKeychain
    private let keychain: UserKeychain
    private let mail = GenericPassword(service: "com.example.mail", account: "ann")

    init() throws {
        memory = try InMemoryKeychain()
        keychain = UserKeychain(memory.client)
    }

    @Test func `a password is added, found and read`() async throws {
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "correct horse"))
        let found = try #require(try await keychain.find(mail.query))
        #expect(found.reference == reference)
        #expect(found.attributes.service == mail.service && found.attributes.account == mail.account)
        #expect(found.attributes.accessGroup == "tests")
        #expect(found.creationDate == Timestamp(secondsSinceReferenceDate: 800_000_000))
        #expect(found.creationDate == found.modificationDate)
        #expect(try await keychain.secret(of: mail.query)?.utf8String == "correct horse")
        #expect(try await keychain.secret(of: reference)?.utf8String == "correct horse")
    }

    @Test func `all attributes come back as they were given`() async throws {
        var item = GenericPassword(
            service: "s", account: "a", label: "l", comment: "c", accessGroup: "tests",
            accessibility: .afterFirstUnlock, isSynchronizable: true)
        item.itemDescription = "d"
        item.generic = [0, 255]
        item.creator = .max
        item.type = 1
        item.isInvisible = true
        item.isNegative = false
        try await keychain.add(item, secret: SecretData(copying: [1]))
        #expect(try await keychain.find(item.query)?.attributes == item)
        #expect(try await keychain.find(GenericPassword.Query(service: "s")) == nil, "it synchronizes")
    }

    @Test func `finding nothing is nil or empty, not an error`() async throws {
        #expect(try await keychain.find(mail.query) == nil)
        #expect(try await keychain.findAll().isEmpty)
        #expect(try await keychain.secret(of: mail.query) == nil)
        try await keychain.deleteAll(mail.query)
    }

    @Test func `a duplicate says so`() async throws {
        try await keychain.add(mail, secret: SecretData(utf8: "1"))
        let error = try await #require(throws: KeychainError.self) {
            try await keychain.add(mail, secret: SecretData(utf8: "SECRET2"))
        }
        #expect(error.code == .duplicateItem && error.status == .duplicateItem)
        #expect(error.attempt == "add an item")
        #expect(!error.description.contains("SECRET2"))
    }

    @Test func `an update changes the secret, the attributes, or both`() async throws {
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "1"))
        try await keychain.update(reference, secret: SecretData(utf8: "2"))
        #expect(try await keychain.secret(of: reference)?.utf8String == "2")
        var changed = mail
        changed.account = "bob"
        changed.label = "Bob's"
        try await keychain.update(reference, to: changed)
        #expect(try await keychain.secret(of: changed.query)?.utf8String == "2")
        changed.label = nil
        try await keychain.update(reference, to: changed, secret: SecretData(utf8: "3"))
        let found = try #require(try await keychain.find(changed.query))
        #expect(found.reference == reference && found.attributes.label == "Bob's", "nil leaves it as it is")
        #expect(try await keychain.secret(of: reference)?.utf8String == "3")
    }

    @Test func `what was deleted is gone, and a reference to it names nothing`() async throws {
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "1"))
        let same = try #require(ItemReference(bytes: reference.bytes))
        try await keychain.delete(same)
        for call in [
            { _ = try await keychain.secret(of: reference) }, { try await keychain.delete(reference) },
            { try await keychain.update(reference, secret: SecretData(utf8: "2")) },
        ] as [() async throws -> Void] {
            let error = try await #require(throws: KeychainError.self) { try await call() }
            #expect(error.code == .itemNotFound)
        }
    }

    @Test func `deleteAll deletes what matches and nothing else`() async throws {
        for account in ["a", "b"] {
            try await keychain.add(GenericPassword(service: "x", account: account), secret: SecretData(utf8: "1"))
        }
        try await keychain.add(mail, secret: SecretData(utf8: "1"))
        try await keychain.deleteAll(GenericPassword.Query(service: "x"))
        #expect(try await keychain.findAll().map(\.attributes.service) == [mail.service])
    }

    @Test func `without a client the keychain is the current one, and tasks inherit it`() async throws {
        try await memory.run {
            try await UserKeychain().add(mail, secret: SecretData(utf8: "1"))
            let found = try await Task { try await UserKeychain().find(mail.query) }.value
            #expect(found != nil)
        }
        #expect(try await keychain.find(mail.query) != nil)
    }

    @Test func `a secret is redacted wherever it is printed`() {
        let secret = SecretData(utf8: "HIDDEN")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("HIDDEN"))
        #expect(secret.count == 6)
        #expect(SecretData(copying: [0xFF]).utf8String == nil)
    }

    // MARK: Changes

    @Test func `changes are delivered in order until the task is cancelled`() async throws {
        let (seen, sees) = AsyncStream<ItemChanges.Change>.makeStream()
        let keychain = keychain
        let watching = Task {
            // The watch begins with the first call of next; a first change proves that it has.
            for try await change in keychain.changes { sees.yield(change) }
            sees.finish()
        }
        var changes = seen.makeAsyncIterator()
        let probe = Task {
            // Until the watcher sees one of these.
            var number = 0
            while !Task.isCancelled {
                number += 1
                try await keychain.add(
                    GenericPassword(service: "probe", account: "\(number)"), secret: SecretData(utf8: ""))
            }
        }
        _ = await changes.next()
        probe.cancel()
        _ = try await probe.value
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "1"))
        try await keychain.update(reference, secret: SecretData(utf8: "2"))
        try await keychain.delete(reference)
        var kinds: [ItemChange.Kind] = []
        while kinds.count < 3, let change = await changes.next() {
            if change.item == reference { kinds.append(change.kind) }
        }
        #expect(kinds == [.added, .updated, .deleted])
        watching.cancel()
        try await watching.value
        while await changes.next() != nil {}
    }

    @Test func `a cancelled stream stays ended, however often it is asked`() throws {
        let stream = try memory.client.watch()
        try memory.client.addPassword()
        stream.cancel()
        stream.cancel()
        #expect(try stream.next() == nil)
        #expect(try stream.next() == nil)
    }

    @Test func `other programs' changes are not seen, but by the administration tool`() throws {
        let mine = try memory.client.watch()
        let tool = try memory.administrationClient().watch()
        let other = memory.client(accessGroups: ["other"])
        let foreign = try other.addPassword()
        let own = try memory.client.addPassword()
        #expect(try mine.next() == ItemChange(.added, own))
        #expect(try tool.next() == ItemChange(.added, foreign))
        #expect(try tool.next() == ItemChange(.added, own))
        mine.cancel()
        tool.cancel()
    }

    @Test func `who watches the group that an item leaves or enters sees it`() throws {
        let both = memory.client(accessGroups: ["tests", "second"])
        let reference = try both.addPassword()
        let first = try memory.client.watch()
        let second = try memory.client(accessGroups: ["second"]).watch()
        try both.update(
            try query(), changes: try attributes(.update, [(.accessGroup, .string("second"))]),
            secret: [UInt8]?.none)
        #expect(try first.next() == ItemChange(.updated, reference))
        #expect(try second.next() == ItemChange(.updated, reference))
        first.cancel()
        second.cancel()
    }
}
