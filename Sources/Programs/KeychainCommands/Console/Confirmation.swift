// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SecretMemory

/// The confirmation of a command that deletes or replaces data which cannot be restored.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .customLong("yes"), help: "Do not ask for confirmation. Scripts require this option.")
    private(set) var isGiven = false

    /// Asks the user on a terminal. Call this before the command asks for a secret.
    ///
    /// - Parameter consequence: a sentence that names the data which is deleted or replaced.
    /// - Throws: a failure if the user does not agree, and a usage failure without `--yes` if there is no terminal.
    func confirm(_ consequence: String, in context: CommandContext) throws(CommandFailure) {
        guard !isGiven else { return }
        guard context.inputIsTerminal else {
            throw CommandFailure(
                "confirmation is required: \(consequence)",
                hint: "standard input is not a terminal; add --yes to confirm", exitCode: .usage)
        }
        guard try context.agrees(visible(consequence) + "\nContinue?") else {
            throw CommandFailure("nothing was changed, as requested")
        }
    }
}

extension CommandContext {
    /// Asks a question on the terminal. Any answer but a clear yes is a no.
    func agrees(_ question: String) throws(CommandFailure) -> Bool {
        diagnostics.writeIfPossible(question + " [y/N] ")
        let line: CommandInput.Line
        do throws(StreamError) { line = try input.readLine(limit: 64) } catch {
            throw CommandFailure("cannot read from the terminal: \(error.reason)")
        }
        guard case .text(let text) = line else { return false }
        let answer = String(decoding: text.bytes, as: UTF8.self).filter { !$0.isWhitespace }.lowercased()
        return answer == "y" || answer == "yes"
    }
}
