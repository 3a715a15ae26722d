// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
import KeychainSealing
import SQLiteStatements
import Synchronization

/// The seal over all rows together, as kept by a connection that changes them. Each row is bound to its place and
/// version by itself; this seal detects a row that was restored from an older state, removed, or added again.
///
/// Used only inside an access of its connection.
final class ContentsSeal {
    fileprivate let key: ContentsKey
    /// Kept, because creating a coder costs more than computing a code. Like the index key, it is available in every
    /// lock state.
    fileprivate let coder: RowCoder
    /// The seal that the connection last read or wrote. If it was dropped or undone by a rollback, it no longer matches
    /// the stored seal.
    fileprivate var latest: (sealed: Data, sum: ContentsSum)?

    init(_ key: ContentsKey) { (self.key, coder) = (key, key.coder) }
}

/// The result of the last check of the rows.
final class CheckedContents: Sendable {
    private let state = Mutex((rows: ContentsState.unknown, isDamaged: false, awaitsUnlock: false))

    var latest: ContentsState { state.withLock { $0.isDamaged ? .damaged : $0.rows } }

    /// The state of the rows, as far as it is known.
    var rows: ContentsState {
        get { state.withLock { $0.rows } }
        set { state.withLock { $0.rows = newValue } }
    }

    /// Whether damage was found. It stays true, because the service does not repair databases.
    var isDamaged: Bool {
        get { state.withLock { $0.isDamaged } }
        set { state.withLock { $0.isDamaged = newValue } }
    }

    /// Whether the index of lookup attributes could not be corrected for items that were locked.
    var awaitsUnlock: Bool {
        get { state.withLock { $0.awaitsUnlock } }
        set { state.withLock { $0.awaitsUnlock = newValue } }
    }
}

extension Connection {
    /// Includes a change of rows in the seal. Call inside the transaction of the change.
    ///
    /// A damaged seal is not replaced, because a new seal would hide the damage.
    func seal(
        _ db: Database, _ change: (inout ContentsSum, RowCoder) -> Void
    ) throws(StoreError) {
        guard let contents else { preconditionFailure("a connection that changes items keeps the seal") }
        if let latest = contents.latest, try replaceSeal(latest, contents, db, change: change) { return }
        guard let stored = try storedSeal(contents.key, db) else { return }
        // The value was read a moment ago, in this transaction.
        _ = try replaceSeal(stored, contents, db, change: change)
    }

    /// Replaces the seal after a change.
    ///
    /// - Returns: whether `old` matches the stored seal.
    private func replaceSeal(
        _ old: (sealed: Data, sum: ContentsSum), _ contents: ContentsSeal, _ db: Database,
        change: (inout ContentsSum, RowCoder) -> Void
    ) throws(StoreError) -> Bool {
        var sum = old.sum
        change(&sum, contents.coder)
        let sealed = try Self.sealing { () throws(SealingError) in try contents.key.seal(sum) }
        try run(.replaceSeal, [.bytes(sealed), .bytes(old.sealed)], db)
        guard db.changedRowCount == 1 else { return false }
        contents.latest = (sealed, sum)
        return true
    }

    /// Seals the current rows. Call inside a transaction.
    func sealContents(_ db: Database) throws(StoreError) {
        guard let contents else { preconditionFailure("a connection that changes items keeps the seal") }
        let sum = try presentContents(contents.key, db)
        let sealed = try Self.sealing { () throws(SealingError) in try contents.key.seal(sum) }
        try run(.writeSeal, [.bytes(sealed)], db)
        contents.latest = (sealed, sum)
    }

    /// Checks all rows. Call in a transaction, so that seal and rows are from the same moment.
    func contentsState(_ key: ContentsKey, _ db: Database) throws(StoreError) -> ContentsState {
        guard let stored = try storedSeal(key, db) else { return .sealDamaged }
        let present = try presentContents(key, db)
        return present == stored.sum ? .asLeft : .changed(rowsMore: present.rowCount &- stored.sum.rowCount)
    }

    /// Returns the stored seal; nil if none exists that this keychain's key opens.
    private func storedSeal(
        _ key: ContentsKey, _ db: Database
    ) throws(StoreError) -> (sealed: Data, sum: ContentsSum)? {
        var sealed: Data?
        try run(.readSeal, [], db) { row in sealed = row.bytes(at: 0) }
        guard let sealed, let sum = try? key.open(sealed) else { return nil }
        return (sealed, sum)
    }

    /// Returns the sum over the rows of items, lookup attributes, keybag, grants and development folders.
    private func presentContents(_ key: ContentsKey, _ db: Database) throws(StoreError) -> ContentsSum {
        let coder = key.coder
        var sum = ContentsSum()
        try run(.readKeybag, [], db) { row in
            if let keybag = row.bytes(at: 0) { sum.insert(coder.code(of: keybag)) }
        }
        try run(.grantPage, [.integer(.min), .integer(-1)], db) { row in
            sum.insert(coder.code(GrantRow.countedBytes(row)))
        }
        for name in try StoreError.translating({ try db.developmentFolderNames() }) {
            sum.insert(coder.code(ofDevelopmentFolder: name))
        }
        for table in ItemTable.all {
            try run(table.statements.countedRows, [], db) { row in sum.insert(coder.code(table.countedBytes(row))) }
        }
        try run(.lookups, [], db) { row in sum.insert(coder.code(Self.countedLookup(row))) }
        return sum
    }

    private static func sealing<Result>(
        _ body: () throws(SealingError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SealingError) { return try body() } catch { throw StoreError(error) }
    }
}

extension ContentsKey {
    /// Derives the key for the keychain with this keybag.
    init(for keybag: Keybag, _ deviceKey: DeviceKey, _ storage: some SecretKeyStorage) throws(StoreError) {
        do throws(SealingError) {
            try self.init(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: storage)
        } catch {
            throw StoreError(error)
        }
    }

    /// Returns the seal of a keychain with this keybag and no items.
    func seal(of keybag: Keybag) throws(StoreError) -> Data {
        var sum = ContentsSum()
        sum.insert(coder.code(of: keybag.encoded))
        do throws(SealingError) { return try seal(sum) } catch { throw StoreError(error) }
    }
}

extension RowCoder {
    /// Returns the code of the single row of table keybag.
    fileprivate func code(of keybag: Data) -> RowCode {
        // No item class has the number 0.
        var row = RowBytes(table: 0)
        row.append(blob: keybag)
        return code(row.bytes)
    }
}

extension Connection {
    /// Replaces the keybag. Call inside a transaction.
    func replaceKeybag(with new: Data, _ db: Database) throws {
        let old = try db.storedKeybag()
        try db.execute("UPDATE keybag SET bytes = ? WHERE id = 1", [.bytes(new)])
        try seal(db) { sum, coder in
            if let old { sum.remove(coder.code(of: old)) }
            sum.insert(coder.code(of: new))
        }
    }
}

extension ItemStore {
    /// Checks whether the rows are as the service left them, and stores the result for ``contentsState``.
    ///
    /// Reads all rows on a separate connection, so other requests do not wait, and concurrent changes are not mistaken
    /// for damage. If the rows cannot be read, the state is `.damaged`.
    ///
    /// - Throws: `.inputOutput`, `.closed`.
    @discardableResult
    public func checkContents() throws(StoreError) -> ContentsState {
        // Before the rows are read, so that an unlock during the check is not missed.
        checkedContents.awaitsUnlock = false
        do throws(StoreError) {
            var rows = try presentState()
            // The index of lookup attributes can be made of the sealed attributes again. If it cannot be written now,
            // the state stays as it is.
            if rows != .asLeft, (try? rebuildLookups()) == true { rows = try presentState() }
            // The keybag is part of the seal.
            if rows == .asLeft { putKeybagIntoSnapshots() }
            checkedContents.rows = rows
        } catch {
            guard error == .damaged(.database) else { throw error }
            checkedContents.isDamaged = true
        }
        return checkedContents.latest
    }

    private func presentState() throws(StoreError) -> ContentsState {
        // In a database in memory, both are the same connection.
        guard reader !== writer else {
            return try StoreError.translating {
                try writer.access { db in
                    try db.inReadTransaction { try writer.contentsState(contentsKey, db) }
                }
            }
        }
        return try looking { db, connection in
            try db.inReadTransaction { try connection.contentsState(contentsKey, db) }
        }
    }

    /// The result of the last check of the rows.
    public var contentsState: ContentsState { checkedContents.latest }

    /// Whether the last check found changed rows and could not correct the index of lookup attributes for items that
    /// were locked, and the keychain is unlocked now: another check corrects it.
    public var hasLookupsToCorrect: Bool { checkedContents.awaitsUnlock && lockState == .unlocked }

    /// Accepts the current rows as valid, whatever they contain. Removes all grants, trusted teams and development
    /// folders, because an older database may have restored revoked ones, and these cannot be distinguished from valid
    /// ones.
    ///
    /// The index of lookup attributes is corrected before that, as far as items can be opened now.
    ///
    /// For the administration tool alone: the caller of this function decides which contents count as unchanged.
    ///
    /// - Throws: as ``add(_:secret:with:material:keepsDates:)``.
    public func acceptContents() throws(StoreError) {
        // Damaged pages leave the index as it is. Where it cannot be written, the transaction below fails as well.
        _ = try? rebuildLookups()
        try StoreError.translating {
            try writer.keeping { db throws(StoreError) in
                try StoreError.translating {
                    try db.execute("DELETE FROM grants")
                    try db.distrustAll()
                }
                try writer.sealContents(db)
            }
        }
        checkedContents.rows = .asLeft
        checkedContents.awaitsUnlock = false
    }
}

extension Database {
    /// Runs `body` in a read transaction, so that all of it reads the database at one moment.
    fileprivate func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN DEFERRED")
        defer { try? execute("COMMIT") }
        return try body()
    }
}
