// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel

struct SSHCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Keep keys for SSH in the keychain.",
        discussion: """
            chatelaine-ssh-agent(1) offers these keys to ssh, git and other programs. A program signs with a key after \
            your approval. The private half of a key stays in the keychain and is never printed.

            EXAMPLES:
              chatelaine ssh generate laptop
              chatelaine ssh show laptop
              chatelaine ssh add ~/.ssh/id_ed25519 --name work
              chatelaine ssh allow work --host git@github.com
              chatelaine ssh remove laptop
            """,
        subcommands: [
            SSHListCommand.self, SSHShowCommand.self, SSHGenerateCommand.self, SSHAddCommand.self,
            SSHAllowCommand.self, SSHCertifyCommand.self, SSHRemoveCommand.self,
        ],
        defaultSubcommand: SSHListCommand.self)
}

struct SSHListCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List keys for SSH.")

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let keys = try context.sshKeys().ordered { [$0.name, $0.line] }
        if output.json {
            try context.print(JSONText.array(keys.map { .object($0.members) }).document())
        } else if keys.isEmpty {
            context.tellEmpty("There are no keys for SSH.")
        } else {
            let names = ProgramNames(ofGroups: keys.map(\.item.group), in: context)
            var table = TextTable(["NAME", "TYPE", "FINGERPRINT", "PROGRAM"])
            for key in keys {
                table.append([key.name, key.type, key.fingerprint, names.name(ofGroup: key.item.group)])
            }
            try context.print(table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal))
        }
    }
}

struct SSHShowCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the public key, as a line for authorized_keys.")

    @Argument(help: "Name of the key or a part of it, or the beginning of its hash.")
    private var name: String

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let key = try context.sshKey(named: name)
        try output.print(key.members, or: "\(key.line) \(visible(key.name))\n", in: context)
    }
}

/// The type of a new key.
enum SSHKeyKind: String, ExpressibleByArgument, CaseIterable {
    case ed25519, ecdsa, rsa

    fileprivate var type: KeyType {
        switch self {
        case .ed25519: .ed25519
        case .ecdsa: .ellipticCurve
        case .rsa: .rsa
        }
    }

    fileprivate var usualBits: Int64 {
        switch self {
        case .ed25519, .ecdsa: 256
        case .rsa: 3072
        }
    }

    fileprivate func allows(_ bits: Int64) -> Bool {
        switch self {
        case .ed25519: bits == 256
        case .ecdsa: [256, 384, 521].contains(bits)
        // The agent uses no smaller keys, and swift-crypto generates multiples of 128 bits.
        case .rsa: (2048...8192).contains(bits) && bits % 128 == 0
        }
    }
}

struct SSHGenerateCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a key in the keychain.",
        discussion: """
            The keychain service makes the key, and its private half never leaves the service, or the token with \
            --token. Prints the public key, as a line for authorized_keys.
            """)

    @Argument(help: "Name of the key, which is also its comment.")
    private var name: String

    @Option(name: .shortAndLong, help: "Type of the key.")
    private var type = SSHKeyKind.ed25519

    @Option(name: .shortAndLong, help: "Size of the key: 256, 384 or 521 for ecdsa, 2048 to 8192 for rsa.")
    private var bits: Int64?

    @Flag(help: "Make the key in the token of the machine, such as a TPM; ecdsa with 256 bits only.")
    private var token = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let size = bits ?? type.usualBits
        guard type.allows(size) else {
            throw CommandFailure("a key of type \(type.rawValue) cannot have \(size) bits", exitCode: .usage)
        }
        guard !token || (type == .ecdsa && size == 256) else {
            throw CommandFailure(
                "a token makes keys of type ecdsa with 256 bits only", hint: "add --type ecdsa", exitCode: .usage)
        }
        try unlocking.unlockIfWanted(in: context)
        var entries: [ItemAttributes.Entry] = [
            .init(.label, .string(name)), .init(.type, .number(type.type.code)), .init(.keySizeInBits, .number(size)),
            .init(.isExtractable, .number(0)),
        ]
        if token { entries.append(.init(.tokenID, .string(ItemAttributes.secureElementToken))) }
        let attributes = try context.keyAttributes(entries, for: .add)
        let made = try context.keyItems { client throws(ClientError) in try client.generateKey(attributes) }
        do throws(CommandFailure) {
            let line = try SSHKeyItem.line(type.type, made.secret ?? [])
            let tag = try SSHKeyItem.tag(line)
            let changes = try context.keyAttributes([.init(.applicationTag, .string(tag.text))], for: .update)
            try context.keyItems { client throws(ClientError) in
                try client.update(ItemQuery(made.reference), changes: changes, secret: nil as [UInt8]?)
            }
        } catch {
            // Without the tag it would be no key for SSH.
            try context.keyItems { client throws(ClientError) in try client.delete(ItemQuery(made.reference)) }
            throw error
        }
        let key = try context.sshKey(made.reference)
        try output.print(key.members, or: "\(key.line) \(visible(key.name))\n", in: context)
    }
}

struct SSHRemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete a key for SSH.",
        discussion: "The key cannot be restored. Remove its public key from authorized_keys of each host as well.")

    @Argument(help: "Name of the key or a part of it, or the beginning of its hash.")
    private var name: String

    @OptionGroup private var unlocking: UnlockOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let key = try context.sshKey(named: name)
        try context.delete(key.item.query, named: key.name, group: key.item.group)
    }
}
