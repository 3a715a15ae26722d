// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
public import KeychainSealing
import SQLiteStatements

/// Saves the readable contents of a damaged keychain into a new database, adds missing items from snapshots, and
/// reports the lost items.
///
/// Rows are copied sealed and unchanged; the keys only verify which rows are intact. No other process may have the
/// database open.
public struct Salvage: Sendable {
    /// The result for the items.
    public struct Report: Hashable, Sendable {
        /// Rows read from the damaged database, without those that turned out to be no intact items.
        public internal(set) var recovered = 0
        /// Items that only a snapshot had intact. They may be older than the lost version.
        public internal(set) var fromSnapshots = 0
        /// Of all these, the number of items that could not be checked because their class key was not available.
        public internal(set) var unchecked = 0
        public internal(set) var lost: [Loss] = []
        /// Whether the damaged database could not list its items. Deleted items may have been restored, and some items
        /// may be lost without being named.
        public internal(set) var isUncertain = false

        /// Counts rows of the damaged database.
        fileprivate mutating func count(_ taken: SalvagedTable.Taken) {
            recovered += taken.whole
            unchecked += taken.unchecked.count
        }
    }

    /// An item that is known to have existed.
    public struct Loss: Hashable, Sendable {
        public let itemClass: ItemClass
        public let row: Int64
        /// The names, if the attributes are intact and only the secret is damaged.
        public let names: ItemNames?
    }

    private let kind: StoreKind
    private let deviceKey: DeviceKey
    private let storage: any SecretKeyStorage
    private var keybag: Keybag
    private let keyRing: KeyRing
    /// The part of the database's log that SQLite would not read.
    private let damagedLog: Data?

    /// Finds a keybag that the device key opens: in the database, or else in the newest snapshot that has one.
    ///
    /// - Parameters:
    ///   - database: a copy of the damaged database, with its log beside it. It may be changed.
    ///   - kind: the kind of the keychain; a keybag of another kind is not used.
    ///   - passcode: opens the classes that need it, so that their items can be checked.
    /// - Throws: `.damaged(.keybag)` if no keybag is found, because no item can ever be opened without one;
    ///   `.wrongDeviceKey`; `.refused` with the reasons `wrongSecret` and `noSuchProtector`; `.inputOutput` if the log
    ///   beside it cannot be read.
    public init(
        _ database: String, of kind: StoreKind = .dataProtection, snapshots: [String], deviceKey: DeviceKey,
        in storage: some SecretKeyStorage,
        passcode: ProtectorSecret<some Collection<UInt8>>?
    ) throws(StoreError) {
        self.kind = kind
        self.deviceKey = deviceKey
        self.storage = storage
        damagedLog = try StoreOpening.damagedLog(of: database)
        // SQLite would merge the readable part of the log into the database, which must stay unchanged.
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
                // The error of the likeliest candidate is kept, even if more candidates turn out to be invalid.
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

    /// Returns the first keybag that the secret opens completely: if one key of the likeliest keybag is damaged, the
    /// key in a snapshot may be intact.
    ///
    /// - Throws: the error of the first keybag that has a passcode; a keybag without one cannot be opened by the
    ///   passcode.
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

    /// Returns all possible keybags, the likeliest first.
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
        return try? connection.access { db in try db.storedKeybag() }
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
            try SalvagedTable(table, writer, keyRing: keyRing, digests: AttributeDigests(keyRing))
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
        // The current contents are accepted, because the user has just read the report.
        try StoreError.translating {
            try writer.keeping { db throws(StoreError) in try writer.sealContents(db) }
        }
        try StoreError.translating { try writer.close() }
        return report
    }

    /// Copies all rows of a table from the damaged database.
    ///
    /// - Returns: the numbers of the rows that are known to have existed and are not intact.
    private func take(
        over new: SalvagedTable, from source: DamagedDatabase, above highest: Int64, _ report: inout Report
    ) throws(StoreError) -> Set<Int64> {
        let found = source.rows(of: new.table, columns: new.columns, above: highest)
        if found.isUncertain { report.isUncertain = true }
        let taken = try new.take(found.rows, from: source)
        report.count(taken)
        // A damaged row number may have any value.
        let last = found.missing.union(found.rows.keys).filter { $0 < 1 << 62 }.max() ?? 0
        report.count(try new.takeWhole(Array(found.numberless.values), above: last))
        let damaged = Set(found.rows.keys).subtracting(taken.present)
        var missing = found.missing.union(damaged)
        let versions = source.versions(
            of: damaged.subtracting(found.older.keys), columns: new.columns, besides: found.rows)
        try fill(new, from: found.older.merging(versions) { older, _ in older }, of: source, &missing, &report)
        return missing
    }

    /// Adds other versions of rows whose first found version is invalid.
    private func fill(
        _ new: SalvagedTable, from older: [Int64: [DamagedDatabase.Row]], of source: DamagedDatabase,
        _ missing: inout Set<Int64>, _ report: inout Report
    ) throws(StoreError) {
        let most = older.values.map(\.count).max() ?? 0
        for place in 0..<most {
            var rows: [Int64: DamagedDatabase.Row] = [:]
            for number in missing {
                if let versions = older[number], place < versions.count { rows[number] = versions[place] }
            }
            let taken = try new.take(rows, from: source)
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

    /// Replaces missing rows with rows of a snapshot.
    private func fill(
        _ new: SalvagedTable, from source: DamagedDatabase, _ missing: inout Set<Int64>, _ report: inout Report
    ) throws(StoreError) {
        var rows = source.rows(of: new.table, columns: new.columns, above: 0).rows
        // The set of rows is unknown, so every item that is not in the new database counts as lost.
        if report.isUncertain { missing.formUnion(Set(rows.keys).subtracting(try new.numbers())) }
        rows = rows.filter { missing.contains($0.key) }
        // An item that has become another item since, or is in another row now, is not lost.
        for (number, row) in rows where try new.hasElsewhere(row) { rows[number] = nil }
        let taken = try new.take(rows, from: source)
        report.fromSnapshots += taken.whole
        report.unchecked += taken.unchecked.count
        missing.subtract(taken.present)
    }

    /// Copies the settings beside the items, as far as they can be read: failed attempts keep counting, and without the
    /// enrolment the items that are bound to it could not be opened.
    private func copySettings(_ source: DamagedDatabase, _ writer: Connection) throws(StoreError) {
        // A value of another type is damaged.
        let isWhole = "typeof(failed) = 'integer' AND typeof(last) IN ('real', 'integer')"
        var attempts = source.values(
            "SELECT secret, failed, last FROM guesses WHERE typeof(secret) = 'blob' AND \(isWhole)")
        // Before version 5, all secrets shared one count.
        if attempts.isEmpty {
            for secret in ["02", "04"] {
                attempts += source.values("SELECT x'\(secret)', failed, last FROM attempts WHERE id = 1 AND \(isWhole)")
            }
        }
        let settings = source.values(
            "SELECT name, value FROM settings WHERE typeof(name) = 'text' AND typeof(value) = 'integer'")
        let numbering = source.values(
            "SELECT class, last FROM numbering WHERE typeof(class) = 'integer' AND typeof(last) = 'integer'")
        // Items that cannot be opened now do not state that their group is an enforced group.
        let enforcedGroups = source.values(
            "SELECT class, agrp FROM enforced_groups WHERE typeof(class) = 'integer' AND typeof(agrp) = 'blob'")
        // Grants are not copied, because a damaged file may restore a revoked grant. Their numbers stay used.
        let lastGrant = source.values("SELECT max(id) FROM grants WHERE typeof(id) = 'integer'").first?.first
        let enrolment = try enrolment(in: source)
        try StoreError.translating {
            try writer.inTransaction { db in
                if let enrolment {
                    try db.execute("INSERT INTO enrolment (id, bytes) VALUES (1, ?)", [.bytes(enrolment)])
                }
                for row in attempts {
                    try db.execute(
                        "INSERT INTO guesses (secret, failed, last) VALUES (?, ?, ?) "
                            + "ON CONFLICT (secret) DO UPDATE SET failed = excluded.failed, last = excluded.last",
                        row)
                }
                for setting in settings {
                    try db.execute(
                        "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
                        setting)
                }
                // As with grants.
                try db.distrustAll()
                for group in enforcedGroups {
                    try db.execute(
                        "INSERT OR IGNORE INTO enforced_groups (class, agrp) VALUES (?, ?)",
                        group)
                }
                if let lastGrant, lastGrant != .null {
                    try db.execute(
                        "UPDATE numbering SET last = max(last, ?) WHERE class = 16", [lastGrant])
                }
                for row in numbering {
                    try db.execute(
                        "UPDATE numbering SET last = max(last, ?2) WHERE class = ?1",
                        row)
                }
                return .commit
            }
        }
    }

    /// Returns the enrolment that the keychain knows; nil if none opens.
    private func enrolment(in source: DamagedDatabase) throws(StoreError) -> Data? {
        let key: EnrolmentKey
        do throws(SealingError) {
            key = try EnrolmentKey(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: storage)
        } catch {
            throw StoreError(error)
        }
        let stored = source.values("SELECT bytes FROM enrolment WHERE id = 1 AND typeof(bytes) = 'blob'")
        guard let sealed = stored.first?.first?.bytes else { return nil }
        return (try? key.open(sealed)) == nil ? nil : sealed
    }
}
