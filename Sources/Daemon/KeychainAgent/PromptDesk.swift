// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainPlatform
internal import KeychainPrompting
internal import KeychainWire
internal import SecretMemory
internal import Synchronization

/// Shows prompts, one at a time, on a separate thread, while the agent listens to the connection.
final class PromptDesk: Sendable {
    private struct Work {
        let number: UInt32
        let request: PromptRequest
        let withdrawal: WakeUp
    }

    private struct State {
        /// The shown prompt.
        var current: Work?
        /// The next prompt. The service may send it as soon as it has withdrawn the previous one, which takes a moment
        /// to end.
        var next: Work?
        var isClosed = false
    }

    private let programs: PromptPrograms
    private let socket: EndpointSocket
    private let nonce: [UInt8]
    private let state = Mutex(State())
    /// Signalled when there is work, and when all work is done.
    private let (bell, end): (WakeUp, WakeUp)

    /// The additional time of the prompter, in which it restores the terminal: less than the service waits for the
    /// agent.
    private static let grace: Duration = .seconds(2)

    /// Creates the desk; nil if the system has no free descriptors or threads.
    init?(_ programs: PromptPrograms, _ socket: EndpointSocket, nonce: [UInt8]) {
        guard let bell = try? WakeUp(), let end = try? WakeUp() else { return nil }
        self.programs = programs
        self.socket = socket
        self.nonce = nonce
        (self.bell, self.end) = (bell, end)
        guard SystemThread.start({ [self] in work() }) else { return nil }
    }

    /// Shows a prompt as soon as the previous one has ended.
    ///
    /// - Returns: false if the service sends a second prompt before the first was answered or withdrawn.
    func take(_ request: PromptRequest, number: UInt32) -> Bool {
        guard let withdrawal = try? WakeUp() else { return false }
        return state.withLock { state in
            guard state.next == nil else { return false }
            state.next = Work(number: number, request: request, withdrawal: withdrawal)
            bell.signal()
            return true
        }
    }

    func withdraw(_ number: UInt32) {
        state.withLock { state in
            if state.next?.number == number { state.next = nil }
            if state.current?.number == number { state.current?.withdrawal.signal() }
        }
    }

    /// Withdraws all prompts, and waits until none is shown: a few seconds at most.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.next = nil
            state.current?.withdrawal.signal()
            bell.signal()
        }
        _ = try? Readiness.wait(for: [end.descriptor], timeout: nil)
    }

    // MARK: The thread

    private func work() {
        defer { end.signal() }
        while !(state.withLock { $0.isClosed }) {
            _ = try? Readiness.wait(for: [bell.descriptor], timeout: nil)
            bell.drain()
            let work: Work? = state.withLock { state in
                guard !state.isClosed else { return nil }
                state.current = state.next.take()
                return state.current
            }
            guard let work else { continue }
            ask(work)
            state.withLock { $0.current = nil }
        }
    }

    private func ask(_ work: Work) {
        var answer: [UInt8]?
        let outcome = programs.ask(
            work.request, timeout: .seconds(Int(work.request.seconds)) + Self.grace,
            interruption: ServiceHelper.Interruption(readable: [work.withdrawal.descriptor])
        ) { _, frame in
            answer = AgentAnswer.frame(to: work.number, reply: frame, nonce: nonce)
        }
        switch outcome {
        case .replied: break
        // The service withdrew the prompt and expects no answer.
        case .interrupted: return
        case .timedOut: answer = AgentAnswer.frame(to: work.number, reply: PromptReply.timedOut.frame, nonce: nonce)
        case .unavailable:
            let refusal = HelperRefusal(reason: "the agent cannot show a prompt")
            answer = AgentAnswer.frame(to: work.number, reply: refusal.frame, nonce: nonce)
        }
        guard var answer = answer.take() else { return }
        defer { wipe(&answer) }
        do throws(EndpointError) {
            try socket.send(answer.span)
        } catch {
            // The receiving thread detects the end of the connection.
            socket.shutDown()
        }
    }
}
