// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension UserKeychain {
    // MARK: Locking

    /// Locks the keychain. When this returns, the service has removed from memory the keys of items that can be read
    /// only while the keychain is unlocked. Has no effect on a keychain without a passcode.
    public func lock() async throws(KeychainError) {
        try await run("lock the keychain") { client throws(ClientError) in try client.lock() }
    }

    /// Unlocks the keychain. Takes about 0.3 s, to slow down guessing.
    ///
    /// - Throws: `.authenticationFailed` for a wrong passcode, after too many wrong passcodes in a row, and if no
    ///   passcode is set; the error's explanation states the cause.
    public func unlock(passcode: SecretData) async throws(KeychainError) {
        try await run("unlock the keychain") { client throws(ClientError) in
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
        try await context.evaluate(.unlock, self, for: "unlock the keychain")
    }

    /// Whether the keychain is locked now.
    ///
    /// The state may have changed when the result arrives. Do not check it before you read an item: read the item, and
    /// handle `.interactionNotAllowed`.
    public var lockState: LockState {
        get async throws(KeychainError) {
            try await run("read the lock state") { client throws(ClientError) in try client.lockState() }
        }
    }

    /// Whether items that can be read only while the keychain is unlocked can be read now. For display only.
    ///
    /// Do not use it to decide whether to read an item ("preflighting"): the keychain may lock in between, and other
    /// items do not require an unlocked keychain. Read the item, and handle `.interactionNotAllowed`.
    public var isProtectedDataAvailable: Bool {
        get async throws(KeychainError) {
            switch try await lockState {
            case .noPasscode, .unlocked: true
            case .beforeFirstUnlock, .locked, .awaitingPIN: false
            }
        }
    }

    /// The lock state now, and after each change. States that change faster than they are read are left out.
    ///
    /// ```swift
    /// for try await state in keychain.lockStates where state == .locked {
    ///     print("locked: forgetting what was shown")
    /// }
    /// ```
    ///
    /// Iteration continues when the service stops and another one can be started.
    public var lockStates: LockStates { LockStates(UserKeychain(currentClient)) }

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
        try await run("set the passcode") { client throws(ClientError) in
            try client.setPasscode(passcode.memory, proof: ProtectorSecret(.passcode, current.memory))
        }
    }

    /// Sets the first passcode. For the administration tool.
    package func setFirstPasscode(_ passcode: SecretData) async throws(KeychainError) {
        try await run("set the passcode") { client throws(ClientError) in
            try client.setPasscode(passcode.memory, proof: nil)
        }
    }

    /// Enables or disables unlock by fingerprint. For the administration tool.
    package func setUnlocksByFinger(_ unlocks: Bool, passcode: SecretData) async throws(KeychainError) {
        try await run("change a setting") { client throws(ClientError) in
            try client.change([.unlocksByFinger: unlocks ? 1 : 0], proof: ProtectorSecret(.passcode, passcode.memory))
        }
    }

    /// Removes the passcode: after that, the keychain is never locked. Items that are readable only while a passcode is
    /// set are permanently deleted, and all other protectors as well, such as the recovery key.
    ///
    /// - Parameter current: the current passcode.
    /// - Throws: as ``unlock(passcode:)``.
    public func removePasscode(current: SecretData) async throws(KeychainError) {
        try await run("remove the passcode") { client throws(ClientError) in
            try client.removePasscode(proof: ProtectorSecret(.passcode, current.memory))
        }
    }

    /// Verifies the passcode. Does not unlock the keychain; a wrong passcode counts as a failed attempt.
    ///
    /// - Throws: as ``unlock(passcode:)``.
    public func verify(passcode: SecretData) async throws(KeychainError) {
        try await run("verify the passcode") { client throws(ClientError) in
            try client.verify(ProtectorSecret(.passcode, passcode.memory))
        }
    }
}

/// The lock state of a keychain, now and after each change. Created by ``UserKeychain/lockStates``.
public struct LockStates: AsyncSequence, Sendable {
    public typealias Failure = KeychainError
    public typealias Element = LockState

    private let keychain: UserKeychain

    init(_ keychain: UserKeychain) {
        self.keychain = keychain
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(keychain)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let keychain: UserKeychain
        private var state: FollowedState<LockState>

        fileprivate init(_ keychain: UserKeychain) {
            self.keychain = keychain
            state = FollowedState(keychain.currentClient) { if case .lockState = $0 { true } else { false } }
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(KeychainError) -> LockState? {
            let keychain = keychain
            return try await state.next(isolation: actor) { () async throws(KeychainError) in
                try await keychain.lockState
            }
        }

        public mutating func next() async throws(KeychainError) -> LockState? {
            try await next(isolation: nil)
        }
    }
}
