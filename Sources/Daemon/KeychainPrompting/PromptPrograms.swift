// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
public import KeychainPlatform

/// The helper programs that show prompts, as far as they are installed beside the program that runs them: a user
/// service, or the agent of the system service.
public struct PromptPrograms: Sendable {
    /// The result of a prompt.
    public enum Outcome: Hashable, Sendable {
        /// The user answered the prompt.
        case replied
        case interrupted
        case timedOut
        /// None of the programs could show the prompt.
        case unavailable
    }

    public static let pinentryName = "chatelaine-prompt-pinentry"
    public static let terminalName = "chatelaine-prompt-tty"

    private let folders: [String]
    /// The variables of this program's own environment that a pinentry needs to find its user's settings and desktop.
    private let environment: [String]
    private let saveTerminal: @Sendable (String) -> SavedTerminal?

    /// Finds the programs.
    ///
    /// - Parameters:
    ///   - folders: the folders to search, in this order.
    ///   - environment: this program's own; values of ``variables``.
    ///   - saveTerminal: inspects a terminal; nil if no prompt can be shown on it.
    public init(
        in folders: [String], environment: [String: String],
        saveTerminal: @escaping @Sendable (String) -> SavedTerminal? = { SavedTerminal(path: $0) }
    ) {
        self.folders = folders
        self.saveTerminal = saveTerminal
        self.environment = Self.passedOn.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    }

    private static let passedOn = ["HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME"]

    /// The variables of this program's own environment that it uses.
    public static let variables = Set(passedOn)

    /// Shows a prompt: by the pinentry prompter, or by the terminal's prompter if the first cannot. The programs are
    /// searched for at each prompt, because they may be installed meanwhile.
    ///
    /// - Parameters:
    ///   - timeout: the time for both together.
    ///   - reply: called once, with the answer and its frame, which is wiped afterwards; not called for a refusal.
    public func ask(
        _ request: PromptRequest, timeout: Duration, interruption: ServiceHelper.Interruption,
        reply: (PromptReply, _ frame: [UInt8]) -> Void
    ) -> Outcome {
        var onTerminal = request
        // The terminal prompter has no use for a display.
        onTerminal.place.display = nil
        let attempts = [(Self.pinentryName, environment, request), (Self.terminalName, [], onTerminal)]
        let deadline = ContinuousClock.now + timeout
        for (name, environment, request) in attempts {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .timedOut }
            let outcome = run(
                name, environment: environment, request: request, timeout: left, interruption: interruption, take: reply
            )
            guard outcome == .unavailable else { return outcome }
        }
        return .unavailable
    }

    private func run(
        _ name: String, environment: [String], request given: PromptRequest, timeout: Duration,
        interruption: ServiceHelper.Interruption, take: (PromptReply, [UInt8]) -> Void
    ) -> Outcome {
        guard let helper = ServiceHelper(name, in: folders) else { return .unavailable }
        var request = given
        let terminal = given.place.terminal.flatMap(saveTerminal)
        // For example, the program changed to another user, and its terminal belongs to the first user.
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
        // Without an answer there is no approval, whatever the error. Another program may prompt.
        case .failed: .unavailable
        }
    }

    /// The longest fields of an answer are a refusal's reason and a secret.
    public static let answerBytes =
        HelperFrameHeader.size + 16 + max(PromptLimits.secretBytes, HelperLimits.reasonBytes)
}
