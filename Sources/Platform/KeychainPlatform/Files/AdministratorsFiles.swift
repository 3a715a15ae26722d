// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// Files that an administrator writes for all users, and that only root can change.
public enum AdministratorsFiles {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// Another user owns the file or folder, or other users may write it.
        case notRoots(path: String)
        /// Not a regular file, or not a folder.
        case wrongKind(path: String)
        case tooLarge(path: String)
        case notUTF8(path: String)
        case system(path: String, SystemCallError)
    }

    public static let limitBytes = 1 << 16

    /// Returns the texts of the files in a folder whose names have an ending, in the order of the names' bytes.
    ///
    /// - Returns: an empty list if the folder does not exist.
    /// - Throws: for the first file that cannot be read or that a user other than root could have written. Files with
    ///   other endings are ignored.
    public static func texts(in folder: String, ending: String) throws(Error) -> [(path: String, text: String)] {
        do throws(Error) {
            _ = try open(folder, O_DIRECTORY, S_IFDIR)
        } catch .system(_, let error) where error.code == ENOENT {
            return []
        }
        let names = FileLocation.names(in: folder).filter { $0.hasSuffix(ending) }
        var texts: [(String, String)] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let path = folder + "/" + name
            texts.append((path, try text(path)))
        }
        return texts
    }

    private static func text(_ path: String) throws(Error) -> String {
        // O_NONBLOCK: a FIFO at this path must not block the open before its type is checked.
        let (file, facts) = try open(path, O_NOFOLLOW | O_NONBLOCK, S_IFREG)
        guard facts.st_size <= limitBytes else { throw .tooLarge(path: path) }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        let size = bytes.count
        // The call writes at most the array's size.
        let count = unsafe pread(file.number, &bytes, size, 0)
        guard count >= 0 else { throw .system(path: path, .last("pread")) }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else { throw .notUTF8(path: path) }
        return text
    }

    /// Opens a file that root owns and no other user can write.
    private static func open(
        _ path: String, _ flags: Int32, _ kind: mode_t
    ) throws(Error) -> (file: OwnedDescriptor, facts: stat) {
        let file: OwnedDescriptor
        let facts: stat
        do throws(SystemCallError) {
            // The path is only read.
            file = try OwnedDescriptor(unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | flags), from: "open")
            facts = try file.status()
        } catch {
            throw error.code == ELOOP || error.code == ENOTDIR
                ? .wrongKind(path: path) : .system(path: path, error)
        }
        guard facts.st_mode & S_IFMT == kind else { throw .wrongKind(path: path) }
        guard facts.st_uid == 0, facts.st_mode & (S_IWGRP | S_IWOTH) == 0 else { throw .notRoots(path: path) }
        return (file, facts)
    }
}
