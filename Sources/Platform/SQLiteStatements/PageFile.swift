// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file of a database, read only at the requested offsets, because it may be many times larger than the memory.
///
/// Not for a file to which this process has an open connection: the kernel drops the locks of all a process's
/// descriptors of a file when one of them is closed (fcntl(2)).
public final class PageFile: Sendable {
    private let descriptor: Int32
    /// The size in bytes when it was opened.
    public let size: Int

    /// Opens the file; nil if it does not exist, is not regular or cannot be read.
    public init?(path: String) {
        // O_NONBLOCK: a FIFO at this path must not block the open before its type is checked.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var facts = stat()
        // fstat fills the given structure.
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(facts.st_size)
    }

    deinit { close(descriptor) }

    /// Returns all bytes; nil if the file cannot be read to its end.
    public func contents() -> [UInt8]? {
        let all = bytes(at: 0, count: size)
        return all.count == size ? all : nil
    }

    /// Returns bytes at an offset: fewer than `count` if the file ends before, or cannot be read.
    public func bytes(at offset: Int, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let read = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(offset + filled))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { return }
                filled += read
            }
        }
    }
}
