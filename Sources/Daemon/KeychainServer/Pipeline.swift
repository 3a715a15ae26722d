// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainPlatform
public import KeychainPolicy
internal import KeychainStore
public import KeychainWire
internal import SecretMemory

/// The processing of every request, whatever the transport: a socket, or a test in the same process.
///
/// Each request that returns or uses a secret passes through ``respond(to:on:identify:willWatch:)`` and uses up
/// one grant; each grant and each refusal leaves one audit event.
public struct Pipeline: Sendable {
    /// Sends a finished frame of an answer. The frame may contain secrets: the sender wipes it.
    public typealias Send = (_ frame: inout [UInt8]) throws(ConnectionLostError) -> Void

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
    ///   - identify: identifies the caller, or reports that the sender is no longer the process that connected.
    ///   - willWatch: called before the answer to such a request is sent: the caller receives the events from now on.
    /// - Returns: the purpose of the connection from now on.
    /// - Throws: if the client has disconnected. Operations carried out before that stay carried out.
    // Never inlined, because Tools/instructions counts the instructions within it by its name.
    @inline(never)
    public func respond(
        to frame: consuming Frame, on connection: RequestConnection, identify: () throws(Refusal) -> AuditedCaller,
        willWatch: (Subscription) -> Void = { _ in }
    ) throws(ConnectionLostError) -> NextPhase {
        let began = connection.clock.nanoseconds()
        connection.promptTime = 0
        var measure = RequestMeasure()
        defer {
            let end = connection.clock.nanoseconds()
            connection.answeredAt = end
            service.count(measure, nanoseconds: end &- began &- connection.promptTime)
        }
        return try serve(consume frame, on: connection, &measure, identify: identify, willWatch: willWatch)
    }

    private func serve(
        _ frame: consuming Frame, on connection: RequestConnection, _ measure: inout RequestMeasure,
        identify: () throws(Refusal) -> AuditedCaller, willWatch: (Subscription) -> Void
    ) throws(ConnectionLostError) -> NextPhase {
        var answer: [UInt8]

        // Decode.
        let request: Request<SecretBytes>
        do throws(WireError) {
            request = try Request(frame, nonce: connection.nonce) { SecretBytes(copying: $0) }
        } catch {
            service.record(AuditEvent(malformed: error.refusal, by: try? identify()))
            answer = ReplyWriter.refusal(error.refusal)
            try connection.send(&answer)
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
            try connection.send(&answer)
            measure.outcome = .refused(error)
            return .end
        }

        // Judge, prompt if required, act, encode; each kind of request in a function of its own.
        let outcome: AuditEvent.Result
        do throws(RequestInterruption) {
            if case .requireEntitlements = request { connection.requiresEntitlements = true }
            var effective = service.rules.current.applied(to: caller.caller)
            if connection.requiresEntitlements { effective = effective.withoutImplicitGroup }
            let context = RequestContext(effective, connection)
            if context.caller.enforcement == nil {
                (answer, outcome) = try perform(request, for: context)
            } else {
                (answer, outcome) = try perform(request.resolvingGroups(for: context.caller), for: context)
            }
        } catch {
            guard let (given, items) = error.refusal else {
                service.record(AuditEvent(request, by: caller, .abandoned))
                throw ConnectionLostError()
            }
            // The store only knows that it lacks the key of a class. Without a passcode nothing but keychain files is
            // locked, so the class requires one.
            var refusal = given
            if case .inKeychain = request {
            } else if given.reason == .locked, service.store.lockState == .noPasscode {
                refusal = Refusal(given.status, .noPasscode)
            }
            answer = ReplyWriter.refusal(refusal)
            outcome = .refused(refusal, items)
        }

        if case .granted = outcome { service.lock.noteUse() }

        // Audit, before any frame that completes the answer is sent.
        service.record(AuditEvent(request, by: caller, outcome))
        if case .served = outcome, let subscription = Subscription(request, of: caller.caller) {
            willWatch(subscription)
            try connection.send(&answer)
            measure.outcome = .served
            return .events
        }
        try connection.send(&answer)
        measure.outcome = RequestResult(outcome)
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
}

/// The client has disconnected, so no answer can be sent.
public struct ConnectionLostError: Error {
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
