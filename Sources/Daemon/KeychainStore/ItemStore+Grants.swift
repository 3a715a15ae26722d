// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
public import KeychainPolicy
import KeychainSealing
import SQLiteStatements

// Lasting grants, which users gave to programs. Each row is sealed and bound to its number and item, and the seal of
// the contents covers all of them. A grant is deleted with its item.
extension ItemStore {
    /// Stores a grant for each of the items; it is on the disk when this returns.
    ///
    /// The new grant replaces an equal grant that was given when the program was identified at another tier. Items that
    /// no longer exist, and rows that have no persistent reference, are left out.
    ///
    /// - Throws: `.diskFull`, `.readOnly`, `.damaged(.database)`, `.inputOutput`, `.closed`; then nothing is stored.
    public func remember(_ lasting: LastingGrant) throws(StoreError) {
        let now = clock()
        try StoreError.translating {
            try writer.keeping { db throws(StoreError) in
                for reference in lasting.items {
                    guard case .item(let item) = reference.target, let table = ItemTable.of(reference.itemClass),
                        try writer.isPresent(item, in: table, db)
                    else { continue }
                    let before = try writer.grantRows(.grantsOfItem, [.number(item.value)], db)
                    try writer.delete(
                        before.filter { row in
                            guard let old = opened(row) else { return false }
                            return old.identity.isExactly(lasting.identity) && old.operation == lasting.operation
                        }, db)
                    let number = try writer.nextGrantNumber(db)
                    let grant = RememberedGrant(
                        number: number, identity: lasting.identity, tier: lasting.tier, operation: lasting.operation,
                        itemClass: reference.itemClass, item: item, date: now)
                    try writer.insert(try GrantRow(grant, grantKey), db)
                }
            }
        }
    }

    /// Returns the grants for these items. Returns none while the rows differ from those that the service left, because
    /// another program could have restored a revoked grant. Rows that do not open are skipped.
    ///
    /// Checks all rows of the keychain first, if they were not checked since the start.
    ///
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func grants(of items: [PersistentReference]) throws(StoreError) -> [RememberedGrant] {
        let rows = try StoreError.translating {
            try writer.access { db in
                var rows: [GrantRow] = []
                for reference in items {
                    guard case .item(let item) = reference.target else { continue }
                    rows += try writer.grantRows(.grantsOfItem, [.number(item.value)], db)
                }
                return rows
            }
        }
        guard !rows.isEmpty else { return [] }
        let state = contentsState == .unknown ? try checkContents() : contentsState
        guard state == .asLeft else { return [] }
        return rows.compactMap(opened)
    }

    /// Returns the grants after a number in ascending order, from at most this many rows. Rows that do not open are
    /// left out.
    ///
    /// - Returns: the grants, and the number to continue at; nil if there are no more.
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func grants(
        after number: UInt64, limit: Int
    ) throws(StoreError) -> (grants: [RememberedGrant], next: UInt64?) {
        let rows = try StoreError.translating {
            try writer.access { db in
                try writer.grantRows(.grantPage, [.integer(Int64(clamping: number)), .integer(Int64(limit) + 1)], db)
            }
        }
        let page = rows.prefix(limit)
        return (page.compactMap(opened), rows.count > limit ? page.last.map { UInt64(clamping: $0.id) } : nil)
    }

    /// Revokes grants; they are gone from the disk when this returns. ``GrantSelection/all`` also removes rows that do
    /// not open.
    ///
    /// - Returns: the number of revoked grants.
    /// - Throws: as ``remember(_:)``; then nothing is revoked.
    public func revokeGrants(_ selection: GrantSelection) throws(StoreError) -> Int {
        var count = 0
        try StoreError.translating {
            try writer.keeping { db throws(StoreError) in
                let all = try writer.grantRows(.grantPage, [.integer(0), .integer(-1)], db)
                let rows = all.filter { row in
                    switch selection {
                    case .all: true
                    case .number(let number): UInt64(exactly: row.id) == number
                    case .program(let identity): opened(row)?.identity.isExactly(identity) ?? false
                    }
                }
                try writer.delete(rows, db)
                count = rows.count
            }
        }
        return count
    }

    func opened(_ row: GrantRow) -> RememberedGrant? {
        guard let number = UInt64(exactly: row.id), let item = row.item else { return nil }
        do throws(SealingError) {
            return try grantKey.open(row.sealed, number: number, item: item)
        } catch {
            return nil
        }
    }
}

/// A row of the table of grants.
struct GrantRow {
    let id: Int64
    /// The item of the grant; nil if the column has a value that this store does not write.
    let item: ItemIdentifier?
    let sealed: Data
    /// The bytes that represent the row in the seal of the contents.
    let counted: [UInt8]

    /// No item class has this number.
    static let table: UInt8 = 16

    /// Reads a row of `id, item, bytes`.
    fileprivate init(_ row: borrowing StatementRow) {
        id = row.integer(at: 0) ?? 0
        item = row.number(at: 1).map(ItemIdentifier.init(value:))
        sealed = row.bytes(at: 2) ?? Data()
        counted = Self.countedBytes(row)
    }

    static func countedBytes(_ row: borrowing StatementRow) -> [UInt8] {
        var bytes = RowBytes(table: table)
        bytes.append(row)
        return bytes.bytes
    }

    fileprivate init(_ grant: RememberedGrant, _ key: GrantKey) throws(StoreError) {
        do throws(SealingError) { sealed = try key.seal(grant) } catch { throw StoreError(error) }
        id = Int64(clamping: grant.number)
        item = grant.item
        var bytes = RowBytes(table: Self.table)
        bytes.append(integer: id)
        bytes.append(number: grant.item.value)
        bytes.append(blob: sealed)
        counted = bytes.bytes
    }
}

extension GrantKey {
    /// Derives the key for the keychain with this keybag.
    init(for keybag: Keybag, _ deviceKey: DeviceKey, _ storage: some SecretKeyStorage) throws(StoreError) {
        do throws(SealingError) {
            try self.init(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: storage)
        } catch {
            throw StoreError(error)
        }
    }
}

extension Connection {
    /// Returns whether the item exists; a tombstone does not count.
    fileprivate func isPresent(
        _ item: ItemIdentifier, in table: ItemTable, _ db: Database
    ) throws(StoreError) -> Bool {
        var isPresent = false
        try run(table.statements.present, [.number(item.value)], db) { _ in isPresent = true }
        return isPresent
    }

    fileprivate func grantRows(
        _ statement: ItemStatement, _ arguments: [SQLiteValue], _ db: Database
    ) throws(StoreError) -> [GrantRow] {
        var rows: [GrantRow] = []
        try run(statement, arguments, db) { row in rows.append(GrantRow(row)) }
        return rows
    }

    fileprivate func nextGrantNumber(_ db: Database) throws(StoreError) -> UInt64 {
        var number: Int64?
        try run(.nextGrantNumber, [], db) { row in number = row.integer(at: 0) }
        // An impossible number was not written by this store.
        guard let number, number > 0 else { throw .damaged(.database) }
        return UInt64(number)
    }

    fileprivate func insert(_ row: GrantRow, _ db: Database) throws(StoreError) {
        let item: SQLiteValue = row.item.map { .number($0.value) } ?? .null
        try run(.insertGrant, [.integer(row.id), item, .bytes(row.sealed)], db)
        try seal(db) { sum, coder in sum.insert(coder.code(row.counted)) }
    }

    fileprivate func delete(_ rows: [GrantRow], _ db: Database) throws(StoreError) {
        guard !rows.isEmpty else { return }
        for row in rows { try run(.deleteGrant, [.integer(row.id)], db) }
        try seal(db) { sum, coder in
            for row in rows { sum.remove(coder.code(row.counted)) }
        }
    }

    /// Deletes the grants of an item. Call inside the transaction that deletes the item.
    func deleteGrants(ofRow id: Int64, in table: ItemTable, _ db: Database) throws(StoreError) {
        try delete(try grantRows(table.statements.grants, [.integer(id)], db), db)
    }
}

extension ItemStore {
    /// Returns the display names and the access group of the first found item.
    ///
    /// - Returns: nil if its attributes cannot be authenticated.
    /// - Throws: `.keyNotAvailable`.
    /// - Precondition: a grant for matching; the search read the attributes.
    public func names(
        of found: FoundItems, with grant: consuming Grant
    ) throws(StoreError) -> (ItemNames, group: String?)? {
        precondition(grant.operation == .match, "the grant is for another operation")
        guard let row = found.rows.first else { return nil }
        guard let attributes = try opened(row, found.itemClass, .attributes)?.attributes else { return nil }
        return (ItemNames(attributes), attributes.accessGroup)
    }
}
