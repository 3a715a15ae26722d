// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainWire
import Testing

@testable import KeychainCommands

@Suite("backup reports")
struct BackupReportTests {
    private static let ann = ItemNames(itemClass: .genericPassword, label: "Ann's", place: "mail", account: "ann")
    private static let web = ItemNames(
        itemClass: .internetPassword, label: "", place: "example.org\u{1B}[2J", account: "bob")

    private func made(_ form: BackupForm) -> BackupReport {
        var report = BackupReport(file: "keychain.backup")
        report.form = form
        report.counts = BackupCounts(portable: 5, deviceBound: 2, leftOut: 3)
        report.omitted = [
            OmittedItem(.passcodeClass, .genericPassword, Self.ann), OmittedItem(.token, .internetPassword, Self.web),
            OmittedItem(.unreadable, .genericPassword, nil),
        ]
        return report
    }

    private func read(_ mode: RestoreMode) -> RestoreReport {
        let facts = BackupFacts(
            backup: Array(repeating: 1, count: 16), date: Timestamp(secondsSinceReferenceDate: 800_000_000),
            form: .portable, secretKind: .passphrase, isOfThisDevice: true, isOfThisKeychain: false)
        var report = RestoreReport(file: "keychain.backup", mode: mode, facts: facts)
        var counts = RestoreCounts()
        for outcome in RestoreOutcome.allCases { counts[outcome] = UInt64(outcome.rawValue) + 1 }
        report.take(
            RestoreProgress(
                counts: counts,
                notable: [
                    RestoredItem(.conflict, .genericPassword, Self.ann),
                    RestoredItem(.otherDevice, .genericPassword, nil),
                ], end: nil))
        report.take(RestoreProgress(counts: counts, notable: [], end: BackupCounts(portable: 9, leftOut: 1)))
        return report
    }

    private func text(_ json: JSONText) -> String { String(decoding: json.document(), as: UTF8.self) }

    @Test func `a backup that was made`() throws {
        try expectSnapshot(made(.portable).text, "backup-portable.txt")
        try expectSnapshot(made(.deviceBound).text, "backup-device-bound.txt")
        try expectSnapshot(text(made(.portable).json), "backup.json")
        #expect(!made(.portable).text.contains("\u{1B}"))
    }

    @Test func `a backup that was looked through, rehearsed and restored`() throws {
        try expectSnapshot(read(.verify).text, "backup-verify.txt")
        try expectSnapshot(read(.dryRun).text, "backup-dry-run.txt")
        try expectSnapshot(read(.apply).text, "backup-restore.txt")
        try expectSnapshot(text(read(.apply).json), "backup-restore.json")
    }

    @Test func `items that the user may miss are counted, and have a hint`() {
        let report = read(.apply)
        // Conflict, other device, needs passcode, invalid.
        #expect(report.leftOut == 6 + 7 + 8 + 9)
        #expect(report.hint?.contains("passcode set") == true)
    }

    @Test func `a file that is no backup is refused before anything is asked`() throws {
        let folder = try ScratchFolder()
        let tester = CommandLineTester()
        let path = folder.path("file")
        for bytes in [[], Array("no backup".utf8), [UInt8](repeating: 0, count: 1000)] {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            for command in ["verify", "restore"] {
                let outcome = tester.run("chatelaine", command, path)
                #expect(outcome.status == 1)
                #expect(outcome.errorText == "error: \"\(path)\" is not a backup of a keychain\n")
            }
        }
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a locked keychain is reported before the user types a secret for a backup`() throws {
        let folder = try ScratchFolder()
        let tester = CommandLineTester()
        tester.keychain.setPasscode("x", state: .locked)
        tester.answers = ["x", "passphrase", "passphrase"]
        let outcome = tester.run("chatelaine", "backup", folder.path("file"))
        #expect(outcome.status == 4)
        #expect(
            outcome.errorText == "error: the keychain is locked\nhint: unlock it with `chatelaine unlock`\n")
        #expect(try folder.names().isEmpty)
    }

    @Test func `without a passcode, a backup states its limit before it asks for the passphrase`() throws {
        let folder = try ScratchFolder()
        let tester = CommandLineTester()
        tester.answers = ["passphrase", "passphrase"]
        let outcome = tester.run("chatelaine", "backup", folder.path("file"))
        #expect(
            outcome.errorText.hasPrefix(
                """
                note: no passcode is set, so the backup will contain all items of all programs, and can be restored on \
                this device only; for another device, add --portable
                Passphrase of the backup: \nOnce more: \n
                """))
    }
}
