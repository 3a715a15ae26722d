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
        /// Each index has what its table has.
        case whole
        /// They had not, and were built anew from the rows.
        case builtAnew
        /// The pages themselves are damaged; nothing was changed. ``contentsState`` says so from now on.
        case damaged
    }

    /// What SQLite finds first.
    private enum Finding {
        case nothing, rowsAndIndicesDiffer, damagedPages

        init(_ line: String?) {
            self =
                switch line {
                case "ok"?: .nothing
                // It looks at the pages of all trees first, and begins what it says of them like this.
                case let line? where !line.hasPrefix("***"): .rowsAndIndicesDiffer
                default: .damagedPages
                }
        }
    }

    /// Looks whether each index has what its table has, and builds them anew where they have not: an item that an index does not name
    /// would seem not to be there. Where pages are damaged nothing is built: pages that would be used for it, or given back, may be
    /// those of rows.
    ///
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func checkIndices() throws(StoreError) -> IndexState {
        guard reader !== writer else { return .whole }
        do throws(StoreError) {
            switch try firstFinding() {
            case .nothing: return .whole
            case .rowsAndIndicesDiffer:
                try StoreError.translating {
                    try writer.queue.writeWithoutTransaction { db in try db.execute(sql: "REINDEX") }
                }
                if try firstFinding() == .nothing { return .builtAnew }
            case .damagedPages: break
            }
        } catch {
            guard error == .damaged(.database) || error == .duplicate else { throw error }
        }
        checkedContents.isDamaged = true
        return .damaged
    }

    private func firstFinding() throws(StoreError) -> Finding {
        try looking { db, _ in Finding(try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")) }
    }

    /// Reads all rows, while nobody waits for it. Ends when the store is closed.
    func looking<Result>(_ body: (Database, Connection) throws -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try StoreError.translating {
                // One that stays: when a connection is freed, its queue has libdispatch start a thread, which ends the process where
                // there is no /proc.
                let connection = try looker.opened {
                    let connection = try Connection(file: reader.queue.path, .readOnly)
                    // KiB. Each page is read once or twice, so keeping more of them would only cost memory.
                    try connection.queue.unsafeRead { db in try db.execute(sql: "PRAGMA cache_size = -256") }
                    return connection
                }
                return try connection.queue.unsafeRead { db in
                    defer { try? db.execute(sql: "PRAGMA shrink_memory") }
                    return try body(db, connection)
                }
            }
        } catch {
            // Interrupted by the end.
            throw looker.isClosed ? .closed : error
        }
    }
}
