// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("chatelaine whoami")
struct WhoamiTests {
    let tester = CommandLineTester()

    private static func report(
        _ tier: CallerTier, _ identity: ProgramIdentity, path: String = "/usr/bin/mail", process: Int32 = 4711,
        groups: [String]? = nil, entitlements: [Entitlement] = [], enforcement: Enforcement? = nil,
        findings: [CallerFinding] = []
    ) -> CallerReport {
        CallerReport(
            userID: 1000, processID: process, tier: tier, identity: identity, enforcement: enforcement, path: path,
            accessGroups: groups ?? identity.implicitGroup.map { [$0] } ?? [], hasEntitledGroups: groups != nil,
            entitlements: entitlements, findings: findings, isAdministrationTool: identity == .command)
    }

    private static let signed = report(
        .signed, .signed(team: "3XAMPLETEAM", identifier: "org.example.mail"),
        groups: ["3XAMPLETEAM.org.example.mail", "3XAMPLETEAM.shared"],
        entitlements: [
            Entitlement(key: "com.apple.security.application-groups", value: .list(["3XAMPLETEAM.shared"])),
            Entitlement(key: "get-task-allow", value: .bool(false)),
            Entitlement(key: "application-identifier", value: .text("3XAMPLETEAM.org.example.mail")),
        ], findings: [.notShielded])

    private func run(_ report: CallerReport?, _ words: String...) -> CommandLineTester.Outcome {
        tester.keychain.change { $0.report = report }
        return tester.run(["chatelaine", "whoami"] + words, input: [])
    }

    @Test func `each kind of program is shown`() throws {
        let reports = [
            Self.report(.installed, .command, path: "/usr/bin/chatelaine", findings: [.userService]),
            Self.report(.unsigned, .command, path: "/home/ann/bin/chatelaine", findings: [.writableByOthers]),
            Self.signed,
            Self.report(
                .enforced, .installed(path: "/usr/sbin/maild"), path: "/usr/sbin/maild",
                enforcement: .systemUnit("maild.service")),
            Self.report(
                .unsigned, .unsigned(digest: Array(0..<32)), path: "/home/ann/it's mine", process: 0,
                findings: [.noSignature, .writableByOthers]),
            Self.report(.unidentified, .unidentified, path: "", findings: [.notInspectable]),
        ]
        var text = ""
        for report in reports {
            let outcome = run(report)
            #expect(outcome.status == 0 && outcome.errors.isEmpty)
            text += outcome.outputText + "\n"
        }
        try expectSnapshot(text, "whoami.txt")
    }

    @Test func `each finding has its advice, and a command where one helps`() throws {
        let report = Self.report(
            .unsigned, .unsigned(digest: Array(0..<32)), path: "/home/ann/mail", findings: CallerFinding.allCases)
        try expectSnapshot(run(report).outputText, "whoami-findings.txt")
    }

    @Test func `JSON has all of it`() throws {
        var text = ""
        for report in [Self.signed, Self.report(.unidentified, .unidentified, path: "", findings: [.otherUser])] {
            text += run(report, "--json").outputText
        }
        try expectSnapshot(text, "whoami.json")
    }

    @Test func `names from other programs move no cursor`() {
        let outcome = run(Self.report(.installed, .installed(path: "/a\u{1B}[2J"), path: "/a\u{1B}[2J\nb"))
        #expect(!outcome.output.contains(0x1B))
        #expect(outcome.outputText.contains("program      /a\\u{1b}[2J\\u{a}b\n"))
    }

    // MARK: Subjects

    @Test func `without a word it is about the command, and a number is a process`() {
        _ = run(Self.signed)
        _ = run(Self.signed, "4711")
        #expect(tester.keychain.subjects == [.caller, .process(4711)])
    }

    @Test func `a path is made absolute and free of links, and a name is looked up in PATH`() throws {
        let folder = try ScratchFolder()
        let program = try folder.write("x", "4711")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: program)
        _ = run(Self.signed, folder.path("../\(folder.url("x").deletingLastPathComponent().lastPathComponent)/link"))
        _ = run(Self.signed, "sh")
        let real = try SystemFiles().programPath(program)
        #expect(real.hasSuffix("/4711") && !real.contains(".."))
        #expect(tester.keychain.subjects.first == .program(path: real))
        guard case .program(let shell) = tester.keychain.subjects.last else {
            Issue.record("a name is a program")
            return
        }
        #expect(shell.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: shell))
    }

    @Test(arguments: ["0", "2147483648", "99999999999999999999"])
    func `what can be no process is wrong usage`(number: String) {
        let outcome = run(Self.signed, number)
        #expect(outcome.status == 64 && outcome.errorText.contains("./\(number)"))
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test(arguments: ["no-such-program-anywhere", "./no-such-file", "/no/such/file", ""])
    func `a program that is not there is named`(name: String) {
        let outcome = run(Self.signed, name)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("error: cannot find the program \"\(name)\": "))
        #expect(tester.keychain.requests.isEmpty)
    }

    @Test func `a process that the service does not look at is an error`() {
        let outcome = run(nil, "1")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errorText.contains("belongs to another user") && outcome.errorText.contains("hint: "))
    }

    @Test func `a report that cannot be written is an error`() {
        tester.outputFails = true
        #expect(run(Self.signed).status == 1)
    }
}
