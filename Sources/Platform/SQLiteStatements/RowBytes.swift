// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements
public import FoundationEssentials

/// The bytes that represent a row's columns: each column's type and, if it has one, its length and content, so that
/// different contents never have the same bytes. A row has the same bytes when it is written and when it is read.
/// Documentation/Formats/database.md, "Table seal".
public struct RowBytes {
    public private(set) var bytes: [UInt8] = []

    private enum ColumnTag {
        static let null: UInt8 = 0
        static let integer: UInt8 = 1
        static let bytes: UInt8 = 2
        /// Text or a real number: no column of this project holds these, so they are not distinguished.
        static let other: UInt8 = 3
    }

    /// Begins a row.
    ///
    /// - Parameter table: a number that distinguishes the tables.
    public init(table: UInt8) {
        // The size of a password row with the usual attributes.
        bytes.reserveCapacity(768)
        bytes.append(table)
    }

    public mutating func appendNull() { bytes.append(ColumnTag.null) }

    public mutating func append(integer: Int64) {
        bytes.append(ColumnTag.integer)
        appendBigEndian(integer)
    }

    /// Appends a blob of 16 bytes.
    public mutating func append(number: UInt128) {
        appendHead(16)
        appendBigEndian(number)
    }

    public mutating func append(blob: Data) {
        appendHead(blob.count)
        // Copied inside the closure only.
        unsafe blob.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends all columns of a row, in their order.
    public mutating func append(_ row: borrowing StatementRow) {
        for column in 0..<(unsafe sqlite3_data_count(row.handle)) {
            switch unsafe sqlite3_column_type(row.handle, column) {
            case SQLITE_NULL: appendNull()
            case SQLITE_INTEGER: append(integer: unsafe sqlite3_column_int64(row.handle, column))
            case SQLITE_BLOB:
                let count = Int(unsafe sqlite3_column_bytes(row.handle, column))
                appendHead(count)
                // As many bytes as SQLite returned, copied before the statement steps. Nil for an empty blob.
                if let start = unsafe sqlite3_column_blob(row.handle, column) {
                    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
                }
            default: bytes.append(ColumnTag.other)
            }
        }
    }

    private mutating func appendHead(_ count: Int) {
        bytes.append(ColumnTag.bytes)
        // SQLite's limit for a blob is less than that.
        appendBigEndian(UInt32(count))
    }

    @inline(__always)
    private mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        // Copied inside the closure only.
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
