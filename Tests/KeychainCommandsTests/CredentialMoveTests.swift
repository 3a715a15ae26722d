// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainTerminal
import Testing

@testable import KeychainCommands

@Suite("chatelaine doctor --move")
final class CredentialMoveTests {
    let tester = CommandLineTester()
    let folder: ScratchFolder
    let machine = RecordedMachine.orderly
    private let text =
        "# mine\nmachine example.org login ann password s3cret\nmachine b.example.org login bob password x\n"
    private let rest = "# mine\nmachine example.org login ann\nmachine b.example.org login bob\n"

    init() throws {
        folder = try ScratchFolder()
        machine.home = try FileFacts.realPath(folder.path(""))
        tester.machine = machine
        tester.secondsSince1970 = 1_795_310_000
    }

    private func write(_ text: String, mode: Int = 0o600) throws {
        _ = try folder.write(text, ".netrc")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(".netrc"))
    }

    private var content: String { get throws { String(decoding: try folder.bytes(".netrc"), as: UTF8.self) } }

    private func secrets(_ itemClass: ItemClass) -> [String] {
        tester.keychain.items.filter { $0.reference.itemClass == itemClass }.map {
            String(decoding: $0.secret, as: UTF8.self)
        }
    }

    private var undone: CommandLineTester.Outcome {
        tester.run("chatelaine", "doctor", "--undo", machine.home + "/.netrc")
    }

    @Test func `all secrets go into the keychain, the file keeps the rest, and no output has a secret`() throws {
        try write(text, mode: 0o640)
        let looked = tester.run("chatelaine", "doctor")
        let outcome = tester.run("chatelaine", "doctor", "--move", "--yes")
        #expect(looked.status == 7 && outcome.status == 0)
        for printed in [looked, outcome] { #expect(!(printed.outputText + printed.errorText).contains("s3cret")) }
        #expect(try content == rest)
        #expect(try folder.mode(".netrc") == 0o640)
        #expect(secrets(.internetPassword) == ["s3cret", "x"])
        #expect(secrets(.genericPassword) == [text])
        #expect(outcome.outputText.contains("curl"))
    }

    @Test func `undoing brings back every byte and the mode, and the old file leaves the keychain`() throws {
        try write(text, mode: 0o400)
        _ = tester.run("chatelaine", "doctor", "--move", "--yes")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path(".netrc"))
        #expect(undone.status == 0)
        #expect(try content == text)
        #expect(try folder.mode(".netrc") == 0o400)
        #expect(secrets(.genericPassword).isEmpty)
        #expect(secrets(.internetPassword) == ["s3cret", "x"])
        #expect(undone.status == 3)
    }

    @Test func `a file that was changed since is not undone`() throws {
        try write(text)
        _ = tester.run("chatelaine", "doctor", "--move", "--yes")
        try write(rest + "more\n")
        let outcome = undone
        #expect(outcome.status == 1 && outcome.errorText.contains("was changed after"))
        #expect(try content == rest + "more\n")
        #expect(secrets(.genericPassword) == [text])
    }

    @Test func `a file that is changed between reading and replacing stays, and nothing is kept of it`() throws {
        try write(text)
        // Replaced behind the reader: another file has the name now.
        machine.whenOpening = { [folder] path in
            try? FileManager.default.removeItem(atPath: path)
            _ = try? folder.write("machine other\n", ".netrc")
        }
        let outcome = tester.run("chatelaine", "doctor", "--move", "--yes")
        #expect(outcome.status == 6 && outcome.outputText.contains("another process changed the file in the meantime"))
        #expect(try content == "machine other\n")
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `a symbolic link is not followed`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(".netrc"), withDestinationPath: folder.path("elsewhere"))
        _ = try folder.write(text, "elsewhere")
        let outcome = tester.run("chatelaine", "doctor", "--move", "--yes")
        #expect(outcome.status == 6 && outcome.errorText.contains("symbolic link"))
        #expect(try folder.bytes("elsewhere") == Array(text.utf8))
        #expect(tester.keychain.items.isEmpty)
    }

    @Test func `a file with a second name stays`() throws {
        try write(text)
        try FileManager.default.linkItem(at: folder.url(".netrc"), to: folder.url("second"))
        let outcome = tester.run("chatelaine", "doctor", "--move", "--yes")
        #expect(outcome.status == 6 && outcome.outputText.contains("hard links"))
        #expect(try content == text)
    }

    @Test func `another secret of the same name is not overwritten, and its place in the file stays`() throws {
        try write(text)
        try tester.keychain.put(server: "example.org", user: "ann", secret: Array("other".utf8))
        let outcome = tester.run("chatelaine", "doctor", "--move", "--yes")
        #expect(outcome.status == 6)
        #expect(secrets(.internetPassword) == ["other", "x"])
        #expect(try content == text.replacing(" password x", with: ""))
    }

    @Test func `where the keychain goes away in the middle the file stays`() throws {
        try write(text)
        tester.keychain.change { $0.additionsUntilFailure = 1 }
        #expect(tester.run("chatelaine", "doctor", "--move", "--yes").status == 5)
        #expect(try content == text)
    }

    @Test func `on a terminal each secret is asked for, and only a yes moves it`() throws {
        try write(text)
        tester.inputIsTerminal = true
        let outcome = tester.run("chatelaine", "doctor", "--move", typing: "y\nno\n")
        #expect(outcome.status == 0)
        #expect(try content == text.replacing(" password s3cret", with: ""))
        #expect(outcome.outputText.contains("was not moved, as requested"))
    }

    @Test func `without a terminal and without --yes nothing is asked and nothing moved`() throws {
        try write(text)
        #expect(tester.run("chatelaine", "doctor", "--move").status == 64)
        #expect(try content == text)
    }

    @Test func `a file that cannot be read is told, and left alone`() throws {
        try write("machine example.org password \"never closed\n")
        let looked = tester.run("chatelaine", "doctor")
        #expect(looked.outputText.contains("was not checked: line 1: a quotation mark is not closed"))
        #expect(!looked.outputText.contains("never closed\n\""))
        #expect(tester.run("chatelaine", "doctor", "--move", "--yes").status == 6)
        #expect(try content == "machine example.org password \"never closed\n")
    }

    @Test func `in a real store, too, secrets are moved and the file comes back`() throws {
        try write(text)
        let memory = try InMemoryKeychain(accessGroups: ["chatelaine"])
        tester.client = memory.administrationClient()
        for _ in 0..<2 {
            #expect(tester.run("chatelaine", "doctor", "--move", "--yes").status == 0)
            #expect(try content == rest)
            let got = tester.run("chatelaine", "get", "-n", "--server", "example.org", "-u", "ann")
            #expect(got.outputText == "s3cret", "\(got.errorText)")
            let old = tester.run(
                "chatelaine", "get", "-n", "-u", "2026-11-22T01:13:20Z", "doctor:" + machine.home + "/.netrc")
            #expect(old.outputText == text, "\(old.errorText)")
            #expect(undone.status == 0)
            #expect(try content == text)
        }
        #expect(undone.status == 3)
    }

    @Test func `two moves of one file are undone one after the other`() throws {
        try write(text)
        _ = tester.run("chatelaine", "doctor", "--move", "--yes")
        tester.secondsSince1970 += 1
        let more = rest + "machine c.example.org login c password y\n"
        try write(more)
        _ = tester.run("chatelaine", "doctor", "--move", "--yes")
        #expect(undone.status == 0)
        #expect(try content == more)
        try write(rest)
        #expect(undone.status == 0)
        #expect(try content == text)
    }
}
