// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// The items that match, now and again after each change of them.
    ///
    /// ```swift
    /// for try await passwords in keychain.observe(GenericPassword.Query(service: "com.example.mail")) {
    ///     show(passwords.map(\.account))
    /// }
    /// ```
    ///
    /// The first element is what is there when iteration starts. Then comes one element for each time that it has become
    /// different; changes that follow each other faster than elements are taken are put together. An item whose secret
    /// alone is replaced is different as well: its modification date is later.
    ///
    /// Iteration goes on when the service was stopped and another one can be started, without missing a change. It ends
    /// with an error when items cannot be found: the codes of ``findAll(_:limit:)``.
    public func observe<Item>(_ query: some ItemSelector<Item>) -> ItemObservation<Item> {
        ItemObservation(UserKeychain(currentClient), query.selection)
    }
}

/// The items that match a query, now and after each change. Made by ``UserKeychain/observe(_:)``.
public struct ItemObservation<Item: KeychainItem>: AsyncSequence, Sendable {
    public typealias Failure = KeychainError
    public typealias Element = [StoredItem<Item>]

    private let keychain: UserKeychain
    private let selection: ItemSelection<Item>

    init(_ keychain: UserKeychain, _ selection: ItemSelection<Item>) {
        self.keychain = keychain
        self.selection = selection
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(keychain, selection)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let keychain: UserKeychain
        private let query: ItemSelection<Item>
        private var state: FollowedState<Element>

        fileprivate init(_ keychain: UserKeychain, _ query: ItemSelection<Item>) {
            self.keychain = keychain
            self.query = query
            state = FollowedState(keychain.currentClient) { if case .item = $0 { true } else { false } }
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(KeychainError) -> Element? {
            let (keychain, query) = (keychain, query)
            return try await state.next(isolation: actor) { () async throws(KeychainError) in
                // The order means nothing, and equal items stay in theirs: it is by the time of adding.
                try await keychain.findAll(query)
            }
        }

        public mutating func next() async throws(KeychainError) -> Element? {
            try await next(isolation: nil)
        }
    }
}
