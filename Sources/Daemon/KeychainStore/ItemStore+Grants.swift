// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
public import KeychainModel
public import KeychainPolicy
import KeychainSealing
import SQLiteStatements

// What people allowed programs for good. Each row is sealed and bound to its number and item, and all of them count in the
// seal of the contents. A grant goes with its item.
extension ItemStore {
    /// Remembers what a person said, for each of the items; it is on the disk when this returns.
    ///
    /// A grant that said the same before, and was given when the program was known more or less surely, gives way to the new
    /// one. Items that are gone by now, and rows that cannot be named for good, are left out.
    ///
    /// - Throws: `.diskFull`, `.readOnly`, `.damaged(.database)`, `.inputOutput`, `.closed`; nothing is remembered then.
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

    /// What may answer for these items. None while the rows are not those that the service left: somebody could have put
    /// back a grant that was taken away. Rows that do not open are passed over.
    ///
    /// Looks at all rows of the keychain first, if nobody has since the start.
    ///
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func grants(of items: [PersistentReference]) throws(StoreError) -> [RememberedGrant] {
        let rows = try StoreError.translating {
            try writer.queue.unsafeRead { db in
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

    /// The grants behind a number in ascending order, at most so many rows of them. Rows that do not open are left out.
    ///
    /// - Returns: the grants, and where to go on; nil if there are no more.
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func grants(
        after number: UInt64, limit: Int
    ) throws(StoreError) -> (grants: [RememberedGrant], next: UInt64?) {
        let rows = try StoreError.translating {
            try writer.queue.unsafeRead { db in
                try writer.grantRows(.grantPage, [.integer(Int64(clamping: number)), .integer(Int64(limit) + 1)], db)
            }
        }
        let page = rows.prefix(limit)
        return (page.compactMap(opened), rows.count > limit ? page.last.map { UInt64(clamping: $0.id) } : nil)
    }

    /// Takes grants back; they are gone from the disk when this returns. With ``GrantSelection/all``, rows that do not open
    /// go as well.
    ///
    /// - Returns: how many there were.
    /// - Throws: as ``remember(_:)``; nothing is taken back then.
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
    /// Nil where the column holds what this store does not write.
    let item: ItemIdentifier?
    let sealed: Data
    /// The bytes that stand for it in the seal of the contents.
    let counted: [UInt8]

    /// No item class has this number.
    static let table: UInt8 = 16

    /// Of a row of `id, item, bytes`.
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
    /// The key for the keychain that has this keybag.
    init(for keybag: Keybag, _ deviceKey: DeviceKey, _ storage: some SecretKeyStorage) throws(StoreError) {
        do throws(SealingError) {
            try self.init(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: storage)
        } catch {
            throw StoreError(error)
        }
    }
}

extension Connection {
    /// Tombstones are not.
    fileprivate func isPresent(
        _ item: ItemIdentifier, in table: ItemTable, _ db: Database
    ) throws(StoreError) -> Bool {
        var isPresent = false
        try run(table.statements.present, [.number(item.value)], db) { _ in isPresent = true }
        return isPresent
    }

    fileprivate func grantRows(
        _ statement: ItemStatement, _ arguments: [PreparedStatement.Argument], _ db: Database
    ) throws(StoreError) -> [GrantRow] {
        var rows: [GrantRow] = []
        try run(statement, arguments, db) { row in rows.append(GrantRow(row)) }
        return rows
    }

    fileprivate func nextGrantNumber(_ db: Database) throws(StoreError) -> UInt64 {
        var number: Int64?
        try run(.nextGrantNumber, [], db) { row in number = row.integer(at: 0) }
        // A number that cannot be was written by somebody else.
        guard let number, number > 0 else { throw .damaged(.database) }
        return UInt64(number)
    }

    fileprivate func insert(_ row: GrantRow, _ db: Database) throws(StoreError) {
        let item: PreparedStatement.Argument = row.item.map { .number($0.value) } ?? .null
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

    /// What was allowed with an item goes with it. Inside the transaction in which the item goes.
    func deleteGrants(ofRow id: Int64, in table: ItemTable, _ db: Database) throws(StoreError) {
        try delete(try grantRows(table.statements.grants, [.integer(id)], db), db)
    }
}

extension ItemStore {
    /// What people call the first of the items found.
    ///
    /// - Returns: nil if its attributes cannot be authenticated.
    /// - Throws: `.keyNotAvailable`.
    /// - Precondition: a grant for matching; the search was told of the attributes.
    public func names(of found: FoundItems, with grant: consuming Grant) throws(StoreError) -> ItemNames? {
        precondition(grant.operation == .match, "a grant for something else")
        guard let row = found.rows.first else { return nil }
        return try opened(row, found.itemClass, .attributes)?.attributes.map(ItemNames.init)
    }
}
