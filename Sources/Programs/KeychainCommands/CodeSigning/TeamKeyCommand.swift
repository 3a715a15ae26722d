// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainCodeSigning
internal import KeychainModel
internal import SecretMemory

struct TeamKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team-key",
        abstract: "Create and manage the keys that sign programs.",
        discussion: """
            Programs that are signed with the same key belong to one team. The team identifier is computed from the \
            key, so another key cannot have it. Keep a copy of the key, because a new key is a new team.

            EXAMPLES:
              chatelaine team-key create --label work
              chatelaine team-key export work team.pem
              chatelaine team-key import team.pem
            """,
        subcommands: [
            CreateTeamKeyCommand.self, ListTeamKeysCommand.self, ExportTeamKeyCommand.self, ImportTeamKeyCommand.self,
            DeleteTeamKeyCommand.self,
        ])
}

/// The label of a team key.
struct TeamKeyLabelOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Label of the key, which can be used instead of its identifier.")
    private(set) var label: String?

    func checked(in context: CommandContext) throws(CommandFailure) -> String {
        let label = label ?? ""
        guard label.utf8.count <= TeamKey.labelByteLimit, !label.utf8.contains(0) else {
            throw CommandFailure("the label is longer than \(TeamKey.labelByteLimit) bytes", exitCode: .usage)
        }
        // Otherwise --sign could not distinguish the two.
        guard label.isEmpty || TeamIdentifier(label) == nil else {
            throw CommandFailure("the label must not look like a team identifier", exitCode: .usage)
        }
        return label
    }
}

struct CreateTeamKeyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a key and store it in the keychain.")

    @OptionGroup private var naming: TeamKeyLabelOptions
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let label = try naming.checked(in: context)
        try unlocking.unlockIfWanted(in: context)
        let (team, _) = try TeamKey.store(SecretBytes.random(count: 32), label: label, in: context)
        try output.print([("result", .text("created")), ("team", .text(team.text))], or: "\(team)\n", in: context)
    }
}

struct ListTeamKeysCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys without their secrets.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let keys = try TeamKey.all(in: context)
        if output.json {
            return try context.print(
                JSONText.array(keys.map { .object([("team", .text($0.team.text)), ("label", .text($0.label))]) })
                    .document())
        }
        guard !keys.isEmpty else { return context.tellEmpty("There are no team keys.") }
        var table = TextTable(["TEAM", "LABEL"])
        for key in keys { table.append([key.team.text, key.label]) }
        try context.print(table.text(styled: context.outputIsStyled))
    }
}

/// The passphrase of a file with a team key.
struct TeamKeyPassphraseOptions: ParsableArguments {
    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the file's passphrase from this file descriptor.", valueName: "n"))
    private(set) var descriptor: Int32?
}

struct ExportTeamKeyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a key to a file, encrypted with a passphrase.",
        discussion: """
            The file is PKCS#8 under PBES2, as PEM; `openssl pkey -in FILE` also reads it. Only the owner of the file \
            can read it. The file and the passphrase are enough to sign for the team.
            """)

    @Argument(help: "Team identifier or label of the key.")
    private var team: String

    @Argument(help: "Output file; standard output if missing or -.", completion: .file())
    private var file: String?

    @Flag(help: "Replace an existing file.")
    private var force = false

    @OptionGroup private var passphrase: TeamKeyPassphraseOptions
    @OptionGroup private var unlocking: UnlockOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try checkDescriptors([passphrase.descriptor, unlocking.passcodeDescriptor])
        let source = unlocking.asking.source(context)
        // Descriptors first: a closed descriptor must not become the connection to the service.
        let given: SecretBytes?
        if let descriptor = passphrase.descriptor {
            given = try source.newText(.teamKeyPassphrase, descriptor: descriptor)
        } else {
            given = nil
        }
        try unlocking.unlockIfWanted(in: context)
        let key = try TeamKey.find(team, in: context)
        let seed = try key.seed(in: context)
        let word: SecretBytes
        if let given { word = given } else { word = try source.newText(.teamKeyPassphrase, descriptor: nil) }
        let text: [UInt8]
        do {
            text = try TeamKeyFile.text(seed, passphrase: word, comment: "Team: \(key.team)\n")
        } catch {
            throw CommandFailure("the key could not be encrypted")
        }
        guard let file, file != "-" else { return try context.print(text) }
        do {
            try context.files.writePrivate(text, to: file, replacing: force)
        } catch {
            throw CommandFailure(
                "cannot write \"\(file)\": \(error.reason)",
                hint: force ? nil : "add --force to replace an existing file")
        }
        context.diagnostics.writeIfPossible(visible("Exported the team key \(key.team) to \"\(file)\".") + "\n")
    }
}

struct ImportTeamKeyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a key from a file into the keychain.",
        discussion: """
            Reads the files of `chatelaine team-key export`, and Ed25519 keys of OpenSSL: PKCS#8 under PBES2, with \
            scrypt or PBKDF2-HMAC-SHA256, and AES-256-CBC.
            """)

    @Argument(help: "Input file.", completion: .file())
    private var file: String

    @OptionGroup private var naming: TeamKeyLabelOptions
    @OptionGroup private var passphrase: TeamKeyPassphraseOptions
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try checkDescriptors([passphrase.descriptor, unlocking.passcodeDescriptor])
        let label = try naming.checked(in: context)
        let source = unlocking.asking.source(context)
        let text = try context.readFile(file, limit: TeamKeyFile.byteLimit)
        let document: [UInt8]
        let seed: SecretBytes
        do throws(TeamKeyFile.Problem) {
            document = try TeamKeyFile.document(text)
        } catch {
            throw Self.failure(error, file)
        }
        let word = try source.text(.teamKeyPassphrase, descriptor: passphrase.descriptor)
        do throws(TeamKeyFile.Problem) {
            seed = try TeamKeyFile.seed(document, passphrase: word)
        } catch {
            throw Self.failure(error, file)
        }
        let team = try TeamKey.team(of: seed)
        if let named = Self.namedTeam(text), named != team {
            throw CommandFailure(
                "\"\(file)\" names the team \(named), but contains the key of the team \(team)",
                hint: "nothing was stored; the file was changed after the export")
        }
        try unlocking.unlockIfWanted(in: context)
        let isNew = try TeamKey.store(seed, label: label, in: context).isNew
        if output.json {
            let word = isNew ? "created" : "replaced"
            return try context.print(
                JSONText.object([("result", .text(word)), ("team", .text(team.text))]).document())
        }
        try context.print("\(team)\n")
    }

    /// Returns the team in the line before the PEM text.
    private static func namedTeam(_ text: [UInt8]) -> TeamIdentifier? {
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: "Team: ".utf8) {
            return TeamIdentifier(String(decoding: line.dropFirst(6), as: UTF8.self))
        }
        return nil
    }

    private static func failure(_ problem: TeamKeyFile.Problem, _ file: String) -> CommandFailure {
        switch problem {
        case .unknown:
            CommandFailure(
                "\"\(file)\" is not an encrypted private key",
                hint: "the file must begin with BEGIN ENCRYPTED PRIVATE KEY (PKCS#8)")
        case .unsupported:
            CommandFailure(
                "\"\(file)\" is encrypted in a way that this command does not know",
                hint: "`openssl pkcs8 -topk8 -scrypt -v2 aes-256-cbc` converts it")
        case .expensive:
            CommandFailure("\"\(file)\" demands more work than any valid key file")
        case .wrongPassphrase:
            CommandFailure(
                "the passphrase is wrong, or \"\(file)\" does not contain an Ed25519 key", exitCode: .refused)
        }
    }
}

struct DeleteTeamKeyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a key from the keychain.",
        discussion: """
            On a terminal, asks for confirmation; elsewhere, --yes is required. Signed programs stay signed. Without a \
            copy of the key, no program can be signed for the team again.
            """)

    @Argument(help: "Team identifier or label of the key.")
    private var team: String

    @OptionGroup private var confirmation: ConfirmationOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let key = try TeamKey.find(team, in: context)
        try confirmation.confirm(
            "The key of the team \(key.team) is permanently deleted. "
                + "Without a copy, no program can be signed for the team again.", in: context)
        do {
            try context.client.delete(key.item.query)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        try output.print(
            [("result", .text("deleted")), ("team", .text(key.team.text))], or: "Deleted the team key \(key.team).\n",
            in: context)
    }
}

extension CommandContext {
    /// Reads all of a file that an argument names.
    func readFile(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        do throws(StreamError) {
            guard let all = try CommandInput(files.read(path)).readAll(limit: limit) else {
                throw StreamError(reason: "it has more than \(limit) bytes")
            }
            return all.bytes
        } catch {
            throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
        }
    }
}
