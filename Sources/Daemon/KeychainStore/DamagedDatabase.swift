// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import SQLiteStatements

/// A database in which any page may be damaged. It returns the data that can be read, and never an error.
final class DamagedDatabase {
    /// A row as stored.
    struct Row {
        let columns: [String]
        let values: [SQLiteValue]

        subscript(column: String) -> SQLiteValue? {
            columns.firstIndex(of: column).map { values[$0] }
        }
    }

    /// The rows of a table that could be read.
    struct Rows {
        var rows: [Int64: Row] = [:]
        /// For rows that were found by their form: further versions, the newest first.
        var older: [Int64: [Row]] = [:]
        /// Rows whose number is taken by another row, by the identifiers of their items.
        var numberless: [SQLiteValue: Row] = [:]
        /// Rows that an index names but that cannot be read.
        var missing: Set<Int64> = []
        /// Whether the set of rows is unknown, because neither the table nor the index by identifiers could be read to
        /// the end.
        var isUncertain = false
    }

    private let connection: Connection?

    private let path: String
    private let log: Data?

    /// Opens a database.
    ///
    /// - Parameter log: the bytes of a damaged log, because SQLite would not read them.
    init(_ path: String, damagedLog log: Data? = nil) {
        self.path = path
        self.log = log
        // Reading through a log that a service left behind requires a writable connection.
        let exists = FileManager.default.fileExists(atPath: path)
        connection = exists ? try? Connection(file: path, .readWrite, journalOf: .change) : nil
    }

    func close() { try? connection?.close() }

    /// Row numbers are looked up one by one up to this many after the known ones.
    private static let lookedUp: Int64 = 2_000_000

    /// Reads a table by row number and by index, from both ends, and then looks up each missing number.
    ///
    /// - Parameters:
    ///   - columns: their names in an undamaged database.
    ///   - highest: a row number that is known to have been used.
    func rows(of table: ItemTable, columns: [String], above highest: Int64) -> Rows {
        var found = Rows()
        let name = table.name
        // By `rowid`, which also works if a damaged schema no longer declares `id` as its alias.
        let isWhole = scan("SELECT rowid, * FROM \(name) ORDER BY rowid", columns, into: &found)
        var known: [Int64: SQLiteValue] = [:]
        let index = "SELECT rowid, item FROM \(name) INDEXED BY \(name)_item ORDER BY item"
        let upwards = numbers(index, into: &known)
        // A damaged page may hide rows without an error.
        let isComplete = !upwards || known.keys.allSatisfy { found.rows[$0] != nil }
        if isWhole, log == nil, found.numberless.isEmpty, isComplete { return found }
        scan("SELECT rowid, * FROM \(name) ORDER BY rowid DESC", columns, into: &found)

        if !upwards { numbers(index + " DESC", into: &known) }
        found.isUncertain = !upwards

        let end = max(highest, known.keys.max() ?? 0, found.rows.keys.max() ?? 0, lastNumber(of: table))
        if end <= Self.lookedUp {
            look(up: 1...max(end, 1), in: name, columns, &found)
        }
        look(up: known.keys, in: name, columns, &found)
        found.putInTheirPlaces(by: known)
        if log != nil { found.isUncertain = true }
        look(for: columns, Set(known.keys), &found)
        found.missing = Set(known.keys).subtracting(found.rows.keys)
        return found
    }

    /// Searches all pages for rows that no tree references any more: for rows that are known to be missing, or for all
    /// rows if the set of rows is unknown.
    private func look(for columns: [String], _ known: Set<Int64>, _ found: inout Rows) {
        let missing = known.subtracting(found.rows.keys)
        guard found.isUncertain || !missing.isEmpty else { return }
        for (number, versions) in pages.rows(columns: columns.count, numbered: found.isUncertain ? nil : missing) {
            let rows = versions.map { Row(columns: columns, values: $0) }
            // The log is newer than the row that SQLite read.
            if let read = found.rows[number], log == nil {
                found.older[number] = rows.filter { $0.values != read.values }
            } else {
                found.older[number] = rows.dropFirst() + (found.rows[number].map { [$0] } ?? [])
                found.rows[number] = rows[0]
            }
        }
    }

    /// Returns row versions found by their form, for rows that were read but are invalid: a page may have been read as
    /// part of another table.
    func versions(of numbers: Set<Int64>, columns: [String], besides read: [Int64: Row]) -> [Int64: [Row]] {
        guard !numbers.isEmpty else { return [:] }
        let found = pages.rows(columns: columns.count, numbered: numbers)
        return found.reduce(into: [:]) { rows, found in
            rows[found.key] = found.value.map { Row(columns: columns, values: $0) }.filter {
                $0.values != read[found.key]?.values
            }
        }
    }

    private var pages: DatabasePages { DatabasePages(path, damagedLog: log) }

    /// Returns all possible keybags, the newest first.
    func keybags() -> [Data] {
        pages.rows(columns: 2)[1, default: []].compactMap(\.[1].bytes)
    }

    func highestRow(of table: ItemTable) -> Int64 {
        values("SELECT max(rowid) FROM \(table.name)").first?.first?.integer ?? 0
    }

    private func lastNumber(of table: ItemTable) -> Int64 {
        values("SELECT last FROM numbering WHERE class = \(table.itemClass.rawValue)").first?.first?.integer ?? 0
    }

    /// Returns all rows of a statement that can be read.
    func values(_ sql: String) -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        each(sql) { values, _ in rows.append(values) }
        return rows
    }

    /// Looks up each row that is still missing.
    private func look(
        up numbers: some Sequence<Int64>, in table: String, _ columns: [String], _ found: inout Rows
    ) {
        guard let connection else { return }
        var rows = found.rows
        connection.access { db in
            let sql = "SELECT rowid, * FROM \(table) WHERE rowid = ?"
            guard let statement = try? PreparedStatement(db, sql: sql) else { return }
            let names = statement.columnNames
            for number in numbers where rows[number] == nil {
                // A row that cannot be read counts as absent.
                try? statement.run([.integer(number)]) { row in
                    rows[number] = Row.read(row.values, names, columns)?.row
                }
            }
        }
        found.rows = rows
    }

    @discardableResult
    private func scan(_ sql: String, _ columns: [String], into found: inout Rows) -> Bool {
        var rows = found
        let isWhole = each(sql) { values, names in
            if let (number, row) = Row.read(values, names, columns) { rows.insert(row, number) }
        }
        found = rows
        return isWhole
    }

    @discardableResult
    private func numbers(_ sql: String, into known: inout [Int64: SQLiteValue]) -> Bool {
        var numbers = known
        let isWhole = each(sql) { values, _ in
            if let number = values[0].integer { numbers[number] = values[1] }
        }
        known = numbers
        return isWhole
    }

    /// Passes rows and the names of their columns to `body` until the rows end or a page is damaged.
    ///
    /// - Returns: whether all rows were read.
    @discardableResult
    private func each(_ sql: String, _ body: (_ values: [SQLiteValue], _ names: [String]) -> Void) -> Bool {
        guard let connection else { return false }
        return connection.access { db in
            do {
                let statement = try PreparedStatement(db, sql: sql)
                let names = statement.columnNames
                try statement.run([]) { row in body(row.values, names) }
                return true
            } catch {
                return false
            }
        }
    }
}

extension DamagedDatabase.Rows {
    fileprivate mutating func insert(_ row: DamagedDatabase.Row, _ number: Int64) {
        if let present = rows[number], present["item"] != row["item"] {
            numberless[row["item"] ?? .null] = row
        } else {
            rows[number] = row
        }
    }

    /// Moves rows whose number was changed to the number under which the index lists their items. A row that wrongly
    /// has this number is displaced.
    fileprivate mutating func putInTheirPlaces(by known: [Int64: SQLiteValue]) {
        let isComplete = known.keys.allSatisfy { rows[$0] != nil }
        guard !numberless.isEmpty || !isComplete else { return }
        let numbers = Dictionary(known.map { ($0.value, $0.key) }) { first, _ in first }
        for number in rows.keys where known[number] == nil {
            guard let item = rows[number]?["item"], let right = numbers[item], rows[right] == nil else { continue }
            rows[right] = rows.removeValue(forKey: number)
        }
        var rest: [SQLiteValue: DamagedDatabase.Row] = [:]
        while let (item, row) = numberless.popFirst() {
            guard let number = numbers[item] else {
                rest[item] = row
                continue
            }
            let present = rows[number]
            if present?["item"] == item { continue }
            rows[number] = row
            if let present { numberless[present["item"] ?? .null] = present }
        }
        numberless = rest
    }
}

extension DamagedDatabase.Row {
    /// Reads a row whose first column is its number.
    ///
    /// - Parameters:
    ///   - read: the column names of the row.
    ///   - names: the column names of an undamaged database, because the schema may be damaged.
    fileprivate static func read(
        _ row: [SQLiteValue], _ read: [String], _ names: [String]
    ) -> (number: Int64, row: Self)? {
        guard let number = row[0].integer else { return nil }
        var values = Array(row.dropFirst())
        let read = Array(read.dropFirst())
        // A database of an earlier version may have fewer columns.
        let columns = read.count == names.count ? names : read
        // The value is stored only as the row number.
        if let place = columns.firstIndex(of: "id"), values[place] == .null { values[place] = .integer(number) }
        return (number, Self(columns: columns, values: values))
    }
}
