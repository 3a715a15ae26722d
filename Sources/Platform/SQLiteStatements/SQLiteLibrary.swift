// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements

/// Settings of SQLite for all connections of the process.
public enum SQLiteLibrary {
    /// Disables SQLite's memory counters, which take a lock at each allocation and have no use here, and makes it write
    /// its logs in larger pieces, which saves a commit a dozen system calls.
    ///
    /// Call before any other use of SQLite; later calls change nothing.
    public static func configure() { configured }

    private static let configured: Void = {
        // Both failures are harmless: SQLite then counts, and writes in smaller pieces.
        _ = csq_stop_counting_memory()
        _ = csq_write_logs_in_one_piece()
    }()
}
