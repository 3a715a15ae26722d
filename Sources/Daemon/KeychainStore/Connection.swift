// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import SQLiteStatements
import Synchronization

/// One connection to the database, with its prepared statements.
///
/// Access goes through GRDB's `unsafeRead` and `writeWithoutTransaction`: both only switch to the connection's queue
/// (0.2 µs), while `read` also opens and closes a transaction and toggles `query_only` (28 µs on a writable connection,
/// 3 µs on a read-only one). A single SELECT is a transaction of its own anyway.
///
/// `@unchecked Sendable`: the statements are used only inside an access, and the queue admits one access at a time.
final class Connection: @unchecked Sendable {
    let queue: DatabaseQueue
    private var searches: [QueryShape: PreparedStatement] = [:]
    /// The last search. The next search nearly always has the same shape.
    private var latest: (shape: QueryShape, statement: PreparedStatement)?
    private var identitySearches: [IdentityShape: PreparedStatement] = [:]
    private var changes: [ItemStatement: PreparedStatement] = [:]
    /// The numbers of searches that found a prepared statement and of searches that needed a new one.
    private var found: (hits: UInt64, misses: UInt64) = (0, 0)
    /// The seal of the contents; a connection without a seal changes no items.
    var contents: ContentsSeal?
    let turns = GroupCommit()

    /// The time to wait for another process that holds the database. Normally no other process does.
    private static let busyTimeout = 5.0
    /// The maximum number of prepared searches. It is bounded because clients choose the shapes of searches.
    static let searchLimit = 64

    /// The default size of a connection's page cache.
    static let pageKibibytes = 8000

    enum Access { case readOnly, readWrite }

    /// Opens a file.
    ///
    /// - Parameter origin: the kind of journal that the service itself may have left beside the file.
    /// - Throws: `StoreError.untrusted` before SQLite opens a file, or if a file of another user appeared meanwhile;
    ///   GRDB's errors.
    init(file path: String, _ access: Access, journalOf origin: DatabaseFiles.JournalOrigin = .creation) throws {
        SQLiteLibrary.configure()
        let files = try Self.trustedFiles(path, origin)
        queue = try DatabaseQueue(path: files.path, configuration: Self.configuration(access))
        // In a folder where other users can create files, another user may have created the log after the first check.
        _ = try Self.trustedFiles(path, origin)
    }

    private static func trustedFiles(
        _ path: String, _ origin: DatabaseFiles.JournalOrigin
    ) throws(StoreError) -> DatabaseFiles {
        do throws(DatabaseFiles.Untrusted) {
            return try DatabaseFiles(at: path, journalOf: origin)
        } catch {
            throw .untrusted(StoreError.UntrustedFile(error.kind))
        }
    }

    /// Creates a database in memory.
    init() throws {
        queue = try DatabaseQueue(configuration: Self.configuration(.readWrite))
    }

    private static func configuration(_ access: Access) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = access == .readOnly
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            // Overwrite deleted content; keep sorting out of temporary files; do not trust the file: no functions from
            // its schema, and check pages before use.
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    """)
            // KiB, allocated on demand: room for the upper pages and the main index of a hundred thousand items.
            // Mapping the file would save the copies, but the service would crash if another process shortened the
            // file.
            try db.execute(sql: "PRAGMA cache_size = -\(pageKibibytes)")
        }
        return configuration
    }

    /// Runs a search and passes its rows to `body` until `body` needs no more. Call only inside an access.
    func rows(
        of shape: QueryShape, in table: ItemTable, _ arguments: [PreparedStatement.Argument], _ db: Database,
        while body: (borrowing StatementRow) -> Bool
    ) throws(StoreError) {
        do throws(SQLiteFailure) {
            // The number of arguments equals the number of parameters of the shape, because both are derived from the
            // same conditions.
            try statement(shape, table, db).run(arguments, while: body)
        } catch {
            searches[shape] = nil
            latest = nil
            throw StoreError(DatabaseError(resultCode: ResultCode(rawValue: error.code)))
        }
    }

    /// Runs a search for identities and passes its rows to `body` until `body` needs no more. Call only inside an
    /// access.
    func rows(
        of shape: IdentityShape, _ arguments: [PreparedStatement.Argument], _ db: Database,
        while body: (borrowing StatementRow) -> Bool
    ) throws(StoreError) {
        do throws(SQLiteFailure) {
            if let prepared = identitySearches[shape] {
                found.hits &+= 1
                return try prepared.run(arguments, while: body)
            }
            found.misses &+= 1
            if identitySearches.count >= Self.searchLimit { identitySearches.removeAll(keepingCapacity: true) }
            let prepared = try prepare(shape.sql, db)
            identitySearches[shape] = prepared
            try prepared.run(arguments, while: body)
        } catch {
            identitySearches[shape] = nil
            throw StoreError(DatabaseError(resultCode: ResultCode(rawValue: error.code)))
        }
    }

    /// Runs a statement that changes rows or looks up one or two rows. Call only inside an access.
    func run(
        _ statement: ItemStatement, _ arguments: [PreparedStatement.Argument], _ db: Database,
        _ row: (borrowing StatementRow) -> Void = { _ in }
    ) throws(StoreError) {
        do throws(SQLiteFailure) {
            if let prepared = changes[statement] { return try prepared.run(arguments, row) }
            let prepared = try prepare(statement.sql, db)
            changes[statement] = prepared
            try prepared.run(arguments, row)
        } catch {
            changes[statement] = nil
            throw StoreError(DatabaseError(resultCode: ResultCode(rawValue: error.code)))
        }
    }

    private func statement(
        _ shape: QueryShape, _ table: ItemTable, _ db: Database
    ) throws(SQLiteFailure) -> PreparedStatement {
        if let latest, latest.shape == shape {
            found.hits &+= 1
            return latest.statement
        }
        let statement: PreparedStatement
        if let existing = searches[shape] {
            found.hits &+= 1
            statement = existing
        } else {
            found.misses &+= 1
            if searches.count >= Self.searchLimit { searches.removeAll(keepingCapacity: true) }
            statement = try prepare(shape.sql(table), db)
            searches[shape] = statement
        }
        latest = (shape, statement)
        return statement
    }

    private func prepare(_ sql: String, _ db: Database) throws(SQLiteFailure) -> PreparedStatement {
        // GRDB's own connection, open during the access; `close` drops the statement before it closes the connection.
        unsafe try PreparedStatement(db.sqliteConnection, sql: sql)
    }

    /// Returns the cache figures of the connection's searches and pages. Waits for the current access.
    func figures() throws(SQLiteFailure) -> ConnectionFigures {
        try queue.unsafeRead { db in
            Result { () throws(SQLiteFailure) in
                // GRDB's own connection, open during the access.
                let pages = unsafe try PageCacheFigures(db.sqliteConnection)
                return ConnectionFigures(
                    hits: found.hits, misses: found.misses, statements: searches.count + identitySearches.count,
                    pages: pages)
            }
        }.get()
    }

    var statementCount: Int { queue.unsafeRead { _ in searches.count + identitySearches.count } }

    func close() throws {
        // SQLite cannot close a connection that still has statements.
        queue.unsafeRead { _ in (searches, latest, identitySearches, changes) = ([:], nil, [:], [:]) }
        try queue.close()
        Self.closed.withLock { closed in if closed.count < Self.closedLimit { closed.append(queue) } }
    }

    /// The first closed queues, which are never freed: freeing a queue makes libdispatch start a thread, which traps
    /// without /proc. A service that starts without /proc closes the queues of its file checks and must survive.
    private static let closed = Mutex<[DatabaseQueue]>([])
    private static let closedLimit = 16
}
