// SPDX-License-Identifier: Apache-2.0

import SQLiteStatements

/// The tables, indices and triggers of a database, as in `sqlite_master`, without their root pages.
struct Schema: Hashable {
    fileprivate struct Entry: Hashable {
        let type: String?
        let name: String?
        let table: String?
        let text: String?
    }

    private let entries: Set<Entry>

    init(of db: Database) throws {
        // SQLite creates and drops its own tables depending on its configuration.
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE substr(name, 1, 7) IS NOT 'sqlite_'"
        entries = try Set(
            db.rows(of: sql).map { row in
                Entry(type: row[0].text, name: row[1].text, table: row[2].text, text: row[3].text)
            })
    }

    /// Computes the schema that these steps create in an empty database. It is parsed from their text, which SQLite
    /// stores unchanged: executing the steps would take longer than the rest of the start.
    init(after steps: some Sequence<String>) {
        var entries: Set<Entry> = []
        var lines: [Substring] = []
        for line in steps.joined(separator: "\n").split(separator: "\n") {
            lines.append(line)
            let isTrigger = lines[0].hasPrefix("CREATE TRIGGER ")
            guard isTrigger ? line == "END;" : line.hasSuffix(";") else { continue }
            if let entry = Entry(creation: lines.joined(separator: "\n").dropLast()) { entries.insert(entry) }
            lines = []
        }
        self.entries = entries
    }
}

extension Schema.Entry {
    /// Parses a statement; nil for a statement that creates nothing.
    fileprivate init?(creation text: Substring) {
        var words = text.split { $0.isWhitespace }.prefix { $0 != "BEGIN" }.dropFirst(
            text.hasPrefix("CREATE ") ? 1 : .max)
        if words.first == "UNIQUE" { words.removeFirst() }
        guard let type = words.popFirst(), let name = words.popFirst() else { return nil }
        let table = type == "TABLE" ? name : words.drop { $0 != "ON" }.dropFirst().first
        self.init(type: type.lowercased(), name: String(name), table: table.map(String.init), text: String(text))
    }
}
