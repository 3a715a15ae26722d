// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct CodeCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Print the current one-time password (TOTP).",
        discussion: """
            Computes the code from the seed that `chatelaine set --totp` or an import stored beside the password. NAME is \
            chosen as by `chatelaine get`. On a terminal, standard error shows how long the code is valid.

            EXAMPLES:
              chatelaine code github
              chatelaine copy github --code
            """)

    @OptionGroup var item: ItemChoice
    @OptionGroup var choice: KeychainChoice
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try item.names.check()
        try unlocking.unlockIfWanted(in: context)
        let found = try item.findSetup(in: context)
        let setup = try OneTimePassword.setup(of: found, context.client, in: context)
        let now = context.secondsSince1970()
        let (code, secondsLeft) = (setup.code(at: now), setup.secondsLeft(at: now))
        guard output.json else {
            try GetCommand.print(code, omitsNewline: false, in: context)
            if context.diagnosticsAreTerminal {
                let unit = secondsLeft == 1 ? "second" : "seconds"
                context.diagnostics.writeIfPossible("valid for \(secondsLeft) \(unit)\n")
            }
            return
        }
        let members: [(String, JSONText)] = [
            ("name", .text(found.item.name)), ("user", .text(found.name.user)), ("code", .secret(code)),
            ("secondsLeft", .integer(secondsLeft)), ("period", .integer(setup.period)),
        ]
        var document = JSONText.object(members).document(
            reserving: 512 + 6 * (found.item.name.utf8.count + found.name.user.utf8.count))
        defer { wipe(&document) }
        try context.print(document)
    }
}

extension OneTimePassword {
    /// Returns the setup that an item stores.
    static func setup(
        of found: FoundItem, _ client: KeychainClient, in context: CommandContext
    ) throws(CommandFailure) -> OneTimeCodeSetup {
        let text = try GetCommand.secret(of: found, client, in: context)
        do throws(OneTimeCodeSetup.Problem) {
            return try OneTimeCodeSetup(text)
        } catch {
            throw CommandFailure(
                "the seed of \(found.name.quoted) cannot be used: \(error.reason)",
                hint: "`chatelaine set --totp` stores another one")
        }
    }

    /// Stores the seed of an item's one-time passwords, or replaces it.
    ///
    /// - Parameter text: an `otpauth:` URI, or the key alone in Base32.
    static func store(
        _ text: SecretBytes, for name: ItemName, label: String?, comment: String?, in group: String?,
        _ client: KeychainClient, in context: CommandContext
    ) throws(CommandFailure) -> AddOrUpdateResult {
        do throws(OneTimeCodeSetup.Problem) {
            _ = try OneTimeCodeSetup(text)
        } catch {
            throw CommandFailure(
                "the seed cannot be used: \(error.reason)",
                hint: "nothing was stored; enter the otpauth: URI or the key in Base32 that the site shows")
        }
        let secret = OneTimeCodeSetup.uri(text, label: name.user.isEmpty ? name.label : name.user)
        let all = entries(subject: name.subjectText, user: name.user, label: label ?? name.label)
        var changes: [ItemAttributes.Entry] = []
        if let label { changes.append(.init(.label, .string(label))) }
        if let comment { changes.append(.init(.comment, .string(comment))) }
        let key = all.filter { [.service, .account].contains($0.key) }
        let new = all.filter { ![.service, .account].contains($0.key) } + changes.filter { $0.key == .comment }
        return try context.items(name) { _ throws(ClientError) in
            try client.addOrUpdate(.generic, key: key, new: new, changes: changes, secret: secret, in: group)
        }
    }
}
