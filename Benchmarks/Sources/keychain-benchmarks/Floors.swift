// SPDX-License-Identifier: Apache-2.0

import Crypto
import CSQLite
import Foundation
import Glibc
import Measuring

/// What the machine itself takes for the parts of an operation, measured in the same run.
enum Floors {
    /// Where the service runs, if it was put somewhere.
    static let servicePlace = ProcessInfo.processInfo.environment["SERVICE_CPUS"].flatMap(Place.init(core:))
    /// Where this program was put.
    static let ownPlace = Place.current

    /// A request and an answer of the sizes of a lookup, over a Unix socket, with a process that does nothing else. The
    /// closure is given the operation to measure.
    static func withRoundTrip<R>(
        requestBytes: Int, answerBytes: Int, _ body: (MeasuredOperation) throws -> R
    ) throws -> R {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("floor-\(getpid())").path
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try withAddress(directory) { address, size in
            guard bind(listener, address, size) == 0, listen(listener, 1) == 0 else {
                throw BenchmarkFailure("cannot listen at \(directory)")
            }
        }
        defer { unlink(directory) }
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
        let arguments = ["echo", directory, String(requestBytes), String(answerBytes)]
        let server = Process()
        if let processors = ProcessInfo.processInfo.environment["SERVICE_CPUS"] {
            // Where the keychain's service runs as well: a round trip within one core takes a third of one between two.
            server.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
            server.arguments = ["-c", processors, own.path] + arguments
        } else {
            server.executableURL = own
            server.arguments = arguments
        }
        try server.run()
        let connection = accept(listener, nil, nil)
        defer {
            close(connection)
            close(listener)
            server.waitUntilExit()
        }
        var request = [UInt8](repeating: 1, count: requestBytes)
        var answer = [UInt8](repeating: 0, count: max(answerBytes, 1))
        return try body(
            MeasuredOperation(
                "bare socket round trip (\(requestBytes) B, \(answerBytes) B)",
                timing: { _ in
                    send(connection, &request, requestBytes, 0)
                    var count = 0
                    while count < answerBytes {
                        let received = recv(connection, &answer, answerBytes - count, 0)
                        guard received > 0 else { throw BenchmarkFailure("the other side of the round trip is gone") }
                        count += received
                    }
                }))
    }

    /// The other process of ``withRoundTrip(requestBytes:answerBytes:_:)``.
    static func echo(_ path: String, requestBytes: Int, answerBytes: Int) throws {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try withAddress(path) { address, size in
            guard connect(connection, address, size) == 0 else { throw BenchmarkFailure("cannot connect to \(path)") }
        }
        var request = [UInt8](repeating: 0, count: requestBytes)
        let answer = [UInt8](repeating: 2, count: answerBytes)
        while true {
            var count = 0
            while count < requestBytes {
                let received = recv(connection, &request, requestBytes - count, 0)
                guard received > 0 else { return }
                count += received
            }
            send(connection, answer, answerBytes, Int32(MSG_NOSIGNAL))
        }
    }

    /// One row by an indexed 16-byte key through a prepared statement, in a table of `rows` rows.
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
            // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the key, which ends with this statement.
            sqlite3_bind_blob(statement, 1, key, 16, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            _ = sqlite3_step(statement)
            sqlite3_reset(statement)
        }
    }

    /// One row inserted and committed with WAL and synchronous=FULL, on the core of the service: a disk may interrupt one core
    /// only, and who waits for it on another waits longer.
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

    /// A page written behind the others of a file and flushed, on the core of the service.
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

    /// One AES-256-GCM open of a short secret.
    static func authenticatedOpen(times: Int) throws -> Timing {
        let key = SymmetricKey(size: .bits256)
        let sealed = try AES.GCM.seal([UInt8](repeating: 7, count: 32), using: key)
        return try Timing("one AES-256-GCM open, 32 B", times: times) { _ in
            _ = try AES.GCM.open(sealed, using: key)
        }
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

    /// A SQLite database as the store opens its own: write-ahead log, every commit on the disk.
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
