// SPDX-License-Identifier: Apache-2.0

/// The preference of `chatelaine-portal` in `portals.conf`, the key file (portals.conf(5)) in which xdg-desktop-portal reads
/// which backend serves an interface. The portal uses the first such file that it finds and no other, so a file in the user's
/// home folder must contain everything that the file has that it overrides.
enum PortalPreference {
    private static let group = "[preferred]"
    private static let key = "org.freedesktop.impl.portal.Secret"

    /// Returns the text of a file with the preference added, or with the preference of another backend replaced.
    static func adding(to text: String) -> String {
        var lines: [String] = []
        var isInGroup = false
        var isAdded = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop { $0 == " " || $0 == "\t" }
            if trimmed.hasPrefix("[") { isInGroup = trimmed.hasPrefix(group) }
            // The last line with a key counts, so all others go.
            let name = trimmed.prefix { $0 != "=" && $0 != " " && $0 != "\t" }
            if isInGroup, name == key, trimmed.contains("=") { continue }
            lines.append(String(line))
            if isInGroup, !isAdded, trimmed.hasPrefix("[") {
                lines.append(Self.line)
                isAdded = true
            }
        }
        if lines.last == "" { lines.removeLast() }
        if !isAdded { lines += [group, Self.line] }
        return lines.map { $0 + "\n" }.joined()
    }

    private static let line = key + "=chatelaine"
}
