// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import GRDBSQLite

/// A prepared statement for repeated use: the access to rows for work that every request does.
///
/// GRDB makes an object of each argument and each column; with a dozen of both in a lookup, that took longer than
/// SQLite itself. Here arguments of 16 bytes are in memory of the statement, and a column is read where SQLite holds
/// it.
///
/// Belongs to the connection that it was made for: it is used by one thread at a time, like the connection, and must be
/// released before the connection closes.
@safe public final class PreparedStatement {
    // SAFETY: made and released with this object; never passed out.
    private let handle: OpaquePointer
    // SAFETY: one number for each parameter, made and released with this object. SQLite reads from it during `run`
    // only.
    private let numbers: UnsafeMutablePointer<UInt128>
    private let placeCount: Int

    public enum Argument: Sendable {
        case null
        case integer(Int64)
        /// A blob: the 16 bytes of the number, big-endian.
        case number(UInt128)
        case bytes(Data)
    }

    /// Prepares a statement.
    ///
    /// - Parameter connection: an open connection; nil is a closed one.
    /// - Throws: SQLite's error for the text; SQLITE_MISUSE without a connection.
    public init(_ connection: OpaquePointer?, sql: String) throws(SQLiteFailure) {
        guard let connection = unsafe connection else { throw SQLiteFailure(code: SQLITE_MISUSE) }
        var statement: OpaquePointer?
        // The text is only read; the pointer receives the statement.
        let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else { throw SQLiteFailure(code: code) }
        unsafe handle = statement
        placeCount = Int(unsafe sqlite3_bind_parameter_count(statement))
        unsafe numbers = .allocate(capacity: max(placeCount, 1))
        unsafe numbers.initialize(repeating: 0, count: max(placeCount, 1))
    }

    deinit {
        // No other object holds the statement, so no code reads the numbers any more.
        unsafe sqlite3_finalize(handle)
        unsafe numbers.deallocate()
    }

    /// Runs the statement with these arguments, one for each parameter, and passes each row to the closure.
    ///
    /// - Throws: SQLite's error. The statement should not be used again then.
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

    /// Runs the statement until the closure requests no more rows.
    public func run(
        _ arguments: [Argument], while row: (borrowing StatementRow) -> Bool
    ) throws(SQLiteFailure) {
        precondition(arguments.count == placeCount, "the number of arguments differs from the number of placeholders")
        var hasBytes = false
        for index in arguments.indices { try bind(arguments[index], index, &hasBytes) }
        defer {
            // The result is the code of the last step, which was already checked.
            _ = unsafe sqlite3_reset(handle)
            // A copied argument may have megabytes, and would otherwise stay until the next run.
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
            // The number stays in place while the statement may read it; without a destructor it is not copied.
            let memory = unsafe numbers + index
            unsafe memory.pointee = number.bigEndian
            code = unsafe sqlite3_bind_blob(handle, place, memory, 16, nil)
        case .bytes(let bytes):
            hasBytes = true
            // SQLite copies the bytes before the closure ends (SQLITE_TRANSIENT, which is the address -1). An empty
            // array has no address, and an address of zero would mean NULL.
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

/// The current row of a statement, passed to a closure. A column of another type than requested is nil: files can hold
/// anything, and no value is converted.
@safe public struct StatementRow: ~Copyable {
    // SAFETY: borrowed from the statement for the duration of a closure; the statement cannot step meanwhile. Not
    // copyable, so that it does not leave the closure.
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    public func integer(at column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// Returns the number whose big-endian bytes are in a blob of exactly 16 bytes.
    public func number(at column: Int32) -> UInt128? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB,
            unsafe sqlite3_column_bytes(handle, column) == 16, let bytes = unsafe sqlite3_column_blob(handle, column)
        else { return nil }
        // SQLite has just returned the size 16.
        return unsafe UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self))
    }

    public func isEmptyBlob(at column: Int32) -> Bool {
        unsafe (sqlite3_column_type(handle, column) == SQLITE_BLOB && sqlite3_column_bytes(handle, column) == 0)
    }

    /// Returns a copy of a blob.
    public func bytes(at column: Int32) -> Data? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        let bytes = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        // Nil for an empty blob.
        guard let bytes = unsafe bytes else { return Data() }
        return unsafe Data(bytes: bytes, count: count)
    }
}

/// The extended result code of a failed SQLite call.
public struct SQLiteFailure: Error, Hashable, Sendable {
    public let code: Int32
}
