// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint
public import SecretMemory

/// Small private files that must exist complete or not at all, such as the device key.
public enum DurableFile {
    public enum Error: Swift.Error, Hashable, Sendable {
        case exists(path: String)
        case missing(path: String)
        /// Not a regular file.
        case notRegular(path: String)
        case notOwned(path: String, owner: UInt32)
        /// The group or other users have access.
        case notPrivate(path: String, mode: UInt32)
        /// Larger than `limit` bytes.
        case tooLarge(path: String, limit: Int)
        case system(path: String, SystemCallError)
    }

    /// Writes a new file of mode 0600. When this returns, the file survives a power failure; when it throws, `path` is
    /// unchanged. An existing file is never replaced (`.exists`), because a lost device key is a lost keychain.
    public static func create(_ path: String, contents: SecretBytes) throws(Error) {
        let directory = directory(of: path)
        // In the same folder as the target, because a link cannot cross file systems. The random part avoids a
        // collision with O_EXCL.
        let temporary = "\(directory)/.chatelaine-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        do throws(SystemCallError) {
            try write(contents, to: temporary)
        } catch {
            // No part of the file may remain; if it cannot be removed, the first error is the one to report.
            unsafe unlink(temporary)
            throw .system(path: path, error)
        }
        do throws(Error) {
            try name(temporary, as: path)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    /// Opens a regular file for reading, without waiting for any other kind of file.
    private static func regularFile(_ path: String) throws(Error) -> (file: OwnedDescriptor, facts: stat) {
        let file: OwnedDescriptor
        let facts: stat
        do throws(SystemCallError) {
            // The path is only read. O_NONBLOCK: a FIFO at this path must not block the open before its type is
            // checked.
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            file = try OwnedDescriptor(unsafe open(path, flags), from: "open")
            facts = try file.status()
        } catch {
            switch error.code {
            case ENOENT: throw .missing(path: path)
            // ENXIO: a socket.
            case ELOOP, ENXIO: throw .notRegular(path: path)
            default: throw .system(path: path, error)
            }
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
        return (file, facts)
    }

    /// Copies a regular file of any size. Only the owner of the copy can access it. The copy is not durable.
    ///
    /// - Parameter copy: the path of the copy, which must not exist.
    public static func copy(_ path: String, to copy: String) throws(Error) {
        let source = try regularFile(path).file
        do throws(SystemCallError) {
            // The path is only read.
            let target = try OwnedDescriptor(
                unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600), from: "open")
            var piece = [UInt8](repeating: 0, count: 256 * 1024)
            while true {
                let count = try source.stream.read(into: &piece)
                guard count > 0 else { return }
                try target.stream.write(piece[..<count])
            }
        } catch {
            throw .system(path: copy, error)
        }
    }

    /// Reads a file of at most `limit` bytes that this user owns and no other user can access.
    public static func read(_ path: String, limit: Int) throws(Error) -> SecretBytes {
        let (file, facts) = try regularFile(path)
        guard facts.st_uid == geteuid() else { throw .notOwned(path: path, owner: facts.st_uid) }
        guard facts.st_mode & 0o077 == 0 else { throw .notPrivate(path: path, mode: facts.st_mode & 0o7777) }
        guard facts.st_size <= limit else { throw .tooLarge(path: path, limit: limit) }
        do throws(SystemCallError) {
            return try read(file, count: Int(facts.st_size))
        } catch {
            throw .system(path: path, error)
        }
    }

    private static func read(_ file: OwnedDescriptor, count: Int) throws(SystemCallError) -> SecretBytes {
        // Read directly into protected memory. Each read stays within the rest of the buffer.
        unsafe try SecretBytes(count: count) { buffer throws(SystemCallError) in
            var filled = 0
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let more = try retryingInterruption("read") {
                    unsafe Glibc.read(file.number, rest.baseAddress, rest.count)
                }
                // The file is shorter than before: another process truncates it.
                guard more > 0 else { throw SystemCallError(call: "read", code: EIO) }
                filled += more
            }
        }
    }

    /// Replaces a file with a new one. When this returns, the file survives a power failure; before that, `path` is
    /// always the complete old file or the complete new one.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - contents: the whole contents.
    ///   - isPublic: whether other users may read it (mode 0644); otherwise only its owner may (0600).
    public static func replace(_ path: String, contents: SecretBytes, isPublic: Bool = false) throws(Error) {
        let directory = directory(of: path)
        let temporary = "\(directory)/.chatelaine-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        do throws(SystemCallError) {
            try write(contents, to: temporary, mode: isPublic ? 0o644 : 0o600)
            // The paths are only read.
            guard unsafe rename(temporary, path) == 0 else { throw .last("rename") }
            try synchronize(directory)
        } catch {
            // Already renamed on success.
            unsafe unlink(temporary)
            throw .system(path: path, error)
        }
    }

    private static func write(
        _ contents: SecretBytes, to path: String, mode: mode_t = 0o600
    ) throws(SystemCallError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        // The path is only read.
        let file = try OwnedDescriptor(unsafe open(path, flags, 0o600), from: "open")
        try file.stream.write(contents.bytes)
        // The file gets the intended mode, regardless of the process's umask.
        guard mode == 0o600 || fchmod(file.number, mode) == 0 else { throw .last("fchmod") }
        guard fsync(file.number) == 0 else { throw .last("fsync") }
    }

    /// Gives a file a second name, which must not exist (`.exists`). Durable when this returns.
    public static func keep(_ path: String, as second: String) throws(Error) {
        // The paths here and below are only read.
        try changing(second) { () throws(SystemCallError) in
            guard unsafe link(path, second) == 0 else { throw .last("link") }
        }
    }

    /// Gives a file its final name, which must not exist (`.exists`), in place of its temporary name. Durable when this
    /// returns; when it throws, the file may have the old name or both.
    public static func name(_ unfinished: String, as path: String) throws(Error) {
        try changing(path) { () throws(SystemCallError) in
            // The paths are only read.
            guard unsafe ckp_rename(unfinished, path, false) != 0 else { return }
            let error = SystemCallError.last("renameat2")
            // Network file systems cannot rename without replacing an existing file, but have hard links, which never
            // replace one.
            guard error.code == EINVAL || error.code == ENOSYS else { throw error }
            guard unsafe link(unfinished, path) == 0 else { throw .last("link") }
            guard unsafe unlink(unfinished) == 0 else { throw .last("unlink") }
        }
    }

    /// Renames a file, and replaces a file with the new name. Does nothing if the file does not exist. Durable when
    /// this returns.
    public static func move(_ path: String, to new: String) throws(Error) {
        try changing(new) { () throws(SystemCallError) in
            guard unsafe rename(path, new) == 0 || errno == ENOENT else { throw .last("rename") }
        }
    }

    /// Removes a file, if it exists. Durable when this returns.
    public static func remove(_ path: String) throws(Error) {
        try changing(path) { () throws(SystemCallError) in
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .last("unlink") }
        }
    }

    private static func changing(_ path: String, _ body: () throws(SystemCallError) -> Void) throws(Error) {
        do throws(SystemCallError) {
            try body()
            try synchronize(directory(of: path))
        } catch {
            throw error.code == EEXIST ? .exists(path: path) : .system(path: path, error)
        }
    }

    /// Makes a directory's new entries durable.
    public static func synchronize(_ directory: String) throws(SystemCallError) {
        try synchronizeEntries(directory)
    }

    private static func synchronizeEntries(_ directory: String) throws(SystemCallError) {
        // The path is only read.
        let descriptor = try OwnedDescriptor(unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), from: "open")
        guard fsync(descriptor.number) == 0 else { throw .last("fsync") }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

extension DurableFile.Error: CustomStringConvertible {
    public var description: String {
        switch self {
        case .exists(let path): "\(path) already exists"
        case .missing(let path): "\(path) is missing"
        case .notRegular(let path): "\(path) is not a regular file"
        case .notOwned(let path, let owner): "\(path) belongs to user \(owner)"
        case .notPrivate(let path, let mode):
            "\(path) can be read by other users (mode \(String(mode & 0o7777, radix: 8)))"
        case .tooLarge(let path, let limit): "\(path) has more than \(limit) bytes"
        case .system(let path, let error): "\(path): \(error)"
        }
    }
}
