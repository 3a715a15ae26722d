// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainPasswords
internal import SecretMemory

struct StrengthCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "strength",
        abstract: "Estimate the strength of a password.",
        discussion: """
            Reads the password from the terminal without echo, from a pipe, or from a file descriptor, and does not store it. \
            The estimate \
            is the number of guesses that an attacker needs who tries common choices first: common passwords, words and names \
            in English, rows of keys, repetitions, sequences and dates. Only the first 100 characters of a longer password \
            count.

            EXAMPLES:
              chatelaine strength
              chatelaine generate --memorable 16 | chatelaine strength
              chatelaine strength --fd 3 3< password.txt
            """)

    @Option(
        name: .customLong("fd"),
        help: ArgumentHelp("File descriptor to read the password from.", valueName: "n"))
    private var descriptor: Int32?

    @OptionGroup private var asking: AskingOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let text = StrengthText(of: try password(in: context))
        guard !output.json else { return try context.print(JSONText.object(text.fullJSON).document()) }
        let strength = text.strength
        try context.print("Strength: \(strength.score), \(StrengthText.guesses(strength.guessesLog10))\n")
        for weakness in strength.weaknesses { try context.print("  because \(weakness)\n") }
        for advice in strength.advice { try context.print("  better: \(advice)\n") }
    }

    private func password(in context: CommandContext) throws(CommandFailure) -> SecretBytes {
        let source = asking.source(context)
        guard descriptor == nil, !context.inputIsTerminal, !asking.prefersPinentry else {
            return try source.text(.anyPassword, descriptor: descriptor)
        }
        return try source.inputText(.anyPassword)
    }
}
