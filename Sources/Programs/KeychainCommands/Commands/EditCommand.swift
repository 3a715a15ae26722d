// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct EditCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the title, user, URL or comment of an item, and keep its secret.",
        discussion: """
            Without options, asks for each of them on the terminal. The seed of one-time passwords follows the item. NAME is \
            chosen as by `chatelaine get`.

            EXAMPLES:
              chatelaine edit github
              chatelaine edit github --user octo --label "GitHub (work)" --new-user octo2
              chatelaine edit --url https://example.org --user ann --new-url https://www.example.org
            """)

    @OptionGroup private var item: ItemChoice

    @Option(name: .shortAndLong, help: "New title of the item in lists.")
    private var label: String?

    @Option(name: .shortAndLong, help: "New comment on the item. Lists show it, so it must not contain secrets.")
    private var comment: String?

    @Option(help: ArgumentHelp("New user of the secret.", valueName: "user"))
    private var newUser: String?

    @Option(name: .customLong("new-url"), help: ArgumentHelp("New URL of a web password.", valueName: "url"))
    private var newURL: String?

    @Option(help: ArgumentHelp("New name of an item that is no web password.", valueName: "name"))
    private var newName: String?

    @OptionGroup private var choice: KeychainChoice
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try item.names.check()
        var edit = ItemEdit(name: newName, url: newURL, user: newUser, label: label, comment: comment)
        let isForm = edit.isEmpty
        guard !isForm || context.inputIsTerminal && context.prompt != nil else {
            throw CommandFailure(
                "nothing to change: no option is given, and there is no terminal to ask on",
                hint: "use --label, --comment, --new-user, --new-url or --new-name", exitCode: .usage)
        }
        try unlocking.unlockIfWanted(in: context)
        let found = try item.find(in: context, by: isForm ? .part : .whole)
        if isForm, let prompt = context.prompt { edit = try ItemEdit(asking: prompt, about: found, in: context) }
        try edit.apply(to: found, asJSON: output.json, in: context)
    }
}

struct RenameCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Change the name of an item.",
        discussion: """
            A web password gets a new title; `chatelaine edit --new-url` changes its URL.

            EXAMPLES:
              chatelaine rename githb github --user octo
              chatelaine rename --url https://example.org --user ann "Shop"
            """)

    @OptionGroup private var item: ItemChoice

    @Argument(help: "New name. With --url or --server, it is the only argument.")
    private var newName: String?

    @OptionGroup private var choice: KeychainChoice
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        var (item, newName) = (item, newName)
        if newName == nil, item.names.url != nil || item.names.server != nil {
            (newName, item.names.name) = (item.names.name, nil)
        }
        try item.names.check()
        guard let newName, !newName.isEmpty else {
            throw CommandFailure("the new name is missing", hint: "`chatelaine rename NAME NEW-NAME`", exitCode: .usage)
        }
        try unlocking.unlockIfWanted(in: context)
        let found = try item.find(in: context, by: .whole)
        let isWeb = found.item.reference.itemClass == .internetPassword
        let edit = ItemEdit(name: isWeb ? nil : newName, label: isWeb ? newName : nil)
        try edit.apply(to: found, asJSON: output.json, in: context)
    }
}

/// The changes of an item's attributes; nil leaves an attribute unchanged.
struct ItemEdit {
    var name: String?
    var url: String?
    var user: String?
    var label: String?
    var comment: String?

    init(name: String? = nil, url: String? = nil, user: String? = nil, label: String? = nil, comment: String? = nil) {
        (self.name, self.url, self.user, self.label, self.comment) = (name, url, user, label, comment)
    }

    var isEmpty: Bool { [name, url, user, label, comment].allSatisfy { $0 == nil } }

    /// Asks for each attribute on the terminal.
    init(
        asking prompt: any SecretPrompt, about found: FoundItem, in context: CommandContext
    ) throws(CommandFailure) {
        context.diagnostics.writeIfPossible(
            "Editing \(visible(found.name.quoted)). Return keeps a text, and a hyphen removes it.\n")
        func ask(_ title: String, _ old: String, mayBeEmpty: Bool = true) throws(CommandFailure) -> String? {
            let answer = try prompt.askShown("\(title)\(old.isEmpty ? "" : " [\(visible(old))]"): ")
            guard answer != "-" || !mayBeEmpty else { return old.isEmpty ? nil : "" }
            return answer.isEmpty || answer == old ? nil : answer
        }
        let item = found.item
        if item.reference.itemClass == .internetPassword {
            url = try ask("URL", item.name, mayBeEmpty: false)
        } else {
            name = try ask("Name", item.name, mayBeEmpty: false)
        }
        label = try ask("Title", item.text(.label) ?? "")
        user = try ask("User", item.text(.account) ?? "")
        comment = try ask("Comment", item.text(.comment) ?? "")
    }

    /// Changes the item and the seed of its one-time passwords.
    func apply(to found: FoundItem, asJSON: Bool, in context: CommandContext) throws(CommandFailure) {
        let item = found.item
        let old = ItemName(of: item)
        let new = try name(after: old, of: item)
        let entries = entries(of: item, old: old, new: new)
        guard !entries.isEmpty else { return try report("unchanged", old, asJSON, in: context) }
        let passwordClass: PasswordClass = item.reference.itemClass == .internetPassword ? .internet : .generic
        var changes = [Change(item: item, passwordClass: passwordClass, entries: entries)]
        let isRenamed =
            !old.subjectText.utf8.elementsEqual(new.subjectText.utf8) || !old.user.utf8.elementsEqual(new.user.utf8)
        if isRenamed {
            let key = OneTimePassword.key(new.subject, user: new.user)
            changes += try seeds(of: item, old, to: new, in: context)
                .map { Change(item: $0, passwordClass: .generic, entries: key) }
        }
        // A private item requires an approval. It comes first, so that a denial leaves all of them unchanged.
        changes = changes.filter(\.item.isPrivate) + changes.filter { !$0.item.isPrivate }
        for (number, change) in changes.enumerated() {
            do throws(CommandFailure) {
                try change.apply(name: old, to: new, in: context)
            } catch {
                guard number > 0 else { throw error }
                // Only if another program interferes, or if one of two approvals is denied.
                let isItem = changes[0].item.reference == item.reference
                let services = [new, old].map { shellWord(OneTimePassword.service(of: $0.subject)) }
                throw CommandFailure(
                    "\(error.message); \(isItem ? "the item" : "the seed of its one-time passwords") already has the new name",
                    hint: isItem
                        ? "give \(new.quoted) its earlier name again with `chatelaine edit`, and then try again"
                        : "`chatelaine rename \(services[0]) \(services[1])`, and then try again",
                    exitCode: error.exitCode)
            }
        }
        try report("changed", new, asJSON, in: context)
    }

    /// Returns the seeds that follow an item: of its own protection, and of another one unless another item of the name
    /// has that.
    ///
    /// - Throws: a failure if the new name has an item or a seed, because then nothing must change.
    private func seeds(
        of item: ListedItem, _ old: ItemName, to new: ItemName, in context: CommandContext
    ) throws(CommandFailure) -> [ListedItem] {
        func own(_ items: [ListedItem], _ client: KeychainClient) throws(ClientError) -> [ListedItem] {
            let own = try client.ownItems(items + [item])
            let isOwn = own.contains { $0.reference == item.reference }
            return (isOwn ? own : items.filter { $0.group == item.group }).filter { $0.reference != item.reference }
        }
        let (followers, obstacles, takenNames) = try context.items(old) { client throws(ClientError) in
            let seeds = try OneTimePassword.seeds(of: old, in: client)
            guard !seeds.isEmpty else { return ([], [], []) as ([ListedItem], [ListedItem], [ListedItem]) }
            let others = Set(try old.candidates(in: client).filter { $0.isOf(old.user) }.map(\.group))
            let followers = try own(seeds, client).filter { $0.group == item.group || !others.contains($0.group) }
            return (
                followers, try own(try OneTimePassword.seeds(of: new, in: client), client),
                try new.candidates(in: client).filter { $0.isOf(new.user) && $0.group == item.group }
            )
        }
        guard !followers.isEmpty else { return [] }
        guard takenNames.allSatisfy({ $0.reference == item.reference }) else { throw Change.duplicate(new) }
        guard obstacles.isEmpty else {
            let service = shellWord(OneTimePassword.service(of: new.subject))
            throw CommandFailure(
                "there is already a seed of one-time passwords for \(new.quoted)",
                hint: "remove it with `chatelaine remove \(service)`, or choose another name")
        }
        return followers
    }

    /// Returns the name of the changed item.
    private func name(after old: ItemName, of item: ListedItem) throws(CommandFailure) -> ItemName {
        guard item.reference.itemClass == .internetPassword else {
            guard url == nil else {
                throw CommandFailure(
                    "\(old.quoted) is no web password, so it has no URL", hint: "use --new-name", exitCode: .usage)
            }
            return try ItemName(name ?? old.subjectText, user: user ?? old.user)
        }
        guard name == nil else {
            throw CommandFailure(
                "\(old.quoted) is a web password, and its URL is its name", hint: "use --new-url or --label",
                exitCode: .usage)
        }
        guard let url else { return try ItemName(old.subject, user: user ?? old.user) }
        let named = try ItemName(url: url, user: user)
        return named.user.isEmpty && user == nil ? try ItemName(named.subject, user: old.user) : named
    }

    private func entries(of item: ListedItem, old: ItemName, new: ItemName) -> [ItemAttributes.Entry] {
        var entries: [ItemAttributes.Entry] = []
        if !old.subjectText.utf8.elementsEqual(new.subjectText.utf8) {
            switch new.subject {
            case .name(let name): entries.append(.init(.service, .string(name)))
            case .server, .address:
                // With the defaults of the parts that the new URL does not have.
                let place: Set<AttributeKey> = [.server, .protocol, .port, .path]
                entries += PasswordClass.internet.keys(of: new.entries).filter { place.contains($0.key) }
            }
            // A label that repeats the name follows it.
            if label == nil, item.title == nil, item.text(.label) != nil {
                entries.append(.init(.label, .string(new.label)))
            }
        }
        if !old.user.utf8.elementsEqual(new.user.utf8) { entries.append(.init(.account, .string(new.user))) }
        if let label { entries.append(.init(.label, .string(label))) }
        if let comment { entries.append(.init(.comment, .string(comment))) }
        return entries
    }

    /// The change of one stored item.
    private struct Change {
        let item: ListedItem
        let passwordClass: PasswordClass
        let entries: [ItemAttributes.Entry]

        func apply(name: ItemName, to new: ItemName, in context: CommandContext) throws(CommandFailure) {
            do throws(ClientError) {
                let changes = try context.client.attributes(passwordClass, for: .update, entries)
                try context.client.update(item.query, changes: changes, secret: nil)
            } catch {
                if case .refused(let refusal) = error, refusal.status == .duplicateItem { throw Self.duplicate(new) }
                throw CommandFailure(error, name: name, group: item.group, message: context.statusMessage)
            }
        }

        static func duplicate(_ name: ItemName) -> CommandFailure {
            CommandFailure(
                "there is already an item \(name.quoted)", hint: "remove it first, or use another name or user")
        }
    }

    private func report(
        _ result: String, _ name: ItemName, _ asJSON: Bool, in context: CommandContext
    ) throws(CommandFailure) {
        if asJSON {
            return try context.print(JSONText.object([("result", .text(result))] + name.json).document())
        }
        let word = result == "changed" ? "Changed" : "Nothing changed in"
        try context.print("\(word) \(visible(name.quoted)).\n")
    }
}
