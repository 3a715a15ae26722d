// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import TPM

/// A TPM behind a device of the kernel or a Unix socket. A command is written at once, and so is its response.
public final class TPMDevice: TPMTransport {
    private let descriptor: Int32
    private let path: String
    /// Whether nobody else uses the TPM meanwhile, as behind a socket; the kernel's device has many users.
    public let isOwn: Bool

    /// In milliseconds; longer takes no command that is used here.
    private static let patience: Int32 = 4000
    private static let largestResponse = 4096

    /// - Throws: when there is none, or it cannot be used.
    public init(_ path: String) throws(TPMTransportFailure) {
        self.path = path
        var facts = stat()
        // Reads the path, and writes nothing but `facts`.
        guard unsafe stat(path, &facts) == 0 else { throw .last(path) }
        isOwn = facts.st_mode & S_IFMT == S_IFSOCK
        if isOwn {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw .last(path) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            // One byte less than the field has: a zero ends it.
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
                close(descriptor)
                throw TPMTransportFailure("\(path): the path of a socket has at most 107 bytes")
            }
            // The copy stays within the field, as was just looked at.
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
            let connected = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard connected == 0 else {
                let failure = TPMTransportFailure.last(path)
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

    public func exchange(_ command: [UInt8]) throws(TPMTransportFailure) -> [UInt8] {
        // A device takes a command whole or not at all, and the buffer of a socket is larger than any.
        // The bytes live across the call.
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
                throw TPMTransportFailure("\(path): what comes is no response of a TPM")
            }
            if response.count == size { return response }
        }
    }

    private func read() throws(TPMTransportFailure) -> [UInt8] {
        while true {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One structure, as the count says.
            let ready = unsafe poll(&state, 1, Self.patience)
            guard ready != 0 else { throw TPMTransportFailure("\(path): the TPM does not answer") }
            guard ready > 0 || errno == EINTR else { throw .last(path) }
            var count = 0
            // read writes no more than the capacity, and the array takes over what it has written.
            let part = unsafe [UInt8](unsafeUninitializedCapacity: Self.largestResponse) { buffer, length in
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                length = max(0, count)
            }
            if count > 0 { return part }
            guard count < 0 else { throw TPMTransportFailure("\(path): the TPM is gone") }
            guard errno == EINTR || errno == EAGAIN else { throw .last(path) }
        }
    }

    /// Waits as long as a TPM that is busy wants.
    public static func pause() { usleep(20_000) }
}

extension TPMTransportFailure {
    /// Of the last call of the system.
    fileprivate static func last(_ path: String) -> TPMTransportFailure {
        let code = errno
        // strerror gives a text that lives until the next call.
        return unsafe TPMTransportFailure("\(path): \(String(cString: strerror(code)))")
    }
}
