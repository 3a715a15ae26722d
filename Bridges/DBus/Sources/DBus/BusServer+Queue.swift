// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages
internal import Synchronization

// The queue of messages that the server sends.
extension BusServer {
    /// - Parameter isBounded: false for a short answer. It cannot fill the queue, because the server reads no calls while
    ///   the queue is half full.
    func enqueue(_ outgoing: Outgoing, isBounded: Bool = true) throws(BusError) {
        guard outgoing.message.bodyByteCount <= limits.messageBytes,
            outgoing.descriptors.count <= limits.descriptors
        else { throw .limitExceeded }
        try state.withLock { state throws(BusError) in
            guard state.phase != .ended else { throw .closed }
            guard !isBounded || state.queuedBytes + outgoing.byteCount <= limits.queuedBytes else {
                throw .limitExceeded
            }
            if outgoing.request != nil {
                guard state.requestCount < limits.requests else { throw .limitExceeded }
                state.requestCount += 1
            }
            state.outbox.append(outgoing)
            state.queuedBytes += outgoing.byteCount
        }
        // A deadline, a full socket and a lost connection concern the thread of the server.
        let isSent = (try? sendAll()) ?? false
        if outgoing.request != nil || !isSent { wake() }
    }

    /// Wakes the thread of the server if it waits.
    private func wake() {
        let isWaiting = state.withLock { state in
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isWaiting { wakeup.wake() }
    }

    /// Sends the queued messages. Threads take turns, and each of them finds the queue empty or the socket full at the end.
    ///
    /// - Returns: false if the socket is full; true also before the run, which begins with the queue.
    func sendAll() throws(BusError) -> Bool {
        var failed: [(Request, BusError)] = []
        let result = sender.withLock { sender in
            Result { () throws(BusError) in try sender?.sendAll(of: self, &failed) ?? true }
        }
        // Without the lock, because completions may send.
        for (request, error) in failed { complete(request, .failure(error)) }
        return try result.get()
    }

    func takeOutbox() -> [Outgoing] {
        state.withLock { state in
            defer { state.outbox = [] }
            return state.outbox
        }
    }

    func sent(_ byteCount: Int) { state.withLock { $0.queuedBytes -= byteCount } }

    /// Whether the bus takes messages fast enough for further calls.
    var hasRoom: Bool { state.withLock { $0.queuedBytes <= limits.queuedBytes / 2 } }

    var isStopping: Bool { state.withLock { $0.phase == .stopping } }

    /// Prepares for a wait; each later message that the socket does not take, and each later call, ends it.
    ///
    /// - Returns: false if there is something to do at once.
    func prepareToWait(isStopping: Bool) -> Bool {
        state.withLock { state in
            guard (state.phase == .stopping) == isStopping else { return false }
            state.isWaiting = true
            return true
        }
    }

    func endWait() { state.withLock { $0.isWaiting = false } }

    /// The earliest deadline of a sent call.
    var nextDeadline: ContinuousClock.Instant? {
        sender.withLock { $0?.firstDeadline }
    }

    func takePending(_ condition: (UInt32, Request) -> Bool) -> [Request] {
        sender.withLock { $0?.takePending(condition) ?? [] }
    }
}
