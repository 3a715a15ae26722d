// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainCodeSigning
internal import KeychainModel

struct TeamsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teams",
        abstract: "Choose the trusted teams, whose programs may hold remembered grants.",
        discussion: """
            Any user can create a team, sign programs with its key and choose their names. "Always Allow" is offered \
            for a signed program only if you or the machine's policy trust its team. Compare the identifier with the \
            identifier that the team publishes.

            EXAMPLES:
              chatelaine teams list
              chatelaine teams trust CRTKWQ4OHDTDKNPHKXQBSM6VYA
              chatelaine teams distrust CRTKWQ4OHDTDKNPHKXQBSM6VYA
            """,
        subcommands: [ListTeamsCommand.self, TrustTeamCommand.self, DistrustTeamCommand.self],
        defaultSubcommand: ListTeamsCommand.self)
}

struct ListTeamsCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the trusted teams.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let teams = try context.administer { client throws(ClientError) in try client.trustedTeams() }
        if output.json {
            let objects = teams.map { team in
                JSONText.object([
                    ("team", .text(team.identifier)), ("by", .text(team.isOfMachine ? "machine" : "user")),
                ])
            }
            return try context.print(JSONText.array(objects).document())
        }
        guard !teams.isEmpty else { return context.tellEmpty("No team is trusted.") }
        var table = TextTable(["TEAM", "TRUSTED BY"])
        for team in teams { table.append([team.identifier, team.isOfMachine ? "the machine's policy" : "you"]) }
        try context.print(table.text(styled: context.outputIsStyled))
    }
}

/// A team by its identifier.
struct TeamArgument: ExpressibleByArgument {
    let identifier: String

    init?(argument: String) {
        guard let team = TeamIdentifier(argument) else { return nil }
        identifier = team.text
    }
}

struct TrustTeamCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust a team, so that its programs may hold remembered grants.",
        discussion:
            """
            Requires the passcode or the recovery key if a passcode is set. Without a passcode, in the system service, \
            you authorize the change by polkit, with your login password. A program of the team still needs your \
            approval once for each item.
            """)

    @Argument(help: "Team identifier: 26 letters and digits.")
    private var team: TeamArgument

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let secret = try proof.proofIfProtected(in: context)
        try context.loosen(with: secret) { client throws(ClientError) in
            try client.trustTeam(team.identifier, proof: secret)
        }
        try context.report("trusted", team, json: output.json)
    }
}

struct DistrustTeamCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "distrust",
        abstract: "Stop trusting a team.",
        discussion: """
            Afterwards no grants are remembered for the programs of the team. The access objects of items in keychain \
            files do not change; `security dump-keychain -a` shows them.
            """)

    @Argument(help: "Team identifier: 26 letters and digits.")
    private var team: TeamArgument

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try context.administer { client throws(ClientError) in try client.distrustTeam(team.identifier) }
        try context.report("distrusted", team, json: output.json)
    }
}

extension CommandContext {
    fileprivate func report(_ result: String, _ team: TeamArgument, json: Bool) throws(CommandFailure) {
        try print(
            json
                ? JSONText.object([("result", .text(result)), ("team", .text(team.identifier))]).document()
                : Array("Team \(team.identifier) is \(result == "trusted" ? "" : "not ")trusted now.\n".utf8))
    }
}
