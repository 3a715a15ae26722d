// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint
internal import SecretMemory

/// The service's end of a client's connection.
public final class ServerConnection: Sendable {
    /// The process that sent a message, according to the kernel.
    ///
    /// A process in its own user namespace can forge `pid`. Compare it with the connected peer's to find a sibling that
    /// uses a passed or inherited socket; never identify a process by it alone.
    public struct Sender: Hashable, Sendable {
        public let pid: Int32
        public let user: UInt32
    }

    public struct Received: Hashable, Sendable {
        /// 0 if the client closed the connection.
        public let count: Int
        /// Nil at the end of the stream, and if the kernel gave none: then the sender of the bytes is unknown.
        public let sender: Sender?
    }

    private let socket: OwnedDescriptor

    init(_ socket: OwnedDescriptor) {
        self.socket = socket
    }

    /// For polling. The connection owns the descriptor.
    public var descriptor: Int32 { socket.number }

    /// The user who connected, according to the kernel (SO_PEERCRED). Nil if the kernel does not report it.
    public var peerUser: UInt32? { PeerCredentials(socket.number)?.user }

    /// Waits for bytes and passes those of one sender to `body`, at most `limit` bytes. Bytes of another sender come
    /// with the next call. The memory of the bytes is wiped when `body` returns. Descriptors in the message are closed.
    ///
    /// Throws `.timedOut` after the receive timeout, `.closed` if the client closed the connection.
    public func receive(
        atMost limit: Int, _ body: (Span<UInt8>) -> Void
    ) throws(EndpointError) -> Received {
        // No descriptor is asked for.
        try unsafe receive(atMost: limit, descriptor: nil, body)
    }

    /// Same as ``receive(atMost:_:)``.
    ///
    /// - Parameter descriptor: set to the descriptor in the message; unchanged if it has none, or more than one.
    package func receive(
        atMost limit: Int, keeping descriptor: inout OwnedDescriptor?, _ body: (Span<UInt8>) -> Void
    ) throws(EndpointError) -> Received {
        var number: Int32 = -1
        // The number is written during the call.
        let received = try unsafe receive(atMost: limit, descriptor: &number, body)
        if number >= 0 { descriptor = try? OwnedDescriptor(number, from: "recvmsg") }
        return received
    }

    private func receive(
        atMost limit: Int, descriptor: UnsafeMutablePointer<Int32>?, _ body: (Span<UInt8>) -> Void
    ) throws(EndpointError) -> Received {
        precondition(limit > 0, "a limit of 0 bytes would look like a closed connection")
        let result: Result<Received, EndpointError> = unsafe withUnsafeTemporaryAllocation(
            byteCount: limit, alignment: 1
        ) { buffer in
            do throws(EndpointError) {
                let received = try unsafe receive(into: buffer, options: 0, descriptor: descriptor)
                // The received bytes may be secret; the rest of the buffer was never written.
                let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<received.count])
                defer { unsafe wipe(bytes) }
                unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(bytes)))
                return .success(received)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Waits for the first bytes of a client.
    ///
    /// Throws the errors of ``receive(atMost:_:)``.
    ///
    /// - Returns: `size` bytes and their sender. Nil unless the process that connected sent all of them in one message
    ///   with one descriptor: one end of a pair of sockets (SOCK_SEQPACKET) that it made as the user and the group with
    ///   which it connected. A program that copies its input to an inherited connection sends no such message.
    public func receiveGreeting(of size: Int) throws(EndpointError) -> (bytes: [UInt8], sender: Sender)? {
        // A read ends after the first message that carries descriptors, but also returns any bytes before that message.
        // So the descriptor must come with the first byte.
        guard try receiveWithDescriptor(1, options: Int32(MSG_PEEK)) != nil,
            let (bytes, received, descriptor) = try receiveWithDescriptor(size, options: 0),
            bytes.count == size, let sender = received.sender, let peer = PeerCredentials(socket.number),
            sender.pid == peer.process, isPair(descriptor, madeBy: peer)
        else { return nil }
        return (bytes, sender)
    }

    private func receiveWithDescriptor(
        _ size: Int, options: Int32
    ) throws(EndpointError) -> (bytes: [UInt8], Received, OwnedDescriptor)? {
        var bytes = [UInt8](repeating: 0, count: size)
        var number: Int32 = -1
        // The buffer and the number are written during the call.
        let result: Result<Received, EndpointError> = unsafe bytes.withUnsafeMutableBytes { buffer in
            do throws(EndpointError) {
                return .success(try unsafe receive(into: buffer, options: options, descriptor: &number))
            } catch {
                return .failure(error)
            }
        }
        let received = try result.get()
        guard received.count > 0 else { throw .closed }
        guard let descriptor = try? OwnedDescriptor(number, from: "recvmsg") else { return nil }
        return (Array(bytes.prefix(received.count)), received, descriptor)
    }

    /// Returns whether the end is of a pair that `maker` made. Asks only the kernel, because a process with a copy of
    /// the other end could delay a read from the pair indefinitely.
    private func isPair(_ end: OwnedDescriptor, madeBy maker: PeerCredentials) -> Bool {
        SocketOption.value(SO_DOMAIN, of: end.number) == AF_UNIX
            && SocketOption.value(SO_TYPE, of: end.number) == Int32(SOCK_SEQPACKET.rawValue)
            && PeerCredentials(end.number) == maker
    }

    private func receive(
        into buffer: UnsafeMutableRawBufferPointer, options: Int32, descriptor: UnsafeMutablePointer<Int32>?
    ) throws(EndpointError) -> Received {
        var sender = ckp_sender()
        do throws(SystemCallError) {
            let count = try retryingInterruption("recvmsg") {
                // The kernel writes at most buffer.count bytes into the caller's buffer.
                unsafe ckp_receive(socket.number, buffer.baseAddress, buffer.count, options, &sender, descriptor)
            }
            return Received(
                count: count,
                sender: sender.present && sender.pid > 0 ? Sender(pid: sender.pid, user: sender.uid) : nil)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Sends all of `bytes` within `timeout`; normally one system call.
    ///
    /// A client that reads slowly does not extend the time, which counts for the whole of `bytes`. The wait of a single
    /// call is bounded by ``setSendTimeout(_:)``, so the worst case is the sum of both.
    public func send(_ bytes: Span<UInt8>, timeout: Duration = .seconds(5)) throws(EndpointError) {
        // The pointer stays inside the closure.
        unsafe try bytes.withUnsafeBytes { bytes throws(EndpointError) in unsafe try send(bytes, timeout) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, _ timeout: Duration) throws(EndpointError) {
        var sent = 0
        var deadline: ContinuousClock.Instant?
        while sent < bytes.count {
            // The range is inside the caller's buffer. MSG_NOSIGNAL: a client that closed its connection must not end
            // the service.
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
            do throws(SystemCallError) {
                sent += try retryingInterruption("send") {
                    unsafe Glibc.send(socket.number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                }
            } catch {
                throw Self.failure(error)
            }
            guard sent < bytes.count else { return }
            let now = ContinuousClock.now
            let end = deadline ?? now + timeout
            guard now < end else { throw .timedOut }
            deadline = end
        }
    }

    /// Sets how long ``receive(atMost:_:)`` waits; nil means forever.
    public func setReceiveTimeout(_ timeout: Duration?) throws(EndpointError) {
        try setTimeout(timeout, option: SO_RCVTIMEO)
    }

    /// Sets how long one call inside ``send(_:timeout:)`` waits for room; nil means forever.
    public func setSendTimeout(_ timeout: Duration?) throws(EndpointError) {
        try setTimeout(timeout, option: SO_SNDTIMEO)
    }

    /// Ends the connection from any thread: a waiting ``receive(atMost:_:)`` returns 0.
    public func shutDown() {
        // Fails only if the client has closed the connection, which is the desired state.
        _ = shutdown(socket.number, Int32(SHUT_RDWR))
    }

    private func setTimeout(_ timeout: Duration?, option: Int32) throws(EndpointError) {
        let (seconds, attoseconds) = (timeout ?? .zero).components
        var value = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        // The kernel takes zero as forever, so the shortest wait is a microsecond.
        if timeout != nil, value.tv_sec == 0, value.tv_usec == 0 { value.tv_usec = 1 }
        // The kernel reads exactly a timeval.
        guard unsafe setsockopt(socket.number, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<timeval>.size)) == 0
        else { throw .system(.last("setsockopt")) }
    }

    private static func failure(_ error: SystemCallError) -> EndpointError {
        switch error.code {
        case EAGAIN: .timedOut
        case EPIPE, ECONNRESET: .closed
        default: .system(error)
        }
    }
}
