// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainTerminal
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite("chatelaine list and status")
struct ListingTests {
    let tester = CommandLineTester()

    private func fill() throws {
        try tester.keychain.put("zulu", user: "u", [.init(.label, .string("Last"))])
        try tester.keychain.put("mail.example.org", user: "ann", group: "installed:/usr/bin/mail")
        try tester.keychain.put("build", group: "unsigned:0123456789abcdef0123456789abcdef")
        try tester.keychain.put("Evil\u{1B}[31m\nforged line", user: "ünï")
    }

    @Test func `the table shows the items of all programs, in order, and no secrets`() throws {
        try fill()
        let outcome = tester.run("chatelaine", "list")
        #expect(outcome.status == 0)
        #expect(!outcome.outputText.contains("secret"))
        try expectSnapshot(outcome.outputText, "list.txt")
        #expect(tester.keychain.requests == [.copyMatching, .copyMatching, .log])
    }

    @Test func `programs have the path where they were last seen, or their package`() throws {
        let digest = String(repeating: "0123456789abcdef", count: 4)
        func line(_ path: String, _ identity: String, _ number: Int) -> String {
            #"{"time":"2026-05-09T06:13:20.000Z","action":"add","outcome":"granted","uid":1,"pid":7,"tier":"unsigned","#
                + #""program":"\#(path)",\#(identity),"seq":\#(number)}"#
        }
        tester.keychain.change { state in
            state.auditLines = [
                line("/home/ann/old/mail", #""sha256":"\#(digest)""#, 1),
                line("/home/ann/mail", #""sha256":"\#(digest)""#, 2),
                line("/opt/chat/chat", #""team":"3XAMPLETEAM","identifier":"org.example.chat""#, 3),
            ]
        }
        tester.machine.packages = ["/usr/bin/mail": "mailutils"]
        tester.machine.desktopNames = ["/usr/bin/mail": "Post", "/usr/bin/none": "None"]
        for group in [
            "unsigned:" + digest, "unsigned:" + String(digest.reversed()), "3XAMPLETEAM.org.example.chat",
            "installed:/usr/bin/mail", "installed:/usr/bin/other",
        ] { try tester.keychain.put("mail", user: group, group: group) }
        let programs = tester.run("chatelaine", "list").outputText.split(separator: "\n").dropFirst().map { row in
            row.split(separator: "  ").dropFirst(2).first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        }
        #expect(
            Set(programs) == [
                "unsigned:0123456789ab… (last seen at /home/ann/mail)", "unsigned:fedcba987654…",
                "3XAMPLETEAM.org.example.chat (last seen at /opt/chat/chat)",
                "/usr/bin/mail (package mailutils, desktop name \"Post\")",
                "/usr/bin/other",
            ])
    }

    @Test func `a log that may not be read leaves only the path out`() throws {
        try fill()
        tester.keychain.change { $0.logRefusal = Refusal(.missingEntitlement, .administrationOnly) }
        let outcome = tester.run("chatelaine", "list")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.outputText.contains("unsigned:0123456789ab…  "))
    }

    @Test func `JSON has all attributes under stable names`() throws {
        try fill()
        try tester.keychain.put("bytes", user: "x", [.init(.comment, .data([0xFF])), .init(.generic, .data([1]))])
        let outcome = tester.run("chatelaine", "list", "--json")
        try expectSnapshot(outcome.outputText, "list.json")
        let parsed = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]]
        #expect(parsed?.count == 5)
        #expect(
            parsed.map { Set($0[0].keys) } == [
                "class", "name", "user", "label", "comment", "server", "protocol", "port", "path", "group", "program",
                "created", "modified", "synchronizable", "asksFor",
                "reference",
            ])
    }

    @Test func `an empty keychain is no error`() {
        #expect(tester.run("chatelaine", "list") == .init(status: 0))
        #expect(tester.run("chatelaine", "list", "--json").outputText == "[]\n")
    }

    @Test func `a very long name does not lengthen the other rows`() throws {
        let long = "begin" + String(repeating: "x", count: 100_000) + "end"
        try tester.keychain.put(long, user: "u")
        for number in 0..<5 { try tester.keychain.put("item \(number)", user: "u") }
        let rows = tester.run("chatelaine", "list").outputText.split(separator: "\n")
        #expect(rows.count { $0.contains(long) } == 1)
        #expect(rows.filter { !$0.contains(long) }.allSatisfy { $0.count < 200 })
        tester.outputIsTerminal = true
        let shown = tester.run("chatelaine", "list").outputText.split(separator: "\n")
        #expect(shown.allSatisfy { $0.count < 200 } && shown.contains { $0.contains("begin") && $0.contains("…") })
        #expect(shown.contains { $0.contains("xend  ") })
        #expect(tester.run("chatelaine", "list", "--json").outputText.contains("\"\(long)\""))
    }

    @Test func `a label of many combining marks is cut in lists, and JSON has it whole`() throws {
        let label = "a" + String(repeating: "\u{301}", count: 160_000)
        try tester.keychain.put("mail", user: "u", [.init(.label, .string(label))])
        for isTerminal in [false, true] {
            tester.outputIsTerminal = isTerminal
            for words in [["list"], ["show", "mail"]] {
                let shown = tester.run(["chatelaine"] + words, input: [])
                #expect(shown.status == 0 && shown.outputText.contains("\u{2026}"), "\(words)")
                #expect(shown.output.count < 2000, "\(words)")
            }
        }
        #expect(
            tester.run("chatelaine", "list", "--json").outputText.unicodeScalars.count { $0 == "\u{301}" } == 160_000)
    }

    private static let emptyLists: [([String], String)] = [
        (["list"], "There are no items."), (["list", "x"], "No item matches."),
        (["certificates"], "There are no certificates."), (["certificates", "x"], "No certificate matches."),
        (["keys"], "There are no keys."), (["keys", "list", "x"], "No key matches."),
        (["identities"], "There are no identities."), (["identities", "x"], "No identity matches."),
        (["keychains"], "There are no keychain files."), (["team-key", "list"], "There are no team keys."),
        (["teams", "list"], "No team is trusted."), (["log"], "No line of the log matches."),
    ]

    @Test(arguments: emptyLists)
    func `an empty result is a sentence for a user on a terminal, and nothing for a script`(
        words: [String], sentence: String
    ) {
        #expect(tester.run(["chatelaine"] + words, input: []) == .init(status: 0))
        tester.diagnosticsAreTerminal = true
        let outcome = tester.run(["chatelaine"] + words, input: [])
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errorText == sentence + "\n")
        guard words[0] != "log" else { return }
        #expect(tester.run(["chatelaine"] + words + ["--json"], input: []).errors.isEmpty)
    }

    @Test func `the state and the contents have colours only where that is wanted`() {
        let plain = tester.run("chatelaine", "status").outputText
        #expect(!plain.contains("\u{1B}"))
        tester.isStyled = true
        let styled = tester.run("chatelaine", "status").outputText
        #expect(styled.contains("\nstate       \u{1B}[32mopen (no passcode is set)\u{1B}[0m\n"))
        #expect(styled.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == plain)
        tester.keychain.change { $0.contents = .sealDamaged }
        #expect(tester.run("chatelaine", "status").outputText.contains("\ncontents    \u{1B}[1;31mUNKNOWN"))
    }

    @Test func `a pattern is looked for in names, users and labels`() throws {
        try fill()
        func names(_ pattern: String) -> Int {
            tester.run("chatelaine", "list", pattern).outputText.split(separator: "\n").dropFirst().count
        }
        #expect(names("EXAMPLE") == 1)
        #expect(names("ann") == 1)
        #expect(names("last") == 1)
        #expect(names("*.example.*") == 1)
        #expect(names("example*") == 0)
        #expect(names("b?ild") == 1)
        #expect(names("nothing") == 0)
        try tester.keychain.put(
            server: "git.example.net", [.init(.protocol, .string("htps")), .init(.path, .string("/a"))])
        #expect(names("https://git.example.net/other") == 1)
    }

    @Test(arguments: [
        ("", "anything", true), ("*", "", true), ("?", "", false), ("a*b*c", "aXbXbc", true),
        ("a*b", "ab\u{308}", false),
        ("**a", "bba", true), ("b", "abc", true), ("d", "abc", false), ("a?c", "abbc", false),
    ])
    func `patterns match as in a shell`(pattern: String, text: String, matches: Bool) {
        #expect(TextPattern(pattern).matches(text) == matches)
    }

    @Test func `a hostile pattern takes no exponential time`() {
        let pattern = TextPattern(String(repeating: "a*", count: 100) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 5000)))
    }

    @Test func `headings are set off only where that is wanted`() throws {
        try fill()
        tester.isStyled = true
        #expect(tester.run("chatelaine", "list").outputText.hasPrefix("\u{1B}[1mNAME"))
        #expect(tester.run("chatelaine", "get", "?").errorText.hasPrefix("\u{1B}[1;31merror:\u{1B}[0m "))
    }

    @Test(arguments: [
        (ContentsState.unknown, "not checked yet"),
        (.changed(rowsMore: 0), "CHANGED from outside: rows have another"),
        (.changed(rowsMore: 1), "CHANGED from outside: 1 extra row"),
        (.changed(rowsMore: 12), "CHANGED from outside: 12 extra rows"),
        (.changed(rowsMore: -1), "CHANGED from outside: 1 row is missing"),
        (.changed(rowsMore: -2), "CHANGED from outside: 2 rows are missing"),
        (.sealDamaged, "UNKNOWN: the record that detects changes from outside is damaged"),
        (.damaged, "DAMAGED: some rows are unreadable or missing"),
    ])
    func `status tells of contents that are not as they were left, until they are accepted`(
        state: ContentsState, words: String
    ) {
        tester.keychain.change { $0.contents = state }
        #expect(tester.run("chatelaine", "status").outputText.contains("\ncontents    \(words)"))
        let accepted = tester.run("chatelaine", "status", "--accept-contents", "--json").outputText
        #expect(accepted.contains("\"contents\": \"as-left\",\n  \"rowsMore\": null"))
        #expect(tester.run("chatelaine", "status").outputText.contains("\ncontents    as the service left them\n"))
    }

    @Test func `status says that the system service answers, and names a keychain that is not used`() {
        let tester = CommandLineTester()
        tester.place = KeychainLocation(path: "/s/keychain.db", isOfSystem: true, unusedPath: "/home/u/k.db")
        tester.machine.files["/s/keychain.db"] = FileFacts(kind: .regular, owner: 0, group: 0, mode: 0o600)
        let text = tester.run("chatelaine", "status").outputText
        #expect(text.hasPrefix("service     chatelained 9.8.7, system service\nkeychain    /s/keychain.db\n"))
        #expect(text.contains("\nnot used    /home/u/k.db, the keychain of your user service"))
        #expect(text.contains("migrate to-system USER\n"))
        let json = tester.run("chatelaine", "status", "--json").outputText
        #expect(json.contains("\"service\": \"system\"") && json.contains("\"unusedKeychain\": \"/home/u/k.db\""))
        let salvage = tester.run("chatelaine", "salvage")
        #expect(salvage.status != 0 && salvage.errorText.contains("only root can recover it"))
    }

    @Test func `status names no file that does not exist`() {
        let tester = CommandLineTester()
        tester.place = KeychainLocation(path: "/elsewhere/keychain.db")
        #expect(
            tester.run("chatelaine", "status").outputText.contains(
                "\nkeychain    unknown: the service uses other folders"))
        #expect(tester.run("chatelaine", "status", "--json").outputText.contains("\"keychain\": null"))
    }

    @Test func `status shows the service and the caller`() throws {
        try fill()
        try expectSnapshot(tester.run("chatelaine", "status").outputText, "status.txt")
        try expectSnapshot(tester.run("chatelaine", "status", "--json").outputText, "status.json")
    }

    @Test(arguments: LockState.allCases)
    func `each lock state has a word of its own`(state: LockState) {
        tester.keychain.change { $0.lockState = state }
        let words: [LockState: String] = [
            .noPasscode: "no-passcode", .beforeFirstUnlock: "before-first-unlock", .locked: "locked",
            .unlocked: "unlocked", .awaitingPIN: "awaiting-pin",
        ]
        #expect(tester.run("chatelaine", "status", "--json").outputText.contains("\"state\": \"\(words[state]!)\""))
    }
}
