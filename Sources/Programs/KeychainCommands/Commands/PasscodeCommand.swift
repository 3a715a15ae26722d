// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct PasscodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode",
        abstract: "Set, change or remove what protects the keychain.",
        discussion: """
            Without a passcode the keychain is open as long as its service runs. With one it has to be unlocked, and what \
            is on the disk is of no use to those who do not know it. A passcode has 1 to 1024 bytes of UTF-8 and is taken \
            as it is typed.

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
            It is typed twice, or read once from a descriptor. The keychain is unlocked afterwards. A forgotten passcode \
            cannot be found out by anybody; `chatelaine protector add recovery-key` makes a second way in.

            In the system service you authorize it by polkit, with your login password.
            """)

    @Option(
        name: .customLong("passcode-fd"),
        help: ArgumentHelp("Read the new passcode from this file descriptor.", valueName: "n"))
    var passcodeDescriptor: Int32?

    @OptionGroup var asking: AskingOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let source = asking.source(context)
        var given: SecretBytes?
        if let passcodeDescriptor { given = try source.newText(.firstPasscode, descriptor: passcodeDescriptor) }
        let report = try context.administer { client throws(ClientError) in try client.protectors() }
        guard !report.hasPasscode else {
            throw CommandFailure(
                "a passcode is set already", hint: "change it with `chatelaine passcode change`", exitCode: .refused)
        }
        let passcode: SecretBytes
        if let given { passcode = given } else { passcode = try source.newText(.firstPasscode, descriptor: nil) }
        try context.loosen(with: nil) { client throws(ClientError) in try client.setPasscode(passcode, proof: nil) }
        let text = """
            The passcode is set, and the keychain is unlocked.
            `chatelaine protector add recovery-key` makes a second way in, for when it is forgotten.

            """
        try context.print(output.json ? LockStateText.document(.unlocked) : Array(text.utf8))
    }
}

struct PasscodeChangeCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Set another passcode.",
        discussion: """
            Needs the passcode or the recovery key. Items are not touched, however many there are, and what else opens the \
            keychain stays.

            EXAMPLES:
              chatelaine passcode change
              chatelaine passcode change --passcode-fd 3 --new-passcode-fd 4 3< old 4< new
            """)

    @OptionGroup var proof: ProofOptions

    @Option(
        name: .customLong("new-passcode-fd"),
        help: ArgumentHelp("Read the new passcode from this file descriptor.", valueName: "n"))
    var newPasscodeDescriptor: Int32?

    @OptionGroup var output: OutputOptions

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
        try context.print(
            output.json
                ? JSONText.object([("result", .text("changed"))]).document()
                : Array("The passcode is changed.\n".utf8))
    }
}

struct PasscodeRemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the passcode and all else that opens the keychain.",
        discussion: """
            Needs the passcode or the recovery key. The keychain is open from then on. Items that are to be readable only \
            while a passcode is set (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly) are deleted for good.
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let secret = try proof.proof(in: context)
        try context.administer(entering: secret.kind) { client throws(ClientError) in
            try client.removePasscode(proof: secret)
        }
        try context.print(
            output.json
                ? LockStateText.document(.noPasscode)
                : Array("The passcode is removed: the keychain is open as long as its service runs.\n".utf8))
    }
}

struct PasscodeVerifyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say whether it is the passcode.",
        discussion: """
            Unlocks nothing. The exit status is 0 for the right passcode or recovery key, and 4 for a wrong one, which \
            counts as a wrong entry.
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let secret = try proof.proof(in: context)
        try context.administer(entering: secret.kind) { client throws(ClientError) in try client.verify(secret) }
        let name = secret.kind == .recoveryKey ? "recovery key" : "passcode"
        try context.print(
            output.json
                ? JSONText.object([("result", .text("right"))]).document() : Array("The \(name) is right.\n".utf8))
    }
}

struct PasscodeStatusCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether there is a passcode, and how entries of it went.",
        discussion: """
            After the fifth wrong entry in a row the next one is looked at a minute later, after the sixth 5 minutes, after \
            the seventh and the eighth 15 minutes, and after the ninth and each further one an hour later.
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let report = try context.administer { client throws(ClientError) in try client.protectors() }
        guard !output.json else {
            return try context.print(
                JSONText.object([("passcode", .boolean(report.hasPasscode))] + report.attemptsJSON).document())
        }
        guard report.hasPasscode else {
            return try context.print("No passcode is set: the keychain is open as long as its service runs.\n")
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
        return count + "; the next one is looked at in \(spanText(seconds: UInt64(retryAfterSeconds)))"
    }

    var attemptsJSON: [(String, JSONText)] {
        [
            ("failedAttempts", .integer(Int64(failedAttempts))),
            ("retryAfterSeconds", .integer(Int64(retryAfterSeconds))),
        ]
    }
}
