// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
import KeychainSealing
import SQLiteStatements
import Synchronization

/// Copies of the keychain's database beside it, made once a day and before its schema changes. They are sealed like the
/// database, and serve to recover a damaged database. Documentation/Formats/database.md.
///
/// A snapshot opens with the current protectors of the keychain: when the keybag changes, it changes in every snapshot
/// as well.
public final class Snapshots: Sendable {
    /// The folder, which is created with the first snapshot.
    public let folder: String
    private let database: String
    /// Makes the entries of a folder durable.
    private let synchronize: @Sendable (_ folder: String) throws -> Void
    private let log: @Sendable (String) -> Void
    /// Prevents a new snapshot while the keybag of the others changes, because the new one might get the old keybag.
    private let turn = Mutex(())

    /// Creates the set of snapshots.
    ///
    /// - Parameters:
    ///   - database: the path of the database.
    ///   - folder: the folder of the snapshots.
    ///   - log: receives messages on snapshots that had to be removed.
    public init(
        of database: String, in folder: String, synchronize: @escaping @Sendable (_ folder: String) throws -> Void,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.database = database
        self.folder = folder
        self.synchronize = synchronize
        self.log = log
    }

    private static let prefix = "keychain-"
    private static let suffix = ".db"

    /// The paths of all snapshots, the newest first.
    public var paths: [String] { names.map { "\(folder)/\($0)" } }

    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { Self.date($0) != nil }.sorted(by: >)
    }

    /// Makes the day's snapshot, if it does not exist yet, and removes surplus and expired snapshots.
    ///
    /// - Parameters:
    ///   - count: the number of snapshots to keep; 0 makes none and removes all.
    ///   - days: the days to keep a snapshot. The newest is always kept.
    /// - Returns: the time until this has to be called again.
    /// - Throws: `.diskFull`, `.readOnly`, `.damaged(.database)`, `.inputOutput`; all snapshots are unchanged.
    @discardableResult
    public func takeDaily(now: Timestamp, count: UInt64, days: UInt64) throws(StoreError) -> Duration {
        let day = Self.day(now)
        if count > 0, !names.contains(where: { Self.date($0).map(Self.day) == day }) { try take(now: now) }
        try prune(now: now, count: count, days: days)
        let rest = Double(day + 1) * 86_400 - now.secondsSinceReferenceDate
        return .milliseconds(Int64((rest * 1000).rounded(.up)))
    }

    /// Makes a snapshot now.
    ///
    /// - Throws: as ``takeDaily(now:count:days:)``.
    public func take(now: Timestamp) throws(StoreError) {
        try takingTurn { () throws(StoreError) in try copy(at: now) }
    }

    /// Removes the files of unfinished snapshots, whose process was killed. Call this before any snapshot is made.
    public func removeUnfinished() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix("." + Self.prefix) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private func takingTurn(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let result: Result<Void, StoreError> = turn.withLock { _ in
            do throws(StoreError) { return .success(try body()) } catch { return .failure(error) }
        }
        try result.get()
    }

    private func copy(at now: Timestamp) throws(StoreError) {
        guard let moment = CivilTime(now) else { throw .inputOutput }
        let name = Self.prefix + moment.compact + Self.suffix
        let temporary = "\(folder)/.\(name)"
        do throws(StoreError) {
            try StoreError.translating {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                for suffix in ["-journal", "-wal", "-shm", ""] {
                    try? FileManager.default.removeItem(atPath: temporary + suffix)
                }
                try Self.copy(database, to: temporary)
                try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
                try FileManager.default.moveItem(atPath: temporary, toPath: "\(folder)/\(name)")
                try synchronize(folder)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error == .damaged(.database) || error == .diskFull || error == .readOnly ? error : .inputOutput
        }
    }

    /// Puts the keychain's current keybag into each of its snapshots, so that no snapshot opens with a former
    /// protector.
    ///
    /// Called after each change of the keybag, and once after the start, because the last change may have been
    /// interrupted. A snapshot that cannot be changed is removed.
    ///
    /// - Parameters:
    ///   - bytes: evaluated at this call's turn, because another thread may change the keybag before that.
    ///   - contentsKey: for the seal over all rows, which covers the keybag.
    func replaceKeybag(_ bytes: @autoclosure () -> Data, _ contentsKey: ContentsKey) {
        turn.withLock { _ in replaceKeybags(bytes(), contentsKey) }
    }

    private func replaceKeybags(_ bytes: Data, _ contentsKey: ContentsKey) {
        for path in paths {
            do throws(StoreError) {
                try StoreError.translating {
                    let connection = try Connection(file: path, .readWrite, journalOf: .change)
                    defer { try? connection.close() }
                    connection.contents = ContentsSeal(contentsKey)
                    try connection.access { db in
                        try db.execute("PRAGMA synchronous = EXTRA")
                    }
                    try connection.keeping { db throws(StoreError) in
                        try StoreError.translating {
                            guard try db.storedKeybag() != bytes else { return }
                            // secure_delete, which every connection sets, overwrites the old keybag.
                            try connection.replaceKeybag(with: bytes, db)
                        }
                    }
                }
            } catch {
                // No snapshot is better than a snapshot that opens with the old passcode.
                for suffix in ["-journal", "-wal", "-shm", ""] {
                    try? FileManager.default.removeItem(atPath: path + suffix)
                }
                log(
                    FileManager.default.fileExists(atPath: path)
                        ? "\(path) can still be opened with the old protectors, and cannot be removed: \(error)"
                        : "\(path) was removed, because its keybag could not be replaced: \(error)")
            }
        }
    }

    /// Copies a database at one moment, while other connections may use it, into a new file of mode 0600.
    ///
    /// - Throws: `.readOnly` if the file exists already or cannot be created; `.diskFull`, `.damaged(.database)`,
    ///   `.inputOutput`. A partial copy may remain then.
    public static func makeCopy(of database: String, at path: String) throws(StoreError) {
        try StoreError.translating { try copy(database, to: path) }
    }

    private static func copy(_ database: String, to path: String) throws {
        // Readable for its owner only, from the first moment.
        guard
            !FileManager.default.fileExists(atPath: path),
            FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw StoreError.readOnly }
        let source = try Connection(file: database, .readOnly)
        defer { try? source.close() }
        let target = try Connection(file: path, .readWrite)
        defer { try? target.close() }
        try source.access { from in try target.access { to in try from.copy(to: to) } }
        // In one file, so that it can be copied and inspected by itself.
        try target.access { db in
            try db.execute("PRAGMA synchronous = EXTRA")
            guard try db.value(of: "PRAGMA journal_mode = DELETE")?.text == "delete" else {
                throw StoreError.inputOutput
            }
        }
    }

    private func prune(now: Timestamp, count: UInt64, days: UInt64) throws(StoreError) {
        let oldest = now.secondsSinceReferenceDate - Double(days) * 86_400
        for (place, name) in names.enumerated() {
            let isOld = (Self.date(name)?.secondsSinceReferenceDate ?? 0) < oldest
            guard place >= Int(clamping: count) || (isOld && place > 0) else { continue }
            try StoreError.translating {
                do {
                    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
                } catch {
                    throw StoreError.inputOutput
                }
            }
        }
    }

    /// Returns the days since 2001-01-01, in UTC.
    private static func day(_ moment: Timestamp) -> Int64 {
        Int64((moment.secondsSinceReferenceDate / 86_400).rounded(.down))
    }

    /// Returns whether a file of this name in the folder is a snapshot.
    public static func isSnapshot(_ name: String) -> Bool { date(name) != nil }

    /// Returns the time in a snapshot's name; nil for other names.
    static func date(_ name: String) -> Timestamp? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        return CivilTime.moment(compact: name.dropFirst(prefix.count).dropLast(suffix.count))
    }
}
