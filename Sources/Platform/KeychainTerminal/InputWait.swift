// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// Waits for input in a single-threaded program.
enum InputWait {
    enum Event: Hashable {
        /// Input is available, or its end.
        case ready
        /// A signal arrived first.
        case signal
        case timedOut
        /// The requester closed its connection.
        case abandoned
    }

    /// Waits until input is available. Blocked signals are delivered only here, as far as `mask` permits, so no signal
    /// can arrive between a check and the wait.
    ///
    /// - Parameters:
    ///   - timeout: nil to wait forever.
    ///   - toWrite: waits until output is possible instead.
    ///   - requester: the connection of the requester, which sends no more data: if it becomes readable, the requester
    ///     has closed it.
    static func wait(
        for descriptor: Int32, mask: sigset_t, timeout: Duration? = nil, toWrite: Bool = false,
        requester: Int32? = nil
    ) throws(SystemCallError) -> Event {
        let highest = max(descriptor, requester ?? 0)
        guard highest < FD_SETSIZE else { throw SystemCallError(call: "pselect", code: EMFILE) }
        var mask = mask
        var (reading, writing) = (fd_set(), fd_set())
        if toWrite { add(descriptor, to: &writing) } else { add(descriptor, to: &reading) }
        if let requester { add(requester, to: &reading) }
        // This function owns all structures, and they live for the call.
        let count: Int32
        if let timeout {
            let (seconds, attoseconds) = max(timeout, .zero).components
            var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            count = unsafe pselect(highest + 1, &reading, &writing, nil, &limit, &mask)
        } else {
            count = unsafe pselect(highest + 1, &reading, &writing, nil, nil, &mask)
        }
        if count > 0 {
            if let requester, has(requester, in: reading) { return .abandoned }
            return .ready
        }
        if count == 0 { return .timedOut }
        guard errno == EINTR else { throw .last("pselect") }
        return .signal
    }

    private static func add(_ descriptor: Int32, to set: inout fd_set) {
        // An fd_set is an array of longs, a bit for each descriptor below FD_SETSIZE; checked by the caller.
        unsafe withUnsafeMutableBytes(of: &set) { bytes in
            let words = unsafe bytes.bindMemory(to: UInt.self)
            unsafe words[Int(descriptor) / UInt.bitWidth] |= 1 << (UInt(descriptor) % UInt(UInt.bitWidth))
        }
    }

    private static func has(_ descriptor: Int32, in set: fd_set) -> Bool {
        // As above.
        unsafe withUnsafeBytes(of: set) { bytes in
            let words = unsafe bytes.bindMemory(to: UInt.self)
            return unsafe words[Int(descriptor) / UInt.bitWidth] & 1 << (UInt(descriptor) % UInt(UInt.bitWidth)) != 0
        }
    }
}
