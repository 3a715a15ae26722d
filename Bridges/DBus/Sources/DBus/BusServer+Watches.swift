// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
internal import Synchronization

// The ends of clients, and of other names, which the bus reports.
extension BusServer {
    /// Calls the action once when the name has no owner any more: for a unique name, when the connection has ended. If
    /// that is so already, the action runs soon. The end of the run counts as the end of all names.
    ///
    /// - Parameters:
    ///   - name: the unique name of a client, or a well-known name.
    ///   - action: runs on the thread of the server.
    /// - Returns: the watch, which ends when it is released.
    /// - Throws: `.limitExceeded`, `.closed`.
    public func watch(
        _ name: BusName, _ action: @escaping @Sendable () -> Void
    ) throws(BusError) -> NameWatch {
        let id = try state.withLock { state throws(BusError) in
            guard state.phase != .ended else { throw .closed }
            guard state.watchCount < limits.watches else { throw .limitExceeded }
            state.lastWatch += 1
            state.watchCount += 1
            state.watches[name, default: [:]][state.lastWatch] = action
            return state.lastWatch
        }
        let watch = NameWatch(server: self, name: name, id: id)
        subscribe()
        // The bus handles this after the subscription, so that no end is missed.
        perform(.hasOwner(name)) { [weak self] result in
            if case .success(false) = result { self?.end(name) }
        }
        return watch
    }

    /// Runs the actions for a name that has no owner any more.
    func end(_ name: BusName) {
        let actions = state.withLock { state in
            state.connections[name] = nil
            let actions = state.watches.removeValue(forKey: name) ?? [:]
            state.watchCount -= actions.count
            return actions
        }
        for (_, action) in actions.sorted(by: { $0.key < $1.key }) { action() }
    }

    func endWatches() {
        let names = state.withLock { state in
            state.isSubscribed = false
            return Array(state.watches.keys)
        }
        for name in names { end(name) }
    }

    fileprivate func remove(_ id: UInt64, _ name: BusName) {
        let action = state.withLock { state in
            let action = state.watches[name]?.removeValue(forKey: id)
            if action != nil { state.watchCount -= 1 }
            if state.watches[name]?.isEmpty == true { state.watches[name] = nil }
            return action
        }
        withExtendedLifetime(action) {}
    }
}

/// A watch of a name: ``BusServer/watch(_:_:)``. It ends when it is released.
public final class NameWatch: Sendable {
    private let server: BusServer
    private let name: BusName
    private let id: UInt64

    init(server: BusServer, name: BusName, id: UInt64) {
        self.server = server
        self.name = name
        self.id = id
    }

    deinit {
        server.remove(id, name)
    }
}
