// SPDX-License-Identifier: Apache-2.0

import Keychain
import Testing

@Suite("passwords")
struct PasswordTests {
    @Test func `a generated password is a secret, and another one each time`() throws {
        let generator = try PasswordGenerator(.lettersAndNumbers, length: 31)
        let first = generator.generate()
        #expect(first.count == 31)
        #expect(first.utf8String?.allSatisfy { $0.isLetter || $0.isNumber } == true)
        #expect(generator.generate().utf8String != first.utf8String)
        #expect("\(first)" == "SecretData(31 bytes, redacted)")
    }

    @Test func `a secret is estimated like its text, and bytes that are no text too`() {
        #expect(PasswordStrength(of: SecretData(utf8: "Tr0ub4dour&3")) == PasswordStrength(of: "Tr0ub4dour&3"))
        #expect(PasswordStrength(of: SecretData(copying: [0xFF, 0xFE])).score == .veryWeak)
        #expect(PasswordStrength(of: SecretData(utf8: "")).guessesLog10 == 0)
    }

    @Test func `a program that imports Keychain alone can name every part`() throws {
        let rules = try PasswordRules(parsing: "minlength: 10; required: [-a]")
        let classes: [PasswordRules.CharacterClass] = rules.required.flatMap { $0 }
        #expect(classes == [.custom("-a")])
        let violations: [PasswordRules.Violation] = rules.violations(of: "b")
        #expect(violations == [.tooShort(minimum: 10), .missing([.custom("-a")]), .notAllowed(position: 1)])
        let password = try PasswordGenerator(following: rules).generate()
        #expect(rules.violations(of: password.utf8String ?? "") == [])
        #expect(throws: PasswordGeneratorError.length(9, allowed: 10...128)) {
            _ = try PasswordGenerator(following: rules, length: 9)
        }
        let error = #expect(throws: PasswordRulesSyntaxError.self) { _ = try PasswordRules(parsing: "x") }
        #expect(error?.reason == .unknownProperty)
    }
}
