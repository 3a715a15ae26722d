// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire
internal import Synchronization

/// Those who watch all keychains of a user.
///
/// They are told of what they could find out by searching: of items of the data-protection keychain in their own access groups, and
/// of all that happens in keychains that are files.
final class NoticeFeed: Sendable {
    /// Passes a notice on without waiting, as a value or as its frame; false if it cannot be done now.
    typealias Deliver = @Sendable (_ notice: KeychainNotice, _ frame: [UInt8]) -> Bool

    private struct Watcher {
        let filter: KeychainNoticeFilter
        let accessGroups: Set<String>
        let seesEverything: Bool
        let deliver: Deliver
        /// Ends the watcher's connection.
        let drop: @Sendable () -> Void

        /// - Parameter groups: nil: everybody may know.
        func mayKnow(ofItemsIn groups: [String]?) -> Bool {
            guard let groups else { return true }
            return seesEverything || !accessGroups.isDisjoint(with: groups)
        }
    }

    private struct State {
        var watchers: [UInt64: Watcher] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    init() {}

    /// Delivers what happens from now on, until ``remove(_:)``. Nobody waits for a watcher, as in ``ChangeFeed``.
    func add(
        _ caller: Caller, _ filter: KeychainNoticeFilter, deliver: @escaping Deliver,
        drop: @escaping @Sendable () -> Void
    ) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.watchers[state.next] = Watcher(
                filter: filter, accessGroups: Set(caller.accessGroups), seesEverything: caller.isAdministrationTool,
                deliver: deliver, drop: drop)
            return state.next
        }
    }

    func remove(_ watcher: UInt64) {
        state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
    }

    /// - Parameters:
    ///   - accessGroups: whose items it is about; nil: everybody may know.
    ///   - notices: called if there is anybody to tell.
    func publish(accessGroups: [String]? = nil, _ notices: () -> [KeychainNotice]) {
        var watchers = state.withLock { $0.watchers.filter { $0.value.mayKnow(ofItemsIn: accessGroups) } }
        guard !watchers.isEmpty else { return }
        for notice in notices() {
            let frame = notice.frame
            for (number, watcher) in watchers
            where watcher.filter.contains(notice) && !watcher.deliver(notice, frame) {
                watchers[number] = nil
                remove(number)
                watcher.drop()
            }
        }
    }
}
