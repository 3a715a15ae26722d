// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A file of lines that is written at its end and read anywhere. Private to its owner.
///
/// The caller ensures that there is only one writer at a time.
public final class LogFile: Sendable {
    private let descriptor: OwnedDescriptor

    private init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Opens or creates the file, and sets its mode to 0600. A symbolic link is refused (ELOOP), and so is a file that
    /// is not regular (EINVAL).
    public static func open(_ path: String) throws(SystemCallError) -> LogFile {
        // The path is only read. O_NONBLOCK: a FIFO at this path must not block the open before its type is checked.
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = try OwnedDescriptor(unsafe Glibc.open(path, flags, 0o600), from: "open")
        let facts = try descriptor.status()
        guard facts.st_mode & S_IFMT == S_IFREG else { throw SystemCallError(call: "open", code: EINVAL) }
        if facts.st_mode & 0o777 != 0o600 {
            guard fchmod(descriptor.number, 0o600) == 0 else { throw .last("fchmod") }
        }
        return LogFile(descriptor)
    }

    /// Opens the file for reading; nil if it does not exist or is not regular.
    public static func openExisting(_ path: String) throws(SystemCallError) -> LogFile? {
        // As above.
        let number = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if number < 0, errno == ENOENT || errno == ELOOP { return nil }
        let descriptor = try OwnedDescriptor(number, from: "open")
        return try descriptor.status().st_mode & S_IFMT == S_IFREG ? LogFile(descriptor) : nil
    }

    public func byteCount() throws(SystemCallError) -> Int { Int(try descriptor.status().st_size) }

    /// Returns the inode number of the file, which renaming does not change.
    public func inode() throws(SystemCallError) -> UInt64 { UInt64(try descriptor.status().st_ino) }

    /// Appends all of the bytes in one write, or none.
    ///
    /// - Throws: if the bytes are not written in full (ENOSPC then). A partial write is truncated again, if the system
    ///   allows that.
    public func append(_ bytes: [UInt8]) throws(SystemCallError) {
        // The array outlives the call and has the given length.
        let written = try retryingInterruption("write") {
            unsafe Glibc.write(descriptor.number, bytes, bytes.count)
        }
        guard written < bytes.count else { return }
        try truncate(to: try byteCount() - written)
        throw SystemCallError(call: "write", code: ENOSPC)
    }

    public func truncate(to byteCount: Int) throws(SystemCallError) {
        guard ftruncate(descriptor.number, off_t(byteCount)) == 0 else { throw .last("ftruncate") }
    }

    /// Makes the written bytes durable.
    public func synchronize() throws(SystemCallError) {
        guard fdatasync(descriptor.number) == 0 else { throw .last("fdatasync") }
    }

    /// Returns the bytes from `offset` on; fewer than `count` if the file ends before.
    public func read(at offset: Int, count: Int) throws(SystemCallError) -> [UInt8] {
        try descriptor.stream.bytes(at: UInt64(offset), count: count)
    }

    // MARK: Names

    /// Writes a new small file and makes it durable. If it is then renamed over another file, one of the two complete
    /// files exists after a power failure.
    public static func write(_ path: String, contents: [UInt8]) throws(SystemCallError) {
        let file = try open(path)
        try file.truncate(to: 0)
        try file.append(contents)
        try file.synchronize()
    }

    /// Renames a file, and replaces a file with the new name.
    ///
    /// - Returns: false if the file does not exist.
    public static func rename(_ path: String, to new: String) throws(SystemCallError) -> Bool {
        // Both paths are only read.
        if unsafe Glibc.rename(path, new) == 0 { return true }
        guard errno == ENOENT else { throw .last("rename") }
        return false
    }

    /// Removes a file, if it exists.
    public static func remove(_ path: String) throws(SystemCallError) {
        // The path is only read.
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .last("unlink") }
    }

    public static func exists(_ path: String) throws(SystemCallError) -> Bool { try linkStatus(path) != nil }
}
