// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Files that the kernel generates when they are read, and other files of a few bytes.
package enum SmallFile {
    /// Enough for every file of another process except its environment.
    package static let usualLimit = 64 * 1024

    /// Returns the text of a file; nil if it cannot be read or has more bytes than the limit.
    package static func text(at path: String, limit: Int = .max) -> String? {
        bytes(at: path, in: AT_FDCWD, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the text of a file in a folder; nil if it cannot be read or has more bytes than the limit.
    ///
    /// - Parameter limit: A process chooses the length of some of its files: its environment may be a mapping of any
    ///   size.
    package static func text(_ path: String, in folder: Int32, limit: Int = usualLimit) -> String? {
        bytes(at: path, in: folder, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the bytes of a file; nil if it cannot be read.
    package static func bytes(at path: String) -> [UInt8]? { bytes(at: path, in: AT_FDCWD, limit: .max) }

    private static func bytes(at path: String, in folder: Int32, limit: Int) -> [UInt8]? {
        // The path is only read.
        let number = unsafe openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard let file = try? OwnedDescriptor(number, from: "openat") else { return nil }
        return try? file.stream.contents(atMost: limit)
    }
}
