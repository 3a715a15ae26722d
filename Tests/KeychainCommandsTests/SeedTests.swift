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

    // MARK: Replacing

    /// Stores the password and the seed of `github`.
    private func storeSeed() {
        _ = run(["set", "github", "--user", "u"], typing: "pw")
        _ = run(["set", "github", "--user", "u", "--totp"], typing: Self.first.seed)
        #expect(run(["code", "github", "--user", "u"]).outputText == Self.first.code)
    }

    private var secrets: [[UInt8]] { tester.keychain.items.map(\.secret) }
    private static let refusal = "the secret would replace the seed of \"github\" (user u)"

    @Test func `no command replaces a seed by a secret that is no seed`() {
        storeSeed()
        let stored = secrets
        let set = run(["set", "otpauth:github", "--user", "u"], typing: "other")
        #expect(set.status == 1 && set.errorText.hasPrefix("error: \(Self.refusal)\n"), "\(set.errorText)")
        for words in [["-w", "other"], ["-D", "note"]] {
            let command = ["security", "add-generic-password", "-U", "-s", "otpauth:github", "-a", "u"]
            let added = tester.run(command + words, input: [])
            #expect(added.status == 45)
            #expect(added.errorText.contains("security: \(Self.refusal)\n"), "\(added.errorText)")
        }
        for row in ["otpauth:github,,u,other,,", "github,,u,pw,,no seed"] {
            let imported = run(
                ["import", "--replace", "--yes"], typing: "Title,URL,Username,Password,Notes,OTPAuth\n\(row)\n")
            #expect(imported.status == 6)
            #expect(
                imported.outputText.hasPrefix("line 2: conflict: \"otpauth:github\" (user u): \(Self.refusal)\n"),
                "\(imported.outputText)")
        }
        #expect(secrets == stored)
        #expect(run(["code", "github", "--user", "u"]).outputText == Self.first.code)
    }

    @Test func `a change of another attribute leaves a seed usable`() {
        storeSeed()
        let command = ["security", "add-generic-password", "-U", "-s", "otpauth:github", "-a", "u", "-j", "note"]
        #expect(tester.run(command, input: []).status == 0)
        #expect(run(["code", "github", "--user", "u"]).outputText == Self.first.code)
    }

    @Test func `a private secret deletes no shared seed of its name`() throws {
        tester.keychain.change { $0.allowsPrivateItems = true }
        storeSeed()
        try tester.keychain.put("otpauth:github", user: "u", group: CommandGroup.privateItems)
        let stored = secrets
        let outcome = run(["set", "otpauth:github", "--user", "u", "--private"], typing: "other")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasPrefix("error: \(Self.refusal)\n"), "\(outcome.errorText)")
        #expect(secrets == stored)
    }

    @Test func `a seed of a file replaces no item that is no seed`() throws {
        try tester.keychain.put("otpauth:github", user: "u")
        let rows = "Title,URL,Username,Password,Notes,OTPAuth\ngithub,,u,,,\(Self.second)\n"
        let outcome = run(["import", "--replace", "--yes"], typing: rows)
        #expect(outcome.status == 6)
        #expect(
            outcome.outputText.contains(
                "the seed would replace the item \"otpauth:github\" (user u), which is no seed\n"),
            "\(outcome.outputText)")
        #expect(secrets == [Array("secret".utf8)])
    }

    @Test func `an import replaces seeds by others after a confirmation that names them`() throws {
        storeSeed()
        let rows = "Title,URL,Username,Password,Notes,OTPAuth\ngithub,,u,pw,,\(Self.second)\n"
        let stored = secrets
        #expect(run(["import"], typing: rows).status == 6)
        let preview = run(["import", "--replace", "--dry-run"], typing: rows)
        #expect(
            preview.status == 0
                && preview.outputText.contains(
                    "would be replaced: \"otpauth:github\" (user u): it is a seed of one-time passwords\n"),
            "\(preview)")
        let question =
            "seeds of one-time passwords of \"github\" (user u), and the keychain does not keep the old seeds."
        let unconfirmed = run(["import", "--replace"], typing: rows)
        #expect(unconfirmed.status == 64 && unconfirmed.errorText.contains(question), "\(unconfirmed.errorText)")
        #expect(secrets == stored)
        let folder = try ScratchFolder()
        let file = try folder.write(rows, "p.csv")
        tester.inputIsTerminal = true
        let denied = run(["import", "--replace", file], typing: "n\n")
        #expect(denied.status == 1 && denied.errorText.contains(question), "\(denied.errorText)")
        #expect(secrets == stored)
        let done = run(["import", "--replace", file], typing: "y\n")
        #expect(done.status == 0)
        #expect(
            done.outputText == """
                line 2: replaced: "otpauth:github" (user u): it is a seed of one-time passwords
                0 added, 1 replaced, 1 already stored, 0 in conflict, 0 invalid

                """)
        #expect(secrets == [Array("pw".utf8), Array(Self.second.utf8)])
    }

    @Test func `security replaces no seed in a keychain file`() throws {
        let house = try KeychainHouse()
        house.make("k")
        let name = ["github", "--user", "u", "--keychain", "k"]
        #expect(
            house.tester.run(["chatelaine", "set", "--totp"] + name, input: Array(Self.first.seed.utf8)).status == 0)
        for programs in [[], ["-A"]] {
            let words = ["-U", "-s", "otpauth:github", "-a", "u", "-w", "other"] + programs + ["k"]
            let added = house.tester.run(["security", "add-generic-password"] + words, input: [])
            #expect(added.status == 45)
            #expect(added.errorText.contains("security: \(Self.refusal)\n"), "\(added.errorText)")
        }
        house.tester.secondsSince1970 = 59
        #expect(house.tester.run(["chatelaine", "code"] + name, input: []).outputText == Self.first.code)
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
