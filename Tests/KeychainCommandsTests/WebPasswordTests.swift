// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine: passwords of the web")
struct WebPasswordTests {
    let tester = CommandLineTester()

    private func run(_ command: String, _ words: String..., typing text: String = "") -> CommandLineTester.Outcome {
        tester.run(["chatelaine", command] + words, input: Array(text.utf8))
    }

    @Test func `a URL is stored as the attributes of an internet password`() {
        let outcome = run("set", "--url", "https://Example.org:8443/login", "--user", "ann", typing: "pw\n")
        #expect(outcome.outputText == "Stored \"https://example.org:8443/login\" (user ann).\n")
        let item = tester.keychain.items.first
        #expect(item?.reference.itemClass == .internetPassword)
        #expect(item?.attributes[.server] == .string("example.org"))
        #expect(item?.attributes[.protocol] == .string("htps"))
        #expect(item?.attributes[.port] == .number(8443))
        #expect(item?.attributes[.path] == .string("/login"))
        #expect(item?.attributes[.account] == .string("ann"))
        #expect(item?.attributes[.label] == .string("example.org"))
        #expect(item?.secret == Array("pw".utf8))
    }

    @Test func `a second time the item gets the new secret`() {
        _ = run("set", "--url", "https://h", "--user", "ann", typing: "one")
        #expect(run("set", "--url", "https://ann@h:443/", typing: "two").outputText.hasPrefix("Replaced "))
        #expect(tester.keychain.items.map(\.secret) == [Array("two".utf8)])
        #expect(run("get", "--url", "https://H/", "-u", "ann").outputText == "two\n")
        #expect(run("remove", "--url", "https://h", "-u", "ann").outputText == "Removed \"https://h\" (user ann).\n")
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `a URL means its own item and no other`() {
        for url in ["https://h", "http://h", "https://h:8443", "https://h/x", "https://other", "h"] {
            #expect(run("set", "--url", url, typing: url).status == 0)
        }
        #expect(tester.keychain.items.count == 6)
        for url in ["https://h", "http://h", "https://h:8443", "https://h/x", "https://other", "h"] {
            #expect(run("get", "--url", url).outputText == url + "\n")
        }
        #expect(run("get", "--url", "https://h/y").status == 3)
    }

    @Test func `items of other programs that spell the address otherwise are found`() throws {
        try tester.keychain.put(
            server: "Example.ORG", user: "ann", secret: [0x31],
            [.init(.protocol, .string("htps")), .init(.port, .number(443)), .init(.path, .string("/"))])
        #expect(run("get", "--url", "https://example.org", "-u", "ann").outputText == "1\n")
        #expect(run("get", "--server", "EXAMPLE.org", "-u", "ann").outputText == "1\n")
    }

    @Test func `a server means its one password, and several are told apart by their URLs`() {
        _ = run("set", "--url", "https://h", "-u", "ann", typing: "web")
        #expect(run("get", "--server", "h", "-u", "ann").outputText == "web\n")
        _ = run("set", "--url", "ftp://h", "-u", "ann", typing: "files")
        for command in ["get", "remove"] {
            let outcome = run(command, "--server", "h", "-u", "ann")
            #expect(outcome.status == 1)
            #expect(
                outcome.errorText == """
                    error: "h" (user ann) has several passwords
                    hint: choose one with --url: ftp://h, https://h

                    """)
        }
        #expect(tester.keychain.items.count == 2)
    }

    @Test func `a server is stored without protocol, port and path`() {
        #expect(
            run("set", "--server", "Host.example", "-u", "ann", typing: "s").outputText
                == "Stored \"host.example\" (user ann).\n")
        #expect(tester.keychain.items.first?.attributes[.protocol] == .number(0))
        #expect(run("get", "--server", "host.example", "-u", "ann").outputText == "s\n")
    }

    @Test func `the users of an address are named when another one was asked for`() {
        _ = run("set", "--url", "https://h", "-u", "ann", typing: "s")
        _ = run("set", "--url", "https://h", "-u", "bob", typing: "s")
        let outcome = run("get", "--url", "https://h")
        #expect(outcome.status == 3)
        #expect(
            outcome.errorText == "error: there is no item \"https://h\"\nhint: choose a user with --user: ann, bob\n")
    }

    @Test(arguments: [
        [], ["name", "--url", "https://h"], ["name", "--server", "h"], ["--url", "https://h", "--server", "h"],
        ["--url", "https://u:p@h"], ["--url", "android://h"], ["--url", ""], ["--url", "https://h:0"],
        ["--server", "https://h"], ["--server", "h:80"],
        ["--server", "h/x"], ["--server", ""], ["--server", "a@h"], ["--url", "https://ann@h", "--user", "bob"],
        ["--url", "https://h", "--user", "a\u{0}"],
    ])
    func `what names nothing or two things is a usage error`(words: [String]) {
        for command in ["set", "get", "remove"] {
            let outcome = tester.run(["chatelaine", command] + words, input: [0x73])
            #expect(outcome.status == 64)
            #expect(outcome.errorText.hasPrefix("error: "))
        }
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `another program's password is refused with that program's name`() throws {
        try tester.keychain.put(server: "h", group: "installed:/usr/bin/mail")
        let outcome = run("get", "--server", "h")
        #expect(outcome.status == 4)
        #expect(outcome.errorText.hasPrefix("error: \"h\" belongs to another program (/usr/bin/mail)\n"))
    }

    @Test func `lists name them by their URL`() throws {
        _ = run("set", "--url", "https://mail.example.org/x", "-u", "ann", typing: "s")
        _ = run("set", "plain", typing: "s")
        #expect(run("list").outputText.contains("\nhttps://mail.example.org/x         ann   "))
        #expect(run("list", "MAIL").outputText.split(separator: "\n").count == 2)
        #expect(run("list", "https*").outputText.split(separator: "\n").count == 2)
        let json = run("list", "mail", "--json").outputText
        #expect(json.contains("\"class\": \"inet\",\n    \"name\": \"https://mail.example.org/x\","))
        #expect(
            json.contains(
                "\"server\": \"mail.example.org\",\n    \"protocol\": \"htps\",\n    \"port\": 0,\n    \"path\": \"/x\","
            ))
    }

    @Test func `JSON names server and URL`() {
        #expect(
            run("set", "--url", "https://h/x", "-u", "ann", "--json", typing: "s").outputText == """
                {
                  "result": "created",
                  "server": "h",
                  "url": "https://h/x",
                  "user": "ann"
                }

                """)
        #expect(
            run("get", "--server", "h", "-u", "ann", "--json").outputText.contains(
                "\"server\": \"h\",\n  \"user\": \"ann\",\n"))
    }
}
