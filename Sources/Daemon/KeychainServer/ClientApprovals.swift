// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import Synchronization

/// The approvals that clients of bridges hold until their processes end. They are in memory only, and shared by all
/// connections of a client.
///
/// Each approval keeps the pidfd of its client, so a later process with the same number does not get it. The oldest
/// approvals are forgotten first.
final class ClientApprovals: Sendable {
    /// The maximum number of approvals. Each may keep a descriptor open.
    static let limit = 256
    /// The maximum number of items of all approvals.
    static let itemLimit = 65_536

    private struct Entry {
        let approval: HeldApproval
        /// Whether the client's process still runs the program that was approved.
        let stillRuns: @Sendable () -> Bool
    }

    private let entries = Mutex<[Entry]>([])

    /// Returns the approvals of a caller. Forgets those whose client has ended or executed another program.
    func held(by caller: Caller) -> [HeldApproval] {
        guard caller.bridge != nil else { return [] }
        return entries.withLock { entries in
            entries.removeAll { $0.approval.caller.processID == caller.processID && !$0.stillRuns() }
            return entries.filter { $0.approval.caller == caller }.map(\.approval)
        }
    }

    func hold(_ approval: HeldApproval, while stillRuns: @escaping @Sendable () -> Bool) {
        guard approval.itemCount <= Self.itemLimit else { return }
        entries.withLock { entries in
            entries.removeAll { !$0.stillRuns() }
            entries.append(Entry(approval: approval, stillRuns: stillRuns))
            var itemCount = entries.reduce(0) { $0 + $1.approval.itemCount }
            while entries.count > Self.limit || itemCount > Self.itemLimit {
                itemCount -= entries.removeFirst().approval.itemCount
            }
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

    /// Forgets all approvals, because the keychain was locked.
    func forgetAll() { entries.withLock { $0 = [] } }
}
