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
    }

    /// Waits until something can be read. Signals that are blocked are let in only here, as far as `mask` lets them, so none
    /// can slip in between a look at them and the wait.
    ///
    /// - Parameters:
    ///   - timeout: nil to wait for ever.
    ///   - toWrite: waits until something can be written instead.
    static func wait(
        for descriptor: Int32, mask: sigset_t, timeout: Duration? = nil, toWrite: Bool = false
    ) throws(SystemCallError) -> Outcome {
        guard descriptor < FD_SETSIZE else { throw SystemCallError(call: "pselect", code: EMFILE) }
        var mask = mask
        var descriptors = fd_set()
        // An fd_set is an array of longs, a bit for each descriptor below FD_SETSIZE; checked above.
        unsafe withUnsafeMutableBytes(of: &descriptors) { bytes in
            let words = unsafe bytes.bindMemory(to: UInt.self)
            unsafe words[Int(descriptor) / UInt.bitWidth] |= 1 << (UInt(descriptor) % UInt(UInt.bitWidth))
        }
        // All structures are ours and live for the call.
        let count: Int32
        if let timeout {
            let (seconds, attoseconds) = max(timeout, .zero).components
            var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            count =
                if toWrite {
                    unsafe pselect(descriptor + 1, nil, &descriptors, nil, &limit, &mask)
                } else {
                    unsafe pselect(descriptor + 1, &descriptors, nil, nil, &limit, &mask)
                }
        } else {
            count =
                if toWrite {
                    unsafe pselect(descriptor + 1, nil, &descriptors, nil, nil, &mask)
                } else {
                    unsafe pselect(descriptor + 1, &descriptors, nil, nil, nil, &mask)
                }
        }
        if count > 0 { return .ready }
        if count == 0 { return .timedOut }
        guard errno == EINTR else { throw .last("pselect") }
        return .signal
    }
}
