// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire
internal import Synchronization

/// Connections that are told of what happens, as it happens.
///
/// Nobody waits for a watcher: one whose connection is full is dropped, and finds that its stream has ended, instead of
/// missing something without knowing it.
final class Watchers<Event: Sendable>: Sendable {
    /// Passes an event on without waiting, as a value or as its frame; false if it cannot be done now.
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

    /// - Parameter frame: how an event is sent.
    init(frame: @escaping @Sendable (Event) -> [UInt8]) { self.frame = frame }

    /// Delivers what happens from now on, until the closure that is returned is called.
    func add(
        _ caller: Caller, where wants: @escaping @Sendable (Event) -> Bool = { _ in true },
        deliver: @escaping Deliver, drop: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.next += 1
            state.watchers[state.next] = Watcher(
                accessGroups: Set(caller.accessGroups), seesEverything: caller.isAdministrationTool, wants: wants,
                deliver: deliver, drop: drop)
            return state.next
        }
        return { [self] in remove(number) }
    }

    /// How many there are.
    var count: Int { state.withLock(\.watchers.count) }

    private func remove(_ watcher: UInt64) {
        state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
    }

    /// - Parameters:
    ///   - groups: whose items it is about; nil: everybody may know.
    ///   - events: called if there is anybody to tell.
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
    /// Those who watch all keychains of a user.
    ///
    /// They are told of what they could find out by searching: of items of the data-protection keychain in their own access groups,
    /// and of all that happens in keychains that are files.
    convenience init() { self.init(frame: \.frame) }
}
