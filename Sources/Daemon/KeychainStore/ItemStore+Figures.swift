// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
import SQLiteStatements

extension ItemStore {
    /// Returns the store's usage since it was opened: waiting changes and cache hits. Waits for the current lookup or
    /// change.
    ///
    /// - Throws: `.closed`, and SQLite's errors.
    public func figures() throws(StoreError) -> StoreFigures {
        try StoreError.translating {
            let lookups = try reader.figures()
            let searches = ServiceFigures.Cache(
                .searches, hits: lookups.hits, misses: lookups.misses, size: UInt64(lookups.statements),
                // Searches for identities have a limit of the same size.
                bound: UInt64(2 * Connection.searchLimit))
            var caches = [searches, Self.pages(.lookupPages, lookups.pages, Connection.pageKibibytes)]
            if writer !== reader {
                let pages = try writer.figures().pages
                caches.append(Self.pages(.writerPages, pages, Connection.pageKibibytes))
            }
            // The connection is not opened for the figures.
            if let connection = scanner.current {
                let pages = try connection.figures().pages
                caches.append(Self.pages(.listPages, pages, Self.scannerKibibytes))
            }
            return StoreFigures(
                caches: caches, waitingChanges: writer.turns.waitingCount,
                mostWaitingChanges: writer.turns.mostWaitingCount)
        }
    }

    /// The paths of the database, its log, and its snapshots; nil for a database in memory.
    public var paths: (database: String, log: String, snapshots: [String])? {
        guard writer !== reader else { return nil }
        let database = writer.path
        return (database, database + "-wal", snapshots?.paths ?? [])
    }

    private static func pages(
        _ kind: ServiceFigures.Cache.Kind, _ pages: PageCacheFigures, _ kibibytes: Int
    ) -> ServiceFigures.Cache {
        ServiceFigures.Cache(
            kind, hits: pages.hits, misses: pages.misses, size: pages.byteCount, bound: UInt64(kibibytes) << 10)
    }
}

/// The usage of a store since it was opened.
public struct StoreFigures: Hashable, Sendable {
    /// In the order of their kinds.
    public let caches: [ServiceFigures.Cache]
    public let waitingChanges: Int
    public let mostWaitingChanges: Int
}

/// The usage of a connection to a database since it was opened.
struct ConnectionFigures {
    let hits: UInt64
    let misses: UInt64
    /// The number of prepared searches.
    let statements: Int
    let pages: PageCacheFigures
}
