// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import SQLiteStatements
import Synchronization

/// One connection to the database, with the statements that it has prepared.
///
/// Access goes through GRDB's `unsafeRead` and `writeWithoutTransaction`: both are no more than the hop onto the
/// connection's queue (0.2 µs), where `read` also opens and closes a transaction and toggles `query_only` (28 µs on a
/// writable connection, 3 µs on a read-only one). A single SELECT is a transaction of its own anyway.
///
/// `@unchecked Sendable`: the statements are used only inside an access, and the queue admits one at a time.
final class Connection: @unchecked Sendable {
    let queue: DatabaseQueue
    private var searches: [QueryShape: PreparedStatement] = [:]
    /// The last search, which is nearly always the next one as well.
    private var latest: (shape: QueryShape, statement: PreparedStatement)?
    private var identitySearches: [IdentityShape: PreparedStatement] = [:]
    private var changes: [ItemStatement: PreparedStatement] = [:]
    /// How many searches had a statement already, and how many needed a new one.
    private var found: (hits: UInt64, misses: UInt64) = (0, 0)
    /// The seal of the contents; a connection without one changes no items.
    var contents: ContentsSeal?
    let turns = GroupCommit()

    /// How long to wait for another process that holds the database; none does in the ordinary course of things.
    private static let busyTimeout = 5.0
    /// Clients choose the shapes of searches, so what they make us keep is bounded.
    static let searchLimit = 64

    /// How much of the database's pages a connection keeps, unless it is told another number.
    static let pageKibibytes = 8000

    enum Access { case readOnly, readWrite }

    /// Opens a file.
    ///
    /// - Parameter origin: the kind of journal that the service itself may have left beside the file.
    /// - Throws: `StoreError.untrusted` before SQLite opens anything, or when a file of another user came meanwhile; GRDB's errors.
    init(file path: String, _ access: Access, journalOf origin: DatabaseFiles.JournalOrigin = .creation) throws {
        SQLiteLibrary.configure()
        let files = try Self.trustedFiles(path, origin)
        queue = try DatabaseQueue(path: files.path, configuration: Self.configuration(access))
        // In a folder where other users can make files, one of them may have made the log after the first look.
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

    /// A new database in memory.
    init() throws {
        queue = try DatabaseQueue(configuration: Self.configuration(.readWrite))
    }

    private static func configuration(_ access: Access) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = access == .readOnly
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            // Overwrite what is deleted; keep sorting out of temporary files; do not trust the file: no functions from
            // its schema, and pages checked before use.
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    """)
            // KiB, taken as they are needed: room for the upper pages and the main index of a hundred thousand items.
            // Mapping the file would spare the copies, and turn a file that somebody shortens into a crash.
            try db.execute(sql: "PRAGMA cache_size = -\(pageKibibytes)")
        }
        return configuration
    }

    /// Runs a search and hands over its rows, until no more are wanted. Only inside an access.
    func rows(
        of shape: QueryShape, in table: ItemTable, _ arguments: [PreparedStatement.Argument], _ db: Database,
        while body: (borrowing StatementRow) -> Bool
    ) throws(StoreError) {
        do throws(SQLiteFailure) {
            // As many arguments as the shape has places, by the way both are made.
            try statement(shape, table, db).run(arguments, while: body)
        } catch {
            searches[shape] = nil
            latest = nil
            throw StoreError(DatabaseError(resultCode: ResultCode(rawValue: error.code)))
        }
    }

    /// Runs a search for identities and hands over its rows, until no more are wanted. Only inside an access.
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

    /// Runs a statement that changes something or looks up a row or two. Only inside an access.
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
        // GRDB's own connection, open during the access; `close` gives the statement up before it closes.
        unsafe try PreparedStatement(db.sqliteConnection, sql: sql)
    }

    /// How its searches and its pages were found. Waits for what is under way on it.
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
        // SQLite closes no connection that still has statements.
        queue.unsafeRead { _ in (searches, latest, identitySearches, changes) = ([:], nil, [:], [:]) }
        try queue.close()
        Self.closed.withLock { closed in if closed.count < Self.closedLimit { closed.append(queue) } }
    }

    /// The first ones that were closed, which are not freed: with a queue that is freed libdispatch starts a thread, which traps where
    /// there is no /proc. A service that starts there closes what it looks at files with, and lives.
    private static let closed = Mutex<[DatabaseQueue]>([])
    private static let closedLimit = 16
}
