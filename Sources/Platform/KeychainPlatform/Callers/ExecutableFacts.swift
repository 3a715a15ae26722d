// SPDX-License-Identifier: Apache-2.0

public import KeychainEndpoint

/// What is known about the file that a process runs.
public struct ExecutableFacts: Hashable, Sendable {
    public let device: UInt
    public let inode: UInt
    /// In bytes.
    public let size: Int
    /// Of the inode, in nanoseconds since the Unix epoch. No program can set it.
    public let changeTime: Int
    /// What /proc/PID/exe says. For people to read, never to decide by: a mount namespace shows any path it likes, and a
    /// removed file ends in " (deleted)".
    public let displayPath: String
    /// The file is root's, nobody else may write it or any directory on its path, and that path leads to this very file
    /// as we see the file system. Then only root can have put it there.
    public let isRootOwnedAndUnwritable: Bool
}

/// Why a file's hash would prove nothing.
public enum DigestRefusal: Error, Hashable, Sendable {
    /// On this file system what we read need not be what runs; `type` as statfs(2) names it.
    case untrustedFileSystem(type: Int64)
    /// Longer than ``ExecutableInspector/maximumByteCount``.
    case tooLarge(size: Int)
    /// The file changed while it was read.
    case changed
    case system(SystemCallError)
}
