// SPDX-License-Identifier: Apache-2.0

/// Finds repeated parts: `aaa`, `abcabc`.
struct RepeatMatcher {
    let password: PasswordCharacters

    /// Returns the repetitions.
    ///
    /// - Parameter baseGuesses: returns the guesses of the repeated part, which has at most half the length.
    func matches(baseGuesses: (PasswordCharacters) -> Double) -> [GuessableMatch] {
        var result: [GuessableMatch] = []
        let scalars = password.scalars
        var start = 0
        while start < scalars.count {
            guard let (range, period) = longestRepeat(at: start) else {
                start += 1
                continue
            }
            var base = PasswordCharacters(scalars[range.lowerBound..<range.lowerBound + period])
            defer { base.overwrite() }
            result.append(
                GuessableMatch(
                    range, .repeated(characters: period),
                    guesses: baseGuesses(base) * Double(range.count / period)))
            start = range.upperBound
        }
        return result
    }

    /// Returns the repetition from a position on: over the most characters, with the shortest part.
    private func longestRepeat(at start: Int) -> (Range<Int>, period: Int)? {
        var best: (Range<Int>, period: Int)?
        for period in stride(from: 1, through: (password.count - start) / 2, by: 1) {
            var end = start + period
            while end < password.count, password.scalars[end] == password.scalars[end - period] { end += 1 }
            let whole = start + (end - start) / period * period
            if whole - start >= 2 * period, whole > best?.0.upperBound ?? 0 { best = (start..<whole, period) }
        }
        return best
    }
}

/// Finds characters at equal distances, such as `abcd`, `9753`, and letters of other alphabets.
struct SequenceMatcher {
    let password: PasswordCharacters

    private static let widestStep: Int64 = 5

    func matches() -> [GuessableMatch] {
        guard password.count > 1 else { return [] }
        var result: [GuessableMatch] = []
        var start = 0
        var step = distance(1)
        for place in stride(from: 2, through: password.count, by: 1) {
            let next = place < password.count ? distance(place) : nil
            guard next != step else { continue }
            if let step, let match = match(start..<place, step) { result.append(match) }
            start = place - 1
            step = next
        }
        return result
    }

    private func distance(_ place: Int) -> Int64? {
        Int64(password.scalars[place]) - Int64(password.scalars[place - 1])
    }

    private func match(_ range: Range<Int>, _ step: Int64) -> GuessableMatch? {
        guard step != 0, range.count > 2 || abs(step) == 1, abs(step) <= Self.widestStep else { return nil }
        var guesses: Double =
            switch Unicode.Scalar(password.scalars[range.lowerBound]) {
            // Common first characters.
            case "a", "A", "z", "Z", "0", "1", "9": 4
            default: password.digit(at: range.lowerBound) == nil ? 26 : 10
            }
        if step < 0 { guesses *= 2 }
        return GuessableMatch(range, .sequence, guesses: guesses * Double(range.count))
    }
}
