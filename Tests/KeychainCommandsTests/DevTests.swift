// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine dev")
struct DevTests {
    private let tester = CommandLineTester()
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url("mail"), withIntermediateDirectories: false)
        path = try SystemFiles().folderPath(folder.path("mail"))
    }

    @Test func `a folder is trusted by its path without links, listed, and revoked`() throws {
        #expect(tester.run("chatelaine", "dev", "list").outputText == "No folder is trusted for development.\n")
        try FileManager.default.createSymbolicLink(
            at: folder.url("link"), withDestinationURL: folder.url("mail"))
        let trusted = tester.run("chatelaine", "dev", "trust", folder.path("link"))
        #expect(trusted.status == 0 && trusted.outputText.contains(path), "\(trusted.errorText)")
        #expect(trusted.outputText.contains("Any of your programs can write there, and so read these items."))
        #expect(tester.keychain.developmentFolders == [path])
        #expect(tester.run("chatelaine", "dev").outputText.contains(path))
        let json = try JSONSerialization.jsonObject(
            with: Data(tester.run("chatelaine", "dev", "list", "--json").outputText.utf8))
        #expect(json as? [[String: String]] == [["folder": path]])
        // Also when the folder no longer exists.
        try FileManager.default.removeItem(at: folder.url("mail"))
        #expect(tester.run("chatelaine", "dev", "revoke", path).status == 0)
        #expect(tester.keychain.developmentFolders.isEmpty)
        let again = tester.run("chatelaine", "dev", "revoke", path)
        #expect(again.status != 0 && again.errorText.contains("is not trusted for development"))
    }

    @Test(arguments: ["missing", "/"]) func `a folder that cannot be trusted is an error that says why`(name: String) {
        let outcome = tester.run("chatelaine", "dev", "trust", name.hasPrefix("/") ? name : folder.path(name))
        #expect(outcome.status != 0 && outcome.outputText.isEmpty)
        #expect(outcome.errorText.contains(name == "/" ? "it is the root" : "No such file or directory"))
        #expect(tester.keychain.developmentFolders.isEmpty)
    }

    @Test func `every listing shows the folders`() throws {
        tester.keychain.change {
            $0.developmentFolders = ["/home/ann/mail"]
            $0.report = CallerReport(
                userID: 1000, processID: 0, tier: .unsigned, identity: .unsigned(digest: Array(0..<32)),
                enforcement: nil, path: "/home/ann/mail/Mail",
                accessGroups: ["development:/home/ann/mail/Mail", "unsigned:00"], hasEntitledGroups: false,
                entitlements: [], findings: [.noSignature], isAdministrationTool: false)
        }
        #expect(tester.run("chatelaine", "status").outputText.contains("dev folder  /home/ann/mail:"))
        #expect(tester.run("chatelaine", "status", "--json").outputText.contains("\"/home/ann/mail\""))
        #expect(tester.run("chatelaine", "grants", "list").outputText.contains("  /home/ann/mail\n"))
        let seen = tester.run("chatelaine", "whoami", "/bin/sh").outputText
        #expect(seen.contains("development:/home/ann/mail/Mail (default)"))
        #expect(seen.contains("development  the items of /home/ann/mail/Mail stay over rebuilds"))
        #expect(programName(ofGroup: "development:/home/ann/mail/Mail") == "/home/ann/mail/Mail (development)")
    }
}
