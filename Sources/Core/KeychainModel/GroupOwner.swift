// SPDX-License-Identifier: Apache-2.0

/// The owner of an access group, as the name of the group states it.
///
/// The service makes these names from the identity of a program, and no signature can produce a name of another kind.
/// The prefix of shielded programs (``EnforcedGroup``) has to be removed before.
public enum GroupOwner: Hashable, Sendable {
    /// The command `chatelaine`.
    case command
    /// A program that an administrator installed.
    case installed(path: String)
    /// An unsigned program, by the hexadecimal digest of its file.
    case unsigned(digest: String)
    /// An unsigned program in a development folder: the folder and the program's name, as a path.
    case development(path: String)
    /// An application in a sandbox, by the name of the group.
    case application(name: String)
    /// All programs whose signature names the group, such as `TEAM.org.example.mail`.
    case signed(group: String)

    static let (installedPrefix, unsignedPrefix) = ("installed:", "unsigned:")
    /// The beginnings of the groups of applications in a sandbox.
    public static let (flatpakPrefix, snapPrefix) = ("flatpak:", "snap:")

    public init(ofGroup group: String) {
        func rest(after prefix: String) -> String? {
            group.utf8.starts(with: prefix.utf8) ? String(group.dropFirst(prefix.count)) : nil
        }
        if group == CommandGroup.shared || group == CommandGroup.privateItems {
            self = .command
        } else if let path = rest(after: Self.installedPrefix) {
            self = .installed(path: path)
        } else if let digest = rest(after: Self.unsignedPrefix) {
            self = .unsigned(digest: digest)
        } else if let path = DevelopmentFolder.path(ofGroup: group) {
            self = .development(path: path)
        } else if rest(after: Self.flatpakPrefix) ?? rest(after: Self.snapPrefix) != nil {
            self = .application(name: group)
        } else {
            self = .signed(group: group)
        }
    }

    /// Returns the beginning of a digest: it is enough to tell programs apart, and keeps a line short.
    public static func shortened(digest: String) -> String {
        digest.utf8.count > 12 ? digest.prefix(12) + "…" : digest
    }
}
