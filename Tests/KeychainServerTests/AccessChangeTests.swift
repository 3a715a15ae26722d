// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Synchronization
import Testing

/// Changes of who may use an item of a keychain file, several at once.
struct AccessChangeTests {
    /// A keychain file with one password, which two programs own.
    private final class House {
        let folder = NSTemporaryDirectory() + "chatelaine-access-\(UInt64.random(in: 0 ... .max))"
        let memory: InMemoryKeychain
        let first: KeychainClient
        let second: KeychainClient

        init() async throws {
            memory = try InMemoryKeychain(accessGroups: ["first"], keychainFolder: folder)
            // The passcode that the simulated user types.
            try await memory.setPasscode(SecretData(utf8: "sesame"))
            _ = try memory.client.createKeychain(at: "work", password: SecretBytes(copying: Array("sesame".utf8)))
            first = try memory.client.inKeychain("work")
            second = try memory.client(accessGroups: ["second"]).inKeychain("work")
            try first.addPassword()
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Returns the identities of the programs.
        func applications() throws -> [TrustedApplication] {
            var applications: [TrustedApplication] = []
            for (name, client) in [("first", first), ("second", second)] {
                try client.add(try attributes([(.service, .string(name))]), secret: [])
                let entry = try #require(try access(of: name).entries.first { $0.authorizes(.decrypt) })
                guard case .applications(let list) = entry.subject else { throw Missing() }
                applications.append(try #require(list.first))
            }
            return applications
        }

        func access(of service: String = "mail") throws -> AccessObject {
            let item = try first.attributeSets(query(service: service)).first
            guard case .data(let bytes) = item?[.access] else { throw Missing() }
            return try AccessObject(encoded: bytes)
        }
    }

    private struct Missing: Error {}

    private static func change(_ client: KeychainClient, _ access: AccessObject) throws {
        try client.update(
            query(service: "mail"), changes: try attributes(.update, [(.access, .data(access.encoded))]),
            secret: [UInt8]?.none)
    }

    private static func owned(by owners: [TrustedApplication], like access: AccessObject) throws -> AccessObject {
        let owner = try #require(access.owner.with(.applications(owners)))
        return try #require(AccessObject(owner: owner, entries: access.entries, partitions: access.partitions))
    }

    @Test func `of two owners who take the right from each other at once, one succeeds`() async throws {
        let house = try await House()
        let both = try house.applications()
        for _ in 0..<40 {
            let before = try house.access()
            // Only an approval of the user can give the item to all programs again.
            house.memory.person = .approving
            try Self.change(house.first, try Self.owned(by: both, like: before))
            house.memory.person = .absent
            let shared = try house.access()
            let attempts = [
                (house.first, try Self.owned(by: [both[0]], like: shared)),
                (house.second, try Self.owned(by: [both[1]], like: shared)),
            ]
            let successes = await withTaskGroup(of: Bool.self) { group in
                for (client, access) in attempts {
                    group.addTask { (try? Self.change(client, access)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(successes == 1)
        }
    }

    @Test func `a change that was allowed is asked about again when another came between`() async throws {
        let house = try await House()
        let both = try house.applications()
        let before = try house.access()
        let wanted = try Self.owned(by: [both[1]], like: before)
        let meanwhile = try Self.owned(by: both.reversed(), like: before)
        let first = house.first
        let isFirst = Atomic(true)
        let made = Mutex<Bool>(false)
        house.memory.person = .approving
        try Self.change(house.first, try Self.owned(by: [both[0]], like: before))
        house.memory.person = TestPerson { _ in
            if isFirst.exchange(false, ordering: .relaxed) {
                made.withLock { $0 = (try? Self.change(first, meanwhile)) != nil }
                return .approve
            }
            return .deny
        }
        // The other program is an owner now, because of the change in between, so it needs no approval.
        let asked = house.memory.questions.count
        try Self.change(house.second, wanted)
        #expect(made.withLock { $0 })
        #expect(house.memory.questions.count == asked + 1)
        #expect(try house.access().owner.subject == wanted.owner.subject)
    }

    @Test func `all who are allowed for good at the same time are`() async throws {
        let house = try await House()
        house.memory.person = TestPerson { _ in .approveAlways }
        let programs = try (0..<8).map { number in
            try house.memory.client(accessGroups: ["program \(number)"]).inKeychain("work")
        }
        let read = await withTaskGroup(of: Bool.self) { group in
            for program in programs { group.addTask { (try? program.secrets(query(service: "mail"))) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(read == programs.count)
        house.memory.person = .absent
        for program in programs { #expect(try program.secrets(query(service: "mail")) == ["correct horse"]) }
    }

    @Test func `who may use a key is not said of an identity`() async throws {
        let house = try await House()
        let access = try house.access()
        let changes = try ItemAttributes(.identity, for: .update, [.init(.access, .data(access.encoded))])
        #expect(
            try refusal {
                try house.second.update(ItemQuery(.identity), changes: changes, secret: [UInt8]?.none)
            }.status == .noSuchAttribute)
    }
}
