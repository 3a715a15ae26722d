// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// poll(2).
enum Poll {
    /// Waits until one of the descriptors is ready, or the deadline has passed: then none of them is. Returns early now and
    /// then. Nil stands for a descriptor that is not there and never ready.
    ///
    /// - Parameter events: what the last one is waited for; the others are waited for until they can be read.
    static func wait(
        for descriptors: [Int32?], events: Int16 = Int16(POLLIN), until deadline: ContinuousClock.Instant?
    ) throws(SystemFailure) -> [Bool] {
        // A negative number is passed over by poll(2).
        var list = descriptors.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
        if !list.isEmpty { list[list.count - 1].events = events }
        // The array lives across the call and is as long as it says.
        guard unsafe poll(&list, nfds_t(list.count), milliseconds(until: deadline)) >= 0 else {
            if errno == EINTR { return list.map { _ in false } }
            throw .last("poll")
        }
        return list.map { $0.revents != 0 }
    }

    /// Rounded up, so that nobody waits in circles for the last part of a millisecond.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = (deadline - ContinuousClock.now).components
        // A longer wait is one that returns early.
        let milliseconds =
            min(seconds, 100_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds))
    }
}
