// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
public import KeychainModel
public import KeychainSealing
import SQLiteStatements

/// Saves what can be read of a damaged keychain into a new database, fills up from snapshots what is missing, and says
/// what is lost.
///
/// Rows are taken over as they are, sealed; the keys only tell which of them are whole. Nothing else may have the
/// database open.
public struct Salvage: Sendable {
    /// What became of the items.
    public struct Report: Hashable, Sendable {
        /// Rows read from the damaged database, those that turned out to be no whole items not counted.
        public internal(set) var recovered = 0
        /// Items that only a snapshot had whole. They may be older than what was lost.
        public internal(set) var fromSnapshots = 0
        /// Of all these, how many could not be checked: their class key was not at hand.
        public internal(set) var unchecked = 0
        public internal(set) var lost: [Loss] = []
        /// The damaged database could not tell which items it had; some that were deleted may have come back, and some
        /// may be lost without being named.
        public internal(set) var isUncertain = false
    }

    /// An item that is known to have been there.
    public struct Loss: Hashable, Sendable {
        public let itemClass: ItemClass
        public let row: Int64
        /// Where the attributes are whole and only the secret is damaged.
        public let names: ItemNames?
    }

    private let kind: StoreKind
    private let deviceKey: DeviceKey
    private let storage: any SecretKeyStorage
    private var keybag: Keybag
    private let keyRing: KeyRing
    private let digests: AttributeDigests
    /// What SQLite would not read of the database's log.
    private let damagedLog: Data?

    /// Finds a keybag that the device key opens: in the database, else in the newest snapshot that has one.
    ///
    /// - Parameters:
    ///   - database: a copy of the damaged database, with its log beside it. It may be changed.
    ///   - kind: of the keychain; another one's keybag is not taken.
    ///   - passcode: opens the classes that need it, so that their items can be checked.
    /// - Throws: `.damaged(.keybag)` when there is none, without which no item can ever be opened; `.wrongDeviceKey`;
    ///   `.refused` with the reasons `wrongSecret` and `noSuchProtector`; `.inputOutput` when the log beside it cannot be read.
    public init(
        _ database: String, of kind: StoreKind = .dataProtection, snapshots: [String], deviceKey: DeviceKey,
        in storage: some SecretKeyStorage,
        passcode: ProtectorSecret<some Collection<UInt8>>?
    ) throws(StoreError) {
        self.kind = kind
        self.deviceKey = deviceKey
        self.storage = storage
        damagedLog = try StoreOpening.damagedLog(of: database)
        // SQLite would take the part of it that it can read into the database, which shall stay as it is.
        if damagedLog != nil {
            do { try FileManager.default.removeItem(atPath: database + "-wal") } catch { throw .inputOutput }
        }
        var failure = SealingError.damaged
        var candidates: [(keybag: Keybag, ring: KeyRing)] = []
        for bytes in Self.keybags(database, damagedLog, snapshots) {
            do throws(SealingError) {
                let keybag = try Keybag(decoding: bytes)
                let ring = try keybag.keyRing(with: deviceKey, in: storage, attributesClass: kind.attributesClass)
                candidates.append((keybag, ring))
            } catch {
                // What is told of the likeliest one stays, also where more look like one and are none.
                if failure != .wrongDeviceKey { failure = error }
            }
        }
        guard let likeliest = candidates.first else {
            throw failure == .wrongDeviceKey ? .wrongDeviceKey : .damaged(.keybag)
        }
        guard let passcode, likeliest.keybag.isProtected else {
            (keybag, keyRing) = likeliest
            digests = AttributeDigests(keyRing)
            return
        }
        (keybag, keyRing) = try Self.firstUnlocked(candidates, by: passcode, deviceKey, storage)
        digests = AttributeDigests(keyRing)
    }

    /// The first that the secret opens whole: where one key of the likeliest is damaged, a snapshot's may not be.
    ///
    /// - Throws: what is wrong with the first, which has a passcode; one without is none that the passcode opens.
    private static func firstUnlocked(
        _ candidates: [(keybag: Keybag, ring: KeyRing)], by passcode: ProtectorSecret<some Collection<UInt8>>,
        _ deviceKey: DeviceKey, _ storage: some SecretKeyStorage
    ) throws(StoreError) -> (Keybag, KeyRing) {
        var failure: SealingError?
        for (keybag, ring) in candidates where keybag.isProtected {
            do throws(SealingError) {
                let key = try keybag.keybagKey(for: passcode, with: deviceKey)
                _ = ring.unlock(with: try keybag.classKeys(with: key, deviceKey, in: storage), since: ring.epoch)
                return (keybag, ring)
            } catch {
                failure = failure ?? error
            }
        }
        throw StoreError(ofKeybag: failure ?? .damaged)
    }

    /// Everything that may be a keybag, the likeliest first.
    private static func keybags(_ database: String, _ log: Data?, _ snapshots: [String]) -> [Data] {
        let source = DamagedDatabase(database, damagedLog: log)
        defer { source.close() }
        let read = log == nil ? keybagBytes(database).map { [$0] } ?? [] : []
        return read + source.keybags() + snapshots.compactMap(keybagBytes)
    }

    private static func keybagBytes(_ path: String) -> Data? {
        guard FileManager.default.fileExists(atPath: path), let connection = try? Connection(file: path, .readWrite)
        else { return nil }
        defer { try? connection.close() }
        return try? connection.queue.unsafeRead { db in
            try Data.fetchOne(db, sql: "SELECT bytes FROM keybag WHERE id = 1")
        }
    }

    // MARK: Saving

    /// Writes the new database, which must not exist.
    ///
    /// - Throws: `.diskFull`, `.readOnly`, `.inputOutput`.
    public func run(_ database: String, snapshots: [String], into path: String) throws(StoreError) -> Report {
        var report = Report()
        let writer = try StoreOpening.openWriter(file: path)
        let contentsKey = try ContentsKey(for: keybag, deviceKey, storage)
        try StoreOpening.migrate(writer, kind, from: 0, adding: (keybag, try contentsKey.seal(of: keybag)))
        writer.contents = ContentsSeal(contentsKey)
        let source = DamagedDatabase(database, damagedLog: damagedLog)
        defer { source.close() }
        var missing: [ItemClass: Set<Int64>] = [:]
        for table in ItemTable.all {
            let columns = try columns(of: table, writer)
            let found = source.rows(of: table, columns: columns, above: highestRow(in: snapshots, table))
            if found.isUncertain { report.isUncertain = true }
            missing[table.itemClass] = found.missing
            let inserted = try insert(found.rows, into: table, writer)
            let sorted = try check(inserted, table, writer, &report)
            report.recovered += sorted.whole
            missing[table.itemClass]?.formUnion(sorted.damaged)
            // One that was changed may be as high as there are.
            let last = found.missing.union(found.rows.keys).filter { $0 < 1 << 62 }.max() ?? 0
            try insert(Array(found.numberless.values), above: last, into: table, writer, &report)
            // Rows that are no rows of ours.
            missing[table.itemClass]?.formUnion(Set(found.rows.keys).subtracting(inserted))
            let damaged = missing[table.itemClass, default: []].subtracting(found.missing).subtracting(found.older.keys)
            let versions = source.versions(of: damaged, columns: columns, besides: found.rows)
            try fill(
                from: found.older.merging(versions) { older, _ in older }, table, writer,
                &missing[table.itemClass, default: []], &report)
        }
        for snapshot in snapshots {
            let source = DamagedDatabase(snapshot)
            defer { source.close() }
            for table in ItemTable.all {
                try fill(from: source, table, writer, &missing[table.itemClass, default: []], &report)
            }
        }
        for table in ItemTable.all {
            for row in missing[table.itemClass, default: []].sorted() {
                report.lost.append(
                    Loss(itemClass: table.itemClass, row: row, names: try names(row, table, writer)))
            }
        }
        try copySettings(source, writer)
        // What is there now is what there is: somebody has just read the report.
        try StoreError.translating {
            try writer.keeping { db throws(StoreError) in try writer.sealContents(db) }
        }
        try StoreError.translating { try writer.close() }
        return report
    }

    /// Other versions of rows of which the first one that was found is none.
    private func fill(
        from older: [Int64: [DamagedDatabase.Row]], _ table: ItemTable, _ writer: Connection,
        _ missing: inout Set<Int64>, _ report: inout Report
    ) throws(StoreError) {
        let most = older.values.map(\.count).max() ?? 0
        for place in 0..<most {
            var rows: [Int64: DamagedDatabase.Row] = [:]
            for number in missing {
                if let versions = older[number], place < versions.count { rows[number] = versions[place] }
            }
            let inserted = try insert(rows, into: table, writer)
            let sorted = try check(inserted, table, writer, &report)
            report.recovered += sorted.whole
            missing.subtract(inserted.subtracting(sorted.damaged))
        }
    }

    /// The names in a damaged file may be anything; these are those of the schema.
    private func columns(of table: ItemTable, _ writer: Connection) throws(StoreError) -> [String] {
        try StoreError.translating {
            try writer.queue.unsafeRead { db in try db.columns(in: table.name).map(\.name) }
        }
    }

    private func highestRow(in snapshots: [String], _ table: ItemTable) -> Int64 {
        guard let newest = snapshots.first else { return 0 }
        let source = DamagedDatabase(newest)
        defer { source.close() }
        return source.highestRow(of: table)
    }

    /// Takes over what is whole of rows that have no number of their own.
    private func insert(
        _ rows: [DamagedDatabase.Row], above last: Int64, into table: ItemTable, _ writer: Connection,
        _ report: inout Report
    ) throws(StoreError) {
        let numbered = Dictionary(uniqueKeysWithValues: zip((last + 1)..., rows))
        let sorted = try check(try insert(numbered, into: table, writer), table, writer, &report)
        report.recovered += sorted.whole
        try StoreError.translating {
            try writer.queue.writeWithoutTransaction { db in
                for number in sorted.damaged { try writer.run(table.statements.delete, [.integer(number)], db) }
            }
        }
    }

    /// Takes rows over as they are. What the schema refuses is left out.
    ///
    /// - Returns: the numbers of those that are there now.
    private func insert(
        _ rows: [Int64: DamagedDatabase.Row], into table: ItemTable, _ writer: Connection
    ) throws(StoreError) -> Set<Int64> {
        var inserted: Set<Int64> = []
        try StoreError.translating {
            try writer.queue.inTransaction(.immediate) { db in
                let columns = try db.columns(in: table.name).map(\.name)
                let sql = """
                    INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) \
                    VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                    """
                for (number, row) in rows {
                    try db.inSavepoint {
                        // What is there under this number is damaged.
                        try db.execute(sql: "DELETE FROM \(table.name) WHERE id = ?", arguments: [number])
                        do {
                            let values = columns.map { $0 == "id" ? number.databaseValue : row[$0] ?? .null }
                            try db.execute(sql: sql, arguments: StatementArguments(values))
                        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                            return .rollback
                        }
                        inserted.insert(number)
                        return .commit
                    }
                }
                return .commit
            }
        }
        return inserted
    }

    /// Opens rows, and sets those aside that are damaged.
    private func check(
        _ numbers: Set<Int64>, _ table: ItemTable, _ writer: Connection, _ report: inout Report
    ) throws(StoreError) -> (whole: Int, damaged: Set<Int64>) {
        var whole = 0
        var damaged: Set<Int64> = []
        for number in numbers {
            guard let (row, isTombstone) = try read(number, table, writer) else { continue }
            // Of an item that was deleted while it was locked nothing is left to be checked.
            if isTombstone, row.content?.data?.isEmpty == true { continue }
            switch state(of: row) {
            case .whole(let attributes):
                guard try correct(number, by: attributes, table, writer) else {
                    damaged.insert(number)
                    continue
                }
                if !attributes.isTombstone { whole += 1 }
            case .unchecked:
                if !isTombstone {
                    whole += 1
                    report.unchecked += 1
                }
            case .damaged:
                damaged.insert(number)
                try StoreError.translating {
                    try writer.queue.writeWithoutTransaction { db in try writer.setAside(row, in: table, db) }
                }
            }
        }
        return (whole, damaged)
    }

    /// Whether it is a tombstone or set aside, and what it is found by: nothing but the sealed attributes says that surely.
    ///
    /// - Returns: false where another item has taken its place.
    private func correct(
        _ number: Int64, by attributes: ItemAttributes, _ table: ItemTable, _ writer: Connection
    ) throws(StoreError) -> Bool {
        let columns = IndexColumns(of: attributes, table, digests).arguments
        do throws(StoreError) {
            try StoreError.translating {
                try writer.queue.writeWithoutTransaction { db in
                    try writer.run(
                        table.statements.correct,
                        [.integer(attributes.isTombstone ? 1 : 0)] + columns + [.integer(number)], db)
                }
            }
        } catch .duplicate {
            return false
        }
        return true
    }

    private enum RowState {
        case whole(ItemAttributes)
        case unchecked
        case damaged
    }

    private func state(of row: SealedRow) -> RowState {
        guard let content = row.content else { return .damaged }
        do throws(SealingError) {
            let attributes = try keyRing.openAttributes(content.attributes ?? Data(), of: content.binding)
            var data = try keyRing.openData(content.data ?? Data(), wrappedKey: content.wrappedKey, of: content.binding)
            data?.wipe()
            return .whole(attributes)
        } catch {
            switch error {
            case .keyNotAvailable, .passwordNeeded, .enrolmentNeeded: return .unchecked
            default: return .damaged
            }
        }
    }

    private func read(
        _ number: Int64, _ table: ItemTable, _ writer: Connection
    ) throws(StoreError) -> (row: SealedRow, isTombstone: Bool)? {
        try StoreError.translating {
            try writer.queue.unsafeRead { db in try writer.row(number, of: table, db) }
        }
    }

    /// Puts rows of a snapshot in the place of those that are missing.
    private func fill(
        from source: DamagedDatabase, _ table: ItemTable, _ writer: Connection, _ missing: inout Set<Int64>,
        _ report: inout Report
    ) throws(StoreError) {
        var rows = source.rows(of: table, columns: try columns(of: table, writer), above: 0).rows
        if report.isUncertain {
            // Nobody knows what was there: whatever is not in the new database counts as lost.
            let present = try StoreError.translating {
                try writer.queue.unsafeRead { db in try Set(Int64.fetchAll(db, sql: "SELECT id FROM \(table.name)")) }
            }
            missing.formUnion(Set(rows.keys).subtracting(present))
        }
        rows = rows.filter { missing.contains($0.key) }
        // An item that has become another one since, or lies in another row by now, is not lost.
        for (number, row) in rows where try isPresent(row, table, writer) { rows[number] = nil }
        let inserted = try insert(rows, into: table, writer)
        let sorted = try check(inserted, table, writer, &report)
        report.fromSnapshots += sorted.whole
        missing.subtract(inserted.subtracting(sorted.damaged))
    }

    private func isPresent(
        _ row: DamagedDatabase.Row, _ table: ItemTable, _ writer: Connection
    ) throws(StoreError) -> Bool {
        guard let item = row["item"], let number = row["id"] else { return true }
        return try StoreError.translating {
            try writer.queue.unsafeRead { db in
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE item = ? AND id <> ?)",
                    arguments: [item, number]) ?? false
            }
        }
    }

    private func names(_ number: Int64, _ table: ItemTable, _ writer: Connection) throws(StoreError) -> ItemNames? {
        guard let content = try read(number, table, writer)?.row.content else { return nil }
        do throws(SealingError) {
            return ItemNames(try keyRing.openAttributes(content.attributes ?? Data(), of: content.binding))
        } catch {
            return nil
        }
    }

    /// What is beside the items, as far as it can be read: wrong entries go on to count.
    private func copySettings(_ source: DamagedDatabase, _ writer: Connection) throws(StoreError) {
        // What has another type is damaged.
        let attempts = source.values(
            "SELECT failed, last FROM attempts WHERE id = 1 AND typeof(failed) = 'integer' AND typeof(last) IN ('real', 'integer')"
        )
        let settings = source.values(
            "SELECT name, value FROM settings WHERE typeof(name) = 'text' AND typeof(value) = 'integer'")
        let numbering = source.values(
            "SELECT class, last FROM numbering WHERE typeof(class) = 'integer' AND typeof(last) = 'integer'")
        // Grants are not taken over: in a damaged file one may come back that was taken away. Their numbers stay used.
        let lastGrant = source.values("SELECT max(id) FROM grants WHERE typeof(id) = 'integer'").first?.first
        try StoreError.translating {
            try writer.queue.inTransaction(.immediate) { db in
                if let attempts = attempts.first {
                    try db.execute(
                        sql: "UPDATE attempts SET failed = ?, last = ? WHERE id = 1",
                        arguments: StatementArguments(attempts))
                }
                for setting in settings {
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
                        arguments: StatementArguments(setting))
                }
                if let lastGrant, !lastGrant.isNull {
                    try db.execute(
                        sql: "UPDATE numbering SET last = max(last, ?) WHERE class = 16", arguments: [lastGrant])
                }
                for row in numbering {
                    try db.execute(
                        sql: "UPDATE numbering SET last = max(last, ?2) WHERE class = ?1",
                        arguments: StatementArguments(row))
                }
                return .commit
            }
        }
    }
}
