// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A file descriptor for reading that the user names on a command line: `--passcode-fd 3 3<file`.
///
/// Owned: programs that this one starts do not inherit it, and it is closed when this object is released, unless it is
/// one of the three standard ones.
public final class UserDescriptor: Sendable {
    private let descriptor: Int32

    /// Takes over the descriptor. Throws EBADF if it does not exist, or cannot be read.
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

    /// Whether the input comes from a terminal, which shows it.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Reads into the beginning of `buffer`; returns 0 at the end of the input. Throws the errors of read(2).
    public func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int {
        try DescriptorStream(descriptor: descriptor).read(into: &buffer)
    }
}
