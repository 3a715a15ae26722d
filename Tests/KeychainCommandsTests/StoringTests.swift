// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine set")
struct StoringTests {
    let tester = CommandLineTester()

    @Test func `what standard input holds is stored without its last newline`() {
        let outcome = tester.run("chatelaine", "set", "github", "--user", "octo", typing: "hunter2\n")
        #expect(outcome == .init(status: 0, output: Array("Stored \"github\" (user octo).\n".utf8)))
        let item = tester.keychain.items.first
        #expect(item?.secret == Array("hunter2".utf8))
        #expect(item?.attributes[.service] == .string("github"))
        #expect(item?.attributes[.account] == .string("octo"))
        #expect(item?.attributes[.label] == .string("github"))
    }

    @Test func `only one newline is removed`() {
        _ = tester.run("chatelaine", "set", "x", typing: "a\n\n")
        #expect(tester.keychain.items.first?.secret == Array("a\n".utf8))
    }

    @Test func `any bytes can be stored`() {
        let bytes = (0...255).map { UInt8($0) } + [0xFF, 0xFE, 0]
        #expect(tester.run("chatelaine", "set", "x", input: bytes).status == 0)
        #expect(tester.keychain.items.first?.secret == bytes)
    }

    @Test func `a second time the item gets the new secret and keeps its label and comment`() {
        _ = tester.run("chatelaine", "set", "x", "--label", "L", "--comment", "C", typing: "one")
        let outcome = tester.run("chatelaine", "set", "x", "--comment", "D", typing: "two")
        #expect(outcome.outputText == "Replaced \"x\".\n")
        #expect(tester.keychain.items.count == 1)
        #expect(tester.keychain.items[0].secret == Array("two".utf8))
        #expect(tester.keychain.items[0].attributes[.label] == .string("L"))
        #expect(tester.keychain.items[0].attributes[.comment] == .string("D"))
    }

    @Test func `another program's item of the same name stays as it is`() throws {
        try tester.keychain.put("x", secret: [1], group: "installed:/usr/bin/other")
        _ = tester.run("chatelaine", "set", "x", typing: "mine")
        #expect(tester.run("chatelaine", "set", "x", typing: "mine again").outputText == "Replaced \"x\".\n")
        #expect(tester.keychain.items.map(\.secret) == [[1], Array("mine again".utf8)])
    }

    @Test func `on a terminal the secret is asked for twice`() {
        tester.inputIsTerminal = true
        tester.answers = ["pass word ", "pass word "]
        let outcome = tester.run("chatelaine", "set", "x")
        #expect(
            outcome.errorText == "Secret for \"x\": \nOnce more: \nStrength: good, about 10^8 guesses.\n")
        #expect(tester.keychain.items.first?.secret == Array("pass word ".utf8))
    }

    @Test func `two different entries store nothing`() {
        tester.inputIsTerminal = true
        tester.answers = ["one", "two"]
        let outcome = tester.run("chatelaine", "set", "x")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasSuffix("error: the two entries differ\nhint: nothing was stored; try again\n"))
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `an empty secret is stored only when it is meant`() {
        #expect(tester.run("chatelaine", "set", "x", typing: "\n").status == 1)
        #expect(tester.keychain.items.isEmpty)
        #expect(tester.run("chatelaine", "set", "x", "--allow-empty", typing: "\n").status == 0)
        #expect(tester.keychain.items.first?.secret == [])
    }

    @Test func `the largest secret fits, with a newline behind it, and one byte more does not`() {
        let largest = [UInt8](repeating: 0x61, count: ItemLimits.secretBytes)
        #expect(tester.run(["chatelaine", "set", "x"], input: largest + [0x0A]).status == 0)
        #expect(tester.keychain.items.first?.secret.count == ItemLimits.secretBytes)
        let outcome = tester.run(["chatelaine", "set", "y"], input: largest + [0x61])
        #expect(outcome.status == 1)
        #expect(outcome.errorText == "error: the secret is larger than 16 MiB\nhint: nothing was stored\n")
        #expect(tester.run(["chatelaine", "set", "y"], input: largest + [0x61, 0x61]).status == 1)
        #expect(tester.keychain.items.count == 1)
    }

    @Test(arguments: ["", "a\u{0}b"]) func `a name that no item can have is a usage error`(name: String) {
        let outcome = tester.run("chatelaine", "set", name, typing: "s")
        #expect(outcome.status == 64)
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a name that is not UTF-8 is a usage error, whichever the program`() {
        // The form in which the runtime passes such an argument.
        #expect(tester.run("chatelaine", "set", "\u{FFFD}", typing: "s").status == 64)
        #expect(tester.run("security", "add-generic-password", "-a", "a", "-s", "s", "-w", "\u{FFFD}").status == 64)
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `on a terminal that cannot be asked on nothing is read`() {
        tester.inputIsTerminal = true
        #expect(tester.run("chatelaine", "set", "x", typing: "echoed").status == 1)
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `attributes beyond the limit are refused`() {
        let name = String(repeating: "n", count: ItemLimits.attributeBytes + 1)
        let outcome = tester.run("chatelaine", "set", name, typing: "s")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasPrefix("error: the item is too large"))
    }

    @Test func `a secret is never taken from the command line`() {
        let outcome = tester.run("chatelaine", "set", "x", "hunter2")
        #expect(outcome.status == 64)
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `JSON says what was done`() {
        #expect(
            tester.run("chatelaine", "set", "a\"b", "--json", typing: "s").outputText == """
                {
                  "result": "created",
                  "name": "a\\"b",
                  "user": ""
                }

                """)
        #expect(tester.run("chatelaine", "set", "a\"b", "--json", typing: "s").outputText.contains("\"replaced\""))
    }

    // MARK: Private items

    /// The groups and secrets of the stored items.
    private var stored: [String] {
        tester.keychain.items.map {
            "\($0.attributes.accessGroup ?? ""): \(String(decoding: $0.secret, as: UTF8.self))"
        }
    }

    @Test func `a private item is stored in a group of its own, and is stored there again`() {
        #expect(tester.run("chatelaine", "set", "x", "--private", typing: "one").outputText == "Stored \"x\".\n")
        #expect(stored == ["chatelaine.private: one"])
        let refused = tester.run("chatelaine", "set", "x", typing: "two")
        #expect(refused.status == 4 && refused.errorText.hasPrefix("error: the item is private"))
        #expect(stored == ["chatelaine.private: one"], "no shared item takes its place")
        tester.keychain.change { $0.allowsPrivateItems = true }
        #expect(tester.run("chatelaine", "set", "x", typing: "two").outputText == "Replaced \"x\".\n")
        #expect(stored == ["chatelaine.private: two"])
    }

    @Test func `an item that was shared becomes private with its new secret, and the other way round`() {
        _ = tester.run("chatelaine", "set", "x", typing: "one")
        #expect(tester.run("chatelaine", "set", "x", "--private", typing: "two").outputText == "Replaced \"x\".\n")
        #expect(stored == ["chatelaine.private: two"])
        #expect(tester.run("chatelaine", "set", "x", "--shared", typing: "three").status == 4)
        tester.keychain.change { $0.allowsPrivateItems = true }
        #expect(tester.run("chatelaine", "set", "x", "--shared", typing: "three").status == 0)
        #expect(stored == ["chatelaine: three"])
    }

    @Test func `where there are two of a name, the private one is meant, and --private removes the other`() throws {
        try tester.keychain.put("x", secret: Array("planted".utf8))
        try tester.keychain.put("x", secret: Array("real".utf8), group: CommandGroup.privateItems)
        #expect(tester.run("chatelaine", "get", "x").status == 4, "a question, and not what another program stored")
        tester.keychain.change { $0.allowsPrivateItems = true }
        #expect(tester.run("chatelaine", "get", "x", "--no-newline").outputText == "real")
        _ = tester.run("chatelaine", "set", "x", "--private", typing: "new")
        #expect(stored == ["chatelaine.private: new"])
    }

    @Test func `of the same two, --shared changes nothing until the private one may be removed`() throws {
        try tester.keychain.put("x", secret: Array("planted".utf8))
        try tester.keychain.put("x", secret: Array("real".utf8), group: CommandGroup.privateItems)
        #expect(tester.run("chatelaine", "set", "x", "--shared", typing: "new").status == 4)
        #expect(stored == ["chatelaine: planted", "chatelaine.private: real"])
        tester.keychain.change { $0.allowsPrivateItems = true }
        #expect(tester.run("chatelaine", "set", "x", "--shared", typing: "new").status == 0)
        #expect(stored == ["chatelaine: new"])
    }

    @Test func `a synchronizable item does not hide an item that is not synchronizable`() throws {
        let planted = [ItemAttributes.Entry(.synchronizable, .number(1))]
        try tester.keychain.put("x", secret: Array("planted".utf8), group: CommandGroup.privateItems, planted)
        tester.keychain.change { $0.allowsPrivateItems = true }
        #expect(tester.run("chatelaine", "set", "x", "--private", typing: "real").status == 0)
        #expect(stored == ["chatelaine.private: planted", "chatelaine.private: real"])
        #expect(tester.run("chatelaine", "get", "x", "--no-newline").outputText == "real")
    }

    @Test func `without a passcode --private warns that an approval proves nothing, and so does the setting`() {
        let warning = "warning: no passcode is set"
        #expect(tester.run("chatelaine", "set", "x", "--private", typing: "one").errorText.hasPrefix(warning))
        #expect(!tester.run("chatelaine", "set", "y", typing: "one").errorText.contains(warning))
        #expect(tester.run("chatelaine", "settings", "set", "private-items", "on").errorText.hasPrefix(warning))
        #expect(tester.run("chatelaine", "settings", "set", "private-items", "off").errorText.isEmpty)
        let one = ScriptedKeychain.Protector(number: 1, kind: .passcode, secret: Array("1234".utf8), label: "")
        tester.keychain.change { $0.protectors = [one] }
        #expect(tester.run("chatelaine", "set", "z", "--private", typing: "two").errorText.isEmpty)
    }

    @Test func `an item is private or shared, and keychain files have rules of their own`() {
        #expect(tester.run("chatelaine", "set", "x", "--private", "--shared", typing: "one").status == 64)
        let inFile = tester.run("chatelaine", "set", "x", "--private", "--keychain", "k", typing: "one")
        #expect(inFile.status == 64 && inFile.errorText.contains("-T ''"))
        #expect(tester.keychain.items.isEmpty)
    }
}
