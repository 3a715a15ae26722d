// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import Synchronization

/// A mailbox from other threads to the thread that waits for the bus.
final class Mailbox: Sendable {
    let wakeup: Wakeup
    private let outcomes = Mutex<[LockResult]>([])

    init() throws(SystemError) {
        wakeup = try Wakeup()
    }

    func post(_ outcome: LockResult) {
        outcomes.withLock { $0.append(outcome) }
        wakeup.wake()
    }

    /// Returns all posted results.
    func take() -> [LockResult] {
        // The order matters: a result that is posted after this call wakes the thread again.
        wakeup.clear()
        return outcomes.withLock { list in
            defer { list = [] }
            return list
        }
    }
}
