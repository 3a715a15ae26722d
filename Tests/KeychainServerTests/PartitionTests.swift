// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainWire
import SQLiteStatements
import SecretMemory
import Testing

/// Partition lists of items of keychain files, and items that were changed without the service (semantics 8.6).
struct PartitionTests {
    let folder = NSTemporaryDirectory() + "chatelaine-partitions-\(UInt64.random(in: 0 ... .max))"
    let memory: InMemoryKeychain
    let keychain: KeychainClient

    init() throws {
        memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder)
        _ = try memory.client.createKeychain(at: "work", password: Self.secret("sesame"))
        keychain = try memory.client.inKeychain("work")
    }

    private static func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    private func within(_ body: () throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func set(
        _ partitions: [PartitionID], of items: [PersistentReference], _ password: String? = "sesame"
    ) throws {
        try memory.client.setPartitions(
            partitions, of: items, inKeychainAt: "work", password: password.map(Self.secret))
    }

    private func partitions(_ item: PersistentReference) throws -> [PartitionID]? {
        let attributes = try #require(try keychain.attributeSets(ItemQuery(item)).first)
        guard case .data(let bytes)? = attributes[.access] else { return nil }
        return try AccessObject(encoded: bytes).partitions
    }

    private func state() throws -> FileKeychainReport.State { try memory.client.keychain(at: "work").state }

    private var open: AttributeValue {
        get throws { .data(try #require(AccessObject(openToAll: "mail")).encoded) }
    }

    // MARK: Partition lists

    @Test func `with the password the lists of several items are replaced without a prompt`() throws {
        try within {
            let items = try ["a", "b"].map { account in
                try keychain.add(
                    try attributes([(.account, .string(account)), (.access, try open)]), secret: Array("p".utf8))
            }
            #expect(try partitions(items[0]) != [.commandLineTool, .installed])
            try set([.commandLineTool, .installed], of: items)
            for item in items { #expect(try partitions(item) == [.commandLineTool, .installed]) }
            #expect(memory.questions.isEmpty)
        }
    }

    @Test func `a program is past the list from then on, and out of it when it is taken off`() async throws {
        try await memory.setPasscode(SecretData(utf8: "sesame"))
        try within {
            let item = try keychain.add(
                try attributes([(.account, .string("a")), (.access, try open)]), secret: Array("p".utf8))
            try set(try #require(try partitions(item)).filter { $0 != .any }, of: [item])
            let other = try memory.client(accessGroups: ["news"]).inKeychain("work")
            #expect(
                try refusal { _ = try other.secrets(query()) } == Refusal(.authenticationFailed, .otherPartition))
            memory.person = TestPerson { _ in .approveAlways }
            #expect(try other.secrets(query()) == ["p"])
            memory.person = .absent
            let all = try #require(try partitions(item))
            #expect(all.count == 2)
            try set([], of: [item])
            #expect(try refusal { _ = try other.secrets(query()) }.reason == .otherPartition)
            #expect(try refusal { _ = try keychain.secrets(query()) }.reason == .otherPartition)
            try set(all, of: [item])
            #expect(try other.secrets(query()) == ["p"])
        }
    }

    // MARK: Trusted applications

    /// The program of a client, as an access object names it.
    private func application(_ client: KeychainClient) throws -> TrustedApplication {
        let item = try client.add(try attributes([(.account, .string("own"))]), secret: [])
        defer { try? client.delete(ItemQuery(item)) }
        guard case .data(let bytes)? = try client.attributeSets(ItemQuery(item)).first?[.access],
            case .applications(let list)? = try AccessObject(encoded: bytes).entries.last?.subject
        else { throw ClientError.refused(Refusal(.internalError, .none)) }
        return try #require(list.first)
    }

    private func client(_ group: String) throws -> KeychainClient {
        try memory.client(accessGroups: [group]).inKeychain("work")
    }

    @Test func `programs that the creator trusts read without a prompt, and no other program does`() throws {
        try within {
            let (other, third) = (try client("news"), try client("third"))
            let access = try #require(
                AccessObject(description: "mail", trusting: [try application(keychain), try application(other)]))
            try keychain.add(try attributes([(.access, .data(access.encoded))]), secret: Array("p".utf8))
            #expect(try keychain.secrets(query()) == ["p"])
            #expect(try other.secrets(query()) == ["p"])
            #expect(memory.questions.isEmpty)
            #expect(try refusal { _ = try third.secrets(query()) } == Refusal(.authenticationFailed, .notTrusted))
            #expect(memory.questions.count == 1)
        }
    }

    @Test func `an item for all applications is read without a prompt`() throws {
        try within {
            try keychain.add(try attributes([(.access, try open)]), secret: Array("p".utf8))
            #expect(try client("news").secrets(query()) == ["p"])
            #expect(memory.questions.isEmpty)
        }
    }

    @Test func `a program that the user's approval adds reads without a further prompt`() async throws {
        try await memory.setPasscode(SecretData(utf8: "sesame"))
        try within {
            let other = try client("news")
            let access = try #require(
                AccessObject(description: "mail", trusting: [try application(keychain), try application(other)]))
            let item = try keychain.add(try attributes([]), secret: Array("p".utf8))
            let changes = try attributes(.update, [(.access, .data(access.encoded))])
            let change = { try keychain.update(ItemQuery(item), changes: changes, secret: [UInt8]?.none) }
            #expect(try refusal(change) == Refusal(.authenticationFailed, .notAccessOwner))
            #expect(try refusal { _ = try other.secrets(query()) }.reason == .notTrusted)
            memory.person = .approving
            try change()
            memory.person = .absent
            #expect(try other.secrets(query()) == ["p"])
            #expect(try keychain.secrets(query()) == ["p"])
        }
    }

    @Test func `a prompt names the item by the description in its access object`() async throws {
        try await memory.setPasscode(SecretData(utf8: "sesame"))
        try within {
            let access = try #require(AccessObject(description: "Mail of Ann", trusting: []))
            let label = (AttributeKey.label, AttributeValue.string("label"))
            let item = try keychain.add(
                try attributes([label, (.access, .data(access.encoded))]), secret: Array("p".utf8))
            memory.person = .approving
            #expect(try keychain.secrets(query()) == ["p"])
            let changes = try attributes(.update, [(.access, try open)])
            try keychain.update(ItemQuery(item), changes: changes, secret: [UInt8]?.none)
            #expect(memory.questions.map(\.labels) == [["Mail of Ann"], ["Mail of Ann"]])
        }
    }

    @Test func `an access object without a description leaves the item its label`() async throws {
        try await memory.setPasscode(SecretData(utf8: "sesame"))
        try within {
            let owner = try #require(AccessEntry([.changeACL], .applications([]), description: ""))
            let entry = try #require(AccessEntry([.decrypt], .applications([]), description: ""))
            let access = try #require(AccessObject(owner: owner, entries: [entry]))
            try keychain.add(
                try attributes([(.label, .string("label")), (.access, .data(access.encoded))]),
                secret: Array("p".utf8))
            memory.person = .approving
            #expect(try keychain.secrets(query()) == ["p"])
            #expect(memory.questions.map(\.labels) == [["label"]])
        }
    }

    // MARK: Passwords

    @Test func `a wrong password changes nothing, while the keychain is unlocked and while it is locked`() throws {
        try within {
            let item = try keychain.add(try attributes([]), secret: Array("p".utf8))
            let before = try partitions(item)
            #expect(try refusal { try set([.installed], of: [item], "wrong") }.status == .authenticationFailed)
            #expect(try partitions(item) == before)
            try memory.client.lockKeychain(at: "work")
            #expect(try refusal { try set([.installed], of: [item], "wrong") }.status == .authenticationFailed)
            #expect(try state() == .locked)
            #expect(try partitions(item) == before)
            try set([.installed], of: [item])
            #expect(try state() == .unlocked)
            #expect(try partitions(item) == [.installed])
        }
    }

    @Test func `without a password a person is asked, or it is refused`() throws {
        try within {
            let item = try keychain.add(try attributes([]), secret: Array("p".utf8))
            #expect(try refusal { try set([.installed], of: [item], nil) }.status == .interactionNotAllowed)
            memory.person = TestPerson { _ in .type(SecretData(utf8: "sesame")) }
            try set([.installed], of: [item], nil)
            #expect(try partitions(item) == [.installed])
        }
    }

    @Test func `the owner right does not change the list without the password`() throws {
        try within {
            let own = try #require(AccessEntry([.changeACL], .anyApplication, description: "mail"))
            let access = try #require(AccessObject(owner: own, entries: []))
            let item = try keychain.add(
                try attributes([(.access, .data(access.encoded))]), secret: Array("p".utf8))
            let stored = try #require(access.with(partitions: [.installed]))
            let changes = try attributes(.update, [(.access, .data(stored.encoded))])
            #expect(
                try refusal { try keychain.update(ItemQuery(item), changes: changes, secret: [UInt8]?.none) }
                    == Refusal(.authenticationFailed, .notAccessOwner))
            try set([.installed], of: [item])
            #expect(try partitions(item) == [.installed])
        }
    }

    @Test func `what has no list, or is not there, is refused`() throws {
        try within {
            let missing = PersistentReference(
                itemClass: .genericPassword, item: try #require(ItemIdentifier(bytes: Array(repeating: 9, count: 16))))
            #expect(try refusal { try set([], of: [missing]) }.status == .itemNotFound)
            let item = try keychain.add(try attributes([]), secret: Array("p".utf8))
            #expect(try refusal { try set([], of: [item.of(.identity)]) }.status == .parameter)
            let stranger = memory.client(accessGroups: [])
            #expect(
                try refusal {
                    try stranger.setPartitions(
                        [], of: [item], inKeychainAt: "work", password: Self.secret("sesame"))
                }.status == .missingEntitlement)
            #expect(
                try refusal {
                    try memory.client.setPartitions(
                        [], of: [item], inKeychainAt: "none", password: Self.secret("sesame"))
                }.status == .noSuchKeychain)
        }
    }

    // MARK: Items changed behind the service

    /// Edits the database while no process has it open.
    private func edit(_ sql: String) throws {
        memory.closeKeychainFiles()
        try Database(path: folder + "/work-db").execute(sql)
        try memory.client.unlockKeychain(at: "work", password: Self.secret("sesame"))
    }

    @Test(arguments: [
        "attributes = (SELECT attributes FROM genp WHERE id = 2)", "attributes = x'01'",
        "acct = x'00112233445566778899AABBCCDDEEFF'", "data = (SELECT data FROM genp WHERE id = 2)", "data = x''",
    ])
    func `C147: an item that was changed behind the service is not read, can be deleted, and stored again`(
        change: String
    ) throws {
        try within {
            let item = try keychain.addPassword(account: "ann")
            try keychain.addPassword(account: "bob")
            try edit("UPDATE genp SET \(change) WHERE id = 1")
            for _ in 0..<2 {
                #expect(
                    try refusal { _ = try keychain.secrets(ItemQuery(item)) }
                        == Refusal(.invalidItemReference, .changedItem))
            }
            // The others stay usable, and it is not among them.
            #expect(try keychain.secrets(query(account: "bob")) == ["correct horse"])
            try keychain.delete(ItemQuery(item))
            #expect(try refusal { _ = try keychain.secrets(ItemQuery(item)) }.status == .itemNotFound)
            try keychain.addPassword(account: "ann")
            #expect(try keychain.secrets(query(account: "ann")) == ["correct horse"])
        }
    }

    @Test func `of several, what was changed behind the service is left out`() throws {
        try within {
            for account in ["ann", "bob", "eve"] { try keychain.addPassword(account: account) }
            try edit("UPDATE genp SET attributes = x'01' WHERE id = 2")
            #expect(try keychain.secrets(query()).count == 2)
            #expect(try keychain.attributeSets(query()).map { $0[.account] } == [.string("ann"), .string("eve")])
            // Its place can be taken.
            try keychain.addPassword(account: "bob")
            #expect(try keychain.secrets(query()).count == 3)
        }
    }

    // MARK: Keychains of macOS

    @Test func `C148: a keychain of macOS is recognized, refused and left as it is`() throws {
        try within {
            let path = folder + "/mac-db"
            let content = Data("kych".utf8) + Data([0, 1, 0, 0, 0, 0, 0, 16]) + Data(repeating: 0, count: 200)
            try content.write(to: URL(fileURLWithPath: path))
            let refused = Refusal(.invalidKeychain, .macKeychain)
            #expect(try memory.client.keychain(at: "mac").state == .unusable)
            #expect(
                try refusal { try memory.client.unlockKeychain(at: "mac", password: Self.secret("")) } == refused)
            #expect(try refusal { _ = try memory.client.inKeychain("mac").secrets(query()) } == refused)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        }
    }
}
