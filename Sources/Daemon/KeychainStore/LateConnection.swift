// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A connection that is opened on first use, and not after the store was closed.
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

    /// The connection; nil before the first use and after it was closed.
    var current: Connection? {
        state.withLock { state in if case .open(let connection) = state { connection } else { nil } }
    }

    /// Returns the connection, and opens it if necessary.
    ///
    /// - Throws: `.closed` after ``close()``; the errors of `open`.
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

    /// Closes the connection and interrupts its current operation.
    func close() throws {
        let last = state.withLock { state in
            defer { state = .closed }
            return state
        }
        guard case .open(let connection) = last else { return }
        connection.interrupt()
        try connection.close()
    }
}
