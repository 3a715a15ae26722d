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

    private static let misspellings: [([String], String, String?)] = [
        (["lst"], "lst", "chatelaine list"), (["udpate"], "udpate", nil), (["gte", "a"], "gte", "chatelaine get"),
        (["statsu"], "statsu", "chatelaine status"), (["gen"], "gen", "chatelaine generate"),
        (["frob"], "frob", nil), (["s"], "s", nil),
        (["keychains", "creat", "k"], "creat", "chatelaine keychains create"),
        (["passcode", "st"], "st", "chatelaine passcode status"),
        (["passcode", "chnage"], "chnage", "chatelaine passcode change"),
    ]

    @Test(arguments: misspellings)
    func `a misspelled command gets a suggestion`(words: [String], unknown: String, suggestion: String?) {
        let outcome = tester.run(["chatelaine"] + words, input: [])
        #expect(outcome.status == 64)
        let hint = suggestion.map { "did you mean `\($0)`? " } ?? ""
        #expect(
            outcome.errorText == """
                error: there is no command '\(unknown)'
                hint: \(hint)`chatelaine help` lists the commands; `chatelaine help COMMAND` describes one

                """)
    }

    @Test func `an error in the arguments of a known command is reported as such`() {
        #expect(tester.run("chatelaine", "list", "--frob").errorText.hasPrefix("error: Unknown option '--frob'"))
        #expect(tester.run("chatelaine", "get", "a", "b").errorText.contains("'b'"))
        #expect(
            tester.run("chatelaine", "certificates", "example", "--frob").errorText.hasPrefix(
                "error: Unknown option '--frob'"))
    }

    @Test func `common names of other tools are other names of the commands`() throws {
        try tester.keychain.put("one")
        try tester.keychain.put("two")
        #expect(tester.run("chatelaine", "ls").outputText == tester.run("chatelaine", "list").outputText)
        #expect(tester.run("chatelaine", "rm", "one").outputText == "Removed \"one\".\n")
        #expect(tester.run("chatelaine", "delete", "two").outputText == "Removed \"two\".\n")
    }

    @Test(arguments: ["get", "show", "remove", "rm", "set"])
    func `a shell completes the names of items, without those that it would expand`(verb: String) throws {
        for name in ["github", "git-hub", "größe", "$(touch x)", "git`id`", "git hub", "-g", "gitlab:443", "g\nh"] {
            try tester.keychain.put(name)
        }
        try tester.keychain.put("github", user: "another")
        func names(_ prefix: String) -> [Substring] {
            let outcome = tester.run(
                "chatelaine", "---completion", verb, "--", "positional@0", "2", String(prefix.count), "chatelaine",
                verb, prefix)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
            // ArgumentParser adds a line with a space if a test beside this one generates the functions for bash.
            return outcome.outputText.split(separator: "\n").filter { $0 != " " }
        }
        #expect(names("git") == ["git-hub", "github"])
        #expect(names("") == ["git-hub", "github", "größe"])
        #expect(names("$") == [])
        tester.keychain.setPasscode("x", state: .locked)
        #expect(names("git") == [])
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
