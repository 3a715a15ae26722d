// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A pair of connected Unix sockets that started programs do not inherit (socketpair(2)).
package enum SocketPair {
    /// Makes a pair. The caller closes both.
    ///
    /// - Throws: the errors of socketpair(2).
    package static func make(_ type: __socket_type = SOCK_STREAM) throws(SystemCallError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        // The kernel writes two descriptors.
        guard unsafe socketpair(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .last("socketpair")
        }
        return (ends[0], ends[1])
    }
}

extension pollfd {
    /// The event that the other end was closed, or shut down for writing, so that its program expects no reply.
    /// POLLRDHUP (poll(2)), which glibc shows to C with GNU's extensions only.
    package static let hangUp: Int16 = 0x2000
}

extension Duration {
    /// The time in milliseconds for poll(2). Rounded up, so that a short wait does not become zero.
    package var pollTimeout: Int32 {
        let (seconds, attoseconds) = components
        let value = seconds.multipliedReportingOverflow(by: 1000)
        guard !value.overflow, value.partialValue < Int64(Int32.max) - 1000 else { return .max }
        return Int32(value.partialValue + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
