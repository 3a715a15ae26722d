// SPDX-License-Identifier: Apache-2.0

import KeychainPasswords
import TestSupport
import Testing

@Suite("password rules")
struct PasswordRulesTests {
    private typealias Class = PasswordRules.CharacterClass

    @Test func `every property is read`() throws {
        let rules = try PasswordRules(
            parsing:
                "minlength: 12; maxlength: 64; required: upper; required: digit, [-!?]; allowed: lower; max-consecutive: 2"
        )
        #expect(
            rules
                == PasswordRules(
                    minimumLength: 12, maximumLength: 64, maximumConsecutive: 2,
                    required: [[.upper], [.digit, .custom("-!?")]], allowed: [.lower]))
    }

    @Test(arguments: ["", " ", ";", " ; ;\n"]) func `nothing is no rules`(text: String) throws {
        #expect(try PasswordRules(parsing: text) == PasswordRules())
    }

    @Test func `spaces and case mean nothing outside of brackets`() throws {
        let rules = try PasswordRules(parsing: " Required :UPPER,\t[ aA];MINLENGTH:8 ;; ")
        #expect(rules == PasswordRules(minimumLength: 8, required: [[.upper, .custom(" aA")]]))
    }

    @Test func `of several numbers the strictest holds`() throws {
        let rules = try PasswordRules(
            parsing:
                "minlength: 8; minlength: 12; minlength: 9; maxlength: 30; maxlength: 20; max-consecutive: 3; max-consecutive: 2"
        )
        #expect(rules == PasswordRules(minimumLength: 12, maximumLength: 20, maximumConsecutive: 2))
    }

    @Test func `a hyphen stands first in brackets and a bracket last`() throws {
        #expect(try PasswordRules(parsing: "allowed: [-[a]]").allowed == [.custom("-[a]")])
        #expect(try PasswordRules(parsing: "allowed: []], upper").allowed == [.custom("]"), .upper])
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let text: String
        let reason: PasswordRulesSyntaxError.Reason
        let offset: Int

        init(_ text: String, _ reason: PasswordRulesSyntaxError.Reason, _ offset: Int) {
            (self.text, self.reason, self.offset) = (text, reason, offset)
        }

        var testDescription: String { String(text.prefix(40)) }
    }

    @Test(arguments: [
        Wrong("minlength", .expectedColon, 9), Wrong("minlength:", .expectedNumber, 10),
        Wrong("minlength: x", .expectedNumber, 11), Wrong("minlength: -1", .expectedNumber, 11),
        Wrong("minlength: 65536", .numberTooLarge, 11),
        Wrong("minlength: 99999999999999999999999", .numberTooLarge, 11),
        Wrong("max-consecutive: 0", .zeroConsecutive, 17), Wrong("minlength: 8 9", .expectedEnd, 13),
        Wrong("required: upper lower", .expectedEnd, 16), Wrong("length: 8", .unknownProperty, 0),
        Wrong("minlength: 8; : 9", .expectedProperty, 14), Wrong("required: ", .expectedClass, 10),
        Wrong("required: upper,", .expectedClass, 16), Wrong("required: uper", .unknownClass, 10),
        Wrong("allowed: [", .unclosedClass, 10), Wrong("allowed: [abc", .unclosedClass, 13),
        Wrong("allowed: []", .emptyClass, 10), Wrong("allowed: [a-z]", .hyphenNotFirst, 11),
        Wrong("allowed: [\u{E4}]", .characterInClass, 10), Wrong("allowed: [\n]", .characterInClass, 10),
        Wrong("minlength: 9; maxlength: 8", .lengthsContradict, 26), Wrong("\u{E4}", .expectedProperty, 0),
        Wrong(String(repeating: ";", count: 4097), .tooLong, 4096),
    ])
    func `a syntax error is reported with its position`(wrong: Wrong) {
        let error = #expect(throws: PasswordRulesSyntaxError.self) { _ = try PasswordRules(parsing: wrong.text) }
        #expect(error?.reason == wrong.reason)
        #expect(error?.offset == wrong.offset)
        #expect(error?.description.hasSuffix(", at position \(wrong.offset + 1) of the rules") == true)
    }

    @Test func `rules as text are read as the same rules`() throws {
        let text =
            "minlength: 12; maxlength: 64; required: upper; required: digit, [-!?]]; allowed: unicode; max-consecutive: 2"
        #expect(try PasswordRules(parsing: text).description == text)
    }

    @Test func `random texts are read or refused, and read again as the same`() throws {
        var generator = SeededGenerator(seed: 3)
        let pieces = [
            "minlength", "maxlength", "required", "allowed", "max-consecutive", ":", ":", ";", ";", ",", "[", "]", "-",
            "upper",
            "digit", "special", "ascii-printable", "unicode", "12", "7", " ", "\u{E4}", "a",
        ]
        var read = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...8, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard let rules = try? PasswordRules(parsing: text) else { continue }
            read += 1
            let again = try PasswordRules(parsing: rules.description)
            #expect(again.description == rules.description)
        }
        #expect(read > 100)
    }

    @Test func `a password is held against every rule`() throws {
        let rules = try PasswordRules(
            parsing:
                "minlength: 4; maxlength: 6; required: upper; required: digit, [!]; allowed: lower; max-consecutive: 2")
        #expect(rules.violations(of: "aB1c") == [])
        #expect(rules.violations(of: "aB!c") == [])
        #expect(rules.violations(of: "a1") == [.tooShort(minimum: 4), .missing([.upper])])
        #expect(
            rules.violations(of: "aaaBBBB") == [
                .tooLong(maximum: 6), .missing([.digit, .custom("!")]), .tooManyConsecutive(maximum: 2, position: 3),
            ])
        #expect(rules.violations(of: "aB1?\u{E4}") == [.notAllowed(position: 4)])
    }

    @Test func `without rules for characters printable ASCII is allowed`() {
        #expect(PasswordRules().violations(of: " az~") == [])
        #expect(PasswordRules().violations(of: "a\n") == [.notAllowed(position: 2)])
        #expect(PasswordRules().violations(of: "\u{E4}") == [.notAllowed(position: 1)])
    }

    @Test func `required alone allows nothing else, and unicode allows everything`() {
        #expect(PasswordRules(required: [[.lower]]).violations(of: "a1") == [.notAllowed(position: 2)])
        #expect(PasswordRules(allowed: [.unicode]).violations(of: "a\n\u{1F600}") == [])
    }

    @Test func `special characters are those that Apple lists`() {
        let listed = "-~!@#$%^&*_+=`|(){}[:;\"'<>,.?] "
        #expect(PasswordRules(allowed: [.special]).violations(of: listed) == [])
        for other in ["/", "\\", "a", "Z", "0"] {
            #expect(PasswordRules(allowed: [.special]).violations(of: other) == [.notAllowed(position: 1)])
        }
    }
}
