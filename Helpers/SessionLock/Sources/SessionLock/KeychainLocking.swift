// SPDX-License-Identifier: Apache-2.0

/// A keychain that can be locked.
public protocol KeychainLocking: Sendable {
    /// Returns whether a keychain service is running. It does not start one.
    func isRunning() -> Bool

    /// Returns whether the keychain's settings require a lock before the machine sleeps.
    func locksOnSleep() async throws -> Bool

    /// Locks the keychain, and returns when the service reports that it has erased the keys. False if the keychain has
    /// no passcode and so cannot be locked.
    func lock() async throws -> Bool
}

extension KeychainLocking {
    /// Locks the keychain if one of the reasons holds.
    public func lock(_ reasons: [LockReason]) async -> LockResult {
        // A service that does not run holds no keys, and a start would only open its store.
        guard isRunning() else { return .notRunning }
        do {
            if reasons.allSatisfy({ $0 == .sleep }), try await !locksOnSleep() { return .notWanted }
            return try await lock() ? .locked : .noPasscode
        } catch {
            // The service may have ended meanwhile, and its keys with it.
            return isRunning() ? .failed("\(error)") : .notRunning
        }
    }
}
