// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

@testable import KeychainCommands

@Suite("security: partition lists, and who may use keys")
struct SecurityPartitionTests {
    let house: KeychainHouse

    init() throws {
        house = try KeychainHouse()
        house.make("k")
    }

    private func security(_ words: String...) -> CommandLineTester.Outcome {
        house.tester.run(["security"] + words, input: [])
    }

    private var dump: String { security("dump-keychain", "-a", "k").outputText }

    private func add(_ account: String) {
        #expect(security("add-generic-password", "-a", account, "-s", "s", "-w", "p", "k").status == 0)
    }

    // MARK: Partition lists

    @Test func `the lists of all matches are replaced, and each match is printed`() {
        add("ann")
        add("bob")
        let listings = security("find-generic-password", "-a", "ann", "k").outputText
        let one = security(
            "set-generic-password-partition-list", "-a", "ann", "-s", "s", "-S", "apple-tool:,apple:,teamid:ABC",
            "-k", "sesame", "k")
        #expect(one.status == 0)
        #expect(one.errors.isEmpty)
        #expect(one.outputText.components(separatedBy: "\n").count == listings.components(separatedBy: "\n").count)
        #expect(one.outputText.contains("\"acct\"<blob>=\"ann\""))
        #expect(dump.components(separatedBy: "description: apple-tool:, apple:, teamid:ABC\n").count == 2)
        let both = security(
            "set-generic-password-partition-list", "-s", "s", "-S", "apple-tool:,unsigned:", "-k", "sesame", "k")
        #expect(both.outputText.components(separatedBy: "keychain: ").count == 3)
        #expect(dump.components(separatedBy: "description: apple-tool:, unsigned:\n").count == 3)
    }

    @Test func `keys and internet passwords have lists too, filtered as they are found`() {
        #expect(security("add-internet-password", "-a", "a", "-s", "h", "-p", "/p", "-w", "x", "k").status == 0)
        #expect(security("create-keypair", "-a", "ecdsa", "-k", "k", "mine").status == 0)
        let web = security(
            "set-internet-password-partition-list", "-s", "h", "-p", "/p", "-S", "apple:", "-k", "sesame", "k")
        #expect(web.status == 0 && web.outputText.contains("class: \"inet\""))
        let keys = security("set-key-partition-list", "-S", "apple-tool:,apple:", "-s", "-k", "sesame", "k")
        #expect(keys.status == 0)
        #expect(keys.outputText.components(separatedBy: "class: 0x00000010 \n").count == 2)
        #expect(security("set-key-partition-list", "-S", "", "-l", "mine", "-k", "sesame", "k").status == 0)
        #expect(dump.components(separatedBy: "        description: \n        applications: <null>\n").count == 3)
    }

    @Test func `-S is required, and names partitions`() {
        add("ann")
        for command in ["set-generic-password", "set-internet-password", "set-key"] {
            let outcome = security(command + "-partition-list", "-k", "sesame", "k")
            #expect(outcome.status == 2)
            #expect(outcome.errorText.hasPrefix("Usage: \(command)-partition-list "))
            #expect(security(command + "-partition-list", "-S", "a b", "-k", "sesame", "k").status == 1)
            #expect(security(command + "-partition-list", "-S", "apple:,", "-k", "sesame", "k").status == 1)
            #expect(security(command + "-partition-list", "-S", "apple:", "k", "l").status == 2)
        }
    }

    @Test func `a wrong password changes nothing and is told as on macOS`() throws {
        add("ann")
        let before = dump
        let words = ["set-generic-password-partition-list", "-s", "s", "-S", "apple:", "-k", "wrong", "k"]
        let unlocked = house.tester.run(["security"] + words, input: [])
        #expect(unlocked.status == 1)
        #expect(unlocked.errorText == "security: SecKeychainItemSetAccessWithPassword: OSStatus -25293\n")
        #expect(dump == before)
        _ = security("lock-keychain", "k")
        let locked = house.tester.run(["security"] + words, input: [])
        #expect(locked == .init(status: 1, errors: Array("security: SecKeychainUnlock: OSStatus -25293\n".utf8)))
        #expect(try house.state("k") == .locked)
    }

    @Test func `the password is asked for, and unlocks a locked keychain`() throws {
        add("ann")
        _ = security("lock-keychain", "k")
        house.tester.answers = ["sesame"]
        let outcome = security("set-generic-password-partition-list", "-s", "s", "-S", "apple:", "k")
        #expect(outcome.status == 0)
        #expect(outcome.errorText == "password to unlock k: \n")
        #expect(try house.state("k") == .unlocked)
    }

    @Test func `nothing that matches, no keychain and the data-protection keychain are failures`() {
        let none = security("set-key-partition-list", "-S", "apple:", "-k", "sesame", "k")
        #expect(none.status == 1)
        #expect(
            none.errorText
                == "security: SecItemCopyMatching: The specified item could not be found in the keychain.\n")
        #expect(security("set-key-partition-list", "-S", "apple:", "-k", "sesame", "none").status == 1)
        let own = security("set-key-partition-list", "-S", "apple:", "-k", "x")
        #expect(own.status == 1)
        #expect(own.errorText.contains("access groups instead of partition lists"))
    }

    @Test(arguments: [
        (["security", "set-key-partition-list", "-S", "a:", "-s", "-k", "pw", "k"], 6),
        (["security", "set-generic-password-partition-list", "-kpw", "-S", "a:"], 2),
        (["security", "set-internet", "-p", "/path", "-k", "pw"], 5),
    ])
    func `the password is hidden in the list of arguments`(words: [String], place: Int) {
        let places = ArgumentVector.secretPlaces(words)
        #expect(places[place] != nil)
        #expect(places.count { $0 != nil } == 1)
    }

    // MARK: -A and -T

    @Test func `keys are made for other programs`() {
        #expect(security("create-keypair", "-a", "ecdsa", "-k", "k", "-A", "open").status == 0)
        #expect(dump.contains("authorizations (7): decrypt derive encrypt export_clear export_wrapped mac sign\n"))
        #expect(
            security("create-keypair", "-a", "ecdsa", "-k", "k", "-T", "group://TEAM.org.example", "shared").status
                == 0)
        #expect(dump.components(separatedBy: "0: group://TEAM.org.example (OK)\n").count == 3)
    }

    @Test func `keys are imported for other programs, and certificates beside them stay public`() throws {
        let file = try house.vector("PKCS #12 as OpenSSL 3 writes it")
        let imported = security(
            "import", file, "-k", "k", "-P", "correct horse", "-T", "group://TEAM.org.example", "-T",
            "group://TEAM.org.other")
        #expect(imported.status == 0)
        #expect(dump.contains("applications (2):\n            0: group://TEAM.org.example (OK)\n"))
        #expect(dump.components(separatedBy: "no access control for this item\n").count == 4)
    }

    @Test func `-U with -T adds to the programs of an item, and does not prompt where they are there already`()
        async throws
    {
        try await house.memory.setPasscode(SecretData(utf8: "sesame"))
        let words = ["add-generic-password", "-U", "-a", "a", "-s", "s", "-T", "group://TEAM.one"]
        func add(_ more: String...) -> CommandLineTester.Outcome {
            house.tester.run(["security"] + words + more, input: [])
        }
        #expect(add("-w", "p", "k").status == 0)
        #expect(add("-w", "q", "k") == .init(status: 0))
        #expect(house.memory.questions.isEmpty)
        #expect(dump.components(separatedBy: "group://TEAM.one (OK)").count == 2)
        // Only the owner may add another program, and the owner cannot be prompted here; then nothing is changed.
        #expect(add("-T", "group://TEAM.two", "-w", "r", "k").status == 51)
        house.memory.person = .approving
        #expect(add("-T", "group://TEAM.two", "-w", "s", "k").status == 0)
        #expect(dump.contains("0: group://TEAM.one (OK)"))
        #expect(dump.contains("1: group://TEAM.two (OK)"))
    }

    // MARK: dump-keychain -i

    @Test func `dump-keychain -i asks for each entry, and changes what was answered with yes`() async throws {
        try await house.memory.setPasscode(SecretData(utf8: "sesame"))
        #expect(
            security("add-generic-password", "-a", "a", "-s", "s", "-w", "p", "-T", "group://TEAM.one", "k").status
                == 0)
        // The first entry, the trusted one, the owner's and the partition list; and then the item's.
        let kept = house.security("dump-keychain", "-i", "k", typing: "n\nn\nn\nn\nn\n")
        #expect(kept.status == 0)
        #expect(kept.errorText == String(repeating: "Remove this acl? ", count: 4) + "Update access? ")
        house.memory.person = .approving
        let removed = house.security("dump-keychain", "-i", "k", typing: "n\ny\ny\nn\ny\n")
        #expect(
            removed.errorText
                == "Remove this acl? Remove this acl? removing acl\nRemove this acl? removing acl\n"
                + "security: SecACLRemove: OSStatus -25244\nRemove this acl? Update access? Updating access\n")
        #expect(!dump.contains("TEAM.one"))
        // Without an answer everything stays.
        #expect(house.security("dump-keychain", "-i", "k").status == 0)
    }

    @Test func `a change of access that is refused is told, and the dump goes on`() {
        add("ann")
        add("bob")
        let outcome = house.security("dump-keychain", "-i", "k", typing: "y\nn\nn\nn\ny\n")
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("security: SecKeychainItemSetAccess: OSStatus -25293\n"))
        #expect(outcome.outputText.components(separatedBy: "keychain: ").count == 3)
    }
}
