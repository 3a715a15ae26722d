// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

struct ShowCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one item without its secret, and its last use.",
        discussion: """
            NAME is chosen as by `chatelaine get`. "last used" is the last time that a program read, changed or added the secret, as far back as the audit \
            log goes. It may leave out programs that read more than \(LastUse.namedLimit) items in one request.

            EXAMPLES:
              chatelaine show github --user octo
              chatelaine show --url https://example.org --user ann --json
            """)

    @OptionGroup private var item: ItemChoice
    @OptionGroup private var choice: KeychainChoice
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let context = try choice.context(context)
        try item.names.check()
        try unlocking.unlockIfWanted(in: context)
        let found = try item.find(in: context).item
        let use = try LastUse(of: found, in: context)
        if output.json {
            let pairs = found.lookupPairs.map { ($0.name, JSONText.text($0.value)) }
            let members =
                found.jsonMembers + (pairs.isEmpty ? [] : [("lookupAttributes", JSONText.object(pairs))])
                + [("identifier", found.identifierJSON), ("lastUsed", use.json)]
            try context.print(JSONText.object(members).document())
        } else {
            try context.print(Self.text(found, use, context))
        }
    }

    private static func text(_ item: ListedItem, _ use: LastUse, _ context: CommandContext) -> String {
        var lines = [("name", item.name)]
        func add(_ label: String, _ text: String?) {
            if let text, !text.isEmpty { lines.append((label, text)) }
        }
        add("user", item.text(.account))
        lines.append(("class", item.reference.itemClass.title))
        add("label", item.text(.label))
        add("comment", item.text(.comment))
        for pair in item.lookupPairs { lines.append(("attribute", "\(pair.name)=\(pair.value)")) }
        lines.append(("program", ProgramNames(ofGroups: [item.group], in: context).name(ofGroup: item.group)))
        if !item.constraints.isEmpty { add("requires", item.constraints.conditionText) }
        add("created", item.creationDate.flatMap(context.localTime))
        add("modified", item.modificationDate.flatMap(context.localTime))
        add("identifier", item.identifier?.hexadecimal)
        lines.append(("last used", use.text(context)))
        return lines.map { label, value in
            label + String(repeating: " ", count: 12 - label.count) + visible(value) + "\n"
        }.joined()
    }
}

/// The last use of an item's secret, according to the audit log.
enum LastUse {
    case line(AuditRecord)
    /// The log contains no use.
    case notInLog
    /// The log may not be read, for this reason.
    case unknown(Refusal)

    /// The number of items that a line of the log names.
    static let namedLimit = 16

    /// The operations that use a secret. Reading attributes is not included, because every list of items does it.
    private static let uses: Set<String> = ["add", "read-data", "update"]

    init(of item: ListedItem, in context: CommandContext) throws(CommandFailure) {
        guard let identifier = item.identifier else {
            self = .notInLog
            return
        }
        var filter = AuditFilter()
        filter.item = identifier
        var cursor: AuditCursor?
        do throws(ClientError) {
            while true {
                // A few lines, because the first one usually matches.
                let page = try context.client.auditPage(filter, .newestFirst, from: cursor, limit: 64)
                for record in page.lines.lazy.compactMap({ AuditRecord($0) }) where Self.isUse(record) {
                    self = .line(record)
                    return
                }
                guard !page.isEnd else { break }
                cursor = page.next
            }
            self = .notInLog
        } catch {
            guard case .refused(let refusal) = error, [.administrationOnly, .damagedLog].contains(refusal.reason) else {
                throw CommandFailure(error, message: context.statusMessage)
            }
            self = .unknown(refusal)
        }
    }

    /// Returns whether a line is a use. A caller that disconnected early may also have received data.
    private static func isUse(_ record: AuditRecord) -> Bool {
        uses.contains(record.action ?? "") && ["granted", "abandoned"].contains(record.outcome)
    }

    func text(_ context: CommandContext) -> String {
        switch self {
        case .notInLog: return "not in the audit log"
        case .unknown(let refusal):
            return "unknown: " + (refusal.reason.explanation ?? context.statusMessage(refusal.status.rawValue))
        case .line(let record):
            let time = record.time.flatMap { context.localTimeWithSeconds($0) } ?? record.text("time") ?? ""
            return "\(time) by \(record.program ?? "(unknown)") (\(record.action ?? ""))"
        }
    }

    var json: JSONText {
        guard case .line(let record) = self else { return .null }
        func text(_ name: String) -> JSONText { record.text(name).map(JSONText.text) ?? .null }
        func number(_ name: String) -> JSONText { record.number(name).map(JSONText.integer) ?? .null }
        return .object([
            ("time", text("time")), ("action", text("action")), ("program", text("program")), ("tier", text("tier")),
            ("uid", number("uid")), ("pid", number("pid")),
        ])
    }
}

extension ListedItem {
    /// The identifier; nil for an item that is named by its row, as in older versions.
    fileprivate var identifier: ItemIdentifier? {
        if case .item(let item) = reference.target { item } else { nil }
    }

    fileprivate var identifierJSON: JSONText { identifier.map { .text($0.hexadecimal) } ?? .null }
}
