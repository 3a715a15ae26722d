// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainEndpoint
internal import KeychainPlatform

// Two files cannot change their names at once. A salvage keeps the damaged database under a second name, takes its log
// there, and puts the new database in the place of the first name. When it is killed before that, or loses its power,
// the keychain is the damaged database still, and what was stored last may be in a log that lies beside another name.
extension KeychainFolder {
    /// What the names of kept databases begin with; when they were kept follows.
    var keptPrefix: String { databasePath + ".damaged-" }

    /// Puts the log of the database back that a salvage took away and did not come to its end. Then there was none.
    ///
    /// Called by whoever has the folder's lock, before the database is opened or copied.
    func undoUnfinishedSalvage() throws(DurableFile.Failure) {
        guard let database = FileIdentity(path: databasePath) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where "\(path)/\(name)".hasPrefix(keptPrefix) {
            let kept = "\(path)/\(name)"
            // Of a salvage that was finished it is the one that was damaged.
            guard FileIdentity(path: kept) == database else { continue }
            if FileIdentity(path: kept + "-wal") != nil {
                // A log that somebody wrote since is not given up for it.
                guard FileIdentity(path: databasePath + "-wal") == nil else { continue }
                try DurableFile.move(kept + "-wal", to: databasePath + "-wal")
            }
            try DurableFile.remove(kept)
        }
    }
}
