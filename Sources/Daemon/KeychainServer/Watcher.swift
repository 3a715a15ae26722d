// SPDX-License-Identifier: Apache-2.0

internal import KeychainPlatform
internal import KeychainPolicy
internal import Synchronization

/// A connection on which changes are sent.
///
/// It is registered before the answer to `watch` is sent, so that a client that has read the answer misses no change.
/// The changes of that short time wait here until the answer has left.
struct Watcher {
    private let feed: ChangeFeed
    private let number: UInt64
    private let gate: Gate

    init(_ caller: Caller, on connection: ServerConnection, of feed: ChangeFeed) {
        let gate = Gate(connection)
        self.gate = gate
        self.feed = feed
        number = feed.add(caller, deliver: { _, frame in gate.deliver(frame) }, drop: { connection.shutDown() })
    }

    /// Sends what waits, and from now on each change at once. False if the client does not read.
    func open() -> Bool { gate.open() }

    func end() { feed.remove(number) }

    private final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var waiting: [[UInt8]] = []
        }

        /// More changes than this before the answer has left end the connection.
        private static let waitingLimit = 1024

        private let connection: ServerConnection
        private let state = Mutex(State())

        init(_ connection: ServerConnection) {
            self.connection = connection
        }

        func deliver(_ frame: [UInt8]) -> Bool {
            state.withLock { state in
                if state.isOpen { return send(frame) }
                guard state.waiting.count < Self.waitingLimit else { return false }
                state.waiting.append(frame)
                return true
            }
        }

        func open() -> Bool {
            state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting.allSatisfy(send)
            }
        }

        private func send(_ frame: [UInt8]) -> Bool {
            connection.sendWithoutWaiting(frame.span)
        }
    }
}
