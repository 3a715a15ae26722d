// SPDX-License-Identifier: Apache-2.0

internal import Keychain
internal import SessionLock

/// The keychain in the environment of this process. It is connected only during a call, so that an idle service can
/// end.
struct RunningKeychain: KeychainLocking {
    func isRunning() -> Bool { UserKeychain.isServiceRunning }

    func locksOnSleep() async throws -> Bool {
        try await UserKeychain.withOwnConnection { try await $0.administration.locksOnSleep }
    }

    func lock() async throws -> Bool {
        try await UserKeychain.withOwnConnection { keychain in
            if try await keychain.lockState == .noPasscode { return false }
            try await keychain.administration.lock()
            return true
        }
    }
}
