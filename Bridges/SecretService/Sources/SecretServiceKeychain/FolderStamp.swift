// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The state of a folder's list of entries: each later change of the list gives the folder another stamp.
struct FolderStamp: Hashable {
    /// Nil if the folder does not exist.
    private let entries: Entries?

    private struct Entries: Hashable {
        let device: dev_t
        let inode: ino_t
        let seconds: Int
        let nanoseconds: Int
    }

    /// Reads the stamp; nil if the folder cannot be examined, or was changed in the last second: a further change at the same
    /// time would not be noticed.
    init?(path: String) {
        var facts = stat()
        // The call reads the path and fills the structure.
        guard unsafe stat(path, &facts) == 0 else {
            guard errno == ENOENT else { return nil }
            entries = nil
            return
        }
        let (seconds, nanoseconds) = (facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec)
        guard time(nil) > seconds + 1 else { return nil }
        entries = Entries(device: facts.st_dev, inode: facts.st_ino, seconds: seconds, nanoseconds: nanoseconds)
    }
}
