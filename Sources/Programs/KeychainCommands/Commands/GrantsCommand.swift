// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct GrantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: "Show what programs were allowed for good, and take it back.",
        discussion: """
            Where a program needs a person's word to use an item, "Always Allow" is remembered: for that program, that item \
            and that operation, as long as the item is there and the program is known as surely as it was then.

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
        commandName: "list", abstract: "Show what programs were allowed for good.")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let grants = try context.administer { client throws(ClientError) in try client.grants() }
        if output.json { return try context.print(JSONText.array(grants.map(Self.json)).document()) }
        guard !grants.isEmpty else { return try context.print("No program was allowed anything for good.\n") }
        var table = TextTable(["NUMBER", "PROGRAM", "TIER", "OPERATION", "ITEM", "ALLOWED"])
        for listed in grants {
            let grant = listed.grant
            table.append([
                String(grant.number), grant.identity.title, grant.tier.name, grant.operation.name,
                listed.itemTitle, context.localTime(grant.date) ?? "",
            ])
        }
        try context.print(table.text(styled: context.outputIsStyled))
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
        abstract: "Take back what a program was allowed.",
        discussion: """
            From then on the program has to be allowed again. Nothing else changes, so no passcode is needed.

            EXAMPLES:
              chatelaine grants revoke 3
              chatelaine grants revoke --program org.example.mail
              chatelaine grants revoke --all
            """)

    @Argument(help: "The number that `chatelaine grants list` shows.")
    var number: UInt64?

    @Flag(help: "All that any program was allowed.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "All that this program was allowed: its path, its identifier, or its access group.", valueName: "program"))
    var program: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let selection: GrantSelection
        switch (number, all, program) {
        case (let number?, false, nil): selection = .number(number)
        case (nil, true, nil): selection = .all
        case (nil, false, let program?): selection = .program(try Self.identity(named: program, in: context))
        default:
            throw CommandFailure(
                "NUMBER, --all or --program must be given, and only one of them",
                hint: "`chatelaine grants list` shows the numbers", exitCode: .usage)
        }
        let count = try context.administer { client throws(ClientError) in try client.revokeGrants(selection) }
        try context.print(
            output.json
                ? JSONText.object([("result", .text("revoked")), ("count", .integer(Int64(count)))]).document()
                : Array("\(count == 1 ? "1 permission was" : "\(count) permissions were") taken back.\n".utf8))
    }

    /// Returns the one program with grants that these words can mean.
    private static func identity(
        named name: String, in context: CommandContext
    ) throws(CommandFailure) -> ProgramIdentity {
        let grants = try context.administer { client throws(ClientError) in try client.grants() }
        var found: [ProgramIdentity] = []
        for listed in grants where listed.grant.identity.isMeant(by: name) && !found.contains(listed.grant.identity) {
            found.append(listed.grant.identity)
        }
        guard let first = found.first else {
            throw CommandFailure(
                "no program \"\(name)\" was allowed anything for good",
                hint: "`chatelaine grants list` shows those that were")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                "several programs are called \"\(name)\"",
                hint: "name one of " + found.compactMap(\.implicitGroup).joined(separator: ", "))
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
        }
    }

    fileprivate func isMeant(by name: String) -> Bool {
        if let implicitGroup, implicitGroup == name { return true }
        return switch self {
        case .unidentified, .command: false
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
