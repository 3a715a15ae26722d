// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements

/// A connection to a database.
///
/// One thread at a time may use it and its statements; SQLite takes no locks for that. Only ``interrupt()`` may be called
/// from any thread.
@safe public final class Database {
    // SAFETY: opened and closed by this object, and used by this module only. Nil after it was closed.
    private var handle: OpaquePointer?
    /// The path of its file.
    public let path: String

    public enum Access { case readOnly, readWrite }

    /// Opens a database, and creates the file if it does not exist and may be written.
    ///
    /// - Parameters:
    ///   - path: `:memory:` creates a database in memory, deleted with the connection.
    ///   - busyTimeout: the milliseconds to wait for another connection that holds the database.
    public init(path: String, _ access: Access = .readWrite, busyTimeout: Int32 = 0) throws(SQLiteError) {
        let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        // The path is only read; the pointer receives the connection.
        var code = unsafe sqlite3_open_v2(
            path, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        if code == SQLITE_OK, let handle = unsafe handle { code = unsafe csq_refuse_double_quoted_text(handle) }
        guard code == SQLITE_OK else {
            // SQLite also returns a connection, to be closed, when opening fails.
            unsafe sqlite3_close(handle)
            throw SQLiteError(code)
        }
        unsafe sqlite3_busy_timeout(handle, busyTimeout)
        unsafe self.handle = handle
        self.path = path
    }

    deinit {
        // Each statement holds the connection, so none is left.
        unsafe sqlite3_close(handle)
    }

    /// Closes the connection; later calls throw `.misuse`. Does nothing if it is closed.
    ///
    /// - Throws: `.busy` if a statement still exists; the connection stays open then.
    public func close() throws(SQLiteError) {
        let code = unsafe sqlite3_close(handle)
        guard code == SQLITE_OK else { throw SQLiteError(code) }
        unsafe handle = nil
    }

    /// Lets the running statement fail with `.interrupted`. May be called from any thread, but not while another thread
    /// closes the connection.
    public func interrupt() {
        if let handle = unsafe handle { unsafe sqlite3_interrupt(handle) }
    }

    /// Returns SQLite's connection.
    ///
    /// - Throws: `.misuse` if it is closed.
    func open() throws(SQLiteError) -> OpaquePointer {
        guard let handle = unsafe handle else { throw SQLiteError(.misuse) }
        return unsafe handle
    }

    /// Whether a transaction has begun; false after an error for which SQLite undid the whole transaction.
    public var isInsideTransaction: Bool { unsafe handle != nil && sqlite3_get_autocommit(handle) == 0 }

    /// The number of the last row that was inserted.
    public var lastInsertedRow: Int64 {
        if let handle = unsafe handle { unsafe sqlite3_last_insert_rowid(handle) } else { 0 }
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    public var changedRowCount: Int32 { if let handle = unsafe handle { unsafe sqlite3_changes(handle) } else { 0 } }

    // MARK: Statements that run once

    /// Runs all statements of a text.
    ///
    /// - Parameter arguments: one for each parameter of the statements, in their order.
    public func execute(_ sql: String, _ arguments: [SQLiteValue] = []) throws(SQLiteError) {
        let text = sql.utf8CString
        var (place, rest) = (0, arguments[...])
        while let statement = try PreparedStatement(self, text, from: &place) {
            try statement.run(Array(rest.prefix(statement.parameterCount)))
            rest = rest.dropFirst(statement.parameterCount)
        }
        precondition(rest.isEmpty, "as many arguments as parameters")
    }

    /// Returns the first column of the first row; nil if there is no row.
    public func value(
        of sql: String, _ arguments: [SQLiteValue] = []
    ) throws(SQLiteError) -> SQLiteValue? {
        var value: SQLiteValue?
        try PreparedStatement(self, sql: sql).run(
            arguments,
            while: { row in
                value = row.value(at: 0)
                return false
            })
        return value
    }

    /// Returns the columns of all rows.
    public func rows(of sql: String, _ arguments: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        try PreparedStatement(self, sql: sql).run(arguments) { row in rows.append(row.values) }
        return rows
    }

    // MARK: Copies

    /// Copies the database, as it is at one moment, into another one, whose former contents are lost.
    public func copy(to target: Database) throws(SQLiteError) {
        let (source, destination) = unsafe (try open(), try target.open())
        // Both connections are open and used by this thread only, until the copy is finished below.
        guard let backup = unsafe sqlite3_backup_init(destination, "main", source, "main") else {
            throw SQLiteError(unsafe sqlite3_extended_errcode(destination))
        }
        let copied = unsafe sqlite3_backup_step(backup, -1)
        let finished = unsafe sqlite3_backup_finish(backup)
        guard copied == SQLITE_DONE else { throw SQLiteError(copied) }
        guard finished == SQLITE_OK else { throw SQLiteError(finished) }
    }
}
