// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainClient
import KeychainTesting
import Security
import Testing

/// The cases in the folder Cases, which is that of the package Conformance. They run in parallel here, because each has
/// its own keychain in memory.
@Suite(.onEmptyKeychain) struct Conformance {}

extension Trait where Self == EmptyKeychain {
    /// The test runs on a new keychain in memory.
    static var onEmptyKeychain: Self { EmptyKeychain() }
}

struct EmptyKeychain: SuiteTrait, TestTrait, TestScoping {
    /// The keychain of the test that is running.
    @TaskLocal fileprivate static var current: InMemoryKeychain?

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !test.isSuite else { return try await function() }
        let keychain = try InMemoryKeychain()
        try await Self.$current.withValue(keychain) {
            try await keychain.run { try await function() }
        }
    }
}

/// The passcode of the test's keychain.
struct Passcode {
    static var canBeSet: Bool { true }

    private let memory: InMemoryKeychain
    private var text: SecretData { SecretData(utf8: "correct horse") }

    fileprivate init(_ memory: InMemoryKeychain) { self.memory = memory }

    func set() async throws { try await memory.setPasscode(text) }
    func remove() async throws { try await memory.keychain.administration.removePasscode(current: text) }
    func unlock() async throws { try await memory.keychain.administration.unlock(passcode: text) }
    func lock() async throws { try await memory.keychain.administration.lock() }
}

/// Runs a test in a keychain with a passcode, which is initially unlocked.
func withPasscode(_ body: (Passcode) async throws -> Void) async throws {
    let passcode = Passcode(try #require(EmptyKeychain.current))
    try await passcode.set()
    try await body(passcode)
}

/// A program with an access group of its own, on the same keychain. Its items are generic passwords.
struct OtherProgram {
    static var isAvailable: Bool { true }

    private func run<R>(_ body: () throws -> R) throws -> R {
        try #require(EmptyKeychain.current).client(accessGroups: ["other"]).asCurrent(body)
    }

    func addPassword(_ secret: String, account: String, service: String) throws {
        try run { add(PasswordClass.generic.item(account, service, [kSecValueData: Data(secret.utf8)])) }
    }

    func password(account: String, service: String) throws -> String {
        let secret = try run { try #require(data(.generic, account, service)) }
        return String(decoding: secret, as: UTF8.self)
    }

    func deletePassword(account: String, service: String) throws {
        try run { #expect(SecItemDelete(PasswordClass.generic.item(account, service)) == errSecSuccess) }
    }
}

/// Runs a test as a program with these access groups, on an empty keychain.
func onEmptyKeychain(accessGroups: [String], _ body: () throws -> Void) throws {
    try InMemoryKeychain(accessGroups: accessGroups).run(body)
}

/// Returns a dictionary for generic passwords.
func password(_ more: Entries = [:]) -> CFDictionary { PasswordClass.generic.query(more) }

/// Returns a dictionary for one generic password.
func password(_ account: String, _ service: String, _ more: Entries = [:]) -> CFDictionary {
    PasswordClass.generic.item(account, service, more)
}
