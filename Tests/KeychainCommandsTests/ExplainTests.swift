// SPDX-License-Identifier: Apache-2.0

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
