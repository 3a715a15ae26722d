// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The root of the command line `chatelaine`.
struct ChatelaineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatelaine",
        abstract: "Keep secrets in the keychain.",
        discussion: """
            Secrets are typed at a prompt or read from standard input; they are never arguments.

            EXAMPLES:
              chatelaine set github --user octo     ask for a secret and store it
              pwgen 20 1 | chatelaine set backup    store what another program makes
              chatelaine get github --user octo     print it
              chatelaine list                       show what is stored, without the secrets
              chatelaine remove backup              delete it

            Called as `security`, or as `chatelaine security`, this is the macOS tool of that name: security(1chatelaine).
            """,
        version: programVersion,
        subcommands: [
            SetCommand.self, GetCommand.self, ListCommand.self, RemoveCommand.self, StatusCommand.self,
        ])

    /// Parses and runs.
    ///
    /// - Returns: the exit status.
    static func run(_ arguments: [String], in context: CommandContext) -> Int32 {
        let parsed: any ParsableCommand
        do {
            parsed = try parse(arguments)
        } catch {
            return report(error, in: context)
        }
        guard let command = parsed as? any ContextCommand else { return showHelp(parsed, in: context) }
        do {
            try command.run(in: context)
            return CommandFailure.ExitCode.success.rawValue
        } catch {
            context.diagnostics.writeIfPossible(error.report(styled: context.diagnosticsAreStyled))
            return error.exitCode.rawValue
        }
    }

    /// The subcommand that the first word names, without building the tree of all commands where that can be avoided:
    /// `get` is run by scripts again and again.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        // What does not parse is parsed again from the root, whose messages name the whole command.
        if arguments.first == "get", let command = try? GetCommand.parse(Array(arguments.dropFirst())) {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// The root itself without a subcommand, and ArgumentParser's `help`: both run into the error that asks for help.
    private static func showHelp(_ command: any ParsableCommand, in context: CommandContext) -> Int32 {
        var command = command
        do {
            try command.run()
            return CommandFailure.ExitCode.success.rawValue
        } catch {
            return report(error, in: context)
        }
    }

    /// Help, version and completion scripts come as errors too, with the exit code of success.
    private static func report(_ error: any Error, in context: CommandContext) -> Int32 {
        guard exitCode(for: error) != .success else {
            do {
                try context.print(fullMessage(for: error) + "\n")
                return CommandFailure.ExitCode.success.rawValue
            } catch {
                context.diagnostics.writeIfPossible(error.report(styled: context.diagnosticsAreStyled))
                return error.exitCode.rawValue
            }
        }
        let failure = CommandFailure(
            message(for: error), hint: "`chatelaine help` shows the commands, `chatelaine help COMMAND` one of them",
            exitCode: .usage)
        context.diagnostics.writeIfPossible(failure.report(styled: context.diagnosticsAreStyled))
        return failure.exitCode.rawValue
    }
}
