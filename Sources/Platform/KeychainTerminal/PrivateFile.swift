// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A file of mode 0600 that is written piece by piece, and has its name only when all of it is on the disk.
///
/// What is there before stays until then, and for good when this object goes without ``commit()``.
public final class PrivateFile {
    private let path: String
    private let replaces: Bool
    private let temporary: String
    private let descriptor: Int32
    private var isCommitted = false

    /// - Parameter replaces: an existing file or symbolic link of that name goes at the end; else EEXIST is thrown, here or
    ///   at the end.
    ///
    /// Throws what the calls say.
    public init(_ path: String, replaces: Bool) throws(SystemCallError) {
        self.path = path
        self.replaces = replaces
        var facts = stat()
        // lstat fills the structure and keeps neither pointer. Looked at now, so that nobody waits for nothing.
        let exists = unsafe lstat(path, &facts) == 0
        guard replaces || !exists else { throw SystemCallError(call: "link", code: EEXIST) }
        // Beside the target, since a name cannot move across file systems. The random part is for O_EXCL to succeed.
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

    /// Throws what write(2) says.
    public func write(_ bytes: some Collection<UInt8>) throws(SystemCallError) {
        try DescriptorStream(descriptor: descriptor).write(bytes)
    }

    /// Gives the file its name. It survives a power cut when this returns.
    ///
    /// Throws what the calls say; nothing of the name has changed then.
    public func commit() throws(SystemCallError) {
        guard fsync(descriptor) == 0 else { throw .last("fsync") }
        // link refuses an existing name, which rename would replace.
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
