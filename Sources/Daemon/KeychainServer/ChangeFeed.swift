// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire
internal import Synchronization

/// Those who watch for changes.
public final class ChangeFeed: Sendable {
    /// Passes an event on without waiting, as a value or as its frame; false if it cannot be done now.
    typealias Deliver = @Sendable (_ event: WatchedEvent, _ frame: [UInt8]) -> Bool

    private struct Watcher {
        let accessGroups: Set<String>
        let seesEverything: Bool
        let deliver: Deliver
        /// Ends the watcher's connection.
        let drop: @Sendable () -> Void
    }

    private struct State {
        var watchers: [UInt64: Watcher] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Delivers changes to a caller from now on, until ``remove(_:)``.
    ///
    /// Nobody waits for a watcher: one whose connection is full is dropped, and finds that its stream has ended, instead
    /// of missing a change without knowing it.
    func add(_ caller: Caller, deliver: @escaping Deliver, drop: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.watchers[state.next] = Watcher(
                accessGroups: Set(caller.accessGroups), seesEverything: caller.isAdministrationTool,
                deliver: deliver, drop: drop)
            return state.next
        }
    }

    func remove(_ watcher: UInt64) {
        state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
    }

    func publish(_ changes: [ItemChange], accessGroups: [String]) {
        let watchers = state.withLock { state in
            state.watchers.filter { $0.value.seesEverything || !$0.value.accessGroups.isDisjoint(with: accessGroups) }
        }
        guard !watchers.isEmpty else { return }
        for change in changes { deliver(.item(change), to: watchers) }
    }

    /// Tells everybody.
    func publish(_ state: LockState) {
        deliver(.lockState(state), to: self.state.withLock(\.watchers))
    }

    private func deliver(_ event: WatchedEvent, to watchers: [UInt64: Watcher]) {
        let frame = event.frame
        for (number, watcher) in watchers where !watcher.deliver(event, frame) {
            remove(number)
            watcher.drop()
        }
    }
}
