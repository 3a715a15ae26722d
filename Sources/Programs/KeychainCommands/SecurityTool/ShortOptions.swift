// SPDX-License-Identifier: Apache-2.0

/// Options of one letter, parsed like getopt(3) of BSD: they end at the first word that is not an option or at `--`,
/// letters may be combined, and a value follows its letter in the same word or is the next word.
struct ShortOptions {
    enum Option: Equatable {
        case flag(Character)
        case value(Character, String)
        /// A letter that requires a value, at the end of the words.
        case missingValue(Character)
        case unknown(Character)
    }

    private let flags: String
    private let withValue: String
    private var letters: Substring = ""
    /// The unread words: the operands, after ``next()`` returned nil.
    private(set) var operands: ArraySlice<String>

    init(flags: String, withValue: String, _ words: some Sequence<String>) {
        self.flags = flags
        self.withValue = withValue
        operands = Array(words)[...]
    }

    mutating func next() -> Option? {
        if letters.isEmpty {
            guard let word = operands.first, word.count > 1, word.hasPrefix("-") else { return nil }
            operands.removeFirst()
            if word == "--" { return nil }
            letters = word.dropFirst()
        }
        let letter = letters.removeFirst()
        if flags.contains(letter) { return .flag(letter) }
        guard withValue.contains(letter) else { return .unknown(letter) }
        if !letters.isEmpty {
            defer { letters = "" }
            return .value(letter, String(letters))
        }
        guard let value = operands.popFirst() else { return .missingValue(letter) }
        return .value(letter, value)
    }
    /// Returns the next word, whatever it is: the second value of an option with two values. Nil if there is none.
    mutating func nextWord() -> String? { letters.isEmpty ? operands.popFirst() : nil }
}
