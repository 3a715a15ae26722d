// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// A word of a command line in the place of a verb that no command has.
struct UnknownVerb: Equatable {
    let word: String
    /// The command with the most similar name, such as `chatelaine keychains list`; nil if no name is similar.
    let suggestion: String?

    /// Finds the word; nil if a command has each verb of the command line, or if options precede the verb.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        var line = root.configuration.commandName ?? ""
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = subcommands.first(where: { Self.names(of: $0).contains(word) }) {
                command = next
                line += " " + word
                continue
            }
            let nearest = Self.nearest(to: word, of: subcommands)
            // Otherwise the word is an argument of the default command.
            guard nearest != nil || command.configuration.defaultSubcommand == nil else { return nil }
            self.word = word
            suggestion = nearest.map { line + " " + $0 }
            return
        }
        return nil
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command.configuration.commandName].compactMap(\.self) + command.configuration.aliases
    }

    private static func nearest(to word: String, of commands: [any ParsableCommand.Type]) -> String? {
        let begun = commands.compactMap { $0.configuration.commandName }.filter { $0.hasPrefix(word) }
        if begun.count == 1 { return begun[0] }
        // A short word with several errors is another word.
        let most = min(word.count / 2, 2)
        let near = commands.flatMap(names).map { (name: $0, distance: distance(word, $0)) }.filter {
            $0.distance <= most
        }
        return near.min { $0.distance < $1.distance }?.name
    }

    /// Returns the number of letters that were inserted, left out, replaced, or exchanged with their neighbour.
    private static func distance(_ word: String, _ name: String) -> Int {
        // The rows for the prefixes of `word` of the last two lengths.
        let (word, name) = (Array(word.prefix(64)), Array(name))
        var before: [Int] = []
        var row = Array(0...name.count)
        for place in word.indices {
            var next = [place + 1]
            for other in name.indices {
                var least = min(row[other + 1], next[other]) + 1
                least = min(least, row[other] + (word[place] == name[other] ? 0 : 1))
                if place > 0, other > 0, word[place] == name[other - 1], word[place - 1] == name[other] {
                    least = min(least, before[other - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[name.count]
    }
}
