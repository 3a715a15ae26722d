// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import Synchronization

/// The approvals that clients of bridges hold until their processes end, for all keychains of a user. They are in memory
/// only, and shared by all connections of a client.
///
/// An approval belongs to one run of one program: the process ID, its start time and the addresses that the kernel chose
/// at exec. A later process never has them. The same process after it executed a program has other addresses, unless the
/// machine does not randomise them; so its approvals are also forgotten when its next request is refused. The oldest
/// approvals are forgotten first.
final class ClientApprovals: Sendable {
    static let limit = 256
    /// The maximum number of items of all approvals.
    static let itemLimit = 65_536

    private struct Entry: Hashable {
        let approval: HeldApproval
        let run: PeerProcess.Snapshot?
        /// The path of the keychain file; nil for the data-protection keychain.
        let keychain: String?

        /// False only if the process has ended or executed another program.
        var isOfRunningProgram: Bool {
            guard let run else { return true }
            do throws(PeerProcess.Error) {
                return try PeerProcess(lookingAt: approval.caller.processID).snapshot() == run
            } catch {
                return switch error {
                case .exited, .replacedProgram, .notAProcess: false
                case .notInspectable, .system: true
                }
            }
        }
    }

    private let entries = Mutex<[Entry]>([])

    /// Returns the approvals of a caller for items of a keychain. Copies of a keychain file have the same references, so an
    /// approval counts for one file.
    ///
    /// - Parameters:
    ///   - run: the state of its process when it was identified.
    ///   - keychain: the path of the keychain file; nil for the data-protection keychain.
    func held(by caller: Caller, in run: PeerProcess.Snapshot?, for keychain: String?) -> [HeldApproval] {
        guard caller.bridge != nil else { return [] }
        return entries.withLock { entries in
            entries.filter { $0.approval.caller == caller && $0.run == run && $0.keychain == keychain }.map(\.approval)
        }
    }

    func hold(_ approval: HeldApproval, in run: PeerProcess.Snapshot?, for keychain: String?) {
        entries.withLock { entries in
            entries.append(Entry(approval: approval, run: run, keychain: keychain))
            var itemCount = entries.reduce(0) { $0 + $1.approval.items.count }
            while entries.count > Self.limit || itemCount > Self.itemLimit {
                itemCount -= entries.removeFirst().approval.items.count
            }
        }
    }

    /// Returns the approvals of each client, the oldest first. Those of ended processes and of processes that executed
    /// another program are forgotten before.
    func list() -> [ListedApproval] {
        // Processes are looked at without the lock.
        let ended = Set(entries.withLock { $0 }.filter { !$0.isOfRunningProgram })
        let all = entries.withLock { entries in
            entries.removeAll { ended.contains($0) }
            return entries
        }
        var clients: [(caller: Caller, items: [String?: Set<PersistentReference>])] = []
        for entry in all {
            let caller = entry.approval.caller
            let index = clients.firstIndex { $0.caller == caller } ?? clients.endIndex
            if index == clients.endIndex { clients.append((caller, [:])) }
            clients[index].items[entry.keychain, default: []].formUnion(entry.approval.items)
        }
        return clients.map { client in
            ListedApproval(
                identity: client.caller.identity, process: UInt32(clamping: client.caller.processID),
                path: client.caller.displayPath, bridgePath: client.caller.bridge?.displayPath ?? "",
                itemCount: UInt32(clamping: client.items.values.reduce(0) { $0 + $1.count }))
        }
    }

    /// Forgets the approvals that the user revokes together with remembered grants. A number names a remembered grant
    /// alone.
    ///
    /// - Returns: the number of approvals.
    func revoke(_ selection: GrantSelection) -> Int {
        entries.withLock { entries in
            let before = entries.count
            entries.removeAll { entry in
                switch selection {
                case .all: true
                case .program(let identity): entry.approval.caller.identity.isExactly(identity)
                case .number: false
                }
            }
            return before - entries.count
        }
    }

    /// Forgets the approvals of a process that has ended or executed another program.
    func forget(processOf caller: Caller) {
        guard caller.bridge != nil else { return }
        entries.withLock { entries in
            entries.removeAll {
                $0.approval.caller.processID == caller.processID
                    && $0.approval.caller.processStart == caller.processStart
            }
        }
    }

    /// Forgets the approvals for items of a keychain that was locked.
    func forget(keychain: String?) {
        entries.withLock { entries in entries.removeAll { $0.keychain == keychain } }
    }
}
