// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The way to end an operation that waits for the user or for events, from another thread.
public final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// Ends what the operation waits for.
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    public init() {}

    public var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Ends the current wait of the operation, and all later ones.
    public func cancel() {
        let action = state.withLock { state in
            state.isCancelled = true
            return state.action
        }
        action?()
    }

    /// Runs a part of the operation that waits. Parts follow each other.
    ///
    /// - Parameter action: ends the wait. Called by a cancellation, and at once after one; perhaps when the part has ended.
    public func ending<Success, Failure: Error>(
        with action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let isCancelled = state.withLock { state in
            state.action = action
            return state.isCancelled
        }
        defer { state.withLock { $0.action = nil } }
        if isCancelled { action() }
        return try body()
    }
}
