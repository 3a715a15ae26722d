// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
internal import Dispatch
internal import Synchronization

/// A program on a message bus that exports objects, and calls others without waiting.
///
/// One thread runs ``run(on:onSignal:)``: it receives calls, and runs the code of objects. All other functions may be called
/// from any thread, before and during the run; a server runs once. The thread that makes a message also sends it. Everything
/// that others can cause is bounded by ``Limits``.
public final class BusServer: Sendable {
    /// The bounds of a server.
    public struct Limits: Hashable, Sendable {
        /// Calls of one client that are not answered yet. More are refused with `LimitsExceeded`.
        public var callsPerClient = 64
        /// Calls of all clients that are not answered yet. More are refused.
        public var calls = 1024
        /// Bytes of messages that the bus has not taken yet. Beyond half of it the server reads no further messages;
        /// beyond the whole, results are replaced by `LimitsExceeded`, and signals and calls are refused.
        public var queuedBytes = 64 << 20
        /// Bytes of the arguments of a sent message. The bus ends connections that send more than it allows.
        public var messageBytes = 16 << 20
        /// Descriptors of a sent message; many buses allow 16.
        public var descriptors = 16
        /// Calls by this program that are not answered yet. More fail.
        public var requests = 1024
        /// Watches of names.
        public var watches = 4096
        /// Connections to the bus of which the server notes when it saw them. The processes of others are not known,
        /// unless the bus provides pidfds.
        public var connections = 65536

        public init() {}
    }

    /// A message that waits for the socket.
    struct Outgoing {
        let message: Message
        let descriptors: [Descriptor]
        var request: Request?

        /// The size with an estimate for the header.
        var byteCount: Int { message.bodyByteCount + 512 }
    }

    /// A call by this program that waits for its answer.
    struct Request {
        let destination: BusName?
        let deadline: ContinuousClock.Instant
        let completion: @Sendable (Result<Answer, BusError>) -> Void
    }

    enum Phase {
        case running
        case stopping
        case ended
    }

    /// A closure or an object that is removed from the state must leave the lock before it is released, because its
    /// destruction may answer a call.
    struct State {
        var phase = Phase.running
        var tree = ObjectTree()
        var outbox: [Outgoing] = []
        var queuedBytes = 0
        var calls: [BusName: Int] = [:]
        var callCount = 0
        var requestCount = 0
        var watches: [BusName: [UInt64: @Sendable () -> Void]] = [:]
        var watchCount = 0
        var lastWatch: UInt64 = 0
        var isSubscribed = false
        /// When the server saw the connections to the bus first.
        var connections: [BusName: ProcessTime] = [:]
        /// Whether the thread of the server waits, so that a change of its deadline or its queue must wake it.
        var isWaiting = false
    }

    let limits: Limits
    let clock: @Sendable () -> ProcessTime
    let wakeup: Wakeup
    let state = Mutex(State())
    /// Sends the queued messages; nil before and after the run. This lock is never taken while `state` is locked.
    let sender = Mutex<MessageSender?>(nil)

    /// - Parameters:
    ///   - limits: the bounds.
    ///   - clock: returns the time with which the starts of clients' processes are compared.
    /// - Throws: ``SystemError`` if the process has no free descriptors.
    public init(
        limits: Limits = Limits(), clock: @escaping @Sendable () -> ProcessTime = ProcessTime.now
    ) throws(SystemError) {
        self.limits = limits
        self.clock = clock
        wakeup = try Wakeup()
    }

    // MARK: Objects

    /// Exports an object, and replaces the object at the path. The nearest object manager above announces the object.
    ///
    /// - Parameters:
    ///   - object: a value or an instance of a final class.
    ///   - path: its path.
    ///   - isManager: whether the object implements `org.freedesktop.DBus.ObjectManager` for the objects that are
    ///     exported below it. Objects of sources are not included.
    public func export(_ object: any BusObject, at path: ObjectPath, isManager: Bool = false) {
        let (old, manager) = state.withLock { state in
            (
                state.tree.exports.updateValue(ObjectTree.Export(object: object, isManager: isManager), forKey: path),
                state.tree.manager(of: path)
            )
        }
        withExtendedLifetime(old) {}
        guard let manager else { return }
        // A failure means that the server has ended or that the bus does not read; clients then list the objects again.
        try? emit(
            "InterfacesAdded", [.objectPath(path), object.interfacesAndProperties], of: StandardInterface.objectManager,
            at: manager)
    }

    /// Exports the objects of a source, whose paths begin with that path. Exported objects come first.
    public func export(_ source: any ObjectSource, below path: ObjectPath) {
        let old = state.withLock { $0.tree.sources.updateValue(source, forKey: path) }
        withExtendedLifetime(old) {}
    }

    /// Ends the export of the object and of the source at the path. The nearest manager above announces it. Calls that
    /// the object has begun to handle continue.
    public func withdraw(at path: ObjectPath) {
        let (old, source, manager) = state.withLock { state in
            (
                state.tree.exports.removeValue(forKey: path), state.tree.sources.removeValue(forKey: path),
                state.tree.manager(of: path)
            )
        }
        withExtendedLifetime(source) {}
        guard let old, let manager else { return }
        let names = type(of: old.object).descriptions.map { Value.string($0.name.rawValue) }
        // As for an export.
        try? emit(
            "InterfacesRemoved", [.objectPath(path), .array(of: .string, names)], of: StandardInterface.objectManager,
            at: manager)
    }

    func target(of path: ObjectPath) -> ObjectTree.Target { state.withLock { $0.tree.target(of: path) } }

    func children(of path: ObjectPath) -> (names: [String], source: (any ObjectSource)?) {
        state.withLock { ($0.tree.children(of: path), $0.tree.source(at: path)) }
    }

    func objects(below path: ObjectPath) -> [(path: ObjectPath, object: any BusObject)] {
        state.withLock { $0.tree.objects(below: path) }
    }

    // MARK: Signals

    /// Emits a signal.
    ///
    /// - Parameters:
    ///   - signal: the name of a declared signal.
    ///   - arguments: values of the declared types.
    ///   - interface: the interface that declares it.
    ///   - path: the object that emits it.
    ///   - destination: the only receiver; nil for all subscribers.
    /// - Throws: `.undeclared` for another signal or other types, `.protocolViolation` for values that cannot be encoded,
    ///   `.limitExceeded`, and `.closed` after the run.
    public func emit(
        _ signal: MemberName, _ arguments: [Value] = [], of interface: InterfaceDescription, at path: ObjectPath,
        to destination: BusName? = nil
    ) throws(BusError) {
        guard let declared = interface.signals.first(where: { $0.name == signal }), declared.carries(arguments) else {
            throw .undeclared
        }
        let message: Message
        do throws(CodingError) {
            message = try .signal(signal, of: interface.name, at: path, to: destination, arguments)
        } catch {
            throw .protocolViolation(error)
        }
        try enqueue(Outgoing(message: message, descriptors: [], request: nil))
    }

    /// Announces new values of properties with `PropertiesChanged`, as their annotations say: with the value, without
    /// it, or not at all.
    ///
    /// - Parameters:
    ///   - names: the properties that have changed.
    ///   - interface: the interface that declares them.
    ///   - object: the object, with the new values.
    ///   - path: its path.
    /// - Throws: `.undeclared` for an unknown interface or property, and as ``emit(_:_:of:at:to:)``.
    public func announceChange(
        of names: [MemberName], in interface: InterfaceName, of object: any BusObject, at path: ObjectPath
    ) throws(BusError) {
        let descriptions = type(of: object).descriptions
        guard let index = descriptions.firstIndex(where: { $0.name == interface }) else { throw .undeclared }
        var changed: [Value.DictionaryEntry] = []
        var invalidated: [Value] = []
        for name in names {
            guard let property = descriptions[index].properties.firstIndex(where: { $0.name == name }) else {
                throw .undeclared
            }
            let text = Value.string(name.rawValue)
            switch descriptions[index].properties[property].changeSignal {
            case .value:
                if let value = try? object.value(of: CallRoute.Property(interface: index, property: property)) {
                    changed.append(.init(text, .variant(value)))
                } else {
                    invalidated.append(text)
                }
            case .invalidation: invalidated.append(text)
            case .constant, .none: continue
            }
        }
        if changed.isEmpty && invalidated.isEmpty { return }
        try emit(
            "PropertiesChanged",
            [
                .string(interface.rawValue), .dictionary(key: .string, value: .variant, changed),
                .array(of: .string, invalidated),
            ], of: StandardInterface.properties, at: path)
    }

    // MARK: Calls of other programs

    /// Calls a method of another program. The completion runs once: on the thread of the server, or at once on the thread
    /// that cannot queue or send the call.
    ///
    /// - Parameters:
    ///   - call: a message of the kind `.methodCall`.
    ///   - descriptors: those that its arguments name.
    ///   - timeout: until the answer.
    ///   - completion: takes the answer, or `.refused`, `.timedOut`, `.limitExceeded`, or `.closed` at the end of the run.
    public func call(
        _ call: Message, descriptors: [Descriptor] = [], timeout: Duration = .seconds(25),
        completion: @escaping @Sendable (Result<Answer, BusError>) -> Void
    ) {
        let request = Request(
            destination: call.destination, deadline: ContinuousClock.now + timeout, completion: completion)
        do throws(BusError) {
            try enqueue(Outgoing(message: call, descriptors: descriptors, request: request))
        } catch {
            completion(.failure(error))
        }
    }

    /// Sends a request to the bus. The completion runs as that of ``call(_:descriptors:timeout:completion:)``.
    public func perform<Success>(
        _ request: BusRequest<Success>, timeout: Duration = .seconds(25),
        completion: @escaping @Sendable (Result<Success, BusError>) -> Void
    ) {
        do throws(BusError) {
            call(try request.message(), timeout: timeout) { answer in
                completion(Result { () throws(BusError) in try request.result(answer) })
            }
        } catch {
            completion(.failure(error))
        }
    }

    /// Sends a request to the bus and blocks until it has answered. Not for the thread of the server, which receives the
    /// answer. Throws as ``call(_:descriptors:timeout:completion:)``.
    public func perform<Success: Sendable>(
        _ request: BusRequest<Success>, timeout: Duration = .seconds(25)
    ) throws(BusError) -> Success {
        let answer = Mutex<Result<Success, BusError>?>(nil)
        let answered = DispatchSemaphore(value: 0)
        perform(request, timeout: timeout) { result in
            answer.withLock { $0 = result }
            answered.signal()
        }
        answered.wait()
        guard let result = answer.withLock({ $0 }) else { throw .closed }
        return try result.get()
    }

    /// Sends a request to the bus and waits for its answer. Throws as ``call(_:descriptors:timeout:completion:)``.
    public func perform<Success>(
        _ request: BusRequest<Success>, timeout: Duration = .seconds(25)
    ) async throws(BusError) -> Success {
        let result = await withCheckedContinuation { continuation in
            perform(request, timeout: timeout) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    // MARK: The run

    /// Sends the queued messages, for at most five seconds, and ends the run. Calls that arrive later get no answer.
    public func stop() {
        state.withLock { state in
            if state.phase == .running { state.phase = .stopping }
        }
        wakeup.wake()
    }

    /// Serves until ``stop()`` is called or the connection ends. Messages that the connection has kept come first, so a
    /// program can request its name before.
    ///
    /// - Parameters:
    ///   - connection: for this thread alone.
    ///   - onSignal: takes every signal, on this thread; see ``NameEvent`` for the server's own names.
    /// - Throws: every ``BusError`` but `.refused` and `.timedOut`; nothing after ``stop()``.
    public func run(
        on connection: BusConnection, onSignal: @escaping (Message) -> Void = { _ in }
    ) throws(BusError) {
        // At the start, so that the connections of later processes are seen when they are made.
        subscribe()
        sender.withLock { $0 = connection.makeSender() }
        let loop = ServerLoop(self, connection, onSignal)
        let result = Result { () throws(BusError) in try loop.run() }
        let outbox = state.withLock { state in
            defer {
                state.phase = .ended
                state.outbox = []
            }
            return state.outbox
        }
        let requests = sender.withLock { sender in
            defer { sender = nil }
            return sender?.requests ?? []
        }
        for request in requests + outbox.compactMap(\.request) { complete(request, .failure(.closed)) }
        endWatches()
        try result.get()
    }

    /// Counts a call of a client; false if there are too many.
    func beginCall(of client: BusName) -> Bool {
        state.withLock { state in
            guard state.callCount < limits.calls, state.calls[client, default: 0] < limits.callsPerClient else {
                return false
            }
            state.callCount += 1
            state.calls[client, default: 0] += 1
            return true
        }
    }

    func endCall(of client: BusName) {
        state.withLock { state in
            state.callCount -= 1
            let count = state.calls[client, default: 1] - 1
            state.calls[client] = count == 0 ? nil : count
        }
    }

    /// Runs a completion, and counts the request as ended.
    func complete(_ request: Request, _ answer: Result<Answer, BusError>) {
        state.withLock { $0.requestCount -= 1 }
        request.completion(answer)
    }
}
