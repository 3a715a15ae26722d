// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire
internal import Synchronization

/// Those who watch one keychain for changes. What happens in it is told to ``notices`` as well.
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
    /// Those who watch all keychains of the user.
    let notices: NoticeFeed
    /// The path of the file; nil for the data-protection keychain.
    private let path: String?

    public convenience init() { self.init(NoticeFeed(), of: nil) }

    init(_ notices: NoticeFeed, of path: String?) {
        self.notices = notices
        self.path = path
    }

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

    /// - Parameters:
    ///   - processID: of who made the changes.
    ///   - ofAccessAlone: nothing of the items was changed but who may use them.
    func publish(
        _ changes: [ItemChange], accessGroups: [String], by processID: Int32, ofAccessAlone: Bool = false
    ) {
        notices.publish(accessGroups: path == nil ? accessGroups : nil) {
            changes.map { change in
                KeychainNotice(
                    KeychainNotice.Kind(change.kind, ofAccessAlone: ofAccessAlone), in: path, change.item, by: processID
                )
            }
        }
        let watchers = state.withLock { state in
            state.watchers.filter { $0.value.seesEverything || !$0.value.accessGroups.isDisjoint(with: accessGroups) }
        }
        guard !watchers.isEmpty else { return }
        for change in changes { deliver(.item(change), to: watchers) }
    }

    /// Tells everybody.
    ///
    /// - Parameters:
    ///   - kind: what it comes of; nil: it is not known to be another state than before.
    ///   - processID: of who wanted it so; 0 for the service.
    func publish(_ state: LockState, after kind: KeychainNotice.Kind?, by processID: Int32) {
        deliver(.lockState(state), to: self.state.withLock(\.watchers))
        if let kind { publish(kind, by: processID) }
    }

    /// Tells everybody of something that concerns no item.
    func publish(_ kind: KeychainNotice.Kind, by processID: Int32) {
        notices.publish { [KeychainNotice(kind, in: path, by: processID)] }
    }

    private func deliver(_ event: WatchedEvent, to watchers: [UInt64: Watcher]) {
        let frame = event.frame
        for (number, watcher) in watchers where !watcher.deliver(event, frame) {
            remove(number)
            watcher.drop()
        }
    }
}

extension KeychainNotice.Kind {
    fileprivate init(_ kind: ItemChange.Kind, ofAccessAlone: Bool) {
        self =
            switch kind {
            case .added: .added
            case .updated: ofAccessAlone ? .accessChanged : .modified
            case .deleted: .deleted
            }
    }
}
