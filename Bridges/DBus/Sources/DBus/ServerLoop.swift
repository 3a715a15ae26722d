// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages

/// The work of the thread that runs a ``BusServer``.
struct ServerLoop {
    private let server: BusServer
    private let connection: BusConnection
    private let onSignal: (Message) -> Void

    private static let stopTimeout = Duration.seconds(5)

    init(_ server: BusServer, _ connection: BusConnection, _ onSignal: @escaping (Message) -> Void) {
        self.server = server
        self.connection = connection
        self.onSignal = onSignal
    }

    func run() throws(BusError) {
        var stopDeadline: ContinuousClock.Instant?
        while true {
            let isStopping = server.isStopping
            let isSent = try server.sendAll()
            // Whether received messages wait, because there is no room for their answers.
            var hasMore = false
            if isStopping {
                let deadline = stopDeadline ?? .now + Self.stopTimeout
                stopDeadline = deadline
                if isSent || ContinuousClock.now >= deadline { return }
            } else {
                hasMore = try handleReceived()
                refuseSkippedCalls()
            }
            expire()
            guard server.prepareToWait(isStopping: isStopping) else { continue }
            // What other threads could not send before the wait was prepared.
            let socketIsFull = try !server.sendAll()
            // While there is no room, the socket is full, and this waits until it is not.
            let isReading = !isStopping && server.hasRoom
            if isReading, hasMore {
                server.endWait()
                continue
            }
            let isReady = try connection.wait(
                reading: isReading, writing: socketIsFull, until: stopDeadline ?? server.nextDeadline, or: server.wakeup
            )
            server.endWait()
            if !isReady {
                server.wakeup.clear()
            } else if isReading {
                try connection.receiveAtOnce()
            }
        }
    }

    /// Handles the received messages while there is room for answers.
    ///
    /// - Returns: whether messages may be left.
    private func handleReceived() throws(BusError) -> Bool {
        while server.hasRoom {
            guard let received = try connection.takeReceived() else { return false }
            handle(received)
        }
        return true
    }

    private func handle(_ received: ReceivedMessage) {
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
    private func complete(_ message: Message, _ answer: Result<Answer, BusError>) {
        guard let serial = message.replySerial else { return }
        let answered = server.takePending { number, request in
            let isKnown = request.destination.map { $0.isUnique || $0 == MessageBus.name } ?? false
            return number == serial
                && (!isKnown || message.sender == request.destination || message.sender == MessageBus.name)
        }
        for request in answered { server.complete(request, answer) }
    }

    private func refuseSkippedCalls() {
        for call in connection.takeSkippedCalls() {
            server.refuse(call, .limitsExceeded("The message is larger than the program accepts."))
        }
    }

    private func expire() {
        guard server.nextDeadline != nil else { return }
        let now = ContinuousClock.now
        for request in server.takePending({ $1.deadline <= now }) { server.complete(request, .failure(.timedOut)) }
    }
}
