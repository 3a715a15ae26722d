// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint
public import SecretMemory

/// GnuPG's program that asks a person for a passphrase, in a window or on a terminal.
///
/// Source of its protocol: The GnuPG Project, "The pinentry manual", chapter "Protocol",
/// https://www.gnupg.org/related_software/pinentry/. For programs of one thread: while it waits, the signals that would end
/// or stop the process are its own.
public struct Pinentry: Hashable, Sendable {
    /// The program's path.
    public let program: String
    private let requester: DescriptorStream?

    /// - Parameter requester: the connection of who waits for the answer, on which nothing more is to come. Its end is a
    ///   cancellation.
    public init(program: String, requester: DescriptorStream? = nil) {
        self.program = program
        self.requester = requester
    }

    /// The user's pinentry: the one that is named, or `pinentry`. A name without a slash is looked for in the search path, in
    /// which only absolute folders count. Nil when there is no such program, and in a program with more rights than its user.
    public init?(named name: String?, searchPath: String?) {
        // What the search path says is the word of a user with fewer rights.
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? "pinentry"
        let folders = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        // The path is only read.
        guard let program = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        self.program = program
        requester = nil
    }

    /// What is asked, and where.
    public struct Question: Hashable, Sendable {
        /// Sentences that say what the secret is for.
        public var description: String
        /// A word or two before the field.
        public var prompt: String
        /// For a new secret: what stands before the second field. The two must be the same.
        public var repetition: String?
        /// What was wrong with the answer before.
        public var error: String?
        /// How long a person may take.
        public var timeout: Duration
        /// The terminal to use where there are no windows, as a path, and its kind (`TERM`).
        public var terminal: (path: String, kind: String)? {
            get { terminalPath.map { ($0, terminalKind) } }
            set { (terminalPath, terminalKind) = (newValue?.path, newValue?.kind ?? "") }
        }
        /// The locale of that terminal (`LC_CTYPE`).
        public var locale: String?
        /// What giving up is called; nil for the program's own word.
        public var cancelTitle: String?

        private var terminalPath: String?
        private var terminalKind = ""

        public init(
            description: String, prompt: String, repetition: String? = nil, error: String? = nil,
            timeout: Duration = .seconds(300)
        ) {
            self.description = description
            self.prompt = prompt
            self.repetition = repetition
            self.error = error
            self.timeout = timeout
        }
    }

    /// The longest answer in bytes, as on a terminal.
    public static let maximumAnswerBytes = Terminal.maximumLineBytes - 1

    /// Asks once. The answer is UTF-8 as far as the program keeps its promise; it may be empty.
    ///
    /// - Parameters:
    ///   - question: what to ask.
    ///   - quality: for a new secret: how good is what was typed so far, in percent; below 0 for too weak, which is shown in red. Programs
    ///     with a bar for it ask at each key, if the secret has not too many bytes for a line; others show nothing. Bars are called "Strength:".
    ///
    /// Throws ``PinentryError``.
    public func ask(_ question: Question, quality: ((SecretBytes) -> Int)? = nil) throws(PinentryError) -> SecretBytes {
        try converse(question) { conversation throws(Interruption) in
            try conversation.ask(question, quality: quality)
        }
    }

    /// What a person chose.
    public enum Choice: Hashable, Sendable {
        case ok
        /// The third button.
        case notOK
        /// The button for it, the escape key, or closing the window.
        case cancel
    }

    /// Has a person choose one of two or three buttons. A program that does not know the third shows two; so it has to be one that
    /// may be missing, and the choice that does no harm has to be `.cancel`.
    ///
    /// - Parameters:
    ///   - question: its prompt is not used.
    ///   - ok: the title of the first button; nil for a single button, which is called as the question's cancel title.
    ///   - notOK: the title of the third button; nil for none.
    ///
    /// Throws ``PinentryError``, but for `.cancelled`.
    public func choose(_ question: Question, ok: String?, notOK: String?) throws(PinentryError) -> Choice {
        try converse(question) { conversation throws(Interruption) in
            try conversation.choose(question, ok: ok, notOK: notOK)
        }
    }

    private func converse<R>(
        _ question: Question, _ body: (PinentryConversation) throws(Interruption) -> R
    ) throws(PinentryError) -> R {
        let terminal = TerminalState(path: question.terminal?.path)
        while true {
            let answer: R?
            do throws(Interruption) {
                answer = try SignalGuard.reading { mask throws(Interruption) -> R? in
                    let conversation: PinentryConversation
                    do throws(SystemCallError) {
                        conversation = PinentryConversation(
                            try SpokenProcess(program), mask: mask, requester: requester)
                    } catch {
                        throw .failure(.notStarted(program: program, reason: error.reason))
                    }
                    do throws(Interruption) {
                        let answer = try body(conversation)
                        conversation.end()
                        return answer
                    } catch {
                        // One that had to be killed left the terminal as it was then.
                        let isAbandoned = error == .signal || error == .failure(.abandoned)
                        if !conversation.end(isInterrupted: isAbandoned) { terminal.restore() }
                        guard error == .signal else { throw error }
                        return nil
                    }
                }
            } catch {
                switch error {
                case .failure(let failure): throw failure
                case .signal: throw .cancelled
                }
            }
            if let answer { return answer }
            // Here again after having been stopped and continued: ask once more.
        }
    }

    /// Why a conversation is over.
    enum Interruption: Error, Hashable {
        case signal
        case failure(PinentryError)
    }
}

/// Why a pinentry gave no answer.
public enum PinentryError: Error, Hashable, Sendable {
    /// The program cannot be run; the system's words.
    case notStarted(program: String, reason: String)
    /// The person gave up.
    case cancelled
    /// The person took too long.
    case timedOut
    /// Who waited for the answer is gone.
    case abandoned
    /// The two entries of a new secret differ.
    case entriesDiffer
    /// The program ended without an answer, whatever ended it.
    case ended
    /// The program said nothing when it had to.
    case silent
    /// The system refused to wait for the program; its words.
    case notHeard(reason: String)
    /// The program said something that a pinentry does not say.
    case unintelligible
    /// More bytes than a secret may have here.
    case tooLong(limit: Int)
    /// The program could not ask: its reason, which is another program's text.
    case failed(code: UInt16, reason: String)
}

/// How a terminal was before a program used it.
struct TerminalState {
    private let path: String?
    private let settings: termios
    private let wasRead: Bool

    init(path: String?) {
        self.path = path
        var settings = termios()
        // The structure is ours and lives for the call, here and below.
        wasRead = Self.with(path) { descriptor in unsafe tcgetattr(descriptor, &settings) }
        self.settings = settings
    }

    func restore() {
        guard wasRead else { return }
        var settings = settings
        _ = Self.with(path) { descriptor in unsafe tcsetattr(descriptor, TCSAFLUSH, &settings) }
    }

    private static func with(_ path: String?, _ body: (Int32) -> Int32) -> Bool {
        // The path is only read.
        guard let path, case let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), descriptor >= 0
        else { return false }
        defer { close(descriptor) }
        return body(descriptor) == 0
    }
}
