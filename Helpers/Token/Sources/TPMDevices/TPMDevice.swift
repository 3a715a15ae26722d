// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint
public import TPM

/// A TPM behind a device of the kernel or a Unix socket. Commands and responses are each transferred in one piece.
public final class TPMDevice: TPMTransport {
    private let descriptor: Int32
    private let path: String
    /// Whether the TPM has no other users, as behind a socket; the kernel's device has many users.
    public let isOwn: Bool

    /// The time limit in milliseconds; every command that this package uses is faster.
    private static let patience: Int32 = 4000
    private static let largestResponse = 4096

    /// - Throws: if the path does not exist or cannot be used.
    public init(_ path: String) throws(TPMTransportError) {
        self.path = path
        var facts = stat()
        // The call reads the path, and writes only `facts`.
        guard unsafe stat(path, &facts) == 0 else { throw .last(path) }
        isOwn = facts.st_mode & S_IFMT == S_IFSOCK
        if isOwn {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw .last(path) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            // One byte less than the field, because a zero ends it.
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
                close(descriptor)
                throw TPMTransportError("\(path): the path of a socket can have at most 107 bytes")
            }
            // The length check above keeps the copy within the field.
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
            let connected = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard connected == 0 else {
                let failure = TPMTransportError.last(path)
                close(descriptor)
                throw failure
            }
        } else {
            // The path is only read.
            descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw .last(path) }
        }
    }

    deinit { close(descriptor) }

    public func exchange(_ command: [UInt8]) throws(TPMTransportError) -> [UInt8] {
        // A device accepts a command as a whole or not at all, and the buffer of a socket is larger than any command.
        // The bytes stay valid during the call.
        let written = unsafe command.withUnsafeBytes { bytes in
            isOwn
                ? unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                : unsafe write(descriptor, bytes.baseAddress, bytes.count)
        }
        guard written == command.count else { throw .last(path) }
        var response: [UInt8] = []
        while true {
            response += try read()
            guard response.count >= 6 else { continue }
            let size = response[2..<6].reduce(0) { $0 << 8 | Int($1) }
            guard (10...Self.largestResponse).contains(size), response.count <= size else {
                throw TPMTransportError("\(path): the received data is not a response of a TPM")
            }
            if response.count == size { return response }
        }
    }

    private func read() throws(TPMTransportError) -> [UInt8] {
        while true {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One structure, as the count states.
            let ready = unsafe poll(&state, 1, Self.patience)
            guard ready != 0 else { throw TPMTransportError("\(path): the TPM does not answer") }
            guard ready > 0 || errno == EINTR else { throw .last(path) }
            var count = 0
            // read writes no more than the capacity, and the array takes ownership of the written bytes.
            let part = unsafe [UInt8](unsafeUninitializedCapacity: Self.largestResponse) { buffer, length in
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                length = max(0, count)
            }
            if count > 0 { return part }
            guard count < 0 else { throw TPMTransportError("\(path): the TPM closed the connection") }
            guard errno == EINTR || errno == EAGAIN else { throw .last(path) }
        }
    }

    /// Waits for a busy TPM.
    public static func pause() { usleep(20_000) }
}

extension TPMTransportError {
    /// Returns the failure of the last system call.
    fileprivate static func last(_ path: String) -> TPMTransportError {
        TPMTransportError("\(path): \(SystemCallError.last("").reason)")
    }
}
