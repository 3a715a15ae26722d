// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct DoctorCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the installation and find plaintext secrets.",
        discussion: """
            Checks the programs, the folders, the units, the kernel, swap, core dumps, the prompters, the snapshots, the free \
            disk space, the unlock at login and the service, which it starts if necessary. Names the program from which other programs get their \
            secrets (org.freedesktop.secrets). Finds plaintext secrets in the files of git, npm, docker, gh and twine, and in \
            .netrc, and private keys without a passphrase in ~/.ssh (chatelaine setup ssh). Changes nothing and prints no secret. Exits with 7 if a finding needs attention.

            --move asks for each of these secrets whether to move it into the keychain. The keychain also stores the whole old \
            file, and --undo FILE restores it. After the move, the program that uses the file no longer finds its secret, \
            unless it has a credential helper for this keychain; Chatelaine does not include such a helper yet.

            EXAMPLES:
              chatelaine doctor
              chatelaine doctor --json
              chatelaine doctor --move
              chatelaine doctor --undo ~/.netrc
            """)

    @Flag(help: "Move plaintext secrets into the keychain; asks for each secret.")
    private var move = false

    @Flag(help: "With --move: move all movable secrets without asking.")
    private var yes = false

    @Option(help: ArgumentHelp("Restore a file to its contents before --move.", valueName: "file"), completion: .file())
    private var undo: String?

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard undo == nil || !move else { throw ValidationError("--move and --undo cannot be combined") }
        guard move || !yes else { throw ValidationError("--yes requires --move") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        if let undo { return try CredentialUndo(context).run(undo, asJSON: output.json) }
        if move {
            guard yes || context.inputIsTerminal else {
                throw CommandFailure(
                    "cannot ask for confirmation: standard input is not a terminal",
                    hint: "--yes moves all movable secrets without asking", exitCode: .usage)
            }
            return try CredentialMove(context, asks: !yes).run(asJSON: output.json)
        }
        let checks = DoctorChecks(machine: context.machine, place: context.keychain, now: context.secondsSince1970())
        // First, because it may start the service, which creates its folders.
        let service = checks.service(context)
        var findings = checks.installation() + service
        findings += checks.secretService(
            context.desktop,
            isProvider: DesktopPlaces(machine: context.machine, files: context.files).isProvider)
        findings += checks.system() + checks.sshKeys()
        findings += CredentialSource.all(on: context.machine).flatMap(\.findings)
        if output.json {
            let worst = findings.map(\.severity).max() ?? .ok
            try context.print(
                JSONText.object([
                    ("worst", .text(worst.rawValue)), ("findings", .array(findings.map(\.json))),
                ]).document())
        } else {
            try context.print(findings.map { $0.line(styled: context.outputIsStyled) }.joined())
        }
        if let verdict = findings.verdict { throw verdict }
    }
}
