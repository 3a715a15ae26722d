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

    private func install(_ tokens: [TokenReport.Token], _ place: DeviceKeyPlace = .file) {
        tester.keychain.change { $0.tokens = TokenReport(tokens: tokens, deviceKey: place) }
    }

    private var deviceKey: DeviceKeyPlace {
        var place = DeviceKeyPlace.file
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

    @Test func `setup says what is, and changes nothing`() {
        install([tpm, software])
        let outcome = tester.run("chatelaine", "setup")
        #expect(outcome.outputText.contains("in a file") && outcome.outputText.contains("--device-key tpm"))
        install([software])
        #expect(tester.run("chatelaine", "setup").outputText.contains("no TPM"))
        #expect(deviceKey == .file)
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
        #expect(tester.run("chatelaine", "setup", "--device-key", "software").status == 0)
        #expect(deviceKey == .file)
    }

    @Test func `without a TPM that answers, setup refuses and says why`() {
        install([software])
        var outcome = tester.run("chatelaine", "setup", "--device-key", "tpm")
        #expect(outcome.status != 0 && outcome.errorText.contains("there is no TPM"))
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
