// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainCertificates
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

@testable import KeychainCommands

@Suite("chatelaine keychains")
struct KeychainsCommandTests {
    let house: KeychainHouse

    init() throws { house = try KeychainHouse() }

    private func expectFailure(
        _ outcome: CommandLineTester.Outcome, _ status: Int32, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == status, sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
        #expect(
            outcome.errorText.hasPrefix("error: \(message)\n"), "\(outcome.errorText)", sourceLocation: sourceLocation)
    }

    private func shown(_ text: String) -> String { text.replacing(house.folder.path("keychains"), with: "FOLDER") }

    // MARK: The files

    @Test func `keychains are listed with their state, their settings and their use`() throws {
        house.make("a", "b")
        _ = house.security("list-keychains", "-s", "b", "missing")
        _ = house.security("default-keychain", "-s", "a")
        _ = house.security("lock-keychain", "b")
        _ = house.security("set-keychain-settings", "a")
        let rows = shown(house.chatelaine("keychains").outputText).split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            rows == [
                "KEYCHAIN STATE LOCKS ITSELF USE", "FOLDER/a-db unlocked never default",
                "FOLDER/b-db locked after 5 min, before sleep searched", "FOLDER/missing-db missing searched",
            ])
        try expectSnapshot(shown(house.chatelaine("keychains", "list", "--json").outputText), "keychains.json")
    }

    @Test func `a keychain whose database is damaged is listed as such, with what saves it`() {
        let tester = CommandLineTester()
        let whole = FileKeychainReport(path: "/k/a-db", state: .unlocked, settings: .initial)
        tester.keychain.change { $0.keychainFiles = [whole] }
        #expect(!tester.run("chatelaine", "keychains").outputText.contains("DAMAGED"))
        #expect(tester.run("chatelaine", "keychains").errors.isEmpty)
        let locked = FileKeychainReport(path: "/k/b-db", state: .locked, settings: .initial, isDamaged: true)
        let unusable = FileKeychainReport(path: "/k/c\u{1B}-db", state: .unusable, isDamaged: true)
        tester.keychain.change { $0.keychainFiles = [whole, locked, unusable] }
        let outcome = tester.run("chatelaine", "keychains")
        let states = outcome.outputText.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "  ", omittingEmptySubsequences: true)[1].drop { $0 == " " }
        }
        #expect(outcome.status == 0 && states == ["unlocked", "locked, DAMAGED", "unusable, DAMAGED"])
        func warning(_ path: String) -> String {
            "warning: \(path): DAMAGED: some rows are unreadable or missing (stop the service, then "
                + "recover the readable items: chatelaine salvage --keychain \(path))\n"
        }
        #expect(outcome.errorText == warning("/k/b-db") + warning("/k/c\\u{1b}-db"))
        let json = tester.run("chatelaine", "keychains", "--json")
        #expect(json.errors.isEmpty)
        #expect(json.outputText.split(separator: "\"damaged\": true").count == 3)
        #expect(json.outputText.split(separator: "\"damaged\": false").count == 2)
    }

    @Test func `a keychain on a list whose folder is gone is missing, and the others are listed all the same`() throws {
        house.make("a")
        let disk = house.folder.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        #expect(house.security("list-keychains", "-s", disk + "/b.keychain").status == 0)
        try FileManager.default.removeItem(atPath: disk)
        let outcome = house.chatelaine("keychains", "--json")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.outputText.contains("\"path\": \"\(disk)/b.keychain\",\n    \"state\": \"missing\""))
        #expect(outcome.outputText.contains("\"path\": \"\(house.path("a"))\",\n    \"state\": \"unlocked\""))
    }

    @Test func `without keychains the list is empty`() {
        #expect(house.chatelaine("keychains") == .init(status: 0))
        #expect(house.chatelaine("keychains", "--json").outputText == "[]\n")
    }

    @Test func `a keychain is made with a password that is typed twice`() throws {
        house.tester.answers = ["horse", "hose"]
        #expect(house.chatelaine("keychains", "create", "k").status == 1)
        #expect(try house.state("k") == .missing)
        house.tester.answers = ["horse", "horse"]
        #expect(house.chatelaine("keychains", "create", "k").outputText == "Created \(house.path("k")).\n")
        #expect(try house.state("k") == .unlocked)
        expectFailure(house.chatelaine("keychains", "create", "k"), 1, "a file already exists at this path")
        #expect(house.security("unlock-keychain", "-p", "horse", "k").status == 0)
    }

    @Test func `passwords come from descriptors, and may be empty`() throws {
        #expect(house.chatelaine("keychains", "create", "k", "--password-fd", try descriptor("")).status == 0)
        #expect(house.chatelaine("keychains", "lock", "k").outputText == "Locked.\n")
        let wrong = house.chatelaine("keychains", "unlock", "k", "--password-fd", try descriptor("x"))
        expectFailure(wrong, 4, "the password of the keychain is wrong")
        let changed = house.chatelaine(
            "keychains", "password", "k", "--password-fd", try descriptor(""), "--new-password-fd",
            try descriptor("new\n"))
        #expect(changed.outputText == "The password of the keychain is changed.\n")
        let unlocked = house.chatelaine("keychains", "unlock", "k", "--password-fd", try descriptor("new"))
        #expect(unlocked.outputText == "Unlocked.\n")
        #expect(try house.state("k") == .unlocked)
    }

    @Test func `without a terminal and a descriptor there is no prompt`() {
        house.make("k")
        _ = house.chatelaine("keychains", "lock", "k")
        expectFailure(
            house.chatelaine("keychains", "unlock", "k"), 4,
            "the password of the keychain is required, and there is no terminal or pinentry to ask for it")
    }

    @Test(arguments: ["unlock", "settings", "password"])
    func `a missing keychain is reported before anything is typed`(command: String) throws {
        house.tester.answers = []
        expectFailure(house.chatelaine("keychains", command, "none"), 1, "no keychain exists at this path")
        let broken = try house.folder.write("no keychain at all", "broken.keychain")
        expectFailure(
            house.chatelaine("keychains", command, broken), 1,
            "the file is not a keychain, or belongs to another device")
    }

    @Test func `settings that are not given stay`() {
        house.make("k")
        let place = house.path("k")
        #expect(
            house.chatelaine("keychains", "settings", "k").outputText
                == "\(place) locks itself after 5 min, before sleep.\n")
        #expect(
            house.chatelaine("keychains", "settings", "k", "--idle-lock", "never").outputText
                == "\(place) locks itself before sleep.\n")
        #expect(
            house.chatelaine("keychains", "settings", "k", "--idle-lock", "1h").outputText
                == "\(place) locks itself after 1 h, before sleep.\n")
        #expect(
            house.chatelaine("keychains", "settings", "k", "--lock-on-sleep", "off").outputText
                == "\(place) locks itself after 1 h.\n")
        expectFailure(
            house.chatelaine("keychains", "settings", "k", "--idle-lock", "soon"), 64,
            "\"soon\" is not a valid value of idle-lock")
    }

    @Test func `the default keychain and the search list are shown, set and emptied`() {
        house.make("a", "b")
        #expect(house.chatelaine("keychains", "default") == .init(status: 0))
        #expect(house.chatelaine("keychains", "default", "a").outputText == house.path("a") + "\n")
        #expect(house.chatelaine("keychains", "default", "--none") == .init(status: 0))
        #expect(
            house.chatelaine("keychains", "search-list", "b", "a").outputText
                == house.path("b") + "\n" + house.path("a") + "\n")
        #expect(
            house.chatelaine("keychains", "search-list", "--remove", "b").outputText == house.path("a") + "\n")
        #expect(
            house.chatelaine("keychains", "search-list", "--add", "a", "b").outputText
                == house.path("a") + "\n" + house.path("b") + "\n")
        #expect(house.chatelaine("keychains", "search-list", "--add").status == 64)
        #expect(house.chatelaine("keychains", "search-list", "--add", "--remove", "a").status == 64)
        #expect(house.chatelaine("keychains", "search-list", "--none", "--add").status == 64)
        #expect(house.chatelaine("keychains", "search-list", "--none") == .init(status: 0))
        #expect(house.chatelaine("keychains", "search-list", "a", "--none").status == 64)
        #expect(house.chatelaine("keychains", "lock").status == 64)
    }

    @Test func `a keychain is deleted with everything in it`() throws {
        house.make("k")
        #expect(house.chatelaine("keychains", "delete", "k", "--yes").outputText == "Deleted \(house.path("k")).\n")
        #expect(try house.state("k") == .missing)
        expectFailure(house.chatelaine("keychains", "delete", "k"), 1, "no keychain exists at this path")
    }

    @Test func `deleting a keychain states the number of its items and asks on a terminal`() throws {
        house.make("k")
        for name in ["one", "two"] {
            #expect(house.chatelaine("set", name, "--keychain", "k", typing: "secret\n").status == 0)
        }
        let unconfirmed = house.chatelaine("keychains", "delete", "k")
        #expect(unconfirmed.status == 64)
        #expect(
            unconfirmed.errorText == """
                error: confirmation is required: "\(house.path("k"))" and its 2 items are permanently deleted.
                hint: standard input is not a terminal; add --yes to confirm

                """)
        house.tester.inputIsTerminal = true
        for answer in ["n\n", "\n", ""] {
            let refused = house.chatelaine("keychains", "delete", "k", typing: answer)
            #expect(refused.status == 1 && refused.output.isEmpty)
            #expect(refused.errorText.hasSuffix("Continue? [y/N] error: nothing was changed, as requested\n"))
        }
        _ = house.security("lock-keychain", "k")
        #expect(
            house.chatelaine("keychains", "delete", "k", typing: "no\n").errorText.hasPrefix(
                "\"\(house.path("k"))\" and all its items are permanently deleted; it is locked, so their number is not known.\n"
            ))
        #expect(try house.state("k") == .locked)
        #expect(house.chatelaine("keychains", "delete", "k", typing: "yes\n").status == 0)
        #expect(try house.state("k") == .missing)
    }

    @Test func `a locked keychain file names the command that unlocks it`() throws {
        house.make("k")
        #expect(house.chatelaine("set", "github", "--keychain", "k", typing: "secret\n").status == 0)
        _ = house.security("lock-keychain", "k")
        let outcome = house.chatelaine("get", "github", "--keychain", "k")
        #expect(outcome.status == 4)
        #expect(
            outcome.errorText.hasSuffix(
                "\nhint: unlock it with `chatelaine keychains unlock \(house.path("k"))`, or add --unlock\n"))
    }

    @Test func `a mistyped password of a keychain file can be typed three times on a terminal`() throws {
        house.make("k", password: "sesame")
        _ = house.security("lock-keychain", "k")
        (house.tester.answers, house.tester.inputIsTerminal) = (["1", "2", "3", "sesame"], true)
        let wrong = house.chatelaine("keychains", "unlock", "k")
        #expect(wrong.status == 4)
        #expect(wrong.errorText.split(separator: "error: the password of the keychain is wrong\n").count == 3)
        // A fifth wrong entry would have to wait.
        house.tester.answers = ["1", "sesame"]
        #expect(house.chatelaine("keychains", "unlock", "k").status == 0)
        #expect(try house.state("k") == .unlocked)
    }

    // MARK: Their items

    @Test func `the commands for items use the keychain that is named`() throws {
        house.make("k")
        #expect(
            house.chatelaine("set", "github", "--user", "octo", "--keychain", "k", typing: "secret\n").outputText
                == "Stored \"github\" (user octo).\n")
        #expect(
            house.chatelaine("set", "github", "--user", "octo", "--keychain", "k", typing: "other\n").outputText
                == "Replaced \"github\" (user octo).\n")
        #expect(house.chatelaine("get", "github", "--user", "octo", "--keychain", "k").outputText == "other\n")
        #expect(house.chatelaine("list", "--keychain", "k").outputText.contains("github"))
        #expect(house.chatelaine("show", "github", "--user", "octo", "--keychain", "k").status == 0)
        #expect(house.chatelaine("get", "github", "--user", "octo").status == 3)
        #expect(house.chatelaine("list") == .init(status: 0))
        #expect(
            house.chatelaine("remove", "github", "--user", "octo", "--keychain", "k").outputText
                == "Removed \"github\" (user octo).\n")
        #expect(house.chatelaine("list", "--keychain", "k") == .init(status: 0))
        expectFailure(house.chatelaine("list", "--keychain", "none"), 1, "no keychain exists at this path")
    }

    @Test func `--unlock and its descriptor mean the keychain that is named`() throws {
        house.make("k")
        _ = house.chatelaine("set", "github", "--keychain", "k", typing: "secret\n")
        _ = house.chatelaine("keychains", "lock", "k")
        #expect(house.chatelaine("get", "github", "--keychain", "k").status == 4)
        let outcome = house.chatelaine("get", "github", "--keychain", "k", "--passcode-fd", try descriptor("sesame"))
        #expect(outcome == .init(status: 0, output: Array("secret\n".utf8)))
        _ = house.chatelaine("keychains", "lock", "--all")
        house.tester.answers = ["sesame"]
        #expect(house.chatelaine("get", "github", "--keychain", "k", "--unlock").outputText == "secret\n")
    }

    // MARK: Copying

    private func fill(_ keychain: String) {
        for (name, secret) in [("alpha", "one"), ("beta", "two"), ("gamma", "three")] {
            _ = house.chatelaine("set", name, "--comment", "a note", "--keychain", keychain, typing: secret)
        }
    }

    @Test func `items are copied with their data and attributes, and counted`() throws {
        house.make("a", "b")
        fill("a")
        let certificate = try house.folder.write(SampleIdentity.leaf.pem, "leaf.pem")
        #expect(house.security("add-certificates", "-k", "a", certificate).status == 0)
        let copied = house.chatelaine("keychains", "copy", "--from", "a", "--to", "b")
        #expect(copied == .init(status: 0, output: Array("Copied 4 items.\n".utf8)))
        #expect(house.chatelaine("get", "beta", "--keychain", "b").outputText == "two\n")
        #expect(house.chatelaine("show", "beta", "--keychain", "b").outputText.contains("a note"))
        #expect(house.security("find-certificate", "-c", "Ann", "-p", "b").outputText == SampleIdentity.leaf.pem)
        #expect(house.chatelaine("get", "beta", "--keychain", "a").outputText == "two\n")
    }

    @Test func `a pattern chooses, and the data-protection keychain is copied from and into`() {
        house.make("a")
        fill("a")
        #expect(house.chatelaine("keychains", "copy", "--from", "a", "alp*").outputText == "Copied 1 item.\n")
        #expect(house.chatelaine("get", "alpha").outputText == "one\n")
        _ = house.chatelaine("set", "delta", typing: "four")
        #expect(house.chatelaine("keychains", "copy", "--to", "a", "delta").outputText == "Copied 1 item.\n")
        #expect(house.chatelaine("get", "delta", "--keychain", "a").outputText == "four\n")
    }

    @Test func `items that are not copied are named, and the exit status is 6`() {
        house.make("a", "b")
        fill("a")
        _ = house.chatelaine("set", "beta", "--keychain", "b", typing: "kept")
        let outcome = house.chatelaine("keychains", "copy", "--from", "a", "--to", "b")
        #expect(outcome.status == 6)
        #expect(outcome.outputText == "Copied 2 items.\n")
        #expect(outcome.errorText == "\"beta\": it exists already\nerror: 1 of 3 items were not copied\n")
        #expect(house.chatelaine("get", "beta", "--keychain", "b").outputText == "kept\n")
        let again = house.chatelaine("keychains", "copy", "--from", "a", "--to", "b", "--json", "beta")
        #expect(again.status == 6)
        #expect(again.outputText.contains("\"copied\": 0"))
        #expect(again.outputText.contains("\"reason\": \"it exists already\""))
    }

    @Test func `an identity is copied with its private key, and is one there`() throws {
        house.tester.secondsSince1970 = 1_795_000_000
        house.make("a", "b")
        let file = try house.vector("PKCS #12 as OpenSSL 3 writes it")
        #expect(house.security("import", file, "-k", "a", "-P", "correct horse").status == 0)
        let copied = house.chatelaine("keychains", "copy", "--from", "a", "--to", "b")
        #expect(copied == .init(status: 0, output: Array("Copied 4 items.\n".utf8)))
        #expect(house.security("find-identity", "-v", "b").outputText.hasSuffix("1 valid identities found\n"))
        // And on into the data-protection keychain, which has no access objects.
        #expect(house.chatelaine("keychains", "copy", "--from", "b").outputText == "Copied 4 items.\n")
        #expect(house.security("find-identity", "-v").outputText.hasSuffix("1 valid identities found\n"))
    }

    @Test func `who may use an item goes with it, and its partition list is the command's`() async throws {
        try await house.memory.setPasscode(SecretData(utf8: "sesame"))
        house.make("a", "b")
        #expect(
            house.security(
                "add-generic-password", "-a", "x", "-s", "s", "-w", "p", "-A", "a"
            ).status == 0)
        #expect(
            house.security(
                "set-generic-password-partition-list", "-S", "apple-tool:,apple:,teamid:ABC", "-k", "sesame", "a"
            ).status == 0)
        house.memory.person = .approving
        #expect(house.chatelaine("keychains", "copy", "--from", "a", "--to", "b").status == 0)
        let listing = house.security("dump-keychain", "-a", "b").outputText
        #expect(listing.contains("authorizations (7): decrypt derive encrypt export_clear export_wrapped mac sign\n"))
        #expect(!listing.contains("teamid:ABC"))
    }

    @Test func `a private key that must not leave is named and stays, and the others are copied`() throws {
        house.make("a", "b")
        let file = try house.vector("PKCS #8 of P-256")
        #expect(house.security("import", file, "-k", "a", "-x").status == 0)
        #expect(house.security("create-keypair", "-a", "ecdsa", "-k", "a", "mine").status == 0)
        let outcome = house.chatelaine("keychains", "copy", "--from", "a", "--to", "b")
        #expect(outcome.status == 6)
        #expect(outcome.outputText == "Copied 2 items.\n")
        #expect(
            outcome.errorText
                == "\"Imported Private Key\": the private key never leaves the keychain service, which uses it for the program\n"
                + "error: 1 of 3 items were not copied\n")
        let keys = house.security("find-key", "-t", "private", "b").outputText
        #expect(keys.components(separatedBy: "keychain: ").count == 2)
    }

    @Test func `a key in a token is named and stays there, and the others are copied`() async throws {
        house.make("a")
        _ = try await house.memory.keychain.generatePrivateKey(
            .p256, tag: "token", label: "mine", heldBy: .secureElement)
        _ = house.chatelaine("set", "delta", typing: "four")
        let outcome = house.chatelaine("keychains", "copy", "--to", "a")
        #expect(outcome.status == 6)
        #expect(outcome.outputText == "Copied 1 item.\n")
        #expect(
            outcome.errorText.hasPrefix(
                "\"mine\": a token generates its own keys, on P-256 only, and cannot import or export a key\n"))
        #expect(outcome.errorText.hasSuffix("error: 1 of 2 items were not copied\n"))
        #expect(house.chatelaine("list", "--keychain", "a", "--json").outputText.contains("delta"))
        #expect(!house.security("find-key", "-t", "private", "a").outputText.contains("mine"))
    }

    @Test func `nothing is copied while one of them is locked, missing or the same`() {
        house.make("a", "b")
        fill("a")
        _ = house.chatelaine("keychains", "lock", "b")
        expectFailure(
            house.chatelaine("keychains", "copy", "--from", "a", "--to", "b"), 4, "\(house.path("b")) is locked")
        expectFailure(
            house.chatelaine("keychains", "copy", "--from", "a", "--to", "c"), 1, "no keychain exists at this path")
        expectFailure(
            house.chatelaine("keychains", "copy", "--from", "a", "--to", "a"), 64,
            "--from and --to name the same keychain")
        #expect(house.chatelaine("keychains", "copy").status == 64)
    }

    @Test func `progress is shown on a terminal and taken away again`() {
        house.make("a", "b")
        fill("a")
        house.tester.diagnosticsAreTerminal = true
        let outcome = house.chatelaine("keychains", "copy", "--from", "a", "--to", "b")
        let steps = ["Copying 1 of 3 …", "Copying 2 of 3 …", "Copying 3 of 3 …", ""]
        #expect(outcome.errorText == steps.map { "\r\u{1B}[K" + $0 }.joined())
    }
}
