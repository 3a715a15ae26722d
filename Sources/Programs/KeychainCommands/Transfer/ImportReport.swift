// SPDX-License-Identifier: Apache-2.0

/// The result for each record of a file, in the order of the file. Contains names, never secrets.
struct ImportReport {
    enum Outcome: String {
        case added
        case replaced
        case duplicate
        case conflict
        case invalid

        /// The text in a dry run.
        var prospect: String {
            switch self {
            case .added: "would be added"
            case .replaced: "would be replaced"
            case .duplicate, .conflict, .invalid: rawValue
            }
        }
    }

    struct Line {
        let line: Int
        let outcome: Outcome
        /// The name; nil for a record that cannot be an item.
        let name: PasswordName?
        let reason: String?

        /// Whether the user has to check the result: a problem, or a replacement with a reason.
        var needsAttention: Bool {
            switch outcome {
            case .conflict, .invalid: true
            case .replaced: reason != nil
            case .added, .duplicate: false
            }
        }
    }

    private(set) var lines: [Line] = []
    let isDryRun: Bool
    let ignoredColumns: [String]

    mutating func append(_ record: PasswordRecord, _ outcome: Outcome, _ reason: String? = nil) {
        lines.append(Line(line: record.line, outcome: outcome, name: PasswordName(record.attributes), reason: reason))
    }

    mutating func append(_ problem: TextProblem) {
        lines.append(Line(line: problem.line, outcome: .invalid, name: nil, reason: problem.reason))
    }

    func count(_ outcome: Outcome) -> Int { lines.count { $0.outcome == outcome } }

    private var sorted: [Line] { lines.sorted { $0.line < $1.line } }

    /// Returns a line for each record, or for each that the user has to check, and the counts.
    ///
    /// - Parameter isDone: false if nothing was changed because a record is invalid.
    func text(isDone: Bool) -> String {
        var text = ""
        for line in sorted where isDryRun || line.needsAttention {
            let outcome = isDryRun ? line.outcome.prospect : line.outcome.rawValue
            let subject = [line.name?.quoted, line.reason].compactMap { $0 }.joined(separator: ": ")
            text += visible("line \(line.line): \(outcome): \(subject)") + "\n"
        }
        if !ignoredColumns.isEmpty {
            text += visible("ignored columns: \(ignoredColumns.joined(separator: ", "))") + "\n"
        }
        let counts = [
            "\(count(.added)) \(isDryRun || !isDone ? "to add" : "added")",
            "\(count(.replaced)) \(isDryRun || !isDone ? "to replace" : "replaced")",
            "\(count(.duplicate)) already stored", "\(count(.conflict)) in conflict", "\(count(.invalid)) invalid",
        ]
        let note = isDryRun || !isDone ? "; nothing was changed" : ""
        return text + counts.joined(separator: ", ") + note + "\n"
    }

    func json(isDone: Bool) -> JSONText {
        let counts: [Outcome] = [.added, .replaced, .duplicate, .conflict, .invalid]
        return .object([
            ("changed", .boolean(isDone && !isDryRun)),
            ("counts", .object(counts.map { ($0.rawValue, .integer(Int64(count($0)))) })),
            ("ignoredColumns", .array(ignoredColumns.map(JSONText.text))),
            (
                "records",
                .array(
                    sorted.map { line in
                        .object([
                            ("line", .integer(Int64(line.line))),
                            ("outcome", .text(line.outcome.rawValue)),
                            ("name", line.name.map { .text($0.subject) } ?? .null),
                            ("user", line.name.map { .text($0.user) } ?? .null),
                            ("reason", line.reason.map(JSONText.text) ?? .null),
                        ])
                    })
            ),
        ])
    }
}
