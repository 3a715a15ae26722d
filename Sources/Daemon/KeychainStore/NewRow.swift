// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements

/// A version of an item, sealed and ready to write.
struct NewRow {
    let binding: ItemBinding
    let table: ItemTable
    private let sealed: SealedItem
    private let index: IndexColumns
    /// The digests of the pairs of lookup attributes.
    fileprivate let lookups: [IndexDigest]
    private let isTombstone: Bool
    /// Whether the item belongs to an enforced program.
    fileprivate let isInEnforcedGroup: Bool

    /// Seals an item.
    ///
    /// - Parameter material: the key material for an item with constraints.
    /// - Throws: `.keyNotAvailable`, `.passwordNeeded`, `.refused`.
    init(
        _ attributes: ItemAttributes, data: UnsafeRawBufferPointer?, item: ItemIdentifier, version: UInt64,
        keyRing: KeyRing, digests: AttributeDigests, material: ItemKeyMaterial
    ) throws(StoreError) {
        let itemClass = attributes.itemClass
        guard let table = ItemTable.of(itemClass) else { preconditionFailure("no table for the class") }
        let index = IndexColumns(of: attributes, table, digests)
        let binding = ItemBinding(
            itemClass: itemClass, accessibility: attributes.accessibility,
            isSynchronizable: attributes.isSynchronizable, item: item, rowVersion: version,
            accessGroup: digests.group(attributes.accessGroup ?? "", itemClass),
            uniqueness: table.uniqueness.map { place in index.columns[place].digest }, access: attributes.itemAccess)
        do {
            // The caller lends the bytes for the duration of the call.
            sealed = unsafe try keyRing.seal(attributes, data: data, to: binding, material: material)
        } catch {
            throw StoreError(error)
        }
        isTombstone = attributes.isTombstone
        isInEnforcedGroup = attributes.accessGroup.map(EnforcedGroup.contains) ?? false
        lookups = table.hasLookups ? digests.lookups(of: attributes) : []
        self.table = table
        self.index = index
        self.binding = binding
    }

    /// The values in the order of the columns of `ItemStatements`.
    fileprivate var values: [SQLiteValue] {
        var values: [SQLiteValue] = []
        values.reserveCapacity(index.count + 10)
        values.append(.number(binding.item.value))
        values.append(.integer(Int64(binding.rowVersion)))
        values.append(.integer(Int64(binding.accessibility.rawValue)))
        values.append(.integer(binding.isSynchronizable ? 1 : 0))
        values.append(.integer(isTombstone ? 1 : 0))
        values.append(.number(binding.accessGroup.value))
        values.append(.bytes(sealed.wrappedKey))
        values.append(.bytes(sealed.attributes))
        values.append(.bytes(sealed.data))
        values += index.arguments
        return values
    }

    /// The number of bytes of the sealed attributes that the seal of the contents covers: version, part and nonce,
    /// which are unique to each sealing.
    static let countedAttributeBytes = 14

    /// Returns the bytes that represent the row in the seal of the contents: the columns of `ItemStatements.counted`.
    fileprivate func countedBytes(_ id: Int64) -> [UInt8] {
        var row = RowBytes(table: table.itemClass.rawValue)
        row.append(integer: id)
        row.append(number: binding.item.value)
        row.append(integer: Int64(binding.rowVersion))
        row.append(integer: Int64(binding.accessibility.rawValue))
        row.append(integer: binding.isSynchronizable ? 1 : 0)
        row.append(integer: isTombstone ? 1 : 0)
        row.append(number: binding.accessGroup.value)
        row.append(blob: sealed.wrappedKey)
        index.append(to: &row)
        row.append(blob: sealed.attributes.prefix(Self.countedAttributeBytes))
        return row.bytes
    }

    /// The values that identify the item. Arguments of `ItemStatements.tombstone`.
    fileprivate var identity: [SQLiteValue] {
        [.number(binding.accessGroup.value), .integer(binding.isSynchronizable ? 1 : 0)]
            + table.uniqueness.map { index.columns[$0].argument }
    }

    func isSameItem(as other: ItemBinding) -> Bool {
        binding.accessGroup == other.accessGroup && binding.isSynchronizable == other.isSynchronizable
            && binding.uniqueness == other.uniqueness
    }
}

/// The digests by which an item is found, computed from its attributes.
struct IndexColumns {
    /// The contents, in the order of the table's columns.
    fileprivate var columns: [ColumnContent]
    /// The folded contents, in the order of the table's folded columns.
    private var folded: [ColumnContent]

    init(of attributes: ItemAttributes, _ table: ItemTable, _ digests: AttributeDigests) {
        columns = table.absent
        folded = table.unfolded
        for entry in attributes.entries {
            guard let place = table.position(of: entry.key) else { continue }
            let column = table.columns[place]
            columns[place] = digests.column(entry.value, column, attributes.itemClass)
            if let foldedPlace = column.foldedPlace,
                let content = digests.foldedColumn(entry.value, column, attributes.itemClass)
            {
                folded[foldedPlace] = content
            }
        }
    }

    fileprivate var count: Int { columns.count + folded.count }

    var arguments: [SQLiteValue] { columns.map(\.argument) + folded.map(\.argument) }

    fileprivate func append(to row: inout RowBytes) {
        for column in columns { column.append(to: &row) }
        for column in folded { column.append(to: &row) }
    }
}

/// A deleted item whose deletion other devices have to learn of (semantics 2.8).
struct Tombstone {
    let id: Int64
    let item: ItemIdentifier
    let version: UInt64
}

extension ItemAttributes {
    var isTombstone: Bool { self[.tombstone] == .number(1) }

    /// The access constraints for which a new version of the item is sealed.
    var itemAccess: ItemAccess? {
        guard case .accessControl(let control) = self[.accessControl] else { return nil }
        return ItemAccess(control.flags)
    }
}

extension Connection {
    func insert(_ row: NewRow, _ db: Database) throws(StoreError) {
        try run(row.table.statements.insert, row.values, db)
        try noteGroup(of: row, db)
        let id = db.lastInsertedRow
        let bytes = row.countedBytes(id)
        let lookups = try insertLookups(row.lookups, in: row.binding.accessGroup, ofRow: id, db)
        try seal(db) { sum, coder in
            sum.insert(coder.code(bytes))
            lookups.apply(to: &sum, coder)
        }
    }

    func update(_ id: Int64, _ row: NewRow, _ db: Database) throws(StoreError) {
        let old = try countedBytes(id, row.table, db)
        try run(row.table.statements.update, row.values + [.integer(id)], db)
        try noteGroup(of: row, db)
        guard let old else { return }
        let new = row.countedBytes(id)
        let lookups =
            row.table.hasLookups
            ? try replaceLookups(by: row.lookups, in: row.binding.accessGroup, ofRow: id, db) : LookupChange()
        try seal(db) { sum, coder in
            sum.remove(coder.code(old))
            sum.insert(coder.code(new))
            lookups.apply(to: &sum, coder)
        }
    }

    /// Stores the group of an enforced program in the table of such groups, which searches over all groups exclude.
    private func noteGroup(of row: NewRow, _ db: Database) throws(StoreError) {
        guard row.isInEnforcedGroup else { return }
        try noteEnforcedGroup(row.binding.accessGroup, row.table.itemClass, db)
    }

    func noteEnforcedGroup(_ group: IndexDigest, _ itemClass: ItemClass, _ db: Database) throws(StoreError) {
        try run(.noteEnforcedGroup, [.integer(Int64(itemClass.rawValue)), .number(group.value)], db)
    }

    func delete(_ id: Int64, in table: ItemTable, _ db: Database) throws(StoreError) {
        try deleteGrants(ofRow: id, in: table, db)
        let old = try countedBytes(id, table, db)
        try run(table.statements.delete, [.integer(id)], db)
        guard let old else { return }
        let lookups = try deleteLookups(ofRow: id, in: table, db)
        try seal(db) { sum, coder in
            sum.remove(coder.code(old))
            lookups.apply(to: &sum, coder)
        }
    }

    /// Returns the bytes that represent a row in its current state; nil if the row does not exist.
    private func countedBytes(_ id: Int64, _ table: ItemTable, _ db: Database) throws(StoreError) -> [UInt8]? {
        var bytes: [UInt8]?
        try run(table.statements.counted, [.integer(id)], db) { row in bytes = table.countedBytes(row) }
        return bytes
    }

    /// Returns the tombstone of this item.
    func tombstone(inPlaceOf row: NewRow, _ db: Database) throws(StoreError) -> Tombstone? {
        var found: Tombstone?
        try run(row.table.statements.tombstone, row.identity, db) { row in
            guard let id = row.integer(at: 0), let item = row.number(at: 1),
                let version = row.integer(at: 2).flatMap(UInt64.init(exactly:))
            else { return }
            found = Tombstone(id: id, item: ItemIdentifier(value: item), version: version)
        }
        return found
    }

    /// Makes a tombstone of an item whose attributes cannot be opened now: the attributes stay, the secret is removed,
    /// and the item leaves the index of lookup attributes.
    func bury(_ id: Int64, in table: ItemTable, _ db: Database) throws(StoreError) {
        let old = try countedBytes(id, table, db)
        try run(table.statements.bury, [.integer(id)], db)
        let new = try countedBytes(id, table, db)
        let lookups = try deleteLookups(ofRow: id, in: table, db)
        try seal(db) { sum, coder in
            if let old { sum.remove(coder.code(old)) }
            if let new { sum.insert(coder.code(new)) }
            lookups.apply(to: &sum, coder)
        }
    }

    /// Returns the row of the same item, or the tombstone that replaced it.
    func sameItem(as row: NewRow, _ db: Database) throws(StoreError) -> (row: SealedRow, isTombstone: Bool)? {
        try marked(row.table.statements.same, row.identity, in: row.table, db)
    }

    /// Returns the row with a number, which may be a tombstone.
    func row(
        _ number: Int64, of table: ItemTable, _ db: Database
    ) throws(StoreError) -> (row: SealedRow, isTombstone: Bool)? {
        try marked(table.statements.numbered, [.integer(number)], in: table, db)
    }

    private func marked(
        _ statement: ItemStatement, _ arguments: [SQLiteValue], in table: ItemTable, _ db: Database
    ) throws(StoreError) -> (row: SealedRow, isTombstone: Bool)? {
        var found: (SealedRow, Bool)?
        try run(statement, arguments, db) { row in
            let isTombstone = row.integer(at: SealedRow.columnCount(table)) == 1
            found = (SealedRow(row, table.itemClass, table, in: nil), isTombstone)
        }
        return found
    }

    /// Returns the number of the row with an item's identifier.
    func owner(of item: ItemIdentifier, in table: ItemTable, _ db: Database) throws(StoreError) -> Int64? {
        var owner: Int64?
        try run(table.statements.owner, [.number(item.value)], db) { row in owner = row.integer(at: 0) }
        return owner
    }

    /// Sets a row aside, if it still has the version that was read: it may have been replaced since.
    func setAside(_ row: SealedRow, in table: ItemTable, _ db: Database) throws(StoreError) {
        try run(table.statements.setAside, [.integer(row.id), row.version.map { .integer($0) } ?? .null], db)
    }
}

extension ItemTable {
    /// Returns the bytes that represent a row of `ItemStatements.counted`.
    func countedBytes(_ row: borrowing StatementRow) -> [UInt8] {
        var bytes = RowBytes(table: itemClass.rawValue)
        bytes.append(row)
        return bytes.bytes
    }
}

extension ColumnContent {
    fileprivate func append(to row: inout RowBytes) {
        switch self {
        case .null: row.appendNull()
        case .noBytes: row.append(blob: Data())
        case .digest(let digest): row.append(number: digest.value)
        }
    }
}

extension Database {
    func countItems(in table: ItemTable) throws(SQLiteError) -> (items: Int, unreadable: Int) {
        let row = try rows(of: table.statements.count).first
        let all = Int(row?[0].real ?? 0)
        let unreadable = Int(row?[1].real ?? 0)
        return (all - unreadable, unreadable)
    }
}
