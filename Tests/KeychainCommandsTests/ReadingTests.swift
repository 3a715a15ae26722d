// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite("chatelaine get and remove")
struct ReadingTests {
    let tester = CommandLineTester()

    @Test func `the bytes come as they are, and a newline`() throws {
        try tester.keychain.put("x", secret: [0, 0xFF, 0x0A, 0x61])
        #expect(tester.run("chatelaine", "get", "x") == .init(status: 0, output: [0, 0xFF, 0x0A, 0x61, 0x0A]))
        #expect(tester.run("chatelaine", "get", "x", "-n").output == [0, 0xFF, 0x0A, 0x61])
        #expect(tester.run("chatelaine", "get", "x", "--no-newline").output == [0, 0xFF, 0x0A, 0x61])
    }

    @Test func `a user means that user's item only`() throws {
        try tester.keychain.put("x", user: "a", secret: [0x61])
        try tester.keychain.put("x", user: "b", secret: [0x62])
        #expect(tester.run("chatelaine", "get", "x", "-u", "b").output == [0x62, 0x0A])
        let outcome = tester.run("chatelaine", "get", "x")
        #expect(outcome.status == 3)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText == "error: there is no item \"x\"\nhint: choose a user with --user: a, b\n")
    }

    @Test func `a missing item has an exit status of its own`() {
        let outcome = tester.run("chatelaine", "get", "x", "--user", "u")
        #expect(outcome.status == 3)
        #expect(
            outcome.errorText
                == "error: there is no item \"x\" (user u)\nhint: `chatelaine list` shows the items\n")
    }

    @Test(arguments: [
        ("installed:/usr/bin/mail", "/usr/bin/mail"),
        ("unsigned:0123456789abcdef0123456789abcdef", "unsigned:0123456789ab…"),
    ])
    func `another program's item is refused with that program's name`(group: String, program: String) throws {
        try tester.keychain.put("x", group: group)
        for command in ["get", "remove"] {
            let outcome = tester.run("chatelaine", command, "x")
            #expect(outcome.status == 4)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errorText.hasPrefix("error: \"x\" belongs to another program (\(program))\nhint: "))
        }
        #expect(tester.keychain.items.count == 1)
    }

    @Test func `the own item is preferred to one of the same name`() throws {
        try tester.keychain.put("x", secret: [0x31], group: "installed:/usr/bin/a")
        try tester.keychain.put("x", secret: [0x32])
        try tester.keychain.put("x", secret: [0x33], group: "installed:/usr/bin/b")
        #expect(tester.run("chatelaine", "get", "x").output == [0x32, 0x0A])
        #expect(tester.run("chatelaine", "remove", "x").outputText == "Removed \"x\".\n")
        #expect(tester.keychain.items.map(\.secret) == [[0x31], [0x33]])
    }

    @Test func `reading takes two requests`() throws {
        try tester.keychain.put("x")
        _ = tester.run("chatelaine", "get", "x")
        #expect(tester.keychain.requests == [.copyMatching, .copyMatching])
    }

    @Test func `removing deletes the item`() throws {
        try tester.keychain.put("x", user: "u")
        try tester.keychain.put("y")
        #expect(tester.run("chatelaine", "remove", "x", "-u", "u").outputText == "Removed \"x\" (user u).\n")
        #expect(tester.keychain.items.map { $0.attributes[.service] } == [.string("y")])
        #expect(tester.run("chatelaine", "remove", "x").status == 3)
    }

    @Test func `JSON holds text as text and other bytes in base64`() throws {
        try tester.keychain.put("x", user: "u", secret: Array("pä\u{1}\"".utf8))
        #expect(
            tester.run("chatelaine", "get", "x", "-u", "u", "--json").outputText == """
                {
                  "name": "x",
                  "user": "u",
                  "group": "chatelaine",
                  "secret": "pä\\u0001\\""
                }

                """)
        try tester.keychain.put("b", secret: [0xFF, 0, 0x61, 0x62])
        #expect(tester.run("chatelaine", "get", "b", "--json").outputText.contains("\"base64\": \"/wBhYg==\""))
    }

    @Test func `a service that cannot be reached has an exit status and a hint`() {
        tester.keychain.change {
            $0.failure = .unavailable("no service listens at /run/user/1/chatelaine/socket", hint: "start it")
        }
        for words in [["get", "x"], ["list"], ["status"], ["remove", "x"]] {
            let outcome = tester.run(["chatelaine"] + words, input: [])
            #expect(outcome.status == 5)
            #expect(
                outcome.errorText == "error: no service listens at /run/user/1/chatelaine/socket\nhint: start it\n")
        }
    }

    @Test func `a request that the user denied is reported as such`() {
        tester.keychain.change { $0.failure = .refused(Refusal(.authenticationFailed, .none)) }
        #expect(
            tester.run("chatelaine", "get", "x")
                == .init(status: 4, errors: Array("error: the request was denied in its prompt\n".utf8)))
    }

    @Test(arguments: Refusal.Reason.allCases) func `each refusal is told in words`(reason: Refusal.Reason) {
        tester.keychain.change { $0.failure = .refused(Refusal(.interactionNotAllowed, reason)) }
        let outcome = tester.run("chatelaine", "get", "x")
        #expect([1, 4, 5].contains(outcome.status))
        #expect(outcome.errorText.hasPrefix("error: "))
        #expect(outcome.output.isEmpty)
    }

    @Test func `another protocol is told as such`() {
        tester.keychain.change { $0.failure = .protocolViolation(.version(9)) }
        #expect(tester.run("chatelaine", "get", "x").errorText.contains("uses another protocol version"))
    }

    @Test func `a closed standard output is an error`() throws {
        try tester.keychain.put("x", secret: Array("hunter2".utf8))
        tester.outputFails = true
        let outcome = tester.run("chatelaine", "get", "x")
        #expect(outcome.status == 1)
        #expect(outcome.errorText == "error: cannot write to standard output: Broken pipe\n")
    }

    @Test func `names in messages cannot move the cursor`() {
        let outcome = tester.run("chatelaine", "get", "\u{1B}[2Jx\n\u{202E}")
        #expect(outcome.errorText.hasPrefix("error: there is no item \"\\u{1b}[2Jx\\u{a}\\u{202e}\"\n"))
    }
}
