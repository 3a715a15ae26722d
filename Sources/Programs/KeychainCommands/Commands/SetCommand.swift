// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct SetCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Store or replace a secret.",
        discussion: """
            On a terminal, you type the secret twice without echo, and the command shows its strength. Otherwise the \
            secret is read from standard input: at most 16 MiB of any bytes, without one newline at the end. The label \
            and the comment of an existing item stay unless you give new ones.

            Each of your programs can run this command and read the items that it stored. Each use of a private item \
            requires your approval, with the passcode if one is set.

            EXAMPLES:
              chatelaine set github --user octo
              chatelaine set --url https://example.org --user ann
              chatelaine set deploy-key < id_ed25519
              printf %s "$answer" | chatelaine set vpn --comment "second factor"
              chatelaine set github --user octo --totp
              chatelaine set bank --private
            """)

    @OptionGroup private var item: ItemNameArguments

    @Option(name: .shortAndLong, help: "Label of the item in lists. (default: NAME or the host)")
    private var label: String?

    @Option(name: .shortAndLong, help: "Comment on the item. Lists show it, so it must not contain secrets.")
    private var comment: String?

    @Flag(help: "Store the seed of the item's one-time passwords: an otpauth: URI, or the key in Base32.")
    private var totp = false

    @Flag(help: "Allow an empty secret.")
    private var allowEmpty = false

    @Flag private var sharing: ItemSharing?

    @OptionGroup private var password: ItemPasswordOptions
    @OptionGroup private var choice: KeychainChoice
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard sharing == nil || choice.keychain == nil else {
            throw ValidationError(
                "--private and --shared cannot be used with --keychain, because access objects control items in keychain files: "
                    + "`security add-generic-password -T ''` stores an item whose uses always require your approval")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        let name = try item.itemName()
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context, readsInput: !context.inputIsTerminal)
        let secret = try readSecret(for: name, in: context)
        if totp {
            let stored = try OneTimePassword.store(
                secret, for: name, label: label, comment: comment, in: sharing?.group, client, in: context)
            try report(stored.result, stored.name, in: context)
            if sharing == .isPrivate { try context.warnWithoutPasscode() }
            return
        }
        guard secret.count > 0 || allowEmpty else {
            throw CommandFailure(
                "the secret is empty", hint: "nothing was stored; add --allow-empty to store an empty secret")
        }
        var changes: [ItemAttributes.Entry] = []
        if let label { changes.append(.init(.label, .string(label))) }
        if let comment { changes.append(.init(.comment, .string(comment))) }
        let new = label == nil ? changes + [.init(.label, .string(name.label))] : changes
        let result: AddOrUpdateResult
        do {
            if name.passwordClass == .internet { try OneTimePassword.separate(name, in: client) }
            result = try client.addOrUpdate(
                name.passwordClass, key: name.entries, new: new, changes: changes, secret: secret, in: sharing?.group)
        } catch {
            throw CommandFailure(
                error, name: name, keychain: context.client.keychainPath, message: context.statusMessage)
        }
        try report(result, name, in: context)
        if sharing == .isPrivate { try context.warnWithoutPasscode() }
    }

    private func report(
        _ result: AddOrUpdateResult, _ name: ItemName, in context: CommandContext
    ) throws(CommandFailure) {
        let isNew = try result.isNew
        if output.json {
            let word = isNew ? "created" : "replaced"
            return try context.print(JSONText.object([("result", .text(word))] + name.json).document())
        }
        let what = totp ? "the seed of one-time passwords for " : ""
        try context.print("\(isNew ? "Stored" : "Replaced") \(what)\(visible(name.quoted)).\n")
    }

    private func readSecret(for name: ItemName, in context: CommandContext) throws(CommandFailure) -> SecretBytes {
        if context.inputIsTerminal {
            guard let prompt = context.prompt else {
                throw CommandFailure(
                    "cannot ask for the secret: there is no terminal", hint: "pass the secret through standard input")
            }
            // A seed is verified by its form.
            if totp { return try prompt.ask("otpauth: URI or key for \(visible(name.quoted)): ") }
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
            "warning: no passcode is set, so any of your programs can set one and approve requests with it; "
                + "set your passcode with `chatelaine passcode set`\n")
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
        case .isPrivate: "Require your approval for each use of the item."
        case .shared: "Let all your programs use the item. (default, unless the setting private-items is on)"
        }
    }
}
