// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A file descriptor that a person names on a command line, to be read from: `--passcode-fd 3 3<file`.
///
/// Taken over: programs that this one starts do not get it, and it is closed when this object goes, unless it is one of the
/// three standard ones.
public final class UserDescriptor: Sendable {
    private let descriptor: Int32

    /// Throws EBADF when there is no such descriptor, or it cannot be read.
    public init(reading number: Int32) throws(SystemCallError) {
        let mode = fcntl(number, F_GETFL)
        guard mode >= 0 else { throw .last("fcntl") }
        guard mode & O_ACCMODE != O_WRONLY else { throw SystemCallError(call: "read", code: EBADF) }
        descriptor = number
        if number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// What is read from a terminal was shown on it.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Fills the beginning of `buffer`; 0 at the end of the input. Throws what read(2) says.
    public func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int {
        try DescriptorStream(descriptor: descriptor).read(into: &buffer)
    }
}
