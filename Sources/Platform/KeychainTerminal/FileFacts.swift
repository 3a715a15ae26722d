// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// The facts about a file that do not require opening it.
public struct FileFacts: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case regular
        case folder
        case symbolicLink
        case socket
        /// A device, a pipe, or an unknown kind.
        case other
    }

    public var kind: Kind
    /// The user ID of the owner.
    public var owner: UInt32
    /// The group ID.
    public var group: UInt32
    /// The twelve bits of chmod(2).
    public var mode: UInt32
    /// The number of hard links.
    public var linkCount: Int
    /// Last written, in seconds since 1970-01-01 00:00 UTC.
    public var modified: Int64
    /// The device that the file is on, as sysfs names it: `8:1`.
    public var device: String

    public init(
        kind: Kind, owner: UInt32, group: UInt32, mode: UInt32, linkCount: Int = 1, modified: Int64 = 0,
        device: String = "0:0"
    ) {
        self.kind = kind
        self.owner = owner
        self.group = group
        self.mode = mode
        self.linkCount = linkCount
        self.modified = modified
        self.device = device
    }

    /// Reads the facts of a file, not of a symbolic link's target; nil if there is no file.
    ///
    /// Throws the errors of lstat(2).
    public init?(_ path: String) throws(SystemCallError) {
        var status = stat()
        // The structure is filled, the path only read.
        guard unsafe lstat(path, &status) == 0 else {
            let error = SystemCallError.last("lstat")
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        self.init(status)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            case S_IFSOCK: .socket
            default: .other
            }
        owner = status.st_uid
        group = status.st_gid
        mode = status.st_mode & 0o7777
        linkCount = Int(status.st_nlink)
        modified = Int64(status.st_mtim.tv_sec)
        // gnu_dev_major(3) and gnu_dev_minor(3), which are macros.
        let number = UInt64(status.st_dev)
        let major = (number >> 8 & 0xFFF) | (number >> 32 & ~0xFFF)
        device = "\(major):\((number & 0xFF) | (number >> 12 & 0xFFFF_FF00))"
    }

    /// Returns the target of a symbolic link; nil if the file is not a link.
    public static func target(ofLink path: String) -> String? {
        try? linkTarget(path, AT_FDCWD)
    }

    /// Returns the absolute path, free of symbolic links. Throws the errors of realpath(3).
    public static func realPath(_ path: String) throws(SystemCallError) -> String {
        try absolutePath(path)
    }

    /// Returns the names in a folder, without `.` and `..`. Throws the errors of opendir(3).
    public static func names(in folder: String) throws(SystemCallError) -> [String] {
        try FolderContents.names(in: folder)
    }

    /// Returns the number of bytes that an ordinary user can still write on the folder's file system. Throws the errors
    /// of statvfs(3).
    public static func freeBytes(at folder: String) throws(SystemCallError) -> UInt64 {
        var status = statvfs()
        // The structure is filled, the path only read.
        guard unsafe statvfs(folder, &status) == 0 else { throw .last("statvfs") }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// The user whose rights this process has.
    public static var ownUser: UInt32 { geteuid() }
}
