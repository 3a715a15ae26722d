// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// A client's connection to the service: a blocking Unix stream.
///
/// Any thread may use it; the caller must keep requests and replies of several threads apart. The connection does not
/// survive exec, and must not be used after fork: the service refuses messages of any process except the process that
/// connected. See ``belongsToThisProcess``.
public final class EndpointSocket: Sendable {
    // Written once; the number is valid until deinit closes it.
    private let descriptor: Int32
    private let openedBy: pid_t

    /// Connects to the service at `path` and verifies that it runs as one of `servers`, before anything is sent.
    ///
    /// `timeout` bounds the wait for the service to accept, and becomes the first timeout of ``send(_:)``.
    public init(
        connectingTo path: String, servers: [UInt32] = [getuid(), geteuid()], timeout: Duration = .seconds(5)
    ) throws(EndpointError) {
        let address = try UnixAddress(path: path)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        openedBy = getpid()
        guard descriptor >= 0 else { throw .system(.last("socket")) }
        // From here on deinit closes the descriptor, even if this initialiser throws.
        try setSendTimeout(timeout)
        try connect(to: address)
        let server = try serverUser()
        guard servers.contains(server) else { throw .foreignServer(path: path, user: server) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// False in a child process after fork: connect again there. Costs a system call of about 0.1 µs.
    public var belongsToThisProcess: Bool { openedBy == getpid() }

    /// Sends all of `bytes`; normally one system call.
    ///
    /// Throws `.timedOut` if the service reads nothing for the send timeout, `.closed` if it closed the connection.
    public func send(_ bytes: Span<UInt8>) throws(EndpointError) {
        // The pointer stays inside the closure.
        unsafe try bytes.withUnsafeBytes { bytes throws(EndpointError) in unsafe try send(bytes) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) throws(EndpointError) {
        var sent = 0
        while sent < bytes.count {
            // The range is inside the caller's buffer. MSG_NOSIGNAL: a library must not end its program with SIGPIPE.
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                throw Self.failure(of: "send")
            }
        }
    }

    /// Sends `bytes` in one message with one end of a pair of sockets made for it. This proves to the service that the
    /// program talks to it deliberately (Documentation/Protocols/client.md, "Greeting").
    ///
    /// Throws the errors of ``send(_:)``.
    public func sendGreeting(_ bytes: Span<UInt8>) throws(EndpointError) {
        let pair: (Int32, Int32)
        do throws(SystemCallError) {
            pair = try SocketPair.make(SOCK_SEQPACKET)
        } catch {
            throw .system(error)
        }
        defer {
            close(pair.0)
            close(pair.1)
        }
        try Self.send(bytes, with: pair.0, to: descriptor)
    }

    /// Sends `bytes` in one message with a descriptor, of which this process keeps its own.
    ///
    /// Throws the errors of ``send(_:)``.
    package func send(_ bytes: Span<UInt8>, with passed: OwnedDescriptor) throws(EndpointError) {
        try Self.send(bytes, with: passed.number, to: descriptor)
    }

    /// Sends one message, with a descriptor.
    static func send(_ bytes: Span<UInt8>, with passed: Int32, to descriptor: Int32) throws(EndpointError) {
        var control = DescriptorMessage(descriptor: passed)
        // The pointers stay inside the closures, and the kernel only reads from them.
        unsafe try bytes.withUnsafeBytes { bytes throws(EndpointError) in
            var part = unsafe iovec(
                iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            let sent = unsafe withUnsafeMutablePointer(to: &part) { part in
                unsafe withUnsafeMutablePointer(to: &control) { control in
                    var message = unsafe msghdr(
                        msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1, msg_control: control,
                        msg_controllen: MemoryLayout<DescriptorMessage>.stride, msg_flags: 0)
                    while true {
                        let sent = unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
                        if sent >= 0 || errno != EINTR { return sent }
                    }
                }
            }
            guard sent >= 0 else { throw failure(of: "sendmsg") }
            // The socket's buffer is empty before this message, so the kernel takes it whole.
            guard sent == bytes.count else { throw .closed }
        }
    }

    /// Waits for bytes and passes them to `body`, at most `limit` bytes. One system call. The memory of the bytes is
    /// wiped when `body` returns.
    ///
    /// Throws `.timedOut` if no bytes arrive within the receive timeout.
    ///
    /// - Returns: the number of bytes; zero means that the service closed the connection.
    @discardableResult
    public func receive(atMost limit: Int, _ body: (Span<UInt8>) -> Void) throws(EndpointError) -> Int {
        precondition(limit > 0, "a limit of 0 bytes would look like a closed connection")
        let result: Result<Int, EndpointError> = unsafe withUnsafeTemporaryAllocation(
            byteCount: limit, alignment: 1
        ) { buffer in
            do throws(EndpointError) {
                let count = try unsafe receive(into: buffer)
                let received = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                // The received bytes may be secret, and the rest of the buffer was never written.
                defer { if count > 0 { unsafe explicit_bzero(received.baseAddress!, count) } }
                unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(received)))
                return .success(count)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func receive(into buffer: UnsafeMutableRawBufferPointer) throws(EndpointError) -> Int {
        while true {
            // The kernel writes at most buffer.count bytes into the caller's buffer.
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.failure(of: "recv") }
        }
    }

    /// Ends the connection from any thread: a waiting ``receive(atMost:_:)`` returns 0.
    public func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Sets how long ``receive(atMost:_:)`` waits; nil means forever.
    public func setReceiveTimeout(_ timeout: Duration?) throws(EndpointError) {
        try setTimeout(timeout, option: SO_RCVTIMEO)
    }

    /// Sets how long ``send(_:)`` waits for room; nil means forever.
    public func setSendTimeout(_ timeout: Duration?) throws(EndpointError) {
        try setTimeout(timeout, option: SO_SNDTIMEO)
    }

    private func setTimeout(_ timeout: Duration?, option: Int32) throws(EndpointError) {
        var value = timeval(timeout ?? .zero)
        // The kernel takes zero as forever, so the shortest wait is a microsecond.
        if timeout != nil, value.tv_sec == 0, value.tv_usec == 0 { value.tv_usec = 1 }
        // The kernel reads exactly a timeval.
        guard unsafe setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<timeval>.size)) == 0
        else { throw .system(.last("setsockopt")) }
    }

    private func connect(to address: UnixAddress) throws(EndpointError) {
        // The address lives for the call.
        while unsafe address.withSocketAddress({ unsafe Glibc.connect(descriptor, $0, $1) }) != 0 {
            switch errno {
            case EINTR: continue
            case ENOENT, ECONNREFUSED:
                throw .notRunning(path: address.path, hint: "start it with: chatelained --detach")
            case EAGAIN: throw .timedOut
            default: throw .system(.last("connect"))
            }
        }
    }

    /// Returns the user of the process that called listen (SO_PEERCRED).
    private func serverUser() throws(EndpointError) -> UInt32 {
        guard let credentials = PeerCredentials(descriptor) else { throw .system(.last("getsockopt")) }
        return credentials.user
    }

    private static func failure(of call: String) -> EndpointError {
        switch errno {
        case EAGAIN: .timedOut
        case EPIPE, ECONNRESET: .closed
        default: .system(.last(call))
        }
    }
}

/// A control message (cmsg(3)) with one descriptor. The macros that compute its layout cannot be imported.
private struct DescriptorMessage {
    /// The length of the message up to the end of the descriptor.
    private let length = MemoryLayout<Int>.size + 3 * MemoryLayout<Int32>.size
    private let level = SOL_SOCKET
    /// SCM_RIGHTS
    private let type: Int32 = 1
    private let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }
}

extension timeval {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}
