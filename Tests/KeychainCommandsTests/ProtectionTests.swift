// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainCommands

/// A descriptor from which these bytes can be read; commands close it.
func descriptor(_ text: String) throws -> String { try descriptor(Array(text.utf8)) }

func descriptor(_ bytes: [UInt8]) throws -> String {
    let folder = try ScratchFolder()
    try Data(bytes).write(to: folder.url("secret"))
    let number = open(folder.path("secret"), O_RDONLY | O_CLOEXEC)
    try #require(number > 2)
    return String(number)
}

@Suite("chatelaine passcode, lock and unlock")
struct PasscodeTests {
    let tester = CommandLineTester()

    @Test func `a passcode is typed twice`() {
        tester.answers = ["hunter2", "hunter2"]
        let outcome = tester.run("chatelaine", "passcode", "set")
        #expect(outcome.status == 0)
        #expect(outcome.errorText.hasPrefix("New passcode: \nOnce more: \nStrength: weak, "))
        #expect(outcome.outputText.hasPrefix("The passcode is set, and the keychain is unlocked.\n"))
        #expect(tester.keychain.secrets(.passcode) == [Array("hunter2".utf8)])
        #expect(tester.keychain.lockState == .unlocked)
    }

    @Test func `two different entries set nothing`() {
        tester.answers = ["one", "two"]
        let outcome = tester.run("chatelaine", "passcode", "set")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasSuffix("error: the two entries differ\nhint: nothing was changed; try again\n"))
        #expect(tester.keychain.lockState == .noPasscode)
    }

    @Test func `from a descriptor it is read once, without one newline at its end`() throws {
        #expect(
            tester.run("chatelaine", "passcode", "set", "--passcode-fd", try descriptor(" pässwörd \n")).status == 0)
        #expect(tester.keychain.secrets(.passcode) == [Array(" pässwörd ".utf8)])
    }

    @Test func `the longest passcode fits, with a newline behind it, and one byte more does not`() throws {
        let longest = [UInt8](repeating: 0x61, count: 1024)
        for bad in [longest + [0x61], longest + [0x61, 0x0A], [UInt8](repeating: 0x61, count: 1 << 20)] {
            let outcome = tester.run("chatelaine", "passcode", "set", "--passcode-fd", try descriptor(bad))
            #expect(outcome.status == 1)
            #expect(outcome.errorText == "error: the new passcode is longer than 1024 bytes\n")
        }
        #expect(tester.keychain.requests.isEmpty)
        #expect(
            tester.run("chatelaine", "passcode", "set", "--passcode-fd", try descriptor(longest + [0x0A])).status == 0)
        #expect(tester.keychain.secrets(.passcode) == [longest])
    }

    @Test(
        arguments: [
            ([], "is empty"), ([0x0A], "is empty"), ([0xFF, 0x61], "is not UTF-8"), ([0x61, 0xC3], "is not UTF-8"),
            ([0x61, 0, 0x62], "contains a line end or a NUL"), ([0x61, 0x0A, 0x0A], "contains a line end or a NUL"),
            ([0x61, 0x0D, 0x0A], "contains a line end or a NUL"),
        ] as [([UInt8], String)])
    func `what no passcode is, is refused before the service hears of it`(bytes: [UInt8], reason: String) throws {
        let outcome = tester.run("chatelaine", "passcode", "set", "--passcode-fd", try descriptor(bytes))
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasPrefix("error: the new passcode \(reason)\n"))
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test(arguments: ["1", "2", "-1"]) func `descriptors that cannot hold a passcode are wrong usage`(number: String) {
        let outcome = tester.run("chatelaine", "unlock", "--passcode-fd=\(number)")
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("cannot be read from descriptor \(number)\n"))
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a descriptor that is not open is named`() {
        let outcome = tester.run("chatelaine", "unlock", "--passcode-fd", "999999")
        #expect(outcome.status == 1)
        #expect(outcome.errorText == "error: cannot read the passcode from descriptor 999999: Bad file descriptor\n")
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a descriptor that can only be written to is named`() throws {
        let number = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(number) }
        let outcome = tester.run("chatelaine", "unlock", "--passcode-fd", String(number))
        #expect(outcome.errorText.hasSuffix("\(number): Bad file descriptor\n"))
    }

    @Test func `a passcode is never an argument`() {
        tester.keychain.setPasscode("hunter2", state: .locked)
        for words in [["unlock", "hunter2"], ["passcode", "set", "hunter2"], ["passcode", "verify", "hunter2"]] {
            #expect(tester.run(["chatelaine"] + words, input: []).status == 64)
        }
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `the first passcode is not set over another one`() throws {
        tester.keychain.setPasscode("hunter2")
        tester.answers = ["new", "new"]
        let outcome = tester.run("chatelaine", "passcode", "set")
        #expect(outcome.status == 4)
        #expect(
            outcome.errorText == """
                error: a passcode is already set
                hint: change it with `chatelaine passcode change`

                """)
        #expect(tester.keychain.secrets(.passcode) == [Array("hunter2".utf8)])
    }

    @Test func `it is changed with the old one`() throws {
        tester.keychain.setPasscode("old")
        tester.answers = ["old", "new", "new"]
        let outcome = tester.run("chatelaine", "passcode", "change")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "The passcode is changed.\n")
        #expect(outcome.errorText.hasPrefix("Passcode: \nNew passcode: \nOnce more: \nStrength: very weak, "))
        #expect(tester.keychain.secrets(.passcode) == [Array("new".utf8)])
        let again = tester.run(
            "chatelaine", "passcode", "change", "--passcode-fd", try descriptor("new\n"), "--new-passcode-fd",
            try descriptor("newer\n"), "--json")
        #expect(again.outputText == "{\n  \"result\": \"changed\"\n}\n")
        #expect(tester.keychain.secrets(.passcode) == [Array("newer".utf8)])
    }

    @Test func `one descriptor cannot hold both passcodes`() throws {
        tester.keychain.setPasscode("old")
        let number = try descriptor("old\n")
        let outcome = tester.run(
            "chatelaine", "passcode", "change", "--passcode-fd", number, "--new-passcode-fd", number)
        #expect(outcome.status == 64)
        #expect(outcome.errorText == "error: two options name the same descriptor\n")
        #expect(tester.keychain.secrets(.passcode) == [Array("old".utf8)])
    }

    @Test func `a forgotten passcode is changed with the recovery key`() throws {
        tester.keychain.setPasscode("forgotten", state: .locked)
        let key = [UInt8](0..<16)
        tester.keychain.change {
            $0.protectors.append(.init(number: 2, kind: .recoveryKey, secret: key, label: ""))
        }
        let text = String(decoding: RecoveryKey.text(of: key), as: UTF8.self)
        tester.answers = [text.lowercased().replacing("-", with: " "), "new", "new"]
        #expect(tester.run("chatelaine", "passcode", "change", "--recovery-key").status == 0)
        #expect(tester.keychain.secrets(.passcode) == [Array("new".utf8)])
        let fromDescriptor = tester.run("chatelaine", "unlock", "--recovery-key-fd", try descriptor(text + "\n"))
        #expect(fromDescriptor.outputText == "Unlocked.\n")
    }

    @Test(arguments: [
        ("ABC", "error: the recovery key has 3 characters instead of 28\n"),
        ("ABCU", "error: character 4 of the recovery key is invalid\nhint: "),
        ("0000-0000-0000-0000-0000-0000-0001", "error: the recovery key has a wrong character\nhint: "),
    ])
    func `a mistyped recovery key is reported with its error`(typed: String, message: String) {
        tester.keychain.setPasscode("x", state: .locked)
        tester.answers = [typed]
        let outcome = tester.run("chatelaine", "unlock", "--recovery-key")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasPrefix("Recovery key: \n" + message))
        // It is no guess, since no keychain has such a key.
        #expect(tester.keychain.lockState == .locked)
    }

    @Test func `removing it opens the keychain`() {
        tester.keychain.setPasscode("x", state: .locked)
        tester.answers = ["x"]
        let outcome = tester.run("chatelaine", "passcode", "remove", "--yes")
        #expect(
            outcome.outputText
                == "The passcode is removed: the keychain is open while its service runs.\n")
        #expect(tester.keychain.lockState == .noPasscode)
    }

    @Test func `removing the passcode states the number of items that it deletes, and asks on a terminal`() throws {
        tester.keychain.setPasscode("x")
        try tester.keychain.put("other")
        tester.answers = ["x"]
        tester.inputIsTerminal = true
        let harmless = tester.run("chatelaine", "passcode", "remove")
        #expect(harmless.status == 0 && harmless.errorText == "Passcode: \n")

        tester.keychain.setPasscode("x")
        try tester.keychain.put("one", [.init(.accessible, .string("akpu"))])
        try tester.keychain.put(server: "example.org", [.init(.accessible, .string("akpu"))])
        let refused = tester.run("chatelaine", "passcode", "remove", typing: "n\n")
        #expect(refused.status == 1 && tester.keychain.lockState == .unlocked)
        #expect(
            refused.errorText == """
                2 items that require a passcode are permanently deleted with the passcode.
                Continue? [y/N] error: nothing was changed, as requested

                """)
        #expect(tester.run("chatelaine", "passcode", "remove", typing: "y\n").status == 0)
        #expect(tester.keychain.lockState == .noPasscode)
    }

    @Test(arguments: [LockState.unlocked, .locked])
    func `a script must confirm that removing the passcode deletes items`(state: LockState) throws {
        tester.keychain.setPasscode("x", state: state)
        try tester.keychain.put("one", [.init(.accessible, .string("akpu"))])
        let unconfirmed = tester.run("chatelaine", "passcode", "remove", "--passcode-fd", try descriptor("x"))
        #expect(unconfirmed.status == 64 && tester.keychain.lockState == state)
        let items = state == .unlocked ? "1 item that requires" : "All items that require"
        #expect(unconfirmed.errorText.hasPrefix("error: confirmation is required: \(items) a passcode "))
        #expect(unconfirmed.errorText.hasSuffix("hint: standard input is not a terminal; add --yes to confirm\n"))
        #expect(
            tester.run("chatelaine", "passcode", "remove", "--yes", "--passcode-fd", try descriptor("x")).status == 0)
        #expect(tester.keychain.lockState == .noPasscode)
    }

    @Test func `the right passcode is told from a wrong one without unlocking`() throws {
        tester.keychain.setPasscode("x", state: .locked)
        #expect(
            tester.run("chatelaine", "passcode", "verify", "--passcode-fd", try descriptor("x")).outputText
                == "The passcode is right.\n")
        let wrong = tester.run("chatelaine", "passcode", "verify", "--passcode-fd", try descriptor("y"))
        #expect(wrong.status == 4)
        #expect(
            wrong.errorText == """
                error: the passcode is wrong
                hint: after 4 more wrong entries in a row you must wait before the next attempt

                """)
        #expect(tester.keychain.lockState == .locked)
    }

    @Test func `wrong entries are counted down, and then have to wait`() throws {
        tester.keychain.setPasscode("x", state: .locked)
        var hints: [String] = []
        for _ in 0..<6 {
            let outcome = tester.run("chatelaine", "unlock", "--passcode-fd", try descriptor("y"))
            #expect(outcome.status == 4)
            hints.append(outcome.errorText.split(separator: "\n").last.map(String.init) ?? "")
        }
        #expect(
            hints == [
                "hint: after 4 more wrong entries in a row you must wait before the next attempt",
                "hint: after 3 more wrong entries in a row you must wait before the next attempt",
                "hint: after 2 more wrong entries in a row you must wait before the next attempt",
                "hint: after one more wrong entry in a row you must wait before the next attempt",
                "hint: the next attempt is possible in 1 min", "hint: the next attempt is possible in 1 min",
            ])
    }

    @Test(arguments: [["unlock"], ["get", "mail", "--unlock"]])
    func `a mistyped passcode can be typed three times on a terminal`(words: [String]) throws {
        try tester.keychain.put("mail")
        tester.keychain.setPasscode("x", state: .locked)
        (tester.answers, tester.inputIsTerminal) = (["1", "2", "3", "x"], true)
        let outcome = tester.run(["chatelaine"] + words, input: [])
        #expect(outcome.status == 4 && tester.keychain.lockState == .locked)
        #expect(outcome.errorText.split(separator: "Passcode: \n").count == 3)
        #expect(outcome.errorText.split(separator: "error: the passcode is wrong\n").count == 4)
        tester.keychain.change { $0.failedAttempts = 0 }
        tester.answers = ["1", "2", "x"]
        #expect(tester.run(["chatelaine"] + words, input: []).status == 0)
        #expect(tester.keychain.lockState == .unlocked)
    }

    @Test func `a wrong passcode from a descriptor, or without a terminal, is tried once`() throws {
        tester.keychain.setPasscode("x", state: .locked)
        tester.answers = ["1", "x"]
        #expect(tester.run("chatelaine", "unlock").status == 4)
        tester.inputIsTerminal = true
        #expect(tester.run("chatelaine", "unlock", "--passcode-fd", try descriptor("1")).status == 4)
        #expect(tester.keychain.lockState == .locked)
    }

    @Test func `during the delay after wrong attempts there is no prompt`() {
        tester.keychain.setPasscode("x", state: .locked)
        tester.keychain.change { ($0.failedAttempts, $0.retryAfterSeconds) = (6, 299) }
        tester.answers = ["x"]
        let outcome = tester.run("chatelaine", "unlock")
        #expect(outcome.status == 4)
        #expect(
            outcome.errorText == """
                error: too many attempts in a row failed; the next attempt is possible after a delay
                hint: the next attempt is possible in 4 min 59 s

                """)
    }

    @Test func `there is nothing to enter where no passcode is set`() {
        tester.answers = ["x"]
        for words in [["unlock"], ["lock"], ["passcode", "change"], ["passcode", "remove"], ["passcode", "verify"]] {
            let outcome = tester.run(["chatelaine"] + words, input: [])
            #expect(outcome.status == 4)
            #expect(outcome.errorText.hasPrefix("error: no passcode is set, so the keychain is always open\n"))
        }
    }

    @Test func `the status of the passcode is a sentence or two`() {
        #expect(
            tester.run("chatelaine", "passcode", "status").outputText
                == "No passcode is set: the keychain is open while its service runs.\n")
        tester.keychain.setPasscode("x")
        #expect(tester.run("chatelaine", "passcode", "status").outputText == "A passcode is set.\n")
        tester.keychain.change { ($0.failedAttempts, $0.retryAfterSeconds) = (5, 60) }
        #expect(
            tester.run("chatelaine", "passcode", "status").outputText == """
                A passcode is set.
                There were 5 wrong entries in a row; the next attempt is possible in 1 min.

                """)
        #expect(
            tester.run("chatelaine", "passcode", "status", "--json").outputText == """
                {
                  "passcode": true,
                  "failedAttempts": 5,
                  "retryAfterSeconds": 60
                }

                """)
    }

    @Test func `locking and unlocking say what they did`() throws {
        tester.keychain.setPasscode("x")
        #expect(tester.run("chatelaine", "lock") == .init(status: 0, output: Array("Locked.\n".utf8)))
        #expect(tester.keychain.lockState == .locked)
        #expect(tester.run("chatelaine", "lock", "--json").outputText == "{\n  \"state\": \"locked\"\n}\n")
        let outcome = tester.run("chatelaine", "unlock", "--json", "--passcode-fd", try descriptor("x"))
        #expect(outcome.outputText == "{\n  \"state\": \"unlocked\"\n}\n")
    }

    @Test func `only one secret can be used to unlock`() throws {
        let outcome = tester.run("chatelaine", "unlock", "--recovery-key", "--credential-fd", "9")
        #expect(outcome.status == 64)
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test(
        arguments: [
            (0, "0 s"), (1, "1 s"), (59, "59 s"), (60, "1 min"), (61, "1 min 1 s"), (3540, "59 min"),
            (3599, "59 min 59 s"), (3600, "1 h"), (3601, "1 h 1 min"), (7199, "2 h"), (86_399, "24 h"),
            (90_000, "1 d 1 h"),
        ]
            as [(UInt64, String)])
    func `spans of time are told in their two largest units`(seconds: UInt64, text: String) {
        #expect(spanText(seconds: seconds) == text)
    }
}

@Suite("who is asked for a passcode")
struct AskingTests {
    let tester = CommandLineTester()

    init() { tester.keychain.setPasscode("x", state: .locked) }

    @Test func `the terminal is asked before anything else`() {
        (tester.answers, tester.pinentryAnswers, tester.pinentryHasWindows) = (["x"], ["y"], true)
        #expect(tester.run("chatelaine", "unlock").errorText == "Passcode: \n")
    }

    @Test func `a pinentry is asked where there is no terminal`() {
        (tester.pinentryAnswers, tester.pinentryHasWindows) = (["x"], true)
        let outcome = tester.run("chatelaine", "unlock")
        #expect(outcome.status == 0)
        #expect(outcome.errorText == "pinentry: Passcode: \n")
    }

    @Test func `a pinentry is asked in place of the terminal where that is wanted`() {
        (tester.answers, tester.pinentryAnswers) = (["y"], ["x"])
        #expect(tester.run("chatelaine", "unlock", "--pinentry").errorText == "pinentry: Passcode: \n")
    }

    @Test func `without a usable pinentry there is no prompt`() {
        tester.pinentryAnswers = ["x"]
        let outcome = tester.run("chatelaine", "unlock")
        #expect(outcome.status == 4)
        #expect(
            outcome.errorText == """
                error: the passcode is required, and there is no terminal or pinentry to ask for it
                hint: --passcode-fd N reads it from descriptor N

                """)
        #expect(tester.keychain.lockState == .locked)
    }

    @Test func `a pinentry that is wanted and missing is an error`() {
        tester.answers = ["x"]
        let outcome = tester.run("chatelaine", "unlock", "--pinentry")
        #expect(outcome.status == 4)
        #expect(outcome.errorText.hasPrefix("error: cannot find a pinentry program\nhint: "))
    }

    @Test func `giving up changes nothing`() {
        tester.answers = []
        let outcome = tester.run("chatelaine", "unlock")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasSuffix("error: nothing was entered\n"))
        #expect(tester.keychain.lockState == .locked)
    }

    @Test func `a command that meets a locked keychain says how it is unlocked`() throws {
        try tester.keychain.put("mail")
        tester.answers = ["x"]
        for words in [["get", "mail"], ["list"], ["remove", "mail"], ["export", "-"]] {
            let outcome = tester.run(["chatelaine"] + words, input: [])
            #expect(outcome.status == 4)
            #expect(
                outcome.errorText == """
                    error: the keychain is locked
                    hint: unlock it with `chatelaine unlock`, or add --unlock

                    """)
        }
    }

    @Test func `a command asks for the passcode only where that is wanted`() throws {
        try tester.keychain.put("mail")
        tester.answers = ["x"]
        let outcome = tester.run("chatelaine", "get", "mail", "--unlock")
        #expect(outcome == .init(status: 0, output: Array("secret\n".utf8), errors: Array("Passcode: \n".utf8)))
        #expect(tester.keychain.lockState == .unlocked)
        // The keychain is unlocked now, so the command shows no prompt.
        #expect(tester.run("chatelaine", "get", "mail", "--unlock").errorText == "")
    }

    @Test func `a passcode from a descriptor is used where the keychain is locked`() throws {
        try tester.keychain.put("mail")
        let outcome = tester.run("chatelaine", "get", "mail", "--passcode-fd", try descriptor("x\n"))
        #expect(outcome == .init(status: 0, output: Array("secret\n".utf8)))
        // The keychain is unlocked by now, so a wrong passcode is not checked.
        #expect(tester.run("chatelaine", "list", "--passcode-fd", try descriptor("y\n")).status == 0)
        var seen: [ProtectorKind] = []
        tester.keychain.change { seen = $0.secretsSeen }
        #expect(seen == [.passcode])
    }

    @Test func `standard input cannot hold the secret and the passcode`() {
        let outcome = tester.run("chatelaine", "set", "mail", "--passcode-fd", "0", typing: "secret\n")
        #expect(outcome.status == 64)
        #expect(outcome.errorText.hasPrefix("error: standard input cannot supply both the secret and the passcode\n"))
        #expect(tester.run("chatelaine", "import", "--passcode-fd", "0", typing: "a,b\n").status == 64)
        #expect(tester.keychain.requests.isEmpty)
    }
}
