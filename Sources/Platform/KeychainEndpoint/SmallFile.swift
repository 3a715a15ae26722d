// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Files that the kernel generates, and other files of a few bytes.
enum SmallFile {
    /// Returns the text of a small file; nil if it cannot be read.
    static func text(at path: String) -> String? { bytes(at: path).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the bytes of a small file; nil if it cannot be read.
    static func bytes(at path: String) -> [UInt8]? {
        // The path is only read.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            // read writes no more than the capacity, and the array takes exactly the bytes written.
            var count = 0
            let part = unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, initialized in
                repeat {
                    count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                } while count < 0 && errno == EINTR
                initialized = max(0, count)
            }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += part
        }
    }
}
