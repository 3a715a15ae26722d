// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages

/// The work of the thread that runs a ``BusServer``.
struct ServerLoop {
    private let server: BusServer
    private let connection: BusConnection
    private let onSignal: (Message) -> Void
    /// Sent calls by their serials.
    private(set) var pending: [UInt32: BusServer.Request] = [:]
    private var outbox: ArraySlice<BusServer.Outgoing> = []
    /// The message of which the socket has taken a part.
    private var current: (bytes: ArraySlice<UInt8>, outgoing: BusServer.Outgoing, descriptors: [Descriptor])?

    private static let stopTimeout = Duration.seconds(5)

    init(_ server: BusServer, _ connection: BusConnection, _ onSignal: @escaping (Message) -> Void) {
        self.server = server
        self.connection = connection
        self.onSignal = onSignal
    }

    mutating func run() throws(BusError) {
        var stopDeadline: ContinuousClock.Instant?
        while true {
            let isStopping = server.isStopping
            let socketIsFull = try !sendAll()
            if isStopping {
                let deadline = stopDeadline ?? .now + Self.stopTimeout
                stopDeadline = deadline
                if !socketIsFull || ContinuousClock.now >= deadline { return }
            } else {
                while server.hasRoom, let received = try connection.takeReceived() { handle(received) }
                refuseSkippedCalls()
            }
            expire()
            guard server.prepareToWait(socketIsFull: socketIsFull, isStopping: isStopping) else { continue }
            // While there is no room, the socket is full, and this waits until it is not.
            let isReading = !isStopping && server.hasRoom
            let isReady = try connection.wait(
                reading: isReading, writing: socketIsFull,
                until: stopDeadline ?? pending.values.lazy.map(\.deadline).min(),
                or: server.wakeup)
            server.endWait()
            if !isReady {
                server.wakeup.clear()
            } else if isReading {
                try connection.receiveAtOnce()
            }
        }
    }

    /// Sends the queued messages; false if the socket is full.
    private mutating func sendAll() throws(BusError) -> Bool {
        while true {
            if let (bytes, outgoing, descriptors) = current {
                guard let count = try connection.sendAtOnce(bytes, descriptors) else { return false }
                let rest = bytes.dropFirst(count)
                // The descriptors went with the first byte.
                current = rest.isEmpty ? nil : (rest, outgoing, [])
                if rest.isEmpty { server.sent(outgoing.byteCount) }
                continue
            }
            if outbox.isEmpty { outbox = server.takeOutbox()[...] }
            guard let next = outbox.popFirst() else { return true }
            begin(next)
        }
    }

    private mutating func begin(_ next: BusServer.Outgoing) {
        do throws(BusError) {
            guard next.descriptors.isEmpty || connection.passesDescriptors else {
                throw .protocolViolation(.noSuchDescriptor)
            }
            let (serial, bytes) = try connection.encode(next.message)
            current = (bytes[...], next, next.descriptors)
            // A call that expects no answer is complete when it is sent; its deadline ends it.
            if let request = next.request { pending[serial] = request }
        } catch {
            server.sent(next.byteCount)
            if let request = next.request { server.complete(request, .failure(error)) }
        }
    }

    private mutating func handle(_ received: ReceivedMessage) {
        let message = received.message
        switch message.kind {
        case .methodReturn: complete(message, .success(Answer(received)))
        case .error: complete(message, .failure(.refusal(message)))
        case .signal:
            if let change = NameOwnerChange(message) {
                if change.newOwner == nil { server.end(change.name) } else { server.noteConnection(change.name) }
            }
            onSignal(message)
        case .methodCall: server.dispatch(received, passesDescriptors: connection.passesDescriptors)
        }
    }

    /// An answer counts only if it comes from the program that was called, or from the bus, which answers for a program
    /// that has ended. The owner of a well-known name is not known here.
    private mutating func complete(_ message: Message, _ answer: Result<Answer, BusError>) {
        guard let serial = message.replySerial, let request = pending[serial] else { return }
        let isKnown = request.destination.map { $0.isUnique || $0 == MessageBus.name } ?? false
        guard !isKnown || message.sender == request.destination || message.sender == MessageBus.name else { return }
        pending[serial] = nil
        server.complete(request, answer)
    }

    private func refuseSkippedCalls() {
        for call in connection.takeSkippedCalls() {
            server.refuse(call, .limitsExceeded("The message is larger than the program accepts."))
        }
    }

    private mutating func expire() {
        if pending.isEmpty { return }
        let now = ContinuousClock.now
        for (serial, request) in pending where request.deadline <= now {
            pending[serial] = nil
            server.complete(request, .failure(.timedOut))
        }
    }
}
