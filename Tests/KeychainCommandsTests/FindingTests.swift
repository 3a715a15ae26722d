// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine: finding an item by a word")
struct FindingTests {
    let tester = CommandLineTester()

    private func put(
        _ host: String, path: String = "", port: Int64 = 0, user: String = "octo", label: String? = nil,
        secret: String = "web"
    ) throws {
        var entries: [ItemAttributes.Entry] = [.init(.protocol, .string("htps"))]
        if !path.isEmpty { entries.append(.init(.path, .string(path))) }
        if port != 0 { entries.append(.init(.port, .number(port))) }
        if let label { entries.append(.init(.label, .string(label))) }
        try tester.keychain.put(server: host, user: user, secret: Array(secret.utf8), entries)
    }

    @Test(arguments: [
        "https://git.example.org/login", "git.example.org/login", "GIT.example.org", "https://git.example.org",
        "git.example.org/other", "https://octo@git.example.org", "git.example.org:443", "The Forge", "the forge",
        "OCTO", "forge", "git", "example.org/log",
    ])
    func `the only match is the item`(word: String) throws {
        try put("git.example.org", path: "/login", label: "The Forge")
        try tester.keychain.put("mail", user: "ann", [.init(.label, .string("Post"))])
        #expect(tester.run("chatelaine", "get", word).outputText == "web\n")
    }

    @Test(arguments: [
        "http://git.example.org", "git.example.org:8443", "https://bob@git.example.org", "example.com", "login2",
    ])
    func `another scheme, port, user or host is no match`(word: String) throws {
        try put("git.example.org", path: "/login")
        let outcome = tester.run("chatelaine", "get", word)
        #expect(outcome.status == 3)
        #expect(
            outcome.errorText == "error: there is no item \"\(word)\"\nhint: `chatelaine list` shows the items\n")
    }

    @Test(arguments: [
        "cafe", "CAFÉ", "https", "ttp", "tps://git", "//git.ex", "8443", ":8443", "8443/lo", "log", "/login",
        "git.example.org:8443", "org:84", "other/x", "git.example.org/other",
    ])
    func `get and list find the same parts of names, also those of several attributes`(word: String) throws {
        try put("git.example.org", path: "/login", port: 8443, label: "Café")
        try tester.keychain.put("mail", user: "ann", [.init(.label, .string("Post"))])
        let finds = word != "other/x"
        #expect(tester.run("chatelaine", "get", word).outputText == (finds ? "web\n" : ""))
        let rows = tester.run("chatelaine", "list", word).outputText.split(separator: "\n").dropFirst()
        #expect(rows.count == (finds ? 1 : 0))
    }

    @Test func `only the items that may match are sent`() throws {
        for number in 0..<50 { try tester.keychain.put("item \(number)") }
        try put("git.example.org", label: "Forge")
        tester.keychain.change { $0.sentItems = 0 }
        #expect(tester.run("chatelaine", "list", "exampl").outputText.split(separator: "\n").count == 2)
        #expect(tester.run("chatelaine", "get", "exampl").outputText == "web\n")
        // The list, the match and its secret.
        #expect(tester.keychain.sentItems == 3)
    }

    @Test func `name, title, server, URL and user take precedence in this order`() throws {
        func found() -> String { tester.run("chatelaine", "get", "forge").outputText }
        try put("x.example.org", user: "annforge", secret: "part")
        #expect(found() == "part\n")
        try put("y.example.org", user: "forge", secret: "user")
        #expect(found() == "user\n")
        try put("forge", path: "/a", user: "u", secret: "server")
        #expect(found() == "server\n")
        try put("z.example.org", label: "Forge", secret: "title")
        #expect(found() == "title\n")
        try tester.keychain.put("FORGE", secret: Array("name".utf8))
        #expect(found() == "name\n")
        try tester.keychain.put("forge", secret: Array("exact".utf8))
        #expect(found() == "exact\n")
    }

    @Test func `the only user of a name need not be named`() throws {
        try tester.keychain.put("github", user: "octo", secret: [0x61])
        #expect(tester.run("chatelaine", "get", "github").output == [0x61, 0x0A])
        #expect(tester.run("chatelaine", "get", "github", "--exact").status == 3)
        #expect(tester.run("chatelaine", "get", "github", "--user", "cat").status == 3)
        let json = tester.run("chatelaine", "get", "github", "--json").outputText
        #expect(json.contains("\"user\": \"octo\""))
    }

    @Test func `a user restricts the matches of a word`() throws {
        try put("git.example.org", user: "a", secret: "one")
        try put("git.example.org", user: "b", secret: "two")
        #expect(tester.run("chatelaine", "get", "git", "-u", "b").outputText == "two\n")
        #expect(tester.run("chatelaine", "get", "git", "-u", "B").status == 3)
    }

    @Test func `exactness can be demanded`() throws {
        try put("git.example.org", label: "forge")
        for words in [["get", "forge"], ["show", "forge"], ["remove", "forge"], ["get", "forge", "--json"]] {
            let outcome = tester.run(["chatelaine"] + words + ["--exact"], input: [])
            #expect(outcome.status == 3 && outcome.output.isEmpty)
        }
        #expect(tester.keychain.items.count == 1)
    }

    @Test func `several matches are an error with their list, and no secret`() throws {
        try put("git.example.org", label: "Forge", secret: "one")
        try put("git.example.net", user: "cat", secret: "two")
        let outcome = tester.run("chatelaine", "get", "git")
        #expect(outcome.status == 3 && outcome.output.isEmpty)
        #expect(
            outcome.errorText == """
                   NAME                     TITLE  USER  PROGRAM
                1  https://git.example.net         cat   chatelaine
                2  https://git.example.org  Forge  octo  chatelaine
                error: there is no item "git", but 2 items match
                hint: use the whole NAME or --url, and --user

                """)
    }

    @Test func `on a terminal the user chooses by number, and sees the item`() throws {
        try put("git.example.org", secret: "one")
        try put("git.example.net", secret: "two")
        tester.inputIsTerminal = true
        tester.diagnosticsAreTerminal = true
        tester.answers = ["2"]
        #expect(tester.run("chatelaine", "get", "git").outputText == "one\n")
        for wrong in ["3", "0", "", "x"] {
            tester.answers = [wrong]
            let outcome = tester.run("chatelaine", "get", "git")
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.errorText.hasSuffix("error: no item was chosen\nhint: enter a number from the list\n"))
        }
        let only = tester.run("chatelaine", "get", "example.net")
        #expect(only.outputText == "two\n" && only.errorText == "item: \"https://git.example.net\" (user octo)\n")
    }

    @Test func `several users of a name are a choice on a terminal too`() throws {
        try tester.keychain.put("x", user: "a", secret: [0x61])
        try tester.keychain.put("x", user: "b", secret: [0x62])
        tester.inputIsTerminal = true
        tester.diagnosticsAreTerminal = true
        tester.answers = ["1"]
        #expect(tester.run("chatelaine", "get", "x").outputText == "a\n")
        #expect(tester.run("chatelaine", "get", "x", "--exact").status == 3)
    }

    @Test func `an exact item that is denied is never replaced by another one`() throws {
        try tester.keychain.put("forge", group: "installed:/usr/bin/mail")
        try put("forge.example.org", label: "Forge")
        let outcome = tester.run("chatelaine", "get", "forge")
        #expect(outcome.status == 4 && outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("error: \"forge\" belongs to another program (/usr/bin/mail)"))
    }

    @Test func `a locked keychain is told, and not that there is no item`() throws {
        try put("forge.example.org", label: "Forge")
        tester.keychain.change { $0.lockState = .locked }
        let outcome = tester.run("chatelaine", "get", "forge")
        #expect(outcome.status == 4 && outcome.errorText.contains("unlock it with `chatelaine unlock`"))
    }

    @Test func `the own item is preferred to those of other programs that match in the same way`() throws {
        try tester.keychain.put("a.example.org", secret: [0x31], group: "installed:/usr/bin/a")
        try tester.keychain.put("b.example.org", secret: [0x32])
        #expect(tester.run("chatelaine", "get", "example").output == [0x32, 0x0A])
    }

    @Test func `a part of a name removes nothing`() throws {
        try put("git.example.org", label: "Forge")
        let outcome = tester.run("chatelaine", "remove", "git")
        #expect(outcome.status == 3 && tester.keychain.items.count == 1)
        #expect(outcome.errorText.contains("error: there is no item \"git\", but 1 item matches\n"))
        #expect(
            tester.run("chatelaine", "remove", "forge").outputText
                == "Removed \"https://git.example.org\" (user octo).\n")
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `a user alone removes nothing, and the error shows the command`() throws {
        try put("git.example.org", user: "octo cat")
        let outcome = tester.run("chatelaine", "remove", "octo cat")
        #expect(outcome.status == 3 && tester.keychain.items.count == 1)
        #expect(
            outcome.errorText.hasSuffix(
                """
                error: there is no item "octo cat", but it is the user of 1 item
                hint: name the item itself: `chatelaine remove --url 'https://git.example.org' --user 'octo cat'`

                """), "\(outcome.errorText)")
        // What reads or changes an item accepts the user.
        #expect(tester.run("chatelaine", "get", "octo cat").outputText == "web\n")
        try tester.keychain.put("octo cat", user: "x")
        #expect(tester.run("chatelaine", "remove", "octo cat").outputText == "Removed \"octo cat\" (user x).\n")
    }

    @Test func `whole words take eight requests, however many items there are`() throws {
        for number in 0..<100 { try tester.keychain.put("item \(number)") }
        try put("git.example.org", label: "Forge")
        tester.keychain.change { $0.requests = [] }
        #expect(tester.run("chatelaine", "get", "forge").outputText == "web\n")
        #expect(tester.keychain.requests.count == 8)
    }

    @Test func `the code of an item that a part of its name finds takes as many requests as its secret, and one`()
        throws
    {
        try put("git.example.org", user: "")
        try tester.keychain.put(
            "otpauth:https://git.example.org", secret: Array("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ".utf8),
            [.init(.itemDescription, .string("one-time password"))])
        func requests(_ verb: String) -> Int {
            tester.keychain.change { $0.requests = [] }
            #expect(tester.run("chatelaine", verb, "example").status == 0)
            return tester.keychain.requests.count
        }
        #expect(requests("code") == requests("get") + 1)
    }

    @Test func `options are exact`() throws {
        try put("git.example.org", path: "/login")
        #expect(tester.run("chatelaine", "get", "--url", "https://git.example.org", "-u", "octo").status == 3)
        #expect(tester.run("chatelaine", "get", "--server", "git.example.org").status == 3)
    }
}
