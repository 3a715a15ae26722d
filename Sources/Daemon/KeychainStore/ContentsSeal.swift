// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
public import KeychainModel
import KeychainSealing
import SQLiteStatements
import Synchronization

/// The seal over all rows together, as a connection that changes them keeps it. Each row is bound to its place and version
/// by itself; this finds a row that was put back, left out or added as it once was.
///
/// Used only inside an access of its connection.
final class ContentsSeal {
    fileprivate let key: ContentsKey
    /// Kept, since making one costs more than a code: as the index key, it is ready for use in every lock state.
    fileprivate let coder: RowCoder
    /// What the connection last read or wrote. Forgotten, or undone by a rollback, it no longer fits what is stored.
    fileprivate var latest: (sealed: Data, sum: ContentsSum)?

    init(_ key: ContentsKey) { (self.key, coder) = (key, key.coder) }
}

/// What the last look at the rows showed.
final class CheckedContents: Sendable {
    private let state = Mutex((rows: ContentsState.unknown, isDamaged: false))

    var latest: ContentsState { state.withLock { $0.isDamaged ? .damaged : $0.rows } }

    /// What the rows are, as far as they were found.
    var rows: ContentsState {
        get { state.withLock { $0.rows } }
        set { state.withLock { $0.rows = newValue } }
    }

    /// For ever, once it was seen: the service mends no database.
    var isDamaged: Bool {
        get { state.withLock { $0.isDamaged } }
        set { state.withLock { $0.isDamaged = newValue } }
    }
}

extension Connection {
    /// Takes a change of rows into the seal. Inside the transaction of the change.
    ///
    /// Where the seal is damaged it is left as it is: a new one would hide what happened to the old.
    func seal(
        _ db: Database, _ change: (inout ContentsSum, RowCoder) -> Void
    ) throws(StoreError) {
        guard let contents else { preconditionFailure("a connection that changes items keeps the seal") }
        if let latest = contents.latest, try replaceSeal(latest, contents, db, change) { return }
        guard let stored = try storedSeal(contents.key, db) else { return }
        // It is what was read a moment ago, in this transaction.
        _ = try replaceSeal(stored, contents, db, change)
    }

    /// - Returns: whether `old` was what is stored.
    private func replaceSeal(
        _ old: (sealed: Data, sum: ContentsSum), _ contents: ContentsSeal, _ db: Database,
        _ change: (inout ContentsSum, RowCoder) -> Void
    ) throws(StoreError) -> Bool {
        var sum = old.sum
        change(&sum, contents.coder)
        let sealed = try Self.sealing { () throws(SealingError) in try contents.key.seal(sum) }
        try run(.replaceSeal, [.bytes(sealed), .bytes(old.sealed)], db)
        guard db.changesCount == 1 else { return false }
        contents.latest = (sealed, sum)
        return true
    }

    /// Seals the rows as they are now. Inside a transaction.
    func sealContents(_ db: Database) throws(StoreError) {
        guard let contents else { preconditionFailure("a connection that changes items keeps the seal") }
        let sum = try presentContents(contents.key, db)
        let sealed = try Self.sealing { () throws(SealingError) in try contents.key.seal(sum) }
        try run(.writeSeal, [.bytes(sealed)], db)
        contents.latest = (sealed, sum)
    }

    /// Looks at all rows. In a transaction, so that seal and rows are of one moment.
    func contentsState(_ key: ContentsKey, _ db: Database) throws(StoreError) -> ContentsState {
        guard let stored = try storedSeal(key, db) else { return .sealDamaged }
        let present = try presentContents(key, db)
        return present == stored.sum ? .asLeft : .changed(rowsMore: present.rowCount &- stored.sum.rowCount)
    }

    /// Nil where there is none that this keychain's key opens.
    private func storedSeal(
        _ key: ContentsKey, _ db: Database
    ) throws(StoreError) -> (sealed: Data, sum: ContentsSum)? {
        var sealed: Data?
        try run(.readSeal, [], db) { row in sealed = row.bytes(at: 0) }
        guard let sealed, let sum = try? key.open(sealed) else { return nil }
        return (sealed, sum)
    }

    /// Those of the items, the keybag and the grants.
    private func presentContents(_ key: ContentsKey, _ db: Database) throws(StoreError) -> ContentsSum {
        let coder = key.coder
        var sum = ContentsSum()
        try run(.readKeybag, [], db) { row in
            if let keybag = row.bytes(at: 0) { sum.insert(coder.code(of: keybag)) }
        }
        try run(.grantPage, [.integer(.min), .integer(-1)], db) { row in
            sum.insert(coder.code(GrantRow.countedBytes(row)))
        }
        for table in ItemTable.all {
            try run(table.statements.countedRows, [], db) { row in sum.insert(coder.code(table.countedBytes(row))) }
        }
        return sum
    }

    private static func sealing<Result>(
        _ body: () throws(SealingError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SealingError) { return try body() } catch { throw StoreError(error) }
    }
}

extension ContentsKey {
    /// The key for the keychain that has this keybag.
    init(for keybag: Keybag, _ deviceKey: DeviceKey, _ storage: some SecretKeyStorage) throws(StoreError) {
        do throws(SealingError) {
            try self.init(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: storage)
        } catch {
            throw StoreError(error)
        }
    }

    /// The seal of a keychain that has this keybag and no items.
    func seal(of keybag: Keybag) throws(StoreError) -> Data {
        var sum = ContentsSum()
        sum.insert(coder.code(of: keybag.encoded))
        do throws(SealingError) { return try seal(sum) } catch { throw StoreError(error) }
    }
}

extension RowCoder {
    /// The code of the one row of table keybag.
    fileprivate func code(of keybag: Data) -> RowCode {
        // No item class has the number 0.
        var row = RowBytes(table: 0)
        row.append(blob: keybag)
        return code(row.bytes)
    }
}

extension Connection {
    /// Writes the keybag in the place of another. Inside a transaction.
    func replaceKeybag(with new: Data, _ db: Database) throws {
        let old = try Data.fetchOne(db, sql: "SELECT bytes FROM keybag WHERE id = 1")
        try db.execute(sql: "UPDATE keybag SET bytes = ? WHERE id = 1", arguments: [new])
        try seal(db) { sum, coder in
            if let old { sum.remove(coder.code(of: old)) }
            sum.insert(coder.code(of: new))
        }
    }
}

extension ItemStore {
    /// Looks whether the rows are those that the service left, and remembers the answer for ``contentsState``.
    ///
    /// Reads them all, on a connection of its own: nobody waits for it, and changes meanwhile are not mistaken for damage. Where they
    /// cannot be read, the state is `.damaged`.
    ///
    /// - Throws: `.inputOutput`, `.closed`.
    @discardableResult
    public func checkContents() throws(StoreError) -> ContentsState {
        do throws(StoreError) {
            let rows = try presentState()
            // The keybag counts in it.
            if rows == .asLeft { putKeybagIntoSnapshots() }
            checkedContents.rows = rows
        } catch {
            guard error == .damaged(.database) else { throw error }
            checkedContents.isDamaged = true
        }
        return checkedContents.latest
    }

    private func presentState() throws(StoreError) -> ContentsState {
        // The two are the same for a database in memory.
        guard reader !== writer else {
            return try StoreError.translating {
                try writer.queue.unsafeRead { db in
                    try db.inReadTransaction { try writer.contentsState(contentsKey, db) }
                }
            }
        }
        return try looking { db, connection in
            try db.inReadTransaction { try connection.contentsState(contentsKey, db) }
        }
    }

    /// What the last look at the rows showed.
    public var contentsState: ContentsState { checkedContents.latest }

    /// Takes the rows for what they should be from now on, whatever they are. All grants go, and all trusted teams: one that was taken back
    /// may have come back with an older database, and nothing tells it from the others.
    ///
    /// For the administration tool alone: whoever may call this decides what counts as unchanged.
    ///
    /// - Throws: as ``add(_:secret:with:material:keepsDates:)``.
    public func acceptContents() throws(StoreError) {
        try StoreError.translating {
            try writer.keeping { db throws(StoreError) in
                try StoreError.translating {
                    try db.execute(sql: "DELETE FROM grants")
                    try db.distrustAllTeams()
                }
                try writer.sealContents(db)
            }
        }
        checkedContents.rows = .asLeft
    }
}

extension Database {
    /// All of it sees the database of one moment.
    fileprivate func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute(sql: "BEGIN DEFERRED")
        defer { try? execute(sql: "COMMIT") }
        return try body()
    }
}
