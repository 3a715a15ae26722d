// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
public import SecretMemory

/// GnuPG's program that asks the user for a passphrase, in a window or on a terminal.
///
/// Source of its protocol: The GnuPG Project, "The pinentry manual", chapter "Protocol",
/// https://www.gnupg.org/related_software/pinentry/. For single-threaded programs: while it waits, it handles the
/// signals that would end or stop the process itself.
public struct Pinentry: Hashable, Sendable {
    /// The program's path.
    public let program: String
    private let requester: DescriptorStream?

    /// Creates a pinentry.
    ///
    /// - Parameter requester: the connection of the requester, which sends no more data. Closing it cancels the dialog.
    public init(program: String, requester: DescriptorStream? = nil) {
        self.program = program
        self.requester = requester
    }

    /// Finds the user's pinentry: the named one, or `pinentry`. A name without a slash is searched in the absolute
    /// folders of the search path. Nil if there is no such program, and in a program with more rights than its user.
    public init?(named name: String?, searchPath: String?) {
        // A user with fewer rights controls the search path.
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? "pinentry"
        let folders = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        // The path is only read.
        guard let program = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        self.program = program
        requester = nil
    }

    /// A dialog, and the place where it appears.
    public struct Question: Hashable, Sendable {
        /// Sentences that state the purpose of the secret.
        public var description: String
        /// The label of the field, one or two words.
        public var prompt: String
        /// For a new secret: the label of the second field. The two entries must be equal.
        public var repetition: String?
        /// The error in the previous answer.
        public var error: String?
        /// The time for an answer.
        public var timeout: Duration
        /// The terminal to use without a window system, as a path, and its kind (`TERM`).
        public var terminal: (path: String, kind: String)? {
            get { terminalPath.map { ($0, terminalKind) } }
            set { (terminalPath, terminalKind) = (newValue?.path, newValue?.kind ?? "") }
        }
        /// The locale of that terminal (`LC_CTYPE`).
        public var locale: String?
        /// The title of the button that enters a secret; nil for the program's own.
        public var okTitle: String?
        /// The title of the cancel button; nil for the program's own.
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

    /// Shows the dialog once. The answer is UTF-8 if the program keeps to its protocol; it may be empty.
    ///
    /// - Parameters:
    ///   - question: the dialog.
    ///   - quality: for a new secret: returns the quality of the current entry in percent; below 0 for too weak, which
    ///     is shown in red. Programs with a quality bar request it at each key, if the secret fits into a line; others
    ///     show nothing. Bars have the title "Strength:".
    ///
    /// Throws ``PinentryError``.
    public func ask(_ question: Question, quality: ((SecretBytes) -> Int)? = nil) throws(PinentryError) -> SecretBytes {
        try converse(question) { conversation throws(ConversationError) in
            try conversation.ask(question, quality: quality)
        }
    }

    /// The user's choice.
    public enum Choice: Hashable, Sendable {
        case ok
        /// The third button.
        case notOK
        /// The cancel button, the escape key, or closing the window.
        case cancel
    }

    /// Lets the user choose one of two or three buttons. A program that does not support the third shows two, so the
    /// third must not be necessary, and the harmless choice must be `.cancel`.
    ///
    /// - Parameters:
    ///   - question: the dialog; its prompt is not used.
    ///   - ok: the title of the first button; nil for a single button with the dialog's cancel title.
    ///   - notOK: the title of the third button; nil for none.
    ///
    /// Throws ``PinentryError``, except `.cancelled`.
    public func choose(_ question: Question, ok: String?, notOK: String?) throws(PinentryError) -> Choice {
        try converse(question) { conversation throws(ConversationError) in
            try conversation.choose(question, ok: ok, notOK: notOK)
        }
    }

    private func converse<R>(
        _ question: Question, _ body: (PinentryConversation) throws(ConversationError) -> R
    ) throws(PinentryError) -> R {
        let terminal = TerminalState(path: question.terminal?.path)
        while true {
            let answer: R?
            do throws(ConversationError) {
                answer = try SignalGuard.reading { mask throws(ConversationError) -> R? in
                    let conversation: PinentryConversation
                    do throws(SystemCallError) {
                        conversation = PinentryConversation(
                            try HelperConversation(with: program, environment: nil, options: .closedDescriptors),
                            mask: mask, requester: requester)
                    } catch {
                        throw .failure(.notStarted(program: program, reason: error.reason))
                    }
                    do throws(ConversationError) {
                        let answer = try body(conversation)
                        conversation.end()
                        return answer
                    } catch {
                        // A killed program leaves the terminal in its last state.
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
            // Reached after the process was stopped and continued: show the dialog again.
        }
    }

    /// The reason why a conversation ended.
    enum ConversationError: Error, Hashable {
        case signal
        case failure(PinentryError)
    }
}

/// The reason why a pinentry gave no answer.
public enum PinentryError: Error, Hashable, Sendable {
    /// The program cannot be run; with the system's text.
    case notStarted(program: String, reason: String)
    /// The user cancelled the dialog.
    case cancelled
    /// The user did not answer in time.
    case timedOut
    /// The requester closed its connection.
    case abandoned
    /// The two entries of a new secret differ.
    case entriesDiffer
    /// The program ended without an answer, for any reason.
    case ended
    /// The program did not respond in time.
    case silent
    /// Waiting for the program failed; with the system's text.
    case notHeard(reason: String)
    /// The program sent a response that is not part of the protocol.
    case unintelligible
    /// The answer is longer than a secret may be.
    case tooLong(limit: Int)
    /// The program could not show the dialog: its reason, which is text of another program.
    case failed(code: UInt16, reason: String)
}

/// The state of a terminal before a program used it.
struct TerminalState {
    private let path: String?
    private let settings: termios
    private let wasRead: Bool

    init(path: String?) {
        self.path = path
        var settings = termios()
        // This type owns the structure, which lives for the call, here and below.
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
