// SPDX-License-Identifier: Apache-2.0

/// Generates random passwords: each possible password has the same probability, so ``entropyBits`` is exact.
public struct PasswordGenerator: Sendable {
    /// The styles of passwords: those of the Mac's password assistant.
    public enum Style: Hashable, Sendable, CaseIterable {
        /// Words in English with a digit and a symbol between them: `amber4&walnut9-tidy`.
        case memorable
        /// Letters of both cases, and digits; at least one of each.
        case lettersAndNumbers
        case numbers
        /// Letters of both cases, digits and symbols; at least one of each.
        case random

        /// The default length: strong by ``PasswordStrength/Score/strong``, and more than 60 bits each.
        public var standardLength: Int {
            switch self {
            case .memorable: 28
            case .lettersAndNumbers, .numbers, .random: 20
            }
        }

        /// The possible lengths in characters. Rules may require others. Digits may be a PIN of a phone or a card.
        public var lengths: ClosedRange<Int> {
            switch self {
            case .memorable, .lettersAndNumbers, .random: 8...CharacterSampler.lengthLimit
            case .numbers: 4...CharacterSampler.lengthLimit
            }
        }
    }

    /// In characters.
    public let length: Int

    private enum Sampler: Sendable {
        case words(WordSampler)
        case characters(CharacterSampler)
    }

    private let sampler: Sampler

    /// Generates passwords of a style in its default length.
    public init(_ style: Style) {
        do throws(PasswordGeneratorError) {
            try self.init(style, length: style.standardLength)
        } catch {
            preconditionFailure("every style is possible in its own length")
        }
    }

    /// Generates passwords of a style.
    ///
    /// - Parameter length: in characters, one of ``Style/lengths``.
    /// - Throws: ``PasswordGeneratorError/length(_:allowed:)``.
    public init(_ style: Style, length: Int) throws(PasswordGeneratorError) {
        guard style.lengths.contains(length) else { throw .length(length, allowed: style.lengths) }
        self.length = length
        switch style {
        case .memorable: sampler = .words(WordSampler(length: length))
        case .lettersAndNumbers: sampler = try Self.characters([.upper, .lower, .digits], length: length)
        case .numbers: sampler = try Self.characters([.digits], length: length)
        case .random:
            sampler = try Self.characters(
                [.upper, .lower, .digits, ASCIICharacters.special.subtracting(.space)], length: length)
        }
    }

    /// The length if rules set none.
    private static let lengthForRules = 20

    /// Generates passwords that follow rules. They are of printable ASCII, and have no space unless the rules allow
    /// nothing else.
    ///
    /// - Parameter length: in characters; nil: 20, or the nearest length that the rules allow.
    /// - Throws: an error if the rules do not allow the length, if it is more than 128, or if the rules cannot be
    ///   followed.
    public init(following rules: PasswordRules, length: Int? = nil) throws(PasswordGeneratorError) {
        let least = max(rules.minimumLength ?? 1, 1)
        let greatest = min(rules.maximumLength ?? .max, CharacterSampler.lengthLimit)
        guard least <= greatest else { throw .unsatisfiable }
        let length = length ?? max(least, min(Self.lengthForRules, greatest))
        guard (least...greatest).contains(length) else { throw .length(length, allowed: least...greatest) }

        let printable = rules.alphabet.ascii.intersection(.printable)
        let demands = rules.required.map { PasswordRules.Alphabet($0).ascii.intersection(.printable) }
        // A space at an end of the password is easily lost.
        let needsSpace = printable == .space || demands.contains(.space)
        let alphabet = needsSpace ? printable : printable.subtracting(.space)
        self.length = length
        sampler = try Self.characters(
            demands.map { $0.intersection(alphabet) }, of: alphabet, length: length,
            longestRun: rules.maximumConsecutive)
    }

    private static func characters(
        _ demands: [ASCIICharacters], of alphabet: ASCIICharacters? = nil, length: Int, longestRun: Int? = nil
    ) throws(PasswordGeneratorError) -> Sampler {
        // A demand that another one implies adds nothing.
        var kept: [ASCIICharacters] = []
        for demand in demands.sorted(by: { $0.count < $1.count })
        where !kept.contains(where: { $0.isSubset(of: demand) }) {
            kept.append(demand)
        }
        guard kept.count <= CharacterSampler.demandLimit else {
            throw .tooManyDemands(maximum: CharacterSampler.demandLimit)
        }
        let alphabet = alphabet ?? demands.reduce(ASCIICharacters()) { $0.union($1) }
        guard
            let sampler = CharacterSampler(
                alphabet: alphabet, demands: kept, length: length, longestRun: longestRun)
        else { throw .unsatisfiable }
        return .characters(sampler)
    }

    /// The binary logarithm of the number of possible passwords: the search space of an attacker who knows how they are
    /// generated.
    public var entropyBits: Double {
        switch sampler {
        case .words(let sampler): Logarithm.binary(sampler.count)
        case .characters(let sampler): Logarithm.binary(sampler.count)
        }
    }

    /// Returns a password in ASCII. The caller wipes it.
    package func generate(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        switch sampler {
        case .words(let sampler): sampler.draw(using: &generator)
        case .characters(let sampler): sampler.draw(using: &generator)
        }
    }
}

/// The reason why such a password is not possible.
public enum PasswordGeneratorError: Error, Hashable, Sendable {
    /// A length in characters that is not allowed.
    case length(Int, allowed: ClosedRange<Int>)
    /// No password follows the rules: they contradict each other, or leave too few characters.
    case unsatisfiable
    /// The rules have more demands than this that do not imply each other.
    case tooManyDemands(maximum: Int)
}

extension PasswordGeneratorError: CustomStringConvertible {
    /// A sentence in English without its full stop.
    public var description: String {
        switch self {
        case .length(let length, let allowed):
            "the length must be \(allowed.lowerBound) to \(allowed.upperBound), not \(length)"
        case .unsatisfiable: "no password satisfies these rules"
        case .tooManyDemands(let maximum): "the rules have more than \(maximum) different requirements"
        }
    }
}
