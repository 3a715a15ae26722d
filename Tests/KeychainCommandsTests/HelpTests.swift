// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    @Test func `each command explains itself`() throws {
        let list = tester.run("chatelaine", "--experimental-dump-help").output
        let commands = try JSONDecoder().decode(ListedProgram.self, from: Data(list)).command.words
        #expect(commands.contains(["protector", "add", "recovery-key"]))
        for words in commands {
            let outcome = tester.run(["chatelaine", "help"] + words, input: [])
            #expect(outcome.status == 0)
            #expect(outcome == tester.run(["chatelaine"] + words + ["--help"], input: []))
            try expectSnapshot(outcome.outputText, "help-\(words.joined(separator: "-")).txt")
        }
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

/// The list of all commands that ArgumentParser prints for other tools.
private struct ListedProgram: Decodable {
    let command: ListedCommand
}

private struct ListedCommand: Decodable {
    let commandName: String
    let subcommands: [ListedCommand]?

    /// The words that name each command below this one, without the command `help`, which ArgumentParser adds.
    var words: [[String]] {
        (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
            ([[]] + command.words).map { [command.commandName] + $0 }
        }
    }
}
