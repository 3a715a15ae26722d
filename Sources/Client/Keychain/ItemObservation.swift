// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// Returns the items that match, now and after each change of them.
    ///
    /// ```swift
    /// for try await passwords in keychain.observe(GenericPassword.Query(service: "com.example.mail")) {
    ///     show(passwords.map(\.account))
    /// }
    /// ```
    ///
    /// The first element is the current result at the start of the iteration. Each further element is a result that
    /// differs from the previous one; changes that occur faster than elements are read are combined. A result also
    /// differs when only the secret of an item is replaced, because its modification date is later.
    ///
    /// Iteration continues without missing a change when the service stops and another one can be started. It ends with
    /// an error when the search fails: the codes of ``findAll(_:limit:)``.
    public func observe<Item>(_ query: some ItemSelector<Item>) -> ItemObservation<Item> {
        ItemObservation(UserKeychain(currentClient), query.selection)
    }
}

/// The items that match a query, now and after each change. Created by ``UserKeychain/observe(_:)``.
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
                // The order has no meaning, but equal results have equal order: items are sorted by the time of their
                // addition.
                try await keychain.findAll(query)
            }
        }

        public mutating func next() async throws(KeychainError) -> Element? {
            try await next(isolation: nil)
        }
    }
}
