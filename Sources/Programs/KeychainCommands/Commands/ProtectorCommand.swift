// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct ProtectorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protector",
        abstract: "List, add and remove ways to unlock the keychain besides the passcode.",
        discussion: """
            Each protector unlocks the keychain alone, and none works on another device. A recovery key is kept on \
            paper. A credential is for a machine where no user types. The login password is for the program that \
            verifies it at login.

            EXAMPLES:
              chatelaine protector list
              chatelaine protector add recovery-key
              chatelaine protector add credential --output server.credential
              chatelaine protector remove login-password
            """,
        subcommands: [ProtectorListCommand.self, ProtectorAddCommand.self, ProtectorRemoveCommand.self])
}

struct ProtectorListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the protectors without their secrets.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let report = try context.administer { client throws(ClientError) in try client.protectors() }
        let protectors = report.known
        if output.json { return try context.print(JSONText.array(protectors.map(Self.json)).document()) }
        guard !protectors.isEmpty else {
            return try context.print("No passcode is set: the keychain is open while its service runs.\n")
        }
        var table = TextTable(["NUMBER", "KIND", "LABEL", "ADDED"])
        for protector in protectors {
            table.append([
                String(protector.number), protector.kind.name, protector.label,
                context.localTime(protector.added) ?? "",
            ])
        }
        try context.print(table.text(styled: context.outputIsStyled))
    }

    private static func json(_ protector: ProtectorDescription) -> JSONText {
        .object([
            ("number", .integer(Int64(protector.number))),
            ("kind", .text(protector.kind.name)),
            ("added", CivilTime(protector.added).map { .text($0.rfc3339) } ?? .null),
            ("label", .text(protector.label)),
        ])
    }
}

struct ProtectorAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a protector.",
        subcommands: [AddRecoveryKeyCommand.self, AddLoginPasswordCommand.self, AddCredentialCommand.self])
}

struct AddRecoveryKeyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key",
        abstract: "Create a recovery key.",
        discussion: """
            The recovery key is shown once, on the terminal only, and takes effect when you have typed it back. With \
            --output it is written to a file that only its owner can read, or to a pipe. It replaces an earlier \
            recovery key.

            EXAMPLES:
              chatelaine protector add recovery-key
              chatelaine protector add recovery-key --output - | lpr
            """)

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var file: NewSecretOptions
    @OptionGroup private var output: OutputOptions

    /// The number of attempts to type the key back.
    private static let attempts = 3

    func run(in context: CommandContext) throws(CommandFailure) {
        try file.check(in: context, isReporting: output.json)
        let terminal = file.output == nil ? try Self.terminal(of: context) : nil
        let secret = try proof.proof(in: context)
        // Before the user writes down a key in vain.
        try context.administer(entering: secret.kind) { client throws(ClientError) in try client.verify(secret) }
        let key = SecretBytes.random(count: RecoveryKey.byteCount)
        var text = RecoveryKey.text(of: key.bytes)
        defer { wipe(&text) }
        let new = ProtectorSecret(ProtectorKind.recoveryKey, key)
        if let terminal { try Self.show(text, key, on: terminal.screen, terminal.prompt) }
        let number = try file.handOver(text, in: context) { () throws(CommandFailure) in
            try context.administer(entering: secret.kind) { client throws(ClientError) in
                try client.addProtector(new, label: file.label ?? "", proof: secret)
            }
        }
        try report(number, "The recovery key is set.", to: file, json: output.json, in: context)
    }

    /// Returns the terminal on which the key is shown and typed.
    private static func terminal(
        of context: CommandContext
    ) throws(CommandFailure) -> (screen: any Screen, prompt: any SecretPrompt) {
        guard let screen = context.screen, let prompt = context.prompt else {
            throw CommandFailure(
                "cannot show the recovery key: there is no terminal", hint: "--output writes it to a file or a pipe",
                exitCode: .refused)
        }
        return (screen, prompt)
    }

    private static func show(
        _ text: [UInt8], _ key: SecretBytes, on screen: any Screen, _ prompt: any SecretPrompt
    ) throws(CommandFailure) {
        try screen.show("\nThe recovery key:\n\n    ".utf8)
        try screen.show(text)
        try screen.show("\n\nThis key unlocks the keychain on this machine. It is not shown again.\n".utf8)
        _ = try prompt.ask("Write the key down, then press Return. ")
        // All of it, with the question and its empty line.
        screen.takeBack(lines: 7)
        for attempt in 1...attempts {
            do throws(CommandFailure) {
                let typed = try SecretSource.recoveryKey(prompt.ask("Type the key to confirm it: "))
                if typed.isSameEntry(as: key) { return }
                throw CommandFailure("the typed key is not the recovery key")
            } catch {
                guard attempt < attempts else {
                    throw CommandFailure(error.message, hint: "nothing was changed; the key that was shown is void")
                }
                try screen.show((visible(error.message) + "\n").utf8)
            }
        }
    }
}

struct AddLoginPasswordCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-password",
        abstract: "Let the login password unlock the keychain.",
        discussion: """
            You type the login password twice, or the command reads it once from a descriptor. It is not compared with \
            the system's login password. It replaces an earlier login password. `chatelaine setup login` does the same, \
            and checks whether a login unlocks the keychain.
            """)

    @OptionGroup private var proof: ProofOptions

    @Option(
        name: .customLong("login-password-fd"),
        help: ArgumentHelp("Read the login password from this file descriptor.", valueName: "n"))
    private var loginPasswordDescriptor: Int32?

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let number = try proof.addLoginPassword(descriptor: loginPasswordDescriptor, in: context)
        try report(number, "The login password unlocks the keychain now.", to: nil, json: output.json, in: context)
    }
}

struct AddCredentialCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Create a credential for a machine where no user types.",
        discussion: """
            Writes one line of text. `chatelaine unlock --credential-fd` reads it, and chatelained reads it from \
            systemd's credential chatelaine.unlock. The credential unlocks the keychain on this machine, so seal it to \
            the machine, as systemd-creds does, or keep it on another machine.

            EXAMPLES:
              chatelaine protector add credential --output server.credential --label server
              chatelaine protector add credential --output - |
                systemd-creds encrypt --name=chatelaine.unlock - chatelaine.unlock
            """)

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var file: NewSecretOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        guard file.output != nil else {
            throw CommandFailure("--output is required: a credential is never shown", exitCode: .usage)
        }
        try file.check(in: context, isReporting: output.json)
        let secret = try proof.proof(in: context)
        let credential = SecretBytes.random(count: CredentialText.byteCount)
        var text = CredentialText.text(of: credential.bytes)
        defer { wipe(&text) }
        let new = ProtectorSecret(ProtectorKind.credential, credential)
        let number = try file.handOver(text, in: context) { () throws(CommandFailure) in
            try context.administer(entering: secret.kind) { client throws(ClientError) in
                try client.addProtector(new, label: file.label ?? "", proof: secret)
            }
        }
        try report(number, "The credential unlocks the keychain now.", to: file, json: output.json, in: context)
    }
}

struct ProtectorRemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a protector.",
        discussion: "`chatelaine passcode remove` removes the passcode and all other protectors.")

    @Argument(help: "Kind of the protector, or its number in `chatelaine protector list`.")
    private var protector: String

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let secret = try proof.proof(in: context)
        let report = try context.administer { client throws(ClientError) in try client.protectors() }
        let found = report.known.filter { $0.kind.name == protector || String($0.number) == protector }
        guard let first = found.first else {
            throw CommandFailure(
                "there is no protector \"\(protector)\"", hint: "`chatelaine protector list` shows the protectors",
                exitCode: .itemNotFound)
        }
        guard found.count == 1 else {
            throw CommandFailure(
                "there are several protectors of this kind: " + found.map { String($0.number) }.joined(separator: ", "),
                hint: "use a number; `chatelaine protector list` shows the numbers")
        }
        guard first.kind != .passcode else {
            throw CommandFailure(
                "this command cannot remove the passcode",
                hint: "`chatelaine passcode remove` removes it and all other protectors",
                exitCode: .usage)
        }
        try context.administer(entering: secret.kind) { client throws(ClientError) in
            try client.removeProtector(first.number, proof: secret)
        }
        try output.print(
            [("result", .text("removed")), ("number", .integer(Int64(first.number)))],
            or: "The \(first.kind.name) no longer unlocks the keychain.\n", in: context)
    }
}

/// The destination of a new secret that this command generated.
struct NewSecretOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file, readable by its owner only; - for a pipe on standard output.", valueName: "file"),
        completion: .file())
    private(set) var output: String?

    @Option(name: .shortAndLong, help: "Label in the list.")
    private(set) var label: String?

    var isStandardOutput: Bool { output == "-" }

    /// Checks the options.
    ///
    /// - Parameter isReporting: whether standard output is used for other output.
    func check(in context: CommandContext, isReporting: Bool) throws(CommandFailure) {
        guard (label?.utf8.count ?? 0) <= ProtectorDescription.labelBytes else {
            throw CommandFailure("the label is longer than \(ProtectorDescription.labelBytes) bytes", exitCode: .usage)
        }
        guard isStandardOutput else { return }
        guard !isReporting else {
            throw CommandFailure("--json and --output - cannot be combined: both use standard output", exitCode: .usage)
        }
        guard !context.outputIsTerminal else {
            throw CommandFailure("the secret would be shown on the terminal", hint: "name a file", exitCode: .usage)
        }
    }

    /// Writes the secret, and then activates it, so that no active secret can be lost. If the activation fails, a
    /// written file is removed again.
    func handOver<R>(
        _ text: [UInt8], in context: CommandContext, adding add: () throws(CommandFailure) -> R
    ) throws(CommandFailure) -> R {
        guard let output else { return try add() }
        var line = text
        line.reserveCapacity(text.count + 1)
        line.append(UInt8(ascii: "\n"))
        defer { wipe(&line) }
        if isStandardOutput {
            try context.print(line)
            return try add()
        }
        do {
            try context.files.writePrivate(line, to: output, replacing: false)
        } catch {
            throw CommandFailure("cannot write \"\(output)\": \(error.reason)")
        }
        do {
            return try add()
        } catch {
            // If even that fails, the first error is reported; the file opens nothing.
            try? context.files.remove(output)
            throw error
        }
    }
}

extension ContextCommand {
    /// Reports that a protector was added, unless standard output is the protector itself.
    fileprivate func report(
        _ number: UInt32, _ sentence: String, to file: NewSecretOptions?, json: Bool, in context: CommandContext
    ) throws(CommandFailure) {
        if json {
            let document = JSONText.object([("result", .text("added")), ("number", .integer(Int64(number)))])
            return try context.print(document.document())
        }
        if file?.isStandardOutput == true {
            context.diagnostics.writeIfPossible(sentence + "\n")
        } else {
            try context.print(sentence + "\n")
        }
    }
}

extension SecretBytes {
    /// Returns random bytes from the system's generator.
    static func random(count: Int) -> SecretBytes {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
        return SecretBytes(moving: &bytes)
    }
}
