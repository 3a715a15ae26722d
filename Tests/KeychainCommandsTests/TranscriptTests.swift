// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

@testable import KeychainCommands

/// The published output of real Macs: the same items here are listed with the same lines. If a transcript is older than
/// the line "version: 512", that line comes from Chatelaine.
@Suite("security: transcripts of macOS")
struct TranscriptTests {
    let house: KeychainHouse

    init() throws {
        house = try KeychainHouse()
        house.make("k")
    }

    private func security(_ words: String...) -> CommandLineTester.Outcome {
        house.tester.run(["security"] + words, input: [])
    }

    /// With the dates of the transcript for those of the test, which are the same in each line.
    private func expect(
        _ listing: String, is transcript: String, date: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let digits = (Array(date.utf8) + [0]).map { String(format: "%02X", $0) }.joined()
        let lines = listing.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            for tag in ["cdat", "mdat"] where line.hasPrefix("    \"\(tag)\"<timedate>=0x") {
                return "    \"\(tag)\"<timedate>=0x\(digits)  \"\(date)\\000\""
            }
            return String(line)
        }
        #expect(lines.joined(separator: "\n") == transcript, sourceLocation: sourceLocation)
    }

    /// The example of a generic password in a script by Jared Beck for `escaping_the_cloud.keychain`, from macOS 10.10 (2014).
    @Test func `a password of a wireless network is listed as on a Mac`() {
        let added = security(
            "add-generic-password", "-a", "526 Stewart", "-s", "AirPort", "-l", "526 Stewart", "-D",
            "AirPort network password", "-w", "redacted", "k")
        #expect(added.status == 0)
        let dump = security("dump-keychain", "-d", "k")
        expect(
            dump.outputText,
            is: """
                keychain: "\(house.path("k"))"
                version: 512
                class: "genp"
                attributes:
                    0x00000007 <blob>="526 Stewart"
                    0x00000008 <blob>=<NULL>
                    "acct"<blob>="526 Stewart"
                    "cdat"<timedate>=0x32303134313033303031323935385A00  "20141030012958Z\\000"
                    "crtr"<uint32>=<NULL>
                    "cusi"<sint32>=<NULL>
                    "desc"<blob>="AirPort network password"
                    "gena"<blob>=<NULL>
                    "icmt"<blob>=<NULL>
                    "invi"<sint32>=<NULL>
                    "mdat"<timedate>=0x32303134313033303031323935385A00  "20141030012958Z\\000"
                    "nega"<sint32>=<NULL>
                    "prot"<blob>=<NULL>
                    "scrp"<sint32>=<NULL>
                    "svce"<blob>="AirPort"
                    "type"<uint32>=<NULL>
                data:
                "redacted"

                """, date: "20141030012958Z")
    }

    /// The example of an internet password there.
    @Test func `a password of a web form is listed as on a Mac`() {
        let added = security(
            "add-internet-password", "-a", "jared@jaredbeck.com", "-s", "www.gocongress.org", "-l",
            "www.gocongress.org (jared@jaredbeck.com)", "-D", "Web form password", "-j", "default", "-r", "http", "-t",
            "form", "-P", "0", "-w", "redacted", "k")
        #expect(added.status == 0)
        let dump = security("dump-keychain", "-d", "k")
        expect(
            dump.outputText,
            is: """
                keychain: "\(house.path("k"))"
                version: 512
                class: "inet"
                attributes:
                    0x00000007 <blob>="www.gocongress.org (jared@jaredbeck.com)"
                    0x00000008 <blob>=<NULL>
                    "acct"<blob>="jared@jaredbeck.com"
                    "atyp"<blob>="form"
                    "cdat"<timedate>=0x32303134313033303031333234385A00  "20141030013248Z\\000"
                    "crtr"<uint32>=<NULL>
                    "cusi"<sint32>=<NULL>
                    "desc"<blob>="Web form password"
                    "icmt"<blob>="default"
                    "invi"<sint32>=<NULL>
                    "mdat"<timedate>=0x32303134313033303031333234385A00  "20141030013248Z\\000"
                    "nega"<sint32>=<NULL>
                    "path"<blob>=<NULL>
                    "port"<uint32>=0x00000000 
                    "prot"<blob>=<NULL>
                    "ptcl"<uint32>="http"
                    "scrp"<sint32>=<NULL>
                    "sdmn"<blob>=<NULL>
                    "srvr"<blob>="www.gocongress.org"
                    "type"<uint32>=<NULL>
                data:
                "redacted"

                """, date: "20141030013248Z")
    }

    /// The entries of an item's access in answers about .NET's keychain prompts (dotnet/corefx, 2018) and about `pi-mcp-adapter` (2026):
    /// the same words in the same order, with the partition list in words as newer systems print it.
    @Test func `access is listed entry by entry, with the words of macOS`() {
        #expect(
            security("add-generic-password", "-a", "a", "-s", "pi", "-w", "p", "-T", "group://T.one", "k").status == 0)
        #expect(
            security("set-generic-password-partition-list", "-S", "apple-tool:, apple:", "-k", "sesame", "k").status
                == 1, "a partition has no blank in it")
        let set = security("set-generic-password-partition-list", "-S", "apple-tool:,apple:", "-k", "sesame", "k")
        #expect(set.status == 0)
        let lines = security("dump-keychain", "-a", "k").outputText.split(separator: "\n").map(String.init)
        for line in [
            "access: 4 entries", "    entry 0:", "        authorizations (1): encrypt",
            "        don't-require-password", "        description: pi", "        applications: <null>", "    entry 1:",
            "        authorizations (6): decrypt derive export_clear export_wrapped mac sign",
            "        applications (1):", "            0: group://T.one (OK)",
            "        authorizations (1): partition_id",
            "        description: apple-tool:, apple:",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    /// The messages that public build logs show (fastlane's tests of its partition lists, and many others).
    @Test func `wrong passwords are told by the function that macOS names`() {
        #expect(security("add-generic-password", "-a", "a", "-s", "s", "-w", "p", "k").status == 0)
        let words = ["set-generic-password-partition-list", "-S", "apple:", "-k", "wrong", "k"]
        #expect(
            house.tester.run(["security"] + words, input: []).errorText.hasPrefix(
                "security: SecKeychainItemSetAccessWithPassword: "))
        _ = security("lock-keychain", "k")
        #expect(
            house.tester.run(["security"] + words, input: []).errorText.hasPrefix("security: SecKeychainUnlock: "))
    }
}
