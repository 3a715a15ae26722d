// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct GrantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: "List and revoke the remembered grants of programs.",
        discussion: """
            If a program needs your approval to use an item, "Always Allow" is remembered as a grant for that program, \
            that item and that operation. The grant is valid while the item exists and the service identifies the \
            program as reliably as at the time of the grant.

            EXAMPLES:
              chatelaine grants list
              chatelaine grants revoke 3
              chatelaine grants revoke --program /usr/bin/mail
              chatelaine grants revoke --all
            """,
        subcommands: [GrantsListCommand.self, GrantsRevokeCommand.self])
}

struct GrantsListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the remembered grants.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let grants = try context.administer { client throws(ClientError) in try client.grants() }
        if output.json { return try context.print(JSONText.array(grants.map(Self.json)).document()) }
        let folders = try context.administer { client throws(ClientError) in try client.developmentFolders() }
        guard !grants.isEmpty else {
            context.tellEmpty("No program has a remembered grant.")
            return try context.print(Self.text(ofDevelopment: folders))
        }
        let names = ProgramNames(ofGroups: grants.compactMap(\.grant.identity.implicitGroup), in: context)
        var table = TextTable(["NUMBER", "PROGRAM", "TIER", "OPERATION", "ITEM", "ALLOWED"])
        for listed in grants {
            let grant = listed.grant
            table.append([
                String(grant.number),
                grant.identity.title + names.remark(ofGroup: grant.identity.implicitGroup ?? ""),
                grant.tier.name, grant.operation.name, listed.itemTitle, context.localTime(grant.date) ?? "",
            ])
        }
        try context.print(
            table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal)
                + Self.text(ofDevelopment: folders))
    }

    /// Returns the lines about development folders, which are no grants, but also let programs find items.
    private static func text(ofDevelopment folders: [String]) -> String {
        folders.isEmpty
            ? ""
            : "\nUnsigned programs below these folders keep their items over rebuilds (chatelaine dev):\n"
                + folders.map { "  \(visible($0))\n" }.joined()
    }

    private static func json(_ listed: ListedGrant) -> JSONText {
        let grant = listed.grant
        return .object([
            ("number", .integer(Int64(clamping: grant.number))),
            ("identity", grant.identity.json),
            ("tier", .text(grant.tier.name)),
            ("operation", .text(grant.operation.name)),
            ("class", .text(grant.itemClass.code)),
            ("item", .text(grant.item.bytes.hexadecimal)),
            ("label", listed.names.map { .text($0.label) } ?? .null),
            (
                grant.itemClass == .internetPassword ? "server" : "service",
                listed.names.map { .text($0.place) } ?? .null
            ),
            ("account", listed.names.map { .text($0.account) } ?? .null),
            ("allowed", CivilTime(grant.date).map { .text($0.rfc3339) } ?? .null),
        ])
    }
}

struct GrantsRevokeCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke remembered grants.",
        discussion: """
            Afterwards the program needs a new approval. Approvals ("Allow") that a program holds through a bridge until \
            it exits (`chatelaine bridges`) end as well, except if one grant is revoked by its number. Nothing else \
            changes, so no passcode is required.

            EXAMPLES:
              chatelaine grants revoke 3
              chatelaine grants revoke --program org.example.mail
              chatelaine grants revoke --all
            """)

    @Argument(help: "Number of the grant in `chatelaine grants list`.")
    private var number: UInt64?

    @Flag(help: "Revoke all grants and approvals.")
    private var all = false

    @Option(
        help: ArgumentHelp(
            "Program whose grants to revoke: its path, identifier or access group.", valueName: "program"))
    private var program: String?

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let selection: GrantSelection
        switch (number, all, program) {
        case (let number?, false, nil): selection = .number(number)
        case (nil, true, nil): selection = .all
        case (nil, false, let program?): selection = .program(try Self.identity(named: program, in: context))
        default:
            throw CommandFailure(
                "exactly one of NUMBER, --all and --program is required",
                hint: "`chatelaine grants list` shows the numbers", exitCode: .usage)
        }
        let count = try context.administer { client throws(ClientError) in try client.revokeGrants(selection) }
        try output.print(
            [("result", .text("revoked")), ("count", .integer(Int64(count)))],
            or: "Revoked \(count) \(count == 1 ? "grant" : "grants").\n", in: context)
    }

    /// Returns the one program with grants or approvals that these words can mean.
    private static func identity(
        named name: String, in context: CommandContext
    ) throws(CommandFailure) -> ProgramIdentity {
        let identities = try context.administer { client throws(ClientError) in
            try client.grants().map(\.grant.identity) + client.clientApprovals().map(\.identity)
        }
        var found: [ProgramIdentity] = []
        for identity in identities where identity.isMeant(by: name) && !found.contains(identity) {
            found.append(identity)
        }
        guard let first = found.first else {
            throw CommandFailure(
                "no program \"\(name)\" has a remembered grant or an approval",
                hint: "`chatelaine grants list` and `chatelaine bridges` show the programs")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                "several programs have the name \"\(name)\"",
                hint: "use an access group: " + found.compactMap(\.implicitGroup).joined(separator: ", "))
        }
        return first
    }
}

extension ProgramIdentity {
    /// The display name of the program.
    fileprivate var title: String {
        switch self {
        case .unidentified: "unidentified"
        case .command: "chatelaine"
        case .signed(let team, let identifier): "\(identifier) (\(team))"
        case .installed(let path): path
        case .unsigned: programName(ofGroup: implicitGroup ?? "")
        case .application(let name): name
        }
    }

    fileprivate func isMeant(by name: String) -> Bool {
        if let implicitGroup, implicitGroup == name { return true }
        return switch self {
        // The name of an application is its access group.
        case .unidentified, .command, .application: false
        case .signed(_, let identifier): identifier == name
        case .installed(let path): path == name
        case .unsigned(let digest): digest.hexadecimal == name
        }
    }
}

extension ListedGrant {
    /// The display name of the item; its identifier while the name is not readable.
    fileprivate var itemTitle: String {
        guard let names else { return "\(grant.itemClass.code) \(grant.item.bytes.hexadecimal)" }
        let place = names.place.isEmpty ? names.label : names.place
        return names.account.isEmpty ? place : "\(place) (\(names.account))"
    }
}
