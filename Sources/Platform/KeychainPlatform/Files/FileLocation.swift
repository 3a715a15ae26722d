// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// The canonical path of a file that exists or may be created: one text for each location, regardless of links.
public enum FileLocation {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// A folder on the path is missing or not a folder, or the links on the path form a circle.
        case noFolder
        /// The last component is a link whose target does not exist.
        case danglingLink
        case system(SystemCallError)
    }

    /// Returns the canonical form of an absolute path, with all links followed.
    public static func canonical(_ path: String) throws(Error) -> String {
        if let place = try resolved(path) { return place }
        // A link without a target exists, but a file created through it would not be at this path.
        var facts = stat()
        // The call reads the path and fills the structure.
        guard unsafe lstat(path, &facts) != 0 else { throw .danglingLink }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.last, name != ".", name != ".." else { throw .noFolder }
        let folder = "/" + parts.dropLast().joined(separator: "/")
        guard let place = try resolved(folder), isFolder(place) else { throw .noFolder }
        return (place == "/" ? "" : place) + "/" + name
    }

    /// Returns the resolved path; nil if no file exists.
    private static func resolved(_ path: String) throws(Error) -> String? {
        // The path is only read; this function owns the returned text, and frees it.
        guard let text = unsafe realpath(path, nil) else {
            switch errno {
            case ENOENT: return nil
            case ENOTDIR, ELOOP, ENAMETOOLONG, EACCES: throw .noFolder
            default: throw .system(.last("realpath"))
            }
        }
        defer { unsafe free(text) }
        guard let place = unsafe String(validatingCString: text) else { throw .noFolder }
        return place
    }

    /// Returns whether a folder exists at a path.
    public static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        // The call reads the path and fills the structure.
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the size of a regular file; nil if none exists. The file is not opened.
    public static func byteCount(of path: String) -> UInt64? {
        var facts = stat()
        // The call reads the path and fills the structure.
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(clamping: facts.st_size)
    }

    /// Returns the first bytes of a regular file that belongs to this process's user; fewer if the file is shorter. Nil
    /// for any other file.
    ///
    /// Not for a database that is open in this process, because closing the file would release SQLite's locks on it
    /// (fcntl_locking(2)).
    public static func head(of path: String, count: Int) -> [UInt8]? {
        // The path is only read. O_NONBLOCK: a FIFO at this path must not block the open before its type is checked.
        guard
            let file = try? OwnedDescriptor(
                unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), from: "open"),
            let facts = try? file.status(), facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid()
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        // The call writes at most the array's size.
        let read = unsafe pread(file.number, &bytes, count, 0)
        guard read >= 0 else { return nil }
        return Array(bytes[..<read])
    }

    /// Returns the contents of a regular file of any owner; nil if no such file can be read, or if it is longer than
    /// the limit.
    public static func text(of path: String, limit: Int) -> [UInt8]? {
        // The path is only read.
        guard let file = try? OwnedDescriptor(unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), from: "open"),
            let facts = try? file.status(), facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        let size = bytes.count
        // The call writes at most the array's size.
        let read = unsafe pread(file.number, &bytes, size, 0)
        guard read >= 0 else { return nil }
        return Array(bytes[..<read])
    }

    /// Returns the names in a folder, except those that are not UTF-8; empty if the folder cannot be read.
    public static func names(in folder: String) -> [String] {
        (try? FolderContents.names(in: folder, skipsInvalidNames: true)) ?? []
    }

    /// Makes a folder, unless it exists.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - isPublic: whether other users may read its contents (mode 0755); otherwise only its owner may (0700).
    public static func makeFolder(_ path: String, isPublic: Bool = false) throws(SystemCallError) {
        // The path is only read, here and below.
        guard unsafe mkdir(path, 0o700) == 0 else {
            guard errno == EEXIST else { throw .last("mkdir") }
            return
        }
        guard unsafe !isPublic || chmod(path, 0o755) == 0 else { throw .last("chmod") }
    }
}
