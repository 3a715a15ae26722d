// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory
internal import Synchronization

/// The keychain service behind its socket: one connection for the whole process, started with the first request.
final class SocketTransport: KeychainTransport {
    private let directories: InstanceDirectories
    /// Requests of several threads take turns: an answer belongs to the request before it.
    private let connection: Mutex<ServiceConnection?>

    init(_ directories: InstanceDirectories) {
        self.directories = directories
        connection = Mutex(nil)
    }

    /// The instance that the environment names.
    static func environment() -> SocketTransport {
        SocketTransport(.current())
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        let result: Result<Void, ClientError> = connection.withLock { current in
            do throws(ClientError) {
                return .success(try exchange(&current, request, isRepeatable, receive))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    func watch() throws(ClientError) -> any ChangeStream {
        var connectionsLeft = Self.connectionsPerRequest
        while true {
            connectionsLeft -= 1
            do throws(Failure) {
                return SocketChangeStream(try watchingConnection())
            } catch {
                guard case .lost(.closed) = error, connectionsLeft > 0 else { throw error.asClientError }
            }
        }
    }

    private func watchingConnection() throws(Failure) -> ServiceConnection {
        let connection = try ServiceConnection(directories)
        try connection.send(Request<[UInt8]>.watch.frame(nonce: connection.nonce))
        // Changes may follow the answer at once, so only this one frame is read.
        let refusal = try connection.receiveFrame { frame throws(WireError) in
            try ReplyPart<Void>(frame) { _ in }.refusal
        }
        if let refusal { throw .refused(refusal) }
        return connection
    }

    private func exchange(
        _ current: inout ServiceConnection?, _ request: (_ nonce: [UInt8]) -> [UInt8], _ isRepeatable: Bool,
        _ receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        // That a connection is lost is found out when it is used: the service stopped meanwhile, or needed the room. The
        // request is sent again if the service cannot have acted on it, and once if acting twice changes nothing.
        var connectionsLeft = Self.connectionsPerRequest
        var mayRepeat = isRepeatable
        while true {
            connectionsLeft -= 1
            var sent = false
            do throws(Failure) {
                if current?.belongsToThisProcess != true { current = nil }
                let connection: ServiceConnection
                if let current { connection = current } else { connection = try ServiceConnection(directories) }
                current = connection
                try connection.send(request(connection.nonce))
                sent = true
                return try connection.receiveAnswer(receive)
            } catch {
                let hasReceivedPart = current?.hasReceivedPart ?? false
                current = nil
                guard case .lost(.closed) = error, connectionsLeft > 0, !hasReceivedPart, !sent || mayRepeat else {
                    throw error.asClientError
                }
                if sent { mayRepeat = false }
            }
        }
    }

    /// More than two: behind a service that stopped, there may be one that is just stopping.
    private static let connectionsPerRequest = 4
}

/// One connection, past the hello.
final class ServiceConnection: @unchecked Sendable {
    // Unchecked: used by one thread at a time (under the transport's lock, or by the one reader of a change stream);
    // only shutDown, which touches nothing but the socket, is called from elsewhere.

    let nonce: [UInt8]
    private let socket: EndpointSocket
    private var reader = FrameReader()
    /// Whether a part of the current answer has been handed out already.
    private(set) var hasReceivedPart = false

    private static let helloTimeout: Duration = .seconds(10)
    private static let receiveBytes = 16 * 1024

    /// Connects, starting the service if it does not run, and receives its hello.
    init(_ directories: InstanceDirectories) throws(Failure) {
        do throws(EndpointError) {
            let socket = try EndpointSocket.connectOrLaunch(directories)
            try socket.setReceiveTimeout(Self.helloTimeout)
            self.socket = socket
        } catch {
            throw .lost(error)
        }
        nonce = try Self.hello(socket)
        do throws(EndpointError) {
            // From now on the service may take its time: it may have to ask a person.
            try socket.setReceiveTimeout(nil)
        } catch {
            throw .lost(error)
        }
    }

    var belongsToThisProcess: Bool { socket.belongsToThisProcess }

    func shutDown() { socket.shutDown() }

    /// Sends a frame and wipes it.
    func send(_ frame: consuming [UInt8]) throws(Failure) {
        var frame = frame
        defer { wipe(&frame) }
        hasReceivedPart = false
        // SAFETY: the array lives across the call.
        let result: Result<Void, Failure> = unsafe frame.withUnsafeBytes { bytes in
            do throws(EndpointError) {
                return .success(try unsafe socket.send(bytes))
            } catch {
                return .failure(.lost(error))
            }
        }
        try result.get()
    }

    /// Receives the frames of one answer.
    func receiveAnswer(_ receive: (Frame) throws(WireError) -> AnswerProgress) throws(Failure) {
        while true {
            switch try receiveFrame(receive) {
            case .last:
                guard reader.isEmpty else { throw .protocolViolation(.trailingBytes) }
                return
            case .moreFollow:
                hasReceivedPart = true
            }
        }
    }

    /// Receives one frame, lends it to the closure, and wipes it.
    func receiveFrame<R>(_ receive: (Frame) throws(WireError) -> R) throws(Failure) -> R {
        defer { reader.discard { wipe(&$0) } }
        while let missing = try Failure.mapping({ () throws(WireError) in try reader.missing }) {
            try Self.fill(&reader, from: socket, missing)
        }
        return try Failure.mapping { () throws(WireError) in try receive(try reader.frame(mayHaveMore: true)) }
    }

    private static func hello(_ socket: EndpointSocket) throws(Failure) -> [UInt8] {
        var reader = FrameReader()
        while let missing = try Failure.mapping({ () throws(WireError) in try reader.missing }) {
            try fill(&reader, from: socket, missing)
        }
        return try Failure.mapping { () throws(WireError) -> Result<[UInt8], Failure> in
            let frame = try reader.frame()
            if frame.kind == .reply, let refusal = try ReplyPart<Void>(frame, secret: { _ in }).refusal {
                return .failure(.refused(refusal))
            }
            return .success(try Hello(frame).nonce)
        }.get()
    }

    private static func fill(
        _ reader: inout FrameReader, from socket: EndpointSocket, _ missing: Int
    ) throws(Failure) {
        // A frame of usual size comes in one piece; a large one should not take a thousand calls.
        let size = missing > receiveBytes ? 16 * receiveBytes : receiveBytes
        let result: Result<Void, Failure> = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) {
            buffer in
            do throws(EndpointError) {
                // SAFETY: the buffer lives until the closure ends, and only the part that was received is read.
                let count = try unsafe socket.receive(into: buffer)
                guard count > 0 else { return .failure(.lost(.closed)) }
                let received = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                defer { unsafe wipe(received) }
                return Result { () throws(Failure) in
                    try Failure.mapping { () throws(WireError) in try unsafe reader.receive(received) }
                }
            } catch {
                return .failure(.lost(error))
            }
        }
        try result.get()
    }
}

/// Why an exchange on a connection failed.
enum Failure: Error {
    /// The connection broke, or was never there.
    case lost(EndpointError)
    case protocolViolation(WireError)
    case refused(Refusal)

    static func mapping<R>(_ body: () throws(WireError) -> R) throws(Failure) -> R {
        do throws(WireError) { return try body() } catch { throw .protocolViolation(error) }
    }

    var asClientError: ClientError {
        switch self {
        case .lost(let error): .unavailable("\(error)")
        case .protocolViolation(.version(let version)):
            .unavailable(
                "the keychain service speaks protocol version \(version), this program \(FrameHeader.version); "
                    + "install the same version of both")
        case .protocolViolation(let error): .protocolViolation(error)
        case .refused(let refusal): .refused(refusal)
        }
    }
}

/// A connection that has become a stream of changes.
private struct SocketChangeStream: ChangeStream {
    private let connection: ServiceConnection
    private let isCancelled = Cancellation()

    init(_ connection: ServiceConnection) {
        self.connection = connection
    }

    func next() throws(ClientError) -> ItemChange? {
        do throws(Failure) {
            return try connection.receiveFrame { frame throws(WireError) in try ItemChange(frame) }
        } catch {
            if isCancelled.flag.load(ordering: .relaxed) { return nil }
            throw error.asClientError
        }
    }

    func cancel() {
        isCancelled.flag.store(true, ordering: .relaxed)
        connection.shutDown()
    }

    private final class Cancellation: Sendable {
        let flag = Atomic(false)
    }
}
