// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPlatform
public import KeychainPolicy
public import KeychainWire
internal import SecretMemory

/// What happens to every request, whoever carries it: a socket, or a test in the same process.
///
/// Each request that returns or uses a secret passes through ``respond(to:on:identify:willWatch:send:)`` and uses up one grant;
/// each grant and each refusal leaves one audit event.
public struct Pipeline: Sendable {
    /// Sends a finished frame of an answer. It may hold secrets: the sender wipes it.
    public typealias Send = (_ frame: inout [UInt8]) throws(ConnectionLost) -> Void

    let service: ServiceState
    /// What the requests of the connection hold; nil in a process of one's own.
    private(set) var memory: RequestMemory.Share?

    public init(_ service: ServiceState) {
        self.service = service
    }

    /// The same for a connection whose requests are counted.
    func holding(_ memory: RequestMemory.Share?) -> Pipeline {
        var pipeline = self
        pipeline.memory = memory
        return pipeline
    }

    /// Carries out one request.
    ///
    /// - Parameters:
    ///   - connection: what is known of the connection.
    ///   - identify: finds out who is asking, or that the one who connected is no longer the one who asks.
    ///   - willWatch: called before the answer to such a request is sent: what happens from now on is the caller's to get.
    /// - Returns: what the connection is for from now on.
    /// - Throws: when the other side is gone. What was carried out by then stays carried out.
    // Never a part of its caller: Tools/instructions counts what is done within it, by its name.
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

        // Judge, ask if told to, act, encode; each kind of request in a function of its own.
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
            case .ask(let question, let items):
                // Nothing that asks a person, or one who was asked about too many items in turn.
                let refusal = Refusal(.interactionNotAllowed, question.because)
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, items)
            case .askForItem(let question, let items):
                // Likewise.
                let refusal = Refusal(.authenticationFailed, question.because)
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, items)
            case .authenticate(_, let items), .material(_, _, let items), .wrongPassword(_, let items):
                // Likewise.
                let refusal = Refusal(.interactionNotAllowed, .authenticationNeeded)
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, items)
            case .checkPassword:
                // Handled where the request is tried again.
                let refusal = Refusal(.internalError, .none)
                answer = ReplyWriter.refusal(refusal)
                outcome = .refused(refusal, .none)
            case .connectionLost:
                service.record(AuditEvent(request, by: caller, .abandoned))
                throw ConnectionLost()
            }
        }

        if case .granted = outcome { service.lock.noteUse() }

        // Audit, before anything that completes the answer leaves.
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

    /// Calls `deliver` for each change of an item of the caller's groups and of the lock state, until the closure that is
    /// returned is called.
    ///
    /// - Throws: `errSecMissingEntitlement` for a caller that has no access group.
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

    /// Calls `deliver` for what happens in the user's keychains, as far as the caller may know of it, until the closure that is
    /// returned is called.
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

    /// A connection is gone, and with it what was under way on it.
    func connectionEnded(nonce: [UInt8]) { service.jobs.connectionEnded(nonce) }

    /// What may come next on a connection.
    public enum NextPhase: Sendable {
        case requests
        /// Nothing more from the client; events from the service.
        case events
        case end
    }

    /// What a connection gets from now on.
    public enum Subscription: Sendable {
        /// Changes of items and of the lock state, as far as they are the caller's to see.
        case changes(Caller)
        /// What happens in the user's keychains, likewise.
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

    /// Why a request ended early.
    enum Stop: Error {
        /// With the items that had been found by then.
        case refused(Refusal, AuditedItems)
        /// A person would have to say; with the items that it is about.
        case ask(Question, AuditedItems)
        /// Likewise, of items in a keychain file.
        case askForItem(AccessQuestion, AuditedItems)
        /// The owner would have to show to be there; with the items that it is about.
        case authenticate(AuthenticationDemand, AuditedItems)
        /// What opens the items, or seals new ones, is not at hand.
        case material(AccessControl.Flags, isNew: Bool, AuditedItems)
        /// The password that was given opens none of them.
        case wrongPassword(AccessControl.Flags, AuditedItems)

        /// The password has not been checked for these items, which are to be changed.
        case checkPassword([PersistentReference])

        static func refused(_ refusal: Refusal) -> Stop { .refused(refusal, .none) }

        case connectionLost

        /// Whether somebody can do something about it, so that it is worth trying again.
        var asks: Bool {
            switch self {
            case .refused, .connectionLost: false
            case .ask, .askForItem, .authenticate, .material, .wrongPassword, .checkPassword: true
            }
        }
    }
}

/// What a connection is to the pipeline.
public struct ConnectionFacts: Sendable {
    /// Looks at a program on behalf of a caller.
    public typealias Look = @Sendable (IdentitySubject, Caller) throws(Refusal) -> Caller

    /// What the connection's hello said.
    let nonce: [UInt8]
    let look: Look
    /// Where whoever uses the program can be asked.
    let place: PersonsPlace
    /// Whether its client asked to have no access group without entitlements.
    var requiresEntitlements = false
    /// What requests are timed with.
    let clock: MonotonicClock
    /// When the last request was done with, by that clock.
    var answeredAt: UInt64?
    /// How long its requests waited for a person.
    let asking: AskingTime
    /// What the service around the keychain says of itself to the keychain's owner.
    let surroundings: Surroundings

    /// What of a service's figures does not belong to the keychain alone.
    public struct Surroundings: Sendable {
        /// So many connections may there be of the keychain's user at once.
        var connectionLimit = KeychainService.Limits().connections
        /// Hashes and signatures of programs that are remembered; nil where they are of other users' programs as well.
        var programs: @Sendable () -> ServiceFigures.Cache? = { nil }

        public init() {}
    }

    /// - Parameters:
    ///   - look: how processes and files are looked at; a test's connection looks at nobody.
    ///   - place: where somebody can be asked.
    ///   - clock: what requests are timed with.
    ///   - surroundings: of the keychain.
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

/// The other side of a connection is gone; nobody is left to answer.
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

    /// The frame was well formed but asked for what items do not have: the connection can go on. Anything else means
    /// that the other side does not speak the protocol.
    var isCallersMistake: Bool {
        if case .attributes = self { true } else { false }
    }
}
