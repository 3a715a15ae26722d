// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// A command of `chatelaine`: parsed by ArgumentParser, run with what it needs handed to it.
protocol ContextCommand: ParsableCommand {
    func run(in context: CommandContext) throws(CommandFailure)
}

/// Options of every command that prints.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON; the fields are described in chatelaine(1).")
    var json = false
}

/// The two words that name a secret.
struct ItemNameArguments: ParsableArguments {
    @Argument(help: "The name of the secret: a site, a service, whatever you call it.")
    var name: String

    @Option(name: .shortAndLong, help: "The user that the secret belongs to, if a name has several.")
    var user = ""

    func itemName() throws(CommandFailure) -> ItemName {
        try ItemName(name, user: user)
    }
}
