// SPDX-License-Identifier: Apache-2.0

internal import GRDBSQLite

/// How a connection's memory of pages was used since it was opened.
public struct PageCacheFigures: Hashable, Sendable {
    public var hits: UInt64
    public var misses: UInt64
    /// What is in it.
    public var byteCount: UInt64

    /// Only inside an access to the connection.
    ///
    /// - Parameter connection: an open connection; nil is a closed one.
    /// - Throws: SQLITE_MISUSE without a connection; else what SQLite says.
    public init(_ connection: OpaquePointer?) throws(SQLiteFailure) {
        guard let connection = unsafe connection else { throw SQLiteFailure(code: SQLITE_MISUSE) }
        func status(_ what: Int32) throws(SQLiteFailure) -> UInt64 {
            var (now, most): (Int32, Int32) = (0, 0)
            // Writes the two numbers.
            let code = unsafe sqlite3_db_status(connection, what, &now, &most, 0)
            guard code == SQLITE_OK else { throw SQLiteFailure(code: code) }
            // SQLite counts in 32 bits and goes on from zero; as unsigned numbers that is after twice as many.
            return UInt64(UInt32(bitPattern: now))
        }
        hits = try status(SQLITE_DBSTATUS_CACHE_HIT)
        misses = try status(SQLITE_DBSTATUS_CACHE_MISS)
        byteCount = try status(SQLITE_DBSTATUS_CACHE_USED)
    }
}
