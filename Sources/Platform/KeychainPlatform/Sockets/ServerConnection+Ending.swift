// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension ServerConnection {
    /// Sends all of `bytes` if there is room for them now; false otherwise, and then the stream may be broken off in the
    /// middle and must be ended.
    public func sendWithoutWaiting(_ bytes: Span<UInt8>) -> Bool {
        // The kernel reads the caller's buffer only.
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                == bytes.count
        }
    }

    /// From now on receiving finds the end of the stream; sending still works.
    public func stopReceiving() {
        shutdown(descriptor, Int32(SHUT_RD))
    }
}
