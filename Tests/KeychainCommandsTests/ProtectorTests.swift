// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine protector")
struct ProtectorTests {
    let tester = CommandLineTester()
    let screen = RecordedScreen()

    init() {
        tester.keychain.setPasscode("x")
        tester.screen = screen
    }

    private func key(_ text: String) throws -> [UInt8] {
        var key: [UInt8] = []
        try RecoveryKey.read(text.utf8, into: &key)
        return key
    }

    @Test func `a recovery key is shown on the terminal alone and typed back before it counts`() throws {
        tester.answers = ["x", "", "SHOWN"]
        let outcome = tester.run("chatelaine", "protector", "add", "recovery-key")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "The recovery key is set.\n")
        let shown = try #require(screen.key)
        #expect(try tester.keychain.secrets(.recoveryKey) == [key(shown)])
        #expect(!outcome.outputText.contains(shown) && !outcome.errorText.contains(shown))
        #expect(
            outcome.errorText
                == "Passcode: \nWrite the key down, then press Return. \nType the key to confirm it: \n")
    }

    @Test func `what was shown is taken from the screen, line by line`() {
        tester.answers = ["x", "", "SHOWN"]
        _ = tester.run("chatelaine", "protector", "add", "recovery-key")
        // All that was shown before the person typed, and the line of the question that Return ended.
        #expect(screen.linesTakenBack == screen.text.count { $0 == "\n" } + 1)
    }

    @Test func `a key that is typed wrongly may be typed again, and then it is void`() {
        let other = String(decoding: RecoveryKey.text(of: [UInt8](repeating: 1, count: 16)), as: UTF8.self)
        tester.answers = ["x", "", "abc", other, "SHOWN"]
        #expect(tester.run("chatelaine", "protector", "add", "recovery-key").status == 0)
        #expect(
            screen.text.hasSuffix(
                "the recovery key has 3 characters instead of 28\nthe typed key is not the recovery key\n"))
        tester.answers = ["x", "", "abc", other, "ABC", "SHOWN"]
        let outcome = tester.run("chatelaine", "protector", "add", "recovery-key")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasSuffix("hint: nothing was changed; the key that was shown is void\n"))
        #expect(tester.keychain.secrets(.recoveryKey).count == 1)
    }

    @Test func `the recovery key is shown only after the passcode is verified`() {
        tester.answers = ["wrong", "", "SHOWN"]
        let outcome = tester.run("chatelaine", "protector", "add", "recovery-key")
        #expect(outcome.status == 4)
        #expect(screen.text.isEmpty)
    }

    @Test func `without a terminal a recovery key is not shown anywhere`() throws {
        tester.screen = nil
        let outcome = tester.run("chatelaine", "protector", "add", "recovery-key", "--passcode-fd", try descriptor("x"))
        #expect(outcome.status == 4)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText.hasSuffix("hint: --output writes it to a file or a pipe\n"))
        // The command fails before it prompts for a passcode.
        #expect(tester.keychain.requests.isEmpty)
        #expect(tester.keychain.secrets(.recoveryKey).isEmpty)
    }

    @Test func `a recovery key goes into a file that only its owner can read`() throws {
        let folder = try ScratchFolder()
        tester.screen = nil
        let outcome = tester.run(
            "chatelaine", "protector", "add", "recovery-key", "--output", folder.path("key"), "--passcode-fd",
            try descriptor("x"))
        #expect(outcome == .init(status: 0, output: Array("The recovery key is set.\n".utf8)))
        #expect(try folder.mode("key") == 0o600)
        let text = String(decoding: try folder.bytes("key"), as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        #expect(try tester.keychain.secrets(.recoveryKey) == [key(text)])
    }

    @Test func `a file that is there stays, and nothing is changed`() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("mine", "key")
        let outcome = tester.run(
            "chatelaine", "protector", "add", "credential", "--output", path, "--passcode-fd", try descriptor("x"))
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasSuffix("key\": File exists\n"))
        #expect(try folder.bytes("key") == Array("mine".utf8))
        #expect(tester.keychain.secrets(.credential).isEmpty)
    }

    @Test func `no file is left behind where the service refuses`() throws {
        let folder = try ScratchFolder()
        let outcome = tester.run(
            "chatelaine", "protector", "add", "credential", "--output", folder.path("c"), "--passcode-fd",
            try descriptor("wrong"))
        #expect(outcome.status == 4)
        #expect(try folder.names().isEmpty)
    }

    @Test func `a credential is a line for a pipe, and opens the keychain`() throws {
        let added = tester.run(
            "chatelaine", "protector", "add", "credential", "--label", "server", "--output", "-", "--passcode-fd",
            try descriptor("x"))
        #expect(added.status == 0)
        #expect(added.errorText == "The credential unlocks the keychain now.\n")
        #expect(added.output.count == CredentialText.textByteCount + 1)
        _ = tester.run("chatelaine", "lock")
        let outcome = tester.run("chatelaine", "unlock", "--credential-fd", try descriptor(added.output))
        #expect(outcome.outputText == "Unlocked.\n")
    }

    @Test func `a damaged credential is told from one of another keychain`() throws {
        var text = CredentialText.text(of: [UInt8](repeating: 9, count: 32))
        let other = tester.run("chatelaine", "unlock", "--credential-fd", try descriptor(text))
        #expect(other.status == 4)
        tester.keychain.change { $0.lockState = .locked }
        text[30] = text[30] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let damaged = tester.run("chatelaine", "unlock", "--credential-fd", try descriptor(text))
        #expect(damaged.status == 1)
        #expect(damaged.errorText.hasPrefix("error: the credential has a wrong character\n"))
        let foreign = tester.run("chatelaine", "unlock", "--credential-fd", try descriptor("hunter2\n"))
        #expect(foreign.errorText == "error: the credential has an unknown version\n")
    }

    @Test func `secrets do not go to a terminal's standard output, nor beside JSON`() throws {
        tester.outputIsTerminal = true
        for kind in ["credential", "recovery-key"] {
            #expect(tester.run("chatelaine", "protector", "add", kind, "--output", "-").status == 64)
        }
        tester.outputIsTerminal = false
        #expect(tester.run("chatelaine", "protector", "add", "credential", "--output", "-", "--json").status == 64)
        #expect(tester.run("chatelaine", "protector", "add", "credential").status == 64)
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a label that is too long is wrong usage`() {
        let label = String(repeating: "ö", count: 33)
        let outcome = tester.run("chatelaine", "protector", "add", "credential", "--output", "-", "--label", label)
        #expect(outcome.status == 64)
        #expect(outcome.errorText == "error: the label is longer than 64 bytes\n")
    }

    @Test func `a login password is typed twice and opens the keychain`() throws {
        tester.answers = ["x", "login", "login"]
        let added = tester.run("chatelaine", "protector", "add", "login-password")
        #expect(added.outputText == "The login password unlocks the keychain now.\n")
        #expect(added.errorText == "Passcode: \nLogin password: \nOnce more: \n")
        _ = tester.run("chatelaine", "lock")
        #expect(
            tester.run("chatelaine", "unlock", "--login-password-fd", try descriptor("login\n")).outputText
                == "Unlocked.\n")
    }

    @Test func `what opens the keychain is listed without secrets`() throws {
        let folder = try ScratchFolder()
        for (kind, more) in [
            ("recovery-key", []), ("credential", ["--label", "back\u{1B}up"]), ("credential", ["--label", "server"]),
        ] {
            let words = ["chatelaine", "protector", "add", kind, "--output", folder.path(UUID().uuidString)] + more
            #expect(tester.run(words + ["--passcode-fd", try descriptor("x")], input: []).status == 0)
        }
        try expectSnapshot(tester.run("chatelaine", "protector", "list").outputText, "protectors.txt")
        try expectSnapshot(tester.run("chatelaine", "protector", "list", "--json").outputText, "protectors.json")
        try expectSnapshot(tester.run("chatelaine", "status").outputText, "status-protected.txt")
        try expectSnapshot(tester.run("chatelaine", "status", "--json").outputText, "status-protected.json")
    }

    @Test func `an open keychain has no protectors to list`() {
        tester.keychain.change { ($0.protectors, $0.lockState) = ([], .noPasscode) }
        #expect(tester.run("chatelaine", "protector", "list").outputText.hasPrefix("No passcode is set"))
        #expect(tester.run("chatelaine", "protector", "list", "--json").outputText == "[]\n")
    }

    @Test func `a protector is removed by its kind, or by its number where there are several`() throws {
        tester.keychain.change {
            for (number, kind) in [(2, .recoveryKey), (3, .credential), (4, .credential)] as [(UInt32, ProtectorKind)] {
                $0.protectors.append(.init(number: number, kind: kind, secret: [UInt8(number)], label: ""))
            }
        }
        func remove(_ name: String) throws -> CommandLineTester.Outcome {
            tester.run("chatelaine", "protector", "remove", name, "--passcode-fd", try descriptor("x"))
        }
        #expect(try remove("recovery-key").outputText == "The recovery-key no longer unlocks the keychain.\n")
        let several = try remove("credential")
        #expect(several.status == 1)
        #expect(several.errorText.hasPrefix("error: there are several protectors of this kind: 3, 4\n"))
        #expect(try remove("4").status == 0)
        #expect(try remove("credential").status == 0)
        #expect(try remove("credential").status == 3)
        #expect(try remove("nonsense").status == 3)
        let passcode = try remove("passcode")
        #expect(passcode.status == 64)
        #expect(passcode.errorText.hasPrefix("error: this command cannot remove the passcode\n"))
        #expect(tester.keychain.secrets(.passcode).count == 1)
    }
}

@Suite("chatelaine settings")
struct SettingsTests {
    let tester = CommandLineTester()

    private func set(_ name: String, _ value: String) -> CommandLineTester.Outcome {
        tester.run("chatelaine", "settings", "set", name, value)
    }

    private func value(_ setting: Setting) -> UInt64? {
        var value: UInt64?
        tester.keychain.change { value = $0.settings[setting] }
        return value
    }

    @Test func `settings are listed as people write them`() throws {
        try expectSnapshot(tester.run("chatelaine", "settings").outputText, "settings.txt")
        try expectSnapshot(tester.run("chatelaine", "settings", "list", "--json").outputText, "settings.json")
    }

    @Test(
        arguments: [
            ("idle-lock", "15m", Setting.idleLockSeconds, 900), ("idle-lock", "90", .idleLockSeconds, 90),
            ("idle-lock", "2h", .idleLockSeconds, 7200), ("idle-lock", "1d", .idleLockSeconds, 86_400),
            ("idle-lock", "never", .idleLockSeconds, 0), ("idle-lock", "0", .idleLockSeconds, 0),
            ("lock-on-sleep", "off", .locksOnSleep, 0), ("passcode-time", "1s", .passcodeMilliseconds, 1000),
            ("passcode-time", "450ms", .passcodeMilliseconds, 450), ("snapshot-count", "3", .snapshotCount, 3),
            ("snapshot-age", "10d", .snapshotDays, 10),
        ] as [(String, String, Setting, UInt64)])
    func `a value is understood and can be read again`(name: String, text: String, setting: Setting, number: UInt64) {
        let outcome = set(name, text)
        #expect(outcome.status == 0)
        #expect(value(setting) == number)
        let shown = tester.run("chatelaine", "settings", "get", name).outputText
        #expect(outcome.outputText == "\(setting.commandName) is \(shown.dropLast()) now.\n")
        #expect(setting.number(String(shown.dropLast())) == number)
    }

    @Test(arguments: [
        ("idle-lock", "soon"), ("idle-lock", ""), ("idle-lock", "m"), ("idle-lock", "-5"), ("idle-lock", "5x"),
        ("idle-lock", "99999999999999999999"), ("idle-lock", "9999999999999999999d"), ("idle-lock", "400d"),
        ("idle-lock", "1never"), ("lock-on-sleep", "1"), ("lock-on-sleep", "maybe"), ("passcode-time", "1m"),
        ("passcode-time", "49ms"), ("snapshot-count", "3d"), ("snapshot-count", "٣"), ("snapshot-age", "0d"),
        ("colour", "red"),
    ])
    func `a value that a setting cannot have changes nothing`(name: String, text: String) {
        #expect(tester.run(["chatelaine", "settings", "set", name, "--", text], input: []).status == 64)
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `an unknown setting is refused in one line with the names of all settings`() {
        let text = set("colour", "red").errorText
        let names = Setting.allCases.map(\.commandName).joined(separator: ", ")
        #expect(text.split(separator: "\n").count == 2 && !text.contains("u{a}"))
        #expect(text.contains("one of the following: \(names)\nhint: "), "\(text)")
    }

    @Test func `where a passcode is set it is asked for`() throws {
        tester.keychain.setPasscode("x")
        tester.answers = ["x"]
        #expect(set("idle-lock", "1m").errorText == "Passcode: \n")
        #expect(value(.idleLockSeconds) == 60)
        tester.answers = ["y"]
        #expect(set("idle-lock", "1h").status == 4)
        #expect(value(.idleLockSeconds) == 60)
        let outcome = tester.run(
            "chatelaine", "settings", "set", "idle-lock", "1h", "--passcode-fd", try descriptor("x"), "--json")
        #expect(outcome.outputText == "{\n  \"idleLockSeconds\": 3600\n}\n")
    }
}
