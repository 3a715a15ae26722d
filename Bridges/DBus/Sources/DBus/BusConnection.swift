// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
internal import Glibc

/// The reason for a failed connection, a lost connection or a failed call.
public enum BusError: Error, Hashable, Sendable {
    /// The peer closed the connection.
    case closed
    case timedOut
    /// More messages arrived during a call than the connection keeps.
    case flooded
    /// The interruption given to the connection was triggered.
    case interrupted
    /// The bus rejects this user.
    case rejected
    /// The peer sent data that is not D-Bus, or the arguments of the call cannot be encoded.
    case protocolViolation(CodingError)
    /// The authentication did not follow the protocol.
    case authentication
    /// The answer to a call is an error; its text comes from the peer and may be empty.
    case refused(InterfaceName, String)
    /// The arguments of the answer do not match the method.
    case unexpectedAnswer
    /// A bound of ``BusServer/Limits`` is reached.
    case limitExceeded
    /// A signal or a property that the interface does not declare, or arguments of other types than declared.
    case undeclared
    case system(SystemError)
}

extension BusError {
    /// Whether no socket exists at any address of the bus, so that no bus has ever listened there.
    public var isMissingSocket: Bool {
        if case .system(let failure) = self { failure.call == "connect" && failure.code == ENOENT } else { false }
    }
}

extension BusError {
    /// The failure for an error answer.
    static func refusal(_ error: Message) -> BusError {
        let arguments = (try? error.arguments()) ?? []
        return .refused(error.errorName ?? "org.freedesktop.DBus.Error.Failed", arguments.first?.string ?? "")
    }
}

extension BusError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .closed: "the bus closed the connection"
        case .timedOut: "no answer in time"
        case .flooded: "others send more than can be kept"
        case .interrupted: "interrupted"
        case .rejected: "the bus does not let this user in"
        case .protocolViolation(let failure): "this is no D-Bus: \(failure)"
        case .authentication: "the bus does not authenticate as it should"
        case .refused(let name, let text): text.isEmpty ? name.rawValue : "\(text) (\(name))"
        case .unexpectedAnswer: "the answer has other arguments than it should"
        case .limitExceeded: "a limit of the server is reached"
        case .undeclared: "the interface does not declare this"
        case .system(let failure): "\(failure)"
        }
    }
}

/// A message with its descriptors.
public struct ReceivedMessage: Sendable {
    public let message: Message
    public let descriptors: [Descriptor]
}

/// A connection to a message bus, for use by one thread.
///
/// Every call has a time limit. Messages that arrive during a call are kept for ``next(until:or:)``.
public final class BusConnection {
    /// The unique name that the bus assigned to the connection.
    public private(set) var uniqueName: BusName
    /// Whether the bus passes descriptors.
    public private(set) var passesDescriptors = false

    private let socket: BusSocket
    private var stream: MessageStream<Descriptor>
    private var waiting: [ReceivedMessage] = []
    /// The size of the bodies of those messages.
    private var waitingBytes = 0
    private var serials = MessageSerials()

    /// The default limit for a message, header included: system services send much smaller messages.
    public static let defaultMessageLimit = 1 << 20
    /// The limits for messages that are kept during a call: their number and their bytes. A connection beyond them is
    /// closed, so that a fast sender cannot fill the memory.
    private static let waitingLimit = 4096
    private static let waitingByteLimit = 16 << 20

    /// Connects to the first address with a listening bus, authenticates as this process's user, and calls `Hello`.
    ///
    /// - Parameters:
    ///   - timeout: for all steps together.
    ///   - acceptsDescriptors: whether messages may contain descriptors. Without, the bus delivers no message that has
    ///     one: closing the descriptor of a stranger can take as long as the stranger likes (SO_LINGER of socket(7), a
    ///     file of FUSE).
    ///   - interruption: ends every wait of this connection, from now on, with `.interrupted`.
    /// - Throws: every ``BusError``.
    public init(
        to addresses: [ServerAddress], timeout: Duration = .seconds(5), messageLimit: Int = defaultMessageLimit,
        acceptsDescriptors: Bool = true, interruption: Wakeup? = nil
    ) throws(BusError) {
        let deadline = ContinuousClock.now + timeout
        stream = MessageStream(limit: messageLimit)
        socket = try Self.connect(addresses, interruption)
        uniqueName = ":0.0"
        try authenticate(Authentication(requestsDescriptors: acceptsDescriptors), until: deadline)
        uniqueName = try perform(.hello, timeout: max(.zero, deadline - ContinuousClock.now))
    }

    private static func connect(
        _ addresses: [ServerAddress], _ interruption: Wakeup?
    ) throws(BusError) -> BusSocket {
        var failure: BusError?
        for address in addresses {
            do throws(BusError) {
                return try BusSocket(connectingTo: address, interruption: interruption)
            } catch {
                // The failure of a socket that rejects the connection says more than a missing socket.
                if failure?.isMissingSocket != false { failure = error }
            }
        }
        throw failure ?? .closed
    }

    private func authenticate(
        _ initial: Authentication, until deadline: ContinuousClock.Instant
    ) throws(BusError) {
        var authentication = initial
        try socket.send(Authentication.opening(user: geteuid()), until: deadline)
        while !authentication.isFinished {
            guard let received = try socket.receive(until: deadline) else { throw .timedOut }
            var bytes = received.bytes[...]
            while let answer = try Self.answer(to: &bytes, &authentication) {
                try socket.send(answer, until: deadline)
            }
            // A bus sends no message before BEGIN, and no descriptor with a line of the authentication.
            guard bytes.isEmpty, received.descriptors.isEmpty else { throw .authentication }
        }
        passesDescriptors = authentication.passesDescriptors
    }

    private static func answer(
        to bytes: inout ArraySlice<UInt8>, _ authentication: inout Authentication
    ) throws(BusError) -> [UInt8]? {
        if authentication.isFinished { return nil }
        do throws(Authentication.Error) {
            return try authentication.receive(&bytes)
        } catch {
            switch error {
            case .rejected: throw .rejected
            case .unexpected: throw .authentication
            }
        }
    }

    // MARK: Calls

    /// Calls a method and waits for its answer.
    ///
    /// Throws `.refused` if the answer is an error, and every other ``BusError``.
    @discardableResult
    public func call(
        _ call: Message, descriptors: [Descriptor] = [], timeout: Duration = .seconds(5)
    ) throws(BusError) -> Answer {
        let deadline = ContinuousClock.now + timeout
        let serial = try send(call, descriptors: descriptors, until: deadline)
        while true {
            guard let received = try receive(until: deadline, or: nil) else { throw .timedOut }
            guard received.message.replySerial == serial else {
                try keep(received)
                continue
            }
            switch received.message.kind {
            case .methodReturn: return Answer(received)
            case .error: throw .refusal(received.message)
            case .methodCall, .signal: try keep(received)
            }
        }
    }

    private func keep(_ received: ReceivedMessage) throws(BusError) {
        waitingBytes += received.message.bodyByteCount
        guard waiting.count < Self.waitingLimit, waitingBytes <= Self.waitingByteLimit else { throw .flooded }
        waiting.append(received)
    }

    /// Sends a message without waiting for an answer, and returns its serial.
    @discardableResult
    public func send(
        _ message: Message, descriptors: [Descriptor] = [], timeout: Duration = .seconds(5)
    ) throws(BusError) -> UInt32 {
        try send(message, descriptors: descriptors, until: ContinuousClock.now + timeout)
    }

    private func send(
        _ message: Message, descriptors: [Descriptor], until deadline: ContinuousClock.Instant
    ) throws(BusError) -> UInt32 {
        let (serial, bytes) = try serials.encode(message)
        try socket.send(bytes, descriptors: descriptors, until: deadline)
        return serial
    }

    // MARK: Messages from other connections

    /// Returns the next message that is not an answer; nil after the deadline, or if `wakeup` is triggered first.
    ///
    /// Throws every ``BusError`` but `.refused` and `.timedOut`.
    public func next(
        until deadline: ContinuousClock.Instant?, or wakeup: Wakeup?
    ) throws(BusError) -> ReceivedMessage? {
        if let kept = takeKept() { return kept }
        return try receive(until: deadline, or: wakeup)
    }

    private func takeKept() -> ReceivedMessage? {
        if waiting.isEmpty { return nil }
        let first = waiting.removeFirst()
        waitingBytes -= first.message.bodyByteCount
        return first
    }

    private func receive(
        until deadline: ContinuousClock.Instant?, or wakeup: Wakeup?
    ) throws(BusError) -> ReceivedMessage? {
        while true {
            if let next = try nextInStream() { return next }
            guard let received = try socket.receive(until: deadline, or: wakeup) else { return nil }
            stream.receive(received.bytes, descriptors: received.descriptors)
        }
    }

    private func nextInStream() throws(BusError) -> ReceivedMessage? {
        do throws(CodingError) {
            return try stream.next().map { ReceivedMessage(message: $0.message, descriptors: $0.descriptors) }
        } catch {
            throw .protocolViolation(error)
        }
    }

    // MARK: For the loop of a server, which waits for everything at once

    /// Returns the next message that has arrived, answers included.
    func takeReceived() throws(BusError) -> ReceivedMessage? {
        if let kept = takeKept() { return kept }
        return try nextInStream()
    }

    /// Returns the headers of calls beyond the message limit that have arrived.
    func takeSkippedCalls() -> [Message] { stream.takeSkippedCalls() }

    /// Takes what has arrived on the socket.
    func receiveAtOnce() throws(BusError) {
        guard let received = try socket.receiveAtOnce() else { return }
        stream.receive(received.bytes, descriptors: received.descriptors)
    }

    /// Returns the sending side, which any thread may use. From then on this connection only receives.
    func makeSender() -> MessageSender { MessageSender(socket, passesDescriptors: passesDescriptors, serials) }

    /// Waits until the socket is ready; returns false if the wakeup or the deadline comes first.
    func wait(
        reading: Bool, writing: Bool, until deadline: ContinuousClock.Instant?, or wakeup: Wakeup
    ) throws(BusError) -> Bool {
        let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
        return try socket.wait(for: events, until: deadline, or: wakeup)
    }
}

/// The serials of a connection's messages.
struct MessageSerials {
    private var last: UInt32 = 0

    /// Returns a message with the next serial.
    mutating func encode(_ message: Message) throws(BusError) -> (serial: UInt32, bytes: [UInt8]) {
        // Serials are never zero, and repeat after 2³² messages.
        last = last == .max ? 1 : last + 1
        do throws(CodingError) {
            return (last, try message.bytes(serial: last))
        } catch {
            throw .protocolViolation(error)
        }
    }
}

/// A successful answer to a call.
public struct Answer: Sendable {
    public let message: Message
    public let descriptors: [Descriptor]

    init(_ received: ReceivedMessage) {
        message = received.message
        descriptors = received.descriptors
    }

    /// The arguments. Throws `.protocolViolation`.
    public func arguments() throws(BusError) -> [Value] {
        do throws(CodingError) {
            return try message.arguments()
        } catch {
            throw .protocolViolation(error)
        }
    }

    /// The only argument. Throws `.unexpectedAnswer` unless there is exactly one, and `.protocolViolation`.
    public func argument() throws(BusError) -> Value {
        let arguments = try arguments()
        guard arguments.count == 1 else { throw .unexpectedAnswer }
        return arguments[0]
    }

    /// The descriptor that is the only argument. Throws as ``argument()``.
    public func descriptor() throws(BusError) -> Descriptor {
        guard let index = try argument().descriptorIndex, index < descriptors.count else { throw .unexpectedAnswer }
        return descriptors[Int(index)]
    }
}
