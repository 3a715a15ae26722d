// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements
public import FoundationEssentials

/// A prepared statement.
///
/// Arguments of 16 bytes are in memory of the statement, and a column is read where SQLite holds it: a lookup has a dozen
/// of both, and allocating them would take longer than the search itself.
///
/// Used by one thread at a time, like its connection, which cannot close while the statement exists.
@safe public final class PreparedStatement {
    private let database: Database
    // SAFETY: made and released with this object; never passed out.
    private let handle: OpaquePointer
    // SAFETY: one number for each parameter, made and released with this object. SQLite reads from it during `run`
    // only.
    private let numbers: UnsafeMutablePointer<UInt128>
    /// The number of arguments that ``run(_:_:)`` takes.
    public let parameterCount: Int

    /// Prepares a statement.
    ///
    /// - Throws: SQLite's error for the text; `.misuse` if the connection is closed.
    public convenience init(_ database: Database, sql: String) throws(SQLiteError) {
        var place = 0
        guard let handle = unsafe try Self.prepare(database, sql.utf8CString, &place) else { throw SQLiteError(.error) }
        unsafe self.init(database, handle)
    }

    /// Prepares the next statement of a text, which ends with a zero; nil if there is none.
    ///
    /// - Parameter place: where it begins; moved to its end.
    convenience init?(_ database: Database, _ text: ContiguousArray<CChar>, from place: inout Int) throws(SQLiteError) {
        guard let handle = unsafe try Self.prepare(database, text, &place) else { return nil }
        unsafe self.init(database, handle)
    }

    private init(_ database: Database, _ handle: OpaquePointer) {
        self.database = database
        unsafe self.handle = handle
        parameterCount = Int(unsafe sqlite3_bind_parameter_count(handle))
        unsafe numbers = .allocate(capacity: max(parameterCount, 1))
        unsafe numbers.initialize(repeating: 0, count: max(parameterCount, 1))
    }

    private static func prepare(
        _ database: Database, _ text: ContiguousArray<CChar>, _ place: inout Int
    ) throws(SQLiteError) -> OpaquePointer? {
        let connection = unsafe try database.open()
        let start = place
        var statement: OpaquePointer?
        // The text is only read, up to its zero; the pointers receive the statement and a place in the text.
        let (code, end) = unsafe text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return (SQLITE_OK, start) }
            var rest: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(
                connection, base + start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &rest)
            return (code, unsafe rest.map { unsafe $0 - base } ?? start)
        }
        guard code == SQLITE_OK else { throw SQLiteError(code) }
        place = end
        return unsafe statement
    }

    deinit {
        // No other object holds the statement, so no code reads the numbers any more.
        unsafe sqlite3_finalize(handle)
        unsafe numbers.deallocate()
    }

    /// The names of the columns of its rows.
    public var columnNames: [String] {
        (0..<(unsafe sqlite3_column_count(handle))).map { column in
            // SQLite's own text, copied; nil without memory.
            unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// Runs the statement with these arguments, one for each parameter, and passes each row to the closure.
    ///
    /// - Throws: SQLite's error. The statement should not be used again then.
    public func run(
        _ arguments: [SQLiteValue], _ row: (borrowing StatementRow) -> Void = { _ in }
    ) throws(SQLiteError) {
        try run(
            arguments,
            while: { found in
                row(found)
                return true
            })
    }

    /// Runs the statement until the closure requests no more rows.
    public func run(
        _ arguments: [SQLiteValue], while row: (borrowing StatementRow) -> Bool
    ) throws(SQLiteError) {
        precondition(arguments.count == parameterCount, "as many arguments as parameters are required")
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
            default: throw SQLiteError(code)
            }
        }
    }

    /// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns. The header defines it as a cast of -1 to a
    /// function pointer, which Swift does not import. SQLite compares the value and never calls it.
    private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func bind(_ argument: SQLiteValue, _ index: Int, _ hasBytes: inout Bool) throws(SQLiteError) {
        let place = Int32(index + 1)
        let code: Int32
        switch argument {
        case .null: code = unsafe sqlite3_bind_null(handle, place)
        case .integer(let integer): code = unsafe sqlite3_bind_int64(handle, place, integer)
        case .real(let real): code = unsafe sqlite3_bind_double(handle, place, real)
        case .text(let text):
            hasBytes = true
            code = unsafe sqlite3_bind_text64(
                handle, place, text, UInt64(text.utf8.count), Self.copied, UInt8(SQLITE_UTF8))
        case .number(let number):
            // The number stays in place while the statement may read it; without a destructor it is not copied.
            let memory = unsafe numbers + index
            unsafe memory.pointee = number.bigEndian
            code = unsafe sqlite3_bind_blob(handle, place, memory, 16, nil)
        case .bytes(let bytes):
            hasBytes = true
            // An empty array has no address, and an address of zero would mean NULL.
            code = unsafe bytes.withUnsafeBytes { buffer in
                guard let address = buffer.baseAddress, buffer.count > 0 else {
                    return unsafe sqlite3_bind_zeroblob(handle, place, 0)
                }
                return unsafe sqlite3_bind_blob64(handle, place, address, UInt64(buffer.count), Self.copied)
            }
        }
        guard code == SQLITE_OK else { throw SQLiteError(code) }
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

    /// Returns a copy of a column, of whichever type.
    public func value(at column: Int32) -> SQLiteValue {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            // As many bytes as SQLite returned, copied before the statement steps.
            let text = unsafe sqlite3_column_text(handle, column)
            let count = Int(unsafe sqlite3_column_bytes(handle, column))
            return .text(unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB: return .bytes(bytes(at: column) ?? Data())
        default: return .null
        }
    }

    /// Copies of all columns.
    public var values: [SQLiteValue] {
        (0..<(unsafe sqlite3_data_count(handle))).map { column in value(at: column) }
    }
}
