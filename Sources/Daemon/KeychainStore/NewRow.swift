// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import KeychainModel
import KeychainSealing

/// A version of an item, sealed and ready to be written.
struct NewRow {
    let binding: ItemBinding
    let sealed: SealedItem
    /// In the order of `SearchColumn.all`.
    let columns: [[UInt8]?]

    /// - Throws: `.keyNotAvailable`.
    init(
        _ attributes: ItemAttributes, data: UnsafeRawBufferPointer?, item: ItemIdentifier, version: UInt64,
        keybag: UnlockedKeybag, digests: AttributeDigests
    ) throws(StoreError) {
        let itemClass = attributes.itemClass
        var columns = Self.emptyColumns
        for entry in attributes.entries {
            guard let place = SearchColumn.position(of: entry.key) else { continue }
            columns[place] = digests.column(entry.value, SearchColumn.all[place], itemClass)
        }
        let binding = ItemBinding(
            itemClass: itemClass, accessibility: attributes.accessibility,
            isSynchronizable: attributes.isSynchronizable, item: item, rowVersion: version,
            accessGroup: digests.group(attributes.accessGroup ?? "", itemClass),
            uniqueness: Self.uniquenessPlaces.map { place in columns[place].flatMap(IndexDigest.init(bytes:)) })
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

    private static let emptyColumns: [[UInt8]?] = SearchColumn.all.map { $0.isUnique ? [] : nil }

    /// In the order of `ItemStatements.columns`.
    fileprivate var values: [DatabaseValue] {
        var values: [DatabaseValue] = [
            Data(binding.item.bytes).databaseValue, Int64(binding.rowVersion).databaseValue,
            Int64(binding.accessibility.rawValue).databaseValue, (binding.isSynchronizable ? 1 : 0).databaseValue,
            Data(binding.accessGroup.bytes).databaseValue, sealed.wrappedKey.databaseValue,
            sealed.attributes.databaseValue, sealed.data.databaseValue,
        ]
        for column in columns { values.append(column.map { Data($0).databaseValue } ?? .null) }
        return values
    }
}

private enum ItemStatements {
    static let columns =
        ["item", "version", "accessibility", "sync", "agrp", "item_key", "attributes", "data"]
        + SearchColumn.all.map(\.name)

    static let insert = """
        INSERT INTO genp (\(columns.joined(separator: ", "))) \
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
    static let update = "UPDATE genp SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
    static let delete = "DELETE FROM genp WHERE id = ?"
    static let setAside = "UPDATE genp SET unreadable = 1 WHERE id = ? AND version IS ?"
    static let count = "SELECT count(*), total(unreadable <> 0) FROM genp"
}

extension Database {
    func insert(_ row: NewRow) throws {
        try run(ItemStatements.insert, row.values)
    }

    func update(_ id: Int64, _ row: NewRow) throws {
        try run(ItemStatements.update, row.values + [id.databaseValue])
    }

    func delete(_ id: Int64) throws {
        try run(ItemStatements.delete, [id.databaseValue])
    }

    /// Only the version that was read: it may have been replaced since.
    func setAside(_ row: SealedRow) throws {
        try run(ItemStatements.setAside, [row.id.databaseValue, row.version])
    }

    func countItems() throws -> (items: Int, unreadable: Int) {
        let row = try Row.fetchOne(try cachedStatement(sql: ItemStatements.count))
        let unreadable = Int(try row?.decode(Double.self, atIndex: 1) ?? 0)
        let all = try row?.decode(Int.self, atIndex: 0) ?? 0
        return (all - unreadable, unreadable)
    }

    private func run(_ sql: String, _ values: [DatabaseValue]) throws {
        let statement = try cachedStatement(sql: sql)
        // As many values as the text has places, by the way both are made.
        statement.setUncheckedArguments(StatementArguments(values))
        // A statement that fails is dropped by GRDB and must not be touched again.
        try statement.execute()
        // Otherwise the statement would keep what may be megabytes until its next use.
        statement.setUncheckedArguments([])
    }
}
