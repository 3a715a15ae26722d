// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire
internal import Synchronization

/// Connections that receive events as they happen.
///
/// The service never waits for a watcher: a watcher whose connection is full is dropped, and detects the end of its
/// stream, instead of missing events unnoticed.
final class Watchers<Event: Sendable>: Sendable {
    /// Passes an event on without waiting, as a value or as its frame; false if that is not possible now.
    typealias Deliver = @Sendable (_ event: Event, _ frame: [UInt8]) -> Bool

    private struct Watcher {
        let accessGroups: Set<String>
        let seesEverything: Bool
        let wants: @Sendable (Event) -> Bool
        let deliver: Deliver
        /// Ends the watcher's connection.
        let drop: @Sendable () -> Void

        func mayKnow(ofItemsIn groups: [String]?) -> Bool {
            guard let groups else { return true }
            if !accessGroups.isDisjoint(with: groups) { return true }
            return seesEverything && !groups.contains(where: EnforcedGroup.contains)
        }
    }

    private struct State {
        var watchers: [UInt64: Watcher] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())
    private let frame: @Sendable (Event) -> [UInt8]

    /// Creates the set of watchers.
    ///
    /// - Parameter frame: encodes an event.
    init(frame: @escaping @Sendable (Event) -> [UInt8]) { self.frame = frame }

    /// Delivers events from now on, until the returned closure is called.
    func add(
        _ caller: Caller, where wants: @escaping @Sendable (Event) -> Bool = { _ in true },
        deliver: @escaping Deliver, drop: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.next += 1
            state.watchers[state.next] = Watcher(
                accessGroups: Set(caller.accessGroups), seesEverything: caller.findsAllItems, wants: wants,
                deliver: deliver, drop: drop)
            return state.next
        }
        return { [self] in remove(number) }
    }

    /// The number of watchers.
    var count: Int { state.withLock(\.watchers.count) }

    private func remove(_ watcher: UInt64) {
        state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
    }

    /// Delivers events.
    ///
    /// - Parameters:
    ///   - groups: the access groups of the items concerned; nil: every watcher may receive the events.
    ///   - events: called if there is a watcher to receive them.
    func publish(ofItemsIn groups: [String]? = nil, _ events: () -> [Event]) {
        var watchers = state.withLock { $0.watchers.filter { $0.value.mayKnow(ofItemsIn: groups) } }
        guard !watchers.isEmpty else { return }
        for event in events() {
            let frame = frame(event)
            for (number, watcher) in watchers where watcher.wants(event) && !watcher.deliver(event, frame) {
                watchers[number] = nil
                remove(number)
                watcher.drop()
            }
        }
    }
}

extension Watchers where Event == KeychainNotice {
    /// Creates the watchers of all keychains of a user.
    ///
    /// They receive what they could find by searching: events of items of the data-protection keychain in their own
    /// access groups, and all events in keychain files.
    convenience init() { self.init(frame: \.frame) }
}
