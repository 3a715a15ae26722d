// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct SetCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Store a secret, or replace it.",
        discussion: """
            On a terminal the secret is asked for twice and not shown, and its strength is told. Otherwise it is what standard input holds, at most \
            16 MiB of any bytes, without one newline at the end. Label and comment of an existing item stay as they are \
            unless they are given.

            Every program of yours can run this command and so read what it stored. You are asked about each use of a private item, \
            with the passcode where one is set.

            EXAMPLES:
              chatelaine set github --user octo
              chatelaine set --url https://example.org --user ann
              chatelaine set deploy-key < id_ed25519
              printf %s "$answer" | chatelaine set vpn --comment "second factor"
              chatelaine set bank --private
            """)

    @OptionGroup var item: ItemNameArguments

    @Option(name: .shortAndLong, help: "What the item is called in lists. (default: NAME or the host)")
    var label: String?

    @Option(name: .shortAndLong, help: "A note on the item. Not for secrets: lists show it.")
    var comment: String?

    @Flag(help: "Store an empty secret, which is refused otherwise.")
    var allowEmpty = false

    @Flag var sharing: ItemSharing?

    @OptionGroup var password: ItemPasswordOptions
    @OptionGroup var choice: KeychainChoice
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard sharing == nil || choice.keychain == nil else {
            throw ValidationError(
                "items of keychain files say themselves who may use them: "
                    + "`security add-generic-password -T ''` stores one about which you are always asked")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        let name = try item.itemName()
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context, readsInput: !context.inputIsTerminal)
        let secret = try readSecret(for: name, in: context)
        guard secret.count > 0 || allowEmpty else {
            throw CommandFailure(
                "the secret is empty", hint: "nothing was stored; --allow-empty stores it nevertheless")
        }
        var changes: [ItemAttributes.Entry] = []
        if let label { changes.append(.init(.label, .string(label))) }
        if let comment { changes.append(.init(.comment, .string(comment))) }
        let new = label == nil ? changes + [.init(.label, .string(name.label))] : changes
        let result: AddOrUpdateResult
        do {
            result = try client.addOrUpdate(
                name.passwordClass, key: name.entries, new: new, changes: changes, secret: secret, in: sharing?.group)
        } catch {
            throw CommandFailure(error, name: name, message: context.statusMessage)
        }
        try report(result, name, in: context)
        if sharing == .isPrivate { try context.warnWithoutPasscode() }
    }

    private func report(
        _ result: AddOrUpdateResult, _ name: ItemName, in context: CommandContext
    ) throws(CommandFailure) {
        if output.json {
            let word =
                switch result {
                case .added: "created"
                case .updated: "replaced"
                }
            return try context.print(JSONText.object([("result", .text(word))] + name.json).document())
        }
        switch result {
        case .added: try context.print("Stored \(visible(name.quoted)).\n")
        case .updated: try context.print("Replaced \(visible(name.quoted)).\n")
        }
    }

    private func readSecret(for name: ItemName, in context: CommandContext) throws(CommandFailure) -> SecretBytes {
        if context.inputIsTerminal {
            guard let prompt = context.prompt else {
                throw CommandFailure(
                    "there is no terminal to ask on", hint: "pass the secret through standard input")
            }
            let secret = try prompt.ask("Secret for \(visible(name.quoted)): ")
            let again = try prompt.ask("Once more: ")
            guard secret.isSameEntry(as: again) else {
                throw CommandFailure("the two entries differ", hint: "nothing was stored; try again")
            }
            context.tellStrength(of: secret)
            return secret
        }
        // Room for the newline that is not part of the secret.
        let limit = ItemLimits.secretBytes + 1
        let input: SecretAccumulator?
        do {
            input = try context.input.readAll(limit: limit)
        } catch {
            throw CommandFailure("cannot read standard input: \(error.reason)")
        }
        guard let input else { throw tooLarge }
        let secret = input.secret(droppingLast: input.bytes.last == UInt8(ascii: "\n") ? 1 : 0)
        guard secret.count <= ItemLimits.secretBytes else { throw tooLarge }
        return secret
    }

    private var tooLarge: CommandFailure {
        CommandFailure("the secret is larger than \(ItemLimits.secretBytes >> 20) MiB", hint: "nothing was stored")
    }
}

extension CommandContext {
    /// Warns that an approval proves nothing while no passcode is set.
    func warnWithoutPasscode() throws(CommandFailure) {
        let report = try administer { client throws(ClientError) in try client.protectors() }
        guard !report.hasPasscode else { return }
        diagnostics.writeIfPossible(
            "warning: no passcode is set, so any program of yours can set one, and approve with it: "
                + "`chatelaine passcode set` sets yours\n")
    }
}

/// The programs that can use the item that the command stores.
enum ItemSharing: EnumerableFlag {
    case isPrivate
    case shared

    /// The access group of the item.
    var group: String {
        switch self {
        case .isPrivate: CommandGroup.privateItems
        case .shared: CommandGroup.shared
        }
    }

    static func name(for value: Self) -> NameSpecification {
        switch value {
        case .isPrivate: .customLong("private")
        case .shared: .customLong("shared")
        }
    }

    static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .isPrivate: "You are asked about each use of the item."
        case .shared: "Every program of yours can use the item. (default, unless the setting private-items is on)"
        }
    }
}
