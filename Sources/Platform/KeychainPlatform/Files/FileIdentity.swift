// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Which file lies at a path, and who may change it.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt
    public let inode: UInt
    public let owner: UInt32
    /// Group or others may write the file.
    public let isWritableByOthers: Bool

    /// Follows symbolic links. Nil when there is no file.
    public init?(path: String) {
        var facts = stat()
        // Reads the path and fills the structure.
        guard unsafe stat(path, &facts) == 0 else { return nil }
        device = UInt(facts.st_dev)
        inode = UInt(facts.st_ino)
        owner = facts.st_uid
        isWritableByOthers = facts.st_mode & 0o022 != 0
    }

    /// Whether there is a file, such as a device, that this process may read and write.
    public static func isUsable(path: String) -> Bool {
        // Only reads the path.
        unsafe access(path, R_OK | W_OK) == 0
    }
}
