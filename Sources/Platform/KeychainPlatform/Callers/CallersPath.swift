// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// Opens a file for a caller by its path, if the caller could reach it. The system service may search every folder, so
/// without this check it would reveal the contents of folders that are closed to the caller.
enum CallersPath {
    /// The kernel's limit of links to follow (path_resolution(7)).
    private static let links = 40

    /// Opens a regular file for reading. Other files are not opened, because opening a pipe or a device has side
    /// effects.
    ///
    /// - Throws: the errors of opening; EACCES for a folder that this user may not search according to its mode, where
    ///   groups and access control lists grant nothing more. EACCES for paths through `/proc`, whose links reveal other
    ///   processes. ELOOP for too many links, EISDIR for a file that is not regular.
    static func open(_ path: String, for user: UInt32) throws(SystemCallError) -> OwnedDescriptor {
        guard path.hasPrefix("/") else { throw SystemCallError(call: "open", code: ENOENT) }
        var place = try root()
        var rest = components(of: path)
        var linksLeft = links
        let processes = try linkStatus("/proc")
        while let name = rest.popLast() {
            let folder = try place.status()
            guard maySearch(folder, user), folder.st_dev != processes?.st_dev else {
                throw SystemCallError(call: "open", code: EACCES)
            }
            let next = try look(at: name, in: place)
            guard try next.status().st_mode & S_IFMT == S_IFLNK else {
                place = next
                continue
            }
            guard linksLeft > 0 else { throw SystemCallError(call: "open", code: ELOOP) }
            linksLeft -= 1
            let target = try linkTarget("", next.number)
            if target.hasPrefix("/") { place = try root() }
            rest += components(of: target)
        }
        guard try place.status().st_mode & S_IFMT == S_IFREG else { throw SystemCallError(call: "open", code: EISDIR) }
        // Opened through the descriptor, so that it is the file that was found.
        let path = "/proc/self/fd/\(place.number)"
        // The path is only read.
        return try OwnedDescriptor(unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), from: "open")
    }

    /// Returns the components of a path, the last one first.
    private static func components(of path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init)
    }

    private static func root() throws(SystemCallError) -> OwnedDescriptor {
        // The path is only read.
        try OwnedDescriptor(unsafe Glibc.open("/", openPathOnly | O_DIRECTORY | O_CLOEXEC), from: "open")
    }

    private static func look(at name: String, in folder: OwnedDescriptor) throws(SystemCallError) -> OwnedDescriptor {
        // The name is only read.
        try OwnedDescriptor(unsafe openat(folder.number, name, openPathOnly | O_NOFOLLOW | O_CLOEXEC), from: "openat")
    }

    /// Returns whether a user may search a folder. A member of the folder's group may have fewer rights than other
    /// users, so both the group and all others must have the permission.
    private static func maySearch(_ folder: stat, _ user: UInt32) -> Bool {
        guard folder.st_mode & S_IFMT == S_IFDIR, user != 0 else { return folder.st_mode & S_IFMT == S_IFDIR }
        return folder.st_uid == user ? folder.st_mode & 0o100 != 0 : folder.st_mode & 0o011 == 0o011
    }
}
