// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

struct KeychainsCopyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy items from one keychain into another.",
        discussion: """
            Without --from or --to, the data-protection keychain takes its place. The command copies passwords, \
            certificates and keys whose name, user, server or label contains PATTERN; without PATTERN, it copies all. \
            Existing items stay. Items that cannot be copied are listed, and the exit status is 6: private keys that \
            must not leave the service or are in a token, items of other programs, private items, and items that \
            require owner authentication. Both keychains must be unlocked.

            Between keychain files, the list of programs that may use an item is copied too. The partition list of the \
            copy names this command and the kinds of those programs that the original list names; `security \
            set-key-partition-list` and similar commands change it.

            EXAMPLES:
              chatelaine keychains copy --from old --to new
              chatelaine keychains copy --from build 'deploy*'
            """)

    @Option(help: ArgumentHelp("Keychain to copy from.", valueName: "keychain"))
    private var from: String?

    @Option(help: ArgumentHelp("Keychain to copy into.", valueName: "keychain"))
    private var to: String?

    @Argument(help: "Copy only the items that match.")
    private var pattern: String?

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard from != nil || to != nil else { throw ValidationError("--from, --to or both are required") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let source = try Self.open(from, in: context)
        let destination = try Self.open(to, in: context)
        guard source.keychainPath != destination.keychainPath else {
            throw CommandFailure("--from and --to name the same keychain", exitCode: .usage)
        }
        let copies = try items(of: source, in: context)
        var failures: [(ListedItem, String)] = []
        for (number, item) in copies.enumerated() {
            context.showProgress("Copying \(number + 1) of \(copies.count) …")
            do throws(CommandFailure) {
                try Self.copy(item, from: source, to: destination, in: context)
            } catch {
                failures.append((item, error.message))
            }
        }
        context.showProgress("")
        try report(copies.count - failures.count, failures, in: context)
    }

    /// Returns the client of an existing, unlocked keychain.
    private static func open(_ name: String?, in context: CommandContext) throws(CommandFailure) -> KeychainClient {
        guard let name else { return context.client }
        let report = try context.existingKeychain(name)
        guard report.state == .unlocked else {
            throw CommandFailure(
                "\(report.path) is locked", hint: "`chatelaine keychains unlock` unlocks it", exitCode: .refused)
        }
        return try context.ofKeychains { client throws(ClientError) in try client.inKeychain(report.path) }
    }

    private func items(of source: KeychainClient, in context: CommandContext) throws(CommandFailure) -> [ListedItem] {
        let all: [ListedItem]
        do throws(ClientError) {
            all =
                try source.listPasswords() + source.listItems(ItemQuery(.certificate))
                + source.listItems(ItemQuery(.key))
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        guard let pattern else { return all }
        let wanted = TextPattern(pattern)
        return all.filter { item in
            wanted.matches(item.name)
                || [.server, .account, .label].contains { key in item.text(key).map(wanted.matches) ?? false }
        }
    }

    /// Attributes that the service sets itself, or that belong to the keychain.
    private static let notCopied: Set<AttributeKey> = [
        .accessGroup, .accessible, .accessControl, .synchronizable, .syncViewHint, .creationDate, .modificationDate,
    ]

    private static func copy(
        _ item: ListedItem, from source: KeychainClient, to destination: KeychainClient, in context: CommandContext
    ) throws(CommandFailure) {
        guard item.constraints.isEmpty else {
            throw CommandFailure("it requires owner authentication, which its copy would not require")
        }
        guard source.keychainPath != nil || !item.isPrivate else {
            throw CommandFailure("it is a private item, and its copy would not be private")
        }
        do throws(ClientError) {
            if source.keychainPath == nil {
                guard try source.status().accessGroups.contains(item.group) else {
                    throw .refused(Refusal(.interactionNotAllowed, .otherProgramsItem))
                }
            }
            let secret = try source.secret(of: item)
            // An item's access object is copied, if items of the target have one. The service adds this command's
            // partition, and keeps of the others those of trusted programs.
            let entries = item.attributes.entries.filter { entry in
                !notCopied.contains(entry.key) && (entry.key != .access || destination.keychainPath != nil)
            }
            let attributes: ItemAttributes
            do throws(AttributeError) {
                attributes = try ItemAttributes(item.reference.itemClass, for: .add, entries)
            } catch {
                throw .refused(Refusal(error.status, .none))
            }
            try destination.add(attributes, secret: secret)
        } catch {
            if error.status == .duplicateItem { throw CommandFailure("it exists already") }
            throw CommandFailure(error, group: item.group, message: context.statusMessage)
        }
    }

    private func report(
        _ count: Int, _ failures: [(ListedItem, String)], in context: CommandContext
    ) throws(CommandFailure) {
        if output.json {
            let entries = failures.map { item, reason in
                JSONText.object([
                    ("class", .text(item.reference.itemClass.code)), ("name", .text(item.copyName)),
                    ("user", item.json(.account)), ("reason", .text(reason)),
                ])
            }
            try context.print(
                JSONText.object([("copied", .integer(Int64(count))), ("failed", .array(entries))]).document())
        } else {
            try context.print("Copied \(count) \(count == 1 ? "item" : "items").\n")
        }
        guard !failures.isEmpty else { return }
        for (item, reason) in failures {
            let user = item.text(.account).map { $0.isEmpty ? "" : " (user \($0))" } ?? ""
            context.diagnostics.writeIfPossible(visible("\"\(item.copyName)\"\(user): \(reason)") + "\n")
        }
        throw CommandFailure(
            "\(failures.count) of \(count + failures.count) items were not copied", exitCode: .partial)
    }
}

extension ListedItem {
    /// The name to show, for any kind of item.
    fileprivate var copyName: String { name.isEmpty ? text(.label) ?? reference.itemClass.title : name }
}

extension CommandContext {
    /// Shows the progress of a command on a terminal, replacing the previous text; nothing for an empty text.
    fileprivate func showProgress(_ text: String) {
        guard diagnosticsAreTerminal else { return }
        diagnostics.writeIfPossible("\r\u{1B}[K" + text)
    }
}
