// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

/// The tables, indices and triggers of a database, as `sqlite_master` has them, without the pages on which they begin.
struct Schema: Hashable {
    private struct Entry: Hashable {
        let type: String?
        let name: String?
        let table: String?
        let text: String?
    }

    private let entries: Set<Entry>

    init(of db: Database) throws {
        // SQLite's own tables come and go with what it is told to remember.
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE substr(name, 1, 7) IS NOT 'sqlite_'"
        entries = try Set(
            Row.fetchAll(db, sql: sql).map { row in
                let texts = Array(row.databaseValues).map { String.fromDatabaseValue($0) }
                return Entry(type: texts[0], name: texts[1], table: texts[2], text: texts[3])
            })
    }

    /// What the steps up to a version make of an empty database.
    ///
    /// - Precondition: there is such a version.
    static func expected(of version: Int) throws -> Schema {
        if let schema = known.withLock({ $0[version] }) { return schema }
        let connection = try Connection()
        defer { try? connection.close() }
        let schema = try connection.queue.writeWithoutTransaction { db in
            for step in Migrations.steps[..<version] { try db.execute(sql: step) }
            return try Schema(of: db)
        }
        known.withLock { $0[version] = schema }
        return schema
    }

    private static let known = Mutex<[Int: Schema]>([:])
}
