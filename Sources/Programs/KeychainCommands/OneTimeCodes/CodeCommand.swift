// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct CodeCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Print the current one-time password (TOTP).",
        discussion: """
            Computes the code from the seed that `chatelaine set --totp` or an import stored beside the password. NAME is \
            chosen as by `chatelaine get`. On a terminal, standard error shows how long the code is valid.

            EXAMPLES:
              chatelaine code github
              chatelaine copy github --code
            """)

    @OptionGroup var item: ItemChoice
    @OptionGroup var password: ItemPasswordOptions
    @OptionGroup var choice: KeychainChoice
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try item.names.check()
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context)
        let found = try item.findSetup(in: context)
        let setup = try OneTimePassword.setup(of: found, client, in: context)
        let now = context.secondsSince1970()
        let (code, secondsLeft) = (setup.code(at: now), setup.secondsLeft(at: now))
        guard output.json else {
            try GetCommand.print(code, omitsNewline: false, in: context)
            if context.diagnosticsAreTerminal {
                let unit = secondsLeft == 1 ? "second" : "seconds"
                context.diagnostics.writeIfPossible("valid for \(secondsLeft) \(unit)\n")
            }
            return
        }
        let members: [(String, JSONText)] = [
            ("name", .text(found.item.name)), ("user", .text(found.name.user)), ("code", .secret(code)),
            ("secondsLeft", .integer(secondsLeft)), ("period", .integer(setup.period)),
        ]
        var document = JSONText.object(members).document(
            reserving: 512 + 6 * (found.item.name.utf8.count + found.name.user.utf8.count))
        defer { wipe(&document) }
        try context.print(document)
    }
}
