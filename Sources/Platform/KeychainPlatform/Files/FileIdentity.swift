// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The identity of the file at a path, and its write permissions.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt
    public let inode: UInt
    public let owner: UInt32
    /// Whether the group or other users may write the file.
    public let isWritableByOthers: Bool

    /// Reads the identity; follows symbolic links. Nil if no file exists.
    public init?(path: String) {
        var facts = stat()
        // The call reads the path and fills the structure.
        guard unsafe stat(path, &facts) == 0 else { return nil }
        device = UInt(facts.st_dev)
        inode = UInt(facts.st_ino)
        owner = facts.st_uid
        isWritableByOthers = facts.st_mode & 0o022 != 0
    }

    /// Returns whether a file, such as a device, exists that this process may read and write.
    public static func isUsable(path: String) -> Bool {
        // Only reads the path.
        unsafe access(path, R_OK | W_OK) == 0
    }
}
