// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A failed system call: its name and its errno.
public struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    public let call: String
    /// An errno value (errno(3)).
    public let code: Int32

    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// Returns the error of a call that has just failed in this thread.
    public static func last(_ call: String) -> SystemCallError { SystemCallError(call: call, code: errno) }

    /// Whether the file system is mounted read-only, or the file may only be read.
    public var isOfReadOnlyFileSystem: Bool { code == EROFS || code == EACCES || code == EPERM }

    /// Whether the file system has no room left, or none for this user.
    public var isOfFullFileSystem: Bool { code == ENOSPC || code == EDQUOT }

    public var description: String { "\(call): \(reason)" }

    /// The system's text for the code alone.
    public var reason: String {
        // strerror_r, because strerror's buffer is shared by all threads. It ends the text with a zero within the
        // buffer.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard unsafe strerror_r(code, buffer.baseAddress!, buffer.count) == 0 else { return "error \(code)" }
            return unsafe String(cString: buffer.baseAddress!)
        }
    }
}
