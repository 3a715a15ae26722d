// SPDX-License-Identifier: Apache-2.0

import SQLiteStatements

extension StoreError {
    /// Converts an SQLite result code. All primary codes are listed, and the extended codes whose meaning here differs
    /// from their primary code.
    init(_ error: SQLiteError) {
        self =
            switch error.code {
            case .uniqueConstraint: .duplicate
            case .inputOutputNoMemory: .inputOutput
            // The kernel reports "no space" or "quota" in these cases although only the shared-memory file does not
            // fit.
            case .inputOutputSharedMemorySize: .diskFull
            // Other processes replaced or removed files while they were open.
            case .readOnlyDatabaseMoved: .damaged(.database)
            case .inputOutputChecksum, .inputOutputCorruptFileSystem: .damaged(.database)
            // No temporary directory; a directory or a symbolic link in the database's place.
            case .cannotOpenNoTemporaryDirectory: .inputOutput
            case .cannotOpenDirectory, .cannotOpenSymbolicLink: .notAKeychain
            default: Self(primary: error.code.primary)
            }
    }

    private init(primary code: SQLiteError.Code) {
        self =
            switch code {
            case .full: .diskFull
            case .readOnly, .permission, .authorization: .readOnly
            case .notADatabase, .format: .notAKeychain
            case .corrupt, .empty: .damaged(.database)
            // A constraint other than uniqueness: rows that this code does not write.
            case .constraint, .mismatch, .schema: .damaged(.database)
            case .cannotOpen, .inputOutput, .noLargeFiles, .lockProtocol: .inputOutput
            // Another process holds the database beyond the busy timeout.
            case .busy, .locked: .inputOutput
            case .noMemory, .tooBig, .interrupted, .abort: .inputOutput
            // SQLite reports SQLITE_ERROR for SQL that does not match the schema: a table or column is missing.
            case .error: .damaged(.database)
            case .misuse: .closed
            // Programming errors here or in SQLite: SQLITE_INTERNAL, NOTFOUND, RANGE; NOTICE, WARNING, ROW and DONE are
            // no errors. A caller could not react to any of them.
            default: .inputOutput
            }
    }

    /// Runs `body`, and converts SQLite's errors.
    static func translating<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            throw StoreError(error)
        } catch {
            // Sealed bytes that this store does not write.
            throw .damaged(.database)
        }
    }
}
