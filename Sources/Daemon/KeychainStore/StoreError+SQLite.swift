// SPDX-License-Identifier: Apache-2.0

import GRDB

extension StoreError {
    /// Converts an SQLite result code. All primary codes are listed, and the extended codes whose meaning here differs
    /// from their primary code.
    init(_ error: DatabaseError) {
        self =
            switch error.extendedResultCode {
            case .SQLITE_CONSTRAINT_UNIQUE: .duplicate
            case .SQLITE_IOERR_NOMEM: .inputOutput
            // The kernel reports "no space" or "quota" in these cases although only the shared-memory file does not
            // fit.
            case .SQLITE_IOERR_SHMSIZE: .diskFull
            // Other processes replaced or removed files while they were open.
            case .SQLITE_READONLY_DBMOVED: .damaged(.database)
            case .SQLITE_IOERR_DATA, .SQLITE_IOERR_CORRUPTFS: .damaged(.database)
            // No temporary directory; a directory or a symbolic link in the database's place.
            case .SQLITE_CANTOPEN_NOTEMPDIR: .inputOutput
            case .SQLITE_CANTOPEN_ISDIR, .SQLITE_CANTOPEN_SYMLINK: .notAKeychain
            default: Self(primary: error.resultCode)
            }
    }

    private init(primary code: ResultCode) {
        self =
            switch code {
            case .SQLITE_FULL: .diskFull
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .readOnly
            case .SQLITE_NOTADB, .SQLITE_FORMAT: .notAKeychain
            case .SQLITE_CORRUPT, .SQLITE_EMPTY: .damaged(.database)
            // A constraint other than uniqueness: rows that this code does not write.
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_SCHEMA: .damaged(.database)
            case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_NOLFS, .SQLITE_PROTOCOL: .inputOutput
            // Another process holds the database beyond the busy timeout.
            case .SQLITE_BUSY, .SQLITE_LOCKED: .inputOutput
            case .SQLITE_NOMEM, .SQLITE_TOOBIG, .SQLITE_INTERRUPT, .SQLITE_ABORT: .inputOutput
            // SQLite reports SQLITE_ERROR for SQL that does not match the schema: a table or column is missing.
            case .SQLITE_ERROR: .damaged(.database)
            // GRDB's error for a closed connection.
            case .SQLITE_MISUSE: .closed
            // Programming errors here or in SQLite: SQLITE_INTERNAL, NOTFOUND, RANGE; NOTICE, WARNING, ROW and DONE are
            // no errors. A caller could not react to any of them.
            default: .inputOutput
            }
    }

    /// Runs GRDB code, whose errors are untyped, and converts its errors.
    static func translating<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            throw StoreError(error)
        } catch {
            // RowDecodingError: a column has a value that this store does not write.
            throw .damaged(.database)
        }
    }
}
