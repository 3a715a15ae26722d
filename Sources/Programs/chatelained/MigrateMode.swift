// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainEndpoint
internal import KeychainServer

/// Moves keychains between the user service and the system service, while neither has them open.
struct MigrateMode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move a user's keychain into the system service, or out of it. Run by root.",
        discussion: """
            The command copies the keychain and opens the copy before the copy takes its place. The old folder stays \
            under another name until you remove it.
            """,
        subcommands: [ToSystem.self, ToUser.self])

    struct ToSystem: MigrationCommand {
        static let configuration = CommandConfiguration(
            commandName: "to-system", abstract: "Move a keychain from the user's folder into the system service.")

        @OptionGroup var options: MigrationOptions
        var direction: MigrationProgram.Direction { .toSystem }
    }

    struct ToUser: MigrationCommand {
        static let configuration = CommandConfiguration(
            commandName: "to-user", abstract: "Move a keychain from the system service into the user's folder.")

        @OptionGroup var options: MigrationOptions
        var direction: MigrationProgram.Direction { .toUser }
    }
}

struct MigrationOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Name or number of the user.", valueName: "user"))
    var user: String

    @Option(
        help: ArgumentHelp(
            "Folder of the keychain of the user service; without it, .local/share/chatelaine in the user's home.",
            valueName: "folder"))
    var userDirectory: String?

    // The name differs from the service's option, because the same name would be parsed as the option of the command
    // above.
    @Option(
        help: ArgumentHelp("Folder of all keychains of the system service.", valueName: "folder"))
    var systemDirectory = SystemDirectories.usual.state

    func validate() throws {
        for path in [userDirectory, systemDirectory].compactMap({ $0 })
        where !path.hasPrefix("/") || path.hasSuffix("/") {
            throw ValidationError("'\(path)' is not an absolute path of a folder")
        }
    }
}

protocol MigrationCommand: ParsableCommand {
    var options: MigrationOptions { get }
    var direction: MigrationProgram.Direction { get }
}

extension MigrationCommand {
    func start() -> Never {
        do throws(StartError) {
            let program = try MigrationProgram(
                direction, user: options.user, userFolder: options.userDirectory,
                system: SystemDirectories(
                    runtime: SystemDirectories.usual.runtime, state: options.systemDirectory))
            for line in try program.run() { print(line) }
            Self.exit()
        } catch {
            var text = "error: \(error)"
            if let hint = error.hint { text += "\nhint: \(hint)" }
            Chatelained.exit(withMessage: text)
        }
    }
}
