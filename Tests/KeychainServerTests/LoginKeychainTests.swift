// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

/// The keychain file named login, which goes with the passcode (semantics 8.2).
struct LoginKeychainTests {
    private final class House {
        let folder = NSTemporaryDirectory() + "chatelaine-login-\(UInt64.random(in: 0 ... .max))"
        let memory: InMemoryKeychain

        init(passcode: String = "sesame", login: String? = "sesame") async throws {
            memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder)
            try await memory.setPasscode(SecretData(utf8: passcode))
            guard let login else { return }
            _ = try client.createKeychain(at: "login.keychain", password: secret(login))
            _ = try client.createKeychain(at: "other.keychain", password: secret(login))
            try client.lockAllKeychains()
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var client: KeychainClient { memory.client }

        func state(_ name: String = "login.keychain") throws -> FileKeychainReport.State {
            try client.keychain(at: name).state
        }

        func unlock(with passcode: String = "sesame") throws {
            try memory.administrationClient().unlock(with: ProtectorSecret(.passcode, secret(passcode)))
        }

        func changePasscode(from old: String, to new: String) throws {
            try memory.administrationClient().setPasscode(
                secret(new), proof: ProtectorSecret(.passcode, secret(old)))
        }
    }

    @Test func `with the same password it is unlocked with the user's keychain, and no other file is`() async throws {
        let house = try await House()
        try house.memory.administrationClient().lock()
        try house.unlock()
        #expect(try house.state() == .unlocked)
        #expect(try house.state("other.keychain") == .locked)
        #expect(house.memory.questions.isEmpty)
    }

    @Test func `with another password it stays locked, silently, and nothing counts against it`() async throws {
        let house = try await House(login: "another")
        for _ in 0..<20 { try house.unlock() }
        #expect(try house.state() == .locked)
        #expect(house.memory.questions.isEmpty)
        // Twenty wrong entries would have made this one wait.
        try house.client.unlockKeychain(at: "login.keychain", password: secret("another"))
        #expect(try house.state() == .unlocked)
    }

    @Test func `a passcode that is wrong unlocks neither`() async throws {
        let house = try await House(login: "wrong")
        try house.memory.administrationClient().lock()
        #expect(try refusal { try house.unlock(with: "wrong") }.reason == .wrongSecret)
        #expect(try house.state() == .locked)
    }

    @Test func `a changed passcode is carried over where the old one was its password`() async throws {
        let house = try await House()
        try house.changePasscode(from: "sesame", to: "open up")
        #expect(try house.state() == .locked)
        #expect(
            try refusal { try house.client.unlockKeychain(at: "login.keychain", password: secret("sesame")) }.reason
                == .wrongSecret)
        try house.unlock(with: "open up")
        #expect(try house.state() == .unlocked)
        try house.client.unlockKeychain(at: "other.keychain", password: secret("sesame"))
    }

    @Test func `a changed passcode leaves a login keychain alone that had another password`() async throws {
        let house = try await House(login: "another")
        try house.changePasscode(from: "sesame", to: "open up")
        try house.client.unlockKeychain(at: "login.keychain", password: secret("another"))
    }

    @Test func `where there is none, unlocking makes none`() async throws {
        let house = try await House(login: nil)
        try house.unlock()
        try house.changePasscode(from: "sesame", to: "open up")
        #expect(try house.state() == .missing)
    }
}

private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
