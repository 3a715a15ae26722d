// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A database and the files beside it that SQLite may open as this process's user.
///
/// SQLite plays back a rollback journal that it finds, and deletes the file that the journal names as its
/// super-journal, whichever file that is. It also merges a write-ahead log into the database. So a file of another user
/// beside a database is a change by that user, and a journal is a list of files to delete.
public struct DatabaseFiles: Sendable {
    /// One of the files that SQLite opens for a database.
    public enum Kind: Hashable, Sendable {
        case database
        /// `-journal`
        case journal
        /// `-wal`
        case log
        /// `-shm`
        case logIndex

        /// The end of the file's name, after the name of the database.
        public var suffix: String {
            switch self {
            case .database: ""
            case .journal: "-journal"
            case .log: "-wal"
            case .logIndex: "-shm"
            }
        }
    }

    /// The origin of a rollback journal that the service itself leaves behind when it is killed.
    public enum JournalOrigin: Sendable {
        /// The creation of the database, whose former size in the journal is zero. After that, databases have a
        /// write-ahead log.
        case creation
        /// A change of a database without a write-ahead log. Its journal names no super-journal.
        case change
    }

    /// A file that is a link or not regular, belongs to another user, or is a journal that the service did not make.
    public struct Untrusted: Error, Hashable, Sendable {
        public let kind: Kind
    }

    public let path: String

    /// Checks the files; missing ones are trusted. A folder in the place of the database is left for SQLite to refuse.
    ///
    /// - Throws: ``Untrusted`` for the first file that SQLite must not open.
    public init(at path: String, journalOf origin: JournalOrigin) throws(Untrusted) {
        self.path = path
        for kind in [Kind.database, .log, .logIndex, .journal] {
            guard let facts = Self.linkStatus(path + kind.suffix) else { continue }
            if kind == .database, facts.st_mode & S_IFMT == S_IFDIR { continue }
            guard facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid() else { throw Untrusted(kind: kind) }
        }
        guard Self.isOwnJournal(path + Kind.journal.suffix, origin) else { throw Untrusted(kind: .journal) }
    }

    private static func linkStatus(_ path: String) -> stat? {
        var facts = stat()
        // The call reads the path and fills the structure.
        return unsafe lstat(path, &facts) == 0 ? facts : nil
    }

    /// Returns whether the journal is missing, or was made by the service. A journal without its header, left by an
    /// interrupted write, is never played back.
    private static func isOwnJournal(_ path: String, _ origin: JournalOrigin) -> Bool {
        guard linkStatus(path) != nil else { return true }
        guard let file = PageFile(path: path) else { return false }
        // "Rollback Journal Format" of SQLite's documentation. The name of a super-journal follows the pages, and the
        // file then ends with the same eight bytes as it begins with.
        guard file.bytes(at: max(file.size - magic.count, 0), count: magic.count) != magic || file.size <= headBytes
        else { return false }
        let head = file.bytes(at: 0, count: headBytes)
        switch origin {
        case .change: return true
        case .creation:
            let isPlayedBack = head.count == headBytes && head.starts(with: magic)
            return !isPlayedBack || head[16..<20].allSatisfy { $0 == 0 }
        }
    }

    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    private static let headBytes = 28
}
