// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainKeys
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

/// Strict mode in keychain files.
struct StrictKeychainFileTests {
    /// A keychain file with one item, from before strict mode was on, whose access object lets every program read it.
    private final class House {
        let folder = NSTemporaryDirectory() + "chatelaine-strict-\(UInt64.random(in: 0 ... .max))"
        let memory: InMemoryKeychain
        let keychain: KeychainClient
        let item: PersistentReference

        init() async throws {
            memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder)
            // The passcode that the simulated user types.
            try await memory.setPasscode(SecretData(utf8: "sesame"))
            _ = try memory.client.createKeychain(at: "work", password: Self.secret("sesame"))
            keychain = try memory.client.inKeychain("work")
            let open = try #require(AccessObject(openToAll: "mail"))
            item = try keychain.add(
                try attributes([(.service, .string("mail")), (.access, .data(open.encoded))]), secret: Array("p".utf8))
            try memory.administrationClient().change(
                [.requiresEnforcedCallers: 1], proof: ProtectorSecret(.passcode, Self.secret("sesame")))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        static func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
    }

    private static let refused = Refusal(.interactionNotAllowed, .strictMode)

    /// The uses of a keychain file that strict mode refuses in the data-protection keychain as well.
    private static func uses(of keychain: KeychainClient) throws -> [(name: String, use: () throws -> Void)] {
        let key = try ItemAttributes(
            .key, for: .add, [.init(.type, .number(KeyType.ellipticCurve.code)), .init(.keySizeInBits, .number(256))])
        let new = try attributes([(.service, .string("new"))])
        let mail = try query(service: "mail")
        return [
            ("add", { try keychain.add(new, secret: [1]) }),
            ("read attributes", { _ = try keychain.attributeSets(mail) }),
            ("change", { try keychain.update(mail, changes: ItemAttributes(empty: .genericPassword), secret: [2]) }),
            ("generate", { _ = try keychain.generateKey(key) }),
            ("delete", { try keychain.delete(mail) }),
        ]
    }

    @Test func `in strict mode a program that is not enforced does nothing with a keychain file without an approval`()
        async throws
    {
        let house = try await House()
        let command = try house.memory.administrationClient().inKeychain("work")
        for client in [house.keychain, command] {
            for (name, use) in try Self.uses(of: client) { #expect(try refusal(use) == Self.refused, "\(name)") }
            #expect(try refusal { _ = try client.explainSearch(try query(service: "new")) } == Self.refused)
            #expect(try refusal { _ = try client.explainAddition(try attributes([])) } == Self.refused)
            // The access object requires this approval.
            #expect(try refusal { _ = try client.secrets(try query()) }.reason == .strictMode)
        }
    }

    @Test func `in strict mode each use of a keychain file is approved by itself, with the keychain's password`()
        async throws
    {
        let house = try await House()
        house.memory.person = .approving
        let before = house.memory.questions.count
        let uses = try Self.uses(of: house.keychain)
        for (name, use) in uses { #expect(try refusal(use) == Refusal(.success, .none), "\(name)") }
        #expect(house.memory.questions.count == before + uses.count)
        house.memory.person = .absent
        #expect(try refusal { _ = try house.keychain.attributeSets(try query()) } == Self.refused)
    }

    @Test func `in a locked keychain file strict mode protects the attributes as well`() async throws {
        let house = try await House()
        try house.memory.client.lockKeychain(at: "work")
        #expect(try refusal { _ = try house.keychain.attributeSets(try query()) } == Self.refused)
        #expect(try refusal { try house.keychain.delete(try query()) } == Self.refused)
        #expect(try refusal { try house.keychain.addPassword() } == Refusal(.authenticationFailed, .locked))
    }

    @Test func `in strict mode the keychain's password still replaces partition lists`() async throws {
        let house = try await House()
        try house.memory.client.setPartitions(
            [.commandLineTool], of: [house.item], inKeychainAt: "work", password: House.secret("sesame"))
        house.memory.person = .approving
        guard case .data(let bytes)? = try house.keychain.attributeSets(try query()).first?[.access] else {
            Issue.record("the item has no access object")
            return
        }
        #expect(try AccessObject(encoded: bytes).partitions == [.commandLineTool])
    }
}
