// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine explain")
struct ExplainTests {
    let tester = CommandLineTester()

    @Test(arguments: ["account", "acct", "kSecAttrAccount", "ACCOUNT"])
    func `an attribute has several names`(name: String) throws {
        try tester.keychain.put("mail")
        let outcome = tester.run("chatelaine", "explain", "\(name)=nobody")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "Searched 1 generic password of all programs; account leaves none.\n")
    }

    @Test func `a word shows the items that it may mean, and the reasons`() throws {
        try tester.keychain.put("mail", user: "Ann", [.init(.label, .string("Post"))])
        try tester.keychain.put("gitlab", user: "ann")
        try tester.keychain.put("annex", user: "bob")
        let text = tester.run("chatelaine", "explain", "ann").outputText
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "Searched 3 passwords of all programs for \"ann\".")
        #expect(lines.count == 6 && lines[2].hasPrefix("user ") && lines[3].hasPrefix("user "))
        #expect(lines[4].hasPrefix("a part ") && lines[4].contains("annex"))
        #expect(lines[5].hasPrefix("The first 2 items match in the same way"))
        #expect(tester.run("chatelaine", "explain", "POST").outputText.contains("title "))
        #expect(tester.run("chatelaine", "explain", "none").outputText.hasSuffix("for \"none\": no match.\n"))
        #expect(tester.run("chatelaine", "explain", "post", "--json").outputText.contains("\"match\": \"title\""))
    }

    @Test func `JSON has the facts`() throws {
        try tester.keychain.put("mail")
        let outcome = tester.run("chatelaine", "explain", "account=x", "--json")
        #expect(outcome.outputText.contains("\"narrowed\"") && outcome.outputText.contains("\"acct\""))
    }

    @Test(arguments: [
        (["server=x"], "have no attribute 'server'"), (["account"], "is not a condition"),
        (["--class", "idnt"], "'idnt' is not an item class"),
        (["--host", "x"], "--host requires the class inet"),
        (["--synchronizable", "maybe"], "false, true or any"), (["account=a", "acct=b"], "account is given twice"),
        (["accessible=never"], "no attribute 'accessible'"), (["accessibility=never"], "has the wrong type"),
    ])
    func `errors are reported`(words: [String], message: String) {
        let outcome = tester.run(["chatelaine", "explain"] + words, input: [])
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
        #expect(outcome.output.isEmpty && tester.keychain.requests.isEmpty)
    }
}
