// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient
internal import KeychainModel

/// Signals that something of interest has changed since the last signal; several changes are one signal.
struct ChangeSignals {
    enum Signal { case changed, lost }

    /// Keeps the stream open as long as a task waits for signals.
    private let stream: OpenStream<WatchedEvent>
    private var signals: AsyncStream<Signal>.Iterator

    static func open(
        _ client: KeychainClient, for isOfInterest: @escaping @Sendable (WatchedEvent) -> Bool
    ) async throws(KeychainError) -> ChangeSignals {
        let queue = DispatchQueue(label: "org.chatelaine.keychain.observation")
        do throws(ClientError) {
            return ChangeSignals(
                try await queue.run { () throws(ClientError) in try OpenStream(changesIn: client) }, on: queue,
                isOfInterest)
        } catch {
            throw KeychainError("observe the keychain", error)
        }
    }

    /// Reads the stream on a thread of its own, so that the service never waits for a slow reader.
    private init(
        _ stream: OpenStream<WatchedEvent>, on queue: DispatchQueue,
        _ isOfInterest: @escaping @Sendable (WatchedEvent) -> Bool
    ) {
        // One pending signal is sufficient for any number of changes.
        let (signals, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let read = stream.read
        queue.async {
            do throws(ClientError) {
                while let event = try read() {
                    if isOfInterest(event) { continuation.yield(.changed) }
                }
            } catch {
                continuation.yield(.lost)
            }
            continuation.finish()
        }
        self.stream = stream
        self.signals = signals.makeAsyncIterator()
    }

    /// Returns the next signal; nil after the task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Signal? {
        await signals.next(isolation: actor)
    }
}

/// A state that is observed: it is read first and after each event of interest, and returned when it has changed.
///
/// The observation continues when the service stops and another one can be started.
struct FollowedState<State: Equatable & Sendable> {
    private let client: KeychainClient
    private let isOfInterest: @Sendable (WatchedEvent) -> Bool
    private var signals: ChangeSignals?
    private var last: State?
    private var hasEnded = false

    init(_ client: KeychainClient, after isOfInterest: @escaping @Sendable (WatchedEvent) -> Bool) {
        self.client = client
        self.isOfInterest = isOfInterest
    }

    /// Returns the next state; nil after the task is cancelled, and after an error.
    mutating func next(
        isolation actor: isolated (any Actor)?, _ ask: () async throws(KeychainError) -> State
    ) async throws(KeychainError) -> State? {
        do throws(KeychainError) {
            while !hasEnded {
                if signals == nil {
                    // The watch starts before the state is read, so a change in between is already signalled.
                    signals = try await ChangeSignals.open(client, for: isOfInterest)
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
                let state = try await ask()
                if state != last {
                    last = state
                    return state
                }
            }
            return nil
        } catch {
            hasEnded = true
            throw error
        }
    }
}
