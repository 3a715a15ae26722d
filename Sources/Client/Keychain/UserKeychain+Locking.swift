// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension UserKeychain {
    // MARK: Locking

    /// Locks the keychain. When this returns, the keys of items that can be read only while it is unlocked are gone from the
    /// service's memory. Does nothing to a keychain without a passcode.
    public func lock() async throws(KeychainError) {
        try await run("lock the keychain") { client throws(ClientError) in try client.lock() }
    }

    /// Unlocks the keychain. Takes about 0.3 s, so that nobody tries many.
    ///
    /// - Throws: `.authenticationFailed` for a wrong passcode, where there were too many wrong ones in a row, and where none is
    ///   set; the error's explanation says which.
    public func unlock(passcode: SecretData) async throws(KeychainError) {
        try await run("unlock the keychain") { client throws(ClientError) in
            try client.unlock(with: ProtectorSecret(.passcode, passcode.memory))
        }
    }

    /// Has the person unlock the keychain by a finger, or by the passcode if they choose that. Cancelling the task takes the
    /// question back.
    ///
    /// The keychain's user has to have switched it on (`chatelaine settings set unlock-by-finger on`). The passcode is needed first after
    /// each start of the service, when other fingers are enrolled, after five wrong ones, and when it was not given for days.
    ///
    /// - Parameter context: how to ask. What the person shows counts in it for later calls.
    /// - Throws: `.userCanceled`; `.interactionNotAllowed` where nobody can or may be asked; `.authenticationFailed` where nobody showed
    ///   what unlocks it, and where no finger does now; the error's explanation says which.
    public func unlock(authenticatedBy context: AuthenticationContext) async throws(KeychainError) {
        try await context.evaluate(.unlock, self, for: "unlock the keychain")
    }

    /// Whether the keychain is locked now.
    ///
    /// The answer may be old when it arrives. Do not ask before you read an item: read it, and handle
    /// `.interactionNotAllowed`.
    public var lockState: LockState {
        get async throws(KeychainError) {
            try await run("ask for the lock state") { client throws(ClientError) in try client.lockState() }
        }
    }

    /// Whether items that can be read only while the keychain is unlocked can be read now: for showing it to a person.
    ///
    /// Do not decide by it whether to read an item ("preflighting"): the keychain may be locked between the two, and other
    /// items need less. Read, and handle `.interactionNotAllowed`.
    public var isProtectedDataAvailable: Bool {
        get async throws(KeychainError) {
            switch try await lockState {
            case .noPasscode, .unlocked: true
            case .beforeFirstUnlock, .locked, .awaitingPIN: false
            }
        }
    }

    /// The lock state now, and from then on each time that it has become another. States that follow each other faster than
    /// they are taken are left out.
    ///
    /// ```swift
    /// for try await state in keychain.lockStates where state == .locked {
    ///     print("locked: forgetting what was shown")
    /// }
    /// ```
    ///
    /// Iteration goes on when the service was stopped and another one can be started.
    public var lockStates: LockStates { LockStates(UserKeychain(currentClient)) }

    // MARK: The passcode

    /// Sets another passcode. Items are not touched.
    ///
    /// The first one is set with the command `chatelaine passcode set`: no program can put a lock on a keychain that has none.
    ///
    /// - Parameters:
    ///   - passcode: 1 to 1024 bytes of UTF-8 without a zero byte.
    ///   - current: the passcode that is set.
    /// - Throws: `.invalidParameter` for a passcode that cannot be one; as ``unlock(passcode:)`` for the current one;
    ///   `.missingEntitlement` where there is none yet.
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

    /// Has a finger unlock the keychain, or none. For the administration tool.
    package func setUnlocksByFinger(_ unlocks: Bool, passcode: SecretData) async throws(KeychainError) {
        try await run("change a setting") { client throws(ClientError) in
            try client.change([.unlocksByFinger: unlocks ? 1 : 0], proof: ProtectorSecret(.passcode, passcode.memory))
        }
    }

    /// Removes the passcode: the keychain is always open from then on. Items that are readable only while a passcode is set
    /// are deleted for good, and so is all else that could open the keychain, such as its recovery key.
    ///
    /// - Parameter current: the passcode that is set.
    /// - Throws: as ``unlock(passcode:)``.
    public func removePasscode(current: SecretData) async throws(KeychainError) {
        try await run("remove the passcode") { client throws(ClientError) in
            try client.removePasscode(proof: ProtectorSecret(.passcode, current.memory))
        }
    }

    /// Looks whether this is the passcode. Opens nothing; a wrong one counts as a wrong entry.
    ///
    /// - Throws: as ``unlock(passcode:)``.
    public func verify(passcode: SecretData) async throws(KeychainError) {
        try await run("verify the passcode") { client throws(ClientError) in
            try client.verify(ProtectorSecret(.passcode, passcode.memory))
        }
    }
}

/// The lock state of a keychain, now and after each change. Made by ``UserKeychain/lockStates``.
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
