// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct ListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what is stored, without the secrets.",
        discussion: """
            Shows the items of all programs of this user. PATTERN is looked for in names, users and labels, without regard \
            to upper and lower case; with * (anything) and ? (one character) it must match one of them as a whole.

            EXAMPLES:
              chatelaine list
              chatelaine list git
              chatelaine list '*.example.org' --json
            """)

    @Argument(help: "Show only what matches.")
    var pattern: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        var items: [ListedItem]
        do {
            items = try context.client.listItems()
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        if let pattern {
            let pattern = TextPattern(pattern)
            items = items.filter { item in
                [.service, .account, .label].contains { key in item.text(key).map(pattern.matches) ?? false }
            }
        }
        items.sort { Self.order($0) < Self.order($1) }
        if output.json {
            try context.print(JSONText.array(items.map(Self.json)).document())
        } else {
            try context.print(Self.table(items, in: context))
        }
    }

    private static func order(_ item: ListedItem) -> (String, String, String) {
        (item.text(.service) ?? "", item.text(.account) ?? "", item.group)
    }

    private static func table(_ items: [ListedItem], in context: CommandContext) -> String {
        guard !items.isEmpty else { return "" }
        var table = TextTable(["NAME", "USER", "PROGRAM", "MODIFIED"])
        for item in items {
            table.append([
                item.text(.service) ?? "", item.text(.account) ?? "", programName(ofGroup: item.group),
                localTime(item.modificationDate, in: context),
            ])
        }
        return table.text(styled: context.outputIsStyled)
    }

    private static func localTime(_ moment: Timestamp?, in context: CommandContext) -> String {
        guard let moment, abs(moment.secondsSinceReferenceDate) < 1e12 else { return "" }
        let seconds = Int64(moment.secondsSinceReferenceDate) + CivilTime.referenceDate
        return CivilTime(moment, secondsFromUTC: context.secondsFromUTC(seconds))?.short ?? ""
    }

    private static func json(_ item: ListedItem) -> JSONText {
        .object([
            ("name", item.json(.service)),
            ("user", item.json(.account)),
            ("label", item.json(.label)),
            ("comment", item.json(.comment)),
            ("group", .text(item.group)),
            ("program", installedPath(ofGroup: item.group).map(JSONText.text) ?? .null),
            ("created", item.json(.creationDate)),
            ("modified", item.json(.modificationDate)),
            ("synchronizable", .boolean(item.attributes.isSynchronizable)),
            ("reference", .text(base64(item.reference.bytes))),
        ])
    }
}
