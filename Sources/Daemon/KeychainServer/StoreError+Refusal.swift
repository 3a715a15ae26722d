// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainStore

extension DurableFile.Error {
    /// The refusal that a client receives for a file that could not be written.
    var refusal: Refusal {
        guard case .system(_, let error) = self else { return Refusal(.inputOutput, .none) }
        return if error.isOfReadOnlyFileSystem {
            Refusal(.writePermission, .readOnlyStore)
        } else if error.isOfFullFileSystem {
            Refusal(.diskFull, .diskFull)
        } else {
            Refusal(.inputOutput, .none)
        }
    }
}

extension StoreError {
    /// The refusal that a client receives.
    var refusal: Refusal {
        if case .refused(let refusal) = self { return refusal }
        let reason: Refusal.Reason =
            switch self {
            case .duplicate, .notFound, .inputOutput, .refused, .closed: .none
            case .diskFull: .diskFull
            case .readOnly: .readOnlyStore
            case .damaged, .notAKeychain, .newerVersion, .wrongDeviceKey: .damagedStore
            case .untrusted: .untrustedFile
            case .keyNotAvailable: .locked
            case .passwordNeeded: .authenticationNeeded
            case .wrongPassword: .wrongApplicationPassword
            }
        return Refusal(status, reason)
    }

    /// Returns the explanation for the user who starts the service.
    func explanation(path: String) -> (error: String, hint: String) {
        switch self {
        case .notAKeychain:
            (
                "\(path) is not a keychain database; it was not touched",
                "if it was a keychain, `chatelaine salvage` saves the readable items; otherwise move it away"
            )
        case .untrusted(.database):
            (
                "\(path) is a link, is not a regular file, or belongs to another user; it was not opened",
                "replace it with a file that belongs to the user of the service"
            )
        case .untrusted(.journal):
            (
                "\(path)-journal was not made by the keychain service; no file was opened",
                "move \(path)-journal away: the keychain does not need it, and opening it could delete files"
            )
        case .untrusted(let file):
            (
                "\(path)\(file.suffix) is a link, is not a regular file, or belongs to another user; no file was opened",
                "move \(path)\(file.suffix) away, and find out which user put it there"
            )
        case .newerVersion:
            (
                "\(path) was made by a newer version of chatelaine; it was not touched",
                "install that version; or move it away, and copy the newest file of snapshots/ from before the upgrade to its path"
            )
        case .wrongDeviceKey:
            (
                "\(path) was made with another device key; it was not touched",
                "restore device.key and keychain.db from the same backup"
            )
        case .damaged(.database):
            (
                "\(path) is damaged; it was not touched",
                "`chatelaine salvage` saves the readable items, and takes missing items from snapshots"
            )
        case .damaged(.lost):
            (
                "\(path) is missing or empty, but snapshots of it exist; no new keychain was created",
                "copy the newest file of snapshots/ to this path; to start with an empty keychain, move the whole folder away"
            )
        case .damaged(.log):
            (
                "\(path)-wal, which holds the newest changes, is damaged; it was not touched",
                "`chatelaine salvage` saves the readable items of both files"
            )
        case .damaged(.keybag), .damaged(.item):
            (
                "the keybag in \(path) is damaged; it was not touched",
                "`chatelaine salvage` restores it from a snapshot"
            )
        case .readOnly:
            ("\(path) cannot be written", "check the permissions of its directory and that its file system is writable")
        case .diskFull:
            ("the file system of \(path) is full", "free disk space")
        case .inputOutput:
            ("\(path) cannot be read or is in use by another program", "stop other programs that have the file open")
        case .duplicate, .notFound, .keyNotAvailable, .passwordNeeded, .wrongPassword, .refused, .closed:
            ("\(path) cannot be opened", "restore the directory from a backup")
        }
    }
}
