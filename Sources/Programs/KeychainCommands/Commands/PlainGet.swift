// SPDX-License-Identifier: Apache-2.0

/// The command line `get NAME`, with at most `--user`, `--exact` and `--no-newline`, as scripts use it most often.
///
/// ArgumentParser inspects the types of all commands for each line that it parses, which takes almost as long as the
/// rest of such a process: without this type, a lookup takes 15.6 ms of processor time instead of 8.7. It parses all other lines, and reports the errors of any line.
struct PlainGet: Equatable {
    let name: String
    private(set) var user: String?
    private(set) var isExact = false
    private(set) var omitsNewline = false

    /// Parses a line; nil for every line that does not have exactly this form.
    init?(_ words: [String]) {
        guard words.first == "get", let name = Self.plain(words.dropFirst().first) else { return nil }
        self.name = name
        var rest = words.dropFirst(2)
        while let word = rest.popFirst() {
            switch word {
            case "-u" where user == nil, "--user" where user == nil:
                guard let value = Self.plain(rest.popFirst()) else { return nil }
                user = value
            case "--exact" where !isExact: isExact = true
            case "-n" where !omitsNewline, "--no-newline" where !omitsNewline: omitsNewline = true
            default: return nil
            }
        }
    }

    /// Returns a word that can only be a value.
    private static func plain(_ word: String?) -> String? {
        guard let word, !word.isEmpty, !word.hasPrefix("-") else { return nil }
        return word
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let name = try ItemName(name, user: user ?? "")
        let found = try findItem(name, isExact ? .exact : .part, in: context)
        let secret = try GetCommand.secret(of: found, context.client, in: context)
        try GetCommand.print(secret, omitsNewline: omitsNewline, in: context)
    }
}
