// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainPasswords
import TestSupport
import Testing

@Suite("password generator")
struct PasswordGeneratorTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: PasswordGenerator.Style.allCases)
    func `a password has each length that is offered`(style: PasswordGenerator.Style) throws {
        var random = SeededGenerator(seed: 5)
        for length in style.lengths {
            let generator = try PasswordGenerator(style, length: length)
            #expect(generator.length == length)
            for _ in 0..<5 {
                let password = generator.generate(using: &random)
                #expect(password.count == length)
                #expect(password.allSatisfy { (0x21...0x7E).contains($0) })
            }
        }
    }

    @Test(arguments: [Int.min, -1, 0, 3, 7, 129, Int.max]) func `other lengths are refused`(length: Int) {
        for style in PasswordGenerator.Style.allCases where length != 7 || style != .numbers {
            #expect(throws: PasswordGeneratorError.length(length, allowed: (style == .numbers ? 4 : 8)...128)) {
                _ = try PasswordGenerator(style, length: length)
            }
        }
    }

    @Test func `each style has what it says`() throws {
        var random = SeededGenerator(seed: 6)
        let rules: [(PasswordGenerator.Style, String)] = [
            (.lettersAndNumbers, "required: upper; required: lower; required: digit"),
            (.numbers, "required: digit"),
            (.random, "required: upper; required: lower; required: digit; required: special"),
            (.memorable, "required: lower; required: digit; required: [-!#%&*+=?@^_]"),
        ]
        for (style, text) in rules {
            let rules = try PasswordRules(parsing: text)
            for length in [8, 14, 31, 128] {
                let generator = try PasswordGenerator(style, length: length)
                for _ in 0..<100 {
                    #expect(rules.violations(of: self.text(generator.generate(using: &random))) == [])
                }
            }
        }
    }

    @Test func `words stand with a digit and a symbol between them`() throws {
        var random = SeededGenerator(seed: 8)
        let generator = PasswordGenerator(.memorable)
        for _ in 0..<50 {
            let password = text(generator.generate(using: &random))
            #expect(try #/[a-z]{3,9}([0-9][-!#%&*+=?@^_][a-z]{3,9}){3}/#.wholeMatch(in: password) != nil, "\(password)")
        }
    }

    @Test func `every standard password is strong`() throws {
        var random = SeededGenerator(seed: 9)
        for style in PasswordGenerator.Style.allCases {
            let generator = PasswordGenerator(style)
            #expect(generator.entropyBits > 60)
            for _ in 0..<10 {
                #expect(PasswordStrength(of: text(generator.generate(using: &random))).score == .strong)
            }
        }
    }

    @Test func `a longer password has more bits`() throws {
        for style in PasswordGenerator.Style.allCases {
            let bits = try style.lengths.map { try PasswordGenerator(style, length: $0).entropyBits }
            #expect(zip(bits, bits.dropFirst()).allSatisfy { $0 < $1 }, "\(style): \(bits)")
        }
    }

    @Test func `the bits are those of the number of passwords`() throws {
        #expect(abs(try PasswordGenerator(.numbers, length: 10).entropyBits - 10 * log2(10)) < 1e-9)
        // By inclusion and exclusion: passwords without one class, passwords without two.
        func texts(of characters: Int) -> Double { (0..<8).reduce(1.0) { count, _ in count * Double(characters) } }
        let lacking: Double = 2 * texts(of: 36) + texts(of: 52) - texts(of: 10) - 2 * texts(of: 26)
        let bits = try PasswordGenerator(.lettersAndNumbers, length: 8).entropyBits
        #expect(abs(bits - log2(texts(of: 62) - lacking)) < 1e-9)
    }

    /// Draws often and compares with equal shares. The bound is fixed, and so are the draws.
    private func chiSquare(_ outcomes: [String: Int], of total: Int) -> Double {
        let share = Double(outcomes.values.reduce(0, +)) / Double(total)
        let found = outcomes.values.reduce(0.0) { $0 + (Double($1) - share) * (Double($1) - share) / share }
        return found + Double(total - outcomes.count) * share
    }

    @Test(arguments: [
        // 3^4 minus the passwords without a or b: 81 - 2 * 16 + 1, and no three in a row.
        ("required: [a]; required: [b]; allowed: [c]; minlength: 4; maxlength: 4", 50),
        // Two letters, five places, at most two alike in a row.
        ("allowed: [ab]; max-consecutive: 2; minlength: 5; maxlength: 5", 16),
        ("required: [ab]; required: [bc]; minlength: 3; maxlength: 3", 25),
        ("allowed: [abc]; max-consecutive: 1; minlength: 4; maxlength: 4", 24),
    ])
    func `every password that follows the rules comes equally often`(rules: String, count: Int) throws {
        var random = SeededGenerator(seed: 11)
        let rules = try PasswordRules(parsing: rules)
        let generator = try PasswordGenerator(following: rules)
        #expect(abs(generator.entropyBits - log2(Double(count))) < 1e-9)
        var outcomes: [String: Int] = [:]
        for _ in 0..<200 * count {
            let password = text(generator.generate(using: &random))
            #expect(rules.violations(of: password) == [])
            outcomes[password, default: 0] += 1
        }
        #expect(outcomes.count == count)
        // The mean is one less than the count, the deviation the root of twice that: five deviations.
        let degrees = Double(count - 1)
        #expect(chiSquare(outcomes, of: count) < degrees + 5 * (2 * degrees).squareRoot())
    }

    @Test func `letters, digits and words of random passwords come equally often`() throws {
        var random = SeededGenerator(seed: 12)
        let numbers = try PasswordGenerator(.numbers, length: 31)
        var digits: [String: Int] = [:]
        for _ in 0..<500 {
            for digit in text(numbers.generate(using: &random)) { digits[String(digit), default: 0] += 1 }
        }
        #expect(chiSquare(digits, of: 10) < 9 + 5 * 18.0.squareRoot())

        // Eight characters are two words of three letters: each of them first.
        let words = try PasswordGenerator(.memorable, length: 8)
        var first: [String: Int] = [:]
        for _ in 0..<8000 { first[String(text(words.generate(using: &random)).prefix(3)), default: 0] += 1 }
        let degrees = Double(first.count - 1)
        #expect(first.count > 50)
        #expect(chiSquare(first, of: first.count) < degrees + 5 * (2 * degrees).squareRoot())
    }

    @Test(arguments: [
        ("", 20), ("minlength: 30", 30), ("maxlength: 10", 10), ("minlength: 5; maxlength: 40", 20),
        ("maxlength: 65535", 20), ("minlength: 128", 128), ("required: lower; max-consecutive: 1", 20),
        (
            "required: upper; required: lower; required: digit; required: special; required: [aeiou]; required: [13579]",
            20
        ),
        ("allowed: unicode", 20), ("required: [ ]", 20),
        ("required: special; allowed: ascii-printable; max-consecutive: 2", 20),
        ("required: upper, lower; required: lower, digit; required: lower; max-consecutive: 3; maxlength: 6", 6),
    ])
    func `passwords follow their rules`(text: String, length: Int) throws {
        var random = SeededGenerator(seed: 13)
        let rules = try PasswordRules(parsing: text)
        let generator = try PasswordGenerator(following: rules)
        #expect(generator.length == length)
        for _ in 0..<50 {
            let password = self.text(generator.generate(using: &random))
            #expect(password.utf8.count == length)
            #expect(rules.violations(of: password) == [])
            #expect(!password.contains(" ") || text.contains("[ ]"))
        }
    }

    @Test(arguments: [
        ("minlength: 129", PasswordGeneratorError.unsatisfiable),
        ("allowed: [a]; max-consecutive: 2; minlength: 3", .unsatisfiable),
        ("required: upper; required: lower; required: digit; maxlength: 2", .unsatisfiable),
        ("maxlength: 0", .unsatisfiable),
        (
            "required: [a]; required: [b]; required: [c]; required: [d]; required: [e]; required: [f]; required: [g]",
            .tooManyDemands(maximum: 6)
        ),
    ])
    func `rules that nothing follows are refused`(text: String, error: PasswordGeneratorError) throws {
        let rules = try PasswordRules(parsing: text)
        #expect(throws: error) { _ = try PasswordGenerator(following: rules) }
    }

    @Test func `a length that the rules do not allow is refused`() throws {
        let rules = try PasswordRules(parsing: "minlength: 10; maxlength: 12")
        for length in [9, 13, 0, -1] {
            #expect(throws: PasswordGeneratorError.length(length, allowed: 10...12)) {
                _ = try PasswordGenerator(following: rules, length: length)
            }
        }
    }

    @Test func `a class that is required but empty is refused`() {
        #expect(throws: PasswordGeneratorError.unsatisfiable) {
            _ = try PasswordGenerator(following: PasswordRules(required: [[.custom("\u{E4}")], [.lower]]))
        }
    }

    @Test func `random rules are followed or refused`() throws {
        var random = SeededGenerator(seed: 14)
        let classes: [PasswordRules.CharacterClass] = [
            .upper, .lower, .digit, .special, .asciiPrintable, .unicode, .custom("ab"), .custom("-]"), .custom("1"),
        ]
        func some() -> [PasswordRules.CharacterClass] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in classes.randomElement(using: &random) ?? .upper }
        }
        var made = 0
        for _ in 0..<300 {
            let rules = PasswordRules(
                minimumLength: Bool.random(using: &random) ? Int.random(in: 0...12, using: &random) : nil,
                maximumLength: Bool.random(using: &random) ? Int.random(in: 1...24, using: &random) : nil,
                maximumConsecutive: Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil,
                required: (0..<Int.random(in: 0...4, using: &random)).map { _ in some() },
                allowed: Bool.random(using: &random) ? some() : [])
            guard let generator = try? PasswordGenerator(following: rules) else { continue }
            made += 1
            #expect(rules.violations(of: text(generator.generate(using: &random))) == [], "\(rules)")
        }
        #expect(made > 150)
    }

    @Test func `a web credential's password has Apple's form and sets`() throws {
        var random = SeededGenerator(seed: 15)
        let form = #/([a-hkmnop-yA-HJ-NP-Z3-9]{3})(-[a-hkmnop-yA-HJ-NP-Z3-9]{3}){3}/#
        let rules = try PasswordRules(parsing: "required: upper; required: lower; required: digit; allowed: [-]")
        var seen: Set<Character> = []
        for _ in 0..<500 {
            let password = text(SharedWebCredentialPassword.generate(using: &random))
            #expect(try form.wholeMatch(in: password) != nil, "\(password)")
            #expect(rules.violations(of: password) == [])
            seen.formUnion(password)
        }
        #expect(seen == Set("abcdefghkmnopqrstuvwxyABCDEFGHJKLMNPQRSTUVWXYZ3456789-"))
    }
}
