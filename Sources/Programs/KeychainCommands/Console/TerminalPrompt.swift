// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal
internal import SecretMemory

/// A way to prompt the user for a secret.
protocol SecretPrompt {
    /// Prompts once. The answer is not shown, and is returned without its newline.
    ///
    /// - Throws: a failure with the reason if no prompt can be shown, or if the user cancelled.
    func ask(_ question: String) throws(CommandFailure) -> SecretBytes

    /// Prompts for a new secret, twice.
    ///
    /// - Throws: as ``ask(_:)``, and a failure if the two entries differ.
    func askNew(_ question: String) throws(CommandFailure) -> SecretBytes

    /// Prompts once for text that is not secret, and shows it as far as possible.
    ///
    /// - Throws: as ``ask(_:)``, and a failure for an answer that is not UTF-8.
    func askShown(_ question: String) throws(CommandFailure) -> String
}

extension SecretPrompt {
    func askNew(_ question: String) throws(CommandFailure) -> SecretBytes {
        let secret = try ask(question)
        let again = try ask("Once more: ")
        guard secret.isSameEntry(as: again) else { throw .entriesDiffer }
        return secret
    }

    func askShown(_ question: String) throws(CommandFailure) -> String {
        try CommandFailure.text(try ask(question))
    }
}

/// Prompts on a terminal without echo.
struct TerminalPrompt: SecretPrompt {
    private let terminal: Terminal

    init(path: String) {
        terminal = Terminal(path: path)
    }

    /// The terminal from which the process was started, regardless of its standard streams; nil if there is none.
    static var controllingTerminal: TerminalPrompt? {
        let prompt = TerminalPrompt(path: Terminal.controlling.path)
        return prompt.isAvailable ? prompt : nil
    }

    /// Whether there is such a terminal.
    var isAvailable: Bool { terminal.isAvailable }

    func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        do throws(TerminalError) {
            return try terminal.ask(question)
        } catch {
            throw CommandFailure(error)
        }
    }

    func askShown(_ question: String) throws(CommandFailure) -> String {
        let answer: SecretBytes
        do throws(TerminalError) {
            answer = try terminal.ask(question, isShown: true)
        } catch {
            throw CommandFailure(error)
        }
        return try CommandFailure.text(answer)
    }
}

extension CommandFailure {
    static var entriesDiffer: CommandFailure {
        CommandFailure("the two entries differ", hint: "nothing was changed; try again")
    }

    /// Returns an answer as text.
    fileprivate static func text(_ answer: SecretBytes) throws(CommandFailure) -> String {
        guard let text = String(validating: answer.bytes, as: UTF8.self) else {
            throw CommandFailure("the entry is not UTF-8", hint: "the terminal may use another encoding")
        }
        return text
    }

    init(_ error: TerminalError) {
        switch error {
        case .unavailable:
            self.init("cannot ask: there is no terminal", hint: "pass the secret through standard input")
        case .endOfInput:
            self.init("nothing was entered")
        case .lineTooLong(let limit):
            self.init(
                "the terminal accepts no line of more than \(limit) bytes",
                hint: "pass a longer secret through standard input")
        case .failed(let reason):
            self.init("the terminal cannot be used: \(reason)")
        }
    }
}
