// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainTerminal

struct EnforceCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "enforce",
        abstract: "Have the kernel shield a program from its user's other programs.",
        discussion: """
            Run as root. The program becomes set-group-id for the group \(EnforceRules.groupName), which has no members. \
            Nobody can then load a library into it, trace it or write into its memory, and the keychain service of the \
            system knows it as enforced. It must be an ELF program in a place that is root's alone.

            Updates of a package set a program back. Where dpkg is, it is told to keep the change (dpkg-statoverride); \
            elsewhere, run this again after an update.

            The items of an enforced program are apart from those that the same program stores without the shield, which it \
            no longer finds. Each user moves their items with --move-items, and approves that. After --undo, --undo \
            --move-items moves them back.

            EXAMPLES:
              chatelaine enforce /usr/bin/mail
              chatelaine enforce --move-items /usr/bin/mail
              chatelaine enforce --list
              chatelaine enforce --undo /usr/bin/mail
            """)

    @Flag(help: "Set programs back to what they were.")
    var undo = false

    @Flag(help: "Show which programs are enforced.")
    var list = false

    @Flag(help: "Move your items of the programs to where the enforced programs find them.")
    var moveItems = false

    @Argument(help: ArgumentHelp("The programs.", valueName: "program"), completion: .file())
    var programs: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !(list && undo) else { throw ValidationError("--list and --undo do not go together") }
        guard !(list && moveItems) else { throw ValidationError("--list and --move-items do not go together") }
        guard list == programs.isEmpty else {
            throw ValidationError(list ? "--list takes no programs" : "name a program, or --list")
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
            throw CommandFailure("only root can do that", hint: "sudo chatelaine enforce …")
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
            return try report(facts.path, "unchanged", "is enforced already.", in: context)
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
                    "dpkg-statoverride does not keep the change of \"\(facts.path)\"",
                    hint: "`dpkg-statoverride --list` shows what it keeps; take away what it has for this program")
            }
            entry.isKept = true
            record[facts.path] = entry
            try write(record)
        }
        try change(program, group: group, mode: mode)
        try report(
            facts.path, "enforced",
            entry.isKept
                ? "is enforced, also over updates (dpkg-statoverride)."
                : "is enforced until an update sets it back; then run this again.", in: context)
        context.diagnostics.writeIfPossible(
            "Users who stored items with it before run: chatelaine enforce --move-items \(visible(facts.path))\n")
    }

    private func clients(in context: CommandContext) throws(CommandFailure) -> UInt32 {
        let name = EnforceRules.groupName
        if UserGroup(named: name) == nil {
            guard let tool = SystemTool("groupadd") else {
                throw CommandFailure("there is no group \(name), and no groupadd to make it", hint: "make it by hand")
            }
            guard try run(tool, ["--system", name]) == 0 else {
                throw CommandFailure("groupadd did not make the group \(name)")
            }
            context.diagnostics.writeIfPossible("Made the group \(name), which nobody should be a member of.\n")
        }
        guard let group = UserGroup(named: name) else { throw CommandFailure("there is no group \(name)") }
        guard group.members.isEmpty else {
            throw CommandFailure(
                "the group \(name) has members: \(group.members.joined(separator: ", "))",
                hint: "to a member the kernel gives no shield; take them out of it (gpasswd --delete)")
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
                "\"\(name)\" was not enforced by this command", hint: "`chatelaine enforce --list` shows what was")
        }
        if entry.isKept, let tool = SystemTool("dpkg-statoverride") {
            guard try run(tool, ["--remove", name]) == 0 else {
                throw CommandFailure("dpkg-statoverride goes on keeping the change of \"\(name)\"")
            }
        }
        let clients = UserGroup(named: EnforceRules.groupName)?.number
        var result = ("missing", "is gone, and forgotten.")
        if let program {
            if program.facts.group == clients, program.facts.mode & 0o2000 != 0 {
                try change(program, group: entry.group, mode: entry.mode)
                result = ("restored", "is what it was.")
            } else {
                result = ("changed", "was changed by somebody else, stays so, and is forgotten.")
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
            throw CommandFailure("there is no program \"\(name)\": \(error.reason)")
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
            "\"\(path)\" has stored items of the same names since",
            hint: "delete those in the program, or the older ones with `chatelaine remove`")
    }

    private static func notEnforced(_ path: String) -> CommandFailure {
        CommandFailure(
            "the service does not know \"\(path)\" as enforced",
            hint: "`chatelaine whoami \(path)` says why; only the system service knows enforced programs")
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
        var table = TextTable(["PROGRAM", "STATE", "OVER UPDATES"])
        for (entry, state) in states { table.append([entry.path, state, entry.isKept ? "kept" : "lost"]) }
        try context.print(table.text(styled: context.outputIsStyled))
    }

    private func report(
        _ path: String, _ result: String, _ sentence: String, in context: CommandContext
    ) throws(CommandFailure) {
        try context.print(
            output.json
                ? JSONText.object([("program", .text(path)), ("result", .text(result))]).document()
                : Array((visible("\"\(path)\" \(sentence)") + "\n").utf8))
    }

    // MARK: The system

    private func open(_ path: String) throws(CommandFailure) -> InstalledProgram {
        do throws(SystemCallError) {
            return try InstalledProgram(path)
        } catch {
            if error.isSymbolicLink {
                throw CommandFailure("\"\(path)\" is a symbolic link", hint: "name the program that it leads to")
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
            throw CommandFailure("cannot run a program of the system: \(error.reason)")
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
                "\(EnforcedRecord.path) is not as this command writes it",
                hint: "put it right, or set the programs back by hand and remove it")
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
