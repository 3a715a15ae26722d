// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainPasswords
import TestSupport
import Testing

@Suite("password strength")
struct PasswordStrengthTests {
    /// A password and zxcvbn's result for it.
    struct Known: Sendable, CustomTestStringConvertible {
        let password: String
        let guessesLog10: Double
        let score: Int

        init(_ password: String, _ guessesLog10: Double, _ score: Int) {
            (self.password, self.guessesLog10, self.score) = (password, guessesLog10, score)
        }

        var testDescription: String { password }
    }

    /// Written by zxcvbn 4.5 for Python, with 2026 as its reference year, years up to 2029 as recent ones, and the beginnings of
    /// its word lists that we have. The first thirty-five are the examples of its authors.
    static let known: [Known] = [
        Known("zxcvbn", 1.76343, 0),
        Known("qwER43@!", 7.95651, 2),
        Known("Tr0ub4dour&3", 7.28008, 2),
        Known("correcthorsebatterystaple", 14.43696, 4),
        Known("coRrecth0rseba++ery9.23.2007staple$", 20.71185, 4),
        Known("D0g..................", 5.64542, 1),
        Known("abcdefghijk987654321", 4.17609, 1),
        Known("neverforget13/3/1997", 9.69200, 3),
        Known("1qaz2wsx3edc", 3.00043, 0),
        Known("temppass22", 5.58827, 1),
        Known("briansmith", 4.17609, 1),
        Known("briansmith4mayor", 10.17898, 4),
        Known("password1", 2.27875, 0),
        Known("viking", 2.38739, 0),
        Known("thx1138", 2.32015, 0),
        Known("ScoRpi0ns", 5.46189, 1),
        Known("do you know", 9.00000, 3),
        Known("ryanhunter2000", 8.00325, 3),
        Known("rianhunter2000", 8.39794, 3),
        Known("asdfghju7654rewq", 8.96529, 3),
        Known("AOEUIDHG&*()LS_", 9.10726, 3),
        Known("12345678", 0.60206, 0),
        Known("defghi6789", 4.40824, 1),
        Known("rosebud", 2.43457, 0),
        Known("Rosebud", 2.73480, 0),
        Known("ROSEBUD", 2.73480, 0),
        Known("rosebuD", 2.73480, 0),
        Known("ros3bud99", 4.80754, 1),
        Known("r0s3bud99", 5.07335, 1),
        Known("R0$38uD99", 6.11754, 2),
        Known("verlineVANDERMARK", 10.38918, 4),
        Known("eheuczkqyq", 10.00000, 3),
        Known("rWibMFACxAUGZmxhVncy", 20.00000, 4),
        Known("Ba9ZyWABu99[BK#6MBgbH88Tofv)vs$w", 32.00000, 4),
        Known("123456", 0.30103, 0),
        Known("password", 0.47712, 0),
        Known("drowssap", 0.69897, 0),
        Known("p@ssword", 0.69897, 0),
        Known("P4$$w0rd", 1.51851, 0),
        Known("aaaaaaa", 1.92942, 0),
        Known("abcabcabc", 1.60206, 0),
        Known("aaaaaaab", 4.07365, 1),
        Known("1991", 1.55630, 0),
        Known("2024", 1.32222, 0),
        Known("1.1.91", 4.70243, 1),
        Known("11/11/1991", 4.70843, 1),
        Known("20251231", 3.86338, 1),
        Known("qwertyuiop", 1.36173, 0),
        Known("zaq12wsx", 2.68215, 0),
        Known("147852369", 2.84757, 0),
        Known("7894561230", 3.61669, 1),
        Known("!QAZ2wsx", 5.53918, 1),
        Known("lkjhgfdsa", 2.66745, 0),
        Known("jennifer", 0.84510, 0),
        Known("Jennifer1985", 4.17609, 1),
        Known("monkeymonkey", 1.51851, 0),
        Known("iloveyou2", 3.60863, 1),
        Known("x", 1.07918, 0),
        Known("xq", 2.00432, 0),
        Known("kJ8#", 4.00004, 1),
        Known("correct horse battery staple", 20.33003, 4),
        Known("amber4&walnut9-tidy", 14.67947, 4),
        Known("ACEGIK", 1.39794, 0),
        Known("97531", 1.61278, 0),
        Known("ZYXW", 1.51851, 0),
        Known("abcdefg hijklmn", 8.00260, 3),
        Known("mustang!Mustang!", 11.00000, 4),
        Known("dRAgOn", 2.61384, 0),
        Known("letmein2026", 4.17609, 1),
    ]

    @Test(arguments: known) func `a password takes as many guesses as zxcvbn says`(known: Known) {
        let strength = PasswordStrength(of: known.password)
        #expect(abs(strength.guessesLog10 - known.guessesLog10) < 0.000_1, "\(strength.guessesLog10)")
        #expect(strength.score.rawValue == known.score)
    }

    @Test func `different signs for one letter are read together`() {
        // zxcvbn reads one of them at a time, and needs 10^6.47 guesses for this name in two pieces.
        let strength = PasswordStrength(of: "s4nt@n@")
        #expect(strength.guessesLog10 < 4)
        #expect(strength.weaknesses == [.name])
        #expect(strength.advice == [.addWords, .substitutionsHelpLittle])
    }

    @Test func `an empty password takes one guess`() {
        let strength = PasswordStrength(of: "")
        #expect(strength.guessesLog10 == 0)
        #expect(strength.score == .veryWeak)
        #expect(strength.weaknesses == [.short])
        #expect(strength.advice == [.addWords])
    }

    @Test(arguments: [
        ("password", [PasswordStrength.Weakness.commonPassword(rank: 2)], [PasswordStrength.Advice.addWords]),
        ("Password", [.commonPassword(rank: 2)], [.addWords, .capitalsHelpLittle]),
        ("drowssap", [.similarToCommonPassword], [.addWords, .reversalHelpsLittle]),
        ("p@ssw0rd", [.similarToCommonPassword], [.addWords, .substitutionsHelpLittle]),
        ("vanderbilt", [.singleWord], [.addWords]),
        ("Santana", [.name], [.addWords, .capitalsHelpLittle]),
        ("rrrrrrrrr", [.repetition], [.addWords, .avoidRepetition]),
        ("lmnopqrst", [.sequence], [.addWords, .avoidSequences]),
        ("1987", [.recentYear], [.addWords, .avoidDates]),
        ("13.7.1987", [.date], [.addWords, .avoidDates]),
        ("xcvbnm,./", [.keyboardPattern], [.addWords, .avoidKeyboardPatterns]),
        ("kJ8#", [.short], [.addWords]),
    ])
    func `a weak password comes with reasons and advice`(
        password: String, weaknesses: [PasswordStrength.Weakness], advice: [PasswordStrength.Advice]
    ) {
        let strength = PasswordStrength(of: password)
        #expect(strength.weaknesses == weaknesses)
        #expect(strength.advice == advice)
    }

    @Test func `several reasons come with the longest part first`() {
        #expect(PasswordStrength(of: "qwertyuiop1987").weaknesses == [.similarToCommonPassword, .recentYear])
    }

    @Test func `a good password comes without reasons`() {
        let strength = PasswordStrength(of: "rianhunter2000")
        #expect(strength.score == .good)
        #expect(strength.weaknesses.isEmpty && strength.advice.isEmpty)
    }

    @Test func `what follows the hundredth character does not count`() {
        var generator = SeededGenerator(seed: 7)
        let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        let long = String(decoding: (0..<100).map { _ in letters.randomElement(using: &generator) ?? 0 }, as: UTF8.self)
        #expect(PasswordStrength(of: long) == PasswordStrength(of: long + "0123456789"))
        #expect(PasswordStrength(of: long) != PasswordStrength(of: String(long.dropLast(10))))
    }

    @Test(arguments: ["(4@8{[<3691!|70$5+7%2", "ab", "aab", "1", "password", "\u{1F600}\u{301}", "4@", "1.1.", "\0"])
    func `a megabyte of the worst is estimated at once`(piece: String) {
        let password = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        // An estimate that took the square of the length would never end.
        let clock = ContinuousClock()
        var strength: PasswordStrength?
        let time = clock.measure { strength = PasswordStrength(of: password) }
        #expect(strength?.guessesLog10.isFinite == true)
        // A clock proves nothing on a busy machine. An optimized build takes a hundredth of this.
        if isLong { #expect(time < .seconds(10), "\(time)") }
    }

    @Test func `bytes that are no UTF-8 count as a character each`() {
        func estimate(_ bytes: [UInt8]) -> Double { PasswordStrength(utf8: bytes.span).guessesLog10 }
        #expect(abs(estimate([0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]) - 6) < 0.001)
        #expect(estimate(Array("\u{E4}\u{F6}\u{1F600}".utf8)) < 3.01)
        #expect(estimate([0xF0, 0x9F, 0x98]) < 3.01)
    }

    @Test func `any bytes have an estimate between one guess and ten for each character`() {
        var generator = SeededGenerator(seed: 1)
        let signs = Array("aA1!@4 .-/z9{\u{E9}\u{4E2D}".utf8) + [0xFF, 0x00]
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...110, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? signs.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
            }
            let strength = PasswordStrength(utf8: bytes.span)
            #expect(strength.guessesLog10 >= 0 && strength.guessesLog10 <= Double(min(100, max(2, bytes.count))) + 0.01)
            #expect(strength.weaknesses.isEmpty == (strength.score >= .good))
        }
    }

    @Test func `each reason, piece of advice and step says what it is`() {
        let reasons: [PasswordStrength.Weakness] = [
            .commonPassword(rank: 10), .commonPassword(rank: 100), .commonPassword(rank: 101), .similarToCommonPassword,
            .singleWord, .commonWord, .name, .keyboardPattern, .repetition, .sequence, .recentYear, .date, .short,
        ]
        #expect(Set(reasons.map(\.description)).count == reasons.count)
        #expect(PasswordStrength.Score.allCases.map(\.description) == ["very weak", "weak", "fair", "good", "strong"])
    }
}

/// Whether the tests may take long and may look at the clock: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
