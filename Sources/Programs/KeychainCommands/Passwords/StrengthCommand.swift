// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainPasswords

struct StrengthCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "strength",
        abstract: "Say how strong a password is, and why.",
        discussion: """
            It is asked for on the terminal and not shown, or read from a descriptor, and is stored nowhere. The estimate is \
            how many guesses somebody needs who tries what people choose first: common passwords, words and names in \
            English, rows of keys, repetitions, sequences and dates. Of a longer password the first 100 characters count.

            EXAMPLES:
              chatelaine strength
              chatelaine strength --fd 3 3< password.txt
            """)

    @Option(
        name: .customLong("fd"),
        help: ArgumentHelp("Read the password from this file descriptor.", valueName: "n"))
    var descriptor: Int32?

    @OptionGroup var asking: AskingOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let text = StrengthText(of: try asking.source(context).text(.anyPassword, descriptor: descriptor))
        guard !output.json else { return try context.print(JSONText.object(text.fullJSON).document()) }
        let strength = text.strength
        try context.print("Strength: \(strength.score), \(StrengthText.guesses(strength.guessesLog10))\n")
        for weakness in strength.weaknesses { try context.print("  because \(weakness)\n") }
        for advice in strength.advice { try context.print("  better: \(advice)\n") }
    }
}
