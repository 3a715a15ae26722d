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
        (["--user-presence"], .userPresence, "the passcode or a fingerprint"),
        (
            ["--biometry", "--passcode", "--any"], [.biometryAny, .devicePasscode, .or], "a fingerprint or the passcode"
        ),
        (
            ["--current-biometry", "--passcode"], [.biometryCurrentSet, .devicePasscode],
            "a fingerprint that was enrolled when the item was protected and the passcode"
        ),
        (["--app-password"], .applicationPassword, "its application password"),
        (
            ["--user-presence", "--app-password"], [.userPresence, .applicationPassword],
            "the passcode or a fingerprint, and its application password"
        ),
    ]

    @Test(arguments: conditions)
    func `the conditions go into the item's access control`(
        options: [String], flags: AccessControl.Flags, text: String
    ) throws {
        try tester.keychain.put("bank", secret: [1])
        let outcome = tester.run(["chatelaine", "protect", "bank"] + options, input: [])
        #expect(outcome.outputText == "\"bank\" requires \(text).\n")
        #expect(outcome.status == 0)
        #expect(self.flags == flags)
        #expect(tester.run("chatelaine", "show", "bank").outputText.contains("requires    \(text)\n"))
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
        #expect(outcome.outputText == "\"bank\" no longer requires authentication.\n")
        #expect(flags == [])
        #expect(!tester.run("chatelaine", "show", "bank").outputText.contains("requires"))
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

    @Test func `the application password comes from a descriptor, for reading, changing and protecting`()
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
            fingerprint no reader
            prompts in  nowhere: no terminal and no desktop was found

            """
        ),
        (
            AuthenticationState(hasPasscode: true, biometry: .lockedOut, prompter: "terminal"),
            """
            passcode    set
            fingerprint enrolled; not accepted until you enter the passcode (chatelaine passcode verify)
            prompts in  this terminal
            unlock      by passcode

            """
        ),
        (
            AuthenticationState(hasPasscode: true, biometry: .enrolled, prompter: "window"),
            """
            passcode    set
            fingerprint enrolled
            prompts in  a window of this desktop
            unlock      by passcode (to allow fingerprints: chatelaine settings set unlock-by-finger on)

            """
        ),
    ])
    func `the authentication methods are shown`(state: AuthenticationState, text: String) {
        tester.keychain.change { $0.authentication = state }
        #expect(tester.run("chatelaine", "auth", "status").outputText == text)
        let json = tester.run("chatelaine", "auth", "status", "--json").outputText
        #expect(json.contains(#""passcode": \#(state.hasPasscode)"#))
    }

    @Test(arguments: [
        (Result<AuthenticationOutcome, Refusal>.success(.notInteractive), "by fingerprint or passcode", "ready"),
        (.success(.biometryNotEnrolled), "by passcode; unlock by fingerprint is not available now", "not-available"),
        (
            .failure(Refusal(.authenticationFailed, .passcodeNeededFirst)),
            "by passcode; by fingerprint after the next unlock by passcode (chatelaine unlock)", "passcode-needed"
        ),
    ])
    func `the readiness of unlock by fingerprint is shown`(
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
