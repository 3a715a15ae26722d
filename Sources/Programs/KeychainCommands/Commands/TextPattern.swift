// SPDX-License-Identifier: Apache-2.0

/// A pattern of the `list` command: a part of a text, or a whole text with the wildcards `*` and `?`.
struct TextPattern {
    private let characters: [Character]
    private let isWhole: Bool

    init(_ pattern: String) {
        let lowercased = Array(pattern.lowercased())
        isWhole = lowercased.contains("*") || lowercased.contains("?")
        characters = isWhole ? lowercased : ["*"] + lowercased + ["*"]
    }

    /// Creates a pattern for whole texts, also without wildcards.
    init(whole pattern: some StringProtocol) {
        characters = Array(pattern.lowercased())
        isWhole = true
    }

    /// Returns whether the pattern matches. Takes time in proportion to both lengths, for every pattern.
    func matches(_ text: String) -> Bool {
        let text = Array(text.lowercased())
        var place = 0
        var index = 0
        // The position to continue at after a mismatch: after the last star, which then matches one more character.
        var retry: (place: Int, index: Int)?
        while index < text.count {
            if place < characters.count, characters[place] == "*" {
                place += 1
                retry = (place, index)
            } else if place < characters.count, isSingle(characters[place]) || characters[place] == text[index] {
                place += 1
                index += 1
            } else if let last = retry {
                retry = (last.place, last.index + 1)
                (place, index) = (last.place, last.index + 1)
            } else {
                return false
            }
        }
        return characters[place...].allSatisfy { $0 == "*" }
    }

    /// Returns whether a character matches any single one. A pattern without wildcards is plain text between two stars.
    private func isSingle(_ character: Character) -> Bool { isWhole && character == "?" }
}
