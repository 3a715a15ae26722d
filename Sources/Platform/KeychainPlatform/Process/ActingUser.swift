// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A user with whose rights root acts: root then accesses only the files that this user may access. So a user cannot
/// misdirect root with links in the user's own folders.
public struct ActingUser: Hashable, Sendable {
    public let user: UInt32
    public let group: UInt32
    /// From the user database; nil for a user ID without an entry.
    public let home: String?

    public static var isRoot: Bool { getuid() == 0 && geteuid() == 0 }

    /// Finds a user by name or by ID. Nil for a name that does not exist.
    // The lookups read the name and fill the given buffers.
    public init?(_ name: String) {
        if let entry = unsafe Self.entry({ unsafe getpwnam_r(name, $0, $1, $2, $3) }) {
            self = entry
        } else if let number = UInt32(name), number != .max {
            self = unsafe Self.entry { unsafe getpwuid_r(number, $0, $1, $2, $3) } ?? Self(user: number, group: number)
        } else {
            return nil
        }
    }

    /// Finds the owner of a folder, which must not be a link. Nil if the folder does not exist.
    public init?(owning folder: String) throws(SystemCallError) {
        guard let facts = try linkStatus(folder), facts.st_mode & S_IFMT == S_IFDIR else { return nil }
        self.init(user: facts.st_uid, group: facts.st_gid)
    }

    private init(user: UInt32, group: UInt32, home: String? = nil) {
        self.user = user
        self.group = group
        self.home = home
    }

    /// Switches the process to this user permanently. Only for root, and for a process without other duties.
    public func act() throws(SystemCallError) {
        // glibc changes all threads.
        guard geteuid() == 0 || seteuid(0) == 0 else { throw .last("seteuid") }
        // No groups, so no pointer is read.
        guard setgroups(0, nil) == 0 else { throw .last("setgroups") }
        guard setegid(group) == 0 else { throw .last("setegid") }
        guard seteuid(user) == 0 else { throw .last("seteuid") }
    }

    private static func entry(
        _ lookUp: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) -> ActingUser? {
        // The entry's strings are in the buffer, so they are copied before it is released.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard unsafe lookUp(&entry, buffer.baseAddress!, buffer.count, &found) == 0, unsafe found != nil else {
                return nil
            }
            let home = unsafe entry.pw_dir.map { unsafe String(cString: $0) }
            return unsafe ActingUser(
                user: entry.pw_uid, group: entry.pw_gid, home: home?.hasPrefix("/") == true ? home : nil)
        }
    }
}
