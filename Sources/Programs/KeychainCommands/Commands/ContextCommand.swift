// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// A command of `chatelaine`: parsed by ArgumentParser, and run with its dependencies as parameters.
protocol ContextCommand: ParsableCommand {
    func run(in context: CommandContext) throws(CommandFailure)
}

/// Options of every command that prints.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON; the fields are described in chatelaine(1).")
    private(set) var json = false

    /// Prints the members as an object of JSON, or else the text.
    func print(
        _ members: @autoclosure () -> [(String, JSONText)], or text: @autoclosure () -> String,
        in context: CommandContext
    ) throws(CommandFailure) {
        if json { try context.print(JSONText.object(members()).document()) } else { try context.print(text()) }
    }
}

/// The arguments that name a secret.
struct ItemNameArguments: ParsableArguments {
    @Argument(help: "Name of the item, such as a service or a device.", completion: ItemNameCompletion.kind)
    var name: String?

    @Option(help: ArgumentHelp("Instead of NAME: the URL of the site, for a web password.", valueName: "url"))
    private(set) var url: String?

    @Option(
        help: ArgumentHelp("Instead of NAME: the host, for an internet password of any protocol.", valueName: "host"))
    private(set) var server: String?

    @Option(name: .shortAndLong, help: "User of the secret, if several items have the name.")
    private(set) var user: String?

    func itemName() throws(CommandFailure) -> ItemName {
        switch (name, url, server) {
        case (let name?, nil, nil): try ItemName(name, user: user ?? "")
        case (nil, let url?, nil): try ItemName(url: url, user: user)
        case (nil, nil, let server?): try ItemName(server: server, user: user ?? "")
        default:
            throw CommandFailure(
                "exactly one of NAME, --url and --server is required",
                hint: "`chatelaine help` lists the commands; `chatelaine help COMMAND` describes one", exitCode: .usage)
        }
    }

    /// Checks the arguments before the command prompts or sends a request.
    func check() throws(CommandFailure) { _ = try itemName() }
}
