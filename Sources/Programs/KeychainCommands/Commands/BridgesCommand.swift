// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

struct BridgesCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridges",
        abstract: "Show the programs that use the keychain through a bridge.",
        discussion: """
            A bridge, such as the provider of the Secret Service, makes requests for programs that do not know \
            Chatelaine. The table counts, from the audit log, the requests of each program for items of other \
            programs: approved and denied at a prompt, refused without a prompt, and allowed by the setting "bridges" \
            (learn or open). The column LEARNED counts what "ask" would have prompted for. A second table shows the \
            approvals ("Allow") that programs hold until they exit; `chatelaine grants revoke` ends them.

            EXAMPLES:
              chatelaine bridges
              chatelaine bridges --since 7d --json
              chatelaine settings set bridges ask
              chatelaine grants list
              chatelaine grants revoke --program /usr/bin/secret-tool
            """)

    @Option(help: ArgumentHelp("Count requests from this time on.", valueName: "time"))
    private var since: String?

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        var filter = AuditFilter()
        filter.since = try since.map { text throws(CommandFailure) in
            try LogListCommand.moment(text, "--since", context)
        }
        let mode = BridgeMode(try context.administer { client throws(ClientError) in try client.settings() })
        let clients = try Self.clients(filter, in: context)
        let approvals = try context.administer { client throws(ClientError) in try client.clientApprovals() }
        guard !output.json else {
            return try context.print(
                JSONText.object([
                    ("mode", .text(mode.name)), ("clients", .array(clients.map(Self.json))),
                    ("approvals", .array(approvals.map(Self.json))),
                ]).document())
        }
        try context.print("Mode: \(mode.sentence)\n")
        if clients.isEmpty {
            context.tellEmpty("No program has used a bridge.")
        } else {
            try context.print("\n" + Self.table(of: clients, in: context))
        }
        guard !approvals.isEmpty else { return }
        try context.print("\nApproved until the program exits:\n" + Self.table(of: approvals, in: context))
    }

    private static func table(of clients: [BridgeClient], in context: CommandContext) -> String {
        var table = TextTable(["BRIDGE", "PROGRAM", "REQUESTS", "APPROVED", "DENIED", "UNANSWERED", "LEARNED", "LAST"])
        for client in clients {
            let counts = [client.requests, client.approved, client.denied, client.unanswered, client.opened]
            table.append(
                [name(ofBridge: client.bridge), client.title] + counts.map(String.init)
                    + [client.last.flatMap(context.localTime) ?? ""])
        }
        return table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal)
    }

    private static func table(of approvals: [ListedApproval], in context: CommandContext) -> String {
        var table = TextTable(["BRIDGE", "PROGRAM", "PROCESS", "ITEMS"])
        for approval in approvals {
            let group = if case .unsigned = approval.identity { approval.identity.implicitGroup } else { String?.none }
            table.append([
                name(ofBridge: approval.bridgePath), title(approval.path, group), String(approval.process),
                String(approval.itemCount),
            ])
        }
        return table.text(styled: context.outputIsStyled, shortened: context.outputIsTerminal)
    }

    private static func name(ofBridge path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// The path of a program, with the access group by which programs at the same path are told apart.
    fileprivate static func title(_ path: String, _ group: String?) -> String {
        path + (group.map { "  \(programName(ofGroup: $0))" } ?? "")
    }

    /// Collects the clients from the lines of the audit log, in the order of their bridges and programs.
    private static func clients(
        _ filter: AuditFilter, in context: CommandContext
    ) throws(CommandFailure) -> [BridgeClient] {
        var clients: [BridgeClient.Key: BridgeClient] = [:]
        var damagedCount: UInt64 = 0
        var cursor: AuditCursor?
        while true {
            let page = try context.administer { client throws(ClientError) in
                try client.auditPage(filter, .oldestFirst, from: cursor, limit: .max)
            }
            damagedCount += UInt64(page.damagedCount)
            for record in page.lines.lazy.compactMap({ AuditRecord($0) }) {
                guard let key = BridgeClient.Key(record) else { continue }
                clients[key, default: BridgeClient(key)].count(record)
            }
            guard !page.isEnd else { break }
            cursor = page.next
        }
        LogListCommand.tellDamage(damagedCount, in: context)
        return clients.values.sorted { ($0.bridge, $0.title) < ($1.bridge, $1.title) }
    }

    private static func json(_ approval: ListedApproval) -> JSONText {
        .object([
            ("bridge", .text(approval.bridgePath)),
            ("program", .text(approval.path)),
            ("group", approval.identity.implicitGroup.map(JSONText.text) ?? .null),
            ("process", .integer(Int64(approval.process))),
            ("items", .integer(Int64(approval.itemCount))),
        ])
    }

    private static func json(_ client: BridgeClient) -> JSONText {
        func number(_ count: Int) -> JSONText { .integer(Int64(count)) }
        return .object([
            ("bridge", .text(client.bridge)),
            ("program", .text(client.key.program)),
            ("group", client.key.group.map(JSONText.text) ?? .null),
            ("requests", number(client.requests)),
            ("approved", number(client.approved)),
            ("denied", number(client.denied)),
            ("unanswered", number(client.unanswered)),
            ("learned", number(client.learned)),
            ("opened", number(client.opened - client.learned)),
            ("last", client.last.flatMap { CivilTime($0) }.map { .text($0.rfc3339) } ?? .null),
        ])
    }
}

/// A program that used a bridge, and the counts of its requests.
private struct BridgeClient {
    struct Key: Hashable {
        let bridge: String
        let program: String
        /// The access group by which programs at the same path are told apart.
        let group: String?

        /// Reads the client of a line; nil for a line about a direct caller.
        init?(_ record: AuditRecord) {
            guard let bridge = record.text("bridge") else { return nil }
            self.bridge = bridge
            program = record.program ?? ""
            group = record.programGroup
        }
    }

    let key: Key
    var bridge: String { key.bridge }
    /// All requests that the log records.
    private(set) var requests = 0
    /// Requests that the user approved at a prompt.
    private(set) var approved = 0
    /// Requests that the user denied at a prompt.
    private(set) var denied = 0
    /// Requests that needed an approval, and that no prompt could ask about.
    private(set) var unanswered = 0
    /// Requests that the mode `learn` allowed.
    private(set) var learned = 0
    /// Requests that the mode `learn` or `open` allowed.
    private(set) var opened = 0
    private(set) var last: Timestamp?

    init(_ key: Key) { self.key = key }

    var title: String { BridgesCommand.title(key.program, key.group) }

    mutating func count(_ record: AuditRecord) {
        requests += 1
        last = record.time ?? last
        switch record.text("granted-by") {
        case GrantRule.person.rawValue: approved += 1
        case GrantRule.bridgesLearn.rawValue:
            learned += 1
            opened += 1
        case GrantRule.bridgesOpen.rawValue: opened += 1
        default: break
        }
        guard record.outcome == "refused" else { return }
        switch (record.number("status"), record.text("reason")) {
        case (Int64(StatusCode.userCanceled.rawValue), _), (Int64(StatusCode.authenticationFailed.rawValue), "none"):
            denied += 1
        case (Int64(StatusCode.interactionNotAllowed.rawValue), let reason) where reason != "locked":
            unanswered += 1
        default: break
        }
    }
}

extension BridgeMode {
    /// What the mode means, in one sentence.
    var sentence: String {
        switch self {
        case .ask: "ask: the use of another program's item requires your approval"
        case .learn:
            "learn: every program reads and changes all your items, and the audit log records what ask would have prompted for"
        case .open: "open: every program reads and changes all your items"
        }
    }
}
