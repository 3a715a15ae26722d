// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

struct StatusCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the keychain service.",
        discussion: """
            Starts the service if it is not running.

            After each start, the service checks whether the keychain's database is as the service left it. If another \
            process changed the file (put back an older row, or removed a row), "contents" reports this until you \
            accept the contents. Accepting removes all remembered grants and requires the passcode or the recovery key \
            if a passcode is set. Without a passcode, you authorize it by polkit in the system service.

            With --verbose, the command also shows item counts, queues, cache use, requests and refusals since the \
            keychain was opened. With --metrics, it writes only these figures, as OpenMetrics text. The figures \
            contain no names of items or programs.

            EXAMPLES:
              chatelaine status
              chatelaine status --verbose
              chatelaine status --json
              chatelaine status --metrics > figures.prom
              chatelaine status --accept-contents
            """)

    @Flag(help: "Accept the current database contents, before showing the state.")
    private var acceptContents = false

    @Flag(help: "Also show figures of the service's work.")
    private var verbose = false

    @Flag(help: "Write the figures of the service's work as OpenMetrics text.")
    private var metrics = false

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var output: OutputOptions

    func validate() throws {
        if metrics, verbose || output.json || acceptContents {
            throw ValidationError("--metrics cannot be combined with other options.")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        if metrics {
            let figures = try context.administer { client throws(ClientError) in try client.figures() }
            return try context.print(MetricsText(figures).text)
        }
        if acceptContents {
            let secret = try proof.proofIfProtected(in: context)
            try context.loosen(with: secret) { client throws(ClientError) in
                try client.acceptContents(proof: secret)
            }
        }
        let facts = try context.administer { client throws(ClientError) in
            var facts = KeychainFacts(status: try client.status())
            // An unidentified caller receives its own status, but not the protectors of the keychain.
            guard facts.status.callerTier != .unidentified else { return facts }
            // Before the PIN is entered, the other protectors and the settings are not known.
            guard facts.status.lockState != .awaitingPIN else {
                facts.report = try client.tokens().pin?.attempts
                return facts
            }
            do throws(ClientError) {
                facts.report = try client.protectors()
                facts.folders = try client.developmentFolders()
                facts.mode = BridgeMode(try client.settings())
            } catch {
                // A copy of the command is another program.
                guard case .refused(let refusal) = error, refusal.reason == .administrationOnly else { throw error }
            }
            return facts
        }
        // Before the PIN is entered, no figures exist.
        let hasFigures = verbose && facts.status.lockState != .awaitingPIN
        let figures =
            hasFigures ? try context.administer { client throws(ClientError) in try client.figures() } : nil
        if output.json {
            var members = Self.members(facts, context)
            if verbose { members.append(("figures", figures.map { FiguresReport($0).json } ?? .null)) }
            try context.print(JSONText.object(members).document())
        } else {
            try context.print(Self.text(facts, context))
            if let figures { try context.print(FiguresReport(figures).text(context)) }
        }
    }

    /// What the command shows of the keychain, as far as the service reports it to this caller.
    private struct KeychainFacts {
        let status: ServiceStatus
        var report: ProtectorReport?
        /// The development folders.
        var folders: [String] = []
        /// The mode for bridges.
        var mode: BridgeMode?
    }

    private static func text(_ facts: KeychainFacts, _ context: CommandContext) -> String {
        let (status, report) = (facts.status, facts.report)
        var lines: [(String, String)] = [
            (
                "service",
                "chatelained \(status.version), \(context.keychain.isOfSystem ? "system service" : "user service")"
            ),
            (
                "keychain",
                databasePath(context)
                    ?? "unknown: the service uses other folders than this command, for which \(context.keychain.path) "
                    + "does not exist"
            ),
            ("state", LockStateText.sentence(status.lockState)),
            ("caller", "\(status.callerPath) (\(status.callerTier.name))"),
        ]
        let ways = ProtectorKind.allCases.compactMap { kind -> String? in
            let count = report?.known.count { $0.kind == kind } ?? 0
            return count == 0 ? nil : count == 1 ? kind.name : "\(kind.name) (\(count))"
        }
        if !ways.isEmpty { lines.insert(("opened by", ways.joined(separator: ", ")), at: 3) }
        if let attempts = report?.attemptsText { lines.insert(("attempts", attempts), at: ways.isEmpty ? 3 : 4) }
        lines += status.accessGroups.map { ("group", $0) }
        if let count = status.itemCount { lines.append(("items", String(count))) }
        if let count = status.unreadableCount, count > 0 {
            lines.append(("unreadable", "\(count) (set aside; they are kept, but cannot be opened)"))
        }
        if let contents = status.contents { lines.append(("contents", sentence(contents))) }
        lines += facts.folders.map { ("dev folder", "\($0): its unsigned programs keep their items over rebuilds") }
        if let mode = facts.mode, mode != .ask {
            lines.append(("bridges", "\(mode.sentence) (chatelaine settings set bridges ask)"))
        }
        lines += status.protections.map { ("protection", $0) }
        if let unused = context.keychain.unusedPath {
            lines.append(("not used", "\(unused), the keychain of your user service (CHATELAINE_SERVICE=user uses it)"))
            lines.append(("", "to move it to the system service, run as root: chatelained migrate to-system USER"))
        }
        return lines.map { label, value in
            let text = visible(value)
            let styled = style(of: label, status)?.text(text, context.outputIsStyled) ?? text
            return label + String(repeating: " ", count: 12 - label.count) + styled + "\n"
        }.joined()
    }

    /// Returns the path of the keychain's database; nil if the service, which has it open, was started with other
    /// folders. The folder of the system service is not readable, so there the path is not checked.
    private static func databasePath(_ context: CommandContext) -> String? {
        let path = context.keychain.path
        do throws(StreamError) { return try context.machine.facts(path).map { _ in path } } catch { return path }
    }

    /// Returns the style of a line whose meaning the user must not overlook; nil for other lines.
    private static func style(of label: String, _ status: ServiceStatus) -> TextStyle? {
        switch label {
        case "state":
            switch status.lockState {
            case .noPasscode, .unlocked: .green
            case .beforeFirstUnlock, .locked, .awaitingPIN: .yellow
            }
        case "attempts", "unreadable", "not used", "bridges": .yellow
        case "contents":
            switch status.contents {
            case .asLeft: .green
            case .unknown, nil: nil
            case .changed, .sealDamaged, .damaged: .red
            }
        default: nil
        }
    }

    private static func members(_ facts: KeychainFacts, _ context: CommandContext) -> [(String, JSONText)] {
        let (status, report) = (facts.status, facts.report)
        return [
            ("version", .text(status.version)),
            ("service", .text(context.keychain.isOfSystem ? "system" : "user")),
            ("keychain", databasePath(context).map(JSONText.text) ?? .null),
            ("unusedKeychain", context.keychain.unusedPath.map(JSONText.text) ?? .null),
            ("state", .text(LockStateText.word(status.lockState))),
            ("protectors", report.map { .array($0.known.map { .text($0.kind.name) }) } ?? .null),
        ] + (report?.attemptsJSON ?? []) + [
            ("callerPath", .text(status.callerPath)),
            ("callerTier", .text(status.callerTier.name)),
            ("groups", .array(status.accessGroups.map(JSONText.text))),
            ("items", status.itemCount.map { .integer(Int64(clamping: $0)) } ?? .null),
            ("unreadable", status.unreadableCount.map { .integer(Int64(clamping: $0)) } ?? .null),
            ("contents", status.contents.map { .text(word($0)) } ?? .null),
            ("rowsMore", rowsMore(status.contents).map(JSONText.integer) ?? .null),
            ("bridges", facts.mode.map { .text($0.name) } ?? .null),
            ("developmentFolders", .array(facts.folders.map(JSONText.text))),
            ("protections", .array(status.protections.map(JSONText.text))),
        ]
    }

    private static func sentence(_ contents: ContentsState) -> String {
        switch contents {
        case .unknown: "not checked yet"
        case .asLeft: "as the service left them"
        case .changed(0): "CHANGED from outside: rows have another version \(advice)"
        case .changed(1): "CHANGED from outside: 1 extra row \(advice)"
        case .changed(-1): "CHANGED from outside: 1 row is missing \(advice)"
        case .changed(let more) where more > 0: "CHANGED from outside: \(more) extra rows \(advice)"
        case .changed(let more): "CHANGED from outside: \(more.magnitude) rows are missing \(advice)"
        case .sealDamaged: "UNKNOWN: the record that detects changes from outside is damaged \(advice)"
        case .damaged: DamagedKeychain.dataProtection.sentence
        }
    }

    private static let advice = "(chatelaine status --accept-contents ends this warning)"

    private static func word(_ contents: ContentsState) -> String {
        switch contents {
        case .unknown: "not-looked-at"
        case .asLeft: "as-left"
        case .changed: "changed"
        case .sealDamaged: "seal-damaged"
        case .damaged: "damaged"
        }
    }

    private static func rowsMore(_ contents: ContentsState?) -> Int64? {
        if case .changed(let more) = contents { more } else { nil }
    }
}
