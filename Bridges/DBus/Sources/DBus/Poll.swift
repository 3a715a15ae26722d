// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A wrapper of poll(2).
enum Poll {
    /// Waits until one of the descriptors is ready or the deadline has passed; after the deadline no descriptor is
    /// ready. It may return early. Nil stands for a missing descriptor, which is never ready.
    ///
    /// - Parameter events: the events of the last descriptor; the others are waited for until they are readable.
    static func wait(
        for descriptors: [Int32?], events: Int16 = Int16(POLLIN), until deadline: ContinuousClock.Instant?
    ) throws(SystemError) -> [Bool] {
        // poll(2) ignores a negative number.
        var list = descriptors.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
        if !list.isEmpty { list[list.count - 1].events = events }
        // The array stays valid during the call, and its length is passed.
        guard unsafe poll(&list, nfds_t(list.count), milliseconds(until: deadline)) >= 0 else {
            if errno == EINTR { return list.map { _ in false } }
            throw .last("poll")
        }
        return list.map { $0.revents != 0 }
    }

    /// Returns the time in milliseconds, rounded up so that the last part of a millisecond does not cause a busy loop.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = (deadline - ContinuousClock.now).components
        // A longer wait returns early.
        let milliseconds =
            min(seconds, 100_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds))
    }
}
