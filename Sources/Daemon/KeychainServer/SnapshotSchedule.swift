// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore
internal import Synchronization

/// Makes the snapshot of each day: at the first start of a day, and when a day begins while the service runs.
///
/// Copying a large keychain takes long, so it runs on a separate thread, and only ``end()`` waits for it.
final class SnapshotSchedule: Sendable {
    private struct State {
        var due: UInt64 = 0
        var isRunning = false
        var isOver = false
    }

    private let snapshots: Snapshots
    /// The number of snapshots to keep, and the days to keep them.
    private let settings: @Sendable () throws(StoreError) -> [Setting: UInt64]
    private let wallClock: @Sendable () -> Timestamp
    /// The clock, which continues while the machine sleeps.
    private let clock: MonotonicClock
    private let log: @Sendable (String) -> Void
    /// Runs a closure on another thread; returns false if it cannot.
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let state = Mutex(State())
    private let running = DispatchGroup()
    /// Called when a snapshot was made or failed, so that ``run()`` is called again.
    private let ended: @Sendable () -> Void

    /// The delay before the next attempt after a failure.
    private static let pause: Duration = .seconds(3600)

    init(
        _ snapshots: Snapshots, settings: @escaping @Sendable () throws(StoreError) -> [Setting: UInt64],
        wallClock: @escaping @Sendable () -> Timestamp,
        clock: MonotonicClock, log: @escaping @Sendable (String) -> Void,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { SystemThread.start($0) },
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.ended = ended
        self.snapshots = snapshots
        self.settings = settings
        self.wallClock = wallClock
        self.clock = clock
        self.log = log
        self.start = start
    }

    /// Begins the day's snapshot if it is due.
    ///
    /// - Returns: the time until this has to be called again; nil while a snapshot is being made.
    func run() -> Duration? {
        let isDue = state.withLock { state in
            guard !state.isOver, !state.isRunning, clock.nanoseconds() >= state.due else { return false }
            state.isRunning = true
            running.enter()
            return true
        }
        if isDue, !start({ [self] in finish(take()) }) {
            log("cannot create a snapshot: no thread is available")
            finish(Self.pause)
        }
        return state.withLock { state in
            guard !state.isOver, !state.isRunning else { return nil }
            let now = clock.nanoseconds()
            return .nanoseconds(Int64(clamping: state.due > now ? state.due - now : 0))
        }
    }

    /// Begins no more snapshots, and waits for a running one.
    func end() {
        state.withLock { $0.isOver = true }
        running.wait()
    }

    private func finish(_ rest: Duration) {
        state.withLock { state in
            state.isRunning = false
            state.due = clock.nanoseconds() + rest.nanoseconds
        }
        ended()
        running.leave()
    }

    private func take() -> Duration {
        do throws(StoreError) {
            let settings = try settings()
            let rest = try snapshots.takeDaily(
                now: wallClock(), count: settings[.snapshotCount] ?? Setting.snapshotCount.defaultValue,
                days: settings[.snapshotDays] ?? Setting.snapshotDays.defaultValue)
            // The clock may be set meanwhile, so it is read again at intervals.
            return min(rest, Self.pause)
        } catch {
            log("cannot create a snapshot: \(error)")
            return Self.pause
        }
    }
}
