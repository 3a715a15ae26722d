// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore
internal import Synchronization

/// Makes the snapshot of each day: at the first start of a day, and when a day begins while the service runs.
final class SnapshotSchedule: Sendable {
    private let snapshots: Snapshots
    private let store: ItemStore
    private let wallClock: @Sendable () -> Timestamp
    /// Goes on while the machine sleeps.
    private let clock: MonotonicClock
    private let log: @Sendable (String) -> Void
    private let due = Mutex<UInt64>(0)

    /// After a failure it is tried again so much later.
    private static let pause: Duration = .seconds(3600)

    init(
        _ snapshots: Snapshots, of store: ItemStore, wallClock: @escaping @Sendable () -> Timestamp,
        clock: MonotonicClock,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.snapshots = snapshots
        self.store = store
        self.wallClock = wallClock
        self.clock = clock
        self.log = log
    }

    /// Makes the day's snapshot if it is due.
    ///
    /// - Returns: how long until this has to be called again.
    func run() -> Duration {
        due.withLock { due in
            let now = clock.nanoseconds()
            guard now >= due else { return .nanoseconds(Int64(clamping: due - now)) }
            let rest = take()
            due = now + rest.nanoseconds
            return rest
        }
    }

    private func take() -> Duration {
        do throws(StoreError) {
            let settings = try store.settings()
            let rest = try snapshots.takeDaily(
                now: wallClock(), count: settings[.snapshotCount] ?? Setting.snapshotCount.defaultValue,
                days: settings[.snapshotDays] ?? Setting.snapshotDays.defaultValue)
            // The clock may be set meanwhile, so it is looked at now and then.
            return min(rest, Self.pause)
        } catch {
            log("no snapshot could be made: \(error)")
            return Self.pause
        }
    }
}
