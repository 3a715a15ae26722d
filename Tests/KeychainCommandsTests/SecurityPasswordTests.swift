// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("security: generic passwords")
struct SecurityPasswordTests {
    let tester = CommandLineTester()

    private func add(_ more: String...) -> CommandLineTester.Outcome {
        tester.run(["security", "add-generic-password", "-a", "a", "-s", "s"] + more, input: [])
    }

    private func find(_ more: String...) -> CommandLineTester.Outcome {
        tester.run(["security", "find-generic-password"] + more, input: [])
    }

    @Test(
        arguments: [
            ([], ""), ([0x61], "\"a\""), (Array("a b~".utf8), "\"a b~\""), (Array("a\"b".utf8), "\"a\"b\""),
            ([0x5C], "0x5C "), (Array("a\\".utf8), "0x615C  \"a\\134\""), ([0, 0xFF], "0x00FF "),
            ([0x50, 0x0A], "0x500A  \"P\\012\""), (Array("é!".utf8), "0xC3A921  \"\\303\\251!\""),
        ] as [([UInt8], String)])
    func `bytes are printed as macOS prints them`(bytes: [UInt8], text: String) {
        #expect(String(decoding: printedBuffer(bytes), as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (0x6E6F_7465, "\"note\""), (0x50, "0x00000050  \"\\000\\000\\000P\""), (0, "0x00000000 "),
        ] as [(UInt32, String)])
    func `numbers are printed as four bytes`(number: UInt32, text: String) {
        #expect(String(decoding: printedBuffer(number), as: UTF8.self) == text)
    }

    @Test func `a missing item exits with 44`() {
        let outcome = find("-s", "none")
        #expect(outcome.status == 44)
        #expect(
            outcome.errorText
                == "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n")
    }

    @Test func `a second addition exits with 45, and with -U it changes the item`() {
        #expect(add("-w", "p") == .init(status: 0))
        let second = add("-w", "q")
        #expect(second.status == 45)
        #expect(
            second.errorText == """
                security: SecKeychainItemCreateFromContent (<default>): The specified item already exists in the keychain.

                """)
        #expect(add("-w", "q", "login.keychain").errorText.contains("(login.keychain)"))
        #expect(find("-s", "s", "-w").outputText == "p\n")
        #expect(add("-U", "-w", "q").status == 0)
        #expect(find("-s", "s", "-w").outputText == "q\n")
        #expect(tester.keychain.items.count == 1)
    }

    @Test func `-U adds a missing item and leaves the password alone when none is given`() {
        #expect(add("-U", "-w", "p").status == 0)
        #expect(add("-U", "-j", "note").status == 0)
        #expect(tester.keychain.items.first?.secret == Array("p".utf8))
        #expect(tester.keychain.items.first?.attributes[.comment] == .string("note"))
        #expect(tester.keychain.items.first?.attributes[.label] == .string("s"))
    }

    @Test func `account and service are required`() {
        let outcome = tester.run("security", "add-generic-password", "-a", "a", "-w", "p")
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("Usage: add-generic-password [-a account]"))
    }

    @Test func `passwords are taken in every way`() {
        #expect(add().status == 0)
        #expect(tester.keychain.items.last?.secret == [])
        for (words, secret) in [(["-p", "x"], [0x78]), (["-X", "00fF"], [0, 0xFF]), (["-wy"], [0x79])]
            as [([String], [UInt8])]
        {
            let outcome = tester.run(
                ["security", "add-generic-password", "-U", "-a", "a", "-s", "s"] + words, input: [])
            #expect(outcome.status == 0)
            #expect(tester.keychain.items.last?.secret == secret)
        }
        #expect(add("-X", "0").status == 1)
        #expect(add("-X", "zz").status == 1)
    }

    @Test func `-w at the end asks twice, three times at most`() {
        tester.answers = ["p", "q", "r", "r"]
        let outcome = add("-w")
        #expect(outcome.status == 0)
        #expect(tester.keychain.items.first?.secret == Array("r".utf8))
        let questions = "password data for new item: \nretype password for new item: \n"
        #expect(outcome.errorText == questions + "passwords don't match\n" + questions)
        tester.answers = ["1", "2", "3", "4", "5", "6"]
        #expect(add("-U", "-w").status == 1)
        #expect(tester.keychain.items.first?.secret == Array("r".utf8))
    }

    @Test func `access for other programs is accepted, and a note says that it has no effect`() {
        let note =
            "security: -A and -T have no effect in the data-protection keychain; create the item in a keychain file\n"
        for words in [["-T", ""], ["-A"], ["-T", "/usr/bin/x"], ["-A", "-T", "/usr/bin/x", "-T", ""]] {
            let outcome = tester.run(
                ["security", "add-generic-password", "-U", "-a", "a", "-s", "s", "-w", "p"] + words, input: [])
            #expect(outcome == .init(status: 0, errors: Array(note.utf8)))
        }
        #expect(add("-U", "-w", "p") == .init(status: 0))
    }

    @Test(arguments: ["", "abc", "abcde", "äöü"]) func `codes have four characters`(code: String) {
        #expect(add("-c", code).status == 1)
        #expect(add("-C", code).status == 1)
        #expect(find("-c", code).status == 1)
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `a listing has a line for each attribute`() throws {
        #expect(add("-w", "p").status == 0)
        try expectSnapshot(find("-s", "s").outputText, "find-plain.txt")
        _ = add("-U", "-c", "crea", "-C", "note", "-D", "kind", "-G", "gen\\eric", "-j", "ünï", "-l", "L\"")
        let outcome = find("-a", "a")
        #expect(outcome.errors.isEmpty)
        try expectSnapshot(outcome.outputText, "find-full.txt")
    }

    @Test func `-g shows the password on standard error`() {
        _ = add("-w", "p")
        let outcome = find("-s", "s", "-g")
        #expect(outcome.outputText == find("-s", "s").outputText)
        #expect(outcome.errorText == "password: \"p\"\n")
        _ = add("-U", "-X", "00ff")
        #expect(find("-s", "s", "-g").errorText == "password: 0x00FF \n")
    }

    @Test(arguments: [("00ff", "00ff\n"), ("61", "a\n"), ("5c20", "\\ \n"), ("c3a9", "c3a9\n"), ("", "\n")])
    func `-w shows only the password, in digits where it is not printable`(hexadecimal: String, line: String) {
        _ = add("-X", hexadecimal)
        #expect(find("-a", "a", "-s", "s", "-w") == .init(status: 0, output: Array(line.utf8)))
    }

    @Test func `each filter is looked at, unless account and service name the item`() {
        _ = add("-c", "crea", "-C", "type", "-D", "kind", "-G", "gen", "-j", "comment", "-l", "label", "-w", "p")
        for (letter, value) in [
            ("a", "a"), ("s", "s"), ("c", "crea"), ("C", "type"), ("D", "kind"), ("G", "gen"), ("j", "comment"),
            ("l", "label"),
        ] {
            #expect(find("-\(letter)", value, "-w").outputText == "p\n")
            #expect(find("-\(letter)", "none", "-w").status == 44)
        }
        #expect(find("-a", "a", "-l", "none").status == 44)
        #expect(find("-a", "a", "-s", "s", "-l", "none").status == 0)
        #expect(find().status == 0)
    }

    @Test func `another program's password is refused without a word`() throws {
        try tester.keychain.put("s", user: "a", group: "installed:/usr/bin/other")
        #expect(find("-s", "s").status == 0)
        #expect(find("-s", "s", "-w") == .init(status: 36))
        #expect(find("-s", "s", "-g") == .init(status: 36))
        _ = add("-w", "mine")
        #expect(find("-s", "s", "-w").outputText == "mine\n")
    }

    @Test func `deleting needs a filter and shows what it deletes`() throws {
        #expect(tester.run("security", "delete-generic-password").status == 2)
        #expect(tester.run("security", "delete-generic-password", "-s", "s").status == 44)
        _ = add("-w", "p")
        let listing = find("-s", "s").output
        let outcome = tester.run("security", "delete-generic-password", "-s", "s")
        #expect(outcome == .init(status: 0, output: listing, errors: Array("password has been deleted.\n".utf8)))
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `what was not deleted is not said to be`() throws {
        try tester.keychain.put("s", group: "installed:/usr/bin/other")
        let outcome = tester.run("security", "delete-generic-password", "-s", "s")
        #expect(outcome.status == 36)
        #expect(outcome.errorText == "security: SecKeychainItemDelete: User interaction is not allowed.\n")
    }

    @Test(arguments: [
        "login", "login.keychain", "/Users/u/Library/Keychains/login.keychain-db",
        "/home/u/.local/share/chatelaine/keychain.db",
    ])
    func `the keychain has several names`(name: String) {
        #expect(add("-w", "p", name).status == 0)
        #expect(find("-s", "s", "-w", name).outputText == "p\n")
        #expect(tester.run("security", "delete-generic-password", "-s", "s", name).status == 0)
    }

    @Test func `an unknown keychain exits with 50`() {
        let message = "The specified keychain could not be found.\n"
        #expect(
            find("-s", "s", "other")
                == .init(status: 50, errors: Array("security: SecKeychainSearchCopyNext: \(message)".utf8)))
        #expect(add("-w", "p", "other").errorText == "security: SecKeychainItemCreateFromContent (other): \(message)")
        #expect(add("-w", "p", "other").status == 50)
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `a program that the service does not inspect is refused with the reason and what to do`() {
        tester.keychain.change { $0.failure = .refused(Refusal(.parameter, .notInspectable)) }
        let outcome = tester.run("security", "add-generic-password", "-a", "a", "-s", "s", "-w", "p", "-T", "/x", "/k")
        #expect(outcome.status == StatusCode.parameter.rawValue & 0xFF)
        let lines = outcome.errorText.split(separator: "\n").suffix(2)
        #expect(
            lines == [
                "security: the process or program does not exist, or belongs to another user",
                "security: use the ID of one of your processes, or the path of a program that is yours, or that root "
                    + "installed where only root can write",
            ])
    }

    @Test func `a service that cannot be reached exits with 53 and says why`() {
        tester.keychain.change { $0.failure = .unavailable("nobody listens") }
        let outcome = find("-s", "s")
        #expect(outcome.status == 53)
        #expect(outcome.errorText.hasSuffix("\nsecurity: nobody listens\n"))
    }
}
