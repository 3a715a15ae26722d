// SPDX-License-Identifier: Apache-2.0

/// Finds the patterns, side by side over the whole password, with which the fewest guesses are needed.
///
/// The method is that of zxcvbn: Daniel Lowe Wheeler, "zxcvbn: Low-Budget Password Strength Estimation", USENIX Security 2016,
/// section 3, in code of our own. Its guesses for `l` patterns are `l! * product + 10000^(l - 1)`: the order of the patterns has
/// to be guessed too, and whoever guesses tries fewer patterns first.
struct GuessSearch {
    let guesses: Double
    /// From the first character to the last one.
    let matches: [GuessableMatch]

    init(_ password: PasswordCharacters) {
        var found = WordMatcher(password).matches() + KeyboardMatcher(password: password).matches()
        // What is repeated is at most half as long, so this goes no deeper than seven times.
        found += RepeatMatcher(password: password).matches { GuessSearch($0).guesses }
        found += SequenceMatcher(password: password).matches()
        let dates = DateMatcher(password: password)
        found += dates.years() + dates.dates()
        self.init(found, count: password.count)
    }

    private struct Step {
        let match: GuessableMatch
        let product: Double
        let guesses: Double
    }

    private init(_ found: [GuessableMatch], count: Int) {
        guard count > 0 else {
            (guesses, matches) = (1, [])
            return
        }
        var matchesByEnd = [[GuessableMatch]](repeating: [], count: count + 1)
        for match in found { matchesByEnd[match.range.upperBound].append(match) }

        // best[end][l]: the best way to cover everything before `end` with l patterns; nil where fewer do better.
        var best = [[Step?]](repeating: [], count: count + 1)
        for end in 1...count {
            for match in matchesByEnd[end] { Self.extend(&best, with: match, count) }
            for start in 0..<end { Self.extend(&best, with: .bruteForce(start..<end), count) }
        }

        var length = 0
        var least = Double.infinity
        for (candidate, step) in best[count].enumerated() {
            guard let step, step.guesses < least else { continue }
            (length, least) = (candidate, step.guesses)
        }
        var path: [GuessableMatch] = []
        var end = count
        while end > 0, let step = best[end][length] {
            path.append(step.match)
            (end, length) = (step.match.range.lowerBound, length - 1)
        }
        (guesses, matches) = (least, path.reversed())
    }

    /// Puts a pattern behind everything that ends where it begins.
    private static func extend(_ best: inout [[Step?]], with match: GuessableMatch, _ count: Int) {
        let guesses = match.guesses(inPasswordOf: count)
        guard match.range.lowerBound > 0 else { return consider(&best, match, product: guesses, length: 1) }
        for (length, step) in best[match.range.lowerBound].enumerated() {
            guard let step else { continue }
            // Two stretches without a pattern are one.
            if match.pattern == .bruteForce, step.match.pattern == .bruteForce { continue }
            consider(&best, match, product: step.product * guesses, length: length + 1)
        }
    }

    private static func consider(
        _ best: inout [[Step?]], _ match: GuessableMatch, product: Double, length: Int
    ) {
        let end = match.range.upperBound
        var total = product
        for factor in stride(from: 2, through: length, by: 1) { total *= Double(factor) }
        var shorter = 1.0
        for _ in 1..<length { shorter *= 10_000 }
        total += shorter
        for known in best[end].prefix(length + 1) {
            if let known, known.guesses <= total { return }
        }
        while best[end].count <= length { best[end].append(nil) }
        best[end][length] = Step(match: match, product: product, guesses: total)
    }
}
