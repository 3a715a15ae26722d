// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient

struct RemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete a secret.",
        discussion: """
            The item is deleted at once and cannot be restored. If no item is called NAME, the only item with this title, \
            server or URL is meant; a part of them or the user is not enough.

            EXAMPLES:
              chatelaine remove github --user octo
              chatelaine remove --url https://example.org --user ann
            """,
        aliases: ["rm", "delete"])

    @OptionGroup private var item: ItemChoice
    @OptionGroup private var choice: KeychainChoice
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try item.names.check()
        try unlocking.unlockIfWanted(in: context)
        // A part of a name or a user is not enough, because the item cannot be restored.
        let found = try item.find(in: context, by: .title)
        do {
            try context.client.delete(found.query)
        } catch {
            throw CommandFailure(
                error, name: found.name, group: found.group, keychain: context.client.keychainPath,
                message: context.statusMessage)
        }
        try output.print(
            [("result", .text("removed"))] + found.name.json, or: "Removed \(visible(found.name.quoted)).\n",
            in: context)
    }
}
