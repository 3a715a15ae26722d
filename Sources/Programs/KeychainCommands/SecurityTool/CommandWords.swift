// SPDX-License-Identifier: Apache-2.0

/// The words of a line of `security -i`.
///
/// Blanks separate words. A word that begins with a quote of either kind ends at the next such quote, and the text
/// after that is another word; quotes inside a word are ordinary characters. A backslash makes the next character an
/// ordinary one, everywhere. Words after the 32nd are ignored.
enum CommandWords {
    static let maximumCount = 32

    static func split(_ line: some Sequence<UInt8>) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8]?
        var quote: UInt8?
        var isEscaped = false
        for byte in line {
            if words.count == maximumCount { return words }
            guard var current = word else {
                if isBlank(byte) { continue }
                isEscaped = byte == UInt8(ascii: "\\")
                let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
                quote = isQuote ? byte : nil
                word = isQuote || isEscaped ? [] : [byte]
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            } else if quote.map({ $0 == byte }) ?? isBlank(byte) {
                words.append(current)
                word = nil
                continue
            }
            word = nil  // so that appending copies nothing
            current.append(byte)
            word = current
        }
        if let word, words.count < maximumCount { words.append(word) }
        return words
    }

    /// Returns whether a byte is a blank, like isspace(3) in the C locale.
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
