// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension ServerConnection {
    /// Sends all of `bytes` if there is room for them now. Returns false otherwise; then the stream may have been cut
    /// in the middle and must be ended.
    public func sendWithoutWaiting(_ bytes: Span<UInt8>) -> Bool {
        // The kernel reads the caller's buffer only.
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                == bytes.count
        }
    }

    /// Ends receiving: from now on it finds the end of the stream. Sending still works.
    public func stopReceiving() {
        shutdown(descriptor, Int32(SHUT_RD))
    }
}
