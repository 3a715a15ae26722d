// SPDX-License-Identifier: Apache-2.0

/// The number of guesses for an attacker who tries common choices first, and the reasons for it.
///
/// The estimate is that of zxcvbn (Wheeler, USENIX Security 2016): it covers a password with guessable parts – common
/// passwords, words and names in English, rows of keys, repetitions, sequences, dates – in the way that takes the
/// fewest guesses. It knows no other language and no facts about the user, so it is an upper bound for an attacker who
/// does.
///
/// Contains nothing of the password. The same password always gives the same estimate.
public struct PasswordStrength: Hashable, Sendable {
    /// The number of characters that are estimated; the rest is not counted, so that the time is bounded. (zxcvbn's own
    /// limit)
    public static let characterLimit = 100

    /// The decimal logarithm of the number of guesses: 6 means a million. 0 for an empty password.
    public let guessesLog10: Double

    /// The guessable parts, the longest first; empty for a password that is ``Score/good`` or better.
    public let weaknesses: [Weakness]

    /// Possible improvements; empty for a password that is ``Score/good`` or better.
    public let advice: [Advice]

    /// The step of the scale.
    public var score: Score { Score(guessesLog10: guessesLog10) }

    /// Five steps, by the attack that a password of this kind withstands.
    public enum Score: Int, Comparable, CaseIterable, Hashable, Sendable {
        /// Fewer than 10³ guesses: found immediately.
        case veryWeak = 0
        /// Fewer than 10⁶: withstands only an attacker with a few attempts per hour.
        case weak = 1
        /// Fewer than 10⁸: withstands an attacker who uses a service without rate limit.
        case fair = 2
        /// Fewer than 10¹⁰: withstands an attacker with a copy of the data, if each attempt is slow by design.
        case good = 3
        /// 10¹⁰ and more.
        case strong = 4

        init(guessesLog10: Double) {
            // Slightly above the round numbers, as in zxcvbn.
            self =
                switch guessesLog10 {
                case ..<3.002_17: .veryWeak
                case ..<6.000_002_17: .weak
                case ..<8.000_000_021_7: .fair
                case ..<10.000_000_000_217: .good
                default: .strong
                }
        }

        public static func < (left: Score, right: Score) -> Bool { left.rawValue < right.rawValue }
    }

    /// A part of a password that is guessed early.
    public enum Weakness: Hashable, Sendable {
        /// The password is one of the most used; `rank` (from 1) is its place in the list.
        case commonPassword(rank: Int)
        /// A part, or another spelling, of a common password.
        case similarToCommonPassword
        /// The password is a listed word.
        case singleWord
        /// Words that are all in a list.
        case commonWord
        case name
        /// Neighbouring keys, such as `qwerty`.
        case keyboardPattern
        /// Repeated parts: `aaa`, `abcabc`.
        case repetition
        /// `abc`, `6543`
        case sequence
        case recentYear
        case date
        /// The password has too few characters of any kind.
        case short
    }

    /// A possible improvement.
    public enum Advice: Hashable, Sendable {
        /// Add one or two words, preferably uncommon ones.
        case addWords
        case avoidRepetition
        case avoidSequences
        case avoidKeyboardPatterns
        case avoidDates
        /// Capital letters in common places help little.
        case capitalsHelpLittle
        /// `@` for `a`, and similar substitutions, help little.
        case substitutionsHelpLittle
        case reversalHelpsLittle
    }

    /// Estimates a password in UTF-8. Each byte that is not UTF-8 counts as a character. Never fails.
    public init(utf8 bytes: Span<UInt8>) {
        var characters = PasswordCharacters(bytes, limit: Self.characterLimit)
        defer { characters.overwrite() }
        let search = GuessSearch(characters)
        guessesLog10 = Logarithm.decimal(search.guesses)
        guard Score(guessesLog10: guessesLog10) < .good else {
            (weaknesses, advice) = ([], [])
            return
        }
        (weaknesses, advice) = Self.feedback(search.matches)
    }

    private static func feedback(_ matches: [GuessableMatch]) -> ([Weakness], [Advice]) {
        var weaknesses: [Weakness] = []
        var advice: [Advice] = [.addWords]
        func add(_ weakness: Weakness?, _ more: [Advice] = []) {
            if let weakness, !weaknesses.contains(weakness) { weaknesses.append(weakness) }
            for one in more where !advice.contains(one) { advice.append(one) }
        }
        let byLength = matches.enumerated().sorted {
            ($1.element.range.count, $0.offset) < ($0.element.range.count, $1.offset)
        }
        for (_, match) in byLength {
            switch match.pattern {
            case .word(let list, let rank, let form):
                add(
                    weakness(list, rank: rank, form, isAll: matches.count == 1, guesses: match.guesses),
                    Self.advice(form, length: match.range.count))
            case .keys: add(.keyboardPattern, [.avoidKeyboardPatterns])
            case .repeated: add(.repetition, [.avoidRepetition])
            case .sequence: add(.sequence, [.avoidSequences])
            case .recentYear: add(.recentYear, [.avoidDates])
            case .date: add(.date, [.avoidDates])
            case .bruteForce: break
            }
        }
        if weaknesses.isEmpty { weaknesses = [.short] }
        return (weaknesses, advice)
    }

    private static func weakness(
        _ list: WordLists.Name, rank: Int, _ form: GuessableMatch.WordForm, isAll: Bool, guesses: Double
    ) -> Weakness? {
        switch list {
        case .passwords:
            if isAll, !form.isReversed, !form.hasSubstitutions { return .commonPassword(rank: rank) }
            return guesses <= 10_000 ? .similarToCommonPassword : .commonWord
        case .encyclopedia, .spoken: return isAll ? .singleWord : .commonWord
        case .surnames, .femaleNames, .maleNames: return .name
        }
    }

    private static func advice(_ form: GuessableMatch.WordForm, length: Int) -> [Advice] {
        var advice: [Advice] = []
        if form.capitals == .first || form.capitals == .all { advice.append(.capitalsHelpLittle) }
        if form.isReversed, length >= 4 { advice.append(.reversalHelpsLittle) }
        if form.hasSubstitutions { advice.append(.substitutionsHelpLittle) }
        return advice
    }
}

extension PasswordStrength {
    /// Estimates a password as ``init(utf8:)`` does.
    public init(of password: String) {
        var bytes = Array(password.utf8)
        defer { overwrite(&bytes) }
        self.init(utf8: bytes.span)
    }
}

extension PasswordStrength.Score: CustomStringConvertible {
    /// In English: `very weak`, `weak`, `fair`, `good` or `strong`.
    public var description: String {
        switch self {
        case .veryWeak: "very weak"
        case .weak: "weak"
        case .fair: "fair"
        case .good: "good"
        case .strong: "strong"
        }
    }
}

extension PasswordStrength.Weakness: CustomStringConvertible {
    /// A sentence in English without its full stop, beginning with a small letter.
    public var description: String {
        switch self {
        case .commonPassword(let rank) where rank <= 10: "it is one of the 10 most used passwords"
        case .commonPassword(let rank) where rank <= 100: "it is one of the 100 most used passwords"
        case .commonPassword: "it is a very common password"
        case .similarToCommonPassword: "it is similar to a common password"
        case .singleWord: "a single word is easy to guess"
        case .commonWord: "it contains common words"
        case .name: "names are easy to guess"
        case .keyboardPattern: "adjacent keys are easy to guess"
        case .repetition: "repetitions hardly make a password harder to guess"
        case .sequence: "sequences such as abc or 6543 are easy to guess"
        case .recentYear: "recent years are easy to guess"
        case .date: "dates are easy to guess"
        case .short: "it is short"
        }
    }
}

extension PasswordStrength.Advice: CustomStringConvertible {
    /// A sentence in English without its full stop, beginning with a small letter.
    public var description: String {
        switch self {
        case .addWords: "add another word or two; uncommon words are better"
        case .avoidRepetition: "avoid repeated words and characters"
        case .avoidSequences: "avoid sequences"
        case .avoidKeyboardPatterns: "avoid rows of keys"
        case .avoidDates: "avoid dates and years that are related to you"
        case .capitalsHelpLittle: "a capital at the beginning, or capitals only, helps little"
        case .substitutionsHelpLittle: "symbols in place of letters, such as @ for a, help little"
        case .reversalHelpsLittle: "reversed words are hardly harder to guess"
        }
    }
}
