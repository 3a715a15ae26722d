// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainWire
internal import SecretMemory

/// One connection, served by one thread from the hello to the end.
final class Session: Sendable {
    let connection: ServerConnection
    let keychains: KeychainSource
    let identifier: CallerIdentifier
    let activity: SessionActivity
    let nonce: [UInt8]
    let clock: MonotonicClock
    let limits: KeychainService.Limits
    private let memory: RequestMemory
    /// Counts the connection for its program after identification, and returns the caller's keychain.
    let enter: @Sendable (Caller) throws(Refusal) -> KeychainEntrance

    init(
        connection: ServerConnection, keychains: KeychainSource, identifier: CallerIdentifier,
        activity: SessionActivity,
        nonce: [UInt8], clock: MonotonicClock, limits: KeychainService.Limits, memory: RequestMemory,
        enter: @escaping @Sendable (Caller) throws(Refusal) -> KeychainEntrance
    ) {
        self.connection = connection
        self.keychains = keychains
        self.identifier = identifier
        self.activity = activity
        self.nonce = nonce
        self.clock = clock
        self.limits = limits
        self.memory = memory
        self.enter = enter
    }

    private static let receiveBytes = 16 * 1024

    /// Serves until either side ends the connection. An error affects only this connection.
    func run() {
        do throws(ConnectionLostError) {
            try boundSending()
            // Identify first, then send the hello: the answer to the nonce was then written by the program that was
            // identified here.
            let identified = identifier.identify(connection)
            let caller = identified.caller.caller
            if identified.isAgent, let agents = keychains.agents { return try serve(identified, askingFor: agents) }
            if identified.isBridge { return try serveClient(of: identified) }
            let entrance: KeychainEntrance
            do throws(Refusal) {
                entrance = try enter(caller)
            } catch {
                var answer = ReplyWriter.refusal(error)
                return try send(&answer)
            }
            defer { keychains.end(caller) }
            var hello = Hello(nonce: nonce).frame
            try send(&hello)
            guard try isGreeted(by: identified) else {
                if case .open(let pipeline) = entrance { record(malformed: Self.notGreeted, by: nil, pipeline) }
                var answer = ReplyWriter.refusal(Self.notGreeted)
                return try send(&answer)
            }
            try serve(identified, entrance)
        } catch {
            // The client disconnected, or was not a client.
        }
    }

    static let notGreeted = Refusal(.missingEntitlement, .notGreeted)

    /// Receives the client's answer to the hello.
    ///
    /// - Returns: whether the answer is valid, and comes from the caller as it was identified.
    func isGreeted(by identified: IdentifiedCaller) throws(ConnectionLostError) -> Bool {
        do throws(EndpointError) {
            guard let (bytes, sender) = try connection.receiveGreeting(of: Greeting.size) else { return false }
            return bytes == Greeting.frame(nonce: nonce) && identified.stillIs(sender)
        } catch {
            throw ConnectionLostError()
        }
    }

    /// Serves requests until either side ends the connection. While the keychain waits for the PIN of its device key, its
    /// door answers.
    func serve(_ given: IdentifiedCaller, _ givenEntrance: KeychainEntrance) throws(ConnectionLostError) {
        var identified = given
        var client = connection(of: identified)
        let share = memory.share(of: identified.caller.caller)
        func begin(_ pipeline: Pipeline) -> KeychainEntrance {
            pipeline.service.figures.connectionBegan()
            return .open(pipeline.holding(share))
        }
        var entrance = givenEntrance
        if case .open(let pipeline) = givenEntrance { entrance = begin(pipeline) }
        defer {
            if case .open(let pipeline) = entrance {
                pipeline.service.figures.connectionEnded()
                pipeline.connectionEnded(nonce: nonce)
            }
        }
        var reader = FrameReader()
        // The first request may contain a pidfd of the caller.
        var named: OwnedDescriptor?
        var isFirst = identified.caller.caller.bridge == nil
        while true {
            let sender =
                isFirst ? try receiveFrame(&reader, share, keeping: &named) : try receiveFrame(&reader, share)
            isFirst = false
            if case .closed(let door) = entrance, let pipeline = door.opened() { entrance = begin(pipeline) }
            activity.begin()
            let next = try answer(
                &reader, from: sender, naming: named.take(), of: identified, at: entrance, on: client)
            ProgramMemory.wipeStackAndRegisters()
            share.giveBack()
            activity.end(at: client.answeredAt.take())
            switch next {
            case .requests: continue
            case .end: return
            case .events(let watcher): return watch(watcher)
            case .client(let itself):
                identified = itself
                client = connection(of: itself)
            }
        }
    }

    private func connection(of identified: IdentifiedCaller) -> RequestConnection {
        RequestConnection(
            nonce: nonce, look: identifier.look, place: identified.place.on(connection), run: identified.run,
            clock: clock, connectionLimit: min(limits.connectionsPerUser ?? .max, limits.connections),
            programs: identifier.programs, send: { [self] frame throws(ConnectionLostError) in try send(&frame) })
    }

    private func record(malformed refusal: Refusal, by caller: AuditedCaller?, _ pipeline: Pipeline) {
        pipeline.service.record(AuditEvent(malformed: refusal, by: caller))
        pipeline.service.count(RequestMeasure(kind: .malformed, outcome: .refused(refusal)), nanoseconds: 0)
    }

    enum Next {
        case requests
        case events(Watcher)
        /// The caller became the client of the bridge that it is itself.
        case client(IdentifiedCaller)
        case end
    }

    /// Answers one request.
    ///
    /// - Parameter named: the descriptor in the message of a first request.
    private func answer(
        _ reader: inout FrameReader, from sender: ServerConnection.Sender?, naming named: OwnedDescriptor?,
        of identified: IdentifiedCaller, at entrance: KeychainEntrance, on client: RequestConnection
    ) throws(ConnectionLostError) -> Next {
        defer { reader.discard { wipe(&$0) } }
        func identify() throws(Refusal) -> AuditedCaller {
            guard identified.stillIs(sender) else {
                if case .open(let pipeline) = entrance {
                    pipeline.service.clientApprovals.forget(processOf: identified.caller.caller)
                }
                throw Refusal(.missingEntitlement, .unidentifiedCaller)
            }
            return identified.caller
        }
        let frame: Frame
        do throws(WireError) {
            frame = try reader.frame()
        } catch {
            let refusal = Refusal(.parameter, .malformedRequest)
            if case .open(let pipeline) = entrance { record(malformed: refusal, by: try? identify(), pipeline) }
            var answer = ReplyWriter.refusal(refusal)
            try send(&answer)
            return .end
        }
        if frame.kind == .behalf, let named, let itself = self.client(itself: identified, naming: named, sender) {
            return try begin(consume frame, as: itself)
        }
        var watcher: Watcher?
        do throws(ConnectionLostError) {
            // Passed on, so that the reader's buffer is the only copy when it is wiped.
            let phase =
                switch entrance {
                case .open(let pipeline):
                    try pipeline.respond(to: consume frame, on: client, identify: identify) {
                        watcher = Watcher($0, on: connection, of: pipeline.service) { identified.stillIs(sender) }
                    }
                case .closed(let door): try door.respond(to: consume frame, on: client, identify: identify)
                }
            switch (phase, watcher) {
            case (.requests, _): return .requests
            case (.events, let watcher?): return .events(watcher)
            case (.end, _), (.events, nil): return .end
            }
        } catch {
            watcher?.end()
            throw error
        }
    }

    /// Receives one request, which one process must have sent completely.
    ///
    /// - Parameter share: the memory share for a large request.
    /// - Returns: the sender; nil if it is unknown.
    /// - Throws: also at the end of the connection.
    func receiveFrame(
        _ reader: inout FrameReader, _ share: RequestMemory.Share? = nil
    ) throws(ConnectionLostError) -> ServerConnection.Sender? {
        var unused: OwnedDescriptor?
        return try receiveFrame(&reader, share, keeping: &unused)
    }

    /// Same as ``receiveFrame(_:_:)``.
    ///
    /// - Parameter descriptor: set to the descriptor in a message of the request that has one.
    private func receiveFrame(
        _ reader: inout FrameReader, _ share: RequestMemory.Share?, keeping descriptor: inout OwnedDescriptor?
    ) throws(ConnectionLostError) -> ServerConnection.Sender? {
        var first: ServerConnection.Received?
        var isCounted = false
        var deadline: UInt64?
        while true {
            let received = try receive(&reader, keeping: &descriptor)
            guard received.count > 0 else { throw ConnectionLostError() }
            if let first, first.sender != received.sender { throw ConnectionLostError() }
            first = received
            guard try !isComplete(reader) else {
                if deadline != nil { try setReceiveTimeout(nil) }
                return received.sender
            }
            // A client may be silent between requests for any time, but not within a request. The time limit is for the
            // whole frame, so that single bytes do not extend it.
            let now = clock.nanoseconds()
            let end = deadline ?? now + limits.frameTimeout.nanoseconds
            guard now < end else { throw ConnectionLostError() }
            deadline = end
            try setReceiveTimeout(.nanoseconds(end - now))
            if let share, !isCounted, let missing = try? reader.missing, missing > Self.receiveBytes {
                isCounted = true
                guard share.take(missing) else {
                    reader.discard { wipe(&$0) }
                    try refuse(missing, until: end)
                    (first, deadline, isCounted) = (nil, nil, false)
                    continue
                }
            }
        }
    }

    /// Discards the rest of an oversized request, and sends the refusal.
    private func refuse(_ missing: Int, until end: UInt64) throws(ConnectionLostError) {
        var missing = missing
        while missing > 0 {
            let now = clock.nanoseconds()
            guard now < end else { throw ConnectionLostError() }
            try setReceiveTimeout(.nanoseconds(end - now))
            let count = try receive(atMost: min(missing, 16 * Self.receiveBytes)) { _ in }.count
            guard count > 0 else { throw ConnectionLostError() }
            missing -= count
        }
        try setReceiveTimeout(nil)
        var answer = ReplyWriter.refusal(Refusal(.allocate, .tooMuchAtOnce))
        try send(&answer)
    }

    private func receive(
        _ reader: inout FrameReader, keeping descriptor: inout OwnedDescriptor?
    ) throws(ConnectionLostError) -> ServerConnection.Received {
        let size: Int
        do throws(WireError) {
            // A request of usual size arrives in one piece; a large request should not take a thousand calls.
            size = (try reader.missing ?? 0) > Self.receiveBytes ? 16 * Self.receiveBytes : Self.receiveBytes
        } catch {
            size = Self.receiveBytes
        }
        // An invalid header is answered when the frame is read.
        do throws(EndpointError) {
            return try connection.receive(atMost: size, keeping: &descriptor) { try? reader.receive($0) }
        } catch {
            throw ConnectionLostError()
        }
    }

    private func receive(
        atMost size: Int, _ body: (borrowing Span<UInt8>) -> Void
    ) throws(ConnectionLostError) -> ServerConnection.Received {
        do throws(EndpointError) {
            return try connection.receive(atMost: size, body)
        } catch {
            throw ConnectionLostError()
        }
    }

    /// Returns whether the frame is complete. True also for bytes that cannot become a frame: reading the frame reports
    /// the error.
    func isComplete(_ reader: FrameReader) throws(ConnectionLostError) -> Bool {
        do throws(WireError) {
            return try reader.missing == nil
        } catch {
            return true
        }
    }

    func send(_ frame: inout [UInt8]) throws(ConnectionLostError) {
        defer { wipe(&frame) }
        do throws(EndpointError) {
            try connection.send(frame.span, timeout: limits.sendTimeout)
        } catch {
            throw ConnectionLostError()
        }
    }

    /// Sets the time limit for sending, because otherwise a single call would wait indefinitely for a client that does
    /// not read.
    private func boundSending() throws(ConnectionLostError) {
        do throws(EndpointError) {
            try connection.setSendTimeout(limits.sendTimeout)
        } catch {
            throw ConnectionLostError()
        }
    }

    private func setReceiveTimeout(_ timeout: Duration?) throws(ConnectionLostError) {
        do throws(EndpointError) {
            try connection.setReceiveTimeout(timeout)
        } catch {
            throw ConnectionLostError()
        }
    }

    /// Delivers events until the client ends the connection or sends any data.
    private func watch(_ watcher: Watcher) {
        activity.watch()
        defer { watcher.end() }
        guard watcher.open() else { return }
        var reader = FrameReader()
        var unused: OwnedDescriptor?
        _ = try? receive(&reader, keeping: &unused)
    }
}
