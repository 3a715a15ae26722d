// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import KeychainModel
import KeychainSealing
import SQLiteStatements

/// A version of an item, sealed and ready to be written.
struct NewRow {
    let binding: ItemBinding
    let sealed: SealedItem
    /// In the order of `SearchColumn.all`.
    let columns: [ColumnContent]

    /// - Throws: `.keyNotAvailable`.
    init(
        _ attributes: ItemAttributes, data: UnsafeRawBufferPointer?, item: ItemIdentifier, version: UInt64,
        keybag: UnlockedKeybag, digests: AttributeDigests
    ) throws(StoreError) {
        let itemClass = attributes.itemClass
        var columns = SearchColumn.absent
        for entry in attributes.entries {
            guard let place = SearchColumn.position(of: entry.key) else { continue }
            columns[place] = digests.column(entry.value, entry.key, itemClass)
        }
        let binding = ItemBinding(
            itemClass: itemClass, accessibility: attributes.accessibility,
            isSynchronizable: attributes.isSynchronizable, item: item, rowVersion: version,
            accessGroup: digests.group(attributes.accessGroup ?? "", itemClass),
            uniqueness: Self.uniquenessPlaces.map { place in columns[place].digest })
        do {
            // The caller lends the bytes for the time of the call.
            sealed = unsafe try keybag.seal(attributes, data: data, to: binding)
        } catch {
            throw StoreError(error)
        }
        self.columns = columns
        self.binding = binding
    }

    /// The uniqueness attributes in the order in which they are bound: that of the table.
    private static let uniquenessPlaces = [AttributeKey.account, .service, .syncViewHint, .tokenID].map {
        // All four are in the table of columns.
        SearchColumn.position(of: $0)!
    }

    /// In the order of `ItemStatements.columns`.
    fileprivate var values: [PreparedStatement.Argument] {
        var values: [PreparedStatement.Argument] = []
        values.reserveCapacity(columns.count + 9)
        values.append(.number(binding.item.value))
        values.append(.integer(Int64(binding.rowVersion)))
        values.append(.integer(Int64(binding.accessibility.rawValue)))
        values.append(.integer(binding.isSynchronizable ? 1 : 0))
        values.append(.number(binding.accessGroup.value))
        values.append(.bytes(sealed.wrappedKey))
        values.append(.bytes(sealed.attributes))
        values.append(.bytes(sealed.data))
        for column in columns { values.append(column.argument) }
        return values
    }
}

private enum ItemStatements {
    static let columns =
        ["item", "version", "accessibility", "sync", "agrp", "item_key", "attributes", "data"]
        + SearchColumn.all.map(\.name)

    /// The row number is one more than any that was ever used.
    static let insert = """
        INSERT INTO genp (id, \(columns.joined(separator: ", "))) \
        VALUES (max(ifnull((SELECT max(id) FROM genp), 0), (SELECT last FROM numbering)) + 1, \
        \(columns.map { _ in "?" }.joined(separator: ", ")))
        """
    static let update = "UPDATE genp SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
    static let delete = "DELETE FROM genp WHERE id = ?"
    static let setAside = """
        UPDATE genp SET unreadable = 1 \
        WHERE id = ? AND CASE typeof(version) WHEN 'integer' THEN version END IS ?
        """
    static let count = "SELECT count(*), total(unreadable <> 0) FROM genp"
}

extension Connection {
    func insert(_ row: NewRow, _ db: Database) throws(StoreError) {
        try run(ItemStatements.insert, row.values, db)
    }

    func update(_ id: Int64, _ row: NewRow, _ db: Database) throws(StoreError) {
        try run(ItemStatements.update, row.values + [.integer(id)], db)
    }

    func delete(_ id: Int64, _ db: Database) throws(StoreError) {
        try run(ItemStatements.delete, [.integer(id)], db)
    }

    /// Only the version that was read: it may have been replaced since.
    func setAside(_ row: SealedRow, _ db: Database) throws(StoreError) {
        try run(ItemStatements.setAside, [.integer(row.id), row.version.map { .integer($0) } ?? .null], db)
    }
}

extension Database {
    func countItems() throws -> (items: Int, unreadable: Int) {
        let row = try Row.fetchOne(try cachedStatement(sql: ItemStatements.count))
        let unreadable = Int(try row?.decode(Double.self, atIndex: 1) ?? 0)
        let all = try row?.decode(Int.self, atIndex: 0) ?? 0
        return (all - unreadable, unreadable)
    }
}
