// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The reason why a directory cannot hold an instance.
public enum DirectoryError: Error, Hashable, Sendable {
    case symbolicLink(path: String)
    case notDirectory(path: String)
    case notOwned(path: String, owner: UInt32)
    /// The group or other users may write there; `mode` holds the permission bits.
    case writableByOthers(path: String, mode: UInt32)
    case system(path: String, SystemCallError)
}

extension DirectoryError: CustomStringConvertible {
    /// The fault, and the next step for the user.
    public var description: String {
        switch self {
        case .symbolicLink(let path):
            "\(path) is a symbolic link; remove it, or name its target in the XDG variable instead"
        case .notDirectory(let path):
            "\(path) is not a directory; move it out of the way"
        case .notOwned(let path, let owner):
            "\(path) belongs to user \(owner); remove it, or name another directory in the XDG variable"
        case .writableByOthers(let path, let mode):
            "\(path) has mode 0\(String(mode, radix: 8)), so other users could have put files there; "
                + "check its contents, then run chmod 0700 \(path)"
        case .system(let path, let error):
            "\(path): \(error)"
        }
    }
}

extension InstanceDirectories {
    /// Creates missing directories with mode 0700 and refuses those that others control.
    ///
    /// A directory is refused if it is a symbolic link, belongs to another user, or may be written by the group or
    /// others, because others may already have left files there. Mere read access for others is removed from the
    /// runtime directory.
    public func prepare() throws(DirectoryError) {
        try prepareRuntime()
        try Self.prepareDirectory(data, isPrivate: false)
        try Self.prepareDirectory(configuration, isPrivate: false)
    }

    /// Prepares only the directory of the socket, which is all that a client needs.
    public func prepareRuntime() throws(DirectoryError) {
        try Self.prepareDirectory(runtime, isPrivate: true)
    }

    fileprivate static func prepareDirectory(
        _ path: String, isPrivate: Bool, owners: Set<UInt32> = [geteuid()], mode: mode_t = 0o700
    ) throws(DirectoryError) {
        try createParents(of: path)
        try create(path)
        // All checks use the descriptor, so they apply to the opened directory. O_NOFOLLOW refuses a link as the last
        // component.
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusalToOpen(path) }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else { throw .system(path: path, .last("fstat")) }
        guard owners.contains(facts.st_uid) else { throw .notOwned(path: path, owner: facts.st_uid) }
        guard facts.st_mode & 0o022 == 0 else { throw .writableByOthers(path: path, mode: facts.st_mode & 0o7777) }
        let hasOtherMode = mode == 0o700 ? facts.st_mode & 0o077 != 0 : facts.st_mode & 0o7777 != mode
        if isPrivate, hasOtherMode, facts.st_uid == geteuid(), fchmod(descriptor, mode) != 0 {
            throw .system(path: path, .last("fchmod"))
        }
    }

    private static func createParents(of path: String) throws(DirectoryError) {
        for index in path.indices.dropFirst() where path[index] == "/" {
            try create(String(path[..<index]))
        }
    }

    private static func create(_ path: String) throws(DirectoryError) {
        // The mode passes through the umask, which can only remove rights.
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let error = SystemCallError.last("mkdir")
        // A parent in a read-only or foreign directory gives EROFS or EACCES although it exists.
        var facts = stat()
        guard unsafe stat(path, &facts) != 0 else { return }
        throw .system(path: path, error)
    }

    private static func refusalToOpen(_ path: String) -> DirectoryError {
        let error = SystemCallError.last("open")
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return .system(path: path, error) }
        switch facts.st_mode & S_IFMT {
        case S_IFLNK: return .symbolicLink(path: path)
        case S_IFDIR:
            return facts.st_uid == geteuid() ? .system(path: path, error) : .notOwned(path: path, owner: facts.st_uid)
        default: return .notDirectory(path: path)
        }
    }
}

extension KeychainFolder {
    /// Creates the folder with mode 0700 if it is missing, and refuses it as ``InstanceDirectories/prepare()`` does.
    public func prepare() throws(DirectoryError) {
        try InstanceDirectories.prepareDirectory(path, isPrivate: true)
    }
}

extension SystemDirectories {
    /// Creates missing folders: the socket's folder, which every user may read, and the others for the service alone.
    /// Refuses folders that another user controls.
    public func prepare() throws(DirectoryError) {
        // The service manager may have made it, for its own socket.
        try InstanceDirectories.prepareDirectory(runtime, isPrivate: true, owners: [geteuid(), 0], mode: 0o755)
        try InstanceDirectories.prepareDirectory(state, isPrivate: true)
        try InstanceDirectories.prepareDirectory(usersPath, isPrivate: true)
    }
}
