// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct ListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the items without their secrets.",
        discussion: """
            Lists the items of all programs of this user; web passwords are listed by their URL. PATTERN is searched \
            for in names, servers, users and titles, and case is ignored; a URL finds the passwords of its site. With * (any \
            text) or ? (one character), PATTERN must match one of them completely. TITLE is the label where it differs from \
            the name.

            EXAMPLES:
              chatelaine list
              chatelaine list git
              chatelaine list '*.example.org' --json
            """,
        aliases: ["ls"])

    @Argument(help: "List only the items that match.")
    private var pattern: String?

    @OptionGroup private var choice: KeychainChoice
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try unlocking.unlockIfWanted(in: context)
        var items: [ListedItem]
        do {
            items = try Self.items(matching: pattern, in: context.client)
        } catch {
            throw CommandFailure(error, keychain: context.client.keychainPath, message: context.statusMessage)
        }
        // Each key once, because the name of a web password is put together from its parts.
        items = items.map { (order: ($0.name, $0.text(.account) ?? "", $0.group), item: $0) }
            .sorted { $0.order < $1.order }
            .map(\.item)
        if output.json {
            try context.print(JSONText.array(items.map { .object($0.jsonMembers) }).document())
        } else {
            if items.isEmpty { context.tellEmpty(pattern == nil ? "There are no items." : "No item matches.") }
            try context.print(Self.table(items, in: context))
        }
    }

    private static func items(
        matching pattern: String?, in client: KeychainClient
    ) throws(ClientError) -> [ListedItem] {
        guard let pattern else { return try client.listPasswords() }
        guard pattern.contains(where: { "*?".contains($0) }) else {
            return try ItemWord(pattern).all(in: client, withSeeds: true).map(\.item)
        }
        let wanted = TextPattern(pattern)
        return try client.listPasswords().filter { item in
            wanted.matches(item.name)
                || [.server, .account, .label].contains { key in item.text(key).map(wanted.matches) ?? false }
        }
    }

    private static func table(_ items: [ListedItem], in context: CommandContext) -> String {
        guard !items.isEmpty else { return "" }
        let names = ProgramNames(ofGroups: items.map(\.group), in: context)
        var table = TextTable(["NAME", "TITLE", "USER", "PROGRAM", "MODIFIED"])
        for item in items {
            table.append([
                item.name, item.title ?? "", item.text(.account) ?? "", names.name(ofGroup: item.group),
                item.modificationDate.flatMap(context.localTime) ?? "",
            ])
        }
        return table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal)
    }
}
