// SPDX-License-Identifier: Apache-2.0

public import DBus
internal import Glibc

/// The descriptor on which an application receives its secret: the writing end of a pipe, or a socket.
///
/// No other kind is accepted: writing to a file can wait without an end (FUSE), and would leave the secret on a disk.
public struct SecretDestination: Sendable {
    private enum Kind {
        case pipe
        case socket
    }

    private let descriptor: Descriptor
    private let kind: Kind

    /// Throws `.failed` for a descriptor of another kind.
    public init(_ descriptor: Descriptor) throws(PortalError) {
        var facts = stat()
        // The call fills the structure.
        guard unsafe fstat(descriptor.number, &facts) == 0 else {
            throw Self.failure("The descriptor is unusable", "fstat")
        }
        switch facts.st_mode & S_IFMT {
        case S_IFIFO: kind = .pipe
        case S_IFSOCK: kind = .socket
        default: throw .failed("The application must pass a pipe or a socket to receive its secret.")
        }
        self.descriptor = descriptor
    }

    /// Writes a secret of at most 4096 bytes: all of it, or nothing. Never waits for the reader.
    ///
    /// SIGPIPE must be ignored.
    ///
    /// - Throws: `.failed` if the reader is gone, or if the pipe is full.
    public func write(_ secret: Span<UInt8>) throws(PortalError) {
        // PIPE_BUF: pipe(7) writes this many bytes at once.
        precondition(secret.count <= 4096, "a secret of this size may be written in part")
        let count: Int
        switch kind {
        case .pipe:
            // An open file of its own, because O_NONBLOCK would affect the application's. The path is only read.
            let number = unsafe open("/proc/self/fd/\(descriptor.number)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else { throw Self.failure("The application's pipe cannot be opened", "open") }
            let pipe = Descriptor(owning: number)
            // Reads as many bytes as the span has.
            count = unsafe secret.withUnsafeBytes { unsafe Glibc.write(pipe.number, $0.baseAddress, $0.count) }
        case .socket:
            // Reads as many bytes as the span has.
            count = unsafe secret.withUnsafeBytes {
                unsafe send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
        }
        guard count >= 0 else { throw Self.failure("The application does not receive its secret", "write") }
        guard count == secret.count else { throw .failed("The application received only a part of its secret.") }
    }

    /// Returns the failure of the last system call, by its name.
    private static func failure(_ text: String, _ call: String) -> PortalError {
        .failed("\(text): \(SystemError(call: call, code: errno)).")
    }
}
