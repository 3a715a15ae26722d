// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("help, version and completion")
struct HelpTests {
    let tester = CommandLineTester()

    @Test func `without a command the help is printed`() throws {
        let outcome = tester.run("chatelaine")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == tester.run("chatelaine", "--help").outputText)
        try expectSnapshot(outcome.outputText, "help.txt")
    }

    @Test(arguments: [
        "set", "get", "list", "remove", "export", "import", "explain", "status", "unlock", "lock", "passcode",
        "protector", "settings", "log", "show", "backup", "restore", "verify", "salvage", "codesign",
        "team-key", "teams", "whoami", "grants", "enforce", "certificates", "keys", "identities", "token", "keychains",
        "setup",
        "generate", "strength", "doctor",
    ])
    func `each command explains itself`(command: String) throws {
        let outcome = tester.run("chatelaine", "help", command)
        #expect(outcome.status == 0)
        #expect(outcome.outputText == tester.run("chatelaine", command, "--help").outputText)
        try expectSnapshot(outcome.outputText, "help-\(command).txt")
    }

    @Test func `the version is a line on standard output`() {
        #expect(
            tester.run("chatelaine", "--version") == .init(status: 0, output: Array("\(ProductVersion.current)\n".utf8))
        )
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `completion scripts are generated`(shell: String) {
        let outcome = tester.run("chatelaine", "--generate-completion-script", shell)
        #expect(outcome.status == 0)
        #expect(outcome.outputText.contains("remove"))
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [["frob"], ["get"], ["get", "a", "b"], ["list", "--frob"], ["get", "--user"], ["--frob"]])
    func `wrong usage goes to standard error with its own exit status`(words: [String]) {
        let outcome = tester.run(["chatelaine"] + words, input: [])
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("error: "))
        #expect(outcome.errorText.contains("\nhint: "))
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `help needs no keychain`() {
        _ = tester.run("chatelaine", "--help")
        #expect(tester.keychain.requests.isEmpty)
    }
}
