// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

/// The arguments that name an existing item, exactly or by a word.
struct ItemChoice: ParsableArguments {
    @OptionGroup var names: ItemNameArguments

    @Flag(help: "Accept only an item with exactly this name and user.")
    private(set) var exact = false

    /// Finds the item. ``exact`` overrides the ways in which NAME may mean it.
    func find(in context: CommandContext, by matching: NameMatching = .part) throws(CommandFailure) -> FoundItem {
        try findItem(try names.itemName(), exact ? .exact : matching, in: context)
    }

    /// Finds the seed of one-time passwords of the item.
    ///
    /// The item is chosen among all items, as for its secret, so an item without a seed never stands for another that has
    /// one. A seed without an item is found by the same words.
    func findSetup(in context: CommandContext) throws(CommandFailure) -> FoundItem {
        let name = try names.itemName()
        let matching: NameMatching = exact ? .exact : .part
        guard let found = try lookUp(name, matching, in: context).item else {
            let seeds = try context.items(name) { client throws(ClientError) in try OneTimePassword.all(in: client) }
            return try findItem(name, matching, among: seeds, in: context)
        }
        let owner = ItemName(of: found.item)
        let seed = try context.items(name) { client throws(ClientError) in
            try client.preferred(of: try OneTimePassword.seeds(of: owner, in: client))
        }
        guard let seed else { throw notFound(found.name, [], isSetup: true, in: context) }
        return FoundItem(item: OneTimePassword.named(seed, owner.subject), name: found.name)
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
    /// Also by the title, the server or the URL, and by a name of a single user.
    case title
    /// Also by the user.
    case whole
    /// Also by a part of these texts.
    case part

    /// Returns whether a match of a word is sufficient.
    func allows(_ match: ItemWord.Match) -> Bool {
        switch match {
        case .name, .title, .server, .url: self != .exact
        case .user: self == .whole || self == .part
        case .part: self == .part
        }
    }
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
    let (item, candidates) = try lookUp(name, matching, among: setups, in: context)
    guard let item else { throw notFound(name, candidates, isSetup: setups != nil, in: context) }
    return item
}

/// Looks up the one item that a name means; nil if it means none, with the items of other users if only an exact name was
/// looked up.
private func lookUp(
    _ name: ItemName, _ matching: NameMatching, among setups: [ListedItem]? = nil, in context: CommandContext
) throws(CommandFailure) -> (item: FoundItem?, candidates: [ListedItem]) {
    let (candidates, items) = try context.items(name) { client throws(ClientError) in
        let candidates = if let setups { name.candidates(among: setups) } else { try name.candidates(in: client) }
        let items = candidates.filter { $0.isOf(name.user) }
        return (candidates, try client.ownIfAny(items))
    }
    // If a host has several passwords, the user must choose one: the wrong one might be deleted.
    try checkOneAddress(items, name)
    if let item = items.first { return (FoundItem(item: item, name: name), []) }
    guard case .name(let text) = name.subject, matching != .exact else { return (nil, candidates) }
    if candidates.isEmpty { return (try find(ItemWord(text), of: name, matching, among: setups, in: context), []) }
    if name.user.isEmpty, let item = try choose(candidates, in: context) { return (item, []) }
    throw notFound(name, candidates, isSetup: setups != nil, in: context)
}

/// - Throws: a failure if a name means items of several addresses.
func checkOneAddress(_ items: [ListedItem], _ name: ItemName) throws(CommandFailure) {
    let addresses = Set(items.compactMap { $0.address?.text }).sorted()
    guard addresses.count > 1 else { return }
    throw CommandFailure(
        "\(name.quoted) has several passwords", hint: "choose one with --url: " + addresses.joined(separator: ", "))
}

/// Finds the item for a word that is no item's name; nil if the word matches no item.
private func find(
    _ word: ItemWord, of name: ItemName, _ matching: NameMatching, among setups: [ListedItem]?,
    in context: CommandContext
) throws(CommandFailure) -> FoundItem? {
    func candidates(_ found: [ItemWord.Found]) -> [ItemWord.Found] {
        ItemWord.best(found.filter { name.user.isEmpty || $0.item.isOf(name.user) })
    }
    let matches = try context.items(name) { client throws(ClientError) in
        if let setups { return candidates(word.matches(among: setups)) }
        let whole = candidates(try word.whole(in: client))
        return whole.isEmpty ? candidates(try word.all(in: client)) : whole
    }
    guard let match = matches.first?.match else { return nil }
    let items = matches.map(\.item)
    if matching.allows(match), let item = try choose(items, in: context) { return item }
    context.diagnostics.writeIfPossible(
        table(items, styled: context.diagnosticsAreStyled, shortened: context.diagnosticsAreTerminal))
    if match == .user, !matching.allows(match) {
        let count = items.count == 1 ? "1 item" : "\(items.count) items"
        let example = items.first.map { ItemName(of: $0).arguments } ?? "NAME"
        throw CommandFailure(
            "there is no item \(name.quoted), but it is the user of \(count)",
            hint: "name the item itself: `chatelaine remove \(example)`", exitCode: .itemNotFound)
    }
    let count = items.count == 1 ? "1 item matches" : "\(items.count) items match"
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
    context.diagnostics.writeIfPossible(
        table(choices.map(\.item), styled: context.diagnosticsAreStyled, shortened: true))
    let answer = try prompt.askShown("Number of the item, 1 to \(choices.count): ")
    guard let number = Int(answer), choices.indices.contains(number - 1) else {
        throw CommandFailure("no item was chosen", hint: "enter a number from the list")
    }
    return choices[number - 1]
}

private func table(_ items: [ListedItem], styled: Bool, shortened: Bool) -> String {
    var table = TextTable(["", "NAME", "TITLE", "USER", "PROGRAM"])
    for (index, item) in items.enumerated() {
        table.append([
            String(index + 1), item.name, item.title ?? "", item.text(.account) ?? "",
            programName(ofGroup: item.group),
        ])
    }
    return table.text(styled: styled, shortened: shortened)
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
