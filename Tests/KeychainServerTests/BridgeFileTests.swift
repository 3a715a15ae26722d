// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

/// What the clients of bridges may do with items of keychain files.
final class BridgeFileTests {
    private let folder = NSTemporaryDirectory() + "chatelaine-bridge-\(UInt64.random(in: 0 ... .max))"
    private let memory: InMemoryKeychain
    /// The keychain file, as the program that stores the items sees it.
    private let work: KeychainClient

    init() async throws {
        memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder)
        // The password that the simulated user types.
        try await memory.setPasscode(SecretData(utf8: "sesame"))
        _ = try memory.client.createKeychain(at: "work", password: SecretBytes(copying: "sesame".utf8))
        work = try memory.client.inKeychain("work")
        try work.addPassword()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func client(_ group: String = "notes", in keychain: String = "work") throws -> KeychainClient {
        try memory.bridgeClient(accessGroups: [group]).inKeychain(keychain)
    }

    /// Whether the client needs an approval for the only item.
    private func needsApproval(_ client: KeychainClient) throws -> Bool {
        let items = try client.copyMatching(
            try query(service: "mail"), limit: .all, returning: [.attributes, .availability]
        ) { _ in }
        #expect(items.count == 1)
        return items.contains(where: \.needsApproval)
    }

    /// Lets the user allow one read.
    private func approve(_ client: KeychainClient, _ person: TestPerson = .approving) throws {
        memory.person = person
        defer { memory.person = .absent }
        let before = memory.questions.count
        #expect(try client.secrets(try query(service: "mail")) == ["correct horse"])
        #expect(memory.questions.count == before + 1)
    }

    @Test func `"Allow" on a read holds for the client's process, in this file alone, until the file is locked`() throws
    {
        let notes = try client()
        #expect(try needsApproval(notes))
        try approve(notes)
        #expect(try !needsApproval(notes))
        #expect(try notes.secrets(try query(service: "mail")) == ["correct horse"])
        // Another program, a program that is no client of a bridge, and a copy of the file with the same items.
        #expect(try needsApproval(try client("news")))
        #expect(try needsApproval(try memory.client(accessGroups: ["notes"]).inKeychain("work")))
        try memory.client.copyKeychain(at: "work", to: folder + "/copy.keychain-db")
        let password = SecretBytes(copying: "sesame".utf8)
        try memory.client.unlockKeychain(at: "copy.keychain", password: password)
        #expect(try needsApproval(try client(in: "copy.keychain")))
        try memory.client.lockKeychain(at: "copy.keychain")
        #expect(try !needsApproval(notes))
        try memory.client.lockKeychain(at: "work")
        try memory.client.unlockKeychain(at: "work", password: password)
        #expect(try needsApproval(notes))
    }

    @Test func `"Allow" on a read of one item opens no other item`() throws {
        let notes = try client()
        try approve(notes)
        #expect(try refusal { _ = try notes.secrets(try query(service: "other")) }.status == .itemNotFound)
        try work.addPassword(service: "other")
        #expect(try refusal { _ = try notes.secrets(try query(service: "other")) }.status == .authenticationFailed)
    }

    @Test func `the user finds and revokes the approvals for files with the others`() throws {
        let (notes, command) = (try client(), memory.administrationClient())
        try approve(notes)
        #expect(try command.clientApprovals().map(\.itemCount) == [1])
        #expect(try command.revokeGrants(.all) == 1)
        #expect(try command.clientApprovals().isEmpty)
        #expect(try needsApproval(notes))
    }

    @Test func `an entry that requires the password each time requires it at each read`() throws {
        let owner = try #require(AccessEntry([.changeACL], .applications([]), description: "mail"))
        let entry = try #require(
            AccessEntry([.decrypt], .applications([]), description: "mail", promptSelector: .requirePassphrase))
        let access = try #require(AccessObject(owner: owner, entries: [entry], partitions: nil))
        try work.delete(try query(service: "mail"))
        _ = try work.add(
            try attributes([(.service, .string("mail")), (.access, .data(access.encoded))]),
            secret: Array("correct horse".utf8))
        let notes = try client()
        try approve(notes)
        #expect(try needsApproval(notes))
        #expect(try memory.administrationClient().clientApprovals().isEmpty)
    }
}
