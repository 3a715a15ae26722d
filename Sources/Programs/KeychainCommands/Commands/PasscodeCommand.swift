// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct PasscodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode",
        abstract: "Set, change, verify or remove the passcode.",
        discussion: """
            Without a passcode, the keychain is open while its service runs. With a passcode, the keychain must be \
            unlocked, and the data on the disk cannot be decrypted without the passcode. A passcode has 1 to 1024 \
            bytes of UTF-8 and is used exactly as typed.

            EXAMPLES:
              chatelaine passcode set
              chatelaine passcode change --recovery-key
              chatelaine passcode verify --passcode-fd 3 3< passcode.txt
            """,
        subcommands: [
            PasscodeSetCommand.self, PasscodeChangeCommand.self, PasscodeRemoveCommand.self,
            PasscodeVerifyCommand.self, PasscodeStatusCommand.self,
        ])
}

struct PasscodeSetCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the first passcode.",
        discussion: """
            You type the passcode twice, or the command reads it once from a descriptor. Afterwards the keychain is \
            unlocked. A forgotten passcode cannot be recovered; `chatelaine protector add recovery-key` adds a second \
            way to unlock the keychain.

            In the system service you authorize it by polkit, with your login password.
            """)

    @Option(
        name: .customLong("passcode-fd"),
        help: ArgumentHelp("Read the new passcode from this file descriptor.", valueName: "n"))
    private var passcodeDescriptor: Int32?

    @OptionGroup private var asking: AskingOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let source = asking.source(context)
        var given: SecretBytes?
        if let passcodeDescriptor { given = try source.newText(.firstPasscode, descriptor: passcodeDescriptor) }
        let report = try context.administer { client throws(ClientError) in try client.protectors() }
        guard !report.hasPasscode else {
            throw CommandFailure(
                "a passcode is already set", hint: "change it with `chatelaine passcode change`", exitCode: .refused)
        }
        let passcode: SecretBytes
        if let given { passcode = given } else { passcode = try source.newText(.firstPasscode, descriptor: nil) }
        try context.loosen(with: nil) { client throws(ClientError) in try client.setPasscode(passcode, proof: nil) }
        let text = """
            The passcode is set, and the keychain is unlocked.
            To unlock the keychain without the passcode, add a recovery key: chatelaine protector add recovery-key

            """
        try context.print(output.json ? LockStateText.document(.unlocked) : Array(text.utf8))
    }
}

struct PasscodeChangeCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change the passcode.",
        discussion: """
            Requires the passcode or the recovery key. Items are not encrypted again, so their number does not matter. \
            The other protectors stay.

            EXAMPLES:
              chatelaine passcode change
              chatelaine passcode change --passcode-fd 3 --new-passcode-fd 4 3< old 4< new
            """)

    @OptionGroup private var proof: ProofOptions

    @Option(
        name: .customLong("new-passcode-fd"),
        help: ArgumentHelp("Read the new passcode from this file descriptor.", valueName: "n"))
    private var newPasscodeDescriptor: Int32?

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let source = proof.asking.source(context)
        var given: SecretBytes?
        if let newPasscodeDescriptor { given = try source.newText(.newPasscode, descriptor: newPasscodeDescriptor) }
        let secret = try proof.proof(in: context, besides: [newPasscodeDescriptor])
        let passcode: SecretBytes
        if let given { passcode = given } else { passcode = try source.newText(.newPasscode, descriptor: nil) }
        try context.administer(entering: secret.kind) { client throws(ClientError) in
            try client.setPasscode(passcode, proof: secret)
        }
        try output.print([("result", .text("changed"))], or: "The passcode is changed.\n", in: context)
    }
}

struct PasscodeRemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the passcode and all other protectors.",
        discussion: """
            Requires the passcode or the recovery key. Afterwards the keychain is open while its service runs. Items \
            that are readable only while a passcode is set (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly) are \
            permanently deleted. If there are such items, or if the keychain is locked and their number is not known, \
            the command asks for confirmation on a terminal; elsewhere, --yes is required.
            """)

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var confirmation: ConfirmationOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        // Descriptors first: a closed descriptor must not become the connection to the service.
        let given = proof.namesDescriptor ? try proof.proof(in: context) : nil
        if let consequence = try Self.consequence(in: context) {
            try confirmation.confirm(consequence, in: context)
        }
        let secret: ProtectorSecret<SecretBytes>
        if let given { secret = given } else { secret = try proof.proof(in: context) }
        try context.administer(entering: secret.kind) { client throws(ClientError) in
            try client.removePasscode(proof: secret)
        }
        try context.print(
            output.json
                ? LockStateText.document(.noPasscode)
                : Array("The passcode is removed: the keychain is open while its service runs.\n".utf8))
    }

    /// Returns the sentence about the items that are deleted with the passcode; nil if there are none.
    private static func consequence(in context: CommandContext) throws(CommandFailure) -> String? {
        let count = try context.administer { client throws(ClientError) -> Int? in
            switch try client.lockState() {
            case .noPasscode: 0
            case .unlocked: try client.itemCount { $0.attributes.accessibility == .whenPasscodeSetThisDeviceOnly }
            case .beforeFirstUnlock, .locked, .awaitingPIN: nil
            }
        }
        return switch count {
        case 0: nil
        case 1: "1 item that requires a passcode is permanently deleted with the passcode."
        case let count?: "\(count) items that require a passcode are permanently deleted with the passcode."
        case nil:
            "All items that require a passcode are permanently deleted with the passcode; the keychain is locked, so "
                + "their number is not known."
        }
    }
}

struct PasscodeVerifyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the passcode or the recovery key.",
        discussion: """
            Does not unlock the keychain. The exit status is 0 if the passcode or the recovery key is right, and 4 if \
            it is wrong. A wrong entry counts as a failed attempt.
            """)

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let secret = try proof.proof(in: context)
        try context.administer(entering: secret.kind) { client throws(ClientError) in try client.verify(secret) }
        let name = secret.kind == .recoveryKey ? "recovery key" : "passcode"
        try output.print([("result", .text("right"))], or: "The \(name) is right.\n", in: context)
    }
}

struct PasscodeStatusCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether a passcode is set, and how many attempts failed.",
        discussion: """
            After the fifth wrong entry in a row, the next attempt is possible after 1 minute. The delay is 5 minutes \
            after the sixth wrong entry, 15 minutes after the seventh and the eighth, and 1 hour after the ninth and \
            each further wrong entry.
            """)

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let report = try context.administer { client throws(ClientError) in try client.protectors() }
        guard !output.json else {
            return try context.print(
                JSONText.object([("passcode", .boolean(report.hasPasscode))] + report.attemptsJSON).document())
        }
        guard report.hasPasscode else {
            return try context.print("No passcode is set: the keychain is open while its service runs.\n")
        }
        try context.print("A passcode is set.\n")
        if let line = report.attemptsText { try context.print("There were \(line).\n") }
    }
}

extension ProtectorReport {
    /// The failed entries, and the delay of the next one; nil if there were none.
    var attemptsText: String? {
        guard failedAttempts > 0 else { return nil }
        let count = "\(failedAttempts) wrong \(failedAttempts == 1 ? "entry" : "entries") in a row"
        guard retryAfterSeconds > 0 else { return count }
        return count + "; the next attempt is possible in \(spanText(seconds: UInt64(retryAfterSeconds)))"
    }

    var attemptsJSON: [(String, JSONText)] {
        [
            ("failedAttempts", .integer(Int64(failedAttempts))),
            ("retryAfterSeconds", .integer(Int64(retryAfterSeconds))),
        ]
    }
}
