// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import SecretMemory

struct GetCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print a secret.",
        discussion: """
            Prints the stored bytes, followed by a newline. If no item is called NAME, the only item with this title, server, \
            URL or user is meant, or the only item that contains NAME; case is ignored. Use --exact in scripts.

            EXAMPLES:
              chatelaine get github
              chatelaine get github --user octo --exact
              chatelaine get --url https://example.org --user ann
              chatelaine get deploy-key --no-newline > id_ed25519
              curl --netrc-file <(chatelaine get netrc) https://example.org
            """)

    @OptionGroup private(set) var item: ItemChoice

    @Flag(name: [.customShort("n"), .customLong("no-newline")], help: "Print no newline after the secret.")
    private(set) var omitsNewline = false

    @OptionGroup private(set) var password: ItemPasswordOptions
    @OptionGroup private(set) var choice: KeychainChoice
    @OptionGroup private(set) var unlocking: UnlockOptions
    @OptionGroup private(set) var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try item.names.check()
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context)
        let found = try item.find(in: context)
        let secret = try Self.secret(of: found, client, in: context)
        if output.json {
            try printJSON(secret, found, in: context)
        } else {
            try Self.print(secret, omitsNewline: omitsNewline, in: context)
        }
    }

    /// Returns the secret of an item.
    ///
    /// - Parameter client: the client that reads the secret; it may have the item's password, unlike the context's
    ///   client.
    static func secret(
        of found: FoundItem, _ client: KeychainClient, in context: CommandContext
    ) throws(CommandFailure) -> SecretBytes {
        do {
            return try client.secret(of: found.item)
        } catch {
            throw CommandFailure(
                error, name: found.name, group: found.group, keychain: context.client.keychainPath,
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
        _ secret: SecretBytes, _ found: FoundItem, in context: CommandContext
    ) throws(CommandFailure) {
        let json = JSONText.object(found.name.json + [("group", .text(found.group)), ("secret", .secret(secret))])
        // A control character takes six bytes in JSON.
        let names = 2 * found.name.quoted.utf8.count + found.group.utf8.count
        let size = 6 * (secret.count + names) + 512
        var document = json.document(reserving: size)
        defer { wipe(&document) }
        try context.print(document)
    }
}
