// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainKeys
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine certificates, keys and identities")
struct KeyItemTests {
    let tester = CommandLineTester()
    let leaf = SampleIdentity.leaf

    init() throws {
        // 2026, when all of them are valid.
        tester.secondsSince1970 = 1_795_000_000
        try tester.keychain.put(leaf)
        try tester.keychain.putKey()
        try tester.keychain.put(SampleIdentity.root, group: "installed:/usr/bin/mail")
    }

    @Test(arguments: ["certificates", "keys", "identities"])
    func `lists are tables, and JSON`(command: String) throws {
        let text = tester.run("chatelaine", command)
        #expect(text.status == 0)
        #expect(text.outputText == tester.run("chatelaine", command, "list").outputText)
        try expectSnapshot(text.outputText, "\(command).txt")
        try expectSnapshot(tester.run("chatelaine", command, "list", "--json").outputText, "\(command).json")
    }

    @Test(arguments: [("certificates", "ann example"), ("keys", "org.example.ann"), ("identities", "Ann")])
    func `one is shown with all that is known of it`(command: String, name: String) throws {
        // A key's own name is its label.
        let name = command == "keys" ? "Ann's key" : name
        let outcome = tester.run("chatelaine", command, "show", name)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        try expectSnapshot(outcome.outputText, "\(command)-show.txt")
        try expectSnapshot(tester.run("chatelaine", command, "show", name, "--json").outputText, "\(command)-show.json")
    }

    @Test func `a list can be narrowed, and nothing that matches is no failure`() {
        #expect(tester.run("chatelaine", "certificates", "list", "root").outputText.contains("EXAMPLE ROOT") == false)
        #expect(tester.run("chatelaine", "certificates", "list", "root").outputText.contains("Example Root"))
        #expect(tester.run("chatelaine", "certificates", "list", "ANN@*").outputText.contains("Ann Example"))
        #expect(tester.run("chatelaine", "certificates", "list", "ANN@*").outputText.contains("Root") == false)
        for command in ["certificates", "keys", "identities"] {
            #expect(tester.run("chatelaine", command, "list", "nobody") == .init(status: 0))
        }
    }

    @Test func `PEM is printed for others to read`() throws {
        #expect(tester.run("chatelaine", "certificates", "show", "Ann", "--pem").outputText == leaf.pem)
        #expect(tester.run("chatelaine", "identities", "show", "Ann", "--pem").outputText == leaf.pem)
        // A list does not prompt for the items of other programs.
        #expect(tester.run("chatelaine", "certificates", "list", "--pem").outputText == leaf.pem)
        let key = tester.run("chatelaine", "keys", "show", "Ann's key", "--pem").outputText
        let blocks = try PEM.blocks(in: Array(key.utf8))
        #expect(blocks.map(\.label) == ["PUBLIC KEY"])
        #expect(blocks.first?.bytes == leaf.publicKeyInfo.encoded)
    }

    @Test func `the public half of another program's key is refused with the program and what to do`() throws {
        try tester.keychain.putKey(label: "Mail's key", group: "installed:/usr/bin/mail")
        let outcome = tester.run("chatelaine", "keys", "show", "Mail's key", "--pem")
        #expect(outcome.status == 4 && outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("error: the item belongs to another program (/usr/bin/mail)\nhint: "))
    }

    @Test func `a fingerprint names one, in any spelling`() {
        for hash in [leaf.sha1Fingerprint, leaf.sha256Fingerprint, leaf.publicKeyInfo.hash.bytes] {
            for text in [hash.hexadecimal, hash.hexadecimal.uppercased(), String(hash.hexadecimal.prefix(8))] {
                #expect(tester.run("chatelaine", "certificates", "show", text, "--pem").outputText == leaf.pem)
            }
        }
    }

    @Test func `a name that several have names none of them`() throws {
        try tester.keychain.put(leaf, group: "installed:/usr/bin/web")
        let outcome = tester.run("chatelaine", "certificates", "show", "Ann Example")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errorText.contains("\"Ann Example\" matches 2 certificates"))
        #expect(outcome.errorText.contains(leaf.sha256Fingerprint.hexadecimal))
    }

    @Test func `of a pair of keys one is named by its half`() throws {
        try tester.keychain.put(
            .key, secret: [1],
            [
                .init(.keyClass, .number(0)), .init(.label, .string("Ann's key")),
                .init(.applicationLabel, .data(leaf.publicKeyInfo.hash.bytes)),
            ])
        let both = tester.run("chatelaine", "keys", "remove", "Ann's key")
        #expect(both.status == 1 && both.errorText.contains("--private or --public"))
        #expect(tester.run("chatelaine", "keys", "show", "Ann's key", "--public").outputText.contains("public key\n"))
        #expect(tester.run("chatelaine", "keys", "remove", "Ann's key", "--private").status == 0)
        #expect(tester.run("chatelaine", "identities") == .init(status: 0))
        #expect(tester.run("chatelaine", "keys", "remove", "Ann's key").status == 0)
    }

    @Test(arguments: ["certificates", "keys", "identities"], ["show", "remove"])
    func `a missing item is not found`(command: String, verb: String) {
        let outcome = tester.run("chatelaine", command, verb, "nobody")
        #expect(outcome.status == 3)
        #expect(outcome.errorText.contains("hint: `chatelaine \(command)` lists all \(command)"))
    }

    @Test func `another program's certificate is told of by its attributes, and not opened`() {
        let list = tester.run("chatelaine", "certificates", "list", "root")
        #expect(list.status == 0 && list.outputText.contains("/usr/bin/mail"))
        let shown = tester.run("chatelaine", "certificates", "show", "root")
        #expect(shown.status == 4)
        #expect(shown.errorText.contains("belongs to another program (/usr/bin/mail)"))
    }

    @Test func `removing an identity removes both halves, removing a half leaves the other`() throws {
        let outcome = tester.run("chatelaine", "identities", "remove", "Ann")
        #expect(outcome == .init(status: 0, output: Array("Removed \"Ann Example\".\n".utf8)))
        #expect(tester.keychain.items.map(\.reference.itemClass) == [.certificate])
        try tester.keychain.put(leaf)
        try tester.keychain.putKey()
        #expect(tester.run("chatelaine", "certificates", "remove", "Ann").status == 0)
        #expect(tester.run("chatelaine", "identities") == .init(status: 0))
        #expect(tester.run("chatelaine", "keys", "remove", "Ann's key").status == 0)
        #expect(tester.keychain.items.count == 1)
        #expect(tester.run("chatelaine", "certificates", "remove", "root").status == 4)
        #expect(tester.keychain.items.count == 1)
    }

    @Test func `dates are told when they are not now`() {
        tester.secondsSince1970 = 0
        #expect(tester.run("chatelaine", "certificates", "show", "Ann").outputText.contains("(not yet)"))
        tester.secondsSince1970 = 4_800_000_000
        #expect(tester.run("chatelaine", "certificates").outputText.contains("2120-01-01 (expired)"))
    }

    @Test func `names of other programs' items cannot forge lines`() throws {
        try tester.keychain.put(
            .key, secret: [1], group: "installed:/x", [.init(.label, .string("a\nfake\u{1B}[2J"))])
        let text = tester.run("chatelaine", "keys").outputText
        #expect(text.contains("a\\u{a}fake\\u{1b}[2J"))
    }
}
