// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements

/// What is set once for all connections of the process.
public enum SQLiteLibrary {
    /// Keeps SQLite from counting its memory, for which it takes a lock at each allocation. The counters are nobody's
    /// concern here.
    ///
    /// Called once, before anything else of SQLite is used; later calls change nothing.
    public static func configure() {
        // SQLITE_MISUSE, when it is too late, is harmless: then SQLite counts.
        _ = csq_stop_counting_memory()
    }
}
