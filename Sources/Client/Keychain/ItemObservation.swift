// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient

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
                        signals = try await ChangeSignals.open(keychain.currentClient)
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

/// Says that something has changed since it was asked last, however much.
private struct ChangeSignals {
    enum Signal { case changed, lost }

    /// Keeps the stream open for as long as somebody waits for signals.
    private let stream: OpenStream
    private var signals: AsyncStream<Signal>.Iterator

    static func open(_ client: KeychainClient) async throws(KeychainError) -> ChangeSignals {
        let queue = DispatchQueue(label: "org.chatelaine.keychain.observation")
        do throws(ClientError) {
            return ChangeSignals(
                try await queue.run { () throws(ClientError) in OpenStream(try client.watch()) }, on: queue)
        } catch {
            throw KeychainError("watch the keychain", error)
        }
    }

    /// Reads the stream on a thread of its own, so that the service never waits for a slow reader.
    private init(_ stream: OpenStream, on queue: DispatchQueue) {
        // One signal that was not taken yet says as much as many.
        let (signals, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let changes = stream.stream
        queue.async {
            do throws(ClientError) {
                while try changes.next() != nil { continuation.yield(.changed) }
            } catch {
                continuation.yield(.lost)
            }
            continuation.finish()
        }
        self.stream = stream
        self.signals = signals.makeAsyncIterator()
    }

    /// Nil once the task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Signal? {
        await signals.next(isolation: actor)
    }
}
