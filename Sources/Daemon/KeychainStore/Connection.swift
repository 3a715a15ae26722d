// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// One connection to the database, with the statements that it has prepared.
///
/// Access goes through GRDB's `unsafeRead` and `writeWithoutTransaction`: both are no more than the hop onto the
/// connection's queue (0.2 µs), where `read` also opens and closes a transaction and toggles `query_only` (28 µs on a
/// writable connection, 3 µs on a read-only one). A single SELECT is a transaction of its own anyway.
///
/// `@unchecked Sendable`: the statements are used only inside an access, and the queue admits one at a time.
final class Connection: @unchecked Sendable {
    let queue: DatabaseQueue
    private var statements: [QueryShape: Statement] = [:]

    /// How long to wait for another process that holds the database; none does in the ordinary course of things.
    private static let busyTimeout = 5.0
    /// Clients choose the shapes of searches, so what they make us keep is bounded.
    private static let statementLimit = 64

    enum Access { case readOnly, readWrite }

    init(file path: String, _ access: Access) throws {
        queue = try DatabaseQueue(path: path, configuration: Self.configuration(access))
    }

    /// A new database in memory.
    init() throws {
        queue = try DatabaseQueue(configuration: Self.configuration(.readWrite))
    }

    private static func configuration(_ access: Access) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = access == .readOnly
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            // Overwrite what is deleted; keep sorting out of temporary files; do not trust the file: no functions from
            // its schema, and pages checked before use.
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    """)
        }
        return configuration
    }

    /// Runs a search and hands over its rows. Only inside an access.
    func rows(
        of shape: QueryShape, _ arguments: [DatabaseValue], _ db: Database, _ body: (RowColumns) -> Void
    ) throws {
        let statement = try statement(shape, db)
        do {
            // As many arguments as the shape has places, by the way both are made.
            statement.setUncheckedArguments(StatementArguments(arguments))
            let cursor = try RowColumns.fetchCursor(statement)
            while let row = try cursor.next() { body(row) }
        } catch {
            // A statement that has failed says so again when it is reset, which GRDB takes for a mistake of ours.
            statements[shape] = nil
            throw error
        }
    }

    private func statement(_ shape: QueryShape, _ db: Database) throws -> Statement {
        if let statement = statements[shape] { return statement }
        if statements.count >= Self.statementLimit { statements.removeAll(keepingCapacity: true) }
        let statement = try db.makeStatement(sql: shape.sql)
        statements[shape] = statement
        return statement
    }

    var statementCount: Int { queue.unsafeRead { _ in statements.count } }

    func close() throws {
        // SQLite closes no connection that still has statements.
        queue.unsafeRead { _ in statements = [:] }
        try queue.close()
    }
}
