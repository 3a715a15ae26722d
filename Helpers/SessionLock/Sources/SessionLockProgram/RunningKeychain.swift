// SPDX-License-Identifier: Apache-2.0

internal import Keychain
internal import SessionLock

/// The keychain of this process's environment.
struct RunningKeychain: KeychainLocking {
    private let keychain = UserKeychain()

    func isRunning() -> Bool { UserKeychain.isServiceRunning }

    func locksOnSleep() async throws -> Bool { try await keychain.locksOnSleep }

    func lock() async throws -> Bool {
        if try await keychain.lockState == .noPasscode { return false }
        try await keychain.lock()
        return true
    }
}
