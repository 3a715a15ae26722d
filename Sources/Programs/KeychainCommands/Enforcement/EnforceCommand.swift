// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainTerminal

struct EnforceCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "enforce",
        abstract: "Let the kernel shield a program from its user's other programs.",
        discussion: """
            Run as root. The program becomes set-group-id for the group \(EnforceRules.groupName), which has no \
            members. Then no other program of the user can load a library into it, trace it or write into its memory, \
            and the system service identifies it as enforced. It must be an ELF program in a folder that only root can \
            change.

            Package updates reset a program. If dpkg is installed, dpkg-statoverride keeps the change; otherwise run \
            this command again after an update.

            The items of an enforced program are separate from the items that it stored without the shield, which it \
            no longer finds. Each user moves their items with --move-items, and approves that. After --undo, --undo \
            --move-items moves them back.

            EXAMPLES:
              chatelaine enforce /usr/bin/mail
              chatelaine enforce --move-items /usr/bin/mail
              chatelaine enforce --list
              chatelaine enforce --undo /usr/bin/mail
            """)

    @Flag(help: "Restore the original state of the programs.")
    private var undo = false

    @Flag(help: "List the enforced programs.")
    private var list = false

    @Flag(help: "Move your items of the programs to their enforced groups.")
    private var moveItems = false

    @Argument(help: ArgumentHelp("Programs.", valueName: "program"), completion: .file())
    private var programs: [String] = []

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard !(list && undo) else { throw ValidationError("--list and --undo cannot be combined") }
        guard !(list && moveItems) else { throw ValidationError("--list and --move-items cannot be combined") }
        guard list == programs.isEmpty else {
            throw ValidationError(list ? "--list takes no programs" : "name a program, or use --list")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        if moveItems {
            for path in programs { try move(path, in: context) }
            return
        }
        var record = try readRecord()
        if list { return try show(record, in: context) }
        guard CurrentProcess.isRoot else {
            throw CommandFailure(
                "only root can change whether a program is enforced", hint: "run: sudo chatelaine enforce …")
        }
        for path in programs {
            if undo { try undo(path, &record, in: context) } else { try enforce(path, &record, in: context) }
        }
    }

    // MARK: Enforcing

    private func enforce(
        _ path: String, _ record: inout EnforcedRecord, in context: CommandContext
    ) throws(CommandFailure) {
        let program = try open(path)
        let facts = program.facts
        if let refusal = EnforceRules.refusal(facts, clients: UserGroup(named: EnforceRules.groupName)?.number) {
            throw refusal
        }
        let group = try clients(in: context)
        let mode = EnforceRules.shieldedMode(facts.mode)
        if facts.group == group, facts.mode == mode, record[facts.path] != nil {
            return try report(facts.path, "unchanged", "is already enforced.", in: context)
        }
        // First, because the previous state must be recorded even if an error follows.
        var entry = record[facts.path] ?? .init(mode: facts.mode, group: facts.group, isKept: false, path: facts.path)
        if facts.group != group { (entry.mode, entry.group) = (facts.mode, facts.group) }
        record[facts.path] = entry
        try write(record)
        if !entry.isKept, let tool = SystemTool("dpkg-statoverride") {
            let words = ["--add", "root", EnforceRules.groupName, String(mode, radix: 8), facts.path]
            guard try run(tool, words) == 0 else {
                throw CommandFailure(
                    "dpkg-statoverride did not record the change of \"\(facts.path)\"",
                    hint: "`dpkg-statoverride --list` shows its entries; remove its entry for this program")
            }
            entry.isKept = true
            record[facts.path] = entry
            try write(record)
        }
        try change(program, group: group, mode: mode)
        try report(
            facts.path, "enforced",
            entry.isKept
                ? "is enforced, also after updates (dpkg-statoverride)."
                : "is enforced until an update resets it; then run this command again.", in: context)
        context.diagnostics.writeIfPossible(
            "Each user who already stored items with it must run: chatelaine enforce --move-items \(visible(facts.path))\n"
        )
    }

    private func clients(in context: CommandContext) throws(CommandFailure) -> UInt32 {
        let name = EnforceRules.groupName
        if UserGroup(named: name) == nil {
            guard let tool = SystemTool("groupadd") else {
                throw CommandFailure(
                    "cannot create the group \(name): there is no groupadd", hint: "create the group by hand")
            }
            guard try run(tool, ["--system", name]) == 0 else {
                throw CommandFailure("groupadd could not create the group \(name)")
            }
            context.diagnostics.writeIfPossible("Created the group \(name). No user should be a member of it.\n")
        }
        guard let group = UserGroup(named: name) else { throw CommandFailure("there is no group \(name)") }
        guard group.members.isEmpty else {
            throw CommandFailure(
                "the group \(name) has members: \(group.members.joined(separator: ", "))",
                hint: "the kernel does not shield a program from members; remove them from the group (gpasswd --delete)"
            )
        }
        return group.number
    }

    // MARK: Undoing

    private func undo(
        _ path: String, _ record: inout EnforcedRecord, in context: CommandContext
    ) throws(CommandFailure) {
        // A program that no longer exists still has an entry.
        let program = try? InstalledProgram(path)
        let name = program?.facts.path ?? path
        guard let entry = record[name] else {
            throw CommandFailure(
                "\"\(name)\" was not enforced by this command",
                hint: "`chatelaine enforce --list` shows the enforced programs")
        }
        if entry.isKept, let tool = SystemTool("dpkg-statoverride") {
            guard try run(tool, ["--remove", name]) == 0 else {
                throw CommandFailure("dpkg-statoverride could not remove the change of \"\(name)\"")
            }
        }
        let clients = UserGroup(named: EnforceRules.groupName)?.number
        var result = ("missing", "does not exist any more; it is no longer listed.")
        if let program {
            if program.facts.group == clients, program.facts.mode & 0o2000 != 0 {
                try change(program, group: entry.group, mode: entry.mode)
                result = ("restored", "is in its original state.")
            } else {
                result = ("changed", "was changed by another process and stays unchanged; it is no longer listed.")
            }
        }
        record[name] = nil
        try write(record)
        try report(name, result.0, result.1, in: context)
    }

    // MARK: Moving items

    /// Moves the user's items between the plain and the enforced access groups of a program.
    private func move(_ name: String, in context: CommandContext) throws(CommandFailure) {
        let path: String
        do throws(StreamError) {
            path = try context.files.programPath(name)
        } catch {
            throw CommandFailure("cannot find the program \"\(name)\": \(error.reason)")
        }
        let groups = try serving(context) { () throws(ClientError) in
            try context.client.identity(of: .program(path: path)).accessGroups
        }
        guard !groups.isEmpty, groups.contains(where: EnforcedGroup.contains) != undo else {
            throw undo ? Self.stillEnforced(path) : Self.notEnforced(path)
        }
        var hasMoved = false
        for group in groups.map({ EnforcedGroup.plainName(of: $0) ?? $0 }) {
            let (from, to) = undo ? (EnforcedGroup.name(of: group), group) : (group, EnforcedGroup.name(of: group))
            for itemClass in [ItemClass.genericPassword, .internetPassword, .certificate, .key] {
                let moved: Bool? = try serving(context) { () throws(ClientError) in
                    do throws(ClientError) {
                        return try context.client.moveItems(of: itemClass, from: from, to: to)
                    } catch .refused(let refusal) where refusal.status == .duplicateItem {
                        return nil
                    }
                }
                guard let moved else { throw Self.storedSince(path) }
                if moved { hasMoved = true }
            }
        }
        try report(
            path, hasMoved ? "moved" : "unchanged",
            hasMoved ? undo ? "has its items back." : "finds its items again." : "has no items to move.", in: context)
    }

    private func serving<R>(
        _ context: CommandContext, _ body: () throws(ClientError) -> R
    ) throws(CommandFailure) -> R {
        do throws(ClientError) { return try body() } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
    }

    private static func storedSince(_ path: String) -> CommandFailure {
        CommandFailure(
            "\"\(path)\" has since stored items with the same names",
            hint: "delete those in the program, or the older ones with `chatelaine remove`")
    }

    private static func notEnforced(_ path: String) -> CommandFailure {
        CommandFailure(
            "the service does not identify \"\(path)\" as enforced",
            hint: "`chatelaine whoami \(path)` shows why; only the system service identifies enforced programs")
    }

    private static func stillEnforced(_ path: String) -> CommandFailure {
        CommandFailure("\"\(path)\" is still enforced", hint: "sudo chatelaine enforce --undo \(path)")
    }

    // MARK: Showing

    private func show(_ record: EnforcedRecord, in context: CommandContext) throws(CommandFailure) {
        let clients = UserGroup(named: EnforceRules.groupName)?.number
        let states = record.entries.map { entry in
            guard let facts = (try? InstalledProgram(entry.path))?.facts else { return (entry, "missing") }
            let isShielded = facts.group == clients && facts.mode == EnforceRules.shieldedMode(facts.mode)
            return (entry, isShielded ? "enforced" : "set back")
        }
        if output.json {
            let list = states.map { entry, state in
                JSONText.object([
                    ("program", .text(entry.path)), ("state", .text(state)),
                    ("keptOverUpdates", .boolean(entry.isKept)),
                ])
            }
            return try context.print(JSONText.array(list).document())
        }
        guard !states.isEmpty else { return }
        var table = TextTable(["PROGRAM", "STATE", "AFTER UPDATES"])
        for (entry, state) in states { table.append([entry.path, state, entry.isKept ? "kept" : "lost"]) }
        try context.print(table.text(styled: context.outputIsStyled))
    }

    private func report(
        _ path: String, _ result: String, _ sentence: String, in context: CommandContext
    ) throws(CommandFailure) {
        try output.print(
            [("program", .text(path)), ("result", .text(result))], or: visible("\"\(path)\" \(sentence)") + "\n",
            in: context)
    }

    // MARK: The system

    private func open(_ path: String) throws(CommandFailure) -> InstalledProgram {
        do throws(SystemCallError) {
            return try InstalledProgram(path)
        } catch {
            if error.isSymbolicLink {
                throw CommandFailure("\"\(path)\" is a symbolic link", hint: "name the program that the link refers to")
            }
            throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
        }
    }

    private func change(_ program: InstalledProgram, group: UInt32, mode: UInt32) throws(CommandFailure) {
        do throws(SystemCallError) {
            try program.change(group: group, mode: mode)
        } catch {
            throw CommandFailure("cannot change \"\(program.facts.path)\": \(error.reason)")
        }
    }

    private func run(_ tool: SystemTool, _ words: [String]) throws(CommandFailure) -> Int32 {
        do throws(SystemCallError) {
            return try tool.run(words)
        } catch {
            throw CommandFailure("cannot run a system program: \(error.reason)")
        }
    }

    private func readRecord() throws(CommandFailure) -> EnforcedRecord {
        let text: String?
        do throws(SystemCallError) {
            text = try SystemRecord.read(EnforcedRecord.path)
        } catch {
            throw CommandFailure("cannot read \(EnforcedRecord.path): \(error.reason)")
        }
        guard let record = EnforcedRecord(text ?? "") else {
            throw CommandFailure(
                "cannot read \(EnforcedRecord.path): its format is invalid",
                hint: "correct the file, or restore the programs by hand and remove the file")
        }
        return record
    }

    private func write(_ record: EnforcedRecord) throws(CommandFailure) {
        do throws(SystemCallError) {
            try SystemRecord.write(record.text, to: EnforcedRecord.path)
        } catch {
            throw CommandFailure("cannot write \(EnforcedRecord.path): \(error.reason)")
        }
    }
}
