// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// The names under which registries give out names: a certificate for all names directly below one of them would stand for strangers' hosts.
///
/// The rules are those of the Public Suffix List that registries made (its section “ICANN DOMAINS”), as Debian, Fedora and Arch ship it.
/// Those that companies made for their customers do not count, because these companies have certificates for all of their names. A single
/// label is a public suffix with every list, and the only kind without one.
public struct PublicSuffixes: Sendable {
    /// The file of the packages `publicsuffix` (Debian) and `publicsuffix-list` (Fedora, Arch).
    private static let path = "/usr/share/publicsuffix/public_suffix_list.dat"
    private static let end = "// ===END ICANN DOMAINS==="

    private let rules: Set<String>

    /// - Parameter list: in the list's own format (https://github.com/publicsuffix/list/wiki/Format).
    public init(list: String) {
        var rules: Set<String> = []
        for line in list.utf8.split(separator: UInt8(ascii: "\n")) {
            let line = Substring(line)
            if line.hasPrefix("//") {
                if line.hasPrefix(Self.end) { break }
                continue
            }
            // A rule ends at the first space.
            let rule = line.prefix { !$0.isWhitespace }
            if !rule.isEmpty { rules.insert(rule.lowercased()) }
        }
        self.rules = rules
    }

    /// The machine's list; no rules where it has none.
    public static func ofMachine() -> PublicSuffixes {
        let data = FileManager.default.contents(atPath: path)
        return PublicSuffixes(list: data.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// Whether a wildcard directly above the labels would stand for names of strangers: they are a public suffix, or all names directly
    /// below them are some.
    func forbidWildcard(above labels: [String]) -> Bool {
        // The list has internationalised names as people write them.
        let readable = labels.map { Punycode.decode(label: $0)?.lowercased() ?? $0 }
        let name = readable.joined(separator: ".")
        let parent = readable.dropFirst().joined(separator: ".")
        return labels.count < 2 || rules.contains(name) || rules.contains("*." + name)
            || rules.contains("*." + parent) && !rules.contains("!" + name)
    }
}
