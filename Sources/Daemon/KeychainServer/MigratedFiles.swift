// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore

/// The files of a keychain's folder that a migration copies, by name. Every other file stays in the old folder.
///
/// A rollback journal is never copied: it names files that SQLite deletes with the rights of the process that opens the
/// database, and the user could write to the old folder.
enum MigratedFiles {
    static func contains(_ entry: FolderCopy.Entry) -> Bool {
        let name = entry.name
        switch entry.folder {
        case []: return folders.contains(name) || files.contains(name) || isAuditLog(name)
        case ["keychains"]:
            return !name.hasPrefix(".")
                && (name == "lists" || [suffix, suffix + "-wal"].contains { name.hasSuffix($0) && name != $0 })
        // An interrupted change of a snapshot is in its journal, so the snapshot without the journal is damaged.
        case ["snapshots"]: return Snapshots.isSnapshot(name) && !entry.siblings.contains(name + "-journal")
        default: return false
        }
    }

    /// Returns the maximum number of bytes that the services write to such a file, because the user may have put
    /// another file there; nil for databases, which grow with their contents.
    static func largestSize(_ entry: FolderCopy.Entry) -> Int? {
        switch entry.folder {
        case []:
            if isAuditLog(entry.name) {
                // A file of the log ends with the line that exceeds this size.
                return (Int(Setting.auditLogKibibytes.range.upperBound) << 10) + longestRest
            }
            return entry.name.hasPrefix("keychain.db") ? nil : longestRest
        case ["keychains"]: return entry.name == "lists" ? longestRest : nil
        default: return nil
        }
    }

    private static let longestRest = 4 << 20

    /// Returns whether the services create such a file, and can create it again.
    static func isMadeAnew(_ entry: FolderCopy.Entry) -> Bool {
        (entry.name.hasPrefix(".") && !isSnapshots(entry))
            || (entry.name.hasSuffix("-shm") && entry.folder != ["snapshots"])
            || (entry.folder.isEmpty && madeAnew.contains(entry.name))
    }

    /// Returns whether it is the folder with the snapshots of a keychain file.
    private static func isSnapshots(_ entry: FolderCopy.Entry) -> Bool {
        entry.folder == ["keychains"] && entry.name.hasSuffix(OpenFileKeychain.snapshotsSuffix)
    }

    private static let madeAnew = ["store.lock", "chatelained.log", "chatelained.log.1", "salvage"]
    private static let folders = ["keychains", "snapshots"]
    private static let files = ["keychain.db", "keychain.db-wal", "device.key", "device.tries", "token.key"]
    private static let suffix = FileKeychainPlaces.suffix

    /// Returns whether a file is `audit.log`, `audit.log.1` and so on, its checkpoint, or a log of the earlier form.
    private static func isAuditLog(_ name: String) -> Bool {
        guard name != "audit.log" else { return true }
        guard name.hasPrefix("audit.log.") else { return false }
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst(2)
        if let first = parts.first, let number = Int(first), String(number) == first,
            (1..<AuditLog.fileLimit).contains(number)
        {
            parts = parts.dropFirst()
        }
        return parts.isEmpty || (parts.count == 1 && (parts.first == "seal" || parts.first == "before"))
    }
}
