// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import Synchronization

/// What other threads tell the one that waits for the bus.
final class Mailbox: Sendable {
    let wakeup: Wakeup
    private let outcomes = Mutex<[LockOutcome]>([])

    init() throws(SystemFailure) {
        wakeup = try Wakeup()
    }

    func post(_ outcome: LockOutcome) {
        outcomes.withLock { $0.append(outcome) }
        wakeup.wake()
    }

    /// What was posted until now.
    func take() -> [LockOutcome] {
        // In this order: what is posted behind it wakes again.
        wakeup.clear()
        return outcomes.withLock { list in
            defer { list = [] }
            return list
        }
    }
}
