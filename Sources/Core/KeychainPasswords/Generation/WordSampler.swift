// SPDX-License-Identifier: Apache-2.0

/// Draws words with a digit and a symbol between them, `amber4&walnut9-tidy`, with a given total length; each such text
/// with the same probability.
struct WordSampler: Sendable {
    /// Symbols that have no special meaning in a shell or a form, and that do not resemble each other.
    static let symbols = Array("!#%&*+-=?@^_".utf8)

    private let wordCount: Int
    private let letterCount: Int
    /// ways[words][letters]: the number of sequences of so many words with so many letters.
    private let ways: [[Double]]

    /// Counts the texts.
    ///
    /// - Parameter length: in characters, from 8 to 128, so that there are two to eighteen words.
    init(length: Int) {
        // So a word has three to seven letters. With longer words, a longer text would not always have more bits.
        wordCount = max(2, (length + 4) / 7)
        letterCount = length - 2 * (wordCount - 1)
        var ways = [[1.0] + [Double](repeating: 0, count: letterCount)]
        for words in stride(from: 1, through: wordCount, by: 1) {
            var row = [Double](repeating: 0, count: letterCount + 1)
            for letters in 0...letterCount {
                for (length, words) in MemorableWords.all.byLength.enumerated() where length <= letters {
                    row[letters] += Double(words.count) * ways[ways.count - 1][letters - length]
                }
            }
            ways.append(row)
            assert(ways.count == words + 1)
        }
        self.ways = ways
    }

    /// The number of texts.
    var count: Double {
        var count = ways[wordCount][letterCount]
        for _ in 1..<wordCount { count *= Double(10 * Self.symbols.count) }
        return count
    }

    func draw(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(letterCount + 2 * (wordCount - 1))
        var letters = letterCount
        for words in stride(from: wordCount, to: 0, by: -1) {
            if words < wordCount {
                text.append(UInt8(ascii: "0") + UInt8.random(in: 0..<10, using: &generator))
                text.append(Self.symbols[Int.random(in: 0..<Self.symbols.count, using: &generator)])
            }
            let length = drawLength(words: words, letters: letters, using: &generator)
            let choices = MemorableWords.all.byLength[length]
            text += choices[Int.random(in: 0..<choices.count, using: &generator)]
            letters -= length
        }
        return text
    }

    private func drawLength(words: Int, letters: Int, using generator: inout some RandomNumberGenerator) -> Int {
        var target = generator.fraction() * ways[words][letters]
        var choice: Int?
        for (length, listed) in MemorableWords.all.byLength.enumerated() where length <= letters {
            let share = Double(listed.count) * ways[words - 1][letters - length]
            guard share > 0 else { continue }
            choice = length
            target -= share
            if target < 0 { return length }
        }
        guard let choice else { preconditionFailure("every length from 8 to 128 can be made of words") }
        return choice
    }
}

/// The words to choose from.
struct MemorableWords: Sendable {
    static let all = MemorableWords()

    /// The words of each number of letters.
    let byLength: [[ArraySlice<UInt8>]]

    private init() {
        var byLength: [[ArraySlice<UInt8>]] = []
        for word in Array(WordLists.memorableWords.utf8).split(whereSeparator: { $0 <= 0x20 }) {
            while byLength.count <= word.count { byLength.append([]) }
            byLength[word.count].append(word)
        }
        self.byLength = byLength
    }
}
