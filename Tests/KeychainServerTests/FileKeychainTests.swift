// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainWire
import SecretMemory
import Testing

/// Keychains that are files of their own (semantics 8).
struct FileKeychainTests {
    /// A keychain in memory whose user has a folder for keychain files, and knows the password "sesame".
    private final class House {
        let folder = NSTemporaryDirectory() + "chatelaine-files-\(UInt64.random(in: 0 ... .max))"
        let memory: InMemoryKeychain

        init() async throws {
            memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder)
            try await memory.setPasscode(SecretData(utf8: "sesame"))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var client: KeychainClient { memory.client }
        /// Another program.
        var other: KeychainClient { memory.client(accessGroups: ["news"]) }

        @discardableResult
        func make(_ name: String = "work", password: String = "sesame") throws -> KeychainClient {
            _ = try client.createKeychain(at: name, password: secret(password))
            return try client.inKeychain(name)
        }
    }

    private static func state(_ name: String, _ house: House) throws -> FileKeychainReport.State {
        try house.client.keychain(at: name).state
    }

    // MARK: The file

    @Test func `a keychain is made, unlocked, and locks itself after five minutes and before sleep`() async throws {
        let house = try await House()
        let report = try house.client.createKeychain(at: "work.keychain", password: secret("sesame"))
        #expect(report.path == house.folder + "/work.keychain-db")
        #expect(report.state == .unlocked)
        #expect(report.settings == FileKeychainSettings(locksOnSleep: true, idleLockSeconds: 300))
        #expect(try house.client.keychains() == [report])
        let mode = try FileManager.default.attributesOfItem(atPath: report.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.folder).allSatisfy { !$0.contains(".new-") })
    }

    @Test(arguments: ["work.keychain", "work.keychain-db", "/nowhere/Library/Keychains/work.keychain-db"])
    func `a keychain has one path, whatever it is called`(name: String) async throws {
        let house = try await House()
        try house.make("work.keychain")
        #expect(try house.client.keychain(at: name).path == house.folder + "/work.keychain-db")
        #expect(try Self.state(house.folder + "/work.keychain", house) == .unlocked)
    }

    @Test func `a keychain may be anywhere that a link leads to`() async throws {
        let house = try await House()
        let elsewhere = house.folder + "-elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: elsewhere) }
        try FileManager.default.createSymbolicLink(atPath: elsewhere + "/link", withDestinationPath: elsewhere)
        try house.make(elsewhere + "/a.keychain")
        #expect(try house.client.keychain(at: elsewhere + "/link/a.keychain").path == elsewhere + "/a.keychain")
        try house.client.lockKeychain(at: elsewhere + "/link/a.keychain")
        #expect(try Self.state(elsewhere + "/a.keychain", house) == .locked)
    }

    @Test(arguments: ["a/b", "..", ".hidden", "/no/such/folder/a", "line\nbreak"])
    func `no keychain is made where none can be`(name: String) async throws {
        let house = try await House()
        #expect(try refusal { try house.make(name) }.status == .noSuchKeychain)
    }

    @Test func `a keychain that is there is not made again, and no other file becomes one`() async throws {
        let house = try await House()
        try house.make()
        #expect(try refusal { try house.make() } == Refusal(.duplicateKeychain, .duplicateKeychain))
        try Data("a letter".utf8).write(to: URL(fileURLWithPath: house.folder + "/letter-db"))
        #expect(try refusal { try house.make("letter") }.status == .duplicateKeychain)
        #expect(try Self.state("letter", house) == .unusable)
        #expect(
            try refusal { try house.client.unlockKeychain(at: "letter", password: secret("")) }.status
                == .invalidKeychain)
        #expect(try refusal { try house.client.deleteKeychain(at: "letter") }.status == .invalidKeychain)
        #expect(try Data(contentsOf: URL(fileURLWithPath: house.folder + "/letter-db")) == Data("a letter".utf8))
    }

    @Test func `the keychain of another device is no keychain here, and can be deleted`() async throws {
        let (house, foreign) = (try await House(), try await House())
        try foreign.make()
        foreign.memory.closeKeychainFiles()
        try house.make("own")
        try FileManager.default.copyItem(atPath: foreign.folder + "/work-db", toPath: house.folder + "/work-db")
        #expect(try Self.state("work", house) == .unusable)
        #expect(
            try refusal { try house.client.unlockKeychain(at: "work", password: secret("sesame")) }
                == Refusal(.invalidKeychain, .notAKeychain))
        try house.client.deleteKeychain(at: "work")
        #expect(try Self.state("work", house) == .missing)
    }

    @Test func `a deleted keychain leaves nothing behind, on no list either`() async throws {
        let house = try await House()
        try house.make()
        try house.make("other")
        try house.client.setDefaultKeychain("work", of: .user)
        try house.client.setSearchList(["work", "other", "work"], of: .user)
        try house.client.deleteKeychain(at: "work")
        let list = try house.client.keychainList(of: .user)
        #expect(list == KeychainList(standard: nil, searched: [house.folder + "/other-db"]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.folder).allSatisfy { !$0.contains("work") })
        #expect(try refusal { try house.client.deleteKeychain(at: "work") }.status == .noSuchKeychain)
    }

    @Test func `a file that is deleted or replaced while it is open is not what was open`() async throws {
        let house = try await House()
        let keychain = try house.make()
        try keychain.addPassword()
        let path = house.folder + "/work-db"
        try FileManager.default.removeItem(atPath: path)
        #expect(try refusal { _ = try keychain.secrets(query()) }.status == .noSuchKeychain)
        try Data("a letter".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try refusal { _ = try keychain.secrets(query()) }.status == .invalidKeychain)
    }

    @Test func `what was begun and never finished goes when the next service starts`() async throws {
        let house = try await House()
        try house.make()
        for name in [".new-1f-other-db", ".new-1f-other-db-wal", "..new-1f-other-db.lock"] {
            try Data("half a keychain".utf8).write(to: URL(fileURLWithPath: house.folder + "/" + name))
        }
        house.memory.closeKeychainFiles()
        _ = try InMemoryKeychain(keychainFolder: house.folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: house.folder)
        #expect(names.contains("work-db") && !names.contains { $0.contains("new-") })
    }

    // MARK: Its lock

    @Test func `a keychain opens with its password alone, which may be empty`() async throws {
        let house = try await House()
        for password in ["sesame", ""] {
            let name = "keychain of \(password)"
            try house.make(name, password: password)
            try house.client.lockKeychain(at: name)
            #expect(try Self.state(name, house) == .locked)
            let wrong = try refusal { try house.client.unlockKeychain(at: name, password: secret("other")) }
            #expect(wrong == Refusal(.authenticationFailed, .wrongSecret))
            try house.client.unlockKeychain(at: name, password: secret(password))
            #expect(try Self.state(name, house) == .unlocked)
        }
    }

    @Test func `the right password is wanted of an unlocked keychain as well`() async throws {
        let house = try await House()
        try house.make()
        #expect(
            try refusal { try house.client.unlockKeychain(at: "work", password: secret("x")) }.status
                == .authenticationFailed)
        #expect(try Self.state("work", house) == .unlocked)
    }

    @Test func `locking all locks the files, and not the user's own keychain`() async throws {
        let house = try await House()
        try house.make("a")
        try house.make("b")
        try house.client.lockAllKeychains()
        #expect(try [Self.state("a", house), Self.state("b", house)] == [.locked, .locked])
        #expect(try house.client.status().lockState == .unlocked)
    }

    @Test func `an unused keychain locks itself, and each use counts`() async throws {
        let house = try await House()
        let keychain = try house.make()
        try keychain.addPassword()
        let start = Timestamp(secondsSinceReferenceDate: 800_000_000)
        func pass(_ seconds: Double) {
            house.memory.setTime(to: Timestamp(secondsSinceReferenceDate: start.secondsSinceReferenceDate + seconds))
            house.memory.passTime()
        }
        pass(200)
        #expect(try keychain.secrets(query()) == ["correct horse"])
        pass(450)
        #expect(try Self.state("work", house) == .unlocked)
        pass(501)
        #expect(try Self.state("work", house) == .locked)
    }

    @Test func `who may unlock a keychain says when it locks itself`() async throws {
        let house = try await House()
        try house.make()
        let never = FileKeychainSettings(locksOnSleep: false, idleLockSeconds: nil)
        try house.client.changeKeychain(at: "work", never)
        #expect(try house.client.keychain(at: "work").settings == never)
        try house.client.lockKeychain(at: "work")
        #expect(
            try refusal { try house.client.changeKeychain(at: "work", .initial) }.status == .interactionNotAllowed)
        #expect(try house.client.keychain(at: "work").settings == never)
    }

    @Test func `a password is changed with the old one, locked or not`() async throws {
        let house = try await House()
        try house.make()
        func change(_ old: String, _ new: String) throws -> Refusal {
            try refusal {
                try house.client.changePassword(ofKeychainAt: "work", old: secret(old), new: secret(new))
            }
        }
        #expect(try change("wrong", "new") == Refusal(.authenticationFailed, .wrongSecret))
        #expect(try change("sesame", "new").status == .success)
        try house.client.lockKeychain(at: "work")
        #expect(try change("sesame", "newer").status == .authenticationFailed)
        #expect(try change("new", "newer").status == .success)
        try house.client.unlockKeychain(at: "work", password: secret("newer"))
    }

    @Test func `where no password is given a person is asked, where one may be`() async throws {
        let house = try await House()
        try house.make()
        try house.client.lockKeychain(at: "work")
        #expect(
            try refusal { try house.client.unlockKeychain(at: "work", password: nil) }.status == .interactionNotAllowed)
        house.memory.person = .approving
        try house.client.unlockKeychain(at: "work", password: nil)
        #expect(try Self.state("work", house) == .unlocked)
        #expect(house.memory.questions.count == 2)
        // There is no prompt if none is needed.
        try house.client.unlockKeychain(at: "work", password: nil)
        #expect(house.memory.questions.count == 2)
    }

    // MARK: Its items

    @Test func `items of a file are in no other keychain`() async throws {
        let house = try await House()
        let (a, b) = (try house.make("a"), try house.make("b"))
        try a.addPassword()
        #expect(try a.secrets(query()) == ["correct horse"])
        for keychain in [b, house.client] {
            #expect(try refusal { _ = try keychain.secrets(query()) }.status == .itemNotFound)
        }
        #expect(try refusal { try a.addPassword() }.status == .duplicateItem)
        try b.addPassword()
    }

    @Test func `attributes can be read while a keychain is locked, and data cannot`() async throws {
        let house = try await House()
        let keychain = try house.make()
        try keychain.addPassword()
        try house.client.lockKeychain(at: "work")
        let found = try keychain.attributeSets(query(service: "mail"))
        #expect(found.map { $0[.account] } == [.string("ann")])
        #expect(try refusal { _ = try keychain.secrets(query()) } == Refusal(.authenticationFailed, .locked))
        #expect(try refusal { try keychain.addPassword(account: "bob") }.status == .authenticationFailed)
        let changes = try attributes(.update, [(.comment, .string("new"))])
        #expect(
            try refusal { try keychain.update(query(), changes: changes, secret: [UInt8]?.none) }.status
                == .authenticationFailed)
        try keychain.delete(try query())
        #expect(try refusal { _ = try keychain.attributeSets(query()) }.status == .itemNotFound)
    }

    @Test func `reading from a locked keychain prompts for the password`() async throws {
        let house = try await House()
        let keychain = try house.make()
        try keychain.addPassword()
        try house.client.lockKeychain(at: "work")
        house.memory.person = .approving
        #expect(try keychain.secrets(query()) == ["correct horse"])
        #expect(house.memory.questions.count == 1)
    }

    @Test func `an item has no access group and no protection, and can be given none`() async throws {
        let house = try await House()
        let keychain = try house.make()
        try keychain.addPassword()
        let item = try #require(try keychain.attributeSets(query()).first)
        #expect(item[.accessGroup] == nil && item[.accessible] == nil)
        for entry in [
            (AttributeKey.accessGroup, AttributeValue.string("mail")), (.accessible, .string("ak")),
            (.synchronizable, .number(1)), (.syncViewHint, .string("x")),
        ] {
            let refused = try refusal { try keychain.add(try attributes([entry]), secret: []) }
            #expect(refused == Refusal(.noSuchAttribute, .notInKeychainFiles))
        }
    }

    // MARK: Who may read them

    @Test func `who stored an item reads it, and about others a person is asked`() async throws {
        let house = try await House()
        try house.make().addPassword()
        let other = try house.other.inKeychain("work")
        #expect(try other.attributeSets(query()).count == 1)
        #expect(try refusal { _ = try other.secrets(query()) } == Refusal(.authenticationFailed, .notTrusted))
        house.memory.person = .denying
        #expect(try refusal { _ = try other.secrets(query()) }.status == .authenticationFailed)
        house.memory.person = .approving
        #expect(try other.secrets(query()) == ["correct horse"])
        // This time only.
        house.memory.person = .absent
        #expect(try refusal { _ = try other.secrets(query()) }.status == .authenticationFailed)
    }

    @Test func `"Always Allow" holds without a person, and for this program alone`() async throws {
        let house = try await House()
        try house.make().addPassword()
        let other = try house.other.inKeychain("work")
        house.memory.person = TestPerson { _ in .approveAlways }
        #expect(try other.secrets(query()) == ["correct horse"])
        house.memory.person = .absent
        #expect(try other.secrets(query()) == ["correct horse"])
        let third = try house.memory.client(accessGroups: ["third"]).inKeychain("work")
        #expect(try refusal { _ = try third.secrets(query()) }.status == .authenticationFailed)
    }

    @Test func `changing an item takes no permission and gives none`() async throws {
        let house = try await House()
        let own = try house.make()
        try own.addPassword()
        let other = try house.other.inKeychain("work")
        try other.update(query(), changes: try attributes(.update, []), secret: Array("new".utf8))
        #expect(try own.secrets(query()) == ["new"])
        #expect(try refusal { _ = try other.secrets(query()) }.status == .authenticationFailed)
        #expect(house.memory.questions.count == 1)
    }

    @Test func `who is trusted from the beginning is not asked about`() async throws {
        let house = try await House()
        let own = try house.make()
        let owner = try #require(AccessEntry([.changeACL], .applications([]), description: "mail"))
        let entry = try #require(AccessEntry([.any], .anyApplication, description: "mail"))
        let open = try #require(AccessObject(owner: owner, entries: [entry]))
        try own.add(
            try attributes([(.service, .string("mail")), (.access, .data(open.encoded))]), secret: Array("open".utf8))
        #expect(try own.secrets(query()) == ["open"])
        #expect(
            try refusal { try own.add(try attributes([(.access, .data([1, 2]))]), secret: []) }.status == .parameter)
        #expect(
            try refusal { try house.client.add(try attributes([(.access, .data(open.encoded))]), secret: []) }.status
                == .noSuchAttribute)
    }

    @Test func `a program that cannot be told from others gets nothing`() async throws {
        let house = try await House()
        try house.make()
        let nobody = house.memory.client(accessGroups: [])
        #expect(try refusal { _ = try nobody.keychains() }.status == .missingEntitlement)
        #expect(try refusal { _ = try nobody.inKeychain("work").secrets(query()) }.status == .missingEntitlement)
    }

    @Test(arguments: [["mail"], []])
    func `an explanation names the group of keychain files in the audit log`(accessGroups: [String]) async throws {
        let house = try await House()
        try house.make()
        let client = try house.memory.client(accessGroups: accessGroups, isIdentified: true).inKeychain("work")
        let item = try attributes([(.service, .string("mail"))])
        let explanations: [() throws -> Void] = [
            { _ = try client.explainAddition(item) }, { _ = try client.explainSearch(query(service: "mail")) },
        ]
        for explain in explanations {
            try explain()
            let line = try fields(try #require(house.memory.auditLog.last))
            #expect(line["action"] == "explain" && line["groups"]?.contains("keychain file") == true)
        }
    }

    // MARK: Lists

    @Test func `default and search list are kept, and need not be there`() async throws {
        let house = try await House()
        #expect(try house.client.keychainList(of: .user) == KeychainList(standard: nil, searched: []))
        try house.make("a")
        try house.client.setDefaultKeychain("a", of: .user)
        try house.client.setSearchList(["a", "missing", "a"], of: .user)
        let list = KeychainList(
            standard: house.folder + "/a-db", searched: [house.folder + "/a-db", house.folder + "/missing-db"])
        #expect(try house.client.keychainList(of: .user) == list)
        try house.client.setSearchList([], of: .user)
        #expect(try house.client.keychainList(of: .user) == KeychainList(standard: list.standard, searched: []))
    }

    @Test(arguments: [PreferencesDomain.system, .common, .dynamic])
    func `lists of other domains are not this user's to change`(domain: PreferencesDomain) async throws {
        let house = try await House()
        let refused = Refusal(.writePermission, .unchangeableList)
        #expect(try refusal { try house.client.setSearchList([], of: domain) } == refused)
        #expect(try refusal { try house.client.setDefaultKeychain(nil, of: domain) } == refused)
    }

    @Test func `a file of lists that is none of ours stays as it is`() async throws {
        let house = try await House()
        try house.make()
        let path = URL(fileURLWithPath: house.folder + "/lists")
        let isMade = FileManager.default.createFile(
            atPath: path.path, contents: Data("something else".utf8), attributes: [.posixPermissions: 0o600])
        try #require(isMade)
        #expect(try refusal { _ = try house.client.keychainList(of: .user) }.status == .inputOutput)
        #expect(try refusal { try house.client.setSearchList(["work"], of: .user) }.status == .inputOutput)
        #expect(try Data(contentsOf: path) == Data("something else".utf8))
    }
}

private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
