// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// The macOS command `security` (semantics 8.7): options, output and exit statuses as scripts expect them.
struct SecurityTool {
    private let context: CommandContext

    init(_ context: CommandContext) {
        self.context = context
    }

    /// Runs a command line.
    ///
    /// - Parameter words: the command line without the program's name.
    /// - Returns: the exit status.
    func run(_ words: [String]) -> Int32 {
        evaluate(words).exitStatus
    }

    private func evaluate(_ words: [String]) -> SecurityResult {
        var options = ShortOptions(flags: "hilqvR", withValue: "p", words)
        var wantsHelp = false
        var isVerbose = false
        var isQuiet = false
        var prompt: String?
        while let option = options.next() {
            switch option {
            case .flag("h"): wantsHelp = true
            case .flag("i"): prompt = prompt ?? "security> "
            case .value("p", let text): prompt = text
            case .flag("q"): isQuiet = true
            case .flag("v"): isVerbose = true
            case .flag: break  // -l and -R affect internals of macOS
            case .value, .missingValue, .unknown: return usage()
            }
        }
        let words = Array(options.operands)
        if wantsHelp {
            return SecurityHelp.run(SecurityInvocation(context: context, words: words, isVerbose: isVerbose))
        }
        if !words.isEmpty { return execute(words, isVerbose: isVerbose) }
        if let prompt { return interact(prompt: prompt, isVerbose: isVerbose, isQuiet: isQuiet) }
        return usage()
    }

    private func execute(_ words: [String], isVerbose: Bool) -> SecurityResult {
        guard let command = SecurityCommand.named(words[0]) else {
            complain("unknown command \"\(words[0])\"")
            return .failure
        }
        let words = Array(words.dropFirst())
        if isVerbose { echo(command, words) }
        let result = command.run(SecurityInvocation(context: context, words: words, isVerbose: isVerbose))
        if result == .usage {
            context.diagnostics.writeIfPossible(
                "Usage: \(command.name) \(command.usage)\n        \(command.summary)\n")
        }
        return result
    }

    /// Prints the command with its words in quotes, without passwords.
    private func echo(_ command: SecurityCommand, _ words: [String]) {
        let places = ArgumentVector.secretPlaces(words)
        let shown = zip(words, places).map { word, place in
            " \"\(visible(place.map { word.prefix($0) + "…" } ?? word))\""
        }
        context.diagnostics.writeIfPossible(command.name + shown.joined() + "\n")
    }

    /// Runs a command for each line of the input, until its end. Returns the result of the last command.
    private func interact(prompt: String, isVerbose: Bool, isQuiet: Bool) -> SecurityResult {
        var result = SecurityResult.success
        while true {
            if context.inputIsTerminal { context.diagnostics.writeIfPossible(prompt) }
            let line: SecretAccumulator
            do {
                switch try context.input.readLine(limit: Self.maximumLineBytes) {
                case .text(let text): line = text
                case .tooLong:
                    complain("a line is longer than \(Self.maximumLineBytes) bytes")
                    result = .failure
                    continue
                case .endOfInput: return result
                }
            } catch {
                complain("cannot read standard input: \(error.reason)")
                return .failure
            }
            let words = CommandWords.split(line.bytes).map { String(validating: $0, as: UTF8.self) }
            guard words.allSatisfy({ $0 != nil && !$0!.utf8.contains(0) }) else {
                complain("a line is not UTF-8 text; use -X for such passwords")
                result = .failure
                continue
            }
            guard let name = words.first ?? nil else {
                result = .success
                continue
            }
            result = execute(words.compactMap { $0 }, isVerbose: isVerbose)
            if result != .success, !isQuiet {
                context.diagnostics.writeIfPossible("\(visible(name)): returned \(result.code)\n")
            }
        }
    }

    private static let maximumLineBytes = 65_536

    private func usage() -> SecurityResult {
        let text = """
            Usage: security [-h] [-i] [-l] [-p prompt] [-q] [-v] [command] [opt ...]
                -i    Read commands from standard input.
                -l    Accepted, without effect.
                -p    Show "prompt" before each command (implies -i).
                -q    Print fewer messages.
                -v    Print more messages.
            security commands are:

            """
        let invocation = SecurityInvocation(context: context, words: [], isVerbose: false)
        _ = invocation.print(text.utf8)
        _ = SecurityHelp.run(invocation)
        return .usage
    }

    private func complain(_ text: String) {
        context.diagnostics.writeIfPossible("security: \(visible(text))\n")
    }
}
