// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainCodeSigning
import KeychainModel
import SecretMemory
import Testing

@testable import KeychainCommands

@Suite("chatelaine codesign and team-key")
struct CodeSigningTests {
    let tester = CommandLineTester()

    private func createKey(_ words: String...) -> String {
        let outcome = tester.run(["chatelaine", "team-key", "create"] + words, input: [])
        #expect(outcome.status == 0)
        return outcome.outputText.trimmingCharacters(in: .newlines)
    }

    /// A copy of this test's own file system's smallest program.
    private func program(_ folder: ScratchFolder, _ name: String = "tool") throws -> String {
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: folder.path(name))
        return folder.path(name)
    }

    @Test func `a team key is an item of the command's own`() throws {
        let team = createKey("--label", "work")
        let items = tester.keychain.items
        #expect(items.count == 1)
        let item = try #require(items.first)
        #expect(item.attributes[.service] == .string("chatelaine team key"))
        #expect(item.attributes[.account] == .string(team))
        #expect(item.attributes[.label] == .string("work"))
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: item.secret)
        #expect(TeamIdentifier(publicKey: Array(key.publicKey.rawRepresentation)).text == team)
        #expect(createKey() != team)
    }

    @Test func `the list has no keys in it`() throws {
        let team = createKey("--label", "work")
        let outcome = tester.run("chatelaine", "team-key", "list")
        #expect(outcome.outputText.contains("\(team)  work\n"))
        #expect(outcome.outputText.split(separator: "\n").count == 2)
    }

    @Test func `a key is exported under a passphrase that is typed twice, and imported again`() throws {
        let folder = try ScratchFolder()
        let team = createKey("--label", "work")
        tester.answers = ["open sesame", "open sesame"]
        #expect(tester.run("chatelaine", "team-key", "export", "work", folder.path("key")).status == 0)
        #expect(try folder.mode("key") == 0o600)
        let text = String(decoding: try folder.bytes("key"), as: UTF8.self)
        #expect(text.hasPrefix("Team: \(team)\n-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        let secret = try #require(tester.keychain.items.first?.secret)
        let unconfirmed = tester.run("chatelaine", "team-key", "delete", team)
        #expect(unconfirmed.status == 64 && tester.keychain.items.count == 1)
        #expect(unconfirmed.errorText.contains("The key of the team \(team) is permanently deleted."))
        #expect(tester.run("chatelaine", "team-key", "delete", team, "--yes").status == 0)
        #expect(tester.keychain.items.isEmpty)
        tester.answers = ["open sesame"]
        #expect(tester.run("chatelaine", "team-key", "import", folder.path("key")).outputText == "\(team)\n")
        #expect(tester.keychain.items.first?.secret == secret)
    }

    @Test func `an export replaces no file, and two different passphrases make none`() throws {
        let folder = try ScratchFolder()
        let team = createKey()
        tester.answers = ["a", "b"]
        #expect(tester.run("chatelaine", "team-key", "export", team, folder.path("key")).status == 1)
        #expect(try folder.names().isEmpty)
        _ = try folder.write("mine", "key")
        tester.answers = ["a", "a"]
        let outcome = tester.run("chatelaine", "team-key", "export", team, folder.path("key"))
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("--force"))
        #expect(try folder.bytes("key") == Array("mine".utf8))
    }

    @Test func `files that are no team key are told before a passphrase is asked for`() throws {
        let folder = try ScratchFolder()
        for text in ["", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n!\n"] {
            let outcome = tester.run("chatelaine", "team-key", "import", try folder.write(text, "key"))
            #expect(outcome.status == 1)
            #expect(outcome.errorText.contains("is not an encrypted private key"))
        }
    }

    /// Made by `openssl pkcs8 -topk8 -v2 aes-256-cbc -iter 1` with the passphrase "x". Cheap, so that it can be tried often.
    private static let foreignKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGaMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAgY0eXla4cnSgIBATAM
        BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQnILyi/No+UwxRLQjPQ8IBgRAxkgJ
        RFYoMznfyITkOFHbKfQxqg6wFumJcBJQ4tcp9GjlvCl4JGI3NYtSzbhegQqLs6q9
        9kKCU3EFapn3FKLvVg==
        -----END ENCRYPTED PRIVATE KEY-----
        """

    @Test func `a key that another program made is read`() throws {
        let document = try TeamKeyFile.document(Array(Self.foreignKey.utf8))
        let seed = try TeamKeyFile.seed(document, passphrase: SecretBytes(copying: "x".utf8))
        #expect(
            String(decoding: hexadecimal(seed.bytes, digits: lowercaseDigits), as: UTF8.self)
                == "67ea7198dca72f4bf9a892fd77037774813f4668de35fb8f6a61e72bc488437f")
        #expect(throws: TeamKeyFile.Problem.wrongPassphrase) {
            try TeamKeyFile.seed(document, passphrase: SecretBytes(copying: "y".utf8))
        }
    }

    @Test func `a file that asks for too much memory is refused before any is taken`() throws {
        let word = SecretBytes(copying: "x".utf8)
        var document = try TeamKeyFile.document(
            TeamKeyFile.text(
                SecretBytes(copying: [UInt8](repeating: 1, count: 32)), passphrase: word, comment: ""))
        // N, r and p of scrypt, as DER writes them.
        let costs = try #require(document.firstRange(of: [2, 2, 0x40, 0, 2, 1, 8, 2, 1, 5]))
        #expect(try TeamKeyFile.seed(document, passphrase: word).bytes.elementsEqual(repeatElement(1, count: 32)))
        document[costs.lowerBound + 6] = 0x7F
        #expect(throws: TeamKeyFile.Problem.expensive) { try TeamKeyFile.seed(document, passphrase: word) }
    }

    @Test func `no bytes in place of a key make the reader trap`() throws {
        let document = try TeamKeyFile.document(Array(Self.foreignKey.utf8))
        let word = SecretBytes(copying: "x".utf8)
        for place in document.indices {
            for value in [0, 1, 0x7F, 0x80, 0x82, 0x84, 0xFF] as [UInt8] {
                var changed = document
                changed[place] = value
                _ = try? TeamKeyFile.seed(changed, passphrase: word)
            }
            #expect(throws: TeamKeyFile.Problem.self) {
                try TeamKeyFile.seed(Array(document.prefix(place)), passphrase: word)
            }
        }
        #expect(throws: TeamKeyFile.Problem.unknown) { try TeamKeyFile.seed(document + [0], passphrase: word) }
    }

    @Test func `a key is found by its label, if no other has it`() throws {
        let folder = try ScratchFolder()
        let path = try program(folder)
        let missing = tester.run("chatelaine", "codesign", "--sign", "work", path)
        #expect(missing.status == 3)
        #expect(missing.errorText.contains("team-key create"))
        let team = createKey("--label", "work")
        let outcome = tester.run("chatelaine", "codesign", "--sign", "work", path)
        #expect(outcome.outputText == "Signed \"\(path)\" as tool of the team \(team).\n")
        _ = createKey("--label", "work")
        #expect(tester.run("chatelaine", "codesign", "--sign", "work", path).status == 1)
        #expect(tester.run("chatelaine", "codesign", "--sign", team, path).status == 0)
    }

    @Test func `a key under the name of another team is not used`() throws {
        let folder = try ScratchFolder()
        let path = try program(folder)
        let team = createKey()
        tester.keychain.change { $0.items[0].secret = [UInt8](repeating: 1, count: 32) }
        let before = try folder.bytes("tool")
        let outcome = tester.run("chatelaine", "codesign", "--sign", team, path)
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("another key, or no key"))
        #expect(try folder.bytes("tool") == before)
    }

    @Test func `several programs are signed with one list of entitlements, each for its own name`() throws {
        let folder = try ScratchFolder()
        let team = createKey()
        let paths = [try program(folder, "one"), try program(folder, "two")]
        let list = try folder.write(
            """
            <plist version="1.0"><dict><key>application-identifier</key>
            <string>$(AppIdentifierPrefix)$(CFBundleIdentifier)</string></dict></plist>
            """, "list")
        #expect(
            tester.run(["chatelaine", "codesign", "-s", team, "--entitlements", list] + paths, input: []).status == 0)
        for (path, name) in zip(paths, ["one", "two"]) {
            let outcome = tester.run("chatelaine", "codesign", "-d", "--entitlements", "-", path)
            #expect(outcome.outputText.contains("<string>\(team).\(name)</string>"))
        }
    }

    @Test func `a program gets its own application-identifier, unless the entitlements have one`() throws {
        let folder = try ScratchFolder()
        let team = createKey()
        let path = try program(folder)
        func signed(_ identifier: String, _ list: String?) throws -> String {
            var words = ["chatelaine", "codesign", "-s", team, "--identifier", identifier, path]
            if let list {
                words += ["--entitlements", try folder.write("<plist><dict>\(list)</dict></plist>", "list")]
            }
            #expect(tester.run(words, input: []).status == 0)
            return tester.run("chatelaine", "codesign", "-d", "--entitlements", "-", path).outputText
        }
        let key = "<key>application-identifier</key>"
        let added = "\(key)\n\t<string>\(team).org.example.mail</string>"
        #expect(try signed("org.example.mail", nil).contains(added))
        let groups = "<key>keychain-access-groups</key><array><string>$(AppIdentifierPrefix)a</string></array>"
        #expect(try signed("org.example.mail", groups).contains(added))
        let other = try signed("org.example.mail", "\(key)<string>$(AppIdentifierPrefix)other</string>")
        #expect(other.contains("<string>\(team).other</string>") && !other.contains("org.example.mail"))
        let mac = try signed(
            "org.example.mail", "<key>com.apple.application-identifier</key><string>$(AppIdentifierPrefix)x</string>")
        #expect(!mac.contains(key))
    }

    @Test func `a list of entitlements that is full is refused, and the program stays as it is`() throws {
        let folder = try ScratchFolder()
        let team = createKey()
        let path = try program(folder)
        let before = try folder.bytes("tool")
        let full = (0..<Entitlements.entryLimit).map { "<key>a\($0)</key><true/>" }.joined()
        let list = try folder.write("<plist><dict>\(full)</dict></plist>", "list")
        let outcome = tester.run("chatelaine", "codesign", "-s", team, "--entitlements", list, path)
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("has no room for the application-identifier"))
        #expect(try folder.bytes("tool") == before)
    }

    @Test func `nothing is signed when one of several programs cannot be`() throws {
        let folder = try ScratchFolder()
        let team = createKey()
        let path = try program(folder)
        let before = try folder.bytes("tool")
        let script = try folder.write("#!/bin/sh\n", "script")
        let outcome = tester.run("chatelaine", "codesign", "-s", team, path, script)
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("is a script"))
        #expect(try folder.bytes("tool") == before)
        #expect(try folder.names() == ["script", "tool"])
    }

    @Test func `entitlements may come from standard input`() throws {
        let folder = try ScratchFolder()
        let team = createKey()
        let path = try program(folder)
        let outcome = tester.run(
            "chatelaine", "codesign", "-s", team, "--entitlements", "-", path,
            typing: "<plist><dict><key>a</key><true/></dict></plist>")
        #expect(outcome.status == 0)
        #expect(tester.run("chatelaine", "codesign", "-d", "--json", path).outputText.contains("\"a\": true"))
    }

    @Test func `a shown entitlement is a property list again, whatever it contains`() throws {
        let team = TeamIdentifier(publicKey: [UInt8](repeating: 0, count: 32))
        let entitlements = try Entitlements([
            ("a", .bool(false)), ("b", .list([])), ("c", .text("<&>\"' ]]> é\u{1F511}")), ("d", .list(["", "x"])),
        ])
        let again = try EntitlementsFile.read(
            Array(EntitlementsFile.xml(entitlements).utf8), path: "x", team: team,
            identifier: try #require(SigningIdentifier("a")))
        #expect(again == entitlements)
    }

    @Test(arguments: [
        ["codesign", "x"], ["codesign", "--sign", "a", "--verify", "x"], ["codesign", "--verify"],
        ["codesign", "--verify", "--identifier", "a", "x"], ["codesign", "-d", "--entitlements", "file", "x"],
        ["codesign", "-s", "a", "--team", "b", "x"], ["codesign", "-s", "a", "--identifier", "b", "x", "y"],
        ["codesign", "--verify", "--team", "abc", "x"],
        ["team-key", "create", "--label", "MZUHVLPYMK6XO3EPYGFY5H4OEA"],
    ])
    func `wrong usage is refused before anything is looked at`(words: [String]) {
        let outcome = tester.run(["chatelaine"] + words, input: [])
        #expect(outcome.status == 64)
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a name that cannot be an identifier is told, with the option that helps`() throws {
        let folder = try ScratchFolder()
        let path = try program(folder, "my+tool")
        let outcome = tester.run("chatelaine", "codesign", "-s", "x", path)
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("--identifier"))
    }

    @Test func `the time of the signature is the clock's`() throws {
        let folder = try ScratchFolder()
        let path = try program(folder)
        let team = createKey()
        #expect(tester.run("chatelaine", "codesign", "-s", team, path).status == 0)
        // The tester's clock stands at the beginning of 1970.
        #expect(
            tester.run("chatelaine", "codesign", "-d", path).outputText.contains("Signed=1970-01-01T00:00:00Z\n"))
    }

    @Test func `removing a signature that is not there is no failure`() throws {
        let folder = try ScratchFolder()
        let path = try program(folder)
        let before = try folder.bytes("tool")
        let outcome = tester.run("chatelaine", "codesign", "--remove-signature", path)
        #expect(outcome == .init(status: 0, output: Array("\"\(path)\" is not signed.\n".utf8)))
        #expect(try folder.bytes("tool") == before)
    }
}
