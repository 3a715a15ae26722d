// SPDX-License-Identifier: Apache-2.0

public import KeychainCodeSigning
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
    /// The file's group if the file is set-group-id; nil otherwise.
    public let setGroup: UInt32?
    /// The file has capabilities of its own (capabilities(7)).
    public let hasCapabilities: Bool
    /// The user who owns the file.
    public let owner: UInt32
    /// Everybody may read the file.
    public let isReadableByAll: Bool
}

/// Why a file's hash would prove nothing.
public enum DigestRefusal: Error, Hashable, Sendable {
    /// On this file system, or this mount of it, what we read need not be what runs; `type` as statfs(2) names it.
    case untrustedFileSystem(type: Int64)
    /// Longer than ``ExecutableInspector/maximumByteCount``.
    case tooLarge(size: Int)
    /// The file changed while it was read.
    case changed
    case system(SystemCallError)
}

/// What came of looking for a code signature in an executable (Documentation/Formats/code-signature.md).
public enum ExecutableSignature: Hashable, Sendable {
    case absent
    /// A right signature over the file as it is.
    case valid(CodeSignature)
    /// There is one, but the file is not the one that was signed.
    case changedFile
    /// What stands there is no signature, or its key did not make it.
    case damaged
    /// A later version than is known here.
    case newer
}
