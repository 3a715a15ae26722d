// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A file that a person names on a command line, open until this object goes.
public final class UserFile: Sendable {
    private let descriptor: Int32

    /// Opens a file for reading. Whatever can be read will do: a pipe of the shell's `<(…)` is one too.
    ///
    /// Throws what open(2) says.
    public init(reading path: String) throws(SystemCallError) {
        // The path is only read.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .last("open") }
    }

    deinit { close(descriptor) }

    /// Fills the beginning of `buffer`; 0 at the end of the file. Throws what read(2) says.
    public func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int {
        try DescriptorStream(descriptor: descriptor).read(into: &buffer)
    }

    /// Writes a file of mode 0600, in full or not at all: what is there before stays until all of the new one is on the disk.
    ///
    /// - Parameter replaces: an existing file or symbolic link of that name goes; else it stays, and EEXIST is thrown.
    ///
    /// Throws what the calls say; a part that was written is removed then.
    public static func writePrivate(
        _ bytes: some Collection<UInt8>, to path: String, replaces: Bool
    ) throws(SystemCallError) {
        // Beside the target, since a name cannot move across file systems. The random part is for O_EXCL to succeed.
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let temporary = "\(folder).chatelaine-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        // The paths here and below are only read.
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
        do throws(SystemCallError) {
            defer { close(descriptor) }
            try DescriptorStream(descriptor: descriptor).write(bytes)
            guard fsync(descriptor) == 0 else { throw .last("fsync") }
        } catch {
            // When it cannot be removed, the first error is the one to tell.
            unsafe unlink(temporary)
            throw error
        }
        // link refuses an existing name, which rename would replace.
        let outcome = unsafe replaces ? rename(temporary, path) : link(temporary, path)
        let error = SystemCallError.last(replaces ? "rename" : "link")
        if outcome != 0 || !replaces { unsafe unlink(temporary) }
        guard outcome == 0 else { throw error }
    }

    /// Removes a file. Throws what unlink(2) says.
    public static func remove(_ path: String) throws(SystemCallError) {
        // The path is only read.
        guard unsafe unlink(path) == 0 else { throw .last("unlink") }
    }
}
