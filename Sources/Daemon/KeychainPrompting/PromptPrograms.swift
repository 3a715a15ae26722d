// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
public import KeychainPlatform

/// The helper programs that ask people, as far as they are installed beside the program that runs them: a user's service, or the
/// agent of the service of the system.
public struct PromptPrograms: Sendable {
    /// How it ended.
    public enum Outcome: Hashable, Sendable {
        /// With an answer to the question.
        case replied
        case interrupted
        case timedOut
        /// None of them could ask.
        case unavailable
    }

    public static let pinentryName = "chatelaine-prompt-pinentry"
    public static let terminalName = "chatelaine-prompt-tty"

    private let folders: [String]
    /// What a pinentry needs of this program's own environment to find its user's settings and desktop.
    private let environment: [String]
    private let saveTerminal: @Sendable (String) -> SavedTerminal?

    /// - Parameters:
    ///   - folders: where they are looked for, first things first.
    ///   - environment: this program's own; values of ``variables``.
    ///   - saveTerminal: looks at a terminal; nil where it cannot be asked on.
    public init(
        in folders: [String], environment: [String: String],
        saveTerminal: @escaping @Sendable (String) -> SavedTerminal? = { SavedTerminal(path: $0) }
    ) {
        self.folders = folders
        self.saveTerminal = saveTerminal
        self.environment = Self.passedOn.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    }

    private static let passedOn = ["HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME"]

    /// What is looked at of this program's own environment.
    public static let variables = Set(passedOn)

    /// Has a person asked: by the pinentry prompter, and where that cannot ask by the terminal's. They are looked for at each
    /// question, since they may be installed meanwhile.
    ///
    /// - Parameters:
    ///   - timeout: for both together.
    ///   - reply: called once, with the answer and the frame that it came in, which is wiped afterwards; not with a refusal.
    public func ask(
        _ request: PromptRequest, timeout: Duration, interruption: ServiceHelper.Interruption,
        reply: (PromptReply, _ frame: [UInt8]) -> Void
    ) -> Outcome {
        var onTerminal = request
        // It has no use for a display.
        onTerminal.place.display = nil
        let attempts = [(Self.pinentryName, environment, request), (Self.terminalName, [], onTerminal)]
        let deadline = ContinuousClock.now + timeout
        for (name, environment, request) in attempts {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .timedOut }
            let outcome = run(name, environment, request, left, interruption, reply)
            guard outcome == .unavailable else { return outcome }
        }
        return .unavailable
    }

    private func run(
        _ name: String, _ environment: [String], _ given: PromptRequest, _ timeout: Duration,
        _ interruption: ServiceHelper.Interruption, _ take: (PromptReply, [UInt8]) -> Void
    ) -> Outcome {
        guard let helper = ServiceHelper(name, in: folders) else { return .unavailable }
        var request = given
        let terminal = given.place.terminal.flatMap(saveTerminal)
        // Of a program that became another user's, say, and left its terminal with the first one.
        if terminal == nil { request.place.terminal = nil }
        guard !request.place.isNowhere else { return .unavailable }
        var answer: Outcome = .unavailable
        let outcome = helper.ask(
            request.frame, environment: environment, timeout: timeout, interruption: interruption,
            terminal: terminal, limit: Self.answerBytes,
            size: HelperFrameHeader.frameSize,
            read: { frame in
                guard let reply = try? PromptReply(frame), reply.answers(request) else { return false }
                switch reply {
                case .refusal: answer = .unavailable
                case .timedOut: answer = .timedOut
                case .denied, .allowed, .cancelled, .fallback, .secret:
                    answer = .replied
                    take(reply, frame)
                }
                return true
            })
        return switch outcome {
        case .answered: answer
        case .interrupted: .interrupted
        case .timedOut: .timedOut
        // Whatever it was: it gave no answer, which is never a yes. Another one may ask.
        case .failed: .unavailable
        }
    }

    /// A refusal's reason and a secret are the longest things in an answer.
    public static let answerBytes =
        HelperFrameHeader.size + 16 + max(PromptLimits.secretBytes, HelperLimits.reasonBytes)
}
