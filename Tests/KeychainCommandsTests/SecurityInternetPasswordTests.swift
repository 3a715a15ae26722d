// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("security: internet passwords")
struct SecurityInternetPasswordTests {
    let tester = CommandLineTester()

    private func add(_ more: String...) -> CommandLineTester.Outcome {
        tester.run(["security", "add-internet-password", "-a", "a", "-s", "h"] + more, input: [])
    }

    private func find(_ more: String...) -> CommandLineTester.Outcome {
        tester.run(["security", "find-internet-password"] + more, input: [])
    }

    @Test func `a missing item exits with 44`() {
        let message = "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n"
        #expect(find("-s", "none") == .init(status: 44, errors: Array(message.utf8)))
    }

    @Test func `a second addition exits with 45, and with -U it changes the item`() {
        #expect(add("-w", "p") == .init(status: 0))
        let second = add("-w", "q")
        #expect(second.status == 45)
        let message = "The specified item already exists in the keychain.\n"
        #expect(second.errorText == "security: SecKeychainAddInternetPassword <NULL>: \(message)")
        #expect(
            add("-w", "q", "login.keychain").errorText
                == "security: SecKeychainAddInternetPassword login.keychain: \(message)")
        #expect(find("-s", "h", "-w").outputText == "p\n")
        #expect(add("-U", "-w", "q", "-j", "note").status == 0)
        #expect(find("-s", "h", "-w").outputText == "q\n")
        #expect(tester.keychain.items.count == 1)
        #expect(tester.keychain.items[0].attributes[.comment] == .string("note"))
        #expect(tester.keychain.items[0].attributes[.label] == .string("h"))
    }

    @Test func `each part of the address makes another item`() {
        #expect(add("-w", "0").status == 0)
        for (index, words) in [
            ["-d", "domain"], ["-p", "/path"], ["-P", "8080"], ["-r", "http"], ["-t", "form"],
        ].enumerated() {
            let outcome = tester.run(
                ["security", "add-internet-password", "-a", "a", "-s", "h", "-U", "-w", "\(index + 1)"] + words,
                input: [])
            #expect(outcome.status == 0)
            #expect(tester.keychain.items.count == index + 2)
            let found = tester.run(["security", "find-internet-password", "-s", "h", "-w"] + words, input: [])
            #expect(found.outputText == "\(index + 1)\n")
        }
        // With all attributes equal, -U changes the matching item.
        #expect(add("-U", "-r", "http", "-w", "new").status == 0)
        #expect(tester.keychain.items.count == 6)
        #expect(find("-r", "http", "-w").outputText == "new\n")
        #expect(add("-U", "-w", "plain").status == 0)
        #expect(tester.keychain.items.count == 6)
        #expect(tester.keychain.items[0].secret == Array("plain".utf8))
    }

    @Test func `account and server are required`() {
        let outcome = tester.run("security", "add-internet-password", "-a", "a", "-w", "p")
        #expect(outcome.status == 2)
        #expect(outcome.errorText.hasPrefix("Usage: add-internet-password [-a account] [-s server]"))
        #expect(tester.run("security", "add-internet-password", "-s", "h", "-w", "p").status == 2)
        #expect(tester.run("security", "add-internet-password", "-a", "a", "-s", "h", "-G", "g").status == 2)
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `-p is the path and no password`() {
        #expect(add("-p", "/x").status == 0)
        #expect(tester.keychain.items.first?.secret == [])
        #expect(tester.keychain.items.first?.attributes[.path] == .string("/x"))
    }

    @Test func `the protocol and the authentication type stay text, as the constants are`() {
        #expect(add("-r", "htps", "-t", "form", "-P", "8443").status == 0)
        let attributes = tester.keychain.items.first?.attributes
        #expect(attributes?[.protocol] == .string("htps"))
        #expect(attributes?[.authenticationType] == .string("form"))
        #expect(attributes?[.port] == .number(8443))
    }

    @Test(arguments: ["", "abc", "abcde", "äöü"]) func `codes have four characters`(code: String) {
        for letter in ["-c", "-C", "-r", "-t"] {
            #expect(add(letter, code).status == 1)
            #expect(find(letter, code).errorText.hasSuffix("a four-character code has exactly four characters\n"))
        }
        #expect(tester.keychain.items.isEmpty)
    }

    @Test(arguments: ["-1", "65536", "x", "", "80x"]) func `a port is a number of 16 bits`(port: String) {
        let outcome = add("-P", port)
        #expect(outcome.status == 1)
        #expect(outcome.errorText == "security: port: a number from 0 to 65535 is expected\n")
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `a listing has a line for each attribute`() throws {
        #expect(add("-w", "p").status == 0)
        try expectSnapshot(find("-s", "h").outputText, "find-internet-plain.txt")
        _ = tester.run("security", "delete-internet-password", "-s", "h")
        _ = add(
            "-c", "crea", "-C", "note", "-D", "kind", "-d", "do\\main", "-j", "ünï", "-l", "L\"", "-p", "/p", "-P",
            "80",
            "-r", "ftp ", "-t", "http")
        try expectSnapshot(find("-a", "a").outputText, "find-internet-full.txt")
    }

    @Test func `each filter is looked at, unless the whole address and the account are given`() {
        let all = [
            ("a", "a"), ("s", "h"), ("d", "d"), ("p", "/p"), ("P", "80"), ("r", "http"), ("t", "form"), ("c", "crea"),
            ("C", "type"), ("D", "kind"), ("j", "comment"), ("l", "label"),
        ]
        let words = all.flatMap { ["-\($0)", $1] }
        #expect(tester.run(["security", "add-internet-password", "-w", "p"] + words, input: []).status == 0)
        for (letter, value) in all {
            #expect(find("-\(letter)", value, "-w").outputText == "p\n")
            let other = letter == "P" ? "81" : "none"
            #expect(find("-\(letter)", other, "-w").status == 44)
        }
        let key = all.prefix(7).flatMap { ["-\($0)", $1] }
        func run(_ words: [String]) -> Int32 {
            tester.run(["security", "find-internet-password"] + words, input: []).status
        }
        #expect(run(key + ["-l", "none"]) == 0)
        #expect(run(Array(key.dropLast(2)) + ["-l", "none"]) == 44)
    }

    @Test func `generic and internet passwords do not see each other`() {
        _ = add("-w", "internet")
        _ = tester.run("security", "add-generic-password", "-a", "a", "-s", "h", "-w", "generic")
        #expect(find("-a", "a", "-w").outputText == "internet\n")
        #expect(tester.run("security", "find-generic-password", "-a", "a", "-w").outputText == "generic\n")
        #expect(tester.run("security", "delete-internet-password", "-a", "a").status == 0)
        #expect(tester.keychain.items.map(\.secret) == [Array("generic".utf8)])
    }

    @Test func `-g shows the password on standard error`() {
        _ = add("-X", "00ff70")
        let outcome = find("-s", "h", "-g")
        #expect(outcome.outputText == find("-s", "h").outputText)
        #expect(outcome.errorText == "password: 0x00FF70  \"\\000\\377p\"\n")
    }

    @Test func `another program's password is refused without a word`() throws {
        try tester.keychain.put(server: "h", user: "a", group: "installed:/usr/bin/other")
        #expect(find("-s", "h").status == 0)
        #expect(find("-s", "h", "-w") == .init(status: 36))
    }

    @Test func `deleting needs a filter and shows what it deletes`() {
        #expect(tester.run("security", "delete-internet-password").status == 2)
        #expect(tester.run("security", "delete-internet-password", "-s", "h").status == 44)
        _ = add("-w", "p")
        let listing = find("-s", "h").output
        let outcome = tester.run("security", "delete-internet-password", "-s", "h")
        #expect(outcome == .init(status: 0, output: listing, errors: Array("password has been deleted.\n".utf8)))
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `an unknown keychain exits with 50`() {
        let outcome = add("-w", "p", "other")
        #expect(outcome.status == 50)
        #expect(
            outcome.errorText
                == "security: SecKeychainAddInternetPassword other: The specified keychain could not be found.\n")
    }
}

@Suite("security dump-keychain")
struct DumpKeychainTests {
    let tester = CommandLineTester()

    private func fill() throws {
        try tester.keychain.put(server: "h", user: "a", secret: Array("web".utf8))
        try tester.keychain.put("s", user: "a", secret: [0, 0xFF])
        try tester.keychain.put("foreign", group: "installed:/usr/bin/other")
    }

    private func dump(_ words: String...) -> CommandLineTester.Outcome {
        tester.run(["security", "dump-keychain"] + words, input: [])
    }

    @Test func `every item is listed, the generic passwords first`() throws {
        try fill()
        let outcome = dump()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        try expectSnapshot(outcome.outputText, "dump.txt")
        #expect(dump("login.keychain") == outcome)
    }

    @Test func `an empty keychain is no error`() {
        #expect(dump() == .init(status: 0))
        #expect(dump("-d") == .init(status: 0))
    }

    @Test func `-d shows the passwords that the command may read, and says which it may not`() throws {
        try fill()
        let outcome = dump("-d")
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText
                == "security: SecKeychainItemCopyAttributesAndData: User interaction is not allowed.\n")
        #expect(outcome.outputText.contains("\"type\"<uint32>=<NULL>\ndata:\n0x00FF \nkeychain: "))
        #expect(outcome.outputText.hasSuffix("\"type\"<uint32>=<NULL>\ndata:\n\"web\"\n"))
        #expect(outcome.outputText.split(separator: "\n").count { $0 == "data:" } == 2)
    }

    @Test func `-a says that items have no access control lists`() throws {
        try tester.keychain.put("s")
        let outcome = dump("-ad")
        #expect(outcome.status == 0)
        #expect(outcome.outputText.hasSuffix("\ndata:\n\"secret\"\nno access control for this item\n"))
    }

    @Test(arguments: ["-r", "-dr"]) func `encrypted data is not shown`(option: String) throws {
        try fill()
        let outcome = dump(option)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errorText
                == "security: dump-keychain: the encrypted data of items never leaves the service\n")
    }

    @Test func `-i asks nothing about items that have no access control`() throws {
        try fill()
        #expect(dump("-i") == .init(status: 0, output: dump("-a").output))
    }

    @Test func `-o writes a file for its owner alone`() throws {
        try fill()
        let folder = try ScratchFolder()
        try Data("old".utf8).write(to: folder.url("dump"))
        #expect(dump("-d", "-o", folder.path("dump")).output.isEmpty)
        #expect(try folder.bytes("dump") == dump("-d").output)
        #expect(try folder.mode("dump") == 0o600)
        #expect(try folder.names() == ["dump"])
        let outcome = dump("-o", folder.path("none/dump"))
        #expect(outcome.status == 1)
        #expect(outcome.errorText == "security: \(folder.path("none/dump")): No such file or directory\n")
    }

    @Test func `another keychain or another option is a failure`() {
        let message = "security: SecKeychainSearchCopyNext: The specified keychain could not be found.\n"
        #expect(dump("other") == .init(status: 1, errors: Array(message.utf8)))
        #expect(dump("-z").status == 2)
        #expect(dump("-o").status == 2)
        tester.keychain.change { $0.failure = .unavailable("nobody listens") }
        #expect(dump().status == 1)
        #expect(dump().errorText.hasSuffix("security: nobody listens\n"))
    }
}
