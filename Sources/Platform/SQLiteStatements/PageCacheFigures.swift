// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements

/// The use of a connection's page cache since the connection was opened.
public struct PageCacheFigures: Hashable, Sendable {
    public var hits: UInt64
    public var misses: UInt64
    /// The size of the cached pages.
    public var byteCount: UInt64

    /// Reads the figures of a connection.
    ///
    /// - Throws: `.misuse` if it is closed; otherwise SQLite's error.
    public init(_ database: Database) throws(SQLiteError) {
        let connection = unsafe try database.open()
        func status(_ what: Int32) throws(SQLiteError) -> UInt64 {
            var (now, most): (Int32, Int32) = (0, 0)
            // The call writes the two numbers.
            let code = unsafe sqlite3_db_status(connection, what, &now, &most, 0)
            guard code == SQLITE_OK else { throw SQLiteError(code) }
            // SQLite counts in 32 bits and wraps to zero; unsigned numbers double the range.
            return UInt64(UInt32(bitPattern: now))
        }
        hits = try status(SQLITE_DBSTATUS_CACHE_HIT)
        misses = try status(SQLITE_DBSTATUS_CACHE_MISS)
        byteCount = try status(SQLITE_DBSTATUS_CACHE_USED)
    }
}
