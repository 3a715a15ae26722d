// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient
public import KeychainModel

/// The changes of items in the program's access groups, as they happen.
///
/// Iteration ends with an error when the service stops; a new iteration starts anew, and what changed in between is not
/// reported.
public struct ItemChanges: AsyncSequence, Sendable {
    public typealias Failure = KeychainError

    public struct Change: Hashable, Sendable {
        public let kind: ItemChange.Kind
        public let item: ItemReference
    }

    private let client: KeychainClient

    init(_ client: KeychainClient) {
        self.client = client
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(client)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let client: KeychainClient
        private var stream: (any ChangeStream)?
        /// Reading waits without end, so each iteration waits on a thread of its own.
        private let queue = DispatchQueue(label: "org.chatelaine.keychain.changes")

        init(_ client: KeychainClient) {
            self.client = client
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(KeychainError) -> Change? {
            let (client, queue, opened) = (client, queue, stream)
            do throws(ClientError) {
                let stream: any ChangeStream
                if let opened {
                    stream = opened
                } else {
                    stream = try await Self.on(queue) { () throws(ClientError) in try client.watch() }
                    self.stream = stream
                }
                guard let change = try await Self.next(of: stream, on: queue) else { return nil }
                return Change(kind: change.kind, item: ItemReference(change.item))
            } catch {
                throw KeychainError("watch the keychain", error)
            }
        }

        public mutating func next() async throws(KeychainError) -> Change? {
            try await next(isolation: nil)
        }

        private static func next(
            of stream: any ChangeStream, on queue: DispatchQueue
        ) async throws(ClientError) -> ItemChange? {
            let result: Result<ItemChange?, ClientError> = await withTaskCancellationHandler {
                do throws(ClientError) {
                    return .success(try await on(queue) { () throws(ClientError) in try stream.next() })
                } catch {
                    return .failure(error)
                }
            } onCancel: {
                stream.cancel()
            }
            return try result.get()
        }

        private static func on<R: Sendable>(
            _ queue: DispatchQueue, _ body: @escaping @Sendable () throws(ClientError) -> R
        ) async throws(ClientError) -> R {
            let result: Result<R, ClientError> = await withCheckedContinuation { continuation in
                queue.async {
                    do throws(ClientError) {
                        continuation.resume(returning: .success(try body()))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
            return try result.get()
        }
    }
}
