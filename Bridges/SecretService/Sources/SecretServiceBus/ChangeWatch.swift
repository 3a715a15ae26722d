// SPDX-License-Identifier: Apache-2.0

internal import SecretService
internal import Synchronization

/// The watch of the storage for changes that are made through other interfaces. It has the rights of one client, and goes on
/// with another one, as long as there are clients.
final class ChangeWatch: Sendable {
    private struct State {
        var current: (client: Client, cancellation: Cancellation)?
        /// The clients that may not watch: applications in sandboxes.
        var unsuitable: Set<ObjectIdentifier> = []
    }

    private let state = Mutex(State())

    /// Watches with the rights of this client, unless there is a watch already.
    ///
    /// - Parameter provider: announces the changes.
    func begin(with client: Client, for provider: SecretServiceProvider) {
        let cancellation = Cancellation()
        let isNew = state.withLock { state in
            guard state.current == nil, !state.unsuitable.contains(ObjectIdentifier(client)) else { return false }
            state.current = (client, cancellation)
            return true
        }
        guard isNew else { return }
        let isStarted = provider.dependencies.startThread { [self] in
            var isUnsuitable = false
            do throws(StorageError) {
                try client.storage().watch(until: cancellation) { provider.announce($0, client) }
            } catch {
                if case .denied = error { isUnsuitable = true }
            }
            state.withLock { state in
                state.current = nil
                if isUnsuitable, !cancellation.isCancelled { state.unsuitable.insert(ObjectIdentifier(client)) }
            }
            // Without a keychain service, the next call of a client begins the watch again.
            guard isUnsuitable || cancellation.isCancelled else { return }
            for other in provider.watchingClients { begin(with: other, for: provider) }
        }
        if !isStarted { state.withLock { $0.current = nil } }
    }

    /// Ends the watch of a client that has disconnected. Another client goes on with it.
    func end(_ client: Client) {
        let cancellation = state.withLock { state in
            state.unsuitable.remove(ObjectIdentifier(client))
            return state.current?.client === client ? state.current?.cancellation : nil
        }
        cancellation?.cancel()
    }
}
