// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSealing
import SQLiteStatements

/// The index of lookup attributes: table lookup has a row for each pair of each generic password, with the number of
/// the item's row, its access group, and the digest of the pair. A search takes the numbers of the rows that have a
/// pair, without reading rows that do not. The digests alone prove nothing, so that each found item is opened and
/// compared (`Search.Check`).
extension Connection {
    /// Adds the rows of an item.
    ///
    /// - Returns: the bytes that represent them in the seal of the contents.
    func insertLookups(
        _ digests: [IndexDigest], in group: IndexDigest, ofRow id: Int64, _ db: Database
    ) throws(StoreError) -> [[UInt8]] {
        guard !digests.isEmpty else { return [] }
        for digest in digests {
            try run(.insertLookup, [.integer(id), .number(group.value), .number(digest.value)], db)
        }
        return Self.countedLookups(digests, in: group, ofRow: id)
    }

    /// Removes the rows of an item.
    ///
    /// - Returns: as of ``insertLookups(_:in:ofRow:_:)``.
    func deleteLookups(ofRow id: Int64, in table: ItemTable, _ db: Database) throws(StoreError) -> [[UInt8]] {
        guard table.hasLookups else { return [] }
        let stored = try countedLookups(ofRow: id, db)
        if !stored.isEmpty { try run(.deleteLookups, [.integer(id)], db) }
        return stored
    }

    /// Makes the rows of an item those of its attributes. The seal of the contents stays: it has the codes of the right
    /// rows since the item was written.
    ///
    /// - Returns: whether the rows were others.
    func correctLookups(
        _ digests: [IndexDigest], in group: IndexDigest, ofRow id: Int64, _ db: Database
    ) throws(StoreError) -> Bool {
        guard try countedLookups(ofRow: id, db) != Self.countedLookups(digests, in: group, ofRow: id) else {
            return false
        }
        try run(.deleteLookups, [.integer(id)], db)
        _ = try insertLookups(digests, in: group, ofRow: id, db)
        return true
    }

    /// Returns the number of items in a group that have a pair, at most `limit`. Reads only the index.
    func countLookups(
        of digest: IndexDigest, in group: IndexDigest, limit: Int64, _ db: Database
    ) throws(StoreError) -> Int64 {
        var count: Int64 = 0
        let arguments: [SQLiteValue] = [.number(group.value), .number(digest.value), .integer(limit)]
        try run(.countLookups, arguments, db) { row in count = row.integer(at: 0) ?? 0 }
        return count
    }

    private func countedLookups(ofRow id: Int64, _ db: Database) throws(StoreError) -> [[UInt8]] {
        var rows: [[UInt8]] = []
        try run(.lookupsOfRow, [.integer(id)], db) { row in rows.append(Self.countedLookup(row)) }
        return rows
    }

    /// Returns the bytes that represent a row of `ItemStatement.lookupsOfRow` or `lookups` in the seal of the contents.
    static func countedLookup(_ row: borrowing StatementRow) -> [UInt8] {
        var bytes = RowBytes(table: lookupTable)
        bytes.append(row)
        return bytes.bytes
    }

    /// Returns the same bytes of rows to write, in the order in which they are read.
    private static func countedLookups(
        _ digests: [IndexDigest], in group: IndexDigest, ofRow id: Int64
    ) -> [[UInt8]] {
        digests.sorted { $0.value < $1.value }.map { digest in
            var bytes = RowBytes(table: lookupTable)
            bytes.append(integer: id)
            bytes.append(number: group.value)
            bytes.append(number: digest.value)
            return bytes.bytes
        }
    }

    /// The number of the table in the seal of the contents (Documentation/Formats/database.md).
    private static let lookupTable: UInt8 = 18
}

extension ItemTable {
    var hasLookups: Bool { itemClass == .genericPassword }
}

extension ItemStore {
    /// Corrects the index of lookup attributes by the sealed attributes of all items that can be opened now. Other items
    /// keep their rows. If pages of the database are damaged, nothing is changed.
    ///
    /// - Returns: whether a row was missing, wrong or in excess.
    func rebuildLookups() throws(StoreError) -> Bool {
        guard let table = ItemTable.of(.genericPassword), !checkedContents.isDamaged, try hasWholePages() else {
            return false
        }
        var isChanged = false
        var position: Int64? = .min
        while let from = position {
            position = nil
            try StoreError.translating {
                try writer.inTransaction { db in
                    var rows: [SealedRow] = []
                    let page: [SQLiteValue] = [.integer(from), .integer(Self.rebuiltRows)]
                    try writer.run(table.statements.attributes, page, db) { row in
                        rows.append(SealedRow(row, table.itemClass, table, in: nil))
                    }
                    position = rows.last?.id
                    var hasWritten = false
                    for row in rows {
                        guard let binding = row.content?.binding,
                            let attributes = try? opened(row, table.itemClass, .attributes)?.attributes
                        else { continue }
                        let isCorrected = try writer.correctLookups(
                            digests.lookups(of: attributes), in: binding.accessGroup, ofRow: row.id, db)
                        hasWritten = hasWritten || isCorrected
                    }
                    isChanged = isChanged || hasWritten
                    return hasWritten ? .commit : .rollback
                }
            }
        }
        return isChanged
    }

    /// The items of one transaction.
    private static let rebuiltRows: Int64 = 256
}
