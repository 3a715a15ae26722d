// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainPlatform
internal import SecretMemory

/// The helper programs that ask people, as far as they are installed beside this service.
struct PromptPrograms: Sendable {
    static let pinentryName = "chatelaine-prompt-pinentry"
    static let terminalName = "chatelaine-prompt-tty"

    private let folders: [String]
    /// What a pinentry needs of the service's own environment to find its user's settings and desktop.
    private let environment: [String]
    private let saveTerminal: @Sendable (String) -> SavedTerminal?

    /// - Parameter environment: the service's own; values of ``variables``.
    init(environment: [String: String]) {
        self.init(
            in: ServiceHelper.folders(named: environment["CHATELAINE_HELPERS"]), environment: environment,
            saveTerminal: { SavedTerminal(path: $0) })
    }

    /// - Parameter saveTerminal: looks at a terminal; nil where it cannot be asked on.
    init(
        in folders: [String], environment: [String: String],
        saveTerminal: @escaping @Sendable (String) -> SavedTerminal?
    ) {
        self.folders = folders
        self.saveTerminal = saveTerminal
        self.environment = ["HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME"].compactMap { name in
            environment[name].map { "\(name)=\($0)" }
        }
    }

    /// What the service looks at of its own environment.
    static let variables = PersonsPlace.variables.union([
        "CHATELAINE_HELPERS", "HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME",
    ])

    /// Looked for at each prompt: they may be installed while the service runs.
    var prompters: [PromptQueue.Show] {
        [
            { request, timeout, interruption in
                run(Self.pinentryName, environment, request, timeout, interruption)
            },
            { request, timeout, interruption in
                var request = request
                // It has no use for one.
                request.place.display = nil
                return run(Self.terminalName, [], request, timeout, interruption)
            },
        ]
    }

    private func run(
        _ name: String, _ environment: [String], _ given: PromptRequest, _ timeout: Duration,
        _ interruption: ServiceHelper.Interruption
    ) -> PromptQueue.Outcome {
        guard let helper = ServiceHelper(name, in: folders) else { return .unavailable }
        var request = given
        let terminal = given.place.terminal.flatMap(saveTerminal)
        // Of a program that became another user's, say, and left its terminal with the first one.
        if terminal == nil { request.place.terminal = nil }
        guard !request.place.isNowhere else { return .unavailable }
        var answer: PromptQueue.Outcome = .unavailable
        let outcome = helper.ask(
            request.frame, environment: environment, timeout: timeout, interruption: interruption,
            terminal: terminal, limit: Self.answerBytes,
            size: HelperFrameHeader.frameSize,
            read: { frame in
                guard let reply = try? PromptReply(frame), reply.answers(request) else { return false }
                answer = reply.outcome(from: frame)
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
    private static let answerBytes =
        HelperFrameHeader.size + 16 + max(PromptLimits.secretBytes, HelperLimits.reasonBytes)
}

extension PromptReply {
    fileprivate func outcome(from frame: [UInt8]) -> PromptQueue.Outcome {
        switch self {
        case .denied: .answer(.denied)
        case .allowed(let always, let passcode):
            .answer(.allowed(always: always, passcode: passcode.map { SecretBytes(copying: frame[$0]) }))
        case .cancelled: .answer(.cancelled)
        case .fallback: .answer(.fallback)
        case .secret(let secret): .answer(.secret(SecretBytes(copying: frame[secret])))
        case .timedOut: .timedOut
        case .refusal: .unavailable
        }
    }
}
