// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore
internal import Synchronization

/// Makes the snapshot of each day: at the first start of a day, and when a day begins while the service runs.
///
/// Copying a large keychain takes long, so it is done on a thread of its own and nobody waits for it but ``end()``.
final class SnapshotSchedule: Sendable {
    private struct State {
        var due: UInt64 = 0
        var isRunning = false
        var isOver = false
    }

    private let snapshots: Snapshots
    /// How many are kept, and how long.
    private let settings: @Sendable () throws(StoreError) -> [Setting: UInt64]
    private let wallClock: @Sendable () -> Timestamp
    /// Goes on while the machine sleeps.
    private let clock: MonotonicClock
    private let log: @Sendable (String) -> Void
    /// Runs a closure elsewhere; false if it will not.
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let state = Mutex(State())
    private let running = DispatchGroup()
    private let ended = Callback<Void>()

    /// After a failure it is tried again so much later.
    private static let pause: Duration = .seconds(3600)

    init(
        _ snapshots: Snapshots, settings: @escaping @Sendable () throws(StoreError) -> [Setting: UInt64],
        wallClock: @escaping @Sendable () -> Timestamp,
        clock: MonotonicClock, log: @escaping @Sendable (String) -> Void,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { SystemThread.start($0) }
    ) {
        self.snapshots = snapshots
        self.settings = settings
        self.wallClock = wallClock
        self.clock = clock
        self.log = log
        self.start = start
    }

    /// - Parameter body: called when a snapshot was made, or could not be: ``run()`` has to be asked again.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        ended.set(body)
    }

    /// Begins the day's snapshot if it is due.
    ///
    /// - Returns: how long until this has to be called again; nil while a snapshot is made.
    func run() -> Duration? {
        let isDue = state.withLock { state in
            guard !state.isOver, !state.isRunning, clock.nanoseconds() >= state.due else { return false }
            state.isRunning = true
            running.enter()
            return true
        }
        if isDue, !start({ [self] in finish(take()) }) {
            log("no snapshot could be made: the system has no thread for it")
            finish(Self.pause)
        }
        return state.withLock { state in
            guard !state.isOver, !state.isRunning else { return nil }
            let now = clock.nanoseconds()
            return .nanoseconds(Int64(clamping: state.due > now ? state.due - now : 0))
        }
    }

    /// Begins no more of them, and waits for the one that is being made.
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
            // The clock may be set meanwhile, so it is looked at now and then.
            return min(rest, Self.pause)
        } catch {
            log("no snapshot could be made: \(error)")
            return Self.pause
        }
    }
}
