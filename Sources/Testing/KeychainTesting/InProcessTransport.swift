// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient
internal import KeychainModel
internal import KeychainPolicy
internal import KeychainServer
internal import KeychainWire
internal import Synchronization

/// A transport to a pipeline in the same process, with the frames of the socket protocol.
struct InProcessTransport: KeychainTransport {
    private let pipeline: Pipeline
    private let caller: AuditedCaller
    private let faults: Faults
    /// Cancels requests; nil if requests cannot be cancelled.
    private let interruption: Withdrawal?
    private let nonce = [UInt8](repeating: 0x4E, count: WireLimits.nonceBytes)

    init(_ pipeline: Pipeline, _ caller: Caller, _ faults: Faults) {
        self.init(pipeline, AuditedCaller(caller), faults, interruption: nil)
    }

    private init(_ pipeline: Pipeline, _ caller: AuditedCaller, _ faults: Faults, interruption: Withdrawal?) {
        self.pipeline = pipeline
        self.caller = caller
        self.faults = faults
        self.interruption = interruption
    }

    func separate() -> any KeychainTransport {
        InProcessTransport(pipeline, caller, faults, interruption: Withdrawal())
    }

    func interrupt() { interruption?.withdraw() }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        try faults.check()
        var failure: WireError?
        var isComplete = false
        do throws(WireError) {
            var reader = FrameReader()
            try reader.receive(request(nonce))
            let frame = try reader.frame()
            withoutActuallyEscaping(receive) { receive in
                let connection = RequestConnection(nonce: nonce) { answer throws(ConnectionLostError) in
                    do throws(WireError) {
                        var reader = FrameReader()
                        try reader.receive(answer)
                        if case .last = try receive(try reader.frame()) { isComplete = true }
                    } catch {
                        failure = error
                        throw ConnectionLostError()
                    }
                }
                ScriptedPerson.$interruption.withValue(interruption) {
                    _ = try? pipeline.respond(to: frame, on: connection) { () throws(Refusal) in caller }
                }
            }
        } catch {
            failure = error
        }
        if let failure { throw .protocolViolation(failure) }
        guard isComplete else { throw .unavailable("the pipeline ended without an answer") }
    }

    func watch() throws(ClientError) -> any ChangeStream {
        try stream { deliver throws(Refusal) in try pipeline.watch(for: caller.caller, deliver) }
    }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        try stream { deliver throws(Refusal) in try pipeline.watchKeychains(for: caller.caller, filter, deliver) }
    }

    private func stream<Event: Sendable>(
        _ subscribe: (_ deliver: @escaping @Sendable (Event) -> Void) throws(Refusal) -> @Sendable () -> Void
    ) throws(ClientError) -> QueuedEvents<Event> {
        try faults.check()
        let stream = QueuedEvents<Event>()
        do throws(Refusal) {
            let stop = try subscribe { stream.put($0) }
            let forget = faults.open { stream.fail() }
            stream.whenEnded {
                stop()
                forget()
            }
        } catch {
            throw .refused(error)
        }
        return stream
    }
}

extension InProcessTransport {
    /// Always fails: the lines of a keychain in memory are in ``InMemoryKeychain/auditLog``.
    func followLog() throws(ClientError) -> any LogStream {
        try faults.check()
        do throws(Refusal) {
            _ = try pipeline.followLog(for: caller.caller) { _ in }
        } catch {
            throw .refused(error)
        }
        throw .protocolViolation(.unexpected(.logLine))
    }
}

/// The failures that a test injects.
final class Faults: Sendable {
    private struct State {
        var status: StatusCode?
        /// The closures that end the open streams.
        var streams: [UInt64: @Sendable () -> Void] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    func refuseCalls(with status: StatusCode?) {
        state.withLock { $0.status = status }
    }

    func check() throws(ClientError) {
        switch state.withLock(\.status) {
        case nil: break
        case .notAvailable: throw .unavailable("the keychain service is unavailable, because a test requested it")
        case let status?: throw .refused(Refusal(status, .none))
        }
    }

    /// - Parameter fail: ends the stream.
    /// - Returns: a closure to call when the stream has ended.
    fileprivate func open(_ fail: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.next += 1
            state.streams[state.next] = fail
            return state.next
        }
        return { [self] in state.withLock { _ = $0.streams.removeValue(forKey: number) } }
    }

    func endStreams() {
        for fail in state.withLock({ Array($0.streams.values) }) { fail() }
    }
}

/// Unread events.
private final class QueuedEvents<Event: Sendable>: Sendable {
    private enum End { case cancelled, lost }

    private struct State {
        var events: [Event] = []
        var end: End?
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    func put(_ event: Event) {
        state.withLock { $0.events.append(event) }
        available.signal()
    }

    func whenEnded(_ stop: @escaping @Sendable () -> Void) {
        state.withLock { $0.stop = stop }
    }

    func nextEvent() throws(ClientError) -> Event? {
        available.wait()
        let (event, end) = state.withLock { state in
            state.end == nil ? (state.events.removeFirst(), nil) : (nil, state.end)
        }
        guard let end else { return event }
        // For the next call, which also finds the stream ended.
        available.signal()
        switch end {
        case .cancelled: return nil
        case .lost: throw .unavailable("the keychain service stopped, because a test requested it")
        }
    }

    func cancel() { end(.cancelled) }

    func fail() { end(.lost) }

    private func end(_ end: End) {
        let stop = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
        available.signal()
    }
}

extension QueuedEvents: ChangeStream where Event == WatchedEvent {
    func next() throws(ClientError) -> WatchedEvent? { try nextEvent() }
}

extension QueuedEvents: KeychainNoticeStream where Event == KeychainNotice {
    func next() throws(ClientError) -> KeychainNotice? { try nextEvent() }
}
