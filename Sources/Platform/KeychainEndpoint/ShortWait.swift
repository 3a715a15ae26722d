// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Waits for the other end of a connection by polling before it sleeps, if the last wait was short.
///
/// Waking a sleeping thread takes as long as the service needs for a lookup or half a signature. If the last reply or
/// request came within ``quickly`` or ``patiently``, the next wait polls for that long, on a core that would otherwise
/// be idle, and then sleeps. So a lone request waits as before, and only busy connections keep a core awake. If polling
/// fails (both ends share a core, or all are in use), it is paused for a number of waits that doubles each time. The
/// number of polling threads of a process leaves one core free.
///
/// Source of the construction: adaptive mutexes (PTHREAD_MUTEX_ADAPTIVE_NP), and busy polling of sockets (SO_BUSY_POLL,
/// socket(7)), which the kernel does not have for Unix sockets.
public struct ShortWait: ~Copyable, Sendable {
    /// In nanoseconds: for requests that read.
    private static let quickly: UInt64 = 60_000
    /// For requests that wait for a disk with fast flushes.
    private static let patiently: UInt64 = 400_000
    private static let longestPause = 4096

    /// The number of threads that poll now, and its limit.
    final class Askers: Sendable {
        static let ofProcess = Askers(allowed: sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

        let count = Atomic<Int>(0)
        let allowed: Int

        init(allowed: Int) { self.allowed = allowed }
    }

    private let askers: Askers
    private let now: @Sendable () -> UInt64
    /// The time to poll; 0 after a wait that was too long for it.
    private let limit = Atomic<UInt64>(0)
    /// The number of waits until polling is tried again, and that number at the last time.
    private let pause = Atomic<Int>(0)
    private let lastPause = Atomic<Int>(0)

    public init() { self.init(among: .ofProcess, now: Self.clock) }

    /// Creates a wait.
    ///
    /// - Parameter now: returns the time in nanoseconds.
    init(among askers: Askers, now: @escaping @Sendable () -> UInt64) {
        self.askers = askers
        self.now = now
    }

    /// Receives with `receive`, which gets flags for recv(2) and returns nil if nothing has arrived yet.
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
                    // A wait for a disk yields to other threads, if there are any.
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
        // Fills the structure. Cannot fail, because the clock exists everywhere.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
