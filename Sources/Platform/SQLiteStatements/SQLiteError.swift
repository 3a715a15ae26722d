// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements

/// A failed SQLite call.
public struct SQLiteError: Error, Hashable, Sendable {
    public let code: Code

    public init(_ code: Code) { self.code = code }

    init(_ code: Int32) { self.code = Code(rawValue: code) }

    /// A result code of SQLite: an extended code, where SQLite has one.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// An extended code.
        private init(_ primary: Int32, _ detail: Int32) { rawValue = primary | detail << 8 }

        /// The code without its extension.
        public var primary: Code { Code(rawValue: rawValue & 0xff) }

        public static let error = Code(rawValue: SQLITE_ERROR)
        public static let permission = Code(rawValue: SQLITE_PERM)
        public static let abort = Code(rawValue: SQLITE_ABORT)
        public static let busy = Code(rawValue: SQLITE_BUSY)
        public static let locked = Code(rawValue: SQLITE_LOCKED)
        public static let noMemory = Code(rawValue: SQLITE_NOMEM)
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        public static let full = Code(rawValue: SQLITE_FULL)
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        public static let lockProtocol = Code(rawValue: SQLITE_PROTOCOL)
        public static let empty = Code(rawValue: SQLITE_EMPTY)
        public static let schema = Code(rawValue: SQLITE_SCHEMA)
        public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        /// The use of a closed connection.
        public static let misuse = Code(rawValue: SQLITE_MISUSE)
        public static let noLargeFiles = Code(rawValue: SQLITE_NOLFS)
        public static let authorization = Code(rawValue: SQLITE_AUTH)
        public static let format = Code(rawValue: SQLITE_FORMAT)
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)

        // The numbers of extensions are those of SQLite's documentation, "Result and Error Codes". Swift does not import
        // the macros.
        public static let readOnlyNeedsRollback = Code(SQLITE_READONLY, 3)
        public static let readOnlyDatabaseMoved = Code(SQLITE_READONLY, 4)
        public static let inputOutputNoMemory = Code(SQLITE_IOERR, 12)
        public static let inputOutputSharedMemorySize = Code(SQLITE_IOERR, 19)
        public static let inputOutputChecksum = Code(SQLITE_IOERR, 32)
        public static let inputOutputCorruptFileSystem = Code(SQLITE_IOERR, 33)
        public static let cannotOpenNoTemporaryDirectory = Code(SQLITE_CANTOPEN, 1)
        public static let cannotOpenDirectory = Code(SQLITE_CANTOPEN, 2)
        public static let cannotOpenSymbolicLink = Code(SQLITE_CANTOPEN, 6)
        public static let uniqueConstraint = Code(SQLITE_CONSTRAINT, 8)
    }
}
