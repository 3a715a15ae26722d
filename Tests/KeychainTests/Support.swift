// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Testing

/// Records an issue unless the call fails with this code.
func expectError<R>(
    _ code: KeychainError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws(KeychainError) -> R
) async {
    do throws(KeychainError) {
        _ = try await call()
        Issue.record("no error", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, sourceLocation: sourceLocation)
    }
}

/// Runs a test on a keychain whose user has a folder for keychain files.
func withKeychainFolder(_ body: (InMemoryKeychain, _ folder: String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "chatelaine-keychains-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(try InMemoryKeychain(keychainFolder: folder), folder)
}
