// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import KeychainModel
import KeychainSealing

/// A row of the item table as it was read: sealed parts and what they are bound to.
struct SealedRow: Sendable {
    let id: Int64
    /// Nil when a column holds what this store does not write; such a row is set aside.
    let content: Content?
    /// The version column as it is, whatever it is, for naming exactly this row.
    let version: DatabaseValue
    let accessibility: Accessibility
    /// The name of the group in which the row was searched; nil for a row of another.
    let accessGroup: String?

    struct Content: Sendable {
        let binding: ItemBinding
        let wrappedKey: Data
        let attributes: Data
        /// Nil when the search left it out.
        let data: Data?
    }

    init(_ columns: RowColumns, _ itemClass: ItemClass, withData: Bool, in accessGroup: String?) {
        self.accessGroup = accessGroup
        id = columns.id
        version = columns.version
        let accessibility = UInt8(exactly: columns.accessibility).flatMap(Accessibility.init(rawValue:))
        self.accessibility = accessibility ?? .whenUnlocked
        content = accessibility.flatMap { Content(columns, itemClass, $0, withData: withData) }
    }
}

extension SealedRow.Content {
    fileprivate init?(_ columns: RowColumns, _ itemClass: ItemClass, _ accessibility: Accessibility, withData: Bool) {
        guard let item = ItemIdentifier(bytes: columns.item),
            case .int64(let number) = columns.version.storage, let version = UInt64(exactly: number),
            let group = IndexDigest(bytes: Array(columns.accessGroup)),
            columns.synchronizable == 0 || columns.synchronizable == 1
        else { return nil }
        var uniqueness: [IndexDigest?] = []
        uniqueness.reserveCapacity(columns.uniqueness.count)
        for bytes in columns.uniqueness {
            let digest = IndexDigest(bytes: Array(bytes))
            guard digest != nil || bytes.isEmpty else { return nil }
            uniqueness.append(digest)
        }
        binding = ItemBinding(
            itemClass: itemClass, accessibility: accessibility, isSynchronizable: columns.synchronizable == 1,
            item: item, rowVersion: version, accessGroup: group, uniqueness: uniqueness)
        wrappedKey = columns.wrappedKey
        attributes = columns.attributes
        data = withData ? columns.data : nil
    }
}

/// The columns of a search's result, in the order of `QueryShape.sql`, as SQLite gives them: converting never fails,
/// whatever type a damaged file has put into a column.
///
/// GRDB takes it for a value of the first column. That is the way past its `Row`, which makes a dictionary of column
/// names for each search and doubles the cost of a lookup.
struct RowColumns: StatementColumnConvertible, DatabaseValueConvertible {
    let id: Int64
    let item: Data
    let version: DatabaseValue
    let accessibility: Int64
    let synchronizable: Int64
    let accessGroup: Data
    /// Account, service, view hint, token identifier.
    let uniqueness: [Data]
    let wrappedKey: Data
    let attributes: Data
    let data: Data

    init?(sqliteStatement row: SQLiteStatement, index: CInt) {
        // GRDB lends the statement, standing on a row; columns are copied out of it.
        unsafe id = Int64(sqliteStatement: row, index: 0)
        unsafe item = Data(sqliteStatement: row, index: 1)
        unsafe version = DatabaseValue(sqliteStatement: row, index: 2)
        unsafe accessibility = Int64(sqliteStatement: row, index: 3)
        unsafe synchronizable = Int64(sqliteStatement: row, index: 4)
        unsafe accessGroup = Data(sqliteStatement: row, index: 5)
        unsafe uniqueness = [
            Data(sqliteStatement: row, index: 6), Data(sqliteStatement: row, index: 7),
            Data(sqliteStatement: row, index: 8), Data(sqliteStatement: row, index: 9),
        ]
        unsafe wrappedKey = Data(sqliteStatement: row, index: 10)
        unsafe attributes = Data(sqliteStatement: row, index: 11)
        unsafe data = Data(sqliteStatement: row, index: 12)
    }

    // Never asked for: it is only read, and only from statements.
    var databaseValue: DatabaseValue { .null }
    static func fromDatabaseValue(_: DatabaseValue) -> RowColumns? { nil }
}
