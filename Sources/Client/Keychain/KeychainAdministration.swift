// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension UserKeychain {
    /// The operations on the keychain as a whole: locking, the passcode and the settings.
    ///
    /// They concern the data-protection keychain; ``KeychainFiles`` has those of keychain files.
    public var administration: KeychainAdministration { KeychainAdministration(self) }
}

/// Locks and unlocks a keychain, changes its passcode and reads its settings. Created by
/// ``UserKeychain/administration``.
///
/// ```swift
/// let administration = UserKeychain().administration
/// try await administration.lock()
/// try await administration.unlock(passcode: SecretData(utf8: "1234"))
/// ```
///
/// All calls can fail with the codes common to the calls of ``UserKeychain``.
public struct KeychainAdministration: Sendable {
    private let keychain: UserKeychain

    init(_ keychain: UserKeychain) {
        self.keychain = keychain
    }

    // MARK: Locking

    /// Locks the keychain. When this returns, the service has removed from memory the keys of items that can be read
    /// only while the keychain is unlocked. Has no effect on a keychain without a passcode.
    public func lock() async throws(KeychainError) {
        try await keychain.run("lock the keychain") { client throws(ClientError) in try client.lock() }
    }

    /// Unlocks the keychain. Takes about 0.3 s, to slow down guessing.
    ///
    /// - Throws: `.authenticationFailed` for a wrong passcode, after too many wrong passcodes in a row, and if no
    ///   passcode is set; the error's explanation states the cause.
    public func unlock(passcode: SecretData) async throws(KeychainError) {
        try await keychain.run("unlock the keychain") { client throws(ClientError) in
            try client.unlock(with: ProtectorSecret(.passcode, passcode.memory))
        }
    }

    /// Prompts the user to unlock the keychain by fingerprint, or by passcode if the user chooses it. Cancelling the
    /// task withdraws the prompt.
    ///
    /// The user of the keychain must have enabled unlock by fingerprint (`chatelaine settings set unlock-by-finger
    /// on`). The passcode is required first after each start of the service, after a change of the enrolment, after
    /// five fingerprints that do not match, and if it was not entered for days.
    ///
    /// - Parameter context: the prompt settings. It keeps the authentication for later calls.
    /// - Throws: `.userCanceled`; `.interactionNotAllowed` if no prompt can be shown or prompts are not allowed;
    ///   `.authenticationFailed` if the authentication failed, and if unlock by fingerprint is not possible now; the
    ///   error's explanation states the cause.
    public func unlock(authenticatedBy context: AuthenticationContext) async throws(KeychainError) {
        try await context.evaluate(.unlock, keychain, for: "unlock the keychain")
    }

    // MARK: The passcode

    /// Sets another passcode. Items are not changed.
    ///
    /// The first passcode is set with the command `chatelaine passcode set`: no program can set a passcode for a
    /// keychain without one.
    ///
    /// - Parameters:
    ///   - passcode: 1 to 1024 bytes of UTF-8 without a zero byte.
    ///   - current: the current passcode.
    /// - Throws: `.invalidParameter` for an invalid new passcode; the errors of ``unlock(passcode:)`` for the current
    ///   passcode; `.missingEntitlement` if no passcode is set.
    public func setPasscode(_ passcode: SecretData, current: SecretData) async throws(KeychainError) {
        try await keychain.run("set the passcode") { client throws(ClientError) in
            try client.setPasscode(passcode.memory, proof: ProtectorSecret(.passcode, current.memory))
        }
    }

    /// Sets the first passcode. For the administration tool.
    package func setFirstPasscode(_ passcode: SecretData) async throws(KeychainError) {
        try await keychain.run("set the passcode") { client throws(ClientError) in
            try client.setPasscode(passcode.memory, proof: nil)
        }
    }

    /// Removes the passcode: after that, the keychain is never locked. Items that are readable only while a passcode is
    /// set are permanently deleted, and all other protectors as well, such as the recovery key.
    ///
    /// - Parameter current: the current passcode.
    /// - Throws: as ``unlock(passcode:)``.
    public func removePasscode(current: SecretData) async throws(KeychainError) {
        try await keychain.run("remove the passcode") { client throws(ClientError) in
            try client.removePasscode(proof: ProtectorSecret(.passcode, current.memory))
        }
    }

    /// Verifies the passcode. Does not unlock the keychain; a wrong passcode counts as a failed attempt.
    ///
    /// - Throws: as ``unlock(passcode:)``.
    public func verify(passcode: SecretData) async throws(KeychainError) {
        try await keychain.run("verify the passcode") { client throws(ClientError) in
            try client.verify(ProtectorSecret(.passcode, passcode.memory))
        }
    }

    // MARK: Settings

    /// Whether the keychain's settings require it to lock before the machine suspends.
    public var locksOnSleep: Bool {
        get async throws(KeychainError) {
            try await keychain.run("read the settings") { client throws(ClientError) in
                try client.settings()[.locksOnSleep] ?? Setting.locksOnSleep.defaultValue
            } != 0
        }
    }

    /// Enables or disables unlock by fingerprint. For the administration tool.
    package func setUnlocksByFinger(_ unlocks: Bool, passcode: SecretData) async throws(KeychainError) {
        try await keychain.run("change a setting") { client throws(ClientError) in
            try client.change([.unlocksByFinger: unlocks ? 1 : 0], proof: ProtectorSecret(.passcode, passcode.memory))
        }
    }
}
