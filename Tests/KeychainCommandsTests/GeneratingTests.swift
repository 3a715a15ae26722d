// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainPasswords
import Testing

@testable import KeychainCommands

@Suite("chatelaine generate and strength")
struct GeneratingTests {
    let tester = CommandLineTester()

    private func passwords(_ words: String...) -> [String] {
        let outcome = tester.run(["chatelaine", "generate"] + words, input: [])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(outcome.output.last == UInt8(ascii: "\n"))
        return outcome.outputText.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `one password of twenty characters is printed in a line`() throws {
        let password = try #require(passwords().first)
        #expect(password.utf8.count == 20)
        let rules = try PasswordRules(parsing: "required: upper; required: lower; required: digit; required: special")
        #expect(rules.violations(of: password) == [])
        #expect(passwords() != [password])
    }

    @Test func `styles, lengths and counts are as wanted`() throws {
        #expect(passwords("--digits", "--length", "31").allSatisfy { $0.wholeMatch(of: #/[0-9]{31}/#) != nil })
        #expect(
            passwords("--letters-and-numbers", "-l", "8").allSatisfy { $0.wholeMatch(of: #/[0-9A-Za-z]{8}/#) != nil })
        let memorable = passwords("--memorable", "-c", "50")
        #expect(Set(memorable).count == 50)
        #expect(memorable.allSatisfy { $0.utf8.count == 28 && $0.prefix(3).allSatisfy(\.isLowercase) })
    }

    @Test func `rules are followed`() throws {
        let text = "minlength: 12; maxlength: 12; required: [abc]; required: digit; max-consecutive: 1"
        let rules = try PasswordRules(parsing: text)
        for password in passwords("--rules", text, "--count", "20") { #expect(rules.violations(of: password) == []) }
        #expect(passwords("--rules", "required: lower", "--length", "40").first?.utf8.count == 40)
        #expect(passwords("--rules", "required: lower", "40").first?.utf8.count == 40)
    }

    @Test func `the length may follow the style`() {
        #expect(passwords("--digits", "6").allSatisfy { $0.wholeMatch(of: #/[0-9]{6}/#) != nil })
        #expect(passwords("24").first?.utf8.count == 24)
        #expect(passwords("128", "--memorable").first?.utf8.count == 128)
    }

    @Test(arguments: [
        (["--length", "7"], "error: the length must be 8 to 128, not 7\n"),
        (["129", "--memorable"], "error: the length must be 8 to 128, not 129\n"),
        (["--digits", "3"], "error: the length must be 4 to 128, not 3\n"),
        (["12", "--length", "12"], "error: LENGTH and --length cannot be combined\n"),
        (["--rules", "minlength: 9", "--length", "8"], "error: the length must be 9 to 128, not 8\n"),
        (
            ["--rules", "allowed: [a-z]"],
            "error: a hyphen must be the first character in brackets, at position 12 of the rules\n"
        ),
        (["--rules", "required: upper; required: lower; maxlength: 1"], "error: no password satisfies these rules\n"),
        (["--count", "0"], "error: --count must be between 1 and 1000\n"),
        (["--count", "1001"], "error: --count must be between 1 and 1000\n"),
        (["--rules", "", "--digits"], "error: --rules and --digits cannot be combined\n"),
    ])
    func `impossible values are usage errors`(words: [String], message: String) {
        let outcome = tester.run(["chatelaine", "generate"] + words, input: [])
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix(message), "\(outcome.errorText)")
    }

    @Test func `the strength is told apart from the password`() {
        let outcome = tester.run("chatelaine", "generate", "--digits", "--length", "12", "--strength")
        #expect(outcome.output.count == 13)
        #expect(
            outcome.errorText
                == "12 characters, 39.8 bits: about 10^12 guesses for an attacker who knows this command and its options\n"
        )
        let several = tester.run("chatelaine", "generate", "--memorable", "--count", "2", "--strength")
        #expect(several.errorText.contains(" bits each: "))
    }

    @Test func `the JSON has every password, the length and the bits`() throws {
        struct Document: Decodable {
            let passwords: [String]
            let length: Int
            let entropyBits: Double
        }
        let outcome = tester.run("chatelaine", "generate", "--json", "--count", "1000")
        let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output))
        #expect(Set(document.passwords).count == 1000)
        #expect(document.passwords.allSatisfy { $0.utf8.count == 20 })
        #expect(document.length == 20)
        #expect(document.entropyBits > 120 && document.entropyBits < 131)
    }

    @Test func `nothing is asked of the keychain`() {
        _ = passwords()
        (tester.answers, tester.inputIsTerminal) = (["x"], true)
        _ = tester.run("chatelaine", "strength")
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a typed password is judged with reasons and advice`() {
        tester.answers = ["Password"]
        tester.inputIsTerminal = true
        let outcome = tester.run("chatelaine", "strength")
        #expect(outcome.status == 0)
        #expect(
            outcome.outputText == """
                Strength: very weak, about 5 guesses
                  because it is one of the 10 most used passwords
                  better: add another word or two; uncommon words are better
                  better: a capital at the beginning, or capitals only, helps little

                """)
        #expect(outcome.errorText == "Password: \n")
    }

    @Test func `a password is read from a pipe`() {
        tester.answers = ["not asked"]
        let outcome = tester.run("chatelaine", "strength", typing: "Password\n")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.outputText.hasPrefix("Strength: very weak, about 5 guesses\n"))
        let empty = tester.run("chatelaine", "strength")
        #expect(empty.status == 1 && empty.errorText == "error: the password is empty\n")
    }

    @Test func `a password is read from a descriptor, and judged as JSON`() throws {
        let outcome = tester.run("chatelaine", "strength", "--json", "--fd", try descriptor("briansmith\n"))
        #expect(
            outcome.outputText == """
                {
                  "score": 1,
                  "strength": "weak",
                  "guessesLog10": 4.1,
                  "reasons": [
                    "names are easy to guess"
                  ],
                  "advice": [
                    "add another word or two; uncommon words are better"
                  ]
                }

                """)
    }

    @Test func `without a prompt the option is named`() {
        tester.inputIsTerminal = true
        let outcome = tester.run("chatelaine", "strength")
        #expect(outcome.status == 4)
        #expect(outcome.errorText.contains("hint: --fd N reads it from descriptor N\n"))
    }

    @Test(arguments: [
        (0.0, "1 guess"), (0.301, "about 2 guesses"), (0.96, "about 9 guesses"), (0.98, "about 10 guesses"),
        (3.7, "about 5000 guesses"), (5.99, "about 1000000 guesses"), (6.0, "about 10^6 guesses"),
        (99.7, "about 10^100 guesses"),
    ])
    func `guesses are told with one digit`(log10: Double, text: String) {
        #expect(StrengthText.guesses(log10) == text)
    }

    @Test func `a user who types a weak secret is warned, and offered another secret`() throws {
        tester.inputIsTerminal = true
        tester.answers = ["letmein", "letmein"]
        let outcome = tester.run("chatelaine", "set", "x")
        #expect(outcome.status == 0)
        let lines = outcome.errorText.split(separator: "\n").suffix(2)
        #expect(lines.first == "Strength: very weak, about 20 guesses: it is one of the 100 most used passwords.")
        let advice = try #require(lines.last)
        let other = try #require(advice.split(separator: " ").last)
        #expect(advice == "hint: add another word or two; uncommon words are better, such as \(other)")
        #expect(PasswordStrength(of: String(other)).score == .strong)
        #expect(tester.keychain.items.first?.secret == Array("letmein".utf8))
    }

    @Test func `a user who types a strong secret is told so, and nothing else`() {
        tester.inputIsTerminal = true
        tester.answers = ["correct horse battery staple", "correct horse battery staple"]
        let outcome = tester.run("chatelaine", "set", "x")
        #expect(
            outcome.errorText == "Secret for \"x\": \nOnce more: \nStrength: strong, about 10^20 guesses.\n")
    }

    @Test func `a secret that was not typed is not judged`() throws {
        #expect(tester.run("chatelaine", "set", "x", typing: "letmein\n").errors.isEmpty)
        #expect(tester.run("chatelaine", "passcode", "set", "--passcode-fd", try descriptor("1234\n")).errors.isEmpty)
    }

    @Test func `a login password is what it is`() {
        tester.keychain.setPasscode("hunter2")
        tester.answers = ["hunter2", "1234", "1234"]
        let outcome = tester.run("chatelaine", "protector", "add", "login-password")
        #expect(outcome.status == 0)
        #expect(!outcome.errorText.contains("Strength"))
    }
}
