// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct DoctorCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether all is as it should be, and for secrets that lie about.",
        discussion: """
            Looks at the programs, the folders, the units, the kernel, swap, core dumps, who can ask you, the snapshots and the \
            room on the disk; starts the service if it is not running, and asks it; and looks for secrets in the clear: in the \
            files of git, npm, docker, gh and twine, and in .netrc. It changes nothing and prints no secret. Exits with 7 where \
            something is to be done.

            With --move it asks for each such secret whether to move it into the keychain. The whole old file is kept there as \
            well, and --undo FILE brings it back. The program whose file it was finds its secret no longer unless it has a \
            helper that asks this keychain; none comes with Chatelaine yet.

            EXAMPLES:
              chatelaine doctor
              chatelaine doctor --json
              chatelaine doctor --move
              chatelaine doctor --undo ~/.netrc
            """)

    @Flag(help: "Move secrets that lie about into the keychain; asks for each one.")
    var move = false

    @Flag(help: "With --move: ask nothing, and move all that can be moved.")
    var yes = false

    @Option(help: ArgumentHelp("Bring a file back as it was before --move.", valueName: "file"), completion: .file())
    var undo: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard undo == nil || !move else { throw ValidationError("--move and --undo do not go together") }
        guard move || !yes else { throw ValidationError("--yes goes with --move") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        if let undo { return try CredentialUndo(context).run(undo, asJSON: output.json) }
        if move {
            guard yes || context.inputIsTerminal else {
                throw CommandFailure(
                    "there is no terminal to ask on", hint: "--yes moves all that can be moved", exitCode: .usage)
            }
            return try CredentialMove(context, asks: !yes).run(asJSON: output.json)
        }
        let checks = DoctorChecks(machine: context.machine, place: context.keychain, now: context.secondsSince1970())
        // First, because it may start the service, which creates its folders.
        let service = checks.service(context)
        let findings =
            checks.installation() + service + checks.system()
            + CredentialSource.all(on: context.machine).flatMap(\.findings)
        if output.json {
            let worst = findings.map(\.severity).max() ?? .ok
            try context.print(
                JSONText.object([
                    ("worst", .text(worst.rawValue)), ("findings", .array(findings.map(\.json))),
                ]).document())
        } else {
            try context.print(findings.map(\.line).joined())
        }
        if let verdict = findings.verdict { throw verdict }
    }
}
