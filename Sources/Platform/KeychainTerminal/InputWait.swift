// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// Waiting for input in a program of one thread.
enum InputWait {
    enum Outcome: Hashable {
        /// Something can be read, or the end of the input.
        case ready
        /// A signal came first.
        case signal
        case timedOut
        /// Whoever waits for what comes of this is gone.
        case abandoned
    }

    /// Waits until something can be read. Signals that are blocked are let in only here, as far as `mask` lets them, so none
    /// can slip in between a look at them and the wait.
    ///
    /// - Parameters:
    ///   - timeout: nil to wait for ever.
    ///   - toWrite: waits until something can be written instead.
    ///   - requester: the connection of who waits, on which nothing more is to come: when it can be read, it has ended.
    static func wait(
        for descriptor: Int32, mask: sigset_t, timeout: Duration? = nil, toWrite: Bool = false,
        requester: Int32? = nil
    ) throws(SystemCallError) -> Outcome {
        let highest = max(descriptor, requester ?? 0)
        guard highest < FD_SETSIZE else { throw SystemCallError(call: "pselect", code: EMFILE) }
        var mask = mask
        var (reading, writing) = (fd_set(), fd_set())
        if toWrite { add(descriptor, to: &writing) } else { add(descriptor, to: &reading) }
        if let requester { add(requester, to: &reading) }
        // All structures are ours and live for the call.
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
