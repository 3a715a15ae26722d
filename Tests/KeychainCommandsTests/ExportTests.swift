// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import SecretMemory
import TestSupport
import Testing

@testable import KeychainCommands

@Suite("chatelaine export")
struct ExportTests {
    let tester = CommandLineTester()

    private func export(_ words: String...) -> CommandLineTester.Outcome {
        tester.run(["chatelaine", "export"] + words, input: [])
    }

    private func fill() throws {
        try tester.keychain.put(
            server: "example.org", user: "ann", secret: Array("p,\"w".utf8),
            [
                .init(.protocol, .string("htps")), .init(.port, .number(8443)), .init(.path, .string("/login")),
                .init(.label, .string("Example")), .init(.comment, .string("two\nlines")),
                .init(.securityDomain, .string("Realm")),
            ])
        try tester.keychain.put(
            "Router", user: "admin", secret: Array("s3cret".utf8),
            [.init(.label, .string("Router")), .init(.generic, .data([1, 0xFF])), .init(.creator, .number(42))])
    }

    @Test func `JSON has every attribute of both classes`() throws {
        try fill()
        let outcome = export()
        #expect(outcome.status == 0)
        #expect(outcome.errorText == "Exported 2 passwords in plaintext.\n")
        try expectSnapshot(outcome.outputText, "export.json")
    }

    @Test(arguments: ["apple", "chrome", "firefox"]) func `CSV has the columns of other programs`(format: String) throws
    {
        try fill()
        let outcome = export("--format", format)
        #expect(outcome.status == (format == "firefox" ? 6 : 0))
        try expectSnapshot(outcome.outputText, "export-\(format).csv")
    }

    @Test(arguments: ["json", "apple", "chrome"])
    func `what was exported is there already, and in an empty keychain gives the same again`(format: String) throws {
        try fill()
        _ = tester.run(
            ["chatelaine", "import"],
            input: Array("Title,URL,Username,Password,Notes,OTPAuth\nT,ssh://h,bob,x,n,otpauth://totp/x\n".utf8))
        #expect(tester.keychain.items.count == 4)
        let exported = export("-f", format)
        let reimported = tester.run(["chatelaine", "import"], input: exported.output)
        #expect(reimported.status == 0)
        let count = format == "chrome" ? 3 : 4
        // CSV has no column for the security domain, which makes an item another one.
        if format == "json" {
            let counts = "0 added, 0 replaced, 4 already stored, 0 in conflict, 0 invalid\n"
            #expect(reimported.outputText == counts)
        }
        let other = CommandLineTester()
        #expect(other.run(["chatelaine", "import"], input: exported.output).status == 0)
        #expect(other.keychain.items.count == count)
        let again = other.run("chatelaine", "export", "-f", format)
        func lines(_ outcome: CommandLineTester.Outcome) -> [String] {
            // The keychain sets the dates itself.
            outcome.outputText.split(separator: "\n").map(String.init).filter { !$0.contains("T00:00:0") }.sorted()
        }
        #expect(lines(again) == lines(exported))
    }

    @Test func `every kind of value comes back from JSON in the type that was stored`() throws {
        let entries: [ItemAttributes.Entry] = [
            .init(.account, .data([0xFF, 0])), .init(.service, .data(Array("text".utf8))), .init(.label, .number(7)),
            .init(.comment, .string("e\u{301}\u{0}\"")), .init(.synchronizable, .number(1)),
            .init(.accessible, .string("cku")),
            .init(.isInvisible, .number(1)), .init(.scriptCode, .number(-5)), .init(.alias, .string("")),
            .init(.syncViewHint, .string("view")), .init(.isProtected, .data([])),
        ]
        let attributes = try ItemAttributes(.genericPassword, for: .add, entries)
        tester.keychain.change { $0.insert(attributes, [0, 0xFF, 0x0A], group: ScriptedKeychain.ownGroup) }
        let other = CommandLineTester()
        #expect(other.run(["chatelaine", "import"], input: export().output).status == 0)
        let item = try #require(other.keychain.items.first)
        for entry in entries { #expect(item.attributes[entry.key] == entry.value, "\(entry.key)") }
        // Not by ==, for which equivalent characters are equal.
        #expect(item.attributes[.comment]?.bytes == Array("e\u{301}\u{0}\"".utf8))
        #expect(item.secret == [0, 0xFF, 0x0A])
    }

    @Test func `an access control comes back from JSON without the accessibility beside it`() throws {
        let control = AccessControl(protection: .afterFirstUnlock)
        try tester.keychain.put(
            "s", [.init(.accessControl, .accessControl(control)), .init(.accessible, .string("ck"))])
        let other = CommandLineTester()
        #expect(other.run(["chatelaine", "import"], input: export().output).status == 0)
        #expect(other.keychain.items.first?.attributes[.accessControl] == .accessControl(control))
    }

    @Test(arguments: [UInt8(0), 0x61, 0xFF]) func `a document never outgrows the room that is made for it`(byte: UInt8)
        throws
    {
        let bytes = [UInt8](repeating: byte, count: 1000)
        let value = String(validating: bytes, as: UTF8.self).map(AttributeValue.string) ?? .data(bytes)
        let passwords = try (0..<20).map { number in
            let keys: [AttributeKey] = [
                .account, .service, .generic, .label, .comment, .itemDescription, .alias, .isProtected,
            ]
            let moment = Timestamp(secondsSinceReferenceDate: 0)
            let attributes = try ItemAttributes(
                stored: .genericPassword,
                keys.prefix(number % 9).map { .init($0, value) } + [
                    .init(.modificationDate, .date(moment)), .init(.creator, .number(.min)),
                    .init(.type, .number(.min)),
                    .init(.accessControl, .accessControl(AccessControl(protection: .whenPasscodeSetThisDeviceOnly))),
                ])
            let identifier = try #require(ItemIdentifier(bytes: [UInt8](repeating: 1, count: 16)))
            let item = ListedItem(
                reference: PersistentReference(itemClass: .genericPassword, item: identifier), attributes: attributes)
            return ExportedPassword(item: item, secret: SecretBytes(copying: bytes.prefix(100 * number)))
        }
        for count in 0...20 {
            let part = Array(passwords.prefix(count))
            #expect(JSONPasswords.document(part).count <= JSONPasswords.maximumByteCount(part))
        }
    }

    @Test func `random items come back from every format that holds them`() throws {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<40 {
            let tester = CommandLineTester()
            for index in 0..<6 {
                let secret = "x" + generator.awkwardText(atMost: 9)
                let more: [ItemAttributes.Entry] = [.init(.comment, .string("c" + generator.awkwardText(atMost: 5)))]
                let user = generator.awkwardText(atMost: 4)
                if Bool.random(using: &generator) {
                    try tester.keychain.put(
                        server: "h\(index).example", user: user, secret: Array(secret.utf8),
                        more + [
                            .init(.protocol, .string(["htps", "http", "ftp "].randomElement(using: &generator)!)),
                            .init(.port, .number(Int64.random(in: 1000...65535, using: &generator))),
                            .init(.path, .string("/p?" + generator.awkwardText(atMost: 4))),
                        ])
                } else {
                    try tester.keychain.put(
                        "s\(index)" + generator.awkwardText(atMost: 4), user: user, secret: Array(secret.utf8), more)
                }
            }
            for format in ["json", "apple", "chrome"] {
                let exported = tester.run(["chatelaine", "export", "-f", format], input: [])
                #expect(exported.status == 0)
                let other = CommandLineTester()
                let imported = other.run(["chatelaine", "import"], input: exported.output)
                #expect(imported.status == 0, "round \(round), \(format): \(imported.outputText) \(imported.errorText)")
                func shown(_ tester: CommandLineTester) -> [[UInt8]] {
                    tester.keychain.items.map { item in
                        let keys: [AttributeKey] = [.service, .server, .protocol, .port, .path, .account, .comment]
                        return keys.flatMap { Array("\(item.attributes[$0]?.shownText ?? "-")|".utf8) } + item.secret
                    }.sorted { $0.lexicographicallyPrecedes($1) }
                }
                #expect(shown(other) == shown(tester), "round \(round), \(format)")
            }
        }
    }

    @Test func `items that may not be read are counted, and the exit status says so`() throws {
        try fill()
        try tester.keychain.put("foreign", secret: Array("hidden".utf8), group: "installed:/usr/bin/other")
        let outcome = export()
        #expect(outcome.status == 6)
        #expect(outcome.errorText.hasSuffix("error: the export is incomplete: 1 belong to other programs\n"))
        #expect(!outcome.outputText.contains("hidden") && !outcome.outputText.contains("foreign"))
        let own = export("--own")
        #expect(own.status == 0)
        #expect(own.output == outcome.output)
        tester.keychain.change { $0.refusesData = true }
        #expect(export("--own").errorText.hasSuffix("error: the export is incomplete: the service refused 2\n"))
        #expect(export("--own").status == 6)
    }

    @Test func `what CSV cannot hold is counted`() throws {
        try tester.keychain.put("binary", secret: [0xFF])
        try tester.keychain.put("text")
        try tester.keychain.put(server: "empty", secret: [])
        let outcome = export("-f", "firefox")
        #expect(outcome.status == 6)
        #expect(
            outcome.errorText == """
                Exported 0 passwords in plaintext.
                error: the export is incomplete: 1 are not text; 2 do not fit the columns of firefox
                hint: --format json exports every item

                """)
        #expect(export("-f", "apple").errorText.contains("1 are not text; 1 do not fit the columns of apple\n"))
        #expect(export("-f", "apple").outputText == "Title,URL,Username,Password,Notes,OTPAuth\r\ntext,,,secret,,\r\n")
        #expect(export().status == 0)
    }

    @Test func `a file is made for its owner alone and never replaced by accident`() throws {
        try fill()
        let folder = try ScratchFolder()
        let outcome = export(folder.path("p.json"))
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errorText
                == "Exported 2 passwords to \"\(folder.path("p.json"))\". Any process that can read the file can read the passwords.\n"
        )
        #expect(try folder.bytes("p.json") == export().output)
        #expect(try folder.mode("p.json") == 0o600)
        _ = try folder.write("mine", "p.csv")
        let refused = export(folder.path("p.csv"), "-f", "apple")
        #expect(refused.status == 1)
        #expect(refused.errorText.hasPrefix("error: cannot write \"\(folder.path("p.csv"))\": File exists\nhint: "))
        #expect(try folder.bytes("p.csv") == Array("mine".utf8))
        #expect(export(folder.path("p.csv"), "-f", "apple", "--force").status == 0)
        #expect(try folder.bytes("p.csv") == export("-f", "apple").output)
        #expect(try folder.mode("p.csv") == 0o600)
        #expect(try folder.names() == ["p.csv", "p.json"])
        #expect(
            export(folder.path("none/p")).errorText.hasPrefix(
                "error: cannot write \"\(folder.path("none/p"))\": No such file or directory\n"))
    }

    @Test func `a symbolic link is not followed`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("mine", "target")
        try FileManager.default.createSymbolicLink(at: folder.url("link"), withDestinationURL: folder.url("target"))
        #expect(export(folder.path("link")).status == 1)
        #expect(export(folder.path("link"), "--force").status == 0)
        #expect(try folder.bytes("target") == Array("mine".utf8))
    }

    @Test func `a terminal is refused unless it is meant`() throws {
        try fill()
        tester.outputIsTerminal = true
        let outcome = export()
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errorText
                == "error: the passwords would be shown on the terminal\nhint: name a file, or add --to-terminal\n")
        #expect(tester.keychain.requests.isEmpty)
        #expect(export("--to-terminal").status == 0)
        #expect(export("-", "--to-terminal").status == 0)
    }

    @Test func `an empty keychain gives an empty file`() {
        #expect(export("-f", "chrome").outputText == "name,url,username,password,note\r\n")
        #expect(
            export().outputText == "{\n  \"format\": \"chatelaine-passwords\",\n  \"version\": 1,\n  \"items\": []\n}\n"
        )
        #expect(tester.run(["chatelaine", "import"], input: export().output).status == 0)
    }
}
