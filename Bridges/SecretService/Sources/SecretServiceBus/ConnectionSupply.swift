// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import SecretService
internal import Synchronization

/// The connections of each process, bounded, so that one process does not use up the places of all clients.
final class ConnectionSupply: Sendable {
    /// The most connections of one process.
    static let limit = 64

    /// The share of one connection. It ends when its client does.
    final class Share: Sendable {
        /// A pidfd of the process.
        let pidfd: Descriptor
        private let supply: ConnectionSupply
        private let number: UInt32

        fileprivate init(_ supply: ConnectionSupply, _ process: ConnectedProcess) {
            self.supply = supply
            pidfd = process.pidfd
            number = process.number
        }

        deinit {
            supply.taken.withLock { taken in
                let count = taken[number, default: 1] - 1
                taken[number] = count == 0 ? nil : count
            }
        }
    }

    /// Counts by process numbers. If a process has the number of an ended process whose connections are still open, these
    /// connections count for it as well.
    private let taken = Mutex<[UInt32: Int]>([:])

    /// Whether a process has a connection that uses the Secret Service.
    func isConnected(_ process: UInt32) -> Bool { taken.withLock { $0[process] != nil } }

    /// Takes a share. Throws `.limitExceeded`.
    func share(_ process: ConnectedProcess) throws(StorageError) -> Share {
        try taken.withLock { taken throws(StorageError) in
            guard taken[process.number, default: 0] < Self.limit else {
                throw .limitExceeded(
                    "The process has \(Self.limit) connections that use the Secret Service. Close connections first.")
            }
            taken[process.number, default: 0] += 1
        }
        return Share(self, process)
    }
}
