// SPDX-License-Identifier: Apache-2.0

/// A part of a password that somebody who guesses would try, and how many guesses that takes.
///
/// Holds nothing of the text.
struct GuessableMatch: Sendable {
    enum Pattern: Hashable, Sendable {
        case word(WordLists.Name, rank: Int, WordForm)
        /// Neighbours on a keyboard.
        case keys(turns: Int)
        case repeated(characters: Int)
        case sequence
        case recentYear
        case date
        /// Nothing that has a pattern.
        case bruteForce
    }

    /// How a word was written otherwise than it is listed.
    struct WordForm: Hashable, Sendable {
        var isReversed = false
        /// `@` for `a`, and the like.
        var hasSubstitutions = false
        /// Only the first letter, or all letters.
        var capitals = Capitals.none

        enum Capitals: Hashable, Sendable { case none, first, all, some }
    }

    let range: Range<Int>
    let pattern: Pattern
    /// By itself, before what the search adds for the whole.
    let guesses: Double

    init(_ range: Range<Int>, _ pattern: Pattern, guesses: Double) {
        (self.range, self.pattern, self.guesses) = (range, pattern, guesses)
    }

    /// Ten guesses for each character: few, since who cannot name the pattern must not take it for strength.
    static func bruteForce(_ range: Range<Int>) -> GuessableMatch {
        var guesses = 1.0
        for _ in range { guesses *= 10 }
        // One more than a pattern over the same characters has at least, so that the pattern is preferred.
        return GuessableMatch(range, .bruteForce, guesses: max(guesses, leastGuesses(range.count) + 1))
    }

    /// For a part of a longer password: that it stands there has to be guessed too.
    static func leastGuesses(_ count: Int) -> Double { count == 1 ? 10 : 50 }

    /// The guesses as part of a password of so many characters.
    func guesses(inPasswordOf count: Int) -> Double {
        range.count < count ? max(guesses, Self.leastGuesses(range.count)) : max(guesses, 1)
    }
}

/// How many ways there are to choose `k` of `n`.
func choices(_ n: Int, _ k: Int) -> Double {
    guard k <= n else { return 0 }
    var result = 1.0
    for step in stride(from: 1, through: k, by: 1) {
        result = result * Double(n - step + 1) / Double(step)
    }
    return result
}

/// In how many ways some of two kinds of letters may have changed places, at most as many as the rarer kind has.
func variations(_ first: Int, _ second: Int) -> Double {
    var sum = 0.0
    for count in stride(from: 1, through: min(first, second), by: 1) { sum += choices(first + second, count) }
    return sum
}
