// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc

/// The time of day.
public struct WallClock: Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC, the reference date of Apple's dates.
    public let now: @Sendable () -> Double

    public init(now: @escaping @Sendable () -> Double) { self.now = now }

    /// Seconds from the Unix epoch to the reference date.
    public static let referenceDateInUnixTime = 978_307_200

    public static let live = WallClock {
        let time = timespec.reading(CLOCK_REALTIME)
        // Whole seconds are subtracted as integers, so that the fraction keeps its precision.
        return Double(time.tv_sec - referenceDateInUnixTime) + Double(time.tv_nsec) / 1_000_000_000
    }

    public static func constant(_ secondsSinceReferenceDate: Double) -> WallClock {
        WallClock { secondsSinceReferenceDate }
    }
}

/// A clock that never jumps; it stops while the machine sleeps.
public struct MonotonicClock: Sendable {
    /// Nanoseconds since an arbitrary time of this boot.
    public let nanoseconds: @Sendable () -> UInt64

    public init(nanoseconds: @escaping @Sendable () -> UInt64) { self.nanoseconds = nanoseconds }

    public static let live = MonotonicClock { timespec.reading(CLOCK_MONOTONIC).nanoseconds }

    /// A clock that continues while the machine sleeps.
    public static let includingSleep = MonotonicClock { timespec.reading(CLOCK_BOOTTIME).nanoseconds }

    public static func constant(_ nanoseconds: UInt64) -> MonotonicClock { MonotonicClock { nanoseconds } }
}

/// Random bytes fit for keys.
public struct RandomSource: Sendable {
    public let bytes: @Sendable (_ count: Int) -> [UInt8]

    public init(bytes: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.bytes = bytes }

    /// The kernel's generator, in one call.
    public static let live = RandomSource { count in
        var bytes = [UInt8](repeating: 0, count: count)
        // Filled inside the closure, within its bounds.
        unsafe bytes.withUnsafeMutableBytes { unsafe KernelRandomness.fill($0) }
        return bytes
    }

    /// Returns the same byte repeatedly, for tests.
    public static func constant(_ byte: UInt8) -> RandomSource {
        RandomSource { [UInt8](repeating: byte, count: $0) }
    }
}

/// The kernel's generator (getrandom(2)), which is seeded before it returns. Swift's own generator requests eight bytes
/// at a time.
enum KernelRandomness {
    static func fill(_ memory: UnsafeMutableRawBufferPointer) {
        // The shim writes exactly as many bytes.
        let result = unsafe ckp_random(memory.baseAddress, memory.count)
        // Kernels from 3.17 on have the call, and its other errors cannot occur here.
        precondition(result == 0, "the kernel gives no random bytes")
    }
}

extension timespec {
    static func reading(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // Fills the structure; these clocks exist on every Linux, so the call cannot fail.
        unsafe clock_gettime(clock, &time)
        return time
    }

    var nanoseconds: UInt64 { UInt64(tv_sec) * 1_000_000_000 + UInt64(tv_nsec) }
}
