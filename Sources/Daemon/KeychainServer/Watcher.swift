// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainWire
internal import Synchronization

/// A connection on which events are sent: changes, or lines of the audit log.
///
/// It is registered before the answer to `watch` is sent, so that a client that has read the answer misses no event.
/// Events in between wait here until the answer was sent.
struct Watcher {
    private let gate: Gate
    private let unsubscribe: @Sendable () -> Void
    /// The frame that is sent when the service ends, if that is reported.
    private let farewell: [UInt8]?

    /// Creates a watcher.
    ///
    /// - Parameter isStillCaller: checked before each event, so that a program that the caller executes (exec) receives
    ///   none.
    init(
        _ subscription: Pipeline.Subscription, on connection: ServerConnection, of service: ServiceState,
        isStillCaller: @escaping @Sendable () -> Bool
    ) {
        let gate = Gate(connection, isStillCaller)
        self.gate = gate
        switch subscription {
        case .changes(let caller):
            unsubscribe = service.changes.watchers.add(
                caller, deliver: { _, frame in gate.deliver(frame) }, drop: { connection.shutDown() })
            farewell = nil
        case .keychains(let caller, let filter):
            unsubscribe = service.changes.notices.add(
                caller, where: filter.contains, deliver: { _, frame in gate.deliver(frame) },
                drop: { connection.shutDown() })
            farewell = nil
        case .log:
            // Without a log the request was refused.
            if let log = service.log {
                unsubscribe = log.follow(deliver: { gate.deliver($0) }, drop: { connection.shutDown() })
            } else {
                unsubscribe = {}
            }
            farewell = LogEvent.end.frame
        }
    }

    /// Sends the waiting events, and from now on each event at once. False if the client does not read.
    func open() -> Bool { gate.open() }

    /// Sends nothing more, except the final frame, if that is reported. A client that was dropped before receives
    /// nothing.
    func end() {
        unsubscribe()
        if let farewell { _ = gate.deliver(farewell) }
    }

    private final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var waiting: [[UInt8]] = []
        }

        /// More changes than this before the answer was sent end the connection.
        private static let waitingLimit = 1024

        private let connection: ServerConnection
        private let isStillCaller: @Sendable () -> Bool
        private let state = Mutex(State())

        init(_ connection: ServerConnection, _ isStillCaller: @escaping @Sendable () -> Bool) {
            self.connection = connection
            self.isStillCaller = isStillCaller
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
            isStillCaller() && connection.sendWithoutWaiting(frame.span)
        }
    }
}
