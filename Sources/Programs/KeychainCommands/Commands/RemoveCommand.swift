// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient

struct RemoveCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete a secret.",
        discussion: """
            The item is deleted at once and cannot be restored.

            EXAMPLES:
              chatelaine remove github --user octo
              chatelaine remove --url https://example.org --user ann
            """,
        aliases: ["rm", "delete"])

    @OptionGroup var item: ItemNameArguments
    @OptionGroup var choice: KeychainChoice
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        let name = try item.itemName()
        try unlocking.unlockIfWanted(in: context)
        let found = try findItem(name, in: context)
        do {
            try context.client.delete(found.query)
        } catch {
            throw CommandFailure(
                error, name: name, group: found.group, keychain: context.client.keychainPath,
                message: context.statusMessage)
        }
        if output.json {
            try context.print(JSONText.object([("result", .text("removed"))] + name.json).document())
        } else {
            try context.print("Removed \(visible(name.quoted)).\n")
        }
    }
}
