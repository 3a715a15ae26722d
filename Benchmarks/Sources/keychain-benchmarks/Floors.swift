// SPDX-License-Identifier: Apache-2.0

import Crypto
import CSQLite
import Foundation
import Glibc
import Measuring

/// The minimum durations on this machine for the parts of an operation, measured in the same run.
enum Floors {
    /// The cores of the service, if they are set.
    static let servicePlace = ProcessInfo.processInfo.environment["SERVICE_CPUS"].flatMap(Place.init(core:))
    /// The cores of this program.
    static let ownPlace = Place.current

    /// Measures reading one row by an indexed 16-byte key with a prepared statement, in a table of `rows` rows.
    static func lookup(rows: Int, times: Int, directory: String) throws -> Timing {
        let database = try Database(directory + "/floor-lookup-\(rows).db")
        try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, k BLOB UNIQUE, a BLOB, b BLOB, c BLOB)")
        try database.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO t SELECT i, CAST(printf('%016d', i) AS BLOB), randomblob(40), randomblob(300), randomblob(60) FROM n
            """)
        let statement = try database.prepare("SELECT a, b, c FROM t WHERE k = ?1")
        var generator = SystemRandomNumberGenerator()
        return Timing("raw SQLite lookup, \(rows) rows", times: times) { _ in
            let number = String(Int.random(in: 1...rows, using: &generator))
            let key = String(repeating: "0", count: 16 - number.count) + number
            // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the key, which is only valid during
            // this statement.
            sqlite3_bind_blob(statement, 1, key, 16, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            _ = sqlite3_step(statement)
            sqlite3_reset(statement)
        }
    }

    /// Measures one row inserted and committed with WAL and synchronous=FULL, on the core of the service: a disk may
    /// interrupt only one core, and waiting on another core takes longer.
    static func durableCommit(directory: String) throws -> MeasuredOperation {
        let database = try Database(directory + "/floor-commit.db")
        try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, k BLOB UNIQUE, a BLOB)")
        let statement = try database.prepare("INSERT INTO t (k, a) VALUES (randomblob(16), randomblob(400))")
        return MeasuredOperation(
            "bare durable one-row commit", prepare: { servicePlace?.enter() },
            timing: { _ in
                withExtendedLifetime(database) { _ = sqlite3_step(statement) }
                sqlite3_reset(statement)
            })
    }

    /// Measures one page appended to a file and flushed, on the core of the service.
    static func flush(directory: String) throws -> MeasuredOperation {
        let file = open(directory + "/floor-flush", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchmarkFailure("cannot make a file in \(directory)") }
        let page = [UInt8](repeating: 0x46, count: 4096)
        return MeasuredOperation(
            "bare write and flush of 4 KiB", prepare: { servicePlace?.enter() },
            timing: { _ in
                guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
                    throw BenchmarkFailure("cannot write to \(directory)")
                }
            })
    }

    /// Measures one AES-256-GCM open of a box of this size, with additional data of an item's size
    /// (Documentation/Formats/sealed-item.md).
    static func authenticatedOpen(bytes: Int, times: Int) throws -> Timing {
        let key = SymmetricKey(size: .bits256)
        let bound = [UInt8](repeating: 3, count: 125)
        let sealed = try AES.GCM.seal([UInt8](repeating: 7, count: bytes), using: key, authenticating: bound)
        return try Timing("bare AES-256-GCM open, \(bytes) B", times: times) { _ in
            _ = try AES.GCM.open(sealed, using: key, authenticating: bound)
        }
    }

    /// Returns the sizes of the contents of the two boxes of a generic password, in the keychain of this file.
    static func boxes(of path: String) throws -> (attributes: Int, secret: Int) {
        try firstRow(of: "SELECT length(attributes), length(data) FROM genp", in: path) { row in
            // Version, part, nonce and tag surround them.
            (Int(sqlite3_column_int(row, 0)) - 30, Int(sqlite3_column_int(row, 1)) - 30)
        }
    }

    /// Reads a database that other processes may have open.
    static func firstRow<Result>(
        of sql: String, in path: String, _ read: (_ row: OpaquePointer?) throws -> Result
    ) throws -> Result {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(database)
        }
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { throw BenchmarkFailure("\(path) has no row for: \(sql)") }
        return try read(statement)
    }

    static func withAddress<R>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> R
    ) throws -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return try withUnsafeBytes(of: &address) { bytes in
            try body(
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!,
                socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }

    /// A SQLite database with the settings of the store: write-ahead log, and every commit is written to disk.
    final class Database {
        private var handle: OpaquePointer?

        init(_ path: String) throws {
            unlink(path)
            guard sqlite3_open(path, &handle) == SQLITE_OK else { throw BenchmarkFailure("cannot open \(path)") }
            try run("PRAGMA journal_mode=WAL")
            try run("PRAGMA synchronous=FULL")
        }

        func run(_ sql: String) throws {
            guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
                throw BenchmarkFailure("SQLite refuses: \(sql)")
            }
        }

        func prepare(_ sql: String) throws -> OpaquePointer? {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
                throw BenchmarkFailure("SQLite refuses: \(sql)")
            }
            return statement
        }
    }
}
