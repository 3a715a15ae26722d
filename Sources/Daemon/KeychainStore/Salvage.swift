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

        /// Rows of the damaged database.
        fileprivate mutating func count(_ taken: SalvagedTable.Taken) {
            recovered += taken.whole
            unchecked += taken.unchecked
        }
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
            return
        }
        (keybag, keyRing) = try Self.firstUnlocked(candidates, by: passcode, deviceKey, storage)
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
        guard FileManager.default.fileExists(atPath: path),
            let connection = try? Connection(file: path, .readWrite, journalOf: .change)
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
        let tables = try ItemTable.all.map { table throws(StoreError) in
            try SalvagedTable(table, writer, keyRing, AttributeDigests(keyRing))
        }
        var missing: [ItemClass: Set<Int64>] = [:]
        for new in tables {
            missing[new.table.itemClass] = try take(
                over: new, from: source, above: highestRow(in: snapshots, new.table), &report)
        }
        for snapshot in snapshots {
            let source = DamagedDatabase(snapshot)
            defer { source.close() }
            for new in tables {
                try fill(new, from: source, &missing[new.table.itemClass, default: []], &report)
            }
        }
        for new in tables {
            let itemClass = new.table.itemClass
            for row in missing[itemClass, default: []].sorted() {
                report.lost.append(Loss(itemClass: itemClass, row: row, names: try new.names(of: row)))
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

    /// Everything that the damaged database has of a table.
    ///
    /// - Returns: the numbers of the rows that it is known to have had and that are not whole.
    private func take(
        over new: SalvagedTable, from source: DamagedDatabase, above highest: Int64, _ report: inout Report
    ) throws(StoreError) -> Set<Int64> {
        let found = source.rows(of: new.table, columns: new.columns, above: highest)
        if found.isUncertain { report.isUncertain = true }
        let taken = try new.take(found.rows)
        report.count(taken)
        // One that was changed may be as high as there are.
        let last = found.missing.union(found.rows.keys).filter { $0 < 1 << 62 }.max() ?? 0
        report.count(try new.takeWhole(Array(found.numberless.values), above: last))
        let damaged = Set(found.rows.keys).subtracting(taken.present)
        var missing = found.missing.union(damaged)
        let versions = source.versions(
            of: damaged.subtracting(found.older.keys), columns: new.columns, besides: found.rows)
        try fill(new, from: found.older.merging(versions) { older, _ in older }, &missing, &report)
        return missing
    }

    /// Other versions of rows of which the first one that was found is none.
    private func fill(
        _ new: SalvagedTable, from older: [Int64: [DamagedDatabase.Row]], _ missing: inout Set<Int64>,
        _ report: inout Report
    ) throws(StoreError) {
        let most = older.values.map(\.count).max() ?? 0
        for place in 0..<most {
            var rows: [Int64: DamagedDatabase.Row] = [:]
            for number in missing {
                if let versions = older[number], place < versions.count { rows[number] = versions[place] }
            }
            let taken = try new.take(rows)
            report.count(taken)
            missing.subtract(taken.present)
        }
    }

    private func highestRow(in snapshots: [String], _ table: ItemTable) -> Int64 {
        guard let newest = snapshots.first else { return 0 }
        let source = DamagedDatabase(newest)
        defer { source.close() }
        return source.highestRow(of: table)
    }

    /// Puts rows of a snapshot in the place of those that are missing.
    private func fill(
        _ new: SalvagedTable, from source: DamagedDatabase, _ missing: inout Set<Int64>, _ report: inout Report
    ) throws(StoreError) {
        var rows = source.rows(of: new.table, columns: new.columns, above: 0).rows
        // Nobody knows what was there: whatever is not in the new database counts as lost.
        if report.isUncertain { missing.formUnion(Set(rows.keys).subtracting(try new.numbers())) }
        rows = rows.filter { missing.contains($0.key) }
        // An item that has become another one since, or lies in another row by now, is not lost.
        for (number, row) in rows where try new.hasElsewhere(row) { rows[number] = nil }
        let taken = try new.take(rows)
        report.fromSnapshots += taken.whole
        report.unchecked += taken.unchecked
        missing.subtract(taken.present)
    }

    /// What is beside the items, as far as it can be read: wrong entries go on to count, and without the enrolment nobody
    /// opens the items that are bound to it.
    private func copySettings(_ source: DamagedDatabase, _ writer: Connection) throws(StoreError) {
        // What has another type is damaged.
        let isWhole = "typeof(failed) = 'integer' AND typeof(last) IN ('real', 'integer')"
        var attempts = source.values(
            "SELECT secret, failed, last FROM guesses WHERE typeof(secret) = 'blob' AND \(isWhole)")
        // Before version 5 one count was for all.
        if attempts.isEmpty {
            for secret in ["02", "04"] {
                attempts += source.values("SELECT x'\(secret)', failed, last FROM attempts WHERE id = 1 AND \(isWhole)")
            }
        }
        let settings = source.values(
            "SELECT name, value FROM settings WHERE typeof(name) = 'text' AND typeof(value) = 'integer'")
        let numbering = source.values(
            "SELECT class, last FROM numbering WHERE typeof(class) = 'integer' AND typeof(last) = 'integer'")
        // Items that cannot be opened now do not say that their group is one of these.
        let enforcedGroups = source.values(
            "SELECT class, agrp FROM enforced_groups WHERE typeof(class) = 'integer' AND typeof(agrp) = 'blob'")
        // Grants are not taken over: in a damaged file one may come back that was taken away. Their numbers stay used.
        let lastGrant = source.values("SELECT max(id) FROM grants WHERE typeof(id) = 'integer'").first?.first
        let enrolment = try enrolment(in: source)
        try StoreError.translating {
            try writer.queue.inTransaction(.immediate) { db in
                if let enrolment {
                    try db.execute(sql: "INSERT INTO enrolment (id, bytes) VALUES (1, ?)", arguments: [enrolment])
                }
                for row in attempts {
                    try db.execute(
                        sql: "INSERT INTO guesses (secret, failed, last) VALUES (?, ?, ?) "
                            + "ON CONFLICT (secret) DO UPDATE SET failed = excluded.failed, last = excluded.last",
                        arguments: StatementArguments(row))
                }
                for setting in settings {
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
                        arguments: StatementArguments(setting))
                }
                // As with grants.
                try db.distrustAllTeams()
                for group in enforcedGroups {
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO enforced_groups (class, agrp) VALUES (?, ?)",
                        arguments: StatementArguments(group))
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

    /// The one that the keychain knows; nil where there is none that opens.
    private func enrolment(in source: DamagedDatabase) throws(StoreError) -> Data? {
        let key: EnrolmentKey
        do throws(SealingError) {
            key = try EnrolmentKey(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: storage)
        } catch {
            throw StoreError(error)
        }
        let stored = source.values("SELECT bytes FROM enrolment WHERE id = 1 AND typeof(bytes) = 'blob'")
        guard let sealed = stored.first?.first.flatMap(Data.fromDatabaseValue) else { return nil }
        return (try? key.open(sealed)) == nil ? nil : sealed
    }
}
