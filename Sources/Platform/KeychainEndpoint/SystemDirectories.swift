// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The directories of the system service: one socket, and a keychain for each user.
public struct SystemDirectories: Hashable, Sendable {
    /// The directory of the socket. Every user may read it, and only the service writes it.
    public let runtime: String
    /// The keychains, which only the service reads.
    public let state: String

    public init(runtime: String, state: String) {
        self.runtime = runtime
        self.state = state
    }

    /// The default folders that clients know.
    public static let usual = SystemDirectories(runtime: "/run/chatelaine", state: "/var/lib/chatelaine")

    public var socketPath: String { runtime + "/chatelaine.socket" }
    /// Locked by the service while it runs. Clients cannot read the file, but can see the lock.
    public var lockPath: String { runtime + "/service.lock" }
    /// The folder with one folder per user, named by user ID.
    public var usersPath: String { state + "/users" }

    public func keychain(of user: UInt32) -> KeychainFolder { KeychainFolder(path: "\(usersPath)/\(user)") }

    /// Returns the owner of the socket's folder, who is the user of the service. Nil if there is no such folder.
    ///
    /// Only root can have made the folder in its place, so root chose its owner.
    ///
    /// - Parameter makers: the users who may own the folders above it.
    /// - Throws: `.untrustedDirectory` if another user could have put a socket there.
    func owner(makers: [UInt32] = [0]) throws(EndpointError) -> UInt32? {
        var facts = stat()
        // lstat fills the given structure and keeps neither pointer, here and below.
        guard unsafe lstat(runtime, &facts) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .system(.last("lstat")) }
            return nil
        }
        guard facts.st_mode & S_IFMT == S_IFDIR, facts.st_mode & 0o022 == 0 else {
            throw .untrustedDirectory(path: runtime)
        }
        var path = runtime
        while path != "/", let slash = path.lastIndex(of: "/") {
            // In a sticky folder that all users may write (such as /tmp), a folder of root stays root's.
            let mayBeShared = path != runtime
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            var above = stat()
            guard unsafe lstat(path, &above) == 0, above.st_mode & S_IFMT == S_IFDIR,
                above.st_mode & 0o022 == 0 || mayBeShared && above.st_mode & S_ISVTX != 0,
                makers.contains(above.st_uid) || Self.isUnmappedUser(above.st_uid)
            else { throw .untrustedDirectory(path: runtime) }
        }
        return facts.st_uid
    }

    /// Returns whether this user ID stands for all users that this process's user namespace does not know, root among
    /// them. The service cannot identify such a process either, and tells it so.
    private static func isUnmappedUser(_ user: UInt32) -> Bool {
        guard user == SmallFile.text(at: "/proc/sys/kernel/overflowuid").flatMap({ UInt32($0.prefix { $0 != "\n" }) }),
            let map = SmallFile.text(at: "/proc/self/uid_map")
        else { return false }
        // In the first namespace all users are mapped to themselves.
        return map.split { " \n".contains($0) } != ["0", "0", "4294967295"]
    }
}
