// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Show and remove cryptographic keys.",
        discussion: """
            Shows the keys of all programs of this user. A private key is never printed.

            EXAMPLES:
              chatelaine keys
              chatelaine keys show org.example.signing
              chatelaine keys show org.example.signing --pem
              chatelaine keys remove 1a2b3c4d
            """,
        subcommands: [KeysListCommand.self, KeysShowCommand.self, KeysRemoveCommand.self],
        defaultSubcommand: KeysListCommand.self)
}

struct KeysListCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List keys.")

    @Argument(help: "Show only matching keys.")
    private var pattern: String?

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        var keys = try context.keyItems { client throws(ClientError) in try client.listKeys() }
        if let pattern {
            let pattern = TextPattern(pattern)
            keys = keys.filter { key in
                [AttributeKey.label, .applicationTag].contains { key.text($0).map(pattern.matches) ?? false }
            }
        }
        keys = keys.ordered { [$0.keyName, $0.keyKind, $0.group] }
        if output.json {
            let certificates = try context.certificatesOfKeys()
            let objects = keys.map { JSONText.object($0.keyMembers(certificates: certificates[$0.reference] ?? [])) }
            try context.print(JSONText.array(objects).document())
        } else if !keys.isEmpty {
            let names = ProgramNames(ofGroups: keys.map(\.group), in: context)
            var table = TextTable(["NAME", "KIND", "PROGRAM", "MODIFIED"])
            for key in keys {
                table.append([
                    key.keyName, key.keyKind, names.name(ofGroup: key.group),
                    key.modificationDate.flatMap(context.localTime) ?? "",
                ])
            }
            try context.print(table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal))
        } else {
            context.tellEmpty(pattern == nil ? "There are no keys." : "No key matches.")
        }
    }
}

struct KeysShowCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the attributes of a key.")

    @Argument(help: "Name of the key or a part of it, or the beginning of its hash.")
    private var name: String

    @Flag(help: "Choose the private or the public key of a pair.")
    private var half: KeyHalf?

    @Flag(help: "Print the public key as PEM, even if the key is a private key.")
    private var pem = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let key = try context.key(named: name, half)
        if pem { return try context.print(try PublicKeyText.pem(of: key, in: context)) }
        let certificates = try context.certificatesOfKeys()[key.reference] ?? []
        try output.print(
            key.keyMembers(certificates: certificates),
            or: columns(key.keySummary(context, certificates: certificates)), in: context)
    }
}

/// Both halves of a pair have the same hash, and often the same name.
enum KeyHalf: String, EnumerableFlag {
    case `private`
    case `public`

    fileprivate var attribute: AttributeValue {
        switch self {
        case .private: .number(1)
        case .public: .number(0)
        }
    }
}

struct KeysRemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete a key.",
        discussion: """
            Data that was encrypted for the key can no longer be decrypted, and the key cannot be restored. Certificates of the \
            key are kept.
            """)

    @Argument(help: "Name of the key or a part of it, or the beginning of its hash.")
    private var name: String

    @Flag(help: "Choose the private or the public key of a pair.")
    private var half: KeyHalf?

    @OptionGroup private var unlocking: UnlockOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let key = try context.key(named: name, half)
        try context.delete(key.query, named: key.keyName, group: key.group)
    }
}

extension CommandContext {
    fileprivate func key(named word: String, _ half: KeyHalf?) throws(CommandFailure) -> ListedItem {
        var keys = try keyItems { client throws(ClientError) in try client.listKeys() }
        if let half { keys = keys.filter { $0.attributes[.keyClass] == half.attribute } }
        return try KeyItemChoice(word).choose(
            keys, kind: "key", name: \.keyName, hashes: { [$0.bytes(.applicationLabel)] })
    }

    fileprivate func certificatesOfKeys() throws(CommandFailure) -> [PersistentReference: [ListedCertificate]] {
        let identities = try keyItems { client throws(ClientError) in try client.listIdentities() }
        return Dictionary(grouping: identities, by: \.key.reference).mapValues { $0.map(\.certificate) }
    }
}
