// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// Folders that belong to one user, and that no other user except root can write or exchange for another folder.
public enum UserOwnedFolders {
    /// Returns whether a folder is one of them.
    ///
    /// - Parameter folder: an absolute path without links, `.` and `..`.
    public static func include(_ folder: String, of user: UInt32) -> Bool { top(of: folder, user) != nil }

    /// Returns the topmost folder on a path from which on all folders belong to the user alone.
    ///
    /// - Returns: nil if the last folder does not, or if another user can exchange a folder on the path.
    static func top(of folder: String, _ user: UInt32) -> String? {
        guard folder.hasPrefix("/") else { return nil }
        var prefixes = folder.indices.filter { folder[$0] == "/" }.map { String(folder[..<$0]) }
        prefixes[0] = "/"
        if folder != "/" { prefixes.append(folder) }
        var top: String?
        // From the root down: once no other user can write a folder, no other user can exchange the entries that the
        // next step reads. A symbolic link on the path is no folder.
        for prefix in prefixes {
            guard let facts = try? linkStatus(prefix), facts.st_mode & S_IFMT == S_IFDIR,
                facts.st_uid == user || facts.st_uid == 0
            else { return nil }
            // If the folder has an access control list, the group bits hold its mask, so they also cover named users
            // and groups (acl(5)).
            let isWritableByOthers = facts.st_mode & 0o022 != 0
            // In a sticky folder of root's, as /tmp, other users can neither rename nor remove the user's entries.
            guard !isWritableByOthers || facts.st_uid == 0 && facts.st_mode & S_ISVTX != 0 else { return nil }
            top = facts.st_uid == user && !isWritableByOthers ? top ?? prefix : nil
        }
        return top
    }
}

extension PeerExecutable {
    /// Returns the topmost folder on the executable's path from which on the folders and the file belong to the user
    /// alone, as ``UserOwnedFolders`` says; nil if the file does not belong to the user, if another user can write it,
    /// and if the path does not lead to it in this process's view of the file system.
    public func topUserOwnedFolder() -> String? {
        let path = facts.displayPath
        guard let file = try? status(), file.st_mode & S_IFMT == S_IFREG, file.st_uid == user,
            file.st_mode & 0o022 == 0, let slash = path.lastIndex(of: "/"),
            let top = UserOwnedFolders.top(of: slash == path.startIndex ? "/" : String(path[..<slash]), user),
            // After the folders, so that no other user can exchange the entry any more.
            let target = try? linkStatus(path), target.st_dev == file.st_dev, target.st_ino == file.st_ino
        else { return nil }
        return top
    }
}
