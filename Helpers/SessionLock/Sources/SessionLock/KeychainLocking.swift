// SPDX-License-Identifier: Apache-2.0

/// The keychain, as far as it can be locked.
public protocol KeychainLocking: Sendable {
    /// Whether a keychain service is running. Starts none.
    func isRunning() -> Bool

    /// Whether the keychain's settings want it locked when the machine is about to sleep.
    func locksOnSleep() async throws -> Bool

    /// Locks the keychain; returns when the service says that the keys are gone. False where there is no passcode, and so
    /// nothing to lock.
    func lock() async throws -> Bool
}

extension KeychainLocking {
    /// Locks the keychain if one of the reasons holds.
    public func lock(_ reasons: [LockReason]) async -> LockOutcome {
        // A service that does not run holds no keys, and starting one would open its store for nothing.
        guard isRunning() else { return .notRunning }
        do {
            if reasons.allSatisfy({ $0 == .sleep }), try await !locksOnSleep() { return .notWanted }
            return try await lock() ? .locked : .noPasscode
        } catch {
            // It may have ended meanwhile, and its keys with it.
            return isRunning() ? .failed("\(error)") : .notRunning
        }
    }
}
