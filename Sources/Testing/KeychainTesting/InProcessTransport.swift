// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainClient
internal import KeychainModel
internal import KeychainPolicy
internal import KeychainServer
internal import KeychainWire
internal import Synchronization

/// Carries requests to a pipeline in the same process, in the frames that would go over the socket.
struct InProcessTransport: KeychainTransport {
    private let pipeline: Pipeline
    private let caller: AuditedCaller
    private let faults: Faults
    /// Gives requests up; nil where nothing does.
    private let interruption: Withdrawal?
    private let nonce = [UInt8](repeating: 0x4E, count: WireLimits.nonceBytes)

    init(_ pipeline: Pipeline, _ caller: Caller, _ faults: Faults) {
        self.init(pipeline, AuditedCaller(caller), faults, nil)
    }

    private init(_ pipeline: Pipeline, _ caller: AuditedCaller, _ faults: Faults, _ interruption: Withdrawal?) {
        self.pipeline = pipeline
        self.caller = caller
        self.faults = faults
        self.interruption = interruption
    }

    func separate() -> any KeychainTransport {
        InProcessTransport(pipeline, caller, faults, Withdrawal())
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
            var facts = ConnectionFacts(nonce: nonce)
            ScriptedPerson.$interruption.withValue(interruption) {
                _ = try? pipeline.respond(to: frame, on: &facts, identify: { () throws(Refusal) in caller }) {
                    answer throws(ConnectionLost) in
                    do throws(WireError) {
                        var reader = FrameReader()
                        try reader.receive(answer)
                        if case .last = try receive(try reader.frame()) { isComplete = true }
                    } catch {
                        failure = error
                        throw ConnectionLost()
                    }
                }
            }
        } catch {
            failure = error
        }
        if let failure { throw .protocolViolation(failure) }
        guard isComplete else { throw .unavailable("the pipeline ended without an answer") }
    }

    func watch() throws(ClientError) -> any ChangeStream {
        try faults.check()
        let stream = QueuedChanges()
        do throws(Refusal) {
            let stop = try pipeline.watch(for: caller.caller) { stream.put($0) }
            let forget = faults.open(stream)
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
    /// Refused: the lines of a keychain in memory are in ``InMemoryKeychain/auditLog``.
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

/// What a test makes go wrong.
final class Faults: Sendable {
    private struct State {
        var status: StatusCode?
        var streams: [UInt64: QueuedChanges] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    func refuseCalls(with status: StatusCode?) {
        state.withLock { $0.status = status }
    }

    func check() throws(ClientError) {
        switch state.withLock(\.status) {
        case nil: break
        case .notAvailable: throw .unavailable("there is no keychain service: a test wants it so")
        case let status?: throw .refused(Refusal(status, .none))
        }
    }

    /// - Returns: what is to be called when the stream has ended.
    fileprivate func open(_ stream: QueuedChanges) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.next += 1
            state.streams[state.next] = stream
            return state.next
        }
        return { [self] in state.withLock { _ = $0.streams.removeValue(forKey: number) } }
    }

    func endStreams() {
        for stream in state.withLock(\.streams.values) { stream.fail() }
    }
}

/// Changes that wait for their reader.
private final class QueuedChanges: ChangeStream {
    private enum End { case cancelled, lost }

    private struct State {
        var changes: [WatchedEvent] = []
        var end: End?
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    func put(_ change: WatchedEvent) {
        state.withLock { $0.changes.append(change) }
        available.signal()
    }

    func whenEnded(_ stop: @escaping @Sendable () -> Void) {
        state.withLock { $0.stop = stop }
    }

    func next() throws(ClientError) -> WatchedEvent? {
        available.wait()
        let (change, end) = state.withLock { state in
            state.end == nil ? (state.changes.removeFirst(), nil) : (nil, state.end)
        }
        guard let end else { return change }
        // For the next call: it finds the stream ended as well.
        available.signal()
        switch end {
        case .cancelled: return nil
        case .lost: throw .unavailable("the keychain service stopped: a test wanted it so")
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
