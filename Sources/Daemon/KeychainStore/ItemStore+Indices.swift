// SPDX-License-Identifier: Apache-2.0

import GRDB

extension ItemStore {
    /// Larger databases are not looked through: each row is looked up in each index.
    private static let lookedThrough = 32 << 20

    /// Whether searches find all rows there are.
    public enum IndexState: Hashable, Sendable {
        /// Each index has what its table has, or the database has more than 32 MiB and was not looked through.
        case whole
        /// They had not, and were built anew from the rows.
        case builtAnew
        /// The tables themselves are damaged; nothing was changed.
        case damaged
    }

    /// Looks whether each index has what its table has, and builds them anew where they have not: an item that an index does not name
    /// would seem not to be there.
    ///
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func checkIndices() throws(StoreError) -> IndexState {
        let isWhole = try StoreError.translating {
            guard reader !== writer else { return true }
            let connection = try Connection(file: reader.queue.path, .readOnly)
            defer { try? connection.close() }
            return try connection.queue.unsafeRead { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
                guard pages * size <= Self.lookedThrough else { return true }
                return try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
            }
        }
        guard !isWhole else { return .whole }
        do throws(StoreError) {
            try StoreError.translating {
                try writer.queue.writeWithoutTransaction { db in try db.execute(sql: "REINDEX") }
            }
            return .builtAnew
        } catch {
            guard error == .damaged(.database) || error == .duplicate else { throw error }
            return .damaged
        }
    }
}
