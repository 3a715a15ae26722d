// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements

/// What is set once for all connections of the process.
public enum SQLiteLibrary {
    /// Keeps SQLite from counting its memory, for which it takes a lock at each allocation (the counters are nobody's concern
    /// here), and has it write its logs in larger pieces, which spares a commit a dozen system calls.
    ///
    /// Called before anything else of SQLite is used; later calls change nothing.
    public static func configure() { configured }

    private static let configured: Void = {
        // Both are harmless where they do not succeed: SQLite counts, and writes in smaller pieces.
        _ = csq_stop_counting_memory()
        _ = csq_write_logs_in_one_piece()
    }()
}
