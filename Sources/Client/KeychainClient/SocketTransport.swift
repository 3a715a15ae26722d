// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory
internal import Synchronization

/// The keychain service behind its socket. The first request starts it.
///
/// Usually the whole process has one connection. If a request waits for a prompt, another connection is opened for the
/// other requests of the program.
final class SocketTransport: KeychainTransport {
    private let endpoint: @Sendable () throws(EndpointError) -> ServiceEndpoint
    private let requiresEntitlements: Bool
    /// An answer belongs to the previous request, so a connection handles one request at a time.
    private let connection: Mutex<ServiceConnection?>
    /// One connection that is kept for requests that find the first one busy.
    private let spare = Mutex<ServiceConnection?>(nil)
    /// The maximum number of such requests; others wait for one of them.
    private let places = DispatchSemaphore(value: 7)
    /// Nil if requests cannot be interrupted.
    private let interruption: Interruption?
    /// A pidfd of the process whose requests a bridge makes; nil for the requests of this program.
    private let client: OwnedDescriptor?
    /// The longest time that the service may take for each part of an answer; nil for no limit.
    private let timeout: Duration?

    /// - Parameter endpoint: called before each new connection, because a system service may be installed in the
    ///   meantime.
    init(
        requiresEntitlements: Bool = false, interruption: Interruption? = nil, client: OwnedDescriptor? = nil,
        timeout: Duration? = nil, _ endpoint: @escaping @Sendable () throws(EndpointError) -> ServiceEndpoint
    ) {
        self.endpoint = endpoint
        self.requiresEntitlements = requiresEntitlements
        self.interruption = interruption
        self.client = client
        self.timeout = timeout
        connection = Mutex(nil)
    }

    convenience init(_ directories: InstanceDirectories, requiresEntitlements: Bool = false) {
        self.init(requiresEntitlements: requiresEntitlements) { ServiceEndpoint(directories) }
    }

    /// The service that the machine and the environment define.
    static func environment(requiresEntitlements: Bool = false) -> SocketTransport {
        SocketTransport(requiresEntitlements: requiresEntitlements || ClientEnvironment.requiresEntitlements) {
            () throws(EndpointError) in try .current()
        }
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        let result: Result<Void, ClientError>? = connection.withLockIfAvailable { current in
            do throws(ClientError) {
                return .success(try exchange(&current, request, isRepeatable, receive))
            } catch {
                return .failure(error)
            }
        }
        if let result { return try result.get() }
        places.wait()
        defer { places.signal() }
        var own = spare.withLock { $0.take() }
        defer { keep(&own) }
        try exchange(&own, request, isRepeatable, receive)
    }

    /// Keeps a connection for the next additional request, unless one is kept already.
    private func keep(_ connection: inout ServiceConnection?) {
        spare.withLock { spare in
            if spare == nil { spare = connection.take() }
        }
    }

    func separate() -> any KeychainTransport {
        SocketTransport(
            requiresEntitlements: requiresEntitlements, interruption: Interruption(), client: client, endpoint)
    }

    func interrupt() { interruption?.interrupt() }

    func disconnect() {
        _ = connection.withLockIfAvailable { $0 = nil }
        spare.withLock { $0 = nil }
    }

    func watch() throws(ClientError) -> any ChangeStream {
        try stream(after: .watch) { frame throws(WireError) in try WatchedEvent(frame) }
    }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        try stream(after: .watchKeychains(filter)) { frame throws(WireError) in try KeychainNotice(frame) }
    }

    func followLog() throws(ClientError) -> any LogStream {
        try stream(after: .log(.follow)) { frame throws(WireError) in try LogEvent(frame) }
    }

    private func stream<Event: Sendable>(
        after request: Request<[UInt8]>, _ read: @escaping @Sendable (Frame) throws(WireError) -> Event
    ) throws(ClientError) -> SocketStream<Event> {
        var connectionsLeft = Self.connectionsPerRequest
        while true {
            connectionsLeft -= 1
            do throws(ConnectionError) {
                return SocketStream(try connection(after: request), read)
            } catch {
                guard case .lost(.closed) = error, connectionsLeft > 0 else { throw error.asClientError }
            }
        }
    }

    private func connect() throws(ConnectionError) -> ServiceConnection {
        var connection = try ServiceConnection(endpoint)
        if let timeout { try connection.limitWaits(to: timeout) }
        if let client { try connection.begin(onBehalfOf: client) }
        if requiresEntitlements { try connection.requireEntitlements() }
        return connection
    }

    private func connection(after request: Request<[UInt8]>) throws(ConnectionError) -> ServiceConnection {
        var connection = try connect()
        try connection.send(request.frame(nonce: connection.nonce))
        // Events may directly follow the answer, so only this one frame is read.
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
        // A lost connection is detected only when it is used: the service may have stopped, or closed the connection to
        // make room. The request is sent again if the service cannot have executed it, and once if executing it twice
        // changes nothing.
        var connectionsLeft = Self.connectionsPerRequest
        var mayRepeat = isRepeatable
        while true {
            connectionsLeft -= 1
            if current?.belongsToThisProcess != true { current = nil }
            var connection: ServiceConnection
            do throws(ConnectionError) {
                if let kept = current.take() {
                    connection = kept
                } else {
                    connection = try connect()
                }
            } catch {
                guard case .lost(.closed) = error, connectionsLeft > 0 else { throw error.asClientError }
                continue
            }
            var sent = false
            do throws(ConnectionError) {
                try interruption?.begin(connection.socket)
                defer { interruption?.end() }
                try connection.send(request(connection.nonce))
                sent = true
                try connection.receiveAnswer(receive)
            } catch {
                guard
                    case .lost(.closed) = error, connectionsLeft > 0, !connection.hasReceivedPart, !sent || mayRepeat
                else { throw error.asClientError }
                if sent { mayRepeat = false }
                continue
            }
            // The connection is kept only after a complete answer.
            current = consume connection
            return
        }
    }

    /// More than two: if one service has stopped, the next one may be stopping as well.
    private static let connectionsPerRequest = 4
}

/// Ends the request of a transport with one request at a time. It closes the connection, so that the service ends the
/// request too.
final class Interruption: Sendable {
    private struct State {
        var isInterrupted = false
        var socket: EndpointSocket?
    }

    private let state = Mutex(State())

    /// - Throws: after an interruption.
    func begin(_ socket: EndpointSocket) throws(ConnectionError) {
        let isInterrupted = state.withLock { state in
            if !state.isInterrupted { state.socket = socket }
            return state.isInterrupted
        }
        if isInterrupted { throw .interrupted }
    }

    func end() { state.withLock { $0.socket = nil } }

    func interrupt() {
        let socket = state.withLock { state in
            state.isInterrupted = true
            return state.socket
        }
        socket?.shutDown()
    }
}

/// One connection, after the hello. Not copyable: a copy of the reader would leave unwiped bytes in memory.
struct ServiceConnection: ~Copyable {
    let nonce: [UInt8]
    let socket: EndpointSocket
    private var reader = FrameReader()
    /// Whether a part of the current answer has been passed to the caller already.
    private(set) var hasReceivedPart = false

    private static let helloTimeout: Duration = .seconds(10)
    private static let receiveBytes = 16 * 1024

    /// Connects, starting the service if it does not run, and receives its hello.
    init(_ endpoint: () throws(EndpointError) -> ServiceEndpoint) throws(ConnectionError) {
        let (socket, nonce) = try Self.open(endpoint)
        self.socket = socket
        self.nonce = nonce
    }

    /// Gives up the default access group of programs without entitlements.
    mutating func requireEntitlements() throws(ConnectionError) {
        try send(Request<[UInt8]>.requireEntitlements.frame(nonce: nonce))
        let refusal = try receiveFrame { frame throws(WireError) in try ReplyPart<Void>(frame) { _ in }.refusal }
        if let refusal { throw .refused(refusal) }
    }

    /// Ends each later wait for the service after this time.
    func limitWaits(to timeout: Duration) throws(ConnectionError) {
        do throws(EndpointError) {
            try socket.setReceiveTimeout(timeout)
            try socket.setSendTimeout(timeout)
        } catch {
            throw .lost(error)
        }
    }

    /// Makes the connection that of another process.
    ///
    /// - Parameter client: a pidfd of the process.
    mutating func begin(onBehalfOf client: OwnedDescriptor) throws(ConnectionError) {
        do throws(EndpointError) {
            try socket.send(Request<[UInt8]>.behalf.frame(nonce: nonce).span, with: client)
        } catch {
            throw .lost(error)
        }
        let refusal = try receiveFrame { frame throws(WireError) in try Refusal(answer: frame) }
        if let refusal { throw .refused(refusal) }
    }

    private static func open(
        _ endpoint: () throws(EndpointError) -> ServiceEndpoint
    ) throws(ConnectionError) -> (EndpointSocket, nonce: [UInt8]) {
        let socket: EndpointSocket
        do throws(EndpointError) {
            socket = try EndpointSocket.connectOrLaunch(try endpoint())
            try socket.setReceiveTimeout(helloTimeout)
        } catch {
            throw .lost(error)
        }
        let nonce = try hello(socket)
        do throws(EndpointError) {
            try socket.sendGreeting(Greeting.frame(nonce: nonce).span)
            // After this there is no timeout: the service may have to prompt the user.
            try socket.setReceiveTimeout(nil)
        } catch {
            throw .lost(error)
        }
        return (socket, nonce)
    }

    var belongsToThisProcess: Bool { socket.belongsToThisProcess }

    /// Sends a frame and wipes it.
    mutating func send(_ frame: consuming [UInt8]) throws(ConnectionError) {
        var frame = frame
        defer { wipe(&frame) }
        hasReceivedPart = false
        do throws(EndpointError) {
            try socket.send(frame.span)
        } catch {
            throw .lost(error)
        }
    }

    /// Receives the frames of one answer.
    mutating func receiveAnswer(_ receive: (Frame) throws(WireError) -> AnswerProgress) throws(ConnectionError) {
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

    /// Receives one frame, passes it to the closure, and wipes it.
    mutating func receiveFrame<R>(_ receive: (Frame) throws(WireError) -> R) throws(ConnectionError) -> R {
        defer { reader.discard { wipe(&$0) } }
        while let missing = try ConnectionError.mapping({ () throws(WireError) in try reader.missing }) {
            try Self.fill(&reader, from: socket, missing)
        }
        return try ConnectionError.mapping { () throws(WireError) in try receive(try reader.frame(mayHaveMore: true)) }
    }

    private static func hello(_ socket: EndpointSocket) throws(ConnectionError) -> [UInt8] {
        var reader = FrameReader()
        while let missing = try ConnectionError.mapping({ () throws(WireError) in try reader.missing }) {
            try fill(&reader, from: socket, missing)
        }
        return try ConnectionError.mapping { () throws(WireError) -> Result<[UInt8], ConnectionError> in
            let frame = try reader.frame()
            if frame.kind == .reply, let refusal = try ReplyPart<Void>(frame, secret: { _ in }).refusal {
                return .failure(.refused(refusal))
            }
            return .success(try Hello(frame).nonce)
        }.get()
    }

    private static func fill(
        _ reader: inout FrameReader, from socket: EndpointSocket, _ missing: Int
    ) throws(ConnectionError) {
        // A frame of usual size arrives in one piece; a large frame should not take a thousand calls.
        let size = missing > receiveBytes ? 16 * receiveBytes : receiveBytes
        let count: Int
        do throws(EndpointError) {
            // An invalid header is ignored here: reading the frame reports it.
            count = try socket.receive(atMost: size) { try? reader.receive($0) }
        } catch {
            throw .lost(error)
        }
        guard count > 0 else { throw .lost(.closed) }
    }
}

/// The reason why an exchange on a connection failed.
enum ConnectionError: Error {
    /// The connection was lost or could not be established.
    case lost(EndpointError)
    case protocolViolation(WireError)
    case refused(Refusal)
    /// The program interrupted the request.
    case interrupted

    static func mapping<R>(_ body: () throws(WireError) -> R) throws(ConnectionError) -> R {
        do throws(WireError) { return try body() } catch { throw .protocolViolation(error) }
    }

    var asClientError: ClientError {
        switch self {
        case .lost(let error): .unavailable("\(error)", hint: error.hint)
        case .protocolViolation(.version(let version)):
            .unavailable(
                "the keychain service uses protocol version \(version), but this program uses \(FrameHeader.version); "
                    + "install the same version of both")
        case .protocolViolation(let error): .protocolViolation(error)
        case .refused(let refusal): .refused(refusal)
        case .interrupted: .unavailable("the program cancelled the request")
        }
    }
}

/// A connection that is now a stream of events.
private final class SocketStream<Event: Sendable>: Sendable {
    /// Readers take turns; ending the stream does not wait for them.
    private let connection: Mutex<ServiceConnection>
    private let socket: EndpointSocket
    private let isCancelled = Atomic(false)
    private let read: @Sendable (Frame) throws(WireError) -> Event

    init(_ connection: consuming ServiceConnection, _ read: @escaping @Sendable (Frame) throws(WireError) -> Event) {
        socket = connection.socket
        self.connection = Mutex(connection)
        self.read = read
    }

    /// Waits for the next event; nil after the stream was cancelled.
    func nextEvent() throws(ClientError) -> Event? {
        let result: Result<Event, ConnectionError> = connection.withLock { connection in
            do throws(ConnectionError) {
                return .success(try connection.receiveFrame(read))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let change): return change
        case .failure(let failure):
            if isCancelled.load(ordering: .relaxed) { return nil }
            throw failure.asClientError
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        // The shutdown affects all processes that share the connection.
        if socket.belongsToThisProcess { socket.shutDown() }
    }
}

extension SocketStream: ChangeStream where Event == WatchedEvent {
    func next() throws(ClientError) -> WatchedEvent? { try nextEvent() }
}

extension SocketStream: KeychainNoticeStream where Event == KeychainNotice {
    func next() throws(ClientError) -> KeychainNotice? { try nextEvent() }
}

extension SocketStream: LogStream where Event == LogEvent {
    func next() throws(ClientError) -> [UInt8]? {
        switch try nextEvent() {
        case .line(let line): line
        case .end, nil: nil
        }
    }
}
