// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// Waiting for several descriptors at once (poll(2)).
public enum Readiness {
    /// Waits until at least one of `descriptors` is readable or hung up, and returns their indices. Empty after
    /// `timeout` or a signal; nil waits forever.
    public static func wait(for descriptors: [Int32], timeout: Duration? = nil) throws(SystemCallError) -> [Int] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // The kernel reads and writes exactly the array's elements.
        let count = unsafe poll(&entries, nfds_t(entries.count), timeout?.pollTimeout ?? -1)
        guard count >= 0 || errno == EINTR else { throw .last("poll") }
        guard count > 0 else { return [] }
        return entries.indices.filter { entries[$0].revents != 0 }
    }

    /// Waits until one of `descriptors` is readable, or the other end of one of `connections` is closed; returns false
    /// after `timeout`. Readable bytes on a connection do not count.
    public static func wait(
        for descriptors: [Int32], hangUpOf connections: [Int32], timeout: Duration
    ) throws(SystemCallError) -> Bool {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        entries += connections.map { pollfd(fd: $0, events: pollfd.hangUp, revents: 0) }
        // The kernel reads and writes exactly the array's elements.
        let count = unsafe poll(&entries, nfds_t(entries.count), timeout.pollTimeout)
        guard count >= 0 || errno == EINTR else { throw .last("poll") }
        return count > 0
    }

    /// Does not wait. For a process descriptor: the process has ended.
    static func isReadable(_ descriptor: Int32) -> Bool { events(of: descriptor) != 0 }

    /// Does not wait: whether the other end of the connection is closed.
    static func isHungUp(_ descriptor: Int32) -> Bool { events(of: descriptor) & Int16(POLLHUP | POLLERR) != 0 }

    private static func events(of descriptor: Int32) -> Int16 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // One entry is read and written. A failed call gives no information, so it counts as the worst case.
        return unsafe poll(&entry, 1, 0) >= 0 ? entry.revents : Int16(POLLHUP)
    }
}

/// Ends a wait in another thread: poll ``descriptor`` together with the others.
public final class WakeUp: Sendable {
    private let event: OwnedDescriptor

    public init() throws(SystemCallError) {
        event = try OwnedDescriptor(ckp_eventfd(), from: "eventfd")
    }

    /// Readable from the first ``signal()`` until ``drain()``.
    public var descriptor: Int32 { event.number }

    public func signal() {
        // Eight bytes are read. It fails only if the counter is full, and then the descriptor is readable anyway.
        var one: UInt64 = 1
        _ = unsafe write(event.number, &one, 8)
    }

    public func drain() {
        // Eight bytes are written. It fails only if there was no signal.
        var count: UInt64 = 0
        _ = unsafe read(event.number, &count, 8)
    }
}
