// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import SQLiteStatements

/// One connection to the database, with its prepared statements.
///
/// `@unchecked Sendable`: the database and the statements are used only inside ``access(_:)``, which admits one thread at
/// a time.
final class Connection: @unchecked Sendable {
    private let database: Database
    /// The turn to use the database.
    ///
    /// Not a `Mutex`: on Linux a thread spins before it waits for one, and a thread that unlocks it hands it to the
    /// first waiting thread, although that thread sleeps. An access is long enough for other threads to arrive
    /// meanwhile, so with more threads than processors each access would wait for a thread to be scheduled. A semaphore
    /// is free as soon as it is signalled, for any thread that runs.
    private let turn = DispatchSemaphore(value: 1)
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

    /// The milliseconds to wait for another process that holds the database. Normally no other process does.
    private static let busyTimeout: Int32 = 5000
    /// The maximum number of prepared searches. It is bounded because clients choose the shapes of searches.
    static let searchLimit = 64

    /// The default size of a connection's page cache.
    static let pageKibibytes = 8000

    /// Opens a file.
    ///
    /// - Parameter origin: the kind of journal that the service itself may have left beside the file.
    /// - Throws: `StoreError.untrusted` before SQLite opens a file, or if a file of another user appeared meanwhile;
    ///   SQLite's errors.
    init(
        file path: String, _ access: Database.Access, journalOf origin: DatabaseFiles.JournalOrigin = .creation
    ) throws {
        SQLiteLibrary.configure()
        let files = try Self.trustedFiles(path, origin)
        database = try Self.database(files.path, access)
        // In a folder where other users can create files, another user may have created the log after the first check.
        _ = try Self.trustedFiles(path, origin)
    }

    /// Returns the files of a database.
    ///
    /// - Throws: `.untrusted` for the first file that SQLite must not open.
    static func trustedFiles(
        _ path: String, _ origin: DatabaseFiles.JournalOrigin
    ) throws(StoreError) -> DatabaseFiles {
        do throws(DatabaseFiles.Untrusted) {
            return try DatabaseFiles(at: path, journalOf: origin)
        } catch {
            throw .untrusted(StoreError.UntrustedFile(error.kind))
        }
    }

    /// Creates a database in memory.
    init() throws { database = try Self.database(":memory:", .readWrite) }

    private static func database(_ path: String, _ access: Database.Access) throws(SQLiteError) -> Database {
        let database = try Database(path: path, access, busyTimeout: busyTimeout)
        // Overwrite deleted content; keep sorting out of temporary files; do not trust the file: no functions from its
        // schema, and check pages before use. The cache has KiB, allocated on demand: room for the upper pages and the
        // main index of a hundred thousand items. Mapping the file would save the copies, but the service would crash if
        // another process shortened the file. The last statement fails if the file is not a database.
        try database.execute(
            """
            PRAGMA foreign_keys = ON;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA cache_size = -\(pageKibibytes);
            SELECT * FROM sqlite_master LIMIT 1;
            """)
        return database
    }

    /// The path of the file.
    var path: String { database.path }

    /// Runs `body` alone with the database. A single SELECT is a transaction of its own; several that must see the same
    /// state, and changes, need one (``inTransaction(_:)``).
    ///
    /// - Parameter body: must not begin another access to this connection, which would wait forever.
    func access<Result, Failure: Error>(
        _ body: (Database) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        turn.wait()
        defer { turn.signal() }
        return try body(database)
    }

    /// Runs a search and passes its rows to `body` until `body` needs no more. Call only inside an access.
    func rows(
        of shape: QueryShape, in table: ItemTable, _ arguments: [SQLiteValue], _ db: Database,
        while body: (borrowing StatementRow) -> Bool
    ) throws(StoreError) {
        do throws(SQLiteError) {
            // The number of arguments equals the number of parameters of the shape, because both are derived from the
            // same conditions.
            try statement(shape, table, db).run(arguments, while: body)
        } catch {
            searches[shape] = nil
            latest = nil
            throw StoreError(error)
        }
    }

    /// Runs a search for identities and passes its rows to `body` until `body` needs no more. Call only inside an
    /// access.
    func rows(
        of shape: IdentityShape, _ arguments: [SQLiteValue], _ db: Database,
        while body: (borrowing StatementRow) -> Bool
    ) throws(StoreError) {
        do throws(SQLiteError) {
            if let prepared = identitySearches[shape] {
                found.hits &+= 1
                return try prepared.run(arguments, while: body)
            }
            found.misses &+= 1
            if identitySearches.count >= Self.searchLimit { identitySearches.removeAll(keepingCapacity: true) }
            let prepared = try PreparedStatement(db, sql: shape.sql)
            identitySearches[shape] = prepared
            try prepared.run(arguments, while: body)
        } catch {
            identitySearches[shape] = nil
            throw StoreError(error)
        }
    }

    /// Runs a statement that changes rows or looks up one or two rows. Call only inside an access.
    func run(
        _ statement: ItemStatement, _ arguments: [SQLiteValue], _ db: Database,
        row: (borrowing StatementRow) -> Void = { _ in }
    ) throws(StoreError) {
        do throws(SQLiteError) {
            if let prepared = changes[statement] { return try prepared.run(arguments, row) }
            let prepared = try PreparedStatement(db, sql: statement.sql)
            changes[statement] = prepared
            try prepared.run(arguments, row)
        } catch {
            changes[statement] = nil
            throw StoreError(error)
        }
    }

    private func statement(
        _ shape: QueryShape, _ table: ItemTable, _ db: Database
    ) throws(SQLiteError) -> PreparedStatement {
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
            statement = try PreparedStatement(db, sql: shape.sql(table))
            searches[shape] = statement
        }
        latest = (shape, statement)
        return statement
    }

    /// Returns the cache figures of the connection's searches and pages. Waits for the current access.
    func figures() throws(SQLiteError) -> ConnectionFigures {
        try access { db throws(SQLiteError) in
            ConnectionFigures(
                hits: found.hits, misses: found.misses, statements: searches.count + identitySearches.count,
                pages: try PageCacheFigures(db))
        }
    }

    var statementCount: Int { access { _ in searches.count + identitySearches.count } }

    /// Lets the current access fail. Not while another thread closes the connection.
    func interrupt() { database.interrupt() }

    func close() throws(SQLiteError) {
        try access { db throws(SQLiteError) in
            // SQLite cannot close a connection that still has statements.
            (searches, latest, identitySearches, changes) = ([:], nil, [:], [:])
            try db.close()
        }
    }
}
