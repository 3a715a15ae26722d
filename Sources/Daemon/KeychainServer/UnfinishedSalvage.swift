// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainEndpoint
internal import KeychainPlatform

// Two files cannot be renamed atomically together. A salvage keeps the damaged database under a second name, moves its
// log there, and puts the new database in the place of the first name. If the salvage is killed or loses power before
// that, the keychain is still the damaged database, and the latest changes may be in a log beside another name.
extension KeychainFolder {
    /// The prefix of the names of kept databases; the time follows.
    var keptPrefix: String { databasePath + ".damaged-" }

    /// Undoes an unfinished salvage: moves the log of the database back, and removes the second name.
    ///
    /// The caller holds the folder's lock, and calls this before the database is opened or copied.
    func undoUnfinishedSalvage() throws(DurableFile.Error) {
        guard let database = FileIdentity(path: databasePath) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where "\(path)/\(name)".hasPrefix(keptPrefix) {
            let kept = "\(path)/\(name)"
            // After a finished salvage, this is the damaged log.
            guard FileIdentity(path: kept) == database else { continue }
            if FileIdentity(path: kept + "-wal") != nil {
                // A log that was written since is not replaced by it.
                guard FileIdentity(path: databasePath + "-wal") == nil else { continue }
                try DurableFile.move(kept + "-wal", to: databasePath + "-wal")
            }
            try DurableFile.remove(kept)
        }
    }
}
