// SPDX-License-Identifier: Apache-2.0

/// The access groups of programs that the kernel shields.
///
/// The file of such a program can also be started without its shield (`LD_PRELOAD`, a debugger), and that process has
/// the same identity. So the items of the shielded program are in separate groups: each group has the prefix
/// ``prefix``, which no signature and no path can produce. The program itself reads and writes the plain name.
public enum EnforcedGroup {
    public static let prefix = "enforced:"

    public static func name(of plainName: String) -> String { prefix + plainName }

    /// Returns the name without the prefix; nil for a group of programs that are not shielded.
    public static func plainName(of group: String) -> String? {
        group.utf8.starts(with: prefix.utf8) ? String(group.dropFirst(prefix.count)) : nil
    }

    public static func contains(_ group: String) -> Bool { plainName(of: group) != nil }
}
