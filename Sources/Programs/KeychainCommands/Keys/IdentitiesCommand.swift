// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

struct IdentitiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identities",
        abstract: "Show and remove identities: certificates with their private keys.",
        discussion: """
            The keychain stores certificates and keys. A certificate and its private key form an identity when the keychain \
            contains both; adding or removing either of them creates or ends the identity.

            EXAMPLES:
              chatelaine identities
              chatelaine identities show ann@example.com
              chatelaine identities remove 'Ann Example'
            """,
        subcommands: [IdentitiesListCommand.self, IdentitiesShowCommand.self, IdentitiesRemoveCommand.self],
        defaultSubcommand: IdentitiesListCommand.self)
}

struct IdentitiesListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List identities.")

    @Argument(help: "Show only matching identities.")
    private var pattern: String?

    @Flag(help: "Print the certificates of identities that belong to this command as PEM.")
    private var pem = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        var identities = try context.keyItems { client throws(ClientError) in try client.listIdentities() }
        if let pattern {
            let pattern = TextPattern(pattern)
            identities = identities.filter { $0.certificate.matches(pattern) }
        }
        identities = identities.ordered { [$0.certificate.name, $0.key.keyName] }
        if pem {
            try context.print(identities.compactMap { $0.certificate.certificate?.pem }.joined())
        } else if output.json {
            try context.print(JSONText.array(identities.map { .object($0.jsonMembers(context)) }).document())
        } else if !identities.isEmpty {
            let names = ProgramNames(ofGroups: identities.map(\.certificate.item.group), in: context)
            var table = TextTable(["NAME", "ISSUER", "VALID UNTIL", "KEY", "PROGRAM"])
            for identity in identities {
                table.append(
                    identity.certificate.row(context)
                        + [identity.key.keyKind, names.name(ofGroup: identity.certificate.item.group)])
            }
            try context.print(table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal))
        } else {
            context.tellEmpty(pattern == nil ? "There are no identities." : "No identity matches.")
        }
    }
}

struct IdentitiesShowCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the certificate and the key of an identity.")

    @Argument(help: "Name of the certificate or a part of it, or the beginning of a fingerprint.")
    private var name: String

    @Flag(help: "Print the certificate as PEM.")
    private var pem = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let found = try context.identity(named: name)
        let identity = ListedIdentity(certificate: try context.opened(found.certificate), key: found.key)
        if pem {
            try context.print(identity.certificate.pem())
        } else if output.json {
            try context.print(JSONText.object(identity.jsonMembers(context)).document())
        } else {
            let certificate = columns(identity.certificate.summary(context, hasKey: true))
            try context.print(
                "\(certificate)\nPrivate key:\n\(columns(identity.key.keySummary(context, certificates: [])))")
        }
    }
}

struct IdentitiesRemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete a certificate and its private key.",
        discussion: """
            Keeps the key if another certificate uses it. Deleted items cannot be restored.
            """)

    @Argument(help: "Name of the certificate or a part of it, or the beginning of a fingerprint.")
    private var name: String

    @OptionGroup private var unlocking: UnlockOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context)
        let identity = try context.identity(named: name)
        try context.delete(
            identity.query, named: identity.certificate.name, group: identity.certificate.item.group)
    }
}

extension ListedIdentity {
    fileprivate func jsonMembers(_ context: CommandContext) -> [(String, JSONText)] {
        [
            ("class", .text(ItemClass.identity.code)),
            ("certificate", .object(certificate.jsonMembers(context, hasKey: true))),
            ("key", .object(key.keyMembers(certificates: [certificate]))),
        ]
    }
}

extension CommandContext {
    fileprivate func identity(named word: String) throws(CommandFailure) -> ListedIdentity {
        let identities = try keyItems { client throws(ClientError) in try client.listIdentities() }
        return try KeyItemChoice(word).choose(
            identities, kind: "identity", name: { $0.certificate.name }, hashes: { $0.certificate.hashes })
    }
}
