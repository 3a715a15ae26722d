// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct KeychainsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychains",
        abstract: "Create and manage keychain files.",
        discussion: """
            A keychain file has its own password and is locked and unlocked separately, like the keychains of macOS \
            before the data-protection keychain. It is named by a path, or by a name in your keychain folder. \
            `chatelaine set`, get, list, show and remove use a keychain file with --keychain.

            EXAMPLES:
              chatelaine keychains create build
              chatelaine set deploy --keychain build
              chatelaine keychains lock build
              chatelaine keychains unlock build --password-fd 3 3< password.txt
            """,
        subcommands: [
            KeychainsListCommand.self, KeychainsCreateCommand.self, KeychainsDeleteCommand.self,
            KeychainsDefaultCommand.self, KeychainsSearchListCommand.self, KeychainsLockCommand.self,
            KeychainsUnlockCommand.self, KeychainsSettingsCommand.self, KeychainsPasswordCommand.self,
            KeychainsCopyCommand.self, KeychainsBackupCommand.self, KeychainsRestoreCommand.self,
        ],
        defaultSubcommand: KeychainsListCommand.self)
}

struct KeychainsListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keychains in your keychain folder and in your lists.",
        discussion: """
            The state is DAMAGED if the service found the database damaged. The service checks it each time it opens a \
            keychain.
            """)

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let (keychains, lists) = try context.ofKeychains { client throws(ClientError) in
            let lists = KeychainListsReport(
                user: try client.keychainList(of: .user), common: try client.keychainList(of: .common))
            var keychains = try client.keychains()
            for path in lists.paths where !keychains.contains(where: { $0.path == path }) {
                keychains.append(try client.listedKeychain(at: path))
            }
            return (keychains, lists)
        }
        if output.json {
            let entries = keychains.map { JSONText.object($0.jsonMembers + lists.jsonMembers(of: $0.path)) }
            return try context.print(JSONText.array(entries).document())
        }
        guard !keychains.isEmpty else { return context.tellEmpty("There are no keychain files.") }
        var table = TextTable(["KEYCHAIN", "STATE", "LOCKS ITSELF", "USE"])
        for keychain in keychains {
            table.append([
                keychain.path, keychain.stateText, keychain.settings?.text ?? "", lists.use(of: keychain.path),
            ])
        }
        try context.print(table.text(styled: context.outputIsStyled))
        for keychain in keychains where keychain.isDamaged {
            context.diagnostics.writeIfPossible(
                "warning: " + visible("\(keychain.path): \(DamagedKeychain.file(path: keychain.path).sentence)") + "\n")
        }
    }
}

extension KeychainClient {
    /// Returns a keychain on a list. Its folder may be missing, for example on a removed disk.
    fileprivate func listedKeychain(at path: String) throws(ClientError) -> FileKeychainReport {
        do throws(ClientError) {
            return try keychain(at: path)
        } catch {
            guard case .refused(let refusal) = error, refusal.reason == .noSuchKeychain else { throw error }
            return FileKeychainReport(path: path, state: .missing)
        }
    }
}

/// The lists that apply to a user.
private struct KeychainListsReport {
    let user: KeychainList
    let common: KeychainList

    /// All paths on the lists.
    var paths: [String] {
        var paths: [String] = []
        for path in [user.standard].compactMap(\.self) + user.searched + common.searched where !paths.contains(path) {
            paths.append(path)
        }
        return paths
    }

    private func isSearched(_ path: String) -> Bool { user.searched.contains(path) || common.searched.contains(path) }

    func use(of path: String) -> String {
        [user.standard == path ? "default" : nil, isSearched(path) ? "searched" : nil].compactMap(\.self)
            .joined(separator: ", ")
    }

    func jsonMembers(of path: String) -> [(String, JSONText)] {
        [("default", .boolean(user.standard == path)), ("searched", .boolean(isSearched(path)))]
    }
}

extension FileKeychainReport.State {
    /// One word, which is also used in JSON.
    var word: String {
        switch self {
        case .missing: "missing"
        case .locked: "locked"
        case .unlocked: "unlocked"
        case .unusable: "unusable"
        }
    }
}

extension FileKeychainSettings {
    /// The conditions of automatic locking.
    var text: String {
        let idle = idleLockSeconds.map { "after \(spanText(seconds: UInt64($0)))" }
        return switch (idle, locksOnSleep) {
        case (let idle?, true): "\(idle), before sleep"
        case (let idle?, false): idle
        case (nil, true): "before sleep"
        case (nil, false): "never"
        }
    }
}

extension FileKeychainReport {
    /// The members of a keychain in JSON, as described in chatelaine(1).
    var jsonMembers: [(String, JSONText)] {
        [
            ("path", .text(path)), ("state", .text(state.word)),
            ("idleLockSeconds", settings.map { .integer(Int64($0.idleLockSeconds ?? 0)) } ?? .null),
            ("lockOnSleep", settings.map { .boolean($0.locksOnSleep) } ?? .null), ("damaged", .boolean(isDamaged)),
        ]
    }
}

struct KeychainsCreateCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a keychain.",
        discussion: """
            You type the password twice, or the command reads it once from a descriptor. It may be empty. Afterwards \
            the keychain is unlocked. A forgotten password cannot be recovered.
            """)

    @OptionGroup private var name: KeychainName

    @Option(
        name: .customLong("password-fd"),
        help: ArgumentHelp("Read the password from this file descriptor.", valueName: "n"))
    private var passwordDescriptor: Int32?

    @OptionGroup private var asking: AskingOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let existing = try context.ofKeychains { client throws(ClientError) in try client.keychain(at: name.keychain) }
        guard existing.state == .missing else {
            throw CommandFailure(
                .refused(Refusal(.duplicateKeychain, .duplicateKeychain)), message: context.statusMessage)
        }
        let password = try asking.source(context).newText(
            passwordDescriptor == nil ? .newKeychainPassword : .keychainPassword, descriptor: passwordDescriptor)
        let made = try context.ofKeychains { client throws(ClientError) in
            try client.createKeychain(at: name.keychain, password: password)
        }
        try output.print(made.jsonMembers, or: "Created \(visible(made.path)).\n", in: context)
    }
}

struct KeychainsDeleteCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a keychain and all its items.",
        discussion: """
            On a terminal, asks for confirmation; elsewhere, --yes is required. The keychain is deleted at once, cannot \
            be restored, and is removed from the lists.
            """)

    @OptionGroup private var name: KeychainName
    @OptionGroup private var confirmation: ConfirmationOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let keychain = try context.ofKeychains { client throws(ClientError) in
            try client.keychain(at: name.keychain)
        }
        // The service states why it deletes no such keychain; a damaged one can be deleted.
        if keychain.state != .missing {
            try confirmation.confirm(Self.consequence(keychain, context), in: context)
        }
        let path = keychain.path
        try context.ofKeychains { client throws(ClientError) in try client.deleteKeychain(at: path) }
        try output.print(
            [("result", .text("deleted")), ("path", .text(path))], or: "Deleted \(visible(path)).\n", in: context)
    }

    private static func consequence(_ keychain: FileKeychainReport, _ context: CommandContext) -> String {
        guard keychain.state == .unlocked, let items = try? context.client.inKeychain(keychain.path).itemCount() else {
            return "\"\(keychain.path)\" and all its items are permanently deleted; it is \(keychain.state.word), "
                + "so their number is not known."
        }
        return switch items {
        case 0: "\"\(keychain.path)\", which has no items, is permanently deleted."
        case 1: "\"\(keychain.path)\" and its 1 item are permanently deleted."
        default: "\"\(keychain.path)\" and its \(items) items are permanently deleted."
        }
    }
}

struct KeychainsDefaultCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Show or set the default keychain, to which programs add items.",
        discussion: """
            Programs that use keychain files, and `security`, add an item to the default keychain if they name no \
            keychain. Without a default keychain, they add it to the data-protection keychain.
            """)

    @Argument(help: "New default keychain. It need not exist yet.")
    private var keychain: String?

    @Flag(help: "Have no default keychain.")
    private var none = false

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard keychain == nil || !none else { throw ValidationError("a keychain and --none cannot be combined") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let standard = try context.ofKeychains { client throws(ClientError) in
            if none || keychain != nil { try client.setDefaultKeychain(keychain, of: .user) }
            return try client.keychainList(of: .user).standard
        }
        if output.json {
            return try context.print(
                JSONText.object([("default", standard.map(JSONText.text) ?? .null)]).document())
        }
        if let standard { try context.print(visible(standard) + "\n") }
    }
}

struct KeychainsSearchListCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "search-list",
        abstract: "Show or change the search list.",
        discussion: """
            If a program names no keychain, the keychains of the list are searched in this order; `security` searches \
            the data-protection keychain first. The keychains that you name replace the whole list. With --add they \
            are added at its end, and with --remove they are removed from it, even if other programs change the list \
            at the same time.
            """)

    @Argument(help: "Keychains to search. They need not exist yet.")
    private var keychains: [String] = []

    @Flag(help: "Empty the list.")
    private var none = false

    @Flag(help: "Add the keychains at the end of the list, unless they are in it.")
    private var add = false

    @Flag(help: "Remove the keychains from the list.")
    private var remove = false

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard keychains.isEmpty || !none else { throw ValidationError("keychains and --none cannot be combined") }
        guard !(add && remove) else { throw ValidationError("--add and --remove cannot be combined") }
        guard !(add || remove) || !keychains.isEmpty else {
            throw ValidationError("--add and --remove require a keychain")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let searched = try context.ofKeychains { client throws(ClientError) in
            if add {
                try client.addToSearchList(keychains, of: .user)
            } else if remove {
                try client.removeFromSearchList(keychains, of: .user)
            } else if none || !keychains.isEmpty {
                try client.setSearchList(keychains, of: .user)
            }
            return try client.keychainList(of: .user).searched
        }
        try output.print(
            [("searchList", .array(searched.map(JSONText.text)))], or: searched.map { visible($0) + "\n" }.joined(),
            in: context)
    }
}
