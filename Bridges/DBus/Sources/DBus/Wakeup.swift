// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A wakeup for a thread that waits in ``BusConnection/next(until:or:)`` or in ``wait(until:interruption:)``, from any
/// other thread.
///
/// It stays awake until ``clear()``.
public final class Wakeup: Sendable {
    private let reading: Descriptor
    private let writing: Descriptor

    /// Throws ``SystemError`` if the process has no free descriptors.
    public init() throws(SystemError) {
        var numbers: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        // The kernel writes two numbers.
        guard unsafe socketpair(AF_UNIX, type, 0, &numbers) == 0 else { throw .last("socketpair") }
        reading = Descriptor(owning: numbers[0])
        writing = Descriptor(owning: numbers[1])
    }

    var descriptor: Int32 { reading.number }

    public func wake() {
        var byte: UInt8 = 1
        // If the socket is full, the thread is already awake.
        _ = unsafe send(writing.number, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Cancels all earlier calls of ``wake()``.
    public func clear() {
        // The kernel writes at most the buffer's size. The call fails when no data is left.
        unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while unsafe recv(reading.number, buffer.baseAddress, buffer.count, 0) > 0 {}
        }
    }

    public enum WaitResult: Hashable, Sendable {
        case woken
        case interrupted
        case timedOut
    }

    /// Waits for this wakeup or for the interruption. The interruption comes first if both are awake.
    public func wait(until deadline: ContinuousClock.Instant, interruption: Wakeup?) -> WaitResult {
        while true {
            // poll(2) fails only for lack of memory or because of a fault in this program; a wait is not possible then.
            guard let ready = try? Poll.wait(for: [interruption?.descriptor, descriptor], until: deadline) else {
                return .timedOut
            }
            if ready[0] { return .interrupted }
            if ready[1] { return .woken }
            if ContinuousClock.now >= deadline { return .timedOut }
        }
    }
}
