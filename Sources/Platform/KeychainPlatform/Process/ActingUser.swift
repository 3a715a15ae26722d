// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// A user in whose name root does something: what that user may not touch, root does not touch either. So nobody leads
/// root astray with links in a folder of theirs.
public struct ActingUser: Hashable, Sendable {
    public let user: UInt32
    public let group: UInt32
    /// From the user database; nil for a number without an entry.
    public let home: String?

    public static var isRoot: Bool { getuid() == 0 && geteuid() == 0 }

    /// By name, or by number. Nil for a name that nobody has.
    // The look-ups read the name and fill what they are given.
    public init?(_ name: String) {
        if let entry = unsafe Self.entry({ unsafe getpwnam_r(name, $0, $1, $2, $3) }) {
            self = entry
        } else if let number = UInt32(name), number != .max {
            self = unsafe Self.entry { unsafe getpwuid_r(number, $0, $1, $2, $3) } ?? Self(user: number, group: number)
        } else {
            return nil
        }
    }

    /// Who owns a folder, which must not be a link. Nil if there is none.
    public init?(owning folder: String) throws(SystemCallError) {
        guard let facts = try linkStatus(folder), facts.st_mode & S_IFMT == S_IFDIR else { return nil }
        self.init(user: facts.st_uid, group: facts.st_gid)
    }

    private init(user: UInt32, group: UInt32, home: String? = nil) {
        self.user = user
        self.group = group
        self.home = home
    }

    /// Everything after this is done in this user's name. Only for root, and for a process without other duties.
    public func act() throws(SystemCallError) {
        guard ckp_act_as(user, group) == 0 else { throw .last("seteuid") }
    }

    private static func entry(
        _ lookUp: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) -> ActingUser? {
        // The entry's strings lie in the buffer, so they are copied before it goes.
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
