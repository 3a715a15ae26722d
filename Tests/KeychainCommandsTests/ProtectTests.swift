// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite("chatelaine protect and auth")
struct ProtectTests {
    let tester = CommandLineTester()

    private var flags: AccessControl.Flags? {
        guard case .accessControl(let control) = tester.keychain.items.first?.attributes[.accessControl] else {
            return nil
        }
        return control.flags
    }

    private static let conditions: [([String], AccessControl.Flags, String)] = [
        (["--user-presence"], .userPresence, "the passcode or a finger"),
        (["--biometry", "--passcode", "--any"], [.biometryAny, .devicePasscode, .or], "a finger or the passcode"),
        (
            ["--current-biometry", "--passcode"], [.biometryCurrentSet, .devicePasscode],
            "one of the fingers enrolled when it was protected and the passcode"
        ),
        (["--app-password"], .applicationPassword, "its own password"),
        (
            ["--user-presence", "--app-password"], [.userPresence, .applicationPassword],
            "the passcode or a finger, and its own password"
        ),
    ]

    @Test(arguments: conditions)
    func `the conditions go into the item's access control`(
        options: [String], flags: AccessControl.Flags, text: String
    ) throws {
        try tester.keychain.put("bank", secret: [1])
        let outcome = tester.run(["chatelaine", "protect", "bank"] + options, input: [])
        #expect(outcome.outputText == "\"bank\" asks for \(text).\n")
        #expect(outcome.status == 0)
        #expect(self.flags == flags)
        #expect(tester.run("chatelaine", "show", "bank").outputText.contains("asks for    \(text)\n"))
    }

    @Test func `the shown protection is the protection of the item`() throws {
        try tester.keychain.put("bank", secret: [1])
        #expect(tester.run("chatelaine", "protect", "bank", "--passcode").status == 0)
        guard case .accessControl(let control) = tester.keychain.items.first?.attributes[.accessControl] else {
            Issue.record("it has none")
            return
        }
        #expect(control.protection == .whenUnlocked)
    }

    @Test func `the protection is removed`() throws {
        try tester.keychain.put("bank", secret: [1])
        #expect(tester.run("chatelaine", "protect", "bank", "--passcode").status == 0)
        let outcome = tester.run("chatelaine", "protect", "bank", "--none")
        #expect(outcome.outputText == "\"bank\" asks for nobody any more.\n")
        #expect(flags == [])
        #expect(!tester.run("chatelaine", "show", "bank").outputText.contains("asks for"))
    }

    @Test func `JSON names the conditions`() throws {
        try tester.keychain.put("bank", secret: [1])
        let outcome = tester.run("chatelaine", "protect", "bank", "--biometry", "--app-password", "--json")
        #expect(outcome.outputText.contains(#""asksFor""#))
        #expect(outcome.outputText.contains(#""biometry""#) && outcome.outputText.contains(#""app-password""#))
        #expect(tester.run("chatelaine", "list", "--json").outputText.contains(#""asksFor""#))
    }

    @Test(arguments: [
        [], ["--any"], ["--none", "--passcode"], ["--user-presence", "--passcode"],
        ["--biometry", "--current-biometry"],
    ])
    func `conditions that do not go together are refused before anything is asked`(options: [String]) throws {
        try tester.keychain.put("bank", secret: [1])
        let outcome = tester.run(["chatelaine", "protect", "bank"] + options, input: [])
        #expect(outcome.status == 64)
        #expect(outcome.errorText.hasPrefix("error: "))
        #expect(flags == nil)
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `an item that is not there is told`() {
        let outcome = tester.run("chatelaine", "protect", "bank", "--passcode")
        #expect(outcome.status == 3)
        #expect(outcome.errorText.hasPrefix("error: there is no item \"bank\""))
    }

    @Test func `the item's own password comes from a descriptor, and goes with reading, changing and protecting`()
        throws
    {
        try tester.keychain.put("vault", secret: [0x61])
        for words in [
            ["protect", "vault", "--app-password"], ["get", "vault"], ["set", "vault"],
        ] {
            let outcome = tester.run(
                ["chatelaine"] + words + ["--app-password-fd", try descriptor("sesame\n")], input: [0x62])
            #expect(outcome.status == 0, "\(outcome.errorText)")
        }
        #expect(tester.keychain.itemPasswords.contains(Array("sesame".utf8)))
        #expect(tester.keychain.itemPasswords.allSatisfy { $0 == Array("sesame".utf8) })
    }

    @Test(arguments: [
        (
            AuthenticationState(hasPasscode: false),
            """
            passcode    not set (chatelaine passcode set)
            fingers     no reader
            asked in    nowhere: there is no terminal and no window

            """
        ),
        (
            AuthenticationState(hasPasscode: true, biometry: .lockedOut, prompter: "terminal"),
            """
            passcode    set
            fingers     enrolled; they count once the passcode was given (chatelaine passcode verify)
            asked in    this terminal
            unlock      by the passcode

            """
        ),
        (
            AuthenticationState(hasPasscode: true, biometry: .enrolled, prompter: "window"),
            """
            passcode    set
            fingers     enrolled
            asked in    a window of this desktop
            unlock      by the passcode (chatelaine settings set unlock-by-finger on)

            """
        ),
    ])
    func `the means to show to be there are told`(state: AuthenticationState, text: String) {
        tester.keychain.change { $0.authentication = state }
        #expect(tester.run("chatelaine", "auth", "status").outputText == text)
        let json = tester.run("chatelaine", "auth", "status", "--json").outputText
        #expect(json.contains(#""passcode": \#(state.hasPasscode)"#))
    }

    @Test(arguments: [
        (Result<AuthenticationOutcome, Refusal>.success(.notInteractive), "by a finger or the passcode", "ready"),
        (.success(.biometryNotEnrolled), "by the passcode; no finger can be shown now", "not-available"),
        (
            .failure(Refusal(.authenticationFailed, .passcodeNeededFirst)),
            "by the passcode; by a finger once it was given (chatelaine unlock)", "passcode-needed"
        ),
    ])
    func `so is whether a finger unlocks the keychain`(
        answer: Result<AuthenticationOutcome, Refusal>, text: String, word: String
    ) {
        tester.keychain.change { state in
            state.authentication = AuthenticationState(hasPasscode: true, biometry: .enrolled)
            state.settings[.unlocksByFinger] = 1
            state.fingerUnlock = answer
        }
        #expect(tester.run("chatelaine", "auth", "status").outputText.hasSuffix("unlock      \(text)\n"))
        let json = tester.run("chatelaine", "auth", "status", "--json").outputText
        #expect(json.contains(#""unlockByFinger": "\#(word)""#))
    }

    @Test func `unlocking asks for a finger where that is switched on`() {
        tester.keychain.change { state in
            state.lockState = .locked
            state.settings[.unlocksByFinger] = 1
            state.fingerUnlock = .success(.cancelled)
        }
        let cancelled = tester.run("chatelaine", "unlock")
        #expect(cancelled.status == 4)
        #expect(cancelled.errorText.contains("not unlocked"))
        #expect(tester.keychain.lockState == .locked)
        tester.keychain.change { $0.fingerUnlock = .success(.success) }
        // The command does not prompt for a passcode, because there is no terminal to type it.
        #expect(tester.run("chatelaine", "unlock").outputText == "Unlocked.\n")
        #expect(tester.keychain.lockState == .unlocked)
    }
}
