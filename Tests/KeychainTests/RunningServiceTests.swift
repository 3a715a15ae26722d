// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Testing

/// The service itself, as a test of another project uses it.
struct RunningServiceTests {
    @Test func `a keychain in memory counts as running, and is the one behind a connection of one's own`() async throws
    {
        let memory = try InMemoryKeychain()
        let mail = GenericPassword(service: "com.example.mail", account: "ann")
        try await memory.keychain.store(mail, secret: SecretData(utf8: "1"))
        let secret = try await memory.run {
            #expect(UserKeychain.isServiceRunning)
            return try await UserKeychain.withOwnConnection { try await $0.secret(for: mail)?.utf8String }
        }
        #expect(secret == "1")
    }

    @Test func `a keychain in memory is to be locked before sleep, as any new one`() async throws {
        #expect(try await InMemoryKeychain().keychain.administration.locksOnSleep)
    }
}
