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
    private let nonce = [UInt8](repeating: 0x4E, count: WireLimits.nonceBytes)

    init(_ pipeline: Pipeline, _ caller: Caller) {
        self.pipeline = pipeline
        self.caller = AuditedCaller(caller)
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        var failure: WireError?
        var isComplete = false
        do throws(WireError) {
            var reader = FrameReader()
            try reader.receive(request(nonce))
            let frame = try reader.frame()
            _ = try? pipeline.respond(to: frame, nonce: nonce, identify: { () throws(Refusal) in caller }) {
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
        } catch {
            failure = error
        }
        if let failure { throw .protocolViolation(failure) }
        guard isComplete else { throw .unavailable("the pipeline ended without an answer") }
    }

    func watch() throws(ClientError) -> any ChangeStream {
        let stream = QueuedChanges()
        do throws(Refusal) {
            stream.whenCancelled(try pipeline.watch(for: caller.caller) { stream.put($0) })
        } catch {
            throw .refused(error)
        }
        return stream
    }
}

/// Changes that wait for their reader.
private final class QueuedChanges: ChangeStream {
    private struct State {
        var changes: [ItemChange] = []
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    func put(_ change: ItemChange) {
        state.withLock { $0.changes.append(change) }
        available.signal()
    }

    func whenCancelled(_ stop: @escaping @Sendable () -> Void) {
        state.withLock { $0.stop = stop }
    }

    func next() throws(ClientError) -> ItemChange? {
        available.wait()
        return state.withLock { state in
            guard state.isCancelled else { return state.changes.removeFirst() }
            // For the next call: it finds the stream cancelled as well.
            available.signal()
            return nil
        }
    }

    func cancel() {
        let stop = state.withLock { state in
            state.isCancelled = true
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
        available.signal()
    }
}
