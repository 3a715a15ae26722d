// SPDX-License-Identifier: Apache-2.0

/// The requirements of a site or a program for a password, in Apple's password-rules language.
///
/// ```
/// minlength: 12; maxlength: 64; required: upper; required: digit, [-!?]; max-consecutive: 2
/// ```
///
/// Properties are separated by semicolons, and their order does not matter. `required` names classes of which the
/// password must contain at least one character; several classes after one `required` are one demand, several
/// `required` are separate demands. `allowed` adds characters. If only `required` is given, only its characters may
/// occur; if neither is given, all printable ASCII may. `max-consecutive` is the largest number of equal characters in
/// a row.
///
/// Classes are `upper`, `lower`, `digit`, `special`, `ascii-printable`, `unicode`, and custom ones in square brackets:
/// ASCII characters, of which a hyphen must be first and a closing bracket last. Words are not case-sensitive.
///
/// Source: Apple, "Customizing Password AutoFill Rules", and the proposal of the HTML attribute `passwordrules`.
public struct PasswordRules: Hashable, Sendable {
    /// In characters (Unicode scalars); nil if not given. The greatest of several.
    public var minimumLength: Int?
    /// In characters (Unicode scalars); nil if not given. The least of several.
    public var maximumLength: Int?
    /// The largest number of equal characters in a row; nil if not given. The least of several.
    public var maximumConsecutive: Int?
    /// The demands: the password has at least one character of one of the classes of each demand.
    public var required: [[CharacterClass]]
    /// Further allowed characters; empty if not given.
    public var allowed: [CharacterClass]

    public init(
        minimumLength: Int? = nil, maximumLength: Int? = nil, maximumConsecutive: Int? = nil,
        required: [[CharacterClass]] = [], allowed: [CharacterClass] = []
    ) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.maximumConsecutive = maximumConsecutive
        self.required = required
        self.allowed = allowed
    }

    /// A set of characters.
    public enum CharacterClass: Hashable, Sendable {
        /// `A` to `Z`
        case upper
        /// `a` to `z`
        case lower
        /// `0` to `9`
        case digit
        /// ``-~!@#$%^&*_+=`|(){}[:;"'<>,.?]`` and space
        case special
        /// Space to `~`
        case asciiPrintable
        /// Every character. A generated password is in ASCII.
        case unicode
        /// These printable characters of ASCII; others are ignored.
        case custom(String)
    }

    /// A rule that a password violates.
    public enum Violation: Hashable, Sendable {
        case tooShort(minimum: Int)
        case tooLong(maximum: Int)
        /// It has no character of these classes.
        case missing([CharacterClass])
        /// A character that may not occur; its position, counted from 1.
        case notAllowed(position: Int)
        /// Too many equal characters in a row; the position of the first excess character, counted from 1.
        case tooManyConsecutive(maximum: Int, position: Int)
    }

    /// Returns the violations of a password; empty if it follows the rules. The first violation of each kind, and each
    /// demand that is not met.
    public func violations(of password: String) -> [Violation] {
        var violations: [Violation] = []
        var length = 0
        var (runLength, previous) = (0, Unicode.Scalar?.none)
        var (forbidden, consecutive) = (Int?.none, Int?.none)
        let permitted = alphabet
        var unmet = required.map { Alphabet($0) }.enumerated().map { ($0.offset, $0.element) }
        for scalar in password.unicodeScalars {
            length += 1
            if !permitted.contains(scalar), forbidden == nil { forbidden = length }
            unmet.removeAll { $0.1.contains(scalar) }
            runLength = scalar == previous ? runLength + 1 : 1
            previous = scalar
            if let maximumConsecutive, runLength > maximumConsecutive, consecutive == nil { consecutive = length }
        }
        if let minimumLength, length < minimumLength { violations.append(.tooShort(minimum: minimumLength)) }
        if let maximumLength, length > maximumLength { violations.append(.tooLong(maximum: maximumLength)) }
        violations += unmet.map { .missing(required[$0.0]) }
        if let forbidden { violations.append(.notAllowed(position: forbidden)) }
        if let consecutive, let maximumConsecutive {
            violations.append(.tooManyConsecutive(maximum: maximumConsecutive, position: consecutive))
        }
        return violations
    }

    /// All characters that may occur.
    var alphabet: Alphabet {
        let named = Alphabet(required.flatMap { $0 } + allowed)
        return required.isEmpty && allowed.isEmpty ? Alphabet([.asciiPrintable]) : named
    }

    /// The characters of some classes.
    struct Alphabet {
        var ascii = ASCIICharacters()
        var hasOthers = false

        init(_ classes: [CharacterClass]) {
            for one in classes {
                switch one {
                case .upper: ascii = ascii.union(.upper)
                case .lower: ascii = ascii.union(.lower)
                case .digit: ascii = ascii.union(.digits)
                case .special: ascii = ascii.union(.special)
                case .asciiPrintable: ascii = ascii.union(.printable)
                case .unicode:
                    ascii = ascii.union(ASCIICharacters(0x00...0x7F))
                    hasOthers = true
                case .custom(let text): ascii = ascii.union(ASCIICharacters(text).intersection(.printable))
                }
            }
        }

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isASCII ? ascii.contains(UInt8(scalar.value)) : hasOthers
        }
    }
}

extension PasswordRules.CharacterClass: CustomStringConvertible {
    /// The text of the class in rules.
    public var description: String {
        switch self {
        case .upper: return "upper"
        case .lower: return "lower"
        case .digit: return "digit"
        case .special: return "special"
        case .asciiPrintable: return "ascii-printable"
        case .unicode: return "unicode"
        case .custom(let text):
            let characters = ASCIICharacters(text).intersection(.printable)
            var inside = characters.subtracting(ASCIICharacters("-]")).characters
            if characters.contains(UInt8(ascii: "-")) { inside.insert(UInt8(ascii: "-"), at: 0) }
            if characters.contains(UInt8(ascii: "]")) { inside.append(UInt8(ascii: "]")) }
            return "[" + String(decoding: inside, as: UTF8.self) + "]"
        }
    }
}

extension PasswordRules: CustomStringConvertible {
    /// The rules as text. Reading it gives the same rules, unless a custom class is empty, which has no text.
    public var description: String {
        var properties: [String] = []
        if let minimumLength { properties.append("minlength: \(minimumLength)") }
        if let maximumLength { properties.append("maxlength: \(maximumLength)") }
        for classes in required { properties.append("required: " + classes.map(\.description).joined(separator: ", ")) }
        if !allowed.isEmpty { properties.append("allowed: " + allowed.map(\.description).joined(separator: ", ")) }
        if let maximumConsecutive { properties.append("max-consecutive: \(maximumConsecutive)") }
        return properties.joined(separator: "; ")
    }
}

extension PasswordRules.Violation: CustomStringConvertible {
    /// A sentence in English without its full stop. Contains nothing of the password.
    public var description: String {
        switch self {
        case .tooShort(let minimum): return "it is shorter than \(minimum) characters"
        case .tooLong(let maximum): return "it is longer than \(maximum) characters"
        case .missing(let classes):
            let names = classes.map(\.description).joined(separator: ", ")
            return "it contains no character of \(names)"
        case .notAllowed(let position): return "the character at position \(position) is not allowed"
        case .tooManyConsecutive(let maximum, let position):
            return "the character at position \(position) is repeated more than \(maximum) times in a row"
        }
    }
}
