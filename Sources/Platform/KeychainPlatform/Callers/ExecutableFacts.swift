// SPDX-License-Identifier: Apache-2.0

public import KeychainCodeSigning
public import KeychainEndpoint

/// The facts about the file that a process runs.
public struct ExecutableFacts: Hashable, Sendable {
    public let device: UInt
    public let inode: UInt
    /// The size in bytes.
    public let size: Int
    /// The change time of the inode, in nanoseconds since the Unix epoch. No program can set it.
    public let changeTime: Int
    /// The text of /proc/PID/exe. For display, never for decisions: a mount namespace can show any path, and the path
    /// of a removed file ends in " (deleted)".
    public let displayPath: String
    /// Whether root owns the file, no other user may write it or any directory on its path, and that path leads to this
    /// file in this process's view of the file system. Then only root can have put it there.
    public let isRootOwnedAndUnwritable: Bool
    /// The file's group if the file is set-group-id; nil otherwise.
    public let setGroup: UInt32?
    /// The capabilities that the file gives to a process that runs it (capabilities(7)), a bit for each; 0 for none.
    /// CAP_WAKE_ALARM is left out, because users' sessions have it anyway.
    public let capabilities: UInt64
    /// The user who owns the file.
    public let owner: UInt32
    /// Whether all users may read the file.
    public let isReadableByAll: Bool

    /// Whether the file has capabilities.
    public var hasCapabilities: Bool { capabilities != 0 }
}

/// The reason why a file's hash would prove nothing.
public enum DigestError: Error, Hashable, Sendable {
    /// On this file system, or on this mount of it, the bytes read may differ from the bytes that run; `type` as
    /// statfs(2) names it.
    case untrustedFileSystem(type: Int64)
    /// Larger than ``ExecutableInspector/maximumByteCount``.
    case tooLarge(size: Int)
    /// The file changed while it was read.
    case changed
    case system(SystemCallError)
}

/// The code signature of an executable, as far as it is valid (Documentation/Formats/code-signature.md).
public enum ExecutableSignature: Hashable, Sendable {
    case absent
    /// A valid signature over the current file.
    case valid(CodeSignature)
    /// A signature of other contents: the file changed after it was signed.
    case changedFile
    /// The section is not a signature, or its key did not make it.
    case damaged
    /// A later version than this program knows.
    case newer
}
