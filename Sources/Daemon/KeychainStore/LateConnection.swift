// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

/// A connection that is opened when it is needed first, and not any more once the store is closed.
final class LateConnection: Sendable {
    private enum State {
        case unopened
        case open(Connection)
        case closed
    }

    private let state = Mutex(State.unopened)

    var isClosed: Bool {
        state.withLock { state in
            if case .closed = state { return true }
            return false
        }
    }

    /// Nil where nobody has needed it yet, or does any more.
    var current: Connection? {
        state.withLock { state in if case .open(let connection) = state { connection } else { nil } }
    }

    /// - Throws: `.closed` after ``close()``; what `open` throws.
    func opened(_ open: () throws -> Connection) throws -> Connection {
        try state.withLock { state in
            switch state {
            case .open(let connection): return connection
            case .closed: throw StoreError.closed
            case .unopened:
                let connection = try open()
                state = .open(connection)
                return connection
            }
        }
    }

    /// Interrupts what is under way on it.
    func close() throws {
        let last = state.withLock { state in
            defer { state = .closed }
            return state
        }
        guard case .open(let connection) = last else { return }
        connection.queue.interrupt()
        try connection.close()
    }
}
