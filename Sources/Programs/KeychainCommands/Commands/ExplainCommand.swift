// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct ExplainCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain why a search finds nothing.",
        discussion: """
            Searches the items of all programs of this user as SecItemCopyMatching does with these attributes. Shows \
            how many items each attribute leaves, how many items match without it, and whether case or synchronizable \
            excluded items. Shows no values. ATTRIBUTE is a name such as account, acct or kSecAttrAccount.

            With a single word instead of conditions, shows which items `chatelaine get` considers for it, and why.

            EXAMPLES:
              chatelaine explain github
              chatelaine explain service=github account=octo
              chatelaine explain --class inet server=example.org port=8080
              chatelaine explain kSecAttrAccount=ImaUser --ignore-case
            """)

    @Option(name: .customLong("class"), help: "genp (generic passwords) or inet (internet passwords).")
    private var className = "genp"

    @Argument(help: ArgumentHelp("Condition of the search, or one word.", valueName: "attribute=value"))
    private var conditions: [String] = []

    @Option(help: "Access group to search; other groups are left out.")
    private var group: String?

    @Option(help: "Host of internet passwords; its subdomains match too.")
    private var host: String?

    @Option(help: "Items to search: false (not synchronizable), true (synchronizable) or any.")
    private var synchronizable = "false"

    @Flag(help: "Ignore case, as kSecMatchCaseInsensitive does.")
    private var ignoreCase = false

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        if let word = word() {
            try unlocking.unlockIfWanted(in: context)
            return try WordExplanation(word, in: context).print(asJSON: output.json, in: context)
        }
        let query = try query()
        try unlocking.unlockIfWanted(in: context)
        let explanation: Explanation
        do {
            explanation = try context.client.explainSearch(query)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        if output.json {
            try context.print(Self.json(explanation))
        } else {
            try context.print(Self.text(explanation, query))
        }
    }

    /// Returns the only argument if it is a word. The name of an attribute is a condition without its value.
    private func word() -> ItemWord? {
        guard conditions.count == 1, let text = conditions.first, !text.contains("="), !text.isEmpty else { return nil }
        let isAttribute = PasswordClass.allCases.contains { AttributeKey(anyName: text, in: $0.itemClass) != nil }
        return isAttribute ? nil : ItemWord(text)
    }

    private func query() throws(CommandFailure) -> ItemQuery {
        guard let itemClass = ItemClass(code: className), ItemSchema.schema(for: itemClass) != nil else {
            throw CommandFailure(
                "'\(className)' is not an item class", hint: "use genp, inet, cert or keys", exitCode: .usage)
        }
        var query = ItemQuery(itemClass)
        query.accessGroup = group
        switch synchronizable {
        case "false": query.synchronizable = .localOnly
        case "true": query.synchronizable = .synchronizableOnly
        case "any": query.synchronizable = .any
        default: throw CommandFailure("--synchronizable must be false, true or any", exitCode: .usage)
        }
        if ignoreCase { query.textMatching = .caseInsensitive }
        if let host {
            guard itemClass == .internetPassword else {
                throw CommandFailure("--host requires the class inet", hint: "add --class inet", exitCode: .usage)
            }
            query.hostOrSubdomain = host
        }
        var entries: [ItemAttributes.Entry] = []
        for condition in conditions { entries.append(try Self.entry(condition, itemClass)) }
        do {
            query.attributes = try ItemAttributes(itemClass, for: .query, entries)
        } catch {
            throw CommandFailure(Self.message(error), exitCode: .usage)
        }
        return query
    }

    private static func entry(_ condition: String, _ itemClass: ItemClass) throws(CommandFailure)
        -> ItemAttributes.Entry
    {
        guard let separator = condition.firstIndex(of: "=") else {
            throw CommandFailure(
                "'\(condition)' is not a condition",
                hint: "write ATTRIBUTE=VALUE, such as account=ann, or one word that is no attribute",
                exitCode: .usage)
        }
        let name = String(condition[..<separator])
        guard let key = AttributeKey(anyName: name, in: itemClass) else {
            let names = (ItemSchema.schema(for: itemClass)?.attributes ?? []).filter { $0.uses.contains(.query) }
                .map(\.key.title)
            throw CommandFailure(
                "items of the class \(itemClass.title) have no attribute '\(name)' (errSecNoSuchAttr)",
                hint: "the attributes are: \(names.joined(separator: ", "))", exitCode: .usage)
        }
        return .init(key, .string(String(condition[condition.index(after: separator)...])))
    }

    private static func message(_ error: AttributeError) -> String {
        switch error {
        case .unsupportedClass: "the keychain stores no items of this class"
        case .noSuchAttribute(let key, _): "the class has no attribute \(key.title)"
        case .notAllowed(let key): "\(key.title) cannot be searched for"
        case .wrongType(let key): "the value of \(key.title) has the wrong type"
        case .repeated(let key): "\(key.title) is given twice"
        case .tooLarge: "the values exceed the size limit of a query"
        }
    }

    private static func text(_ explanation: Explanation, _ query: ItemQuery) -> String {
        var lines = explanation.sentences(about: query.itemClass, searched: "of all programs")
        if let count = explanation.matchCount, count > 0 {
            lines.append(
                count == 1
                    ? "1 item matches."
                    : "\(count == Explanation.countLimit ? "\(count) or more" : "\(count)") items match.")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func json(_ explanation: Explanation) -> [UInt8] {
        func name(_ filter: Explanation.Filter) -> JSONText {
            switch filter {
            case .attribute(let key): .text(key.name)
            case .host: .text("host")
            case .text: .text("text")
            }
        }
        let facts: [JSONText] = explanation.facts.map { fact in
            switch fact {
            case .candidates(let count): .object([("fact", .text("candidates")), ("count", .integer(Int64(count)))])
            case .narrowed(let filter, let count):
                .object([("fact", .text("narrowed")), ("by", name(filter)), ("count", .integer(Int64(count)))])
            case .without(let filter, let count):
                .object([("fact", .text("without")), ("filter", name(filter)), ("count", .integer(Int64(count)))])
            case .inOtherGroup(let group, let count):
                .object([
                    ("fact", .text("inOtherGroup")), ("group", .text(group)), ("count", .integer(Int64(count))),
                ])
            case .overlooking(let matching, let count):
                .object([
                    ("fact", .text("overlooking")), ("case", .boolean(matching.contains(.caseInsensitive))),
                    ("diacritics", .boolean(matching.contains(.diacriticInsensitive))),
                    ("width", .boolean(matching.contains(.widthInsensitive))), ("count", .integer(Int64(count))),
                ])
            case .existing(let reference):
                .object([("fact", .text("existing")), ("reference", .text(base64(reference.bytes)))])
            }
        }
        return JSONText.array(facts).document()
    }
}
