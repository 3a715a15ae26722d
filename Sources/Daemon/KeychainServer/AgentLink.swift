// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainWire
internal import SecretMemory
internal import Synchronization

/// The service's end of an agent's connection: one question at a time, and at most one answer to each.
///
/// Questions are asked on the threads of those who wait for them; what the agent says comes in on the connection's own. An agent that
/// breaks a rule, or is silent for longer than any prompt may take, loses its connection.
final class AgentLink: Sendable {
    private struct Question {
        let number: UInt32
        let request: PromptRequest
        let bell: WakeUp
        var outcome: PromptQueue.Outcome?
    }

    private struct State {
        var isOpen = false
        /// The last question that was asked, and the last that was answered.
        var asked: UInt32 = 0
        var answered: UInt32 = 0
        var question: Question?
    }

    private let connection: ServerConnection
    private let place: PersonsPlace
    private let state = Mutex(State())

    /// - Parameter place: the agent's own surroundings.
    init(_ connection: ServerConnection, place: PersonsPlace) {
        self.connection = connection
        self.place = place
    }

    /// The display that the agent was started on.
    var display: PromptDisplay? { place.find().display }

    /// Sends the answer to the agent's request. Questions follow it, and never come before.
    func open(_ reply: [UInt8]) -> Bool {
        state.withLock { state in
            state.isOpen = connection.sendWithoutWaiting(reply.span)
            return state.isOpen
        }
    }

    /// A newer agent takes its place: it is told so, and its connection ends.
    func giveWay() {
        _ = connection.sendWithoutWaiting(
            ReplyWriter.refusal(Refusal(.notAvailable, .tooManyConnectionsOfUser)).span)
        connection.stopReceiving()
    }

    /// The connection is gone: whoever waits for an answer gets none.
    func end() {
        state.withLock { state in
            state.isOpen = false
            state.question?.outcome = .unavailable
            state.question?.bell.signal()
        }
    }

    // MARK: Asking

    /// Has the question shown, and waits for the answer, for the interruption, or until the time is over.
    func ask(
        _ request: PromptRequest, timeout: Duration, _ interruption: ServiceHelper.Interruption
    ) -> PromptQueue.Outcome {
        guard let bell = try? WakeUp(), let number = send(request, bell) else { return .unavailable }
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
            // First: an answer that came at that very moment is to a question that nobody asks any more.
            let isInterrupted = try? Readiness.wait(
                for: interruption.readable, hangUpOf: interruption.hungUp, timeout: .zero)
            if isInterrupted == true {
                takeBack(number)
                return .interrupted
            }
            if let outcome = takeOutcome() { return outcome }
        }
    }

    /// The question's number; nil where the agent does not take it.
    private func send(_ request: PromptRequest, _ bell: WakeUp) -> UInt32? {
        state.withLock { state in
            // One that is asked already belongs to a keychain that was closed since: its queue would have waited.
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

    private func takeOutcome() -> PromptQueue.Outcome? {
        state.withLock { state in
            guard let outcome = state.question?.outcome else { return nil }
            state.question = nil
            return outcome
        }
    }

    // MARK: Answers

    fileprivate struct Given {
        let reply: PromptReply
        let answer: PromptAnswer?

        /// Nil for bytes that are no answer.
        init?(_ bytes: ArraySlice<UInt8>) {
            var frame = Array(bytes)
            defer { wipe(&frame) }
            guard let reply = try? PromptReply(frame) else { return nil }
            self.reply = reply
            answer = reply.answer(from: frame)
        }
    }

    /// Takes what the agent sent.
    ///
    /// - Returns: false where it broke a rule, and its connection has to end.
    func take(_ frame: consuming Frame, nonce: [UInt8]) -> Bool {
        guard let answer = try? AgentAnswer(frame, nonce: nonce, copy: Given.init), let given = answer.reply else {
            return false
        }
        return state.withLock { state in
            // Neither what was not asked, nor a second time.
            guard answer.number > state.answered, answer.number <= state.asked else { return false }
            state.answered = answer.number
            // Taken back, while the answer was under way.
            guard let question = state.question, question.number == answer.number else { return true }
            guard given.reply.answers(question.request) else { return false }
            state.question?.outcome = given.outcome
            question.bell.signal()
            return true
        }
    }
}

extension AgentLink.Given {
    fileprivate var outcome: PromptQueue.Outcome {
        switch answer {
        case nil: .unavailable
        case .timedOut: .timedOut
        case .some(let answer): .answer(answer)
        }
    }
}
