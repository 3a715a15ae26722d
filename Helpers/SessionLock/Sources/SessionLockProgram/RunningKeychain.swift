// SPDX-License-Identifier: Apache-2.0

internal import Keychain
internal import SessionLock

/// The keychain of this process's environment. It is connected to only for the time of a call, so that its service can end
/// when it has nothing to do.
struct RunningKeychain: KeychainLocking {
    func isRunning() -> Bool { UserKeychain.isServiceRunning }

    func locksOnSleep() async throws -> Bool {
        try await UserKeychain.withOwnConnection { try await $0.locksOnSleep }
    }

    func lock() async throws -> Bool {
        try await UserKeychain.withOwnConnection { keychain in
            if try await keychain.lockState == .noPasscode { return false }
            try await keychain.lock()
            return true
        }
    }
}
