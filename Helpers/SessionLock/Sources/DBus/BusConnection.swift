// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
internal import Glibc

/// Why a connection to a bus could not be made, was lost, or a call failed.
public enum BusFailure: Error, Hashable, Sendable {
    /// The other side closed the connection.
    case closed
    case timedOut
    /// More came, while an answer was waited for, than is kept.
    case flooded
    /// The interruption that the connection was made with has come.
    case interrupted
    /// The bus does not let this user in.
    case rejected
    /// The other side sent what is no D-Bus, or the call has arguments that cannot be encoded.
    case protocolViolation(CodingFailure)
    /// The authentication went otherwise than the protocol has it.
    case authentication
    /// The answer to a call is an error; the text is the other side's, and may be empty.
    case refused(InterfaceName, String)
    /// The answer to a call has other arguments than the method's.
    case unexpectedAnswer
    case system(SystemFailure)
}

extension BusFailure {
    /// Whether there is no socket at any of the addresses of a bus, so that no bus ever listened there.
    public var isMissingSocket: Bool {
        if case .system(let failure) = self { failure.call == "connect" && failure.code == ENOENT } else { false }
    }
}

extension BusFailure: CustomStringConvertible {
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
        case .system(let failure): "\(failure)"
        }
    }
}

/// A message with the descriptors that came with it.
public struct ReceivedMessage: Sendable {
    public let message: Message
    public let descriptors: [Descriptor]
}

/// A connection to a message bus, for one thread.
///
/// Every call waits for a bounded time. What comes while an answer is waited for is kept for ``next(until:or:)``.
public final class BusConnection {
    /// The name that the bus gave to the connection.
    public private(set) var uniqueName: BusName
    /// Whether the bus passes descriptors.
    public private(set) var passesDescriptors = false

    private let socket: BusSocket
    private var stream: MessageStream<Descriptor>
    private var waiting: [ReceivedMessage] = []
    /// Of the bodies of those messages.
    private var waitingBytes = 0
    private var lastSerial: UInt32 = 0

    /// The largest message that is kept, header included: what system services send is smaller by far.
    public static let defaultMessageLimit = 1 << 20
    /// How many messages are kept while an answer is waited for, and how many bytes of them. Beyond that the connection is
    /// given up: a sender that is faster than we are should not fill our memory.
    private static let waitingLimit = 4096
    private static let waitingByteLimit = 16 << 20

    /// Connects to the first of the addresses where somebody listens, authenticates as this process's user, and says
    /// hello.
    ///
    /// - Parameters:
    ///   - timeout: for all of it together.
    ///   - interruption: ends every wait of this connection, from now on, with `.interrupted`.
    /// - Throws: every ``BusFailure``.
    public init(
        to addresses: [ServerAddress], timeout: Duration = .seconds(5), messageLimit: Int = defaultMessageLimit,
        interruption: Wakeup? = nil
    ) throws(BusFailure) {
        let deadline = ContinuousClock.now + timeout
        stream = MessageStream(limit: messageLimit)
        socket = try Self.connect(addresses, interruption)
        uniqueName = ":0.0"
        try authenticate(until: deadline)
        let answer = try call(
            .bus("Hello"), timeout: max(.zero, deadline - ContinuousClock.now)
        ).arguments()
        guard let name = answer.first?.string.flatMap(BusName.init(rawValue:)), name.isUnique else {
            throw .unexpectedAnswer
        }
        uniqueName = name
    }

    private static func connect(
        _ addresses: [ServerAddress], _ interruption: Wakeup?
    ) throws(BusFailure) -> BusSocket {
        var failure: BusFailure?
        for address in addresses {
            do throws(BusFailure) {
                return try BusSocket(connectingTo: address, interruption: interruption)
            } catch {
                // A socket that refuses says more than one that is missing.
                if failure?.isMissingSocket != false { failure = error }
            }
        }
        throw failure ?? .closed
    }

    private func authenticate(until deadline: ContinuousClock.Instant) throws(BusFailure) {
        var authentication = Authentication()
        try socket.send(Authentication.opening(user: geteuid()), until: deadline)
        while !authentication.isFinished {
            guard let received = try socket.receive(until: deadline) else { throw .timedOut }
            var bytes = received.bytes[...]
            while let answer = try Self.answer(to: &bytes, &authentication) {
                try socket.send(answer, until: deadline)
            }
            // Nobody sends a message before BEGIN, and no descriptor comes with a line.
            guard bytes.isEmpty, received.descriptors.isEmpty else { throw .authentication }
        }
        passesDescriptors = authentication.passesDescriptors
    }

    private static func answer(
        to bytes: inout ArraySlice<UInt8>, _ authentication: inout Authentication
    ) throws(BusFailure) -> [UInt8]? {
        if authentication.isFinished { return nil }
        do throws(Authentication.Failure) {
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
    /// Throws `.refused` where the answer is an error, and every other ``BusFailure``.
    @discardableResult
    public func call(
        _ call: Message, descriptors: [Descriptor] = [], timeout: Duration = .seconds(5)
    ) throws(BusFailure) -> Answer {
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
            case .error:
                let arguments = (try? received.message.arguments()) ?? []
                throw .refused(
                    received.message.errorName ?? "org.freedesktop.DBus.Error.Failed", arguments.first?.string ?? "")
            case .methodCall, .signal: try keep(received)
            }
        }
    }

    private func keep(_ received: ReceivedMessage) throws(BusFailure) {
        waitingBytes += received.message.bodyByteCount
        guard waiting.count < Self.waitingLimit, waitingBytes <= Self.waitingByteLimit else { throw .flooded }
        waiting.append(received)
    }

    /// Sends a message for which no answer is waited for; its serial.
    @discardableResult
    public func send(
        _ message: Message, descriptors: [Descriptor] = [], timeout: Duration = .seconds(5)
    ) throws(BusFailure) -> UInt32 {
        try send(message, descriptors: descriptors, until: ContinuousClock.now + timeout)
    }

    private func send(
        _ message: Message, descriptors: [Descriptor], until deadline: ContinuousClock.Instant
    ) throws(BusFailure) -> UInt32 {
        // Serials are never zero, and come again after four thousand million messages.
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        let bytes: [UInt8]
        do throws(CodingFailure) {
            bytes = try message.bytes(serial: lastSerial)
        } catch {
            throw .protocolViolation(error)
        }
        try socket.send(bytes, descriptors: descriptors, until: deadline)
        return lastSerial
    }

    // MARK: What others send

    /// The next message that is no answer; nil when the deadline has passed, or when `wakeup` has been woken first.
    ///
    /// Throws every ``BusFailure`` but `.refused` and `.timedOut`.
    public func next(
        until deadline: ContinuousClock.Instant?, or wakeup: Wakeup?
    ) throws(BusFailure) -> ReceivedMessage? {
        if !waiting.isEmpty {
            let first = waiting.removeFirst()
            waitingBytes -= first.message.bodyByteCount
            return first
        }
        return try receive(until: deadline, or: wakeup)
    }

    private func receive(
        until deadline: ContinuousClock.Instant?, or wakeup: Wakeup?
    ) throws(BusFailure) -> ReceivedMessage? {
        while true {
            do throws(CodingFailure) {
                if let (message, descriptors) = try stream.next() {
                    return ReceivedMessage(message: message, descriptors: descriptors)
                }
            } catch {
                throw .protocolViolation(error)
            }
            guard let received = try socket.receive(until: deadline, or: wakeup) else { return nil }
            stream.receive(received.bytes, descriptors: received.descriptors)
        }
    }
}

/// The answer to a call, which is no error.
public struct Answer: Sendable {
    public let message: Message
    public let descriptors: [Descriptor]

    init(_ received: ReceivedMessage) {
        message = received.message
        descriptors = received.descriptors
    }

    /// Throws `.protocolViolation`.
    public func arguments() throws(BusFailure) -> [Value] {
        do throws(CodingFailure) {
            return try message.arguments()
        } catch {
            throw .protocolViolation(error)
        }
    }

    /// The only argument. Throws `.unexpectedAnswer` where there is not exactly one, and `.protocolViolation`.
    public func argument() throws(BusFailure) -> Value {
        let arguments = try arguments()
        guard arguments.count == 1 else { throw .unexpectedAnswer }
        return arguments[0]
    }

    /// The descriptor that is the only argument. Throws as ``argument()``.
    public func descriptor() throws(BusFailure) -> Descriptor {
        guard let index = try argument().descriptorIndex, index < descriptors.count else { throw .unexpectedAnswer }
        return descriptors[Int(index)]
    }
}
