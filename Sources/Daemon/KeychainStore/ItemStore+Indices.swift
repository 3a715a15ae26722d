// SPDX-License-Identifier: Apache-2.0

import SQLiteStatements

extension ItemStore {
    /// Whether checking all rows takes long: the database has 32 MiB or more.
    public var isLarge: Bool {
        guard reader !== writer else { return false }
        let size = try? reader.access { db in
            let pages = try db.value(of: "PRAGMA page_count")?.integer ?? 0
            return try pages * (db.value(of: "PRAGMA page_size")?.integer ?? 0)
        }
        return (size ?? 0) >= 32 << 20
    }

    /// The state of the indices, which determines whether searches find all rows.
    public enum IndexState: Hashable, Sendable {
        /// Each index matches its table.
        case whole
        /// An index did not match its table, so the indices were rebuilt from the rows.
        case builtAnew
        /// The pages themselves are damaged; nothing was changed. From now on ``contentsState`` reports the damage.
        case damaged
    }

    /// The first problem that SQLite finds.
    private enum Finding {
        case nothing, rowsAndIndicesDiffer, damagedPages

        init(_ line: String?) {
            self =
                switch line {
                case "ok"?: .nothing
                // SQLite checks the pages of all trees first, and its messages on them begin with this prefix.
                case let line? where !line.hasPrefix("***"): .rowsAndIndicesDiffer
                default: .damagedPages
                }
        }
    }

    /// Checks whether each index matches its table, and rebuilds the indices if one does not: an item that is missing
    /// in an index would seem to be absent. If pages are damaged, nothing is rebuilt, because the rebuild would use or
    /// free pages that may contain rows.
    ///
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`.
    public func checkIndices() throws(StoreError) -> IndexState {
        guard reader !== writer else { return .whole }
        do throws(StoreError) {
            switch try firstFinding() {
            case .nothing: return .whole
            case .rowsAndIndicesDiffer:
                try StoreError.translating {
                    try writer.access { db in try db.execute("REINDEX") }
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

    /// Whether the pages themselves are intact, even if indices do not match their tables.
    func hasWholePages() throws(StoreError) -> Bool {
        guard reader !== writer else { return true }
        return try firstFinding() != .damagedPages
    }

    private func firstFinding() throws(StoreError) -> Finding {
        try looking { db, _ in Finding(try db.value(of: "PRAGMA integrity_check(1)")?.text) }
    }

    /// Reads all rows without blocking other requests. Ends when the store is closed.
    func looking<Result>(_ body: (Database, Connection) throws -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try StoreError.translating {
                let connection = try looker.opened {
                    let connection = try Connection(file: reader.path, .readOnly)
                    // KiB. Each page is read once or twice, so a larger cache would only cost memory.
                    try connection.access { db in try db.execute("PRAGMA cache_size = -256") }
                    return connection
                }
                return try connection.access { db in
                    defer { try? db.execute("PRAGMA shrink_memory") }
                    return try body(db, connection)
                }
            }
        } catch {
            // Interrupted because the store is closing.
            throw looker.isClosed ? .closed : error
        }
    }
}
