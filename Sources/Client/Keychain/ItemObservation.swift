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
        private var signals: ChangeSignals?
        private var last: Element?
        private var hasEnded = false

        fileprivate init(_ keychain: UserKeychain, _ query: ItemSelection<Item>) {
            self.keychain = keychain
            self.query = query
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(KeychainError) -> Element? {
            do throws(KeychainError) {
                while !hasEnded {
                    if signals == nil {
                        // First the watch, then the search: what changes in between is a signal already.
                        signals = try await ChangeSignals.open(keychain.currentClient) { event in
                            if case .item = event { true } else { false }
                        }
                    } else {
                        switch await signals?.next() {
                        case .changed: break
                        case .lost:
                            signals = nil
                            continue
                        case nil:
                            hasEnded = true
                            continue
                        }
                    }
                    let found = try await keychain.findAll(query)
                    // The order means nothing, and equal items stay in theirs: it is by the time of adding.
                    if found != last {
                        last = found
                        return found
                    }
                }
                return nil
            } catch {
                hasEnded = true
                throw error
            }
        }

        public mutating func next() async throws(KeychainError) -> Element? {
            try await next(isolation: nil)
        }
    }
}
