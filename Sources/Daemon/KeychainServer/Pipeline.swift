// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPlatform
public import KeychainPolicy
public import KeychainWire
internal import SecretMemory

/// The processing of every request, whatever the transport: a socket, or a test in the same process.
///
/// Each request that returns or uses a secret passes through ``respond(to:on:identify:willWatch:send:)`` and uses up
/// one grant; each grant and each refusal leaves one audit event.
public struct Pipeline: Sendable {
    /// Sends a finished frame of an answer. The frame may contain secrets: the sender wipes it.
    public typealias Send = (_ frame: inout [UInt8]) throws(ConnectionLost) -> Void

    let service: ServiceState
    /// The memory held by the requests of the connection; nil in a process without other users.
    private(set) var memory: RequestMemory.Share?

    public init(_ service: ServiceState) {
        self.service = service
    }

    /// Returns the same pipeline for a connection whose memory is counted.
    func holding(_ memory: RequestMemory.Share?) -> Pipeline {
        var pipeline = self
        pipeline.memory = memory
        return pipeline
    }

    /// Carries out one request.
    ///
    /// - Parameters:
    ///   - connection: the facts about the connection.
    ///   - identify: identifies the caller, or reports that the sender is no longer the process that connected.
    ///   - willWatch: called before the answer to such a request is sent: the caller receives the events from now on.
    /// - Returns: the purpose of the connection from now on.
    /// - Throws: if the client has disconnected. Operations carried out before that stay carried out.
    // Never inlined, because Tools/instructions counts the instructions within it by its name.
    @inline(never)
    public func respond(
        to frame: consuming Frame, on connection: inout ConnectionFacts, identify: () throws(Refusal) -> AuditedCaller,
        willWatch: (Subscription) -> Void = { _ in }, send: Send
    ) throws(ConnectionLost) -> NextPhase {
        let began = connection.clock.nanoseconds()
        var measure = RequestMeasure()
        do throws(ConnectionLost) {
            let next = try serve(consume frame, on: &connection, &measure, identify, willWatch, send)
            count(measure, from: began, on: &connection)
            return next
        } catch {
            count(measure, from: began, on: &connection)
            throw error
        }
    }

    private func count(_ measure: RequestMeasure, from began: UInt64, on connection: inout ConnectionFacts) {
        let end = connection.clock.nanoseconds()
        connection.answeredAt = end
        service.count(measure, nanoseconds: end &- began &- connection.asking.take())
    }

    private func serve(
        _ frame: consuming Frame, on connection: inout ConnectionFacts, _ measure: inout RequestMeasure,
        _ identify: () throws(Refusal) -> AuditedCaller, _ willWatch: (Subscription) -> Void, _ send: Send
    ) throws(ConnectionLost) -> NextPhase {
        var answer: [UInt8]

        // Decode.
        let request: Request<SecretBytes>
        do throws(WireError) {
            request = try Request(frame, nonce: connection.nonce) { SecretBytes(copying: $0) }
        } catch {
            service.record(AuditEvent(malformed: error.refusal, by: try? identify()))
            answer = ReplyWriter.refusal(error.refusal)
            try send(&answer)
            measure.outcome = .refused(error.refusal)
            return error.isCallersMistake ? .requests : .end
        }
        measure.kind = RequestKind(request)

        // Identify the caller.
        let caller: AuditedCaller
        do throws(Refusal) {
            caller = try identify()
        } catch {
            service.record(AuditEvent(request, by: nil, .refused(error, .none)))
            answer = ReplyWriter.refusal(error)
            try send(&answer)
            measure.outcome = .refused(error)
            return .end
        }

        // Judge, prompt if required, act, encode; each kind of request in a function of its own.
        let outcome: AuditEvent.Outcome
        do throws(Stop) {
            if case .requireEntitlements = request { connection.requiresEntitlements = true }
            var effective = service.rules.current.applied(to: caller.caller)
            if connection.requiresEntitlements { effective = effective.withoutImplicitGroup }
            if effective.enforcement == nil {
                (answer, outcome) = try perform(request, for: effective, on: connection, sendBatch: send)
            } else {
                (answer, outcome) = try perform(
                    request.resolvingGroups(for: effective), for: effective, on: connection, sendBatch: send)
            }
        } catch {
            switch error {
            case .refused(let refusal, let items):
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, items)
            case .ask(let request, let items):
                // This request cannot prompt, or has used up its prompts.
                let refusal = request.refusalIfUnanswered()
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, items)
            case .authenticate(_, let items), .material(_, _, let items), .wrongPassword(_, let items):
                // Likewise.
                let refusal = Refusal(.interactionNotAllowed, .authenticationNeeded)
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, items)
            case .checkPassword:
                // Handled by the retry of the request.
                let refusal = Refusal(.internalError, .none)
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, .none)
            case .connectionLost:
                service.record(AuditEvent(request, by: caller, .abandoned))
                throw ConnectionLost()
            }
        }

        if case .granted = outcome { service.lock.noteUse() }

        // Audit, before any frame that completes the answer is sent.
        service.record(AuditEvent(request, by: caller, outcome))
        if case .served = outcome, let subscription = Subscription(request, of: caller.caller) {
            willWatch(subscription)
            try send(&answer)
            measure.outcome = .served
            return .events
        }
        try send(&answer)
        measure.outcome = RequestOutcome(outcome)
        return .requests
    }

    /// Calls `deliver` for each change of an item of the caller's groups and of the lock state, until the returned
    /// closure is called.
    ///
    /// - Throws: `errSecMissingEntitlement` for a caller without access groups.
    public func watch(
        for caller: Caller, _ deliver: @escaping @Sendable (WatchedEvent) -> Void
    ) throws(Refusal) -> @Sendable () -> Void {
        _ = try AccessPolicy.scope(of: caller, for: .probe, accessGroup: nil)
        return service.changes.watchers.add(
            caller,
            deliver: { event, _ in
                deliver(event)
                return true
            }, drop: {})
    }

    /// Calls `deliver` for events in the user's keychains, as far as the caller may learn of them, until the returned
    /// closure is called.
    ///
    /// - Throws: `errSecMissingEntitlement` for a caller that cannot be identified.
    public func watchKeychains(
        for caller: Caller, _ filter: KeychainNoticeFilter, _ deliver: @escaping @Sendable (KeychainNotice) -> Void
    ) throws(Refusal) -> @Sendable () -> Void {
        _ = try FileKeychainPolicy.scope(of: caller)
        return service.changes.notices.add(
            caller, where: filter.contains,
            deliver: { notice, _ in
                deliver(notice)
                return true
            }, drop: {})
    }

    /// Ends the jobs of a closed connection.
    func connectionEnded(nonce: [UInt8]) { service.jobs.connectionEnded(nonce) }

    /// The next phase of a connection.
    public enum NextPhase: Sendable {
        case requests
        /// No more requests from the client; events from the service.
        case events
        case end
    }

    /// The events that a connection receives from now on.
    public enum Subscription: Sendable {
        /// Changes of items and of the lock state that the caller may see.
        case changes(Caller)
        /// Events in the user's keychains, likewise.
        case keychains(Caller, KeychainNoticeFilter)
        /// The lines of the audit log.
        case log

        fileprivate init?(_ request: borrowing Request<SecretBytes>, of caller: Caller) {
            switch copy request {
            case .watch: self = .changes(caller)
            case .watchKeychains(let filter): self = .keychains(caller, filter)
            case .log(.follow): self = .log
            default: return nil
            }
        }
    }

    /// The reason why a request was interrupted.
    enum Stop: Error {
        /// The request is refused, with the items found before the refusal.
        case refused(Refusal, AuditedItems)
        /// A prompt is required, with the items that it concerns.
        case ask(ApprovalRequest, AuditedItems)
        /// Owner authentication is required, with the items that it concerns.
        case authenticate(AuthenticationDemand, AuditedItems)
        /// The key material that opens the items, or seals new ones, is not available.
        case material(AccessControl.Flags, isNew: Bool, AuditedItems)
        /// The given password opens none of them.
        case wrongPassword(AccessControl.Flags, AuditedItems)

        /// The password was not checked for these items, which are to be changed.
        case checkPassword([PersistentReference])

        static func refused(_ refusal: Refusal) -> Stop { .refused(refusal, .none) }

        case connectionLost

        /// Whether a prompt could resolve the interruption, so that a retry makes sense.
        var asks: Bool {
            switch self {
            case .refused, .connectionLost: false
            case .ask, .authenticate, .material, .wrongPassword, .checkPassword: true
            }
        }
    }
}

/// The facts about a connection that the pipeline needs.
public struct ConnectionFacts: Sendable {
    /// Identifies a program on behalf of a caller.
    public typealias Look = @Sendable (IdentitySubject, Caller) throws(Refusal) -> Caller

    /// The nonce of the connection's hello.
    let nonce: [UInt8]
    let look: Look
    /// The place where the user of the program can be prompted.
    let place: PersonsPlace
    /// Whether its client requested to have no access group without entitlements.
    var requiresEntitlements = false
    /// The clock that measures requests.
    let clock: MonotonicClock
    /// The time when the last request was finished, by that clock.
    var answeredAt: UInt64?
    /// The time that its requests waited for prompts.
    let asking: AskingTime
    /// The state of the service around the keychain, for the keychain's owner.
    let surroundings: Surroundings

    /// The figures of a service that do not belong to the keychain alone.
    public struct Surroundings: Sendable {
        /// The maximum number of connections of the keychain's user.
        var connectionLimit = KeychainService.Limits().connections
        /// Returns the cached hashes and signatures of programs; nil if they include other users' programs.
        var programs: @Sendable () -> ServiceFigures.Cache? = { nil }

        public init() {}
    }

    /// Creates the facts.
    ///
    /// - Parameters:
    ///   - look: identifies processes and files; a test's connection identifies none.
    ///   - place: the place where a prompt can be shown.
    ///   - clock: the clock that measures requests.
    ///   - surroundings: the state of the service around the keychain.
    public init(
        nonce: [UInt8], look: @escaping Look = { _, caller in caller }, place: PersonsPlace = .nowhere,
        clock: MonotonicClock = .live, surroundings: Surroundings = Surroundings()
    ) {
        self.clock = clock
        asking = AskingTime(clock: clock)
        self.surroundings = surroundings
        self.nonce = nonce
        self.look = look
        self.place = place
    }
}

/// The client has disconnected, so no answer can be sent.
public struct ConnectionLost: Error {
    public init() {}
}

extension WireError {
    var refusal: Refusal {
        switch self {
        case .attributes(let error):
            Refusal(error.status, error.status == .unimplemented ? .notSupportedYet : .none)
        case .tooLarge: Refusal(.dataTooLarge, .malformedRequest)
        case .truncated, .trailingBytes, .version, .malformed, .unexpected, .wrongNonce:
            Refusal(.parameter, .malformedRequest)
        }
    }

    /// Whether the frame was well formed but requested attributes that items do not have: the connection can continue.
    /// Any other error means that the client does not speak the protocol.
    var isCallersMistake: Bool {
        if case .attributes = self { true } else { false }
    }
}
