// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// The changes of items of a class in the program's access groups, or in the keychain file of ``inFile(_:)``, from
    /// the start of the iteration.
    ///
    /// ```swift
    /// for try await change in keychain.changes(of: GenericPassword.self) where change.kind == .deleted {
    ///     print("an item is gone")
    /// }
    /// ```
    public func changes<Item: KeychainItem>(of itemClass: Item.Type) -> ItemChanges<Item> {
        ItemChanges(currentClient)
    }
}

/// A change of an item.
public struct ItemChange<Item: KeychainItem>: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case added
        case updated
        case deleted
    }

    public let kind: Kind
    public let item: ItemReference<Item>
}

/// The changes of items of one class, as they happen, whichever program made them.
///
/// Iteration ends with an error when the service stops. A new iteration starts from the current state: changes in
/// between are not reported. ``UserKeychain/observe(_:)`` covers such gaps.
public struct ItemChanges<Item: KeychainItem>: AsyncSequence, Sendable {
    public typealias Failure = KeychainError
    public typealias Element = ItemChange<Item>

    private let client: KeychainClient

    init(_ client: KeychainClient) {
        self.client = client
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(client)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let client: KeychainClient
        private var stream: OpenStream<WatchedEvent>?
        /// A read can wait without limit, so each iteration has a thread of its own.
        private let queue = DispatchQueue(label: "org.chatelaine.keychain.changes")

        init(_ client: KeychainClient) {
            self.client = client
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(KeychainError) -> Element? {
            let (client, queue, opened) = (client, queue, stream)
            do throws(ClientError) {
                let stream: OpenStream<WatchedEvent>
                if let opened {
                    stream = opened
                } else {
                    stream = try await queue.run { () throws(ClientError) in try OpenStream(changesIn: client) }
                    self.stream = stream
                }
                while let event = try await stream.next(on: queue) {
                    guard case .item(let change) = event, change.item.itemClass == Item.itemClass else { continue }
                    return ItemChange(kind: .init(change.kind), item: ItemReference(change.item))
                }
                return nil
            } catch {
                throw KeychainError("observe the keychain", error)
            }
        }

        public mutating func next() async throws(KeychainError) -> Element? {
            try await next(isolation: nil)
        }
    }
}

extension ItemChange.Kind {
    fileprivate init(_ kind: KeychainModel.ItemChange.Kind) {
        self =
            switch kind {
            case .added: .added
            case .updated: .updated
            case .deleted: .deleted
            }
    }
}

/// A stream of events that ends when its last reader is released.
final class OpenStream<Event: Sendable>: Sendable {
    /// Waits for the next event; nil after the stream has ended.
    let read: @Sendable () throws(ClientError) -> Event?
    private let cancel: @Sendable () -> Void

    private init(
        _ read: @escaping @Sendable () throws(ClientError) -> Event?, _ cancel: @escaping @Sendable () -> Void
    ) {
        self.read = read
        self.cancel = cancel
    }

    deinit { cancel() }

    func next(on queue: DispatchQueue) async throws(ClientError) -> Event? {
        let (read, cancel) = (read, cancel)
        let result: Result<Event?, ClientError> = await withTaskCancellationHandler {
            do throws(ClientError) {
                return .success(try await queue.run { () throws(ClientError) in try read() })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }
}

extension OpenStream<WatchedEvent> {
    /// Opens the stream of the changes in the keychain that the client uses.
    convenience init(changesIn client: KeychainClient) throws(ClientError) {
        guard let path = client.keychainPath else {
            let stream = try client.watch()
            self.init({ () throws(ClientError) in try stream.next() }, { stream.cancel() })
            return
        }
        let kinds: [KeychainNotice.Kind] = [.added, .deleted, .modified]
        let stream = try client.watchKeychains(KeychainNoticeFilter(kinds, places: .files))
        self.init(
            { () throws(ClientError) in
                while let notice = try stream.next() {
                    guard notice.keychain == path, let change = notice.itemChange else { continue }
                    return .item(change)
                }
                return nil
            }, { stream.cancel() })
    }
}

extension KeychainNotice {
    /// The change of an item; nil for other events.
    fileprivate var itemChange: KeychainModel.ItemChange? {
        guard let item else { return nil }
        return switch kind {
        case .added: KeychainModel.ItemChange(.added, item)
        case .deleted: KeychainModel.ItemChange(.deleted, item)
        case .modified: KeychainModel.ItemChange(.updated, item)
        case .locked, .unlocked, .accessChanged, .passwordChanged, .defaultChanged, .listChanged: nil
        }
    }
}

extension OpenStream<KeychainNotice> {
    convenience init(_ stream: any KeychainNoticeStream) {
        self.init({ () throws(ClientError) in try stream.next() }, { stream.cancel() })
    }
}
