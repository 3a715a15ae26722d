// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// A command of `chatelaine`: parsed by ArgumentParser, and run with its dependencies as parameters.
protocol ContextCommand: ParsableCommand {
    func run(in context: CommandContext) throws(CommandFailure)
}

/// Options of every command that prints.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON; the fields are described in chatelaine(1).")
    var json = false
}

/// The arguments that name a secret.
struct ItemNameArguments: ParsableArguments {
    @Argument(help: "The name of the secret: a service, a device, whatever you call it.")
    var name: String?

    @Option(help: ArgumentHelp("In place of NAME: the site, for a password of the web.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("In place of NAME: a machine, whichever the protocol.", valueName: "host"))
    var server: String?

    @Option(name: .shortAndLong, help: "The user that the secret belongs to, if a name has several.")
    var user: String?

    func itemName() throws(CommandFailure) -> ItemName {
        switch (name, url, server) {
        case (let name?, nil, nil): try ItemName(name, user: user ?? "")
        case (nil, let url?, nil): try ItemName(url: url, user: user)
        case (nil, nil, let server?): try ItemName(server: server, user: user ?? "")
        default:
            throw CommandFailure(
                "NAME, --url or --server must be given, and only one of them",
                hint: "`chatelaine help` shows the commands, `chatelaine help COMMAND` one of them", exitCode: .usage)
        }
    }
}
