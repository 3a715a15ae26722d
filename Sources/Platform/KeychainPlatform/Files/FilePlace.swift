// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// Where a file is, or would be: one text for each place, whatever links lead there.
public enum FilePlace {
    public enum Failure: Error, Hashable, Sendable {
        /// A folder on the way is missing, is none, or the links on the way lead in a circle.
        case noFolder
        /// The last part is a link that leads nowhere.
        case danglingLink
        case system(SystemCallError)
    }

    /// The place that an absolute path means, with all links followed.
    public static func canonical(_ path: String) throws(Failure) -> String {
        if let place = try resolved(path) { return place }
        // A link to nothing is there all the same; what would be made behind it is not where the name is.
        var facts = stat()
        // Reads the path and fills the structure.
        guard unsafe lstat(path, &facts) != 0 else { throw .danglingLink }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.last, name != ".", name != ".." else { throw .noFolder }
        let folder = "/" + parts.dropLast().joined(separator: "/")
        guard let place = try resolved(folder), isFolder(place) else { throw .noFolder }
        return (place == "/" ? "" : place) + "/" + name
    }

    /// Nil where there is nothing.
    private static func resolved(_ path: String) throws(Failure) -> String? {
        // The path is only read; the text that comes back is ours, and freed.
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

    /// Whether there is a folder.
    public static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        // Reads the path and fills the structure.
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// How large a regular file is; nil where there is none. The file is not opened.
    public static func byteCount(of path: String) -> UInt64? {
        var facts = stat()
        // Reads the path and fills the structure.
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(clamping: facts.st_size)
    }

    /// The beginning of a regular file that belongs to this process's user; shorter where the file is. Nil for anything else.
    ///
    /// Not for a database that is open in this process: closing the file would give up SQLite's locks on it (fcntl_locking(2)).
    public static func head(of path: String, count: Int) -> [UInt8]? {
        // The path is only read. O_NONBLOCK: a FIFO in this place must not hang us before it is found out.
        guard
            let file = try? OwnedDescriptor(
                unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), from: "open"),
            let facts = try? file.status(), facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid()
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        // At most the array's size is written into it.
        let read = unsafe pread(file.number, &bytes, count, 0)
        guard read >= 0 else { return nil }
        return Array(bytes[..<read])
    }

    /// All of a regular file that anybody may have written; nil where there is none that can be read, or it is longer.
    public static func text(of path: String, limit: Int) -> [UInt8]? {
        // The path is only read.
        guard let file = try? OwnedDescriptor(unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), from: "open"),
            let facts = try? file.status(), facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        let size = bytes.count
        // At most the array's size is written into it.
        let read = unsafe pread(file.number, &bytes, size, 0)
        guard read >= 0 else { return nil }
        return Array(bytes[..<read])
    }

    /// The names in a folder, in no order; none where it cannot be read.
    public static func names(in folder: String) -> [String] {
        // The path is only read; the stream is closed here.
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // A name ends with a zero within the entry.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(validatingCString: $0)
                }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes a folder, unless there is one.
    ///
    /// - Parameters:
    ///   - path: of the folder.
    ///   - isPublic: others may read what is in it (mode 0755); else it is its owner's alone (0700).
    public static func makeFolder(_ path: String, isPublic: Bool = false) throws(SystemCallError) {
        // The path is only read, here and below.
        guard unsafe mkdir(path, 0o700) == 0 else {
            guard errno == EEXIST else { throw .last("mkdir") }
            return
        }
        guard unsafe !isPublic || chmod(path, 0o755) == 0 else { throw .last("chmod") }
    }
}
