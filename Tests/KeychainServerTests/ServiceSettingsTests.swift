// SPDX-License-Identifier: Apache-2.0

import Glibc
import Keychain
import KeychainClient
import KeychainPolicy
import KeychainServer
import Testing

/// The information that programs get about the service's settings.
struct ServiceSettingsTests {
    private static let tool = Caller(
        userID: getuid(), processID: getpid(), tier: .unsigned, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "/test")

    @Test func `a program learns whether the keychain is to be locked before sleep`() async throws {
        let running = try RunningService(identifier: .constant(Self.tool))
        defer { running.stop() }
        let client = running.client()
        let keychain = UserKeychain(client)
        #expect(try await keychain.administration.locksOnSleep)
        try client.change([.locksOnSleep: 0], proof: nil)
        #expect(try await !keychain.administration.locksOnSleep)
    }
}
