// SPDX-License-Identifier: Apache-2.0

import KeychainPasswords

/// Decodes password rules, which come from web pages, and estimates passwords from untrusted sources. The first byte
/// selects.
///
/// A finding ends the process, and libFuzzer keeps the input that ended it.
func fuzzPasswords(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    if first & 1 == 0 { readRules(input) } else { estimate(input) }
}

private func readRules(_ input: [UInt8]) {
    guard let rules = try? PasswordRules(parsing: String(decoding: input, as: UTF8.self)) else { return }
    guard let again = try? PasswordRules(parsing: rules.description) else { finding("rules as text are no rules") }
    check(again.description == rules.description, "rules as text read as others")
    guard let generator = try? PasswordGenerator(following: rules) else { return }
    check(generator.entropyBits >= 0, "fewer than one password is possible")
    // Checks a few passwords against the rules, because each costs as much as its rules.
    for _ in 0..<3 {
        var random = SystemRandomNumberGenerator()
        let password = String(decoding: generator.generate(using: &random), as: UTF8.self)
        check(rules.violations(of: password).isEmpty, "a password does not follow the rules it was made for")
    }
}

private func estimate(_ input: [UInt8]) {
    let strength = PasswordStrength(utf8: input.span)
    check(strength.guessesLog10 >= 0 && strength.guessesLog10 < 101, "an estimate is out of bounds")
    check(strength.weaknesses.isEmpty == (strength.score >= .good), "a weak password has no reasons, or a good one has")
}
