// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("security: how strong a typed password is")
struct SecurityStrengthTests {
    let house: KeychainHouse

    init() throws { house = try KeychainHouse() }

    private func warnings(_ outcome: CommandLineTester.Outcome) -> [Substring] {
        outcome.errorText.split(separator: "\n").filter { $0.hasPrefix("warning:") }
    }

    @Test func `a weak new password is warned of on a terminal, with reasons and another one, and is taken`() throws {
        house.tester.diagnosticsAreTerminal = true
        house.tester.answers = ["password", "password"]
        let made = house.security("create-keychain", "k")
        #expect(made.status == 0)
        #expect(
            warnings(made) == [
                "warning: that password is very weak, about 3 guesses: it is one of the 10 most used passwords"
            ])
        #expect(made.errorText.contains("hint: add another word or two; uncommon words are better, such as "))
        house.tester.answers = ["password", "qwerty", "qwerty"]
        #expect(warnings(house.security("set-keychain-password", "k")).count == 1)
        house.tester.answers = ["monkey", "monkey"]
        #expect(warnings(house.security("add-generic-password", "-a", "a", "-s", "s", "k", "-w")).isEmpty)
        #expect(warnings(house.security("add-generic-password", "-U", "-a", "a", "-s", "s", "-w")).count == 1)
    }

    @Test func `a good password, and a password that is not typed, are not commented on`() {
        house.tester.diagnosticsAreTerminal = true
        house.tester.answers = ["j3#vQ!x0-Lm2%pT", "j3#vQ!x0-Lm2%pT"]
        #expect(warnings(house.security("create-keychain", "k")).isEmpty)
        #expect(warnings(house.security("create-keychain", "-p", "password", "l")).isEmpty)
        house.tester.answers = nil
        #expect(warnings(house.security("create-keychain", "m", typing: "password\npassword\n")).isEmpty)
    }

    @Test func `where standard error is no terminal, it stays byte for byte what scripts know`() {
        house.tester.answers = ["password", "password"]
        #expect(
            house.security("create-keychain", "k").errorText
                == "password for new keychain: \nretype password for new keychain: \n")
    }
}
