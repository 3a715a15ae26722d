// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A refusal of the kernel: the call's name and its errno.
public struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    public let call: String
    /// An errno value (errno(3)).
    public let code: Int32

    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The error of a call that has just failed in this thread.
    public static func last(_ call: String) -> SystemCallError { SystemCallError(call: call, code: errno) }

    /// The file system is mounted for reading only, or the file may only be read.
    public var isOfReadOnlyFileSystem: Bool { code == EROFS || code == EACCES || code == EPERM }

    /// No room is left there, or none for this user.
    public var isOfFullFileSystem: Bool { code == ENOSPC || code == EDQUOT }

    public var description: String { "\(call): \(reason)" }

    /// The system's words for the code alone.
    public var reason: String {
        // strerror_r, since strerror's buffer belongs to all threads. It ends the text with a zero within the buffer.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard unsafe strerror_r(code, buffer.baseAddress!, buffer.count) == 0 else { return "error \(code)" }
            return unsafe String(cString: buffer.baseAddress!)
        }
    }
}
