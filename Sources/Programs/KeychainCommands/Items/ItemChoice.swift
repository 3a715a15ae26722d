// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

/// The arguments that name an existing item, exactly or by a word.
struct ItemChoice: ParsableArguments {
    @OptionGroup var names: ItemNameArguments

    @Flag(help: "Accept only an item with exactly this name and user.")
    private(set) var exact = false

    /// Finds the item.
    ///
    /// - Parameter acceptsPart: whether NAME may also be a part of the item's name, title or user.
    func find(in context: CommandContext, acceptsPart: Bool = true) throws(CommandFailure) -> FoundItem {
        try findItem(try names.itemName(), exact ? .exact : acceptsPart ? .part : .whole, in: context)
    }

    /// Finds the setup of one-time passwords of the item.
    ///
    /// The item is chosen among all items, as for its secret, so an item without a setup never stands for another that
    /// has one. A setup without an item is found by the same words.
    func findSetup(in context: CommandContext) throws(CommandFailure) -> FoundItem {
        let name = try names.itemName()
        let setups = try context.items(name) { client throws(ClientError) in try OneTimePassword.all(in: client) }
        if !exact, case .name(let text) = name.subject {
            let word = ItemWord(text)
            let isOfItem = try context.items(name) { client throws(ClientError) in
                if try !name.candidates(in: client).isEmpty { return true }
                if try !word.whole(in: client).isEmpty { return true }
                return try !word.all(in: client).isEmpty
            }
            if isOfItem {
                return try findItem(try findItem(name, .part, in: context).name, .exact, among: setups, in: context)
            }
        }
        return try findItem(name, exact ? .exact : .part, among: setups, in: context)
    }
}

/// The one item that a name means.
struct FoundItem {
    let item: ListedItem
    /// The name of the item, which is not always the name on the command line.
    let name: ItemName

    var query: ItemQuery { item.query }
    var group: String { item.group }
}

/// The ways in which a name may mean an item.
enum NameMatching {
    /// Only by the name and the user.
    case exact
    /// Also by the title, the server, the URL or the user, and by a name of a single user.
    case whole
    /// Also by a part of these texts.
    case part
}

/// Finds the one item that a name means.
///
/// An item of exactly this name takes precedence over all others, even if the command may not read it. Other items are
/// considered only for a NAME that no item has.
///
/// - Parameter setups: the setups of one-time passwords, to find one of them; nil to find a password.
/// - Throws: a failure that names the users for whom the name exists, if there are any; a failure that names the
///   addresses if a server has several passwords of the user; and a failure if several items match a word and the user
///   cannot choose one.
func findItem(
    _ name: ItemName, _ matching: NameMatching, among setups: [ListedItem]? = nil, in context: CommandContext
) throws(CommandFailure) -> FoundItem {
    let (candidates, items) = try context.items(name) { client throws(ClientError) in
        let candidates = if let setups { name.candidates(among: setups) } else { try name.candidates(in: client) }
        // By bytes, as the service compares: equivalent spellings are two users.
        let items = candidates.filter { ($0.text(.account) ?? "").utf8.elementsEqual(name.user.utf8) }
        return (candidates, try client.ownIfAny(items))
    }
    // If a host has several passwords, the user must choose one: the wrong one might be deleted.
    let addresses = Set(items.compactMap { $0.address?.text }).sorted()
    guard addresses.count <= 1 else {
        throw CommandFailure(
            "\(name.quoted) has several passwords", hint: "choose one with --url: " + addresses.joined(separator: ", "))
    }
    if let item = items.first { return FoundItem(item: item, name: name) }
    if case .name(let text) = name.subject, matching != .exact {
        if candidates.isEmpty {
            return try find(ItemWord(text), of: name, matching, among: setups, in: context)
        }
        if name.user.isEmpty, let item = try choose(candidates, in: context) { return item }
    }
    throw notFound(name, candidates, isSetup: setups != nil, in: context)
}

/// Finds the item for a word that is no item's name.
private func find(
    _ word: ItemWord, of name: ItemName, _ matching: NameMatching, among setups: [ListedItem]?,
    in context: CommandContext
) throws(CommandFailure) -> FoundItem {
    func candidates(_ found: [ItemWord.Found]) -> [ListedItem] {
        ItemWord.best(
            found.filter { name.user.isEmpty || ($0.item.text(.account) ?? "").utf8.elementsEqual(name.user.utf8) })
    }
    let matches = try context.items(name) { client throws(ClientError) in
        if let setups { return candidates(word.matches(among: setups)) }
        let whole = candidates(try word.whole(in: client))
        return whole.isEmpty ? candidates(try word.all(in: client)) : whole
    }
    let isPart = matches.first.map { word.match($0) == .part } ?? false
    if !isPart || matching == .part, let item = try choose(matches, in: context) { return item }
    guard !matches.isEmpty else { throw notFound(name, [], isSetup: setups != nil, in: context) }
    context.diagnostics.writeIfPossible(table(matches, styled: context.diagnosticsAreStyled))
    let count = matches.count == 1 ? "1 item matches" : "\(matches.count) items match"
    throw CommandFailure(
        "there is no item \(name.quoted), but \(count)",
        hint: "use the whole NAME or --url, and --user", exitCode: .itemNotFound)
}

/// Returns the only item, or the item that the user chooses on the terminal; nil if the user cannot choose.
private func choose(_ items: [ListedItem], in context: CommandContext) throws(CommandFailure) -> FoundItem? {
    let own = try context.items(nil) { client throws(ClientError) in try client.ownIfAny(items) }
    // The first of several items of a name and a user is the preferred one, as for an exact name.
    var choices: [FoundItem] = []
    // As bytes, because equivalent spellings are two items.
    var keys: Set<[[UInt8]]> = []
    for item in own {
        let key = [item.reference.itemClass.code, item.name, item.text(.account) ?? ""].map { Array($0.utf8) }
        if keys.insert(key).inserted { choices.append(FoundItem(item: item, name: ItemName(of: item))) }
    }
    // In the order of the list that a user without a choice sees.
    func position(_ choice: FoundItem) -> Int? { items.firstIndex { $0.reference == choice.item.reference } }
    choices.sort { position($0) ?? 0 < position($1) ?? 0 }
    if choices.count == 1, let item = choices.first {
        // The user must see which item it is.
        if context.diagnosticsAreTerminal {
            context.diagnostics.writeIfPossible("item: \(visible(item.name.quoted))\n")
        }
        return item
    }
    guard !choices.isEmpty, context.inputIsTerminal, context.diagnosticsAreTerminal, let prompt = context.prompt else {
        return nil
    }
    context.diagnostics.writeIfPossible(table(choices.map(\.item), styled: context.diagnosticsAreStyled))
    let answer = try prompt.askShown("Number of the item, 1 to \(choices.count): ")
    guard let number = Int(answer), choices.indices.contains(number - 1) else {
        throw CommandFailure("no item was chosen", hint: "enter a number from the list")
    }
    return choices[number - 1]
}

private func table(_ items: [ListedItem], styled: Bool) -> String {
    var table = TextTable(["", "NAME", "TITLE", "USER", "PROGRAM"])
    for (index, item) in items.enumerated() {
        table.append([
            String(index + 1), item.name, item.title ?? "", item.text(.account) ?? "",
            programName(ofGroup: item.group),
        ])
    }
    return table.text(styled: styled)
}

private func notFound(
    _ name: ItemName, _ candidates: [ListedItem], isSetup: Bool, in context: CommandContext
) -> CommandFailure {
    let users = Set(candidates.compactMap { $0.text(.account) }).sorted().filter { !$0.isEmpty }
    guard !users.isEmpty else {
        guard !isSetup else {
            return CommandFailure(
                "there is no seed of one-time passwords for \(name.quoted)",
                hint: "`chatelaine set --totp` stores one", exitCode: .itemNotFound)
        }
        return CommandFailure(.refused(Refusal(.itemNotFound, .none)), name: name, message: context.statusMessage)
    }
    let list = users.prefix(10).joined(separator: ", ") + (users.count > 10 ? ", …" : "")
    return CommandFailure(
        "there is no item \(name.quoted)", hint: "choose a user with --user: \(list)", exitCode: .itemNotFound)
}

extension CommandContext {
    /// Sends requests for an item.
    func items<R>(
        _ name: ItemName?, group: String? = nil, _ body: (KeychainClient) throws(ClientError) -> R
    ) throws(CommandFailure) -> R {
        do throws(ClientError) {
            return try body(client)
        } catch {
            throw CommandFailure(
                error, name: name, group: group, keychain: client.keychainPath, message: statusMessage)
        }
    }
}

extension KeychainClient {
    /// Returns the command's own items of several, in order of preference, or all items if it has none of them.
    fileprivate func ownIfAny(_ items: [ListedItem]) throws(ClientError) -> [ListedItem] {
        guard items.count > 1 else { return items }
        let own = try ownItems(items)
        return own.isEmpty ? items : own
    }
}
