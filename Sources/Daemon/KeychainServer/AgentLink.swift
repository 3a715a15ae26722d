// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainWire
internal import SecretMemory
internal import Synchronization

/// The service's end of an agent's connection: one prompt at a time, and at most one answer to each.
///
/// Prompts are sent on the threads that wait for them; the agent's answers arrive on the thread of the connection. If
/// an agent violates the protocol, or does not answer within the maximum time of a prompt, its connection ends.
final class AgentLink: Sendable {
    private struct Question {
        let number: UInt32
        let request: PromptRequest
        let bell: WakeUp
        var answer: PromptAnswer?
    }

    private struct State {
        var isOpen = false
        /// The numbers of the last prompt that was sent and the last that was answered.
        var asked: UInt32 = 0
        var answered: UInt32 = 0
        var question: Question?
    }

    private let connection: ServerConnection
    private let place: CallerLocation
    private let state = Mutex(State())

    /// Creates the link.
    ///
    /// - Parameter place: the agent's own terminal and display.
    init(_ connection: ServerConnection, place: CallerLocation) {
        self.connection = connection
        self.place = place
    }

    /// The display on which the agent was started.
    var display: PromptDisplay? { place.find().display }

    /// Sends the answer to the agent's request. Prompts follow it, and never precede it.
    func open(_ reply: [UInt8]) -> Bool {
        state.withLock { state in
            state.isOpen = connection.sendWithoutWaiting(reply.span)
            return state.isOpen
        }
    }

    /// Ends the connection because a newer agent replaces this one, and tells the agent so.
    func giveWay() {
        _ = connection.sendWithoutWaiting(
            ReplyWriter.refusal(Refusal(.notAvailable, .tooManyConnectionsOfUser)).span)
        connection.stopReceiving()
    }

    /// Ends the link after the connection ended: waiting prompts get no answer.
    func end() {
        state.withLock { state in
            state.isOpen = false
            state.question?.answer = .notAsked()
            state.question?.bell.signal()
        }
    }

    // MARK: Prompting

    /// Shows the prompt, and waits for the answer, for the interruption, or until the time is over.
    func ask(
        _ request: PromptRequest, timeout: Duration, _ interruption: ServiceHelper.Interruption
    ) -> PromptAnswer {
        guard let bell = try? WakeUp(), let number = send(request, bell) else { return .notAsked() }
        let deadline = ContinuousClock.now + timeout
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else {
                takeBack(number)
                connection.shutDown()
                return .timedOut
            }
            _ = try? Readiness.wait(
                for: [bell.descriptor] + interruption.readable, hangUpOf: interruption.hungUp, timeout: left)
            // First, because an answer that arrives at the moment of the interruption belongs to a withdrawn prompt.
            let isInterrupted = try? Readiness.wait(
                for: interruption.readable, hangUpOf: interruption.hungUp, timeout: .zero)
            if isInterrupted == true {
                takeBack(number)
                return .cancelled
            }
            if let answer = takeAnswer() { return answer }
        }
    }

    /// Sends the prompt and returns its number; nil if the agent does not accept it.
    private func send(_ request: PromptRequest, _ bell: WakeUp) -> UInt32? {
        state.withLock { state in
            // A prompt that is already shown belongs to a keychain that was closed since; its queue would have waited.
            guard state.isOpen, state.question == nil, state.asked < .max else { return nil }
            let number = state.asked + 1
            let frame = AgentQuestion(number: number, prompt: request.frame).frame
            guard connection.sendWithoutWaiting(frame.span) else {
                connection.shutDown()
                return nil
            }
            state.asked = number
            state.question = Question(number: number, request: request, bell: bell)
            return number
        }
    }

    private func takeBack(_ number: UInt32) {
        state.withLock { state in
            state.question = nil
            guard state.isOpen, state.answered < number else { return }
            if !connection.sendWithoutWaiting(AgentWithdrawal(number: number).frame.span) { connection.shutDown() }
        }
    }

    private func takeAnswer() -> PromptAnswer? {
        state.withLock { state in
            guard let answer = state.question?.answer else { return nil }
            state.question = nil
            return answer
        }
    }

    // MARK: Answers

    /// Decodes an answer; nil for bytes that are not an answer.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> (reply: PromptReply, answer: PromptAnswer)? {
        var frame = Array(bytes)
        defer { wipe(&frame) }
        guard let reply = try? PromptReply(frame) else { return nil }
        return (reply, reply.answer(from: frame))
    }

    /// Handles a frame from the agent.
    ///
    /// - Returns: false if the frame violates the protocol, so that the connection has to end.
    func take(_ frame: consuming Frame, nonce: [UInt8]) -> Bool {
        guard let answer = try? AgentAnswer(frame, nonce: nonce, copy: Self.decoded), let given = answer.reply else {
            return false
        }
        return state.withLock { state in
            // Each prompt was sent, and is answered at most once.
            guard answer.number > state.answered, answer.number <= state.asked else { return false }
            state.answered = answer.number
            // The prompt was withdrawn while the answer was on its way.
            guard let question = state.question, question.number == answer.number else { return true }
            guard given.reply.answers(question.request) else { return false }
            state.question?.answer = given.answer
            question.bell.signal()
            return true
        }
    }
}
