// SPDX-License-Identifier: Apache-2.0

internal import CSQLiteStatements

/// Settings of SQLite for all connections of the process.
public enum SQLiteLibrary {
    /// Disables SQLite's memory counters, which take a lock at each allocation and have no use here, and registers the
    /// file system that refuses super-journals and recognizes a read-only disk.
    ///
    /// Call before any other use of SQLite; later calls change nothing.
    public static func configure() { configured }

    private static let configured: Void = {
        // Fails only after another use of SQLite, which then continues to count.
        _ = csq_stop_counting_memory()
        // Each SQLite on Linux has this file system. Without ours, a forged journal could delete files.
        let code = csq_register_file_system()
        precondition(code == SQLITE_OK, "SQLite has no file system of version 3: \(code)")
    }()
}
