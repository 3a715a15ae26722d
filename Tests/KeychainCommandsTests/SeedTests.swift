// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("The seed of an item's one-time passwords")
struct SeedTests {
    let tester = CommandLineTester()
    /// Codes at second 59, by the seeds.
    private static let first = (seed: "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", code: "287082\n")
    private static let second = "otpauth://totp/x?secret=MZXW6YTBOI"
    private static let kind = ItemAttributes.Entry(.itemDescription, .string("one-time password"))

    private func run(_ words: [String], typing text: String = "") -> CommandLineTester.Outcome {
        tester.secondsSince1970 = 59
        return tester.run(["chatelaine"] + words, input: Array(text.utf8))
    }

    private func services() -> [String] { tester.keychain.items.compactMap { $0.attributes[.service]?.shownText } }

    /// The group of each seed.
    private func groups() -> [String?] {
        tester.keychain.items.filter { OneTimePassword.subject($0.attributes) != nil }.map(\.attributes.accessGroup)
    }

    private static let likeEachOther: [([String], [String])] = [
        (["https://a.example"], ["--url", "https://a.example"]), (["a.example"], ["--server", "a.example"]),
        (["name:https://a.example"], ["https://a.example"]), (["//a.example"], ["--server", "a.example"]),
    ]

    @Test(arguments: likeEachOther)
    func `two items with like names have separate seeds`(one: [String], other: [String]) {
        _ = run(["set"] + one, typing: "pw")
        _ = run(["set"] + other, typing: "pw")
        let added = run(["set"] + one + ["--totp"], typing: Self.first.seed)
        #expect(added.outputText.hasPrefix("Stored the seed"), "\(added)")
        #expect(run(["code"] + other + ["--exact"]).status == 3)
        let otherAdded = run(["set"] + other + ["--totp"], typing: Self.second)
        #expect(otherAdded.outputText.hasPrefix("Stored the seed"), "\(otherAdded)")
        #expect(run(["code"] + one + ["--exact"]).outputText == Self.first.code)
        let code = run(["code"] + other + ["--exact"])
        #expect(code.status == 0 && code.outputText != Self.first.code)
        #expect(Set(services().filter { $0.hasPrefix("otpauth:") }).count == 2)
    }

    @Test func `the service of a seed leads back to its item`() throws {
        let address = try WebAddress.parse("https://a.example/x").address
        let subjects: [(ItemName.Subject, String)] = [
            (.name("github"), "otpauth:github"), (.name("name:x"), "otpauth:name:x"),
            (.name("https://a.example/x"), "otpauth:name:https://a.example/x"),
            (.name("name:https://a.example"), "otpauth:name:name:https://a.example"),
            (.name("//a.example"), "otpauth:name://a.example"), (.name("foo://x"), "otpauth:name:foo://x"),
            (.address(address), "otpauth:https://a.example/x"),
            (.address(WebAddress(host: "a.example", port: 8080)), "otpauth://a.example:8080"),
        ]
        for (subject, service) in subjects {
            #expect(OneTimePassword.service(of: subject) == service)
            #expect(OneTimePassword.subject(service: service) == subject)
        }
        #expect(OneTimePassword.subject(service: "github") == nil)
    }

    @Test(arguments: [
        ["https://a.example"], ["a.example"], ["--url", "https://a.example"], ["--server", "a.example"],
    ])
    func `a seed of an earlier version is found and replaced`(name: [String]) throws {
        let service = "otpauth:" + name[name.count - 1]
        try tester.keychain.put(service, secret: Array(Self.first.seed.utf8), [Self.kind])
        _ = run(["set"] + name, typing: "pw")
        #expect(run(["code"] + name).outputText == Self.first.code)
        #expect(run(["set"] + name + ["--totp"], typing: Self.second).outputText.hasPrefix("Replaced the seed"))
        #expect(tester.keychain.items.count == 2)
    }

    @Test func `a seed of an earlier version stays with its item when a web password of that name is stored`() throws {
        try tester.keychain.put("https://a.example", secret: [0x31])
        try tester.keychain.put("otpauth:https://a.example", secret: Array(Self.first.seed.utf8), [Self.kind])
        #expect(run(["code", "https://a.example"]).outputText == Self.first.code)
        _ = run(["set", "--url", "https://a.example"], typing: "pw")
        #expect(run(["code", "https://a.example", "--exact"]).outputText == Self.first.code)
        #expect(run(["code", "--url", "https://a.example"]).status == 3)
    }

    @Test func `an export has each seed in the row of its item`() throws {
        for (name, seed) in [(["https://a.example"], Self.first.seed), (["--url", "https://a.example"], Self.second)] {
            _ = run(["set"] + name, typing: "pw" + name[0])
            _ = run(["set"] + name + ["--totp"], typing: seed)
        }
        let rows = run(["export", "--format", "apple"]).outputText.split(separator: "\r\n")
            .flatMap { $0.split(separator: "\n") }
        #expect(rows.contains { $0.contains("pwhttps://a.example") && $0.contains(Self.first.seed) }, "\(rows)")
        #expect(rows.contains { $0.contains("pw--url") && $0.contains(Self.second) }, "\(rows)")
    }

    // MARK: Protection

    @Test func `the seed of a private item is private, unless a flag says otherwise`() {
        tester.keychain.change { $0.allowsPrivateItems = true }
        _ = run(["set", "bank", "--private"], typing: "pw")
        _ = run(["set", "bank", "--totp"], typing: Self.first.seed)
        #expect(groups() == [CommandGroup.privateItems])
        _ = run(["set", "bank", "--totp", "--shared"], typing: Self.first.seed)
        #expect(groups() == [CommandGroup.shared])
        // A seed that is stored already becomes as protected as its item.
        _ = run(["set", "bank", "--totp"], typing: Self.first.seed)
        #expect(groups() == [CommandGroup.privateItems])
    }

    @Test func `the private seed of a shared item stays private`() {
        tester.keychain.change { $0.allowsPrivateItems = true }
        _ = run(["set", "bank"], typing: "pw")
        _ = run(["set", "bank", "--totp", "--private"], typing: Self.first.seed)
        _ = run(["set", "bank", "--totp"], typing: Self.first.seed)
        #expect(groups() == [CommandGroup.privateItems])
    }

    @Test func `the seed of a protected item requires the same authentication`() throws {
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        try tester.keychain.put("bank", [.init(.accessControl, .accessControl(control))])
        _ = run(["set", "bank", "--totp"], typing: Self.first.seed)
        let seed = try #require(tester.keychain.items.last)
        #expect(OneTimePassword.subject(seed.attributes) == .name("bank"))
        #expect(seed.attributes[.accessControl] == .accessControl(control))
    }

    // MARK: New names

    @Test(arguments: [([String](), ["--private"]), (["--private"], [])])
    func `a seed of another protection follows the new name`(item: [String], seed: [String]) {
        tester.keychain.change { $0.allowsPrivateItems = true }
        _ = run(["set", "githb"] + item, typing: "pw")
        _ = run(["set", "githb", "--totp"] + (seed.isEmpty ? ["--shared"] : seed), typing: Self.first.seed)
        let before = groups()
        #expect(run(["rename", "githb", "github"]).outputText == "Changed \"github\".\n")
        #expect(Set(services()) == ["github", "otpauth:github"])
        #expect(groups() == before)
        #expect(run(["code", "github"]).outputText == Self.first.code)
    }

    @Test func `a denied approval for the seed leaves item and seed unchanged`() {
        tester.keychain.change { $0.allowsPrivateItems = true }
        _ = run(["set", "githb"], typing: "pw")
        _ = run(["set", "githb", "--totp", "--private"], typing: Self.first.seed)
        tester.keychain.change { $0.allowsPrivateItems = false }
        let outcome = run(["rename", "githb", "github"])
        #expect(outcome.status == 4 && outcome.output.isEmpty, "\(outcome)")
        #expect(Set(services()) == ["githb", "otpauth:githb"])
    }

    @Test func `an item of the new name is in the way before the seed changes`() {
        tester.keychain.change { $0.allowsPrivateItems = true }
        for name in ["githb", "github"] { _ = run(["set", name], typing: "pw") }
        _ = run(["set", "githb", "--totp", "--private"], typing: Self.first.seed)
        let outcome = run(["rename", "githb", "github"])
        #expect(outcome.status == 1 && outcome.errorText.hasPrefix("error: there is already an item \"github\"\n"))
        #expect(Set(services()) == ["githb", "github", "otpauth:githb"])
    }

    @Test func `of two items of a name each keeps the seed of its own protection`() throws {
        tester.keychain.change { $0.allowsPrivateItems = true }
        for group in [CommandGroup.shared, CommandGroup.privateItems] {
            try tester.keychain.put("githb", group: group)
            try tester.keychain.put("otpauth:githb", group: group, [Self.kind])
        }
        #expect(run(["rename", "githb", "github"]).status == 0)
        let names = tester.keychain.items.map {
            "\($0.attributes[.service]?.shownText ?? "") \($0.attributes.accessGroup ?? "")"
        }
        #expect(
            Set(names) == [
                "githb chatelaine", "otpauth:githb chatelaine", "github chatelaine.private",
                "otpauth:github chatelaine.private",
            ])
    }
}
