// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainKeys
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("security: certificates, keys and identities")
struct SecurityKeyItemTests {
    let tester = CommandLineTester()
    let leaf = SampleIdentity.leaf
    private var hash: String { leaf.sha1Fingerprint.hexadecimal.uppercased() }

    init() throws {
        tester.secondsSince1970 = 1_795_000_000
        try tester.keychain.put(leaf)
        try tester.keychain.putKey()
        try tester.keychain.put(SampleIdentity.root)
    }

    private func security(_ words: String...) -> CommandLineTester.Outcome {
        tester.run(["security"] + words, input: [])
    }

    private let notFound = "The specified item could not be found in the keychain."

    // MARK: Finding

    @Test func `a certificate and a key are listed as on macOS`() throws {
        try expectSnapshot(security("find-certificate", "-c", "ann").outputText, "find-certificate.txt")
        try expectSnapshot(security("find-key", "-t", "private").outputText, "find-key.txt")
        let dump = security("dump-keychain")
        #expect(dump.status == 0)
        #expect(dump.outputText.contains("class: 0x80001000 \n") && dump.outputText.contains("class: 0x00000010 \n"))
    }

    @Test func `find-certificate finds the first, or all with -a`() {
        #expect(security("find-certificate").outputText.components(separatedBy: "keychain: ").count == 2)
        #expect(security("find-certificate", "-a").outputText.components(separatedBy: "keychain: ").count == 3)
        #expect(security("find-certificate", "-a", "-c", "EXAMPLE").outputText.contains("Example Root"))
        let none = security("find-certificate", "-c", "nobody")
        #expect(none.status == 44 && none.output.isEmpty)
        #expect(none.errorText == "security: SecKeychainSearchCopyNext: \(notFound)\n")
        #expect(security("find-certificate", "-a", "-c", "nobody") == .init(status: 0))
    }

    @Test func `find-certificate prints hashes, addresses and PEM`() {
        let all = security("find-certificate", "-Z", "-m", "-p", "-e", "Ann@Example.com")
        #expect(
            all.outputText
                == """
                SHA-256 hash: \(leaf.sha256Fingerprint.hexadecimal.uppercased())
                SHA-1 hash: \(hash)
                email addresses: ann@example.com
                \(leaf.pem)
                """.replacing("\n\n", with: "\n"))
        #expect(security("find-certificate", "-e", "bob@example.com").status == 44)
        #expect(security("find-certificate", "-Zc", "Ann").outputText.contains("hash: \(hash)\nkeychain: \""))
    }

    @Test func `find-identity lists matching and valid identities`() {
        let line = "  1) \(hash) \"Ann Example\"\n"
        #expect(
            security("find-identity").outputText
                == "\nPolicy: X.509 Basic\n  Matching identities\n\(line)     1 identities found\n\n"
                + "  Valid identities only\n\(line)     1 valid identities found\n")
        #expect(security("find-identity", "-v").outputText == "\(line)     1 valid identities found\n")
        tester.secondsSince1970 = 4_800_000_000
        let expired = security("find-identity")
        #expect(expired.status == 0)
        #expect(expired.outputText.contains("\"Ann Example\" (CSSMERR_TP_CERT_EXPIRED)\n     1 identities found"))
        #expect(expired.outputText.hasSuffix("  Valid identities only\n     0 valid identities found\n"))
        tester.secondsSince1970 = 0
        #expect(security("find-identity").outputText.contains("(CSSMERR_TP_CERT_NOT_VALID_YET)"))
    }

    @Test func `find-identity heeds purposes`() {
        // A certificate without extended key usage is for all but signing code.
        for policy in ["ssl-client", "ssl-server", "smime", "eap", "basic"] {
            #expect(security("find-identity", "-v", "-p", policy).outputText.contains("1 valid"))
        }
        #expect(security("find-identity", "-v", "-p", "codesigning").outputText == "     0 valid identities found\n")
        #expect(security("find-identity", "-v", "-p", "smime", "-s", "ANN@example.com").outputText.contains("1 valid"))
        #expect(security("find-identity", "-v", "-p", "smime", "-s", "bob@example.com").outputText.contains("0 valid"))
        #expect(security("find-identity", "-v", "-p", "ssl-server", "-s", "example.com").outputText.contains("0 valid"))
        #expect(security("find-identity", "-p", "frob").status == 2)
        let two = security("find-identity", "-p", "basic", "-p", "codesigning").outputText
        #expect(two.contains("Policy: X.509 Basic") && two.contains("Policy: Code Signing"))
    }

    @Test func `find-key matches attributes and uses`() {
        for words in [["-s"], ["-r"], ["-sr"], ["-l", "Ann's key"], ["-t", "private"], []] {
            #expect(tester.run(["security", "find-key"] + words, input: []).status == 0)
        }
        for words in [
            ["-d"], ["-l", "other"], ["-t", "public"], ["-t", "symmetric"], ["-j", "comment"], ["-c", "abcd"],
        ] {
            let outcome = tester.run(["security", "find-key"] + words, input: [])
            #expect(outcome.status == 1)
            #expect(outcome.errorText == "security: SecItemCopyMatching: \(notFound)\n")
        }
        #expect(security("find-key", "-t", "frob").status == 2)
    }

    // MARK: Deleting

    @Test func `delete-certificate wants a name or a hash, and one match`() {
        #expect(security("delete-certificate").status == 2)
        let none = security("delete-certificate", "-c", "nobody")
        #expect(none.status == 1 && none.errorText == "Unable to delete certificate matching \"nobody\"")
        let several = security("delete-certificate", "-c", "Example")
        #expect(several.status == 1 && several.errorText.hasPrefix("\"Example\" is ambiguous, matches more than one"))
        #expect(tester.keychain.items.count == 3)
        #expect(security("delete-certificate", "-c", "Example Root") == .init(status: 0))
        #expect(security("delete-certificate", "-tZ", hash) == .init(status: 0))
        #expect(tester.keychain.items.map(\.reference.itemClass) == [.key])
    }

    @Test func `a whole name is better than a part of one`() throws {
        #expect(security("delete-certificate", "-c", "example").status == 1)
        #expect(security("delete-certificate", "-c", "ann example").status == 0)
    }

    @Test func `delete-identity deletes the key too, and a certificate without one`() {
        #expect(security("delete-identity", "-c", "Ann") == .init(status: 0))
        #expect(tester.keychain.items.map(\.reference.itemClass) == [.certificate])
        #expect(security("delete-identity", "-c", "Root") == .init(status: 0))
        let none = security("delete-identity", "-c", "Root")
        #expect(none.status == 1 && none.errorText == "Unable to delete identity matching \"Root\"")
    }

    // MARK: Adding

    @Test func `add-certificates takes DER and PEM, and reports existing certificates`() throws {
        let folder = try ScratchFolder()
        let (der, pem, wrong) = (folder.path("c.der"), folder.path("c.pem"), folder.path("wrong"))
        try Data(leaf.encoded).write(to: URL(fileURLWithPath: der))
        try Data((leaf.pem + SampleIdentity.root.pem).utf8).write(to: URL(fileURLWithPath: pem))
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: wrong))
        let empty = CommandLineTester()
        #expect(empty.run("security", "add-certificates", der) == .init(status: 0))
        let again = empty.run("security", "add-certificates", pem)
        #expect(again.status == 1 && again.errorText == "\(pem): already in default keychain\n")
        #expect(Set(empty.keychain.items.map(\.secret)) == [leaf.encoded, SampleIdentity.root.encoded])
        #expect(
            empty.run("security", "add-certificates", "-k", "login.keychain", der).errorText
                == "\(der): already in login.keychain\n")
        #expect(empty.run("security", "add-certificates", wrong).status == 1)
        #expect(empty.run("security", "add-certificates", folder.path("none")).status == 1)
        #expect(empty.run("security", "add-certificates").status == 2)
        #expect(empty.run("security", "add-certificates", "-k", "other.keychain", der).status == 50)
        let stored = try #require(empty.keychain.items.first)
        #expect(stored.attributes[.label] == .string("Ann Example"))
        #expect(stored.attributes[.publicKeyHash] == .data(leaf.publicKeyInfo.hash.bytes))
    }

    @Test func `create-keypair stores both halves`() {
        let empty = CommandLineTester()
        #expect(empty.run("security", "create-keypair", "-a", "ecdsa", "-s", "384", "mine") == .init(status: 0))
        #expect(empty.keychain.items.map { $0.attributes[.keyClass] }.count == 2)
        #expect(Set(empty.keychain.items.map { $0.attributes[.keyClass] }) == [.number(0), .number(1)])
        #expect(empty.keychain.items.allSatisfy { $0.attributes[.label] == .string("mine") })
        #expect(empty.keychain.items.allSatisfy { $0.attributes[.keySizeInBits] == .number(384) })
        #expect(empty.run("security", "create-keypair", "-a", "dsa").status == 252)
        #expect(empty.run("security", "create-keypair", "-s", "many").status == 2)
        #expect(empty.run("security", "create-keypair", "-a", "ecdsa", "-s", "100").status != 0)
        #expect(empty.keychain.items.count == 2)
    }

    @Test func `create-keypair stores the dates and the uses of both keys`() throws {
        let empty = CommandLineTester()
        let words = ["create-keypair", "-a", "ecdsa", "-f", "20260131120000Z", "-d", "2", "mine"]
        #expect(empty.run(["security"] + words, input: []) == .init(status: 0))
        let start = try #require(CivilTime.moment(compact: "20260131120000Z"))
        let end = try #require(CivilTime.moment(compact: "20260202120000Z"))
        for item in empty.keychain.items {
            #expect(item.attributes[.startDate] == .date(start))
            #expect(item.attributes[.endDate] == .date(end))
            #expect(item.attributes[.canSign] == item.attributes[.keyClass])
            #expect(item.attributes[.isExtractable] == .number(1))
        }
        #expect(Set(empty.keychain.items.map { $0.attributes[.applicationLabel] }).count == 1)
    }

    // MARK: Preferences

    @Test func `the identity for a service is chosen, shown and given up`() {
        #expect(security("get-identity-preference", "-s", "mail.example.com").status == 44)
        #expect(security("set-identity-preference", "-c", "Ann", "-s", "mail.example.com") == .init(status: 0))
        #expect(
            security("get-identity-preference", "-s", "mail.example.com").outputText == "common name: \"Ann Example\"\n"
        )
        #expect(
            security("get-identity-preference", "-Zps", "mail.example.com").outputText
                == "SHA-1 hash: \(hash)\n\(leaf.pem)")
        #expect(security("set-identity-preference", "-n", "-s", "mail.example.com") == .init(status: 0))
        #expect(security("get-identity-preference", "-s", "mail.example.com").status == 44)
        #expect(security("set-identity-preference", "-Z", hash, "-u", "4", "-s", "a") == .init(status: 0))
        #expect(security("get-identity-preference", "-s", "a").status == 44)
        #expect(security("get-identity-preference", "-s", "a", "-u", "4").status == 0)
        #expect(security("set-identity-preference", "-c", "nobody", "-s", "a").status == 44)
        for words in [["-s", "a"], ["-c", "Ann"], ["-n", "-c", "Ann", "-s", "a"], ["-n", "-s", "a", "-u", "2048"]] {
            #expect(tester.run(["security", "set-identity-preference"] + words, input: []).status == 2)
        }
    }
}
