// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import GRDBSQLite

/// A prepared statement, run as often as needed: the way to rows for what is done at every request.
///
/// GRDB makes an object of each argument and each column; with a dozen of both in a lookup, that took longer than SQLite
/// itself. Here arguments of 16 bytes lie in memory of the statement's own, and a column is read where SQLite holds it.
///
/// Belongs to the connection that it was made for: used by one thread at a time, as that is, and gone before it closes.
@safe public final class PreparedStatement {
    // SAFETY: made and released with this object; never given out.
    private let handle: OpaquePointer
    // SAFETY: one number for each place, made and released with this object. SQLite reads from it during `run` only.
    private let numbers: UnsafeMutablePointer<UInt128>
    private let placeCount: Int

    public enum Argument: Sendable {
        case null
        case integer(Int64)
        /// A blob: the 16 bytes of the number, big-endian.
        case number(UInt128)
        case bytes(Data)
    }

    /// - Parameter connection: an open connection; nil is a closed one.
    /// - Throws: what SQLite says of the text; SQLITE_MISUSE without a connection.
    public init(_ connection: OpaquePointer?, sql: String) throws(SQLiteFailure) {
        guard let connection = unsafe connection else { throw SQLiteFailure(code: SQLITE_MISUSE) }
        var statement: OpaquePointer?
        // The text is only read; the statement comes back through the pointer.
        let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else { throw SQLiteFailure(code: code) }
        unsafe handle = statement
        placeCount = Int(unsafe sqlite3_bind_parameter_count(statement))
        unsafe numbers = .allocate(capacity: max(placeCount, 1))
        unsafe numbers.initialize(repeating: 0, count: max(placeCount, 1))
    }

    deinit {
        // Nothing else holds the statement, so nothing reads the numbers any more.
        unsafe sqlite3_finalize(handle)
        unsafe numbers.deallocate()
    }

    /// Runs the statement with these arguments, one for each place, and lends each row to the closure.
    ///
    /// - Throws: what SQLite says. The statement should not be used again then.
    public func run(
        _ arguments: [Argument], _ row: (borrowing StatementRow) -> Void = { _ in }
    ) throws(SQLiteFailure) {
        try run(
            arguments,
            while: { found in
                row(found)
                return true
            })
    }

    /// The same, until the closure says that it wants no more rows.
    public func run(
        _ arguments: [Argument], while row: (borrowing StatementRow) -> Bool
    ) throws(SQLiteFailure) {
        precondition(arguments.count == placeCount, "as many arguments as places")
        var hasBytes = false
        for index in arguments.indices { try bind(arguments[index], index, &hasBytes) }
        defer {
            // The code is that of the last step, which has been looked at.
            _ = unsafe sqlite3_reset(handle)
            // What was copied may be megabytes, and would stay until the next run.
            if hasBytes { unsafe sqlite3_clear_bindings(handle) }
        }
        while true {
            let code = unsafe sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: guard unsafe row(StatementRow(handle)) else { return }
            case SQLITE_DONE: return
            default: throw SQLiteFailure(code: unsafe sqlite3_extended_errcode(sqlite3_db_handle(handle)))
            }
        }
    }

    private func bind(_ argument: Argument, _ index: Int, _ hasBytes: inout Bool) throws(SQLiteFailure) {
        let place = Int32(index + 1)
        let code: Int32
        switch argument {
        case .null: code = unsafe sqlite3_bind_null(handle, place)
        case .integer(let integer): code = unsafe sqlite3_bind_int64(handle, place, integer)
        case .number(let number):
            // The number stays where it is while the statement may read it; no destructor means that it is not copied.
            let memory = unsafe numbers + index
            unsafe memory.pointee = number.bigEndian
            code = unsafe sqlite3_bind_blob(handle, place, memory, 16, nil)
        case .bytes(let bytes):
            hasBytes = true
            // SQLite copies the bytes before the closure ends (SQLITE_TRANSIENT, which is the address -1). No bytes have
            // no address, and an address of zero would mean NULL.
            code = unsafe bytes.withUnsafeBytes { buffer in
                let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                guard let address = buffer.baseAddress, buffer.count > 0 else {
                    return unsafe sqlite3_bind_zeroblob(handle, place, 0)
                }
                return unsafe sqlite3_bind_blob64(handle, place, address, UInt64(buffer.count), transient)
            }
        }
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code) }
    }
}

/// The row that a statement stands on, lent to a closure. A column of another type than asked for is nil: files can hold
/// anything, and nothing is converted.
@safe public struct StatementRow: ~Copyable {
    // SAFETY: lent for the time of a closure by the statement, which cannot step on meanwhile. Not copyable, so that it
    // does not leave the closure.
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    public func integer(at column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// The number whose big-endian bytes a blob of exactly 16 holds.
    public func number(at column: Int32) -> UInt128? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB,
            unsafe sqlite3_column_bytes(handle, column) == 16, let bytes = unsafe sqlite3_column_blob(handle, column)
        else { return nil }
        // SQLite has just said that there are 16.
        return unsafe UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self))
    }

    public func isEmptyBlob(at column: Int32) -> Bool {
        unsafe (sqlite3_column_type(handle, column) == SQLITE_BLOB && sqlite3_column_bytes(handle, column) == 0)
    }

    /// A copy of a blob.
    public func bytes(at column: Int32) -> Data? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        let bytes = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        // Nil where there are no bytes.
        guard let bytes = unsafe bytes else { return Data() }
        return unsafe Data(bytes: bytes, count: count)
    }
}

/// What SQLite answered instead of doing it: an extended result code.
public struct SQLiteFailure: Error, Hashable, Sendable {
    public let code: Int32
}
