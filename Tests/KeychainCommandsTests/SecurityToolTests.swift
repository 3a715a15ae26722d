// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("security: global options and commands")
struct SecurityToolTests {
    let tester = CommandLineTester()

    @Test func `no command prints the usage and exits with 2`() throws {
        let outcome = tester.run("security")
        #expect(outcome.status == 2)
        #expect(outcome.errors.isEmpty)
        try expectSnapshot(outcome.outputText, "security-usage.txt")
    }

    @Test func `an unknown command exits with 1`() {
        let outcome = tester.run("security", "frob")
        #expect(outcome == .init(status: 1, errors: Array("security: unknown command \"frob\"\n".utf8)))
    }

    @Test func `the name of the program decides, and a subcommand does too`() {
        #expect(tester.run("/usr/local/bin/security", "error").status == 2)
        #expect(tester.run("chatelaine", "security", "frob").errorText == "security: unknown command \"frob\"\n")
    }

    @Test(arguments: [
        ("h", "help"), ("l", "list-keychains"), ("list-s", "list-smartcards"), ("d", "default-keychain"),
        ("lo", "login-keychain"), ("c", "create-keychain"), ("create-key", "create-keychain"),
        ("create-keyp", "create-keypair"), ("delete", "delete-keychain"), ("a", "add-generic-password"),
        ("add-i", "add-internet-password"), ("f", "find-generic-password"), ("find-i", "find-internet-password"),
        ("find-id", "find-identity"), ("s", "set-keychain-settings"), ("set-g", "set-generic-password-partition-list"),
        ("e", "export"), ("er", "error"), ("export-", "export-smartcard"), ("i", "import"),
        ("t", "trust-settings-export"),
        ("u", "unlock-keychain"), ("v", "verify-cert"), ("du", "dump-keychain"), ("dump-t", "dump-trust-settings"),
        ("translocate-p", "translocate-policy-check"), ("", "help"),
    ])
    func `a shortened name means the first command of the table`(word: String, name: String) {
        #expect(SecurityCommand.named(word)?.name == name)
    }

    @Test func `help prints the table or usage lines`() throws {
        let table = tester.run("security", "help")
        #expect(table.status == 0)
        #expect(table == tester.run("security", "-h"))
        let one = tester.run("security", "help", "find-g", "error")
        #expect(one.status == 0)
        try expectSnapshot(one.outputText, "security-help-commands.txt")
        #expect(tester.run("security", "-h", "find-g", "error") == one)
        #expect(tester.run("security", "help", "frob").errorText == "security: help: no such command: frob\n")
        #expect(tester.run("security", "help", "frob").status == 1)
    }

    @Test(arguments: [
        ("cms", "openssl cms"), ("authorize", "pkcheck"), ("execute-with-privileges", "pkexec"),
        ("authorizationdb", "polkit"), ("list-smartcards", "pkcs11-tool"), ("export-smartcard", "pkcs11-tool"),
        ("smartcards", "p11-kit"), ("add-trusted-cert", "trust anchor"), ("remove-trusted-cert", "trust anchor"),
        ("user-trust-settings-enable", "trust list"),
        ("trust-settings-export", "trust extract"), ("trust-settings-import", "trust anchor"),
        ("create-db", "create-keychain"), ("install-mds", "no program needs one"), ("leaks", "valgrind"),
        ("create-filevaultmaster-keychain", "cryptsetup"), ("filevault", "cryptsetup"), ("platformsso", "SSSD"),
        ("translocate-create", "realpath"), ("translocate-status-check", "realpath"),
        ("translocate-policy-check", "realpath"), ("translocate-original-path", "realpath"),
        ("requirement-evaluate", "chatelaine whoami"),
    ])
    func `a command that makes no sense here says in one line what there is in its place`(
        command: String, alternative: String
    ) {
        let outcome = tester.run("security", command, "x", "-y")
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("security: \(command): "))
        #expect(outcome.errorText.contains(alternative))
        #expect(outcome.errorText.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        (["-25300"], "Error: 0xFFFF9D2C -25300 The specified item could not be found in the keychain.\n"),
        (["0xFFFF9D2C"], "Error: 0xFFFF9D2C -25300 The specified item could not be found in the keychain.\n"),
        (["7", "x"], "Error: 0x00000007 7 OSStatus 7\nError: 0x00000000 0 OSStatus 0\n"),
    ])
    func `error prints a line for each code and exits with 1`(codes: [String], lines: String) {
        #expect(tester.run(["security", "error"] + codes, input: []) == .init(status: 1, output: Array(lines.utf8)))
    }

    @Test(arguments: ["list-keychains", "default-keychain", "login-keychain"])
    func `the keychain's path is printed in quotes`(command: String) {
        let line = "    \"/home/u/.local/share/chatelaine/keychain.db\"\n"
        #expect(tester.run("security", command) == .init(status: 0, output: Array(line.utf8)))
        #expect(tester.run("security", command, "-d", "user").status == 0)
        #expect(tester.run("security", command, "-d", "frob").status == 2)
        #expect(tester.run("security", command, "name").status == 2)
    }

    @Test(
        arguments: [
            (-25300, 44), (-25299, 45), (-25308, 36), (-25293, 51), (-25294, 50), (-25295, 49), (-25296, 48),
            (-25292, 52),
            (-25291, 53), (-25307, 37), (-25243, 101), (-50, 206), (-61, 195), (-128, 128), (-4, 252), (-1, 255),
        ] as [(Int32, Int32)])
    func `an exit status is the low byte`(code: Int32, status: Int32) {
        #expect(SecurityResult(code: code).exitStatus == status)
    }

    @Test func `verbose runs show the command without its passwords`() {
        let outcome = tester.run("security", "-v", "add-gen", "-a", "a", "-s", "s", "-w", "hunter2")
        #expect(outcome.status == 0)
        #expect(outcome.errorText == "add-generic-password \"-a\" \"a\" \"-s\" \"s\" \"-w\" \"…\"\n")
    }

    @Test func `a mistaken option prints the usage of the command on standard error`() {
        let outcome = tester.run("security", "error")
        #expect(outcome.status == 2)
        #expect(outcome.errorText.hasPrefix("Usage: error <error code(s)...>\n"))
        #expect(outcome.errorText.hasSuffix("\n        Show the messages of error codes.\n"))
    }
}

@Suite("security: interactive mode")
struct SecurityInteractionTests {
    let tester = CommandLineTester()

    @Test(arguments: [
        ("a b\tc", ["a", "b", "c"]), ("  ", []), ("'a b' \"c d\"", ["a b", "c d"]), ("'a'b", ["a", "b"]),
        ("a'b c'", ["a'b", "c'"]), ("a\\ b", ["a b"]), ("'a\\'b'", ["a'b"]), ("\"'\"", ["'"]), ("'' x", ["", "x"]),
        ("'open end", ["open end"]), ("\\'a b", ["'a", "b"]), ("a\\", ["a"]), ("\\\\", ["\\"]), ("a\r", ["a"]),
    ])
    func `a line is split into words`(line: String, words: [String]) {
        #expect(CommandWords.split(line.utf8).map { String(decoding: $0, as: UTF8.self) } == words)
    }

    @Test func `words behind the thirty-second are ignored`() {
        let line = (1...40).map(String.init).joined(separator: " ")
        #expect(CommandWords.split(line.utf8).count == 32)
        #expect(CommandWords.split(line.utf8).last == Array("32".utf8))
    }

    @Test func `commands are read until the end and the last one's result is the exit status`() {
        let lines =
            "add-generic-password -a a -s 'my s' -w 'p w'\n\nfind-generic-password -a a -s 'my s' -w\nfind-g -s none\n"
        let outcome = tester.run("security", "-i", typing: lines)
        #expect(outcome.status == 44)
        #expect(outcome.outputText == "p w\n")
        #expect(
            outcome.errorText == """
                security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.
                find-g: returned -25300

                """)
        #expect(tester.run("security", "-i", typing: "find-g -s none\nhelp help\n").status == 0)
        #expect(tester.run("security", "-i", typing: "").status == 0)
    }

    @Test func `quiet mode leaves the result lines out`() {
        let outcome = tester.run("security", "-iq", typing: "frob\n")
        #expect(outcome == .init(status: 1, errors: Array("security: unknown command \"frob\"\n".utf8)))
    }

    @Test func `a prompt appears only on a terminal, on standard error`() {
        #expect(tester.run("security", "-p", "> ", typing: "help help\n").errors.isEmpty)
        tester.inputIsTerminal = true
        #expect(tester.run("security", "-p", "> ", typing: "help help\n").errorText == "> > ")
        #expect(tester.run("security", "-i", typing: "").errorText == "security> ")
    }

    @Test func `a line that is no text or has a NUL byte runs nothing`() {
        for bytes in [[0xFF], [0x61, 0x00]] as [[UInt8]] {
            let outcome = tester.run("security", "-i", input: Array("error ".utf8) + bytes + [0x0A])
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
        }
    }

    @Test func `a password is read from the following lines where there is no terminal`() {
        let outcome = tester.run(
            "security", "-i", typing: "add-generic-password -a a -s s -w\npw\npw\nfind-g -s s -w\n")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "pw\n")
    }
}
