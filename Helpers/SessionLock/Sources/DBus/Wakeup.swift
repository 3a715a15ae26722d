// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Wakes a thread that waits, in ``BusConnection/next(until:or:)`` or in ``wait(until:interruption:)``, from any other one.
///
/// It stays awake until ``clear()``.
public final class Wakeup: Sendable {
    private let reading: Descriptor
    private let writing: Descriptor

    /// Throws ``SystemFailure``, when the process has no descriptors left.
    public init() throws(SystemFailure) {
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
        // When the socket is full the thread is woken already.
        _ = unsafe send(writing.number, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Takes back all calls of ``wake()`` until now.
    public func clear() {
        // At most the buffer's size is written; when nothing is left the call fails.
        unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while unsafe recv(reading.number, buffer.baseAddress, buffer.count, 0) > 0 {}
        }
    }

    public enum WaitResult: Hashable, Sendable {
        case woken
        case interrupted
        case timedOut
    }

    /// Waits for this wakeup, or for the other one, which comes first where both are awake.
    public func wait(until deadline: ContinuousClock.Instant, interruption: Wakeup?) -> WaitResult {
        while true {
            // A refusal is a lack of memory or a broken promise of ours; there is nothing to wait for then.
            guard let ready = try? Poll.wait(for: [interruption?.descriptor, descriptor], until: deadline) else {
                return .timedOut
            }
            if ready[0] { return .interrupted }
            if ready[1] { return .woken }
            if ContinuousClock.now >= deadline { return .timedOut }
        }
    }
}
