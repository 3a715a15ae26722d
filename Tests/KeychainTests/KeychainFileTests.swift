// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Testing

/// Keychain files in the typed API.
struct KeychainFileTests {
    private let mail = GenericPassword(service: "com.example.mail", account: "ann")
    private let password = SecretData(utf8: "sesame")

    @Test func `a file is created, locked, unlocked, listed and deleted`() async throws {
        try await withKeychainFolder { memory, folder in
            let files = memory.keychain.files
            #expect(try await files.all.isEmpty)
            #expect(try await files.file(at: "work").state == .missing)
            let work = try await files.create(at: "work.keychain", password: password)
            #expect(work.path == folder + "/work.keychain-db")
            #expect(work.state == .unlocked && !work.isDamaged)
            #expect(work.locksOnSleep == true && work.idleTimeBeforeLock == .seconds(300))
            #expect(try await files.all == [work])
            try await files.lock(work)
            #expect(try await files.file(at: work.path).state == .locked)
            try await files.unlock(work, password: password)
            #expect(try await files.file(at: "work.keychain").state == .unlocked)
            try await files.lockAll()
            #expect(try await files.all.map(\.state) == [.locked])
            try await files.delete(work)
            #expect(try await files.file(at: work.path).state == .missing)
        }
    }

    @Test func `each failure of a file has a code with a name`() async throws {
        try await withKeychainFolder { memory, _ in
            let files = memory.keychain.files
            let work = try await files.create(at: "work", password: password)
            await expectError(.duplicateKeychain) { () throws(KeychainError) in
                try await files.create(at: "work", password: password)
            }
            try await files.lock(work)
            await expectError(.authenticationFailed) { () throws(KeychainError) in
                try await files.unlock(work, password: SecretData(utf8: "wrong"))
            }
            await expectError(.interactionNotAllowed) { () throws(KeychainError) in
                try await files.unlock(work, password: nil)
            }
            try await files.delete(work)
            await expectError(.noSuchKeychain) { () throws(KeychainError) in try await files.delete(work) }
        }
    }

    @Test func `without a password the user is prompted, unless that is not allowed`() async throws {
        try await withKeychainFolder { memory, _ in
            let files = memory.keychain.files
            let work = try await files.create(at: "work", password: password)
            try await files.lock(work)
            memory.person = TestPerson { _ in .type(SecretData(utf8: "sesame")) }
            await expectError(.interactionNotAllowed) { () throws(KeychainError) in
                try await memory.keychain.asking(.fail).files.unlock(work, password: nil)
            }
            #expect(memory.questions.isEmpty)
            try await files.unlock(work, password: nil)
            #expect(memory.questions.count == 1)
            #expect(try await files.file(at: work.path).state == .unlocked)
        }
    }

    @Test func `a new password replaces the current one`() async throws {
        try await withKeychainFolder { memory, _ in
            let files = memory.keychain.files
            let work = try await files.create(at: "work", password: password)
            try await files.changePassword(of: work, from: password, to: SecretData(utf8: "open up"))
            try await files.lock(work)
            await expectError(.authenticationFailed) { () throws(KeychainError) in
                try await files.unlock(work, password: password)
            }
            try await files.unlock(work, password: SecretData(utf8: "open up"))
        }
    }

    @Test func `the default file and the search list are set, read and cleared`() async throws {
        try await withKeychainFolder { memory, _ in
            let files = memory.keychain.files
            let work = try await files.create(at: "work", password: password)
            let other = try await files.create(at: "other", password: password)
            #expect(try await files.defaultFile == nil)
            try await files.setDefaultFile(work)
            #expect(try await files.defaultFile == work)
            try await files.setDefaultFile(nil)
            #expect(try await files.defaultFile == nil)
            try await files.setSearchList([work])
            try await files.addToSearchList(other)
            try await files.addToSearchList(other)
            #expect(try await files.searchList == [work, other])
            try await files.removeFromSearchList(work)
            #expect(try await files.searchList == [other])
        }
    }

    // MARK: Items

    @Test func `items of a file are stored, found, changed and deleted there, and nowhere else`() async throws {
        try await withKeychainFolder { memory, _ in
            let work = try await memory.keychain.files.create(at: "work", password: password)
            let keychain = memory.keychain.inFile(work)
            let reference = try await keychain.store(mail, secret: SecretData(utf8: "1"))
            #expect(try await keychain.store(mail, secret: SecretData(utf8: "2")) == reference)
            try await keychain.update(mail, applying: .init(label: "Mail"))
            let found = try #require(try await keychain.reveal(mail))
            #expect(found.secret?.utf8String == "2" && found.label == "Mail" && found.reference == reference)
            #expect(found.accessGroup == nil && found.accessibility == .whenUnlocked)
            #expect(try await memory.keychain.find(mail) == nil)
            let site = InternetPassword(server: "example.com", account: "ann", protocol: .https)
            try await keychain.add(site, secret: SecretData(utf8: "3"))
            #expect(try await keychain.findAll(InternetPassword.Query()).map(\.server) == ["example.com"])
            #expect(try await keychain.delete(mail))
            #expect(try await !keychain.contains(mail))
        }
    }

    @Test func `a key of a file signs, and is not in the other keychain`() async throws {
        try await withKeychainFolder { memory, _ in
            let work = try await memory.keychain.files.create(at: "work", password: password)
            let keychain = memory.keychain.inFile(work)
            let key = try await keychain.generatePrivateKey(.p256, tag: "com.example.signing")
            let signature = try await keychain.signature(
                for: Array("hello".utf8), by: key, using: .ecdsa(.x962, .message, .sha256))
            #expect(!signature.isEmpty)
            #expect(try await keychain.privateKey(tag: "com.example.signing") == key)
            #expect(try await memory.keychain.privateKeys().isEmpty)
        }
    }

    @Test func `protection that a file does not provide is refused`() async throws {
        try await withKeychainFolder { memory, _ in
            let work = try await memory.keychain.files.create(at: "work", password: password)
            let keychain = memory.keychain.inFile(work)
            for item in [
                GenericPassword(service: "s", accessGroup: "tests"), .init(service: "s", isSynchronizable: true),
                .init(service: "s", accessibility: .whenUnlockedThisDeviceOnly),
                .init(service: "s", accessControl: .userPresence),
            ] {
                let error = try await #require(throws: KeychainError.self) {
                    try await keychain.add(item, secret: nil)
                }
                #expect(error.code == KeychainError.Code(rawValue: -25303), "errSecNoSuchAttr")
            }
            #expect(try await keychain.findAll(GenericPassword.Query()).isEmpty)
        }
    }

    @Test func `the items of a locked file are found and not read`() async throws {
        try await withKeychainFolder { memory, _ in
            let work = try await memory.keychain.files.create(at: "work", password: password)
            let keychain = memory.keychain.inFile(work)
            try await keychain.add(mail, secret: SecretData(utf8: "1"))
            try await memory.keychain.files.lock(work)
            #expect(try await keychain.find(mail)?.account == "ann")
            await expectError(.authenticationFailed) { () throws(KeychainError) in
                try await keychain.secret(for: mail)
            }
            #expect(try await keychain.lockState == .noPasscode, "that of the data-protection keychain")
        }
    }

    @Test func `the items of a file are observed, and those of other keychains are not`() async throws {
        try await withKeychainFolder { memory, _ in
            let files = memory.keychain.files
            let work = try await files.create(at: "work", password: password)
            let other = try await files.create(at: "other", password: password)
            let keychain = memory.keychain.inFile(work)
            var observed = keychain.observe(GenericPassword.Query()).makeAsyncIterator()
            #expect(try await observed.next() == [])
            for elsewhere in [memory.keychain, memory.keychain.inFile(other)] {
                try await elsewhere.add(GenericPassword(service: "elsewhere"), secret: nil)
            }
            try await keychain.add(mail, secret: nil)
            #expect(try await observed.next()?.map(\.service) == [mail.service])
            try await keychain.delete(mail)
            #expect(try await observed.next() == [])
        }
    }

    @Test func `the calls on a file go to the current keychain`() async throws {
        try await withKeychainFolder { memory, _ in
            try await memory.run {
                let work = try await UserKeychain().files.create(at: "work", password: password)
                let keychain = UserKeychain().inFile(work)
                try await keychain.store(mail, secret: SecretData(utf8: "1"))
                try await UserKeychain().files.lock(work)
                try await UserKeychain().files.unlock(work, password: password)
                #expect(try await keychain.secret(for: mail)?.utf8String == "1")
            }
        }
    }
}
