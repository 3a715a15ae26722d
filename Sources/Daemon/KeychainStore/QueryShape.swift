// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSealing

/// Which columns a search compares, apart from their values. Searches of one shape share one prepared statement.
struct QueryShape: Hashable {
    let itemClass: ItemClass
    /// Compared exactly. Bit i stands for column i of the class's ``ItemTable``.
    var columns: UInt32 = 0
    /// Compared by what is left of a text when all differences are overlooked that a search may overlook.
    var foldedColumns: UInt32 = 0
    var comparesSynchronizable = false
    var comparesAccessibility = false
    /// By `item` or `id`: the target of a persistent reference.
    var target: Target?
    /// Whether the attributes and the secrets are read too. Both may be large, so a search that does not need them
    /// leaves them alone.
    var withAttributes = true
    var withData: Bool

    enum Target: Hashable { case item, row }

    init(_ itemClass: ItemClass, withAttributes: Bool, withData: Bool) {
        self.itemClass = itemClass
        self.withAttributes = withAttributes
        self.withData = withData
    }

    /// Arguments in this order: target, access group, the folded digest of the indexed column if that is compared
    /// exactly, the columns compared exactly and those compared folded, each in ascending bit order, synchronizable,
    /// accessibility, and the limit unless the key is named.
    func sql(_ table: ItemTable) -> String {
        """
        SELECT \(selection(table)) FROM \(table.name)\(index(table).map { " INDEXED BY \($0)" } ?? "") \
        WHERE \(conditions(table).joined(separator: " AND "))\(namesKey(table) ? "" : " ORDER BY id LIMIT ?")
        """
    }

    /// What is read of a row, in the order in which `SealedRow` takes it.
    ///
    /// - Parameter alias: with a dot, where the statement has more tables than one.
    func selection(_ table: ItemTable, of alias: String = "") -> String {
        let unique = table.uniqueness.map { table.columns[$0].name }
        let names = (["id", "item", "version", "accessibility", "sync", "agrp"] + unique).map { alias + $0 }
        // The key in any case: before it stands what the item is constrained to.
        let sealed = [(true, "item_key"), (withAttributes, "attributes"), (withData, "data")]
        return (names + sealed.map { $0 ? alias + $1 : "NULL" }).joined(separator: ", ")
    }

    func conditions(_ table: ItemTable, of alias: String = "") -> [String] {
        var conditions: [String] = []
        switch target {
        case .item: conditions.append("\(alias)item = ?")
        case .row: conditions.append("\(alias)id = ?")
        case nil: break
        }
        conditions.append("\(alias)agrp = ?")
        if let column = exactIndexedColumn(table) {
            conditions.append("\(table.columns[column].foldedExpression(of: alias)) = ?")
        }
        for (bit, column) in table.columns.enumerated() where columns & 1 << bit != 0 {
            conditions.append("\(alias)\(column.name) = ?")
        }
        for (bit, column) in table.columns.enumerated() where foldedColumns & 1 << bit != 0 {
            conditions.append("\(column.foldedExpression(of: alias)) = ?")
            // What an index on only the rows that have the attribute promises, SQLite does not see by itself.
            if !column.isUnique { conditions.append("\(alias)\(column.name) IS NOT NULL") }
        }
        if comparesSynchronizable { conditions.append("\(alias)sync = ?") }
        if comparesAccessibility { conditions.append("\(alias)accessibility = ?") }
        conditions.append("\(alias)unreadable = 0 AND \(alias)tomb = 0")
        return conditions
    }

    /// Whether all columns are given that nearly always tell a single item. Then there is one match as a rule: all are
    /// read, and what reads them puts them in order. Had SQLite to, it would copy each row, with the secret, into a
    /// sorter and out again.
    func namesKey(_ table: ItemTable) -> Bool { target == nil && columns & table.key == table.key }

    /// The column by which the search goes and that is compared exactly, while its index is of folded digests.
    func exactIndexedColumn(_ table: ItemTable) -> Int? {
        guard target == nil, !namesKey(table), let column = indexedColumn(table), columns & 1 << column != 0,
            table.columns[column].isFolded
        else { return nil }
        return column
    }

    func indexedColumn(_ table: ItemTable) -> Int? {
        let compared = columns | foldedColumns
        return table.columns.indices.first { compared & 1 << $0 != 0 && table.columns[$0].isIndexed }
    }

    /// The index to search by. SQLite has no statistics of our tables, and its guess would prefer an index that saves
    /// sorting to one that finds a single row; so each shape says it itself. All but the first end with the row number,
    /// so that the first row in order is found without looking at the others.
    func index(_ table: ItemTable) -> String? {
        guard target == nil else { return nil }
        if namesKey(table) { return "\(table.name)_unique" }
        return "\(table.name)_\(indexedColumn(table).map { table.columns[$0].name } ?? "agrp")"
    }
}
