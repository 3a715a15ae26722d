// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Waiting for the other end of a connection without going to sleep, where it was quick the last time.
///
/// To be woken takes a core as long as the service takes for a lookup or half a signature. Who has got an answer, or the next request, within
/// ``quickly`` or ``patiently`` asks again and again for as long at the next time, on a core that would only idle meanwhile, and goes to
/// sleep when nothing has come by then. So a lone request waits as ever, and only those who talk all the time keep a core
/// awake. Where asking was in vain (both ends share a core, or all are taken) it is not tried again for twice as many waits
/// each time. Of one process's threads only as many ask as leave a core free.
///
/// Source of the construction: adaptive mutexes (PTHREAD_MUTEX_ADAPTIVE_NP), and busy polling of sockets (SO_BUSY_POLL,
/// socket(7)), which the kernel does not have for Unix sockets.
public struct ShortWait: ~Copyable, Sendable {
    /// In nanoseconds: what reads.
    private static let quickly: UInt64 = 60_000
    /// What waits for a disk that flushes at once.
    private static let patiently: UInt64 = 400_000
    private static let longestPause = 4096

    /// The threads that ask at the moment, and how many may at once.
    final class Askers: Sendable {
        static let ofProcess = Askers(allowed: sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

        let count = Atomic<Int>(0)
        let allowed: Int

        init(allowed: Int) { self.allowed = allowed }
    }

    private let askers: Askers
    private let now: @Sendable () -> UInt64
    /// How long to ask; 0 behind a wait that was too long for it.
    private let limit = Atomic<UInt64>(0)
    /// So many waits go by before asking is tried again; and how many did the last time.
    private let pause = Atomic<Int>(0)
    private let lastPause = Atomic<Int>(0)

    public init() { self.init(among: .ofProcess, now: Self.clock) }

    /// - Parameter now: in nanoseconds.
    init(among askers: Askers, now: @escaping @Sendable () -> UInt64) {
        self.askers = askers
        self.now = now
    }

    /// Receives by `receive`, which gets flags for recv(2) and returns nil when there is nothing yet.
    public borrowing func receive<R, E>(_ receive: (_ flags: Int32) throws(E) -> R?) throws(E) -> R? {
        let start = now()
        let limit = limit.load(ordering: .relaxed)
        if limit > 0, mayAsk {
            defer { askers.count.subtract(1, ordering: .relaxed) }
            if askers.count.add(1, ordering: .relaxed).newValue <= askers.allowed {
                var time: UInt64 = 0
                repeat {
                    if let result = try receive(Int32(MSG_DONTWAIT)) {
                        lastPause.store(0, ordering: .relaxed)
                        remember(time)
                        return result
                    }
                    time = now() - start
                    // Who waits for a disk lets others go first, if there are any.
                    if time >= Self.quickly { sched_yield() }
                } while time < limit
                let next = min(max(1, 2 * lastPause.load(ordering: .relaxed)), Self.longestPause)
                lastPause.store(next, ordering: .relaxed)
                pause.store(next, ordering: .relaxed)
            }
        }
        let result = try receive(0)
        remember(now() - start)
        return result
    }

    private func remember(_ time: UInt64) {
        let next = time < Self.quickly ? Self.quickly : time < Self.patiently ? Self.patiently : 0
        limit.store(next, ordering: .relaxed)
    }

    private var mayAsk: Bool {
        let left = pause.load(ordering: .relaxed)
        guard left > 0 else { return askers.allowed > 0 }
        pause.store(left - 1, ordering: .relaxed)
        return false
    }

    private static func clock() -> UInt64 {
        var time = timespec()
        // Fills the structure. Cannot fail: the clock exists everywhere.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
