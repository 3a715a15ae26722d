// SPDX-License-Identifier: Apache-2.0

import GRDB

extension ItemStore {
    /// Whether looking at all rows takes long: of 32 MiB and more.
    public var isLarge: Bool {
        guard reader !== writer else { return false }
        let size = try? reader.queue.unsafeRead { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        return (size ?? 0) >= 32 << 20
    }

    /// Whether searches find all rows there are.
    public enum IndexState: Hashable, Sendable {
        /// Each index has what its table has, or the database ``isLarge`` and was not looked through: each row is looked up in each index.
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
        guard reader !== writer, !isLarge else { return .whole }
        let isWhole: Bool
        do throws(StoreError) {
            isWhole = try StoreError.translating {
                // Not one for this alone: when a connection is freed, its queue has libdispatch start a thread, which ends the process
                // where there is no /proc.
                try scanningReader().queue.unsafeRead { db in
                    try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
                }
            }
        } catch {
            // Interrupted by the end.
            throw scanner.isClosed ? .closed : error
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
