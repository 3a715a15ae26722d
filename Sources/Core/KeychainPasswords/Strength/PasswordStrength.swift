// SPDX-License-Identifier: Apache-2.0

/// How many guesses somebody needs who tries what people choose first, and why.
///
/// The estimate is that of zxcvbn (Wheeler, USENIX Security 2016): a password is covered with what can be guessed in it – common
/// passwords, words and names in English, rows of keys, repetitions, sequences, dates – in the way that takes the fewest guesses.
/// It knows no other language and nothing about the person, so it is an upper bound for who does.
///
/// Holds nothing of the password. The same password always gives the same estimate.
public struct PasswordStrength: Hashable, Sendable {
    /// So many characters are looked at; what follows is not counted, so that the time is bounded. (zxcvbn's own limit)
    public static let characterLimit = 100

    /// The decimal logarithm of the number of guesses: 6 means a million. 0 for an empty password.
    public let guessesLog10: Double

    /// What can be guessed in it, the longest part first; empty for a password that is ``Score/good`` or better.
    public let weaknesses: [Weakness]

    /// What would help; empty for a password that is ``Score/good`` or better.
    public let advice: [Advice]

    /// The step of the scale.
    public var score: Score { Score(guessesLog10: guessesLog10) }

    /// Five steps, by the attack that a password of this kind withstands.
    public enum Score: Int, Comparable, CaseIterable, Hashable, Sendable {
        /// Fewer than 10³ guesses: found at once.
        case veryWeak = 0
        /// Fewer than 10⁶: withstands only who may try a few times in an hour.
        case weak = 1
        /// Fewer than 10⁸: withstands who asks a service that does not slow them down.
        case fair = 2
        /// Fewer than 10¹⁰: withstands who has the data, if each try is slow by design.
        case good = 3
        /// 10¹⁰ and more.
        case strong = 4

        init(guessesLog10: Double) {
            // A few guesses above the round number, as zxcvbn draws the lines.
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

    /// Something in a password that is guessed early.
    public enum Weakness: Hashable, Sendable {
        /// It is one of the most used passwords, of which `rank` (from 1) is the place in the list.
        case commonPassword(rank: Int)
        /// A part, or another spelling, of a common password.
        case similarToCommonPassword
        /// A listed word is all of it.
        case singleWord
        /// Words, of which each is in a list.
        case commonWord
        case name
        /// Neighbouring keys, such as `qwerty`.
        case keyboardPattern
        /// The same again: `aaa`, `abcabc`.
        case repetition
        /// `abc`, `6543`
        case sequence
        case recentYear
        case date
        /// There are too few characters, whatever they are.
        case short
    }

    /// What to do about it.
    public enum Advice: Hashable, Sendable {
        /// Another word or two. Uncommon ones are better.
        case addWords
        case avoidRepetition
        case avoidSequences
        case avoidKeyboardPatterns
        case avoidDates
        /// Capital letters where everybody puts them help little.
        case capitalsHelpLittle
        /// `@` for `a`, and the like, helps little.
        case substitutionsHelpLittle
        case reversalHelpsLittle
    }

    /// Estimates a password in UTF-8. Bytes that are no UTF-8 count as a character each. Never fails.
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
    /// Estimates a password. As ``init(utf8:)``.
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
        case .similarToCommonPassword: "it is much like a common password"
        case .singleWord: "a single word is easy to guess"
        case .commonWord: "it has common words"
        case .name: "names are easy to guess"
        case .keyboardPattern: "keys beside each other are easy to guess"
        case .repetition: "what is repeated is hardly harder to guess than once"
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
        case .avoidRepetition: "repeat neither words nor characters"
        case .avoidSequences: "avoid sequences"
        case .avoidKeyboardPatterns: "avoid rows of keys"
        case .avoidDates: "avoid dates and years that have to do with you"
        case .capitalsHelpLittle: "a capital at the beginning, or nothing but capitals, helps little"
        case .substitutionsHelpLittle: "signs in place of letters, as @ for a, help little"
        case .reversalHelpsLittle: "words spelled backwards are hardly harder to guess"
        }
    }
}
