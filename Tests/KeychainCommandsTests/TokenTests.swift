// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("token and setup") struct TokenCommandTests {
    let tester = CommandLineTester()

    private let tpm = TokenReport.Token(
        .tpm,
        .available(
            .init(
                manufacturer: "IBM", firmware: "8217.4131.18.6", place: "/dev/tpmrm0",
                lockout: .init(failures: 1, limit: 3, interval: 1000))))
    private let software = TokenReport.Token(
        .software,
        .available(
            .init(manufacturer: "", firmware: "", place: "/home/u/.local/share/chatelaine/token.key", lockout: nil)))

    private func install(_ tokens: [TokenReport.Token], _ place: DeviceKeyLocation = .file) {
        tester.keychain.change { $0.tokens = TokenReport(tokens: tokens, deviceKey: place) }
    }

    private var deviceKey: DeviceKeyLocation {
        var place = DeviceKeyLocation.file
        tester.keychain.change { place = $0.tokens.deviceKey }
        return place
    }

    @Test func `the tokens are shown, for people and for programs`() throws {
        install([tpm, software], .tpm)
        try expectSnapshot(tester.run("chatelaine", "token", "status").outputText, "token-status.txt")
        try expectSnapshot(tester.run("chatelaine", "token", "status", "--json").outputText, "token-status.json")
        install([.init(.tpm, .unavailable("/dev/tpmrm0: gone\u{1B}[31m"))])
        let outcome = tester.run("chatelaine", "token")
        #expect(outcome.outputText.contains("not available: /dev/tpmrm0: gone"))
        #expect(!outcome.outputText.contains("\u{1B}"))
        install([])
        #expect(tester.run("chatelaine", "token").outputText.contains("token       none"))
    }

    @Test func `setup without options and without a terminal says what to give, and changes nothing`() {
        install([tpm, software])
        let outcome = tester.run("chatelaine", "setup")
        #expect(outcome.status == 64 && outcome.errorText.contains("--device-key file, tpm or software"))
        #expect(deviceKey == .file)
    }

    @Test(arguments: [
        ["chatelaine", "setup", "--device-key", "tpm"], ["chatelaine", "setup", "--pin"], ["chatelaine", "setup"],
    ])
    func `in the system service, setup says that the device key stays, and asks nothing`(words: [String]) {
        tester.place = KeychainLocation(path: "/var/lib/chatelaine/users/1500/keychain.db", isOfSystem: true)
        tester.inputIsTerminal = true
        install([tpm, software])
        let outcome = tester.run(words, input: Array("2\ny\ny\n".utf8))
        #expect(outcome.status == 5)
        #expect(outcome.errorText.contains("the device key of the system service stays in its file"))
        #expect(!outcome.errorText.contains("Enter a number"))
        #expect(deviceKey == .file)
    }

    @Test func `on a terminal setup shows what there is, asks, and does what was agreed on`() throws {
        tester.inputIsTerminal = true
        install([tpm, software])
        tester.answers = ["2468", "2468"]
        let outcome = tester.run("chatelaine", "setup", typing: "7\n2\ny\ny\n")
        #expect(outcome.status == 0)
        #expect(deviceKey == .tpm && pin == "2468")
        try expectSnapshot(outcome.errorText + "--\n" + outcome.outputText, "setup-interview.txt")
        // With a PIN, removing it requires the PIN.
        tester.answers = ["2468"]
        #expect(tester.run("chatelaine", "setup", typing: "1\ny\n").status == 0)
        #expect(deviceKey == .file && pin == nil)
        // Without a TPM only the token without hardware is offered, and that wants a PIN.
        install([software])
        tester.answers = ["1357", "1357"]
        let other = tester.run("chatelaine", "setup", typing: "2\ny\n")
        #expect(other.errorText.contains("no TPM was found") && deviceKey == .software && pin == "1357")
    }

    @Test(arguments: ["", "\n", "2\n", "2\nn\n\n", "2\nn\nno\n", "2\ny\n", "1\n"])
    func `a user who does not agree at the terminal changes nothing`(typed: String) {
        tester.inputIsTerminal = true
        install([tpm, software])
        tester.answers = ["2468", "2468"]
        _ = tester.run("chatelaine", "setup", typing: typed)
        #expect(deviceKey == .file && pin == nil)
    }

    private var pin: String? {
        var pin: [UInt8]?
        tester.keychain.change { pin = $0.pin }
        return pin.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a PIN is set, changed and given up, each with the one before`() {
        install([tpm, software])
        tester.answers = ["2468", "2469"]
        #expect(tester.run("chatelaine", "setup", "--device-key", "tpm", "--pin").errorText.contains("differ"))
        #expect(deviceKey == .file)
        tester.answers = ["2468", "2468"]
        let set = tester.run("chatelaine", "setup", "--device-key", "tpm", "--pin")
        #expect(set.outputText == "The device key is sealed to the TPM, with a PIN now.\n")
        #expect(set.errorText.contains("only with this machine and this PIN"))
        #expect(tester.run("chatelaine", "token").outputText.contains("sealed to the TPM, with a PIN"))
        tester.answers = ["2468", "1357", "1357"]
        #expect(tester.run("chatelaine", "setup", "--pin").status == 0)
        #expect(deviceKey == .tpm && pin == "1357")
        tester.answers = ["2468", "1111", "1111"]
        let wrong = tester.run("chatelaine", "setup", "--pin")
        #expect(wrong.status != 0 && wrong.errorText.contains("the PIN of the device key is wrong"))
        #expect(wrong.errorText.contains("after 2 more wrong PINs"))
        #expect(pin == "1357")
        tester.answers = ["1357"]
        #expect(tester.run("chatelaine", "setup", "--device-key", "tpm").status == 0)
        #expect(deviceKey == .tpm && pin == nil)
    }

    @Test func `an impossible PIN is refused before any prompt`() {
        install([tpm, software])
        tester.answers = []
        for words in [["--device-key", "file", "--pin"], ["--pin"], ["--device-key", "software"]] {
            let outcome = tester.run(["chatelaine", "setup"] + words, input: [])
            #expect(outcome.status == 64 && outcome.errorText.contains("hint: use --device-key"), "\(words)")
        }
        #expect(deviceKey == .file)
    }

    @Test func `unlock asks for the PIN first, and then for the passcode where one is set`() {
        install([tpm], .tpm)
        tester.keychain.change {
            ($0.pin, $0.tokens.pin, $0.lockState) = (Array("2468".utf8), TokenReport.PIN(), .awaitingPIN)
        }
        #expect(tester.run("chatelaine", "status").outputText.contains("the PIN of the device key is needed"))
        let needed = tester.run("chatelaine", "passcode", "status")
        #expect(needed.status != 0 && needed.errorText.contains("hint: run `chatelaine unlock` to enter it"))
        tester.answers = ["1111"]
        let wrong = tester.run("chatelaine", "unlock")
        #expect(wrong.status != 0 && wrong.errorText.contains("after 2 more wrong PINs"))
        tester.answers = ["2468"]
        #expect(tester.run("chatelaine", "unlock").outputText == "Open.\n")
        #expect(tester.keychain.lockState == .noPasscode)
        tester.keychain.setPasscode("pass", state: .awaitingPIN)
        tester.answers = ["2468", "pass"]
        let both = tester.run("chatelaine", "unlock")
        #expect(both.outputText == "Unlocked.\n")
        #expect(both.errorText == "PIN: \nPasscode: \n")
        #expect(tester.keychain.lockState == .unlocked)
    }

    @Test func `a TPM that looks at no PIN any more says when it does again`() {
        let lockedOut = TokenReport.Token(
            .tpm,
            .available(
                .init(
                    manufacturer: "IBM", firmware: "1", place: "/dev/tpmrm0",
                    lockout: .init(failures: 3, limit: 3, interval: 1000))))
        install([lockedOut], .tpm)
        tester.keychain.change { ($0.pin, $0.tokens.pin, $0.lockState) = ([1], TokenReport.PIN(), .awaitingPIN) }
        tester.answers = ["1111"]
        #expect(tester.run("chatelaine", "unlock").errorText.contains("accepts the next PIN in 16 min 40 s"))
    }

    @Test func `setup moves the device key, and back`() {
        install([tpm, software])
        #expect(tester.run("chatelaine", "setup", "--device-key", "tpm", "--dry-run").status == 0)
        #expect(deviceKey == .file)
        let outcome = tester.run("chatelaine", "setup", "--device-key", "tpm")
        #expect(outcome.status == 0 && outcome.outputText == "The device key is sealed to the TPM now.\n")
        #expect(outcome.errorText.contains("chatelaine backup"))
        #expect(deviceKey == .tpm)
        #expect(tester.run("chatelaine", "setup", "--device-key", "tpm").outputText.contains("already"))
        #expect(tester.run("chatelaine", "setup", "--device-key", "file").status == 0)
        #expect(deviceKey == .file)
    }

    @Test func `without a TPM that answers, setup refuses and says why`() {
        install([software])
        var outcome = tester.run("chatelaine", "setup", "--device-key", "tpm")
        #expect(outcome.status != 0 && outcome.errorText.contains("no TPM is available"))
        install([.init(.tpm, .unavailable("the TPM is gone")), software])
        outcome = tester.run("chatelaine", "setup", "--device-key", "tpm")
        #expect(outcome.status != 0 && outcome.errorText.contains("the TPM is gone"))
        #expect(deviceKey == .file)
    }

    @Test func `where a passcode is set, setup asks for it`() {
        install([tpm])
        tester.keychain.setPasscode("1234")
        tester.answers = ["wrong"]
        #expect(tester.run("chatelaine", "setup", "--device-key", "tpm").status != 0)
        #expect(deviceKey == .file)
        tester.answers = ["1234"]
        #expect(tester.run("chatelaine", "setup", "--device-key", "tpm").status == 0)
        #expect(deviceKey == .tpm)
    }
}
