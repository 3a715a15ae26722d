// SPDX-License-Identifier: Apache-2.0

/// Finds listed words: unchanged, backwards, and with digits and symbols in the place of letters.
struct WordMatcher {
    let password: PasswordCharacters
    private let words = RankedWords.all

    init(_ password: PasswordCharacters) {
        self.password = password
    }

    /// The characters that replace a letter.
    private static let substitutes: [(letter: Character, signs: String)] = [
        ("a", "4@"), ("b", "8"), ("c", "({[<"), ("e", "3"), ("g", "69"), ("i", "1!|"), ("l", "1|7"), ("o", "0"),
        ("s", "$5"), ("t", "+7"), ("x", "%"), ("z", "2"),
    ]

    func matches() -> [GuessableMatch] {
        var folded = password.folded
        defer { overwrite(&folded) }
        var result: [GuessableMatch] = []
        eachWord(in: folded) { range, word in
            result.append(match(range, word, reversed: false, substitutions: []))
        }
        var backwards = [UInt8](folded.reversed())
        defer { overwrite(&backwards) }
        eachWord(in: backwards) { range, word in
            let there = folded.count - range.upperBound..<folded.count - range.lowerBound
            result.append(match(there, word, reversed: true, substitutions: []))
        }
        for substitution in Self.substitutions(in: folded) {
            var plain = folded.map { substitution[$0] ?? $0 }
            defer { overwrite(&plain) }
            eachWord(in: plain) { range, word in
                let used = substitution.filter { folded[range].contains($0.key) }
                // A single replaced character is no evidence of a word.
                guard !used.isEmpty, range.count > 1 else { return }
                result.append(match(range, word, reversed: false, substitutions: used.map { ($0.key, $0.value) }))
            }
        }
        return result
    }

    private func eachWord(in text: [UInt8], _ body: (Range<Int>, RankedWords.Entry) -> Void) {
        for start in text.indices {
            var hash = WordHash()
            for end in start..<min(start + words.longest, text.count) {
                guard text[end] != 0 else { break }
                hash.add(text[end])
                if let word = words.entry(of: text[start...end], hash: hash) { body(start..<end + 1, word) }
            }
        }
    }

    /// Returns the letters that the characters of a text may stand for: all at once, and each reading of the three that
    /// have two. So there are at most eight readings, even of a text that has every character.
    private static func substitutions(in text: [UInt8]) -> [[UInt8: UInt8]] {
        var readings: [[UInt8: UInt8]] = [[:]]
        var present = Set(text)
        defer { present.removeAll() }
        var letters: [UInt8: [UInt8]] = [:]
        for (letter, signs) in substitutes {
            guard let letter = letter.asciiValue else { continue }
            for sign in signs.utf8 where present.contains(sign) { letters[sign, default: []].append(letter) }
        }
        for (sign, meanings) in letters.sorted(by: { $0.key < $1.key }) {
            readings = readings.flatMap { reading in
                meanings.map { meaning in reading.merging([sign: meaning]) { _, new in new } }
            }
        }
        return letters.isEmpty ? [] : readings
    }

    private func match(
        _ range: Range<Int>, _ word: RankedWords.Entry, reversed: Bool, substitutions: [(sign: UInt8, letter: UInt8)]
    ) -> GuessableMatch {
        var (upper, lower) = (0, 0)
        for scalar in password.scalars[range] {
            switch scalar {
            case 0x41...0x5A: upper += 1
            case 0x61...0x7A: lower += 1
            default: break
            }
        }
        let isUpper = { (place: Int) in (0x41...0x5A).contains(password.scalars[place]) }
        let capitals: GuessableMatch.WordForm.Capitals
        var guesses = Double(word.rank)
        if upper == 0 {
            capitals = .none
        } else if lower == 0 {
            capitals = .all
            guesses *= 2
        } else if upper == 1, isUpper(range.lowerBound) || isUpper(range.upperBound - 1) {
            capitals = isUpper(range.lowerBound) ? .first : .some
            guesses *= 2
        } else {
            capitals = .some
            guesses *= variations(upper, lower)
        }
        for (sign, letter) in substitutions {
            var (signs, letters) = (0, 0)
            for scalar in password.scalars[range] {
                if scalar == UInt32(sign) { signs += 1 }
                if scalar | 0x20 == UInt32(letter) { letters += 1 }
            }
            guesses *= letters == 0 ? 2 : variations(signs, letters)
        }
        if reversed { guesses *= 2 }
        return GuessableMatch(
            range,
            .word(
                word.list, rank: word.rank,
                GuessableMatch.WordForm(
                    isReversed: reversed, hasSubstitutions: !substitutions.isEmpty, capitals: capitals)),
            guesses: guesses)
    }
}
