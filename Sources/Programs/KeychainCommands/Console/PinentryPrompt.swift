// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal
internal import SecretMemory

/// Prompts with the user's pinentry: in a window, or on the terminal if no windows are available.
struct PinentryPrompt: SecretPrompt {
    private let pinentry: Pinentry
    private let terminal: (path: String, kind: String)?
    private let locale: String?

    init(_ pinentry: Pinentry, terminal: (path: String, kind: String)?, locale: String?) {
        self.pinentry = pinentry
        self.terminal = terminal
        self.locale = locale
    }

    /// The program that CHATELAINE_PINENTRY names, otherwise `pinentry`; nil if there is none.
    static var ofEnvironment: PinentryPrompt? {
        let program = CurrentProcess.environmentVariable("CHATELAINE_PINENTRY")
        let searchPath = CurrentProcess.environmentVariable("PATH")
        guard let pinentry = Pinentry(named: program, searchPath: searchPath) else { return nil }
        let terminal = Terminal.controlling
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(CurrentProcess.environmentVariable).first {
            !$0.isEmpty
        }
        return PinentryPrompt(
            pinentry,
            terminal: terminal.isAvailable
                ? (terminal.path, CurrentProcess.environmentVariable("TERM") ?? "") : nil,
            locale: locale)
    }

    func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        try ask(question, repetition: nil)
    }

    func askNew(_ question: String) throws(CommandFailure) -> SecretBytes {
        try ask(question, repetition: "Once more:")
    }

    /// Returns the text of the window and the label of its field for a question. The label is not broken into lines, so
    /// a question with a long name becomes text.
    static func layout(of question: String) -> (description: String, prompt: String) {
        let purpose = "The command chatelaine needs this to continue."
        let question = String(question.reversed().drop { $0 == " " }.reversed())
        let width = question.reduce(0) { $0 + PinentryText.width(of: $1) }
        guard width > longestLabel else { return (purpose, question) }
        let lines = PinentryText.wrap(PinentryText.shortened(question, 300), columns: PinentryText.windowColumns)
        return (purpose + "\n\n" + lines.joined(separator: "\n"), "Entry:")
    }

    /// The longest label of a field, in columns.
    private static let longestLabel = 40

    private func ask(_ text: String, repetition: String?) throws(CommandFailure) -> SecretBytes {
        let (description, prompt) = Self.layout(of: text)
        var question = Pinentry.Question(description: description, prompt: prompt, repetition: repetition)
        question.terminal = terminal
        question.locale = locale
        do throws(PinentryError) {
            return try pinentry.ask(question)
        } catch {
            throw CommandFailure(error, program: pinentry.program)
        }
    }
}

extension CommandFailure {
    fileprivate init(_ error: PinentryError, program: String) {
        switch error {
        case .cancelled, .abandoned:
            self.init("nothing was entered")
        case .timedOut:
            self.init("nothing was entered before the time limit")
        case .entriesDiffer:
            self = .entriesDiffer
        case .tooLong(let limit):
            self.init("the entry is longer than \(limit) bytes")
        case .notStarted(_, let reason):
            self.init("cannot run \(program): \(reason)", hint: Self.otherProgram)
        case .failed(_, let reason):
            self.init("\(program) could not show the prompt: \(reason)", hint: Self.otherProgram)
        case .notHeard(let reason):
            self.init("cannot wait for \(program): \(reason)")
        case .ended:
            self.init("\(program) ended without an answer", hint: Self.otherProgram)
        case .silent, .unintelligible:
            self.init("\(program) does not follow the pinentry protocol", hint: Self.otherProgram)
        }
    }

    private static let otherProgram = "set CHATELAINE_PINENTRY to use another program"
}
