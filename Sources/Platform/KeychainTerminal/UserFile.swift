// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A file that the user names on a command line, open until this object is released.
public final class UserFile: Sendable {
    private let descriptor: Int32

    /// Opens a file for reading. A pipe is accepted too, such as that of the shell's `<(…)`.
    ///
    /// Throws the errors of open(2), and ENODEV for every device, because a device may have no end (/dev/zero).
    public init(reading path: String) throws(SystemCallError) {
        var facts = stat()
        // The call reads the path and fills the structure. Before the open, because opening a device may wait.
        if unsafe stat(path, &facts) == 0, [S_IFCHR, S_IFBLK].contains(facts.st_mode & S_IFMT) {
            throw SystemCallError(call: "open", code: ENODEV)
        }
        // The path is only read.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .last("open") }
    }

    deinit { close(descriptor) }

    /// Reads into the beginning of `buffer`; returns 0 at the end of the file. Throws the errors of read(2).
    public func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int {
        try DescriptorStream(descriptor: descriptor).read(into: &buffer)
    }

    /// Reads the rest of the file. Throws the errors of read(2).
    func contents() throws(SystemCallError) -> [UInt8] {
        // Without a limit no file is too long.
        try DescriptorStream(descriptor: descriptor).contents() ?? []
    }

    /// Writes a file of mode 0600, in full or not at all: an existing file stays until all of the new one is on the
    /// disk.
    ///
    /// - Parameter replaces: whether an existing file or symbolic link of that name is replaced; otherwise it stays,
    ///   and EEXIST is thrown.
    ///
    /// Throws the errors of the calls; a part that was written is then removed.
    public static func writePrivate(
        _ bytes: some Collection<UInt8>, to path: String, replaces: Bool
    ) throws(SystemCallError) {
        // In the same folder as the target, because a file cannot be renamed across file systems. The random part
        // avoids a collision with O_EXCL.
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
            // If the file cannot be removed, the first error is the one to report.
            unsafe unlink(temporary)
            throw error
        }
        // link refuses an existing name, while rename would replace it.
        let outcome = unsafe replaces ? rename(temporary, path) : link(temporary, path)
        let error = SystemCallError.last(replaces ? "rename" : "link")
        if outcome != 0 || !replaces { unsafe unlink(temporary) }
        guard outcome == 0 else { throw error }
    }

    /// Removes a file. Throws the errors of unlink(2).
    public static func remove(_ path: String) throws(SystemCallError) {
        // The path is only read.
        guard unsafe unlink(path) == 0 else { throw .last("unlink") }
    }

    /// Renames a file, a symbolic link or a folder. An existing file of the new name is replaced.
    ///
    /// Throws the errors of rename(2).
    public static func move(_ path: String, to new: String) throws(SystemCallError) {
        // The paths are only read.
        guard unsafe rename(path, new) == 0 else { throw .last("rename") }
    }

    /// Makes a folder that only its owner can access. Throws the errors of mkdir(2).
    public static func makeFolder(_ path: String) throws(SystemCallError) {
        // The path is only read.
        guard unsafe mkdir(path, 0o700) == 0 else { throw .last("mkdir") }
    }

    /// Removes an empty folder. Throws the errors of rmdir(2).
    public static func removeFolder(_ path: String) throws(SystemCallError) {
        // The path is only read.
        guard unsafe rmdir(path) == 0 else { throw .last("rmdir") }
    }
}
