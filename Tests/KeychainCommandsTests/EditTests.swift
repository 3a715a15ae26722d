// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine edit and rename")
struct EditTests {
    let tester = CommandLineTester()

    private func run(_ words: String..., typing text: String = "") -> CommandLineTester.Outcome {
        tester.run(["chatelaine"] + words, input: Array(text.utf8))
    }

    private func text(_ key: AttributeKey, of number: Int = 0) -> String? {
        tester.keychain.items[number].attributes[key]?.shownText
    }

    @Test func `options change the attributes and keep the secret`() {
        _ = run("set", "github", "-u", "octo", typing: "pw")
        let outcome = run("edit", "github", "-u", "octo", "--label", "Forge", "--comment", "work", "--new-user", "cat")
        #expect(outcome.outputText == "Changed \"github\" (user cat).\n")
        #expect(text(.label) == "Forge" && text(.comment) == "work" && text(.account) == "cat")
        #expect(run("get", "github", "-u", "cat").outputText == "pw\n")
    }

    @Test func `a new name takes the label and the seed along`() throws {
        let seed = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ"
        _ = run("set", "githb", "-u", "octo", typing: "pw")
        _ = run("set", "githb", "-u", "octo", "--totp", typing: seed)
        _ = run("set", "githb", "-u", "cat", "--totp", typing: seed)
        #expect(run("rename", "githb", "github", "-u", "octo").outputText == "Changed \"github\" (user octo).\n")
        #expect(text(.service) == "github" && text(.label) == "github")
        #expect(text(.service, of: 1) == "otpauth:github" && text(.service, of: 2) == "otpauth:githb")
        #expect(run("code", "github", "-u", "octo").status == 0)
    }

    @Test func `a seed of the new name is in the way before anything changes`() {
        let seed = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ"
        _ = run("set", "ra", typing: "pw")
        _ = run("set", "ra", "--totp", typing: seed)
        _ = run("set", "rb", "--totp", typing: seed)
        let outcome = run("rename", "ra", "rb")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("error: there is already a seed of one-time passwords for \"rb\"\n"))
        #expect(text(.service) == "ra" && text(.service, of: 1) == "otpauth:ra")
    }

    @Test func `a label of its own stays`() {
        _ = run("set", "githb", "--label", "Forge", typing: "pw")
        _ = run("rename", "githb", "github")
        #expect(text(.service) == "github" && text(.label) == "Forge")
    }

    @Test func `a new URL replaces all parts of the old one`() {
        _ = run("set", "--url", "https://example.org:8443/login", "-u", "ann", typing: "pw")
        let outcome = run(
            "edit", "--url", "https://example.org:8443/login", "-u", "ann", "--new-url", "https://www.example.org")
        #expect(outcome.outputText == "Changed \"https://www.example.org\" (user ann).\n")
        #expect(text(.label) == "www.example.org")
        #expect(run("get", "--url", "https://www.example.org", "-u", "ann").outputText == "pw\n")
        #expect(run("get", "--url", "https://www.example.org:8443", "-u", "ann").status == 3)
    }

    @Test func `a web password gets a title by its new name`() {
        _ = run("set", "--url", "https://example.org", "-u", "ann", typing: "pw")
        #expect(run("rename", "--url", "https://example.org", "-u", "ann", "Shop").status == 0)
        #expect(text(.label) == "Shop" && text(.server) == "example.org")
        #expect(run("rename", "shop", "Store").status == 0)
        #expect(text(.label) == "Store")
    }

    @Test(arguments: [
        (["edit", "github"], "nothing to change"),
        (["edit", "github", "--new-url", "https://x"], "is no web password"),
        (["edit", "github", "--new-name", ""], "must not be empty"), (["rename", "github"], "the new name is missing"),
    ])
    func `what cannot be done is told`(words: [String], message: String) {
        _ = run("set", "github", typing: "pw")
        let outcome = tester.run(["chatelaine"] + words, input: [])
        #expect(outcome.status == 64 && outcome.errorText.contains(message), "\(outcome.errorText)")
        #expect(text(.service) == "github")
    }

    @Test func `a form asks for each text, and empty answers keep them`() {
        _ = run("set", "github", "-u", "octo", "--comment", "old", typing: "pw")
        tester.inputIsTerminal = true
        tester.answers = ["", "Forge", "", "-"]
        #expect(run("edit", "github", "-u", "octo").outputText == "Changed \"github\" (user octo).\n")
        #expect(text(.label) == "Forge" && text(.comment) == "" && text(.account) == "octo")
        tester.answers = ["", "", "", ""]
        #expect(run("edit", "github", "-u", "octo").outputText == "Nothing changed in \"github\" (user octo).\n")
    }

    @Test func `an item of another program is not changed`() throws {
        try tester.keychain.put("x", group: "installed:/usr/bin/mail")
        #expect(run("edit", "x", "--label", "y").status == 4)
        #expect(text(.label) != "y")
    }
}
