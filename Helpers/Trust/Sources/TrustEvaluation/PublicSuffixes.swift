// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// The names below which registries sell names: a certificate for all names directly below a public suffix would stand
/// for hosts of many owners.
///
/// The rules are the section “ICANN DOMAINS” of the Public Suffix List, as Debian, Fedora and Arch ship it. Suffixes of
/// companies for their customers do not count, because these companies have certificates for all of their names. A
/// single label is a public suffix with every list, and the only kind of public suffix without a list.
public struct PublicSuffixes: Sendable {
    /// The file of the packages `publicsuffix` (Debian) and `publicsuffix-list` (Fedora, Arch).
    private static let path = "/usr/share/publicsuffix/public_suffix_list.dat"
    private static let end = "// ===END ICANN DOMAINS==="

    private let rules: Set<String>

    /// - Parameter list: the rules in the list's own format (https://github.com/publicsuffix/list/wiki/Format).
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

    /// Returns the machine's list; no rules if the machine has no list.
    public static func ofMachine() -> PublicSuffixes {
        let data = FileManager.default.contents(atPath: path)
        return PublicSuffixes(list: data.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// Whether a wildcard directly above the labels would stand for names of other owners: the labels are a public
    /// suffix, or all names directly below them are public suffixes.
    func forbidWildcard(above labels: [String]) -> Bool {
        // The list has internationalised names in Unicode.
        let readable = labels.map { Punycode.decode(label: $0)?.lowercased() ?? $0 }
        let name = readable.joined(separator: ".")
        let parent = readable.dropFirst().joined(separator: ".")
        return labels.count < 2 || rules.contains(name) || rules.contains("*." + name)
            || rules.contains("*." + parent) && !rules.contains("!" + name)
    }
}
