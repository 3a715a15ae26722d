// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
internal import Synchronization

/// A log of lines, private to its owner: only ever appended to, and renamed to `NAME.1` when it is too long.
public final class AppendOnlyFile: Sendable {
    private let path: String
    private let maximumByteCount: Int
    private let current: Mutex<OpenFile>

    private struct OpenFile {
        var descriptor: OwnedDescriptor
        var byteCount: Int
    }

    /// Opens or creates the file with mode 0600. A symbolic link is refused (ELOOP).
    public init(path: String, maximumByteCount: Int) throws(SystemCallError) {
        self.path = path
        self.maximumByteCount = maximumByteCount
        current = Mutex(try Self.open(path))
    }

    /// Appends `line` and a newline in one write, so that lines of two writers never mix. A newline inside `line` is
    /// written as a space, so that one event is one line.
    ///
    /// Throws if the line is not written in full (ENOSPC then), or if the old file cannot be renamed.
    public func append(_ line: String) throws(SystemCallError) {
        try append(Array(line.utf8))
    }

    /// Appends a line as ``append(_:)-(String)`` does, in UTF-8.
    public func append(_ line: consuming [UInt8]) throws(SystemCallError) {
        var bytes = line
        while let newline = Self.firstNewline(in: bytes.span) { bytes[newline] = 0x20 }
        bytes.append(0x0A)
        let outcome: Result<Void, SystemCallError> = current.withLock { file in
            do throws(SystemCallError) {
                if file.byteCount > 0, file.byteCount + bytes.count > maximumByteCount { file = try rotate() }
                // The array outlives the call and has the given length.
                let written = try retryingInterruption("write") {
                    unsafe write(file.descriptor.number, bytes, bytes.count)
                }
                file.byteCount += written
                guard written == bytes.count else { throw SystemCallError(call: "write", code: ENOSPC) }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    private static func firstNewline(in bytes: Span<UInt8>) -> Int? {
        // The search runs inside the closure, within the borrowed bytes.
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = unsafe memchr(start, 0x0A, bytes.count) else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    private func rotate() throws(SystemCallError) -> OpenFile {
        // Both paths are only read.
        guard unsafe rename(path, path + ".1") == 0 || errno == ENOENT else { throw .last("rename") }
        return try Self.open(path)
    }

    private static func open(_ path: String) throws(SystemCallError) -> OpenFile {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        // The path is only read.
        let descriptor = try OwnedDescriptor(unsafe Glibc.open(path, flags, 0o600), from: "open")
        return OpenFile(descriptor: descriptor, byteCount: Int(try descriptor.status().st_size))
    }
}
