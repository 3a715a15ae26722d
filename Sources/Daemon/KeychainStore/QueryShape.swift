// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSealing

/// The columns that a search compares, without their values. Searches of one shape share one prepared statement.
struct QueryShape: Hashable {
    let itemClass: ItemClass
    /// The columns that are compared exactly. Bit i represents column i of the class's ``ItemTable``.
    var columns: UInt32 = 0
    /// The columns that are compared by their folded text, without the differences that a search may ignore.
    var foldedColumns: UInt32 = 0
    /// The number of pairs of lookup attributes that items must have.
    var lookups = 0
    var comparesSynchronizable = false
    var comparesAccessibility = false
    /// The target of a persistent reference, compared by `item` or `id`.
    var target: Target?
    /// Whether the attributes and the secrets are read too. Both may be large, so a search that does not need them does
    /// not read them.
    var withAttributes = true
    var withData: Bool

    enum Target: Hashable { case item, row }

    init(_ itemClass: ItemClass, withAttributes: Bool, withData: Bool) {
        self.itemClass = itemClass
        self.withAttributes = withAttributes
        self.withData = withData
    }

    /// Returns the statement. Arguments in this order: target, access group, the digests of pairs of lookup attributes,
    /// the rarest first, the folded digest of the indexed column if that is compared exactly, the columns compared
    /// exactly and those compared folded, each in ascending bit order, synchronizable, accessibility, and the limit
    /// unless the key is named.
    func sql(_ table: ItemTable) -> String {
        let index = index(table)
        let conditions = conditions(table, by: index, row: "t", entry: "i")
        // The index ends with the row number, so this is the order in which it is read.
        let order = namesKey(table) ? "" : " ORDER BY \(index == nil ? "t" : "i").id LIMIT ?\(conditions.next)"
        return """
            SELECT \(selection(table, of: "t.")) FROM \(Self.source(table, by: index, row: "t", entry: "i")) \
            WHERE \(conditions.texts.joined(separator: " AND "))\(order)
            """
    }

    /// Returns the source of the rows to which an index leads. For a column that the index also has, SQLite would
    /// compare and return the content of the index, and read all other columns from the row that the entry names. An
    /// entry with a damaged number would then lead to another item. So the statement joins the index as a separate
    /// table, uses only its row numbers, and compares and reads the columns of the row.
    static func source(_ table: ItemTable, by index: SearchIndex?, row: String, entry: String) -> String {
        guard let index else { return "\(table.name) AS \(row)" }
        // CROSS JOIN is a join whose order SQLite keeps.
        return """
            \(index.table) AS \(entry) INDEXED BY \(index.name) \
            CROSS JOIN \(table.name) AS \(row) ON \(row).id = \(entry).id
            """
    }

    /// Returns the columns to read of a row, in the order that `SealedRow` expects.
    ///
    /// - Parameter alias: with a dot, if the statement has more than one table.
    func selection(_ table: ItemTable, of alias: String = "") -> String {
        let unique = table.uniqueness.map { table.columns[$0].name }
        let names = (["id", "item", "version", "accessibility", "sync", "agrp"] + unique).map { alias + $0 }
        // The key is always read: the constraints of the item are stored before it.
        let sealed = [(true, "item_key"), (withAttributes, "attributes"), (withData, "data")]
        return (names + sealed.map { $0 ? alias + $1 : "NULL" }).joined(separator: ", ")
    }

    /// Returns the conditions on a row, and the same conditions on its index entry, as far as the index has the
    /// columns.
    ///
    /// - Parameters:
    ///   - row, entry: the names of both in the statement.
    ///   - first: the number of the first argument.
    /// - Returns: the conditions, and the number of the argument after the last one.
    func conditions(
        _ table: ItemTable, by index: SearchIndex?, row: String, entry: String, first: Int = 1
    ) -> (texts: [String], next: Int) {
        var next = first
        var texts: [String] = []
        func compare(_ column: (String) -> String, inIndex: Bool) {
            if inIndex { texts.append("\(column(entry + ".")) = ?\(next)") }
            texts.append("\(column(row + ".")) = ?\(next)")
            next += 1
        }
        // SQLite does not infer by itself that a partial index contains only rows with the attribute.
        func expect(_ column: SearchColumn, inIndex: Bool) {
            guard !column.isUnique else { return }
            texts += (inIndex ? [entry, row] : [row]).map { "\($0).\(column.name) IS NOT NULL" }
        }
        switch target {
        case .item: compare({ $0 + "item" }, inIndex: true)
        case .row: compare({ $0 + "id" }, inIndex: false)
        case nil: break
        }
        let isOfItems = index?.isOfItems ?? false
        compare({ $0 + "agrp" }, inIndex: index != nil && !isOfItems)
        for place in 0..<lookups {
            if place == 0, index?.isOfLookups ?? false {
                texts.append("\(entry).digest = ?\(next)")
            } else {
                // By the number in the index entry, so that no row is read that lacks a pair.
                let id = "\(index == nil ? row : entry).id"
                texts.append("EXISTS (SELECT 1 FROM lookup AS l WHERE l.id = \(id) AND l.digest = ?\(next))")
            }
            next += 1
        }
        if let column = exactIndexedColumn(table) {
            let isInIndex = index?.folded == column
            compare(table.columns[column].foldedExpression, inIndex: isInIndex)
            expect(table.columns[column], inIndex: isInIndex)
        }
        for (bit, column) in table.columns.enumerated() where columns & 1 << bit != 0 {
            compare({ $0 + column.name }, inIndex: index?.exact.contains(bit) ?? false)
        }
        for (bit, column) in table.columns.enumerated() where foldedColumns & 1 << bit != 0 {
            let isInIndex = index?.folded == bit
            compare(column.foldedExpression, inIndex: isInIndex)
            expect(column, inIndex: isInIndex)
        }
        if comparesSynchronizable { compare({ $0 + "sync" }, inIndex: index?.hasSynchronizable ?? false) }
        if comparesAccessibility { compare({ $0 + "accessibility" }, inIndex: false) }
        if let index, !index.isOfItems, !index.isOfLookups { texts.append("\(entry).unreadable = 0") }
        texts.append("\(row).unreadable = 0 AND \(row).tomb = 0")
        return (texts, next)
    }

    /// Returns whether the query has all columns that nearly always identify a single item. Then there is usually one
    /// match: all matches are read, and the reader sorts them. If SQLite sorted them, it would copy each row, with the
    /// secret, into a sorter and out again.
    func namesKey(_ table: ItemTable) -> Bool { target == nil && columns & table.key == table.key }

    /// Returns whether the search takes its rows from the index of lookup attributes.
    func isByLookups(_ table: ItemTable) -> Bool { lookups > 0 && target == nil && !namesKey(table) }

    /// Returns the column that the search uses as its index and compares exactly, while the index is on folded digests.
    func exactIndexedColumn(_ table: ItemTable) -> Int? {
        guard target == nil, !namesKey(table), lookups == 0, let column = indexedColumn(table),
            columns & 1 << column != 0, table.columns[column].isFolded
        else { return nil }
        return column
    }

    func indexedColumn(_ table: ItemTable) -> Int? {
        let compared = columns | foldedColumns
        return table.columns.indices.first { compared & 1 << $0 != 0 && table.columns[$0].isIndexed }
    }

    /// Returns the index to search by; nil for a row by its number. SQLite has no statistics of these tables, and its
    /// estimate would prefer an index that saves sorting to an index that finds a single row, so each shape names its
    /// index. All indices but the first end with the row number, so that the first row in order is found without
    /// reading the others.
    func index(_ table: ItemTable) -> SearchIndex? {
        switch target {
        case .item: return .ofItems(table)
        case .row: return nil
        case nil: break
        }
        if namesKey(table) { return .unique(table) }
        if lookups > 0 { return .ofLookups }
        return indexedColumn(table).map { .of($0, in: table) } ?? .ofGroups(table)
    }
}

/// An index of an item table, or the index of lookup attributes, and the columns that its entries have.
struct SearchIndex {
    /// The name of the table that has the index.
    let table: String
    let name: String
    /// The places of the columns with exact content.
    let exact: [Int]
    /// The place of the column whose folded digests the index has.
    let folded: Int?
    let hasSynchronizable: Bool
    /// Whether the index is the one by item identifier, which alone has no group and includes rows that are set aside.
    let isOfItems: Bool
    /// Whether the index is that of lookup attributes, which also has rows that are set aside.
    let isOfLookups: Bool

    private init(
        _ table: ItemTable, _ name: String, exact: [Int] = [], folded: Int? = nil, hasSynchronizable: Bool = false,
        isOfItems: Bool = false
    ) {
        self.table = table.name
        self.name = "\(table.name)_\(name)"
        self.exact = exact
        self.folded = folded
        self.hasSynchronizable = hasSynchronizable
        self.isOfItems = isOfItems
        isOfLookups = false
    }

    private init(ofLookups name: String, in table: String) {
        (self.table, self.name) = (table, name)
        (exact, folded, hasSynchronizable, isOfItems, isOfLookups) = ([], nil, false, false, true)
    }

    static let ofLookups = SearchIndex(ofLookups: "lookup_digest", in: "lookup")

    static func ofItems(_ table: ItemTable) -> SearchIndex { SearchIndex(table, "item", isOfItems: true) }

    static func ofGroups(_ table: ItemTable) -> SearchIndex { SearchIndex(table, "agrp") }

    static func unique(_ table: ItemTable) -> SearchIndex {
        SearchIndex(table, "unique", exact: table.uniqueness, hasSynchronizable: true)
    }

    static func of(_ place: Int, in table: ItemTable) -> SearchIndex {
        let column = table.columns[place]
        return column.isFolded
            ? SearchIndex(table, column.name, folded: place) : SearchIndex(table, column.name, exact: [place])
    }
}
