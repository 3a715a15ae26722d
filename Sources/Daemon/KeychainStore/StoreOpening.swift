// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainSealing
import SQLiteStatements

/// Opens a keychain's file: checks it through a read-only connection first, and writes to it only if the check
/// succeeds.
enum StoreOpening {
    /// The contents of the file at the keychain's path.
    enum Contents {
        case nothing
        case keychain(Keybag, KeyRing, version: Int)
    }

    /// Checks the file.
    ///
    /// - Throws: `.notAKeychain`, `.newerVersion`, `.wrongDeviceKey`, `.damaged`, `.inputOutput`. The file is
    ///   unchanged.
    static func inspect(
        file path: String, _ kind: StoreKind, deviceKey: DeviceKey, storage: some SecretKeyStorage
    ) throws(StoreError) -> Contents {
        _ = try Connection.trustedFiles(path, .creation)
        try inspectLog(of: path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes, attributes[.size] as? Int != 0 else { return .nothing }
        return try StoreError.translating {
            do {
                return try inspect(Connection(file: path, .readOnly), kind, deviceKey: deviceKey, storage: storage)
            } catch let error as SQLiteError where error.code == .readOnlyNeedsRollback {
                // A process was killed while it created the database, before the log existed. Its transaction has to be
                // rolled back before the file can be read, and only a writable connection can do that.
                return try inspect(Connection(file: path, .readWrite), kind, deviceKey: deviceKey, storage: storage)
            }
        }
    }

    /// Checks the log, because SQLite would skip the unreadable part of a log and overwrite it.
    ///
    /// - Throws: `.damaged(.log)`, `.inputOutput`.
    private static func inspectLog(of path: String) throws(StoreError) {
        if try damagedLog(of: path) != nil { throw .damaged(.log) }
    }

    /// Returns the bytes of the log beside a database, if it has changes that SQLite would not read.
    ///
    /// - Throws: `.inputOutput`: the log exists and cannot be read.
    static func damagedLog(of path: String) throws(StoreError) -> Data? {
        let log = path + "-wal"
        guard FileManager.default.fileExists(atPath: log) else { return nil }
        guard let bytes = PageFile(path: log)?.contents().map({ Data($0) }) else { throw .inputOutput }
        guard !bytes.isEmpty else { return nil }
        let pages = DatabasePages(path, damagedLog: Data())
        return WriteAheadLog(bytes, pageSize: pages.namedPageSize).losesChanges(of: pages) ? bytes : nil
    }

    private static func inspect(
        _ connection: Connection, _ kind: StoreKind, deviceKey: DeviceKey, storage: some SecretKeyStorage
    ) throws -> Contents {
        defer { try? connection.close() }
        return try connection.access { db in try inspect(db, kind, deviceKey: deviceKey, storage: storage) }
    }

    private static func inspect(
        _ db: Database, _ kind: StoreKind, deviceKey: DeviceKey, storage: some SecretKeyStorage
    ) throws -> Contents {
        let application = try db.value(of: "PRAGMA application_id")?.integer ?? 0
        let version = try Int(db.value(of: "PRAGMA user_version")?.integer ?? 0)
        let tables = try db.value(of: "SELECT count(*) FROM sqlite_master")?.integer ?? 0
        // Creation is one transaction; before it, the database is empty.
        if application == 0, version == 0, tables == 0 { return .nothing }
        guard application == kind.applicationID else { throw StoreError.notAKeychain }
        guard version <= Migrations.steps.count else { throw StoreError.newerVersion }
        // If a table lacked a column, SQLite would write rows without its values.
        guard version >= 1, try Schema(of: db) == Schema(after: Migrations.steps[..<version]) else {
            throw StoreError.damaged(.database)
        }
        guard let bytes = try db.storedKeybag() else {
            throw StoreError.damaged(.keybag)
        }
        do {
            let keybag = try Keybag(decoding: bytes)
            return .keychain(
                keybag,
                try keybag.keyRing(with: deviceKey, in: storage, attributesClass: kind.attributesClass),
                version: version)
        } catch {
            throw StoreError(ofKeybag: error)
        }
    }

    private static func makePrivateFile(_ path: String) throws {
        do {
            try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch let error as CocoaError {
            switch error.code {
            case .fileWriteVolumeReadOnly, .fileWriteNoPermission: throw StoreError.readOnly
            case .fileWriteOutOfSpace: throw StoreError.diskFull
            default: throw StoreError.inputOutput
            }
        }
    }

    /// Opens the writing connection to a keychain's file, and creates the file if it does not exist.
    static func openWriter(file path: String) throws(StoreError) -> Connection {
        try StoreError.translating {
            if !FileManager.default.fileExists(atPath: path) {
                // SQLite would make the file readable for all users; its -wal and -shm files get the mode of this file.
                try makePrivateFile(path)
            }
            let connection = try Connection(file: path, .readWrite)
            try connection.access { db in
                // Only for a new database. A row changes a page of each index, and a commit writes these pages whole:
                // with pages of 4096 bytes, SQLite's default, adding takes a fifth longer.
                try db.execute("PRAGMA page_size = 2048")
                let isMade = try db.value(of: "PRAGMA page_count")?.integer ?? 0 > 0
                if isMade, try db.value(of: "PRAGMA journal_mode")?.text != "wal" {
                    // The file is a snapshot in the place of the database. The change of its journal mode writes its
                    // header, one sector. The journal of that write stays in memory, because a journal file left behind
                    // by a killed service could not be distinguished from a journal that another program put there.
                    try db.execute("PRAGMA journal_mode = MEMORY")
                }
                // FULL: a commit returns when the log is on the disk. Set after the journal mode, because that may
                // lower it.
                guard try db.value(of: "PRAGMA journal_mode = WAL")?.text == "wal" else {
                    throw StoreError.inputOutput
                }
                try db.execute("PRAGMA synchronous = FULL")
            }
            return connection
        }
    }

    /// Migrates the schema to this version in one transaction, with a keybag and the seal of no rows if the database is
    /// new.
    static func migrate(
        _ connection: Connection, _ kind: StoreKind, from version: Int, adding new: (keybag: Keybag, seal: Data)?
    ) throws(StoreError) {
        guard version < Migrations.steps.count || new != nil else { return }
        try StoreError.translating {
            try connection.inTransaction { db in
                for step in Migrations.steps.dropFirst(version) { try db.execute(step) }
                try db.execute("PRAGMA application_id = \(kind.applicationID)")
                try db.execute("PRAGMA user_version = \(Migrations.steps.count)")
                if let new {
                    try db.execute(
                        "INSERT INTO keybag (id, bytes) VALUES (1, ?)", [.bytes(new.keybag.encoded)])
                    try db.execute("INSERT INTO seal (id, bytes) VALUES (1, ?)", [.bytes(new.seal)])
                }
                return .commit
            }
            // A keychain that exists only in the log would be deleted with the log, and a new keychain would replace
            // it.
            if new != nil {
                try connection.access { db in
                    try db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                }
            }
        }
    }
}

extension Database {
    /// Returns the stored keybag. The conversion saves the bytes if only the type of the column is damaged.
    func storedKeybag() throws(SQLiteError) -> Data? {
        try value(of: "SELECT CAST(bytes AS BLOB) FROM keybag WHERE id = 1")?.bytes
    }
}
