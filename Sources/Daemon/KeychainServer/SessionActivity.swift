// SPDX-License-Identifier: Apache-2.0

internal import KeychainPlatform
internal import Synchronization

/// The activity of a session, for the choice of a session to end.
final class SessionActivity: Sendable {
    private enum Phase {
        static let idle: UInt8 = 0
        static let busy: UInt8 = 1
        static let watching: UInt8 = 2
    }

    private let phase = Atomic(Phase.idle)
    private let lastUse: Atomic<UInt64>
    private let clock: MonotonicClock

    init(clock: MonotonicClock) {
        self.clock = clock
        lastUse = Atomic(clock.nanoseconds())
    }

    func begin() { phase.store(Phase.busy, ordering: .relaxed) }

    /// Ends the current activity.
    ///
    /// - Parameter now: the time, if the session's clock was just read.
    func end(at now: UInt64? = nil) {
        lastUse.store(now ?? clock.nanoseconds(), ordering: .relaxed)
        phase.store(Phase.idle, ordering: .relaxed)
    }

    func watch() { phase.store(Phase.watching, ordering: .relaxed) }

    /// The time since which the session has been waiting for a request; nil in any other state.
    var idleSince: UInt64? { since(Phase.idle) }

    /// The time when a watching session was last used for another purpose; nil if it does not watch.
    var watchingSince: UInt64? { since(Phase.watching) }

    private func since(_ wanted: UInt8) -> UInt64? {
        phase.load(ordering: .relaxed) == wanted ? lastUse.load(ordering: .relaxed) : nil
    }
}
