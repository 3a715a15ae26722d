// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Ends an operation that may not have started yet: a task can be cancelled before its prompt is shown.
final class Ending: Sendable {
    private struct State {
        var hasEnded = false
        var end: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func set(_ end: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            state.end = end
            return state.hasEnded
        }
        if hasEnded { end() }
    }

    func end() {
        let end = state.withLock { state in
            state.hasEnded = true
            return state.end
        }
        end?()
    }
}
