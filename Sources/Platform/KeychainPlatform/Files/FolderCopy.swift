// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// Copies a folder of files from one user to another, and moves it into place.
public enum FolderCopy {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// A link, a device, or any other entry that is neither a file nor a folder.
        case notRegular(path: String)
        case notOwned(path: String, owner: UInt32)
        case exists(path: String)
        /// Longer than `limit` bytes.
        case tooLarge(path: String, limit: Int)
        /// The copy of a file of so many bytes would leave too little room on the disk.
        case noRoom(path: String, bytes: Int)
        /// Another program wrote to the file during the copy.
        case changed(path: String)
        case system(path: String, SystemCallError)
    }

    /// A file or folder in the source folder.
    public struct Entry: Hashable, Sendable {
        /// The names of the folders on the path to the entry.
        public let folder: [String]
        public let name: String
        /// The names of all entries of the same folder.
        public let siblings: [String]

        /// The path below the source folder.
        public var path: String { (folder + [name]).joined(separator: "/") }
    }

    /// Copies the chosen files of a folder, and of the chosen folders in it, into an existing empty folder. The copies
    /// are private to the writer, and durable when this returns.
    ///
    /// The reader may change the source meanwhile. Of a file as many bytes are copied as it has when it is opened, so that a file
    /// that grows does not fill the disk; and each copy leaves a twentieth of the file system free (`.noRoom`).
    ///
    /// - Parameters:
    ///   - reader: The user who reads the source; every chosen entry must belong to this user.
    ///   - writer: The user who writes the copies, and who is the acting user when this returns.
    ///   - isCopied: Whether an entry is copied.
    ///   - limit: The most bytes that a chosen file may have; nil for a file that may have any size.
    /// - Returns: the entries that were not copied; for a folder only the folder itself.
    @discardableResult
    public static func copy(
        _ source: String, readingAs reader: ActingUser, to target: String, writingAs writer: ActingUser,
        only isCopied: (Entry) -> Bool, atMost limit: (Entry) -> Int?
    ) throws(Error) -> [Entry] {
        try copy(source, in: [], readingAs: reader, to: target, writingAs: writer, only: isCopied, atMost: limit)
    }

    private static func copy(
        _ source: String, in place: [String], readingAs reader: ActingUser, to target: String,
        writingAs writer: ActingUser, only isCopied: (Entry) -> Bool, atMost limit: (Entry) -> Int?
    ) throws(Error) -> [Entry] {
        try failing(source) { () throws(SystemCallError) in try reader.act() }
        let folder = try open(source, O_RDONLY | O_DIRECTORY, of: reader)
        let names = try failing(source) { () throws(SystemCallError) in try FolderContents.names(in: folder.number) }
        var left: [Entry] = []
        for name in names {
            let entry = Entry(folder: place, name: name, siblings: names)
            guard isCopied(entry) else {
                left.append(entry)
                continue
            }
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            try failing(from) { () throws(SystemCallError) in try reader.act() }
            // O_NONBLOCK: a FIFO at this path must not block the open before its type is checked.
            let file = try open(from, O_RDONLY | O_NONBLOCK, of: reader)
            let facts = try failing(from) { () throws(SystemCallError) in try file.status() }
            switch facts.st_mode & S_IFMT {
            case S_IFREG:
                let size = Int(facts.st_size)
                if let limit = limit(entry), size > limit { throw .tooLarge(path: from, limit: limit) }
                let outcome = try failing(to) { () throws(SystemCallError) in
                    try writer.act()
                    return try write(file, of: size, to: to)
                }
                switch outcome {
                case .whole: break
                case .noRoom: throw .noRoom(path: from, bytes: size)
                case .changed: throw .changed(path: from)
                }
            case S_IFDIR:
                try failing(to) { () throws(SystemCallError) in
                    try writer.act()
                    // The path is only read.
                    guard unsafe mkdir(to, 0o700) == 0 else { throw .last("mkdir") }
                }
                left += try copy(
                    from, in: place + [name], readingAs: reader, to: to, writingAs: writer, only: isCopied,
                    atMost: limit)
            default: throw .notRegular(path: from)
            }
        }
        try failing(target) { () throws(SystemCallError) in
            try writer.act()
            try DurableFile.synchronize(target)
        }
        return left
    }

    /// Renames a folder within its parent folder, atomically and durably. Uses the rights of the acting user.
    ///
    /// - Parameter exchanging: if true, a folder with the new name exists and gets the old name; otherwise the new name
    ///   must not exist (`.exists`).
    public static func rename(_ path: String, to new: String, exchanging: Bool = false) throws(Error) {
        // Both paths are only read.
        guard unsafe ckp_rename(path, new, exchanging) == 0 else {
            let error = SystemCallError.last("renameat2")
            throw error.code == EEXIST || error.code == ENOTEMPTY ? .exists(path: new) : .system(path: new, error)
        }
        for path in [new, path] {
            guard let slash = path.lastIndex(of: "/") else { continue }
            try failing(path) { () throws(SystemCallError) in try DurableFile.synchronize(String(path[..<slash])) }
        }
    }

    /// Makes the contents of a folder's files durable, for files that other programs wrote.
    public static func synchronize(_ folder: String, files: [String]) throws(Error) {
        for name in files {
            try failing("\(folder)/\(name)") { () throws(SystemCallError) in
                // The path is only read.
                let file = try OwnedDescriptor(
                    unsafe Glibc.open("\(folder)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC), from: "open")
                guard fsync(file.number) == 0 else { throw .last("fsync") }
            }
        }
        try failing(folder) { () throws(SystemCallError) in try DurableFile.synchronize(folder) }
    }

    private static func open(_ path: String, _ flags: Int32, of owner: ActingUser) throws(Error) -> OwnedDescriptor {
        let file: OwnedDescriptor
        let facts: stat
        do throws(SystemCallError) {
            // The path is only read.
            file = try OwnedDescriptor(unsafe Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC), from: "open")
            facts = try file.status()
        } catch {
            // ENXIO: a socket.
            throw error.code == ELOOP || error.code == ENXIO || error.code == ENOTDIR
                ? .notRegular(path: path) : .system(path: path, error)
        }
        guard facts.st_uid == owner.user else { throw .notOwned(path: path, owner: facts.st_uid) }
        return file
    }

    private enum CopyResult { case whole, noRoom, changed }

    private static func write(
        _ file: OwnedDescriptor, of size: Int, to path: String
    ) throws(SystemCallError) -> CopyResult {
        // The path is only read.
        let copy = try OwnedDescriptor(
            unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600), from: "open")
        guard size <= (try room(beside: copy)) else { return .noRoom }
        var piece = [UInt8](repeating: 0, count: 256 * 1024)
        var left = size
        while true {
            // At most the array's size is written into it, and then at most what was read is read from it. Behind the last byte there is
            // nothing, unless the file has grown.
            let count = try retryingInterruption("read") {
                unsafe Glibc.read(file.number, &piece, left == 0 ? 1 : min(left, piece.count))
            }
            guard count > 0, left > 0 else { return count == left ? try whole(copy) : .changed }
            try copy.stream.write(piece[..<count])
            left -= count
        }
    }

    private static func whole(_ copy: OwnedDescriptor) throws(SystemCallError) -> CopyResult {
        guard fsync(copy.number) == 0 else { throw .last("fsync") }
        return .whole
    }

    /// How many bytes a file may take, so that a twentieth of its file system stays free.
    private static func room(beside file: OwnedDescriptor) throws(SystemCallError) -> Int {
        var facts = statvfs()
        // The kernel fills the structure.
        guard unsafe fstatvfs(file.number, &facts) == 0 else { throw .last("fstatvfs") }
        let (free, all) = (UInt64(facts.f_bavail), UInt64(facts.f_blocks))
        let blocks = free > all / 20 ? free - all / 20 : 0
        let (bytes, overflows) = blocks.multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflows ? .max : Int(clamping: bytes)
    }

    private static func failing<R>(_ path: String, _ body: () throws(SystemCallError) -> R) throws(Error) -> R {
        do throws(SystemCallError) { return try body() } catch { throw .system(path: path, error) }
    }
}
