// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

struct AuthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Show the available authentication methods.",
        discussion: """
            Items that `chatelaine protect` or a program protects require the passcode or a fingerprint before they \
            are read. This command shows which of these methods are available.

            EXAMPLES:
              chatelaine auth status
            """,
        subcommands: [AuthStatusCommand.self])
}

struct AuthStatusCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether a passcode is set, the state of the fingerprint reader, and where prompts appear.",
        discussion: "Shows no prompt.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let state: AuthenticationState
        do throws(ClientError) {
            state = try context.client.authenticationState()
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        let unlock = try readiness(in: context)
        if output.json {
            return try context.print(
                JSONText.object([
                    ("passcode", .boolean(state.hasPasscode)),
                    ("biometry", .text(Self.word(state.biometry))),
                    ("prompter", state.prompter.map(JSONText.text) ?? .null),
                    ("unlockByFinger", .text(unlock.word)),
                ]).document())
        }
        var lines = [
            ("passcode", state.hasPasscode ? "set" : "not set (chatelaine passcode set)"),
            ("fingerprint", Self.sentence(state.biometry)),
            ("prompts in", state.prompter.map(Self.place) ?? "nowhere: no terminal and no desktop was found"),
        ]
        if state.hasPasscode { lines.append(("unlock", unlock.sentence(state.biometry))) }
        try context.print(
            lines.map { label, text in
                label + String(repeating: " ", count: 12 - label.count) + visible(text) + "\n"
            }.joined())
    }

    /// The readiness of unlock by fingerprint.
    private enum Readiness {
        case ready, switchedOff, passcodeNeeded, notAvailable

        var word: String {
            switch self {
            case .ready: "ready"
            case .switchedOff: "off"
            case .passcodeNeeded: "passcode-needed"
            case .notAvailable: "not-available"
            }
        }

        func sentence(_ biometry: AuthenticationState.Biometry) -> String {
            switch self {
            case .ready: "by fingerprint or passcode"
            case .switchedOff where biometry == .enrolled:
                "by passcode (to allow fingerprints: chatelaine settings set unlock-by-finger on)"
            case .switchedOff: "by passcode"
            case .passcodeNeeded: "by passcode; by fingerprint after the next unlock by passcode (chatelaine unlock)"
            case .notAvailable: "by passcode; unlock by fingerprint is not available now"
            }
        }
    }

    private func readiness(in context: CommandContext) throws(CommandFailure) -> Readiness {
        guard try context.unlocksByFinger() else { return .switchedOff }
        // A request that requires a prompt reports that instead.
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        do throws(ClientError) {
            let client = try context.client.authenticating(ClientAuthentication(fields))
            return try client.authenticate(.unlock).outcome == .notInteractive ? .ready : .notAvailable
        } catch {
            guard case .refused(let refusal) = error else {
                throw CommandFailure(error, message: context.statusMessage)
            }
            return switch refusal.reason {
            case .noUnlockByFinger: .switchedOff
            case .passcodeNeededFirst: .passcodeNeeded
            default: .notAvailable
            }
        }
    }

    private static func word(_ biometry: AuthenticationState.Biometry) -> String {
        switch biometry {
        case .notAvailable: "not-available"
        case .notEnrolled: "not-enrolled"
        case .enrolled: "enrolled"
        case .lockedOut: "locked-out"
        }
    }

    private static func sentence(_ biometry: AuthenticationState.Biometry) -> String {
        switch biometry {
        case .notAvailable: "no reader"
        case .notEnrolled: "none is enrolled (enrol one with fprintd-enroll)"
        case .enrolled: "enrolled"
        case .lockedOut: "enrolled; not accepted until you enter the passcode (chatelaine passcode verify)"
        }
    }

    /// Returns the text of a place. Newer services may report places that this command does not know.
    private static func place(_ prompter: String) -> String {
        switch prompter {
        case "window": "a window of this desktop"
        case "terminal": "this terminal"
        default: prompter
        }
    }
}
