// SPDX-License-Identifier: Apache-2.0

internal import Keychain
internal import SessionLock

/// The keychain of this process's environment.
struct RunningKeychain: KeychainLocking {
    func isRunning() -> Bool { false }
    func locksOnSleep() async throws -> Bool { true }
    func lock() async throws -> Bool { true }
}
