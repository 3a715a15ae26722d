// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Testing

/// Calls with a time limit. A silent user makes a call wait without end, so these tests do not depend on the clock.
struct TimeLimitTests {
    private let card = GenericPassword(service: "com.example.pay", account: "card", accessControl: .userPresence)
    private let mail = GenericPassword(service: "com.example.mail", account: "ann")

    /// A keychain with both items, whose user does not respond.
    private func memory() async throws -> InMemoryKeychain {
        let memory = try InMemoryKeychain()
        try await memory.setPasscode(SecretData(utf8: "1234"))
        for item in [card, mail] { try await memory.keychain.store(item, secret: SecretData(utf8: item.service)) }
        memory.person = .silent
        return memory
    }

    @Test func `a call that is not complete in time fails, and its prompt is withdrawn`() async throws {
        let memory = try await memory()
        let error = try await #require(throws: KeychainError.self) {
            try await memory.keychain.timingOut(after: .milliseconds(50)).secret(for: card)
        }
        #expect(error.code == .timedOut && error.attempt == "read a secret")
        #expect(error.explanation?.reason.contains("time limit") == true)
        memory.person = .approving
        #expect(try await memory.keychain.secret(for: card)?.utf8String == card.service)
    }

    @Test func `a call that is complete in time has its result or its own error`() async throws {
        let memory = try await memory()
        let keychain = memory.keychain.timingOut(after: .seconds(24 * 3600))
        #expect(try await keychain.secret(for: mail)?.utf8String == mail.service)
        await expectError(.duplicateItem) { () throws(KeychainError) in try await keychain.add(mail, secret: nil) }
        await expectError(.interactionNotAllowed) { () throws(KeychainError) in
            try await keychain.asking(.fail).secret(for: card)
        }
        #expect(try await keychain.delete(mail))
    }

    @Test func `calls that timed out do not keep others waiting`() async throws {
        let memory = try await memory()
        // More than the module has threads for calls.
        await withTaskGroup { group in
            for _ in 0..<20 {
                let keychain = memory.keychain.timingOut(after: .milliseconds(50))
                group.addTask { [card] in _ = try? await keychain.secret(for: card) }
            }
        }
        #expect(try await memory.keychain.secret(for: mail)?.utf8String == mail.service)
    }

    @Test func `the limit applies to the items of a keychain file as well`() async throws {
        try await withKeychainFolder { memory, _ in
            let work = try await memory.keychain.files.create(at: "work", password: SecretData(utf8: "sesame"))
            let keychain = memory.keychain.inFile(work)
            try await keychain.store(mail, secret: SecretData(utf8: "1"))
            #expect(try await keychain.timingOut(after: .seconds(24 * 3600)).secret(for: mail)?.utf8String == "1")
            try await memory.keychain.files.lock(work)
            memory.person = .silent
            await expectError(.timedOut) { () throws(KeychainError) in
                try await keychain.timingOut(after: .milliseconds(50)).secret(for: mail)
            }
        }
    }
}
