// SPDX-License-Identifier: Apache-2.0

internal import KeychainPlatform
internal import Synchronization

/// What a session is doing, for whoever has to choose one to end.
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

    /// - Parameter now: where somebody has just looked at the session's clock.
    func end(at now: UInt64? = nil) {
        lastUse.store(now ?? clock.nanoseconds(), ordering: .relaxed)
        phase.store(Phase.idle, ordering: .relaxed)
    }

    func watch() { phase.store(Phase.watching, ordering: .relaxed) }

    /// Since when the session has been waiting for a request; nil while it does anything else.
    var idleSince: UInt64? { since(Phase.idle) }

    /// When the session that watches was last used for anything else; nil while it does not watch.
    var watchingSince: UInt64? { since(Phase.watching) }

    private func since(_ wanted: UInt8) -> UInt64? {
        phase.load(ordering: .relaxed) == wanted ? lastUse.load(ordering: .relaxed) : nil
    }
}
