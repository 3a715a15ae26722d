// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct GetCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print a secret.",
        discussion: """
            Prints the stored bytes, followed by a newline.

            EXAMPLES:
              chatelaine get github --user octo
              chatelaine get --url https://example.org --user ann
              chatelaine get deploy-key --no-newline > id_ed25519
              curl --netrc-file <(chatelaine get netrc) https://example.org
            """)

    @OptionGroup var item: ItemNameArguments

    @Flag(name: [.customShort("n"), .customLong("no-newline")], help: "Print no newline after the secret.")
    var omitsNewline = false

    @OptionGroup var password: ItemPasswordOptions
    @OptionGroup var choice: KeychainChoice
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        let name = try item.itemName()
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context)
        let (found, secret) = try Self.secret(of: name, client, in: context)
        if output.json {
            try printJSON(secret, name, found, in: context)
        } else {
            try Self.print(secret, omitsNewline: omitsNewline, in: context)
        }
    }

    /// Returns the secret of an item.
    ///
    /// - Parameter client: the client that reads the secret; it may have the item's password, unlike the context's
    ///   client.
    static func secret(
        of name: ItemName, _ client: KeychainClient, in context: CommandContext
    ) throws(CommandFailure) -> (item: ListedItem, secret: SecretBytes) {
        let found = try findItem(name, in: context)
        do {
            return (found, try client.secret(of: found))
        } catch {
            throw CommandFailure(
                error, name: name, group: found.group, keychain: context.client.keychainPath,
                message: context.statusMessage)
        }
    }

    static func print(
        _ secret: SecretBytes, omitsNewline: Bool, in context: CommandContext
    ) throws(CommandFailure) {
        try context.print(secret.bytes)
        if !omitsNewline { try context.print("\n") }
    }

    private func printJSON(
        _ secret: SecretBytes, _ name: ItemName, _ found: ListedItem, in context: CommandContext
    ) throws(CommandFailure) {
        let json = JSONText.object(name.json + [("group", .text(found.group)), ("secret", .secret(secret))])
        // A control character takes six bytes in JSON.
        let names = 2 * name.quoted.utf8.count + found.group.utf8.count
        let size = 6 * (secret.count + names) + 512
        var document = json.document(reserving: size)
        defer { wipe(&document) }
        try context.print(document)
    }
}

/// Finds the one item that a name means, for reading or deleting it.
///
/// - Throws: a failure that names the users for whom the name exists, if there are any, and a failure that names the
///   addresses if a server has several passwords of the user.
func findItem(_ name: ItemName, in context: CommandContext) throws(CommandFailure) -> ListedItem {
    let candidates: [ListedItem]
    var items: [ListedItem]
    do {
        candidates = try name.candidates(in: context.client)
        // By bytes, as the service compares: equivalent spellings are two users.
        items = candidates.filter { ($0.text(.account) ?? "").utf8.elementsEqual(name.user.utf8) }
        if items.count > 1 {
            let own = try context.client.ownItems(items)
            if !own.isEmpty { items = own }
        }
    } catch {
        throw CommandFailure(
            error, name: name, keychain: context.client.keychainPath, message: context.statusMessage)
    }
    // If a host has several passwords, the user must choose one: the wrong one might be deleted.
    let addresses = Set(items.compactMap { $0.address?.text }).sorted()
    guard addresses.count <= 1 else {
        throw CommandFailure(
            "\(name.quoted) has several passwords", hint: "choose one with --url: " + addresses.joined(separator: ", "))
    }
    if let item = items.first { return item }
    let users = Set(candidates.compactMap { $0.text(.account) }).sorted().filter { !$0.isEmpty }
    guard !users.isEmpty else {
        throw CommandFailure(.refused(Refusal(.itemNotFound, .none)), name: name, message: context.statusMessage)
    }
    let list = users.prefix(10).joined(separator: ", ") + (users.count > 10 ? ", …" : "")
    throw CommandFailure(
        "there is no item \(name.quoted)", hint: "choose a user with --user: \(list)", exitCode: .itemNotFound)
}
