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
        // Fails only if SQLite has no file system, in which case it opens no file.
        _ = csq_register_file_system()
    }()
}
