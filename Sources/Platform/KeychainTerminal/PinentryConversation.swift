// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint
internal import SecretMemory

/// One conversation with a pinentry, from its greeting to its end. Received data is wiped.
final class PinentryConversation {
    private let conversation: HelperConversation
    private let mask: sigset_t
    private let requester: DescriptorStream?
    /// Received data that was not read yet is in `start..<end`.
    private var buffer = [UInt8](repeating: 0, count: AssuanLine.limit + 2)
    private var start = 0
    private var end = 0

    /// The time for responses that need no user.
    private static let patience = Duration.seconds(10)
    /// The time for the program to end before it is killed.
    private static let endPatience = Duration.seconds(1)
    /// The additional time after the program's own limit.
    private static let grace = Duration.seconds(5)
    /// The most lines of one response.
    private static let maximumLines = 1000

    init(_ conversation: HelperConversation, mask: sigset_t, requester: DescriptorStream?) {
        self.conversation = conversation
        self.requester = requester
        self.mask = mask
    }

    deinit { wipe(&buffer) }

    /// Ends the program.
    ///
    /// - Parameter isInterrupted: whether to send SIGINT, at which programs restore the terminal.
    /// - Returns: whether it ended by itself.
    @discardableResult
    func end(isInterrupted: Bool = false) -> Bool {
        _ = conversation.send(AssuanLine.command("BYE"))
        conversation.hangUp()
        let program = conversation.program
        if isInterrupted {
            program.signal(SIGINT)
            // A process that was stopped together with this one must continue to receive the signal.
            program.signal(SIGCONT)
        }
        return switch program.end(within: Self.endPatience) {
        case .exited, .notReported: true
        case .killed, nil: false
        }
    }

    func ask(
        _ question: Pinentry.Question, quality: ((SecretBytes) -> Int)?
    ) throws(Pinentry.ConversationError) -> SecretBytes {
        guard case .done = try reply(within: Self.patience) else { throw .failure(.unintelligible) }
        try prepare(question)
        try set("SETOK", question.okTitle)
        if quality != nil { try set("SETQUALITYBAR", "Strength:") }
        let (answer, isRepeated) = try secret(question, quality)
        guard question.repetition != nil, !isRepeated else { return answer }
        // This program has no second field.
        try set("SETPROMPT", question.repetition)
        let (second, _) = try secret(question, quality)
        // Both entries are the user's own, so the time of the comparison reveals nothing.
        guard answer.bytes.elementsEqual(second.bytes) else { throw .failure(.entriesDiffer) }
        return answer
    }

    func choose(
        _ question: Pinentry.Question, ok: String?, notOK: String?
    ) throws(Pinentry.ConversationError) -> Pinentry.Choice {
        guard case .done = try reply(within: Self.patience) else { throw .failure(.unintelligible) }
        try prepare(question)
        try set("SETOK", ok ?? question.cancelTitle)
        let isOffered = try notOK.map { title throws(Pinentry.ConversationError) in
            try send("SETNOTOK", title)
            if case .done = try reply(within: Self.patience) { return true }
            return false
        }
        try send("CONFIRM", ok == nil ? "--one-button" : "")
        switch try decision(question) {
        case .done: return ok == nil ? .cancel : .ok
        case .refused(let code, let text):
            switch code {
            // GPG_ERR_NOT_CONFIRMED: the third button, or the second if there is no third.
            case 114: return isOffered == true ? .notOK : .cancel
            // GPG_ERR_CANCELED, GPG_ERR_FULLY_CANCELED
            case 99, 198: return .cancel
            // GPG_ERR_TIMEOUT
            case 62: throw .failure(.timedOut)
            default: throw .failure(.failed(code: code, reason: text))
            }
        }
    }

    /// Waits for the user's decision.
    private func decision(
        _ question: Pinentry.Question, _ quality: ((SecretBytes) -> Int)? = nil
    ) throws(Pinentry.ConversationError) -> Response {
        do throws(Pinentry.ConversationError) {
            return try reply(within: question.timeout + Self.grace, quality)
        } catch .failure(.silent) {
            // The program has no time limit itself.
            throw .failure(.timedOut)
        }
    }

    /// Sets the texts of the dialog. Programs support different commands, and a missing one is no reason to stop.
    private func prepare(_ question: Pinentry.Question) throws(Pinentry.ConversationError) {
        if let terminal = question.terminal {
            try set("OPTION", "ttyname=\(terminal.path)")
            if !terminal.kind.isEmpty { try set("OPTION", "ttytype=\(terminal.kind)") }
        }
        try set("OPTION", question.locale.map { "lc-ctype=\($0)" })
        try set("SETTITLE", "Chatelaine")
        try set("SETDESC", question.description)
        try set("SETPROMPT", question.prompt.isEmpty ? nil : question.prompt)
        try set("SETCANCEL", question.cancelTitle)
        try set("SETERROR", question.error)
        if let repetition = question.repetition {
            try set("SETREPEAT", repetition)
            try set("SETREPEATERROR", "The two entries differ.")
        }
        try set("SETTIMEOUT", String(question.timeout.components.seconds))
    }

    private func set(_ command: String, _ argument: String?) throws(Pinentry.ConversationError) {
        guard let argument else { return }
        try send(command, argument)
        _ = try reply(within: Self.patience)
    }

    private func secret(
        _ question: Pinentry.Question, _ quality: ((SecretBytes) -> Int)?
    ) throws(Pinentry.ConversationError) -> (answer: SecretBytes, isRepeated: Bool) {
        try send("GETPIN")
        switch try decision(question, quality) {
        case .done(let answer, let isRepeated): return (answer, isRepeated)
        case .refused(let code, let text):
            switch code {
            // Numbers of libgpg-error: GPG_ERR_CANCELED, GPG_ERR_FULLY_CANCELED, GPG_ERR_NOT_CONFIRMED.
            case 99, 198, 114: throw .failure(.cancelled)
            // GPG_ERR_TIMEOUT
            case 62: throw .failure(.timedOut)
            default: throw .failure(.failed(code: code, reason: text))
            }
        }
    }

    private func send(_ command: String, _ argument: String = "") throws(Pinentry.ConversationError) {
        guard conversation.send(AssuanLine.command(command, argument)) else { throw .failure(.ended) }
    }

    private enum Response {
        case done(SecretBytes, isRepeated: Bool)
        case refused(code: UInt16, text: String)
    }

    /// Reads all lines of a response.
    private func reply(
        within limit: Duration, _ quality: ((SecretBytes) -> Int)? = nil
    ) throws(Pinentry.ConversationError) -> Response {
        let deadline = ContinuousClock.now + limit
        // One byte more than the limit, so that a longer answer is detected.
        var answer: [UInt8] = []
        answer.reserveCapacity(Pinentry.maximumAnswerBytes + 1)
        defer { wipe(&answer) }
        var isRepeated = false
        var lineCount = 0
        while lineCount < Self.maximumLines {
            lineCount += 1
            let line = try nextLine(until: deadline)
            defer { forget(line) }
            switch AssuanLine.reply(buffer[line]) {
            case .ok: return .done(SecretBytes(moving: &answer), isRepeated: isRepeated)
            case .error(let code, let text): return .refused(code: code, text: text)
            case .status(let word): if word == "PIN_REPEATED" { isRepeated = true }
            case .comment: break
            case .inquiry("QUALITY", let password):
                guard let quality else { throw .failure(.unintelligible) }
                try tell(quality, of: password)
                // Not counted, because an inquiry follows each key that the user types.
                lineCount -= 1
            case .inquiry: throw .failure(.unintelligible)
            case .data(let escaped):
                let isWhole = AssuanLine.unescape(buffer[escaped]) { byte in
                    if answer.count <= Pinentry.maximumAnswerBytes { answer.append(byte) }
                }
                guard isWhole else { throw .failure(.unintelligible) }
                guard answer.count <= Pinentry.maximumAnswerBytes else {
                    throw .failure(.tooLong(limit: Pinentry.maximumAnswerBytes))
                }
            case nil: throw .failure(.unintelligible)
            }
        }
        throw .failure(.unintelligible)
    }

    private func tell(
        _ quality: (SecretBytes) -> Int, of escaped: Range<Int>
    ) throws(Pinentry.ConversationError) {
        var password: [UInt8] = []
        password.reserveCapacity(escaped.count)
        AssuanLine.unescapeInquired(buffer[escaped]) { password.append($0) }
        let percent = min(100, max(-100, quality(SecretBytes(moving: &password))))
        try send("D", String(percent))
        try send("END")
    }

    /// Returns the range of the next line in the buffer, without its line end.
    private func nextLine(until deadline: ContinuousClock.Instant) throws(Pinentry.ConversationError) -> Range<Int> {
        var searched = start
        while true {
            if let newline = buffer[searched..<end].firstIndex(of: UInt8(ascii: "\n")) {
                let line = start..<newline
                start = newline + 1
                let hasReturn = !line.isEmpty && buffer[newline - 1] == UInt8(ascii: "\r")
                let text = hasReturn ? line.dropLast() : line
                guard text.count <= AssuanLine.limit else { throw .failure(.unintelligible) }
                return text
            }
            moveToFront()
            searched = end
            guard end < buffer.count else { throw .failure(.unintelligible) }
            switch try wait(until: deadline) {
            case .ready: break
            case .signal: throw .signal
            case .timedOut: throw .failure(.silent)
            case .abandoned: throw .failure(.abandoned)
            }
            let count = conversation.receive(into: &buffer, from: end)
            guard count > 0 else { throw .failure(.ended) }
            end += count
        }
    }

    private func wait(until deadline: ContinuousClock.Instant) throws(Pinentry.ConversationError) -> InputWait.Event {
        do throws(SystemCallError) {
            return try InputWait.wait(
                for: conversation.descriptor, mask: mask, timeout: ContinuousClock.now.duration(to: deadline),
                requester: requester?.descriptor)
        } catch {
            throw .failure(.notHeard(reason: error.reason))
        }
    }

    /// Makes room after an unfinished line, and wipes its old place.
    private func moveToFront() {
        guard start > 0 else { return }
        for index in start..<end { buffer[index - start] = buffer[index] }
        for index in (end - start)..<end { buffer[index] = 0 }
        (start, end) = (0, end - start)
    }

    private func forget(_ line: Range<Int>) {
        for index in line { buffer[index] = 0 }
    }
}
