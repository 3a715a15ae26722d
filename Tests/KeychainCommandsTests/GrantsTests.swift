// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite("chatelaine grants")
struct GrantsTests {
    let tester = CommandLineTester()

    private static let mail = ProgramIdentity.signed(team: "3XAMPLETEAM", identifier: "org.example.mail")

    private static func grant(
        _ number: UInt64, _ identity: ProgramIdentity, _ operation: GrantableOperation = .readData,
        _ itemClass: ItemClass = .genericPassword, label: String = "", place: String? = "mail", account: String = "ann"
    ) -> ListedGrant {
        let names = place.map { ItemNames(itemClass: itemClass, label: label, place: $0, account: account) }
        return ListedGrant(
            RememberedGrant(
                number: number, identity: identity, tier: .installed, operation: operation, itemClass: itemClass,
                item: ItemIdentifier(value: UInt128(number)),
                date: Timestamp(secondsSinceReferenceDate: 725_846_400 + Double(number))), names: names)
    }

    private func fill() {
        tester.keychain.change {
            $0.grants = [
                Self.grant(1, .command), Self.grant(3, Self.mail, .update, .internetPassword, place: "example.org"),
                Self.grant(4, .installed(path: "/usr/bin/mail"), .delete, label: "Label", place: "", account: ""),
                Self.grant(7, Self.mail, place: nil), Self.grant(12, .unsigned(digest: Array(0..<32))),
            ]
        }
    }

    private var numbers: [UInt64] { tester.keychain.grants.map(\.grant.number) }

    @Test func `all are listed, however many pages they take`() throws {
        fill()
        let outcome = tester.run("chatelaine", "grants", "list")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        try expectSnapshot(outcome.outputText, "grants.txt")
        #expect(tester.keychain.requests.count(where: { $0 == .grants }) == 3)
        try expectSnapshot(tester.run("chatelaine", "grants", "list", "--json").outputText, "grants.json")
    }

    @Test func `that there are none is a sentence, and in JSON an empty list`() {
        let outcome = tester.run("chatelaine", "grants", "list")
        #expect(outcome == .init(status: 0))
        tester.diagnosticsAreTerminal = true
        let shown = tester.run("chatelaine", "grants", "list")
        #expect(shown.output.isEmpty && shown.errorText == "No program has a remembered grant.\n")
        #expect(tester.run("chatelaine", "grants", "list", "--json").outputText == "[]\n")
    }

    @Test func `one is taken back by its number`() {
        fill()
        let outcome = tester.run("chatelaine", "grants", "revoke", "3")
        #expect(outcome.status == 0 && outcome.outputText == "Revoked 1 grant.\n")
        #expect(numbers == [1, 4, 7, 12])
    }

    @Test func `a number that is not there is an error`() {
        fill()
        let outcome = tester.run("chatelaine", "grants", "revoke", "2")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errorText.contains("no grant has this number"))
        #expect(numbers.count == 5)
    }

    @Test func `all are taken back, even if there are none`() {
        fill()
        #expect(tester.run("chatelaine", "grants", "revoke", "--all").outputText == "Revoked 5 grants.\n")
        let outcome = tester.run("chatelaine", "grants", "revoke", "--all", "--json")
        #expect(outcome.status == 0 && outcome.outputText.contains("\"count\": 0"))
    }

    @Test(
        arguments: [
            ("org.example.mail", [1, 4, 12]), ("3XAMPLETEAM.org.example.mail", [1, 4, 12]),
            ("/usr/bin/mail", [1, 3, 7, 12]), ("installed:/usr/bin/mail", [1, 3, 7, 12]),
            ("chatelaine", [3, 4, 7, 12]),
            ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", [1, 3, 4, 7]),
        ] as [(String, [UInt64])])
    func `all of a program are taken back by any of its names`(name: String, left: [UInt64]) {
        fill()
        let outcome = tester.run("chatelaine", "grants", "revoke", "--program", name)
        #expect(outcome.status == 0)
        #expect(numbers == left)
    }

    @Test func `approvals of a program that has no grant are taken back by its name`() {
        fill()
        let tool = ProgramIdentity.installed(path: "/usr/bin/secret-tool")
        tester.keychain.change {
            $0.approvals = [tool, Self.mail].map {
                ListedApproval(identity: $0, process: 7, path: "/usr/bin/p", bridgePath: "/bridge", itemCount: 1)
            }
        }
        let outcome = tester.run("chatelaine", "grants", "revoke", "--program", "/usr/bin/secret-tool")
        #expect(outcome.status == 0 && outcome.outputText == "Revoked 1 grant.\n")
        #expect(numbers.count == 5 && tester.keychain.approvals.map(\.identity) == [Self.mail])
        #expect(
            tester.run("chatelaine", "grants", "revoke", "--program", "org.example.mail").outputText
                == "Revoked 3 grants.\n")
        #expect(tester.keychain.approvals.isEmpty)
    }

    @Test(arguments: ["org.example", "mail", "ORG.example.mail", "/usr/bin/mai", "000102030405"])
    func `nothing is taken back from a program that merely looks like it`(name: String) {
        fill()
        let outcome = tester.run("chatelaine", "grants", "revoke", "--program", name)
        #expect(outcome.status == 1 && outcome.errorText.contains("no program \"\(name)\" has a remembered grant"))
        #expect(numbers.count == 5)
    }

    @Test func `of two teams' programs of one identifier the person says which`() {
        fill()
        let other = ProgramIdentity.signed(team: "ANOTHERTEAM", identifier: "org.example.mail")
        tester.keychain.change { $0.grants.append(Self.grant(13, other)) }
        let outcome = tester.run("chatelaine", "grants", "revoke", "--program", "org.example.mail")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("3XAMPLETEAM.org.example.mail, ANOTHERTEAM.org.example.mail"))
        #expect(numbers.count == 6)
    }

    @Test(arguments: [[], ["1", "--all"], ["--all", "--program", "x"], ["x"], ["-1"], ["1", "2"]])
    func `a grant to revoke is named once`(words: [String]) {
        fill()
        let outcome = tester.run(["chatelaine", "grants", "revoke"] + words, input: [])
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(numbers.count == 5)
    }
}
