// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements

/// A table of a new database, into which the remains of a damaged database are copied.
struct SalvagedTable {
    /// The result for rows.
    struct Taken {
        /// The rows that exist now and are not known to be damaged, including tombstones.
        var present: Set<Int64> = []
        /// The number of these that are items.
        var whole = 0
        /// Of these, the rows that could not be checked because their class key was not available.
        var unchecked: Set<Int64> = []
        /// Rows that were set aside: they are not as they were sealed, or another item has their place.
        var damaged: Set<Int64> = []
    }

    private enum RowState {
        case whole(ItemAttributes)
        case unchecked
        case damaged
    }

    let table: ItemTable
    /// The columns of the schema; the columns of a damaged file may have any name.
    let columns: [String]
    private let writer: Connection
    private let keyRing: KeyRing
    private let digests: AttributeDigests

    init(
        _ table: ItemTable, _ writer: Connection, keyRing: KeyRing, digests: AttributeDigests
    ) throws(StoreError) {
        self.table = table
        self.writer = writer
        self.keyRing = keyRing
        self.digests = digests
        columns = try StoreError.translating {
            try writer.access { db in
                try PreparedStatement(db, sql: "SELECT * FROM \(table.name)").columnNames
            }
        }
    }

    // MARK: Taking over

    /// Copies rows unchanged, and replaces existing rows with their numbers. Rows that the schema refuses are left out.
    ///
    /// - Parameter source: the database that the rows are from.
    func take(_ rows: [Int64: DamagedDatabase.Row], from source: DamagedDatabase) throws(StoreError) -> Taken {
        let taken = try check(insert(rows))
        try takeLookups(of: taken.unchecked, from: source)
        return taken
    }

    /// Copies the readable rows of the index of lookup attributes, for items that cannot be opened now. For all others
    /// it is built from their attributes.
    private func takeLookups(of numbers: Set<Int64>, from source: DamagedDatabase) throws(StoreError) {
        guard table.hasLookups, !numbers.isEmpty else { return }
        // The table, which is read for the order, and its index have the same content, so that either may be damaged.
        // Before version 6, neither exists.
        let isWhole = "typeof(id) = 'integer' AND typeof(agrp) = 'blob' AND typeof(digest) = 'blob'"
        let rows = [
            "lookup WHERE \(isWhole) ORDER BY id, digest", "lookup INDEXED BY lookup_digest WHERE \(isWhole)",
        ].flatMap { source.values("SELECT id, agrp, digest FROM \($0)") }
        try StoreError.translating {
            try writer.inTransaction { db in
                for row in rows where row[0].integer.map(numbers.contains) ?? false {
                    try db.execute("INSERT OR IGNORE INTO lookup (id, agrp, digest) VALUES (?, ?, ?)", row)
                }
                return .commit
            }
        }
    }

    /// Copies the intact rows among those without a row number.
    func takeWhole(_ rows: [DamagedDatabase.Row], above last: Int64) throws(StoreError) -> Taken {
        // The index of lookup attributes names these rows by other numbers.
        let taken = try check(insert(Dictionary(uniqueKeysWithValues: zip((last + 1)..., rows))))
        try StoreError.translating {
            try writer.access { db in
                for number in taken.damaged { try writer.run(table.statements.delete, [.integer(number)], db) }
            }
        }
        return taken
    }

    /// Inserts rows.
    ///
    /// - Returns: the numbers of the rows that exist now.
    private func insert(_ rows: [Int64: DamagedDatabase.Row]) throws(StoreError) -> Set<Int64> {
        var inserted: Set<Int64> = []
        try StoreError.translating {
            try writer.inTransaction { db in
                let sql = """
                    INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) \
                    VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                    """
                for (number, row) in rows {
                    let failure = try writer.failure(
                        ofPart: { db in
                            // The existing row with this number is damaged.
                            try db.execute("DELETE FROM \(table.name) WHERE id = ?", [.integer(number)])
                            if table.hasLookups { try writer.run(.deleteLookups, [.integer(number)], db) }
                            try db.execute(sql, columns.map { $0 == "id" ? .integer(number) : row[$0] ?? .null })
                            return .commit
                        }, db)
                    switch failure {
                    case nil: inserted.insert(number)
                    case let error as SQLiteError where error.code.primary == .constraint: break
                    case let error?: throw error
                    }
                }
                return .commit
            }
        }
        return inserted
    }

    // MARK: Checking

    /// Opens rows, and sets damaged rows aside.
    private func check(_ numbers: Set<Int64>) throws(StoreError) -> Taken {
        var taken = Taken()
        var lookups: [(number: Int64, digests: [IndexDigest], group: IndexDigest)] = []
        for number in numbers {
            guard let (row, isTombstone) = try read(number) else { continue }
            // An item that was deleted while it was locked has nothing left to check.
            if isTombstone, row.content?.data?.isEmpty == true { continue }
            switch state(of: row) {
            case .whole(let attributes):
                if try !correct(number, by: attributes) {
                    taken.damaged.insert(number)
                } else if !attributes.isTombstone {
                    taken.whole += 1
                    if let pairs = attributes.lookupAttributes, let group = row.content?.binding.accessGroup {
                        lookups.append((number, digests.lookups(pairs, table.itemClass), group))
                    }
                }
            case .unchecked:
                if !isTombstone {
                    taken.whole += 1
                    taken.unchecked.insert(number)
                }
            case .damaged:
                taken.damaged.insert(number)
                try StoreError.translating {
                    try writer.access { db in try writer.setAside(row, in: table, db) }
                }
            }
        }
        // Together, because each transaction waits for the disk.
        try StoreError.translating {
            try writer.inTransaction { db in
                for row in lookups {
                    _ = try writer.replaceLookups(by: row.digests, in: row.group, ofRow: row.number, db)
                }
                return lookups.isEmpty ? .rollback : .commit
            }
        }
        taken.present = numbers.subtracting(taken.damaged)
        return taken
    }

    private func state(of row: SealedRow) -> RowState {
        guard let content = row.content else { return .damaged }
        do throws(SealingError) {
            let attributes = try keyRing.openAttributes(content.attributes ?? Data(), of: content.binding)
            var data = try keyRing.openData(content.data ?? Data(), wrappedKey: content.wrappedKey, of: content.binding)
            data?.wipe()
            return .whole(attributes)
        } catch {
            switch error {
            case .keyNotAvailable, .passwordNeeded, .enrolmentNeeded: return .unchecked
            default: return .damaged
            }
        }
    }

    /// Corrects whether the row is a tombstone or set aside, and its index columns: only the sealed attributes are
    /// reliable for these.
    ///
    /// - Returns: false if another item has taken its place.
    private func correct(_ number: Int64, by attributes: ItemAttributes) throws(StoreError) -> Bool {
        let columns = IndexColumns(of: attributes, table, digests).arguments
        do throws(StoreError) {
            try StoreError.translating {
                try writer.access { db in
                    try writer.run(
                        table.statements.correct,
                        [.integer(attributes.isTombstone ? 1 : 0)] + columns + [.integer(number)], db)
                    if let group = attributes.accessGroup, EnforcedGroup.contains(group) {
                        try writer.noteEnforcedGroup(digests.group(group, table.itemClass), table.itemClass, db)
                    }
                }
            }
        } catch .duplicate {
            return false
        }
        return true
    }

    // MARK: Inspecting

    private func read(_ number: Int64) throws(StoreError) -> (row: SealedRow, isTombstone: Bool)? {
        try StoreError.translating {
            try writer.access { db in try writer.row(number, of: table, db) }
        }
    }

    /// Returns the numbers of all rows.
    func numbers() throws(StoreError) -> Set<Int64> {
        try StoreError.translating {
            try writer.access { db in try Set(db.rows(of: "SELECT id FROM \(table.name)").compactMap(\.[0].integer)) }
        }
    }

    /// Returns whether the item of a row exists under another number.
    func hasElsewhere(_ row: DamagedDatabase.Row) throws(StoreError) -> Bool {
        guard let item = row["item"], let number = row["id"] else { return true }
        return try StoreError.translating {
            try writer.access { db in
                try db.value(of: "SELECT 1 FROM \(table.name) WHERE item = ? AND id <> ?", [item, number]) != nil
            }
        }
    }

    /// Returns the names of a row's item; nil if its attributes are not intact.
    func names(of number: Int64) throws(StoreError) -> ItemNames? {
        guard let content = try read(number)?.row.content else { return nil }
        do throws(SealingError) {
            return ItemNames(try keyRing.openAttributes(content.attributes ?? Data(), of: content.binding))
        } catch {
            return nil
        }
    }
}
