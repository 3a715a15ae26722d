// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSealing
import SQLiteStatements

/// The index of lookup attributes: table lookup has a row for each pair of each generic password, with the number of
/// the item's row, its access group, and the digest of the pair. A search takes the numbers of the rows that have a
/// pair, without reading rows that do not. The digests alone prove nothing, so that each found item is opened and
/// compared (`Search.Check`).
extension Connection {
    /// The rows that a change removed and added, as the bytes that represent them in the seal of the contents.
    struct LookupChange {
        var removed: [[UInt8]] = []
        var added: [[UInt8]] = []

        var isEmpty: Bool { removed.isEmpty && added.isEmpty }

        func apply(to sum: inout ContentsSum, _ coder: RowCoder) {
            for row in removed { sum.remove(coder.code(row)) }
            for row in added { sum.insert(coder.code(row)) }
        }
    }

    /// Adds the rows of a new item.
    func insertLookups(
        _ digests: [IndexDigest], in group: IndexDigest, ofRow id: Int64, _ db: Database
    ) throws(StoreError) -> LookupChange {
        guard !digests.isEmpty else { return LookupChange() }
        for digest in digests {
            try run(.insertLookup, [.integer(id), .number(group.value), .number(digest.value)], db)
        }
        return LookupChange(added: Self.countedLookups(digests, in: group, ofRow: id))
    }

    /// Replaces the rows of an item by those with these digests. Writes nothing if the item has exactly these already.
    func replaceLookups(
        by digests: [IndexDigest], in group: IndexDigest, ofRow id: Int64, _ db: Database
    ) throws(StoreError) -> LookupChange {
        var stored: [[UInt8]] = []
        try run(.lookupsOfRow, [.integer(id)], db) { row in stored.append(Self.countedLookup(row)) }
        guard stored != Self.countedLookups(digests, in: group, ofRow: id) else { return LookupChange() }
        if !stored.isEmpty { try run(.deleteLookups, [.integer(id)], db) }
        var change = try insertLookups(digests, in: group, ofRow: id, db)
        change.removed = stored
        return change
    }

    /// Removes the rows of an item.
    func deleteLookups(
        ofRow id: Int64, in table: ItemTable, _ db: Database
    ) throws(StoreError) -> LookupChange {
        guard table.hasLookups else { return LookupChange() }
        // No row is added, so the group does not matter.
        return try replaceLookups(by: [], in: IndexDigest(value: 0), ofRow: id, db)
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
    /// Corrects the index of lookup attributes by the sealed attributes of all items that open now. Other items keep
    /// their rows. If pages of the database are damaged, nothing is changed.
    ///
    /// - Returns: whether a row was missing, wrong or in excess.
    func rebuildLookups() throws(StoreError) -> Bool {
        guard let table = ItemTable.of(.genericPassword), !checkedContents.isDamaged, try hasWholePages() else {
            return false
        }
        let isUnlocked = lockState == .unlocked
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
                        let attributes: ItemAttributes?
                        do throws(StoreError) {
                            attributes = try opened(row, table.itemClass, .attributes)?.attributes
                        } catch {
                            if !isUnlocked { checkedContents.awaitsUnlock = true }
                            continue
                        }
                        guard let attributes, let binding = row.content?.binding else { continue }
                        // The seal does not change: it has the codes of the right rows since the item was written.
                        let change = try writer.replaceLookups(
                            by: digests.lookups(of: attributes), in: binding.accessGroup, ofRow: row.id, db)
                        hasWritten = hasWritten || !change.isEmpty
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
