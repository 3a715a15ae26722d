// SPDX-License-Identifier: Apache-2.0

/// Finds the sequence of patterns over the whole password that requires the fewest guesses.
///
/// The method is that of zxcvbn: Daniel Lowe Wheeler, "zxcvbn: Low-Budget Password Strength Estimation", USENIX
/// Security 2016, section 3, implemented here. Its guesses for `l` patterns are `l! * product + 10000^(l - 1)`: an
/// attacker must also guess the order of the patterns, and tries fewer patterns first.
struct GuessSearch {
    let guesses: Double
    /// From the first character to the last one.
    let matches: [GuessableMatch]

    init(_ password: PasswordCharacters) {
        var found = WordMatcher(password).matches() + KeyboardMatcher(password: password).matches()
        // The repeated part has at most half the length, so the recursion has at most seven levels.
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

        // best[end][l]: the best cover of everything before `end` with l patterns; nil if fewer patterns are better.
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

    /// Appends a pattern to every cover that ends where it begins.
    private static func extend(_ best: inout [[Step?]], with match: GuessableMatch, _ count: Int) {
        let guesses = match.guesses(inPasswordOf: count)
        guard match.range.lowerBound > 0 else { return consider(&best, match, product: guesses, length: 1) }
        for (length, step) in best[match.range.lowerBound].enumerated() {
            guard let step else { continue }
            // Two adjacent parts without a pattern are one.
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
