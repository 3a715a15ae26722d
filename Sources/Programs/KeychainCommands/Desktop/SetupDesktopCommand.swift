// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainHelperWire

struct SetupDesktopCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "desktop",
        abstract: "Let all programs of the desktop keep their secrets in this keychain.",
        discussion: """
            Makes chatelaine-secrets the provider of org.freedesktop.secrets, through which most programs store \
            secrets: programs that use libsecret, Chromium, VS Code, Python's keyring and others. First it imports the \
            items of the current provider, which keeps them: nothing is deleted there. The provider may prompt you to \
            unlock its collections. Each imported item is read back, and is private: the first use by each program \
            requires your approval. If the command is repeated, items with the same attributes and label are not \
            imported again.

            Then it writes files in your home folder, by which the session bus starts chatelaine-secrets instead of \
            another provider, and takes the name over. If xdg-desktop-portal is installed, it also makes \
            chatelaine-portal the portal's backend for secrets of sandboxed applications. Files that are there are kept \
            beside them. --undo restores them; imported items stay in the keychain.

            EXAMPLES:
              chatelaine setup desktop --dry-run
              chatelaine setup desktop
              chatelaine setup desktop --undo
            """)

    @Flag(help: "Restore the files, and give the name back.")
    private var undo = false

    @Flag(help: "Report the changes without making them.")
    private var dryRun = false

    @Flag(help: "Do not ask for confirmation. Scripts require this option.")
    private var yes = false

    @Flag(help: "Take over even if some items cannot be imported.")
    private var skipFailed = false

    @OptionGroup private var unlocking: UnlockOptions

    func validate() throws {
        guard !undo || !skipFailed else { throw ValidationError("--undo and --skip-failed cannot be combined") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let places = DesktopPlaces(machine: context.machine, files: context.files)
        let connection = try context.desktop.connect()
        if undo {
            let link: (any ProviderLink)? = if case .open(let link) = connection { link } else { nil }
            return try restore(places, link, in: context)
        }
        guard let provider = context.machine.helper(SecretServiceOwner.provider) else {
            throw CommandFailure(
                "\(SecretServiceOwner.provider) was not found", hint: "install it beside chatelaine",
                exitCode: .unavailable)
        }
        switch connection {
        case .open(let link):
            let files = try places.all(provider: provider, backend: context.machine.helper("chatelaine-portal"))
            try takeOver(files, link, provider, in: context)
        case .noBus:
            throw CommandFailure(
                "there is no session bus",
                hint: "run the command in a desktop session, or set DBUS_SESSION_BUS_ADDRESS", exitCode: .unavailable)
        case .noHelper:
            throw CommandFailure(
                "\(ThisDesktop.helper) was not found", hint: "install it beside chatelaine", exitCode: .unavailable)
        }
    }

    // MARK: Taking over

    private func takeOver(
        _ files: [DesktopFile], _ link: any ProviderLink, _ provider: String, in context: CommandContext
    ) throws(CommandFailure) {
        let (owner, canStart) = try link.owner(on: context.machine)
        let isOwn = owner?.isOwn == true
        try context.print(Self.sentence(owner, canStart: canStart))
        // A provider that the bus can start is read as well, but not Chatelaine's own.
        let isActivated = try files[0].plan() == nil
        let isOwnStarted = owner == nil && isActivated
        var contents = !isOwn && !isOwnStarted && (owner != nil || canStart) ? try ProviderContents(link) : nil
        if let contents { try context.print(contents.preview(styled: context.outputIsStyled)) }
        var plans: [String] = []
        var changed: [DesktopFile] = []
        for file in files {
            try file.check()
            guard let plan = try file.plan() else { continue }
            plans.append(plan)
            changed.append(file)
        }
        if isOwn || isOwnStarted, plans.isEmpty { return try context.print("Nothing is left to do.\n") }
        try context.print(plans.map { visible("would \($0)") + "\n" }.joined())
        if dryRun { return try context.print("Nothing was changed.\n") }
        try confirm("Import these items, and make chatelaine-secrets the provider?", in: context)

        try unlocking.unlockIfWanted(in: context)
        if contents != nil {
            try contents?.unlock()
            var items = try ProviderImport(from: link, in: context)
            if let contents { try items.store(contents) }
            try context.print(items.report)
            guard items.problems.isEmpty || skipFailed else {
                throw CommandFailure(
                    "some items were not imported (\(items.problems.count)), so the current provider keeps the name",
                    hint: "run the command again, or add --skip-failed to take over without them", exitCode: .partial)
            }
        }
        for file in files { try file.write() }
        _ = try link.answer(to: .reload)
        if !isOwn { try handOver(link, provider, in: context) }
        try context.print("Programs of the desktop keep their secrets in this keychain now.\n")
        if DesktopPlaces.concernThePortal(changed) { try context.print(Self.restart) }
    }

    private func handOver(
        _ link: any ProviderLink, _ provider: String, in context: CommandContext
    ) throws(CommandFailure) {
        // Read again, because the import may have started the other provider.
        guard let other = try link.owner(on: context.machine).owner else { return }
        let isDone = try context.desktop.start(provider, ["--replace"]) { () throws(CommandFailure) in
            try link.owner(on: context.machine).owner?.isOwn == true
        }
        guard !isDone else { return }
        let hint =
            if let unit = other.unit {
                "run `systemctl --user mask \(shellWord(unit))`, then log out and in again"
            } else if other.isGnomeKeyring {
                "log out and in again; the desktop does not start it for secrets any more"
            } else {
                "end it, or log out and in again"
            }
        throw CommandFailure(
            "\(other.text) keeps the name org.freedesktop.secrets; chatelaine-secrets gets it when that program has "
                + "ended",
            hint: hint, exitCode: .partial)
    }

    private static let restart =
        "Run `systemctl --user restart xdg-desktop-portal`, or log out and in again: the portal for sandboxed applications "
        + "reads its files when it starts.\n"

    private static func sentence(_ owner: SecretServiceOwner?, canStart: Bool) -> String {
        if let owner { return visible("org.freedesktop.secrets belongs to \(owner.text).") + "\n" }
        return canStart
            ? "No program owns org.freedesktop.secrets; the bus starts one when it is needed.\n"
            : "No program owns org.freedesktop.secrets.\n"
    }

    /// Asks the user on a terminal.
    private func confirm(_ question: String, in context: CommandContext) throws(CommandFailure) {
        guard !yes else { return }
        guard context.inputIsTerminal else {
            throw CommandFailure(
                "confirmation is required", hint: "standard input is not a terminal; add --yes to confirm",
                exitCode: .usage)
        }
        guard try context.agrees(question) else { throw CommandFailure("nothing was changed, as requested") }
    }

    // MARK: Undoing

    private func restore(
        _ places: DesktopPlaces, _ link: (any ProviderLink)?, in context: CommandContext
    ) throws(CommandFailure) {
        var plans: [String] = []
        var changed: [DesktopFile] = []
        for file in places.allPossible {
            guard let plan = try file.undoPlan() else { continue }
            plans.append(plan)
            changed.append(file)
        }
        let owner = try link?.owner(on: context.machine).owner
        if plans.isEmpty, owner?.isOwn != true { return try context.print("There is nothing to undo.\n") }
        if dryRun {
            try context.print(plans.map { visible("would \($0)") + "\n" }.joined())
            return try context.print("Nothing was changed.\n")
        }
        for file in places.allPossible {
            if let sentence = try file.undo() { context.diagnostics.writeIfPossible(visible(sentence) + "\n") }
        }
        if let link {
            _ = try link.answer(to: .reload)
            if owner?.isOwn == true, let provider = context.machine.helper(SecretServiceOwner.provider) {
                _ = try context.desktop.start(provider, ["--end"]) { () throws(CommandFailure) in
                    try link.owner(on: context.machine).owner?.process != owner?.process
                }
            }
        }
        try context.print(
            "Chatelaine does not provide org.freedesktop.secrets any more. Imported items stay in the keychain.\n")
        if DesktopPlaces.concernThePortal(changed) { try context.print(Self.restart) }
    }
}

extension ProviderLink {
    /// Returns the owner of the name; nil for none. And whether the bus can start one.
    func owner(
        on machine: any Machine
    ) throws(CommandFailure) -> (owner: SecretServiceOwner?, canStart: Bool) {
        guard case .owner(let owner) = try answer(to: .owner) else { throw ProviderContents.wrongReply }
        return (owner.process.map { SecretServiceOwner(process: $0, on: machine) }, owner.canStart)
    }
}
