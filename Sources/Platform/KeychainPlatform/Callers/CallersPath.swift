// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// Opens a file for a caller by its path, and no other than the caller could reach. The service of the system may search every folder, so
/// that the kernel alone would tell callers what is in those that are closed to them.
enum CallersPath {
    /// As many as the kernel follows (path_resolution(7)).
    private static let links = 40

    /// A regular file, for reading. Nothing else is opened: to open a pipe or a device does something to it.
    ///
    /// - Throws: what opening throws; EACCES for a folder that this user may not search, as far as its mode tells: what a group or an access
    ///   control list permits beyond that does not count. EACCES for paths through `/proc`, whose links tell of other processes. ELOOP for too many links, EISDIR for what is no regular file.
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
        // Through the descriptor, so that it is the file that was found.
        let path = "/proc/self/fd/\(place.number)"
        // The path is only read.
        return try OwnedDescriptor(unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), from: "open")
    }

    /// Last one first.
    private static func components(of path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init)
    }

    private static func root() throws(SystemCallError) -> OwnedDescriptor {
        // The path is only read.
        try OwnedDescriptor(unsafe Glibc.open("/", pathOnly | O_DIRECTORY | O_CLOEXEC), from: "open")
    }

    private static func look(at name: String, in folder: OwnedDescriptor) throws(SystemCallError) -> OwnedDescriptor {
        // The name is only read.
        try OwnedDescriptor(unsafe openat(folder.number, name, pathOnly | O_NOFOLLOW | O_CLOEXEC), from: "openat")
    }

    /// Who is in the folder's group may have fewer rights than others, so both must have them.
    private static func maySearch(_ folder: stat, _ user: UInt32) -> Bool {
        guard folder.st_mode & S_IFMT == S_IFDIR, user != 0 else { return folder.st_mode & S_IFMT == S_IFDIR }
        return folder.st_uid == user ? folder.st_mode & 0o100 != 0 : folder.st_mode & 0o011 == 0o011
    }

    /// O_PATH, which Glibc's module does not have: to look at, not to open.
    private static let pathOnly: Int32 = 0o10000000
}
