// SPDX-License-Identifier: Apache-2.0

/// Patterns of OpenSSH for users, hosts and libraries: `*` is any text, `?` one character (ssh_config(5), PATTERNS).
public enum Pattern {
    /// Returns whether a whole text matches a pattern. Takes at most the product of both lengths as steps.
    static func matches(_ text: String, _ pattern: some StringProtocol) -> Bool {
        let text = Array(text.utf8)
        let pattern = Array(pattern.utf8)
        var (position, place) = (0, 0)
        // The last asterisk, and the text that it does not cover yet.
        var asterisk: (place: Int, position: Int)?
        while position < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                asterisk = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == text[position] {
                position += 1
                place += 1
            } else if let last = asterisk {
                asterisk = (last.place, last.position + 1)
                position = last.position + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Returns whether a text matches a list of patterns with commas between them, and none with `!` in front.
    public static func list(_ list: String, admits text: String) -> Bool {
        let patterns = list.split(separator: ",")
        guard !patterns.contains(where: { $0.first == "!" && matches(text, $0.dropFirst()) }) else { return false }
        return patterns.contains { $0.first != "!" && matches(text, $0) }
    }
}
