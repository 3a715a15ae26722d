// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    // MARK: The lock state

    /// Whether the keychain is locked now.
    ///
    /// The state may have changed when the result arrives. Do not check it before you read an item: read the item, and
    /// handle `.interactionNotAllowed`.
    public var lockState: LockState {
        get async throws(KeychainError) {
            try await run("ask for the lock state") { client throws(ClientError) in try client.lockState() }
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
    ///     print("The keychain is locked. Clearing the displayed secrets.")
    /// }
    /// ```
    ///
    /// Iteration continues when the service stops and another one can be started.
    public var lockStates: LockStates { LockStates(UserKeychain(baseClient)) }
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
