// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

/// The root of the command line `chatelaine`.
struct ChatelaineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatelaine",
        abstract: "Keep secrets in the keychain.",
        discussion: """
            Secrets are typed at a prompt or read from standard input; they are never arguments.

            EXAMPLES:
              chatelaine set github --user octo    ask for a secret and store it
              pwgen 20 1 | chatelaine set backup   store the output of a program
              chatelaine generate --memorable      generate a password
              chatelaine get github                print a secret
              chatelaine copy github               copy it to the clipboard for 45 seconds
              chatelaine list                      list the items without secrets
              chatelaine remove backup             delete an item
              chatelaine import Passwords.csv      import the passwords of a browser

            Called as `security`, or as `chatelaine security`, this program acts as the macOS tool `security`; see \
            chatelaine-security(1).
            """,
        version: ProductVersion.current,
        subcommands: [
            SetCommand.self, GetCommand.self, CopyCommand.self, CodeCommand.self, ListCommand.self, ShowCommand.self,
            EditCommand.self, RenameCommand.self, RemoveCommand.self,
            ProtectCommand.self, GenerateCommand.self, StrengthCommand.self,
            ExportCommand.self, ImportCommand.self, BackupCommand.self, RestoreCommand.self, VerifyCommand.self,
            SalvageCommand.self,
            CertificatesCommand.self, KeysCommand.self, IdentitiesCommand.self, SSHCommand.self,
            ExplainCommand.self, StatusCommand.self, LogCommand.self, UnlockCommand.self, LockCommand.self,
            PasscodeCommand.self, ProtectorCommand.self, SettingsCommand.self, CodeSignCommand.self,
            TeamKeyCommand.self, TeamsCommand.self, DevCommand.self, WhoamiCommand.self, GrantsCommand.self,
            BridgesCommand.self, AuthCommand.self, EnforceCommand.self,
            TokenCommand.self, KeychainsCommand.self, SetupCommand.self, DoctorCommand.self,
            ClipboardKeeper.self,
        ])

    /// Parses and runs a command line.
    ///
    /// - Returns: the exit status.
    static func run(_ arguments: [String], in context: CommandContext) -> Int32 {
        var command: any ParsableCommand
        do {
            if let get = PlainGet(arguments) {
                try get.run(in: context)
                return CommandFailure.ExitCode.success.rawValue
            }
            // The functions that complete an argument use the current keychain.
            command = try context.client.asCurrent { try parseAsRoot(arguments) }
            guard let command = command as? any ContextCommand else {
                // Only help remains, for which ArgumentParser throws its text.
                try command.run()
                return CommandFailure.ExitCode.success.rawValue
            }
            try command.run(in: context)
            return CommandFailure.ExitCode.success.rawValue
        } catch let failure as CommandFailure {
            context.diagnostics.writeIfPossible(failure.report(styled: context.diagnosticsAreStyled))
            return failure.exitCode.rawValue
        } catch {
            return report(error, of: arguments, in: context)
        }
    }

    /// Reports an error. Help, version and completion scripts are also thrown as errors, with the exit code of success.
    private static func report(_ error: any Error, of arguments: [String], in context: CommandContext) -> Int32 {
        guard exitCode(for: error) != .success else {
            do {
                try context.print(fullMessage(for: error, columns: context.columns) + "\n")
                return CommandFailure.ExitCode.success.rawValue
            } catch {
                context.diagnostics.writeIfPossible(error.report(styled: context.diagnosticsAreStyled))
                return error.exitCode.rawValue
            }
        }
        let help = "`chatelaine help` lists the commands; `chatelaine help COMMAND` describes one"
        let unknown = UnknownVerb(in: arguments, of: self)
        // ArgumentParser lists many values on a line each, but a message is one line.
        let parts = message(for: error).split(separator: "\n  - ")
        let failure = CommandFailure(
            unknown.map { "there is no command '\($0.word)'" }
                ?? ([String(parts.first ?? "")] + [parts.dropFirst().joined(separator: ", ")]).filter { !$0.isEmpty }
                .joined(separator: " "),
            hint: unknown?.suggestion.map { "did you mean `\($0)`? \(help)" } ?? help, exitCode: .usage)
        context.diagnostics.writeIfPossible(failure.report(styled: context.diagnosticsAreStyled))
        return failure.exitCode.rawValue
    }
}
