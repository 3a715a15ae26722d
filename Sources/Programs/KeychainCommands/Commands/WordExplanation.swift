// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The items that a word finds, and the reasons.
struct WordExplanation {
    private let word: ItemWord
    private let found: [ItemWord.Found]
    /// The number of passwords of all programs.
    private let searched: Int

    init(_ word: ItemWord, in context: CommandContext) throws(CommandFailure) {
        self.word = word
        (found, searched) = try context.items(nil) { client throws(ClientError) in
            (try word.all(in: client), try client.passwordCount())
        }
    }

    func print(asJSON: Bool, in context: CommandContext) throws(CommandFailure) {
        if asJSON {
            let items = found.map { found in
                JSONText.object([("match", .text(found.match.title))] + found.item.jsonMembers)
            }
            return try context.print(JSONText.array(items).document())
        }
        let noun = searched == 1 ? "password" : "passwords"
        let text = "Searched \(searched) \(noun) of all programs for \"\(visible(word.text))\""
        guard !found.isEmpty else { return try context.print(text + ": no match.\n") }
        var table = TextTable(["MATCHES BY", "NAME", "TITLE", "USER", "PROGRAM"])
        for entry in found {
            table.append([
                entry.match.title, entry.item.name, entry.item.title ?? "", entry.item.text(.account) ?? "",
                programName(ofGroup: entry.item.group),
            ])
        }
        let best = ItemWord.best(found).count
        let rule =
            best == 1
            ? "The first item is the only one of its kind, so the word means it."
            : "The first \(best) items match in the same way, so the word needs --user or the whole name."
        try context.print(
            "\(text).\n\(table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal))\(rule)\n")
    }
}
