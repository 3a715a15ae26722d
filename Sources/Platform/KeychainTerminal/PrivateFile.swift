// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A file of mode 0600 that is written piece by piece, and gets its name only when all of it is on the disk.
///
/// An existing file stays until then, and permanently if this object is released without ``commit()``.
public final class PrivateFile {
    private let path: String
    private let replaces: Bool
    private let temporary: String
    private let descriptor: Int32
    private var isCommitted = false

    /// Creates the temporary file.
    ///
    /// - Parameter replaces: whether an existing file or symbolic link of that name is replaced at the end; otherwise
    ///   EEXIST is thrown, here or at the end.
    ///
    /// Throws the errors of the calls.
    public init(_ path: String, replaces: Bool) throws(SystemCallError) {
        self.path = path
        self.replaces = replaces
        var facts = stat()
        // lstat fills the structure and keeps neither pointer. Checked now, so that the caller learns of an existing
        // file before the work.
        let exists = unsafe lstat(path, &facts) == 0
        guard replaces || !exists else { throw SystemCallError(call: "link", code: EEXIST) }
        // In the same folder as the target, because a file cannot be renamed across file systems. The random part
        // avoids a collision with O_EXCL.
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        temporary = "\(folder).chatelaine-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        // The paths here and below are only read.
        descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
    }

    deinit {
        close(descriptor)
        if !isCommitted { unsafe unlink(temporary) }
    }

    /// Writes all of `bytes`. Throws the errors of write(2).
    public func write(_ bytes: some Collection<UInt8>) throws(SystemCallError) {
        try DescriptorStream(descriptor: descriptor).write(bytes)
    }

    /// Gives the file its name. It survives a power failure when this returns.
    ///
    /// Throws the errors of the calls; the name is then unchanged.
    public func commit() throws(SystemCallError) {
        guard fsync(descriptor) == 0 else { throw .last("fsync") }
        // link refuses an existing name, while rename would replace it.
        let outcome = unsafe replaces ? rename(temporary, path) : link(temporary, path)
        guard outcome == 0 else { throw .last(replaces ? "rename" : "link") }
        if !replaces { unsafe unlink(temporary) }
        isCommitted = true
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .last("open") }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .last("fsync") }
    }
}
