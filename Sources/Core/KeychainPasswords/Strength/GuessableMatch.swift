// SPDX-License-Identifier: Apache-2.0

/// A part of a password that an attacker would try, and the number of guesses for it.
///
/// Contains nothing of the text.
struct GuessableMatch: Sendable {
    enum Pattern: Hashable, Sendable {
        case word(WordLists.Name, rank: Int, WordForm)
        /// Neighbours on a keyboard.
        case keys(turns: Int)
        case repeated(characters: Int)
        case sequence
        case recentYear
        case date
        /// A part without a pattern.
        case bruteForce
    }

    /// The differences between a word and its listed form.
    struct WordForm: Hashable, Sendable {
        var isReversed = false
        /// `@` for `a`, and similar.
        var hasSubstitutions = false
        /// Only the first letter, or all letters.
        var capitals = Capitals.none

        enum Capitals: Hashable, Sendable { case none, first, all, some }
    }

    let range: Range<Int>
    let pattern: Pattern
    /// The guesses for this part alone, before the additions for the whole password.
    let guesses: Double

    init(_ range: Range<Int>, _ pattern: Pattern, guesses: Double) {
        (self.range, self.pattern, self.guesses) = (range, pattern, guesses)
    }

    /// Returns a part without a pattern: ten guesses for each character. The number is low, because an unknown pattern
    /// must not count as strength.
    static func bruteForce(_ range: Range<Int>) -> GuessableMatch {
        var guesses = 1.0
        for _ in range { guesses *= 10 }
        // One more than the minimum of a pattern over the same characters, so that the pattern is preferred.
        return GuessableMatch(range, .bruteForce, guesses: max(guesses, leastGuesses(range.count) + 1))
    }

    /// Returns the minimum for a part of a longer password, whose position must also be guessed.
    static func leastGuesses(_ count: Int) -> Double { count == 1 ? 10 : 50 }

    /// Returns the guesses as part of a password of so many characters.
    func guesses(inPasswordOf count: Int) -> Double {
        range.count < count ? max(guesses, Self.leastGuesses(range.count)) : max(guesses, 1)
    }
}

/// Returns the number of ways to choose `k` of `n`.
func choices(_ n: Int, _ k: Int) -> Double {
    guard k <= n else { return 0 }
    var result = 1.0
    for step in stride(from: 1, through: k, by: 1) {
        result = result * Double(n - step + 1) / Double(step)
    }
    return result
}

/// Returns the number of ways in which some letters of two kinds may be exchanged, at most as many as the rarer kind
/// has.
func variations(_ first: Int, _ second: Int) -> Double {
    var sum = 0.0
    for count in stride(from: 1, through: min(first, second), by: 1) { sum += choices(first + second, count) }
    return sum
}
