// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show the audit log: requests, callers and outcomes.",
        discussion: """
            Shows the lines that meet all conditions, the newest last. A time is an age such as 2h or 3d, a date such \
            as 2026-01-31, a local time such as "2026-01-31 23:59", or a UTC time such as 2026-01-31T23:59:59Z.

            EXAMPLES:
              chatelaine log --since 2h
              chatelaine log --limit 20 --outcome refused
              chatelaine log --program /usr/bin/git --action read-data --json
              chatelaine log --follow
              chatelaine log verify
            """,
        subcommands: [LogListCommand.self, LogVerifyCommand.self],
        defaultSubcommand: LogListCommand.self)
}

struct LogListCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the lines of the log.")

    @Option(help: ArgumentHelp("Show lines from this time on.", valueName: "time"))
    private var since: String?

    @Option(help: ArgumentHelp("Show lines before this time.", valueName: "time"))
    private var until: String?

    @Option(help: ArgumentHelp("Part of the program's path or identifier.", valueName: "text"))
    private var program: String?

    @Option(help: ArgumentHelp("Action, such as add, read-data, update, delete or unlock.", valueName: "action"))
    private var action: String?

    @Option(
        help: ArgumentHelp(
            "Outcome: granted, refused, not-found (refused because no item matched) or abandoned.",
            valueName: "outcome"))
    private var outcome: String?

    @Option(help: ArgumentHelp("Identifier or reference of an item (chatelaine show).", valueName: "item"))
    private var item: String?

    @Option(help: ArgumentHelp("User ID.", valueName: "uid"))
    private var user: UInt32?

    @Option(help: ArgumentHelp("Maximum number of lines; the newest lines are shown.", valueName: "number"))
    private var limit: UInt32?

    @Flag(help: "Show new lines as they are written, until interrupted.")
    private var follow = false

    @Flag(help: "Print the lines as they are stored, one JSON object each.")
    private var json = false

    func run(in context: CommandContext) throws(CommandFailure) {
        let filter = try filter(context)
        // Before any line is read, so that no line is missed in between.
        let stream = follow ? try context.administer { client throws(ClientError) in try client.followAuditLog() } : nil
        var printer = LogPrinter(context: context, json: json)
        if let limit {
            try newest(limit, filter, to: &printer, in: context)
        } else {
            try all(filter, &printer, context)
        }
        Self.tellDamage(printer.damagedCount, in: context)
        guard let stream else { return printer.tellEmpty() }
        while let line = try context.administer({ _ throws(ClientError) in try stream.next() }) {
            guard let record = AuditRecord(line), filter.accepts(record), hasWantedOutcome(record) else { continue }
            try printer.print(line, record)
        }
    }

    private func all(
        _ filter: AuditFilter, _ printer: inout LogPrinter, _ context: CommandContext
    ) throws(CommandFailure) {
        var cursor: AuditCursor?
        while true {
            let page = try context.administer { client throws(ClientError) in
                try client.auditPage(filter, .oldestFirst, from: cursor, limit: .max)
            }
            try printer.print(page.lines.filter(hasWantedOutcome))
            printer.damagedCount += UInt64(page.damagedCount)
            guard !page.isEnd else { return }
            cursor = page.next
        }
    }

    private func newest(
        _ limit: UInt32, _ filter: AuditFilter, to printer: inout LogPrinter, in context: CommandContext
    ) throws(CommandFailure) {
        var lines: [[UInt8]] = []
        var cursor: AuditCursor?
        while lines.count < limit {
            let page = try context.administer { client throws(ClientError) in
                try client.auditPage(filter, .newestFirst, from: cursor, limit: limit - UInt32(lines.count))
            }
            lines += page.lines.filter(hasWantedOutcome)
            printer.damagedCount += UInt64(page.damagedCount)
            guard !page.isEnd else { break }
            cursor = page.next
        }
        try printer.print(lines.reversed())
    }

    private func filter(_ context: CommandContext) throws(CommandFailure) -> AuditFilter {
        var filter = AuditFilter()
        filter.since = try since.map { text throws(CommandFailure) in try Self.moment(text, "--since", context) }
        filter.until = try until.map { text throws(CommandFailure) in try Self.moment(text, "--until", context) }
        for (text, name) in [(program, "--program"), (action, "--action"), (outcome, "--outcome")] {
            guard let text else { continue }
            guard !text.isEmpty, text.utf8.count <= AuditFilter.textBytes else {
                throw CommandFailure("\(name) is empty or too long", exitCode: .usage)
            }
        }
        filter.program = program
        filter.action = action
        if let outcome, !["granted", "refused", Self.notFound, "abandoned"].contains(outcome) {
            throw CommandFailure(
                "'\(outcome)' is not an outcome", hint: "use granted, refused, not-found or abandoned",
                exitCode: .usage)
        }
        filter.outcome = outcome == Self.notFound ? "refused" : outcome
        if let item {
            guard let identifier = Self.identifier(item) else {
                throw CommandFailure(
                    "'\(item)' is not the identifier of an item", hint: "`chatelaine show` prints the identifier",
                    exitCode: .usage)
            }
            filter.item = identifier
        }
        filter.userID = user
        return filter
    }

    /// Writes a warning if lines of the log are damaged.
    static func tellDamage(_ count: UInt64, in context: CommandContext) {
        guard count > 0 else { return }
        context.diagnostics.writeIfPossible(
            "warning: \(count == 1 ? "1 line is damaged" : "\(count) lines are damaged"); "
                + "`chatelaine log verify` shows where\n")
    }

    private static let notFound = "not-found"

    /// Returns whether a line has the outcome. The log records a search without a match as refused, which says nothing
    /// about the caller's rights.
    private func hasWantedOutcome(_ record: AuditRecord) -> Bool {
        guard outcome == "refused" || outcome == Self.notFound else { return true }
        let wasNotFound = record.number("status") == Int64(StatusCode.itemNotFound.rawValue)
        return wasNotFound == (outcome == Self.notFound)
    }

    private func hasWantedOutcome(_ line: [UInt8]) -> Bool {
        guard outcome == "refused" || outcome == Self.notFound else { return true }
        return AuditRecord(line).map(hasWantedOutcome) ?? false
    }

    static func moment(
        _ text: String, _ option: String, _ context: CommandContext
    ) throws(CommandFailure) -> Timestamp {
        guard let moment = TimeArgument.moment(text, context) else {
            throw CommandFailure(
                "'\(text)' is not a valid time for \(option)",
                hint: "use a time such as 2h, 3d, 2026-01-31, \"2026-01-31 23:59\" or 2026-01-31T23:59:59Z",
                exitCode: .usage)
        }
        return moment
    }

    /// Parses 32 hexadecimal digits, or a persistent reference in base64 as in `chatelaine list --json`.
    private static func identifier(_ text: String) -> ItemIdentifier? {
        if let identifier = ItemIdentifier(hexadecimal: text.lowercased().utf8) { return identifier }
        guard let secret = decodedBase64(text.utf8),
            case .item(let item) = PersistentReference(bytes: Array(secret.bytes))?.target
        else { return nil }
        return item
    }
}

/// Prints lines of the log, each once.
private struct LogPrinter {
    let context: CommandContext
    let json: Bool
    var damagedCount: UInt64 = 0
    /// The packages and desktop names of the programs so far; nil for a program without both.
    private var origins: [String: String?] = [:]
    private var last: UInt64 = 0
    private var hasHeading = false

    init(context: CommandContext, json: Bool) {
        self.context = context
        self.json = json
    }

    mutating func print(_ lines: [[UInt8]]) throws(CommandFailure) {
        var text: [UInt8] = []
        // The service sends no other lines.
        let records = lines.map { ($0, AuditRecord($0)) }
        findOrigins(of: records.compactMap(\.1))
        for case (let line, let record?) in records {
            text += self.text(line, record)
            if text.count > 65_536 {
                try context.print(text)
                text = []
            }
        }
        if !text.isEmpty { try context.print(text) }
    }

    /// Prints a line from the stream, if it was not printed before.
    mutating func print(_ line: [UInt8], _ record: AuditRecord) throws(CommandFailure) {
        guard record.sequence ?? .max > last else { return }
        findOrigins(of: [record])
        try context.print(text(line, record))
    }

    func tellEmpty() {
        if last == 0, !json { context.tellEmpty("No line of the log matches.") }
    }

    /// Learns the packages and desktop names of the programs that are identified by their paths.
    private mutating func findOrigins(of records: [AuditRecord]) {
        guard !json else { return }
        let paths = Set(records.filter(\.isIdentifiedByPath).compactMap(\.program)).subtracting(origins.keys)
        guard !paths.isEmpty else { return }
        let found = context.machine.origins(of: paths)
        for path in paths { origins[path] = .some(found[path]) }
    }

    private mutating func text(_ line: [UInt8], _ record: AuditRecord) -> [UInt8] {
        last = max(last, record.sequence ?? 0)
        if json { return line + [UInt8(ascii: "\n")] }
        var text = ""
        if !hasHeading {
            hasHeading = true
            let heading = Self.row(time: "TIME", outcome: "OUTCOME", action: "ACTION", items: "ITEMS", rest: "PROGRAM")
            text = context.outputIsStyled ? "\u{1B}[1m\(heading)\u{1B}[0m\n" : heading + "\n"
        }
        let time = record.time.flatMap { context.localTimeWithSeconds($0) } ?? record.text("time") ?? ""
        if record.concernsLog {
            text +=
                Self.row(
                    time: time, outcome: "", action: record.action ?? "", items: "", rest: record.text("event") ?? "")
                + "\n"
        } else {
            let items = record.number("items").map { String($0) } ?? ""
            text +=
                Self.row(
                    time: time, outcome: record.outcome ?? "", action: record.action ?? "", items: items,
                    rest: program(record)) + "\n"
        }
        return Array(text.utf8)
    }

    private func program(_ record: AuditRecord) -> String {
        var text = record.program ?? "(unknown)"
        // The path of such a program proves nothing, and several programs may have had it.
        if let group = record.programGroup { text += "  \(programName(ofGroup: group))" }
        if record.isIdentifiedByPath, let origin = origins[text] ?? nil { text += "  (\(origin))" }
        if let uid = record.number("uid"), let pid = record.number("pid") { text += "  uid \(uid) pid \(pid)" }
        if let bridge = record.text("bridge") { text += "  through \(bridge.split(separator: "/").last ?? "")" }
        if let reason = record.text("reason"), let status = record.number("status") {
            text += reason == "none" ? "  \(status)" : "  \(status) \(reason)"
        }
        // A rule that every program has for its own items is not shown.
        if let rule = record.text("granted-by"), rule != GrantRule.ownGroup.rawValue { text += "  \(rule)" }
        return text
    }

    /// Returns a row with columns wide enough for usual values, because lines are printed as they arrive.
    private static func row(time: String, outcome: String, action: String, items: String, rest: String)
        -> String
    {
        let columns = [(time, 19), (outcome, 9), (action, 16), (items, 5)]
        let padded = columns.map { text, width in
            let text = visible(text)
            return text + String(repeating: " ", count: max(0, width - text.count))
        }
        return padded.joined(separator: "  ") + "  " + visible(rest)
    }
}

extension CommandContext {
    /// Returns the time like ``localTime(_:)``, with seconds.
    func localTimeWithSeconds(_ moment: Timestamp) -> String? {
        guard abs(moment.secondsSinceReferenceDate) < 1e12 else { return nil }
        let seconds = Int64(moment.secondsSinceReferenceDate.rounded(.down)) + CivilTime.referenceDate
        guard let civil = CivilTime(moment, secondsFromUTC: secondsFromUTC(seconds)) else { return nil }
        return String(civil.rfc3339.dropLast().map { $0 == "T" ? " " : $0 })
    }
}

struct LogVerifyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that the audit log is unchanged.",
        discussion: """
            Checks whether a line in the log files was changed, deleted, inserted, exchanged with another line or \
            copied from another keychain, and whether the end was cut off. The exit status is 0 if the log is \
            unchanged, and 1 if it is not.
            """)

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let result = try context.administer { client throws(ClientError) in try client.verifyAuditLog() }
        if output.json {
            try context.print(Self.json(result).document())
        } else {
            try context.print(Self.text(result))
        }
        guard result.isUntouched else {
            throw CommandFailure(
                "the audit log differs from the lines that the service wrote",
                hint: """
                    another process changed its files (SECURITY.md describes what else such a process can do), or the \
                    power failed while lines were written
                    """, exitCode: .failure)
        }
    }

    private static func text(_ result: AuditVerification) -> String {
        var lines = result.problems.map(sentence)
        let untold = result.problemCount - UInt64(result.problems.count)
        if untold > 0 { lines.append("and \(untold) more") }
        if result.isUntouched {
            let files = result.fileCount == 1 ? "1 file" : "\(result.fileCount) files"
            lines.append(
                "The audit log is unchanged: lines \(result.first) to \(result.last), in \(files).")
        }
        lines += result.gaps.map { gap in
            switch gap.kind {
            case .unfinishedLine:
                "Before line \(gap.sequence), a line is missing because the service ended while it wrote the line."
            case .unwrittenLines:
                "Before line \(gap.sequence), \(gap.lineCount == 1 ? "1 line" : "\(gap.lineCount) lines") could not be written."
            }
        }
        return lines.map { visible($0) + "\n" }.joined()
    }

    private static func sentence(_ problem: AuditVerification.Problem) -> String {
        let place = problem.lineInFile == 0 ? "" : " (\(problem.file):\(problem.lineInFile))"
        switch problem.kind {
        case .changedLine: return "line \(problem.first) was changed\(place)"
        case .missingLines:
            let lines =
                problem.first == problem.last
                ? "line \(problem.first) is missing" : "lines \(problem.first) to \(problem.last) are missing"
            return problem.lineInFile == 0
                ? lines + " at the end" : lines + " before \(problem.file):\(problem.lineInFile)"
        case .misplacedLine: return "line \(problem.first) is in the wrong place\(place)"
        case .foreignLine: return "a line was not written by the service\(place)"
        case .missingCheckpoint:
            return "at line \(problem.first) the service found no checkpoint: lines before it may be missing\(place)"
        case .otherEnding:
            return "at line \(problem.first) the service found that the end of the log had changed\(place)"
        }
    }

    private static func json(_ result: AuditVerification) -> JSONText {
        func number(_ value: UInt64) -> JSONText { .integer(Int64(clamping: value)) }
        return .object([
            ("untouched", .boolean(result.isUntouched)),
            ("lines", number(result.lineCount)),
            ("files", number(UInt64(result.fileCount))),
            ("first", number(result.first)),
            ("last", number(result.last)),
            ("problemCount", number(result.problemCount)),
            (
                "problems",
                .array(
                    result.problems.map { problem in
                        .object([
                            ("kind", .text(word(problem.kind))),
                            ("first", number(problem.first)),
                            ("last", number(problem.last)),
                            ("file", .text(problem.file)),
                            ("lineInFile", number(problem.lineInFile)),
                        ])
                    })
            ),
            ("gapCount", number(result.gapCount)),
            (
                "gaps",
                .array(
                    result.gaps.map { gap in
                        .object([
                            ("kind", .text(gap.kind == .unfinishedLine ? "unfinished-line" : "unwritten-lines")),
                            ("line", number(gap.sequence)),
                            ("lines", number(gap.lineCount)),
                        ])
                    })
            ),
        ])
    }

    private static func word(_ kind: AuditVerification.Problem.Kind) -> String {
        switch kind {
        case .changedLine: "changed-line"
        case .missingLines: "missing-lines"
        case .misplacedLine: "misplaced-line"
        case .foreignLine: "foreign-line"
        case .missingCheckpoint: "missing-checkpoint"
        case .otherEnding: "other-ending"
        }
    }
}
