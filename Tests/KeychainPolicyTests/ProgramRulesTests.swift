// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainPolicy

/// From evidence to identity, tier and groups (Documentation/Identification.md).
struct ProgramRulesTests {
    private static let digest = [UInt8](repeating: 0xAB, count: 32)
    private static let unsignedGroup = "unsigned:" + String(repeating: "ab", count: 32)
    private static let valid = ProgramEvidence.Signature.valid(
        team: "TEAM", identifier: "org.example.mail", entitledGroups: [], entitlements: [])

    private static let validWithGroups = ProgramEvidence.Signature.valid(
        team: "TEAM", identifier: "org.example.mail", entitledGroups: ["TEAM.shared", "com.apple.token"],
        entitlements: [])

    private static func program(
        _ path: String = "/home/ann/mail", isCommand: Bool = false, isRootsAlone: Bool = false,
        _ signature: ProgramEvidence.Signature = .none(.noSignature)
    ) -> ProgramEvidence {
        ProgramEvidence(path: path, isCommand: isCommand, isRootsAlone: isRootsAlone, signature: signature)
    }

    private static func program(_ signature: ProgramEvidence.Signature) -> ProgramEvidence {
        program("/home/ann/mail", signature)
    }

    /// Of an ordinary user's process that nothing shields.
    private static func shield(
        _ userID: UInt32 = 1000, group: Bool = false, capability: Bool = false,
        _ controlGroup: String? = "/user.slice/user-1000.slice/session-1.scope"
    ) -> ShieldEvidence {
        ShieldEvidence(
            userID: userID, hasGroupOfFile: group, hasFileCapability: capability,
            controlGroup: controlGroup)
    }

    private func judge(_ program: ProgramEvidence, _ shield: ShieldEvidence? = nil) -> ProgramRules.Verdict {
        ProgramRules.judge(program, shield: shield) { () throws(CallerFinding) in Self.digest }
    }

    // MARK: Which program it is

    @Test func `a signature names a program before its path, and its path before its bytes`() {
        let verdicts = [
            judge(Self.program(isRootsAlone: true, Self.valid)), judge(Self.program(isRootsAlone: true)),
            judge(Self.program()),
        ]
        #expect(
            verdicts.map(\.identity) == [
                .signed(team: "TEAM", identifier: "org.example.mail"), .installed(path: "/home/ann/mail"),
                .unsigned(digest: Self.digest),
            ])
        #expect(verdicts.map(\.tier) == [.signed, .installed, .unsigned])
        #expect(
            verdicts.map(\.accessGroups) == [
                ["TEAM.org.example.mail"], ["installed:/home/ann/mail"], [Self.unsignedGroup],
            ])
        #expect(verdicts.allSatisfy { !$0.hasEntitledGroups && $0.enforcement == nil })
    }

    @Test func `entitled groups take the place of the program's own`() {
        let entitlement = Entitlement(key: "keychain-access-groups", value: .list(["TEAM.a", "TEAM.b"]))
        let verdict = judge(
            Self.program(
                .valid(
                    team: "TEAM", identifier: "mail", entitledGroups: ["TEAM.a", "TEAM.b"], entitlements: [entitlement])
            ))
        #expect(verdict.accessGroups == ["TEAM.a", "TEAM.b"] && verdict.hasEntitledGroups)
        #expect(verdict.entitlements == [entitlement])
    }

    @Test func `the command is the command whatever it is signed with, and has a shared and a private group`() {
        for (isRootsAlone, tier) in [(true, CallerTier.installed), (false, .unsigned)] {
            let verdict = judge(Self.program(isCommand: true, isRootsAlone: isRootsAlone, Self.valid))
            #expect(verdict.identity == .command && verdict.tier == tier)
            #expect(verdict.accessGroups == ["chatelaine", "chatelaine.private"])
            #expect(!verdict.findings.contains(.noSignature))
        }
    }

    @Test(arguments: [
        CallerFinding.noSignature, .changedAfterSigning, .damagedSignature, .newerSignature, .foreignEntitlements,
        .untrustedFileSystem, .tooLarge, .changedWhileRead,
    ])
    func `a signature that does not count leaves the program to its path or its bytes, and says why`(
        finding: CallerFinding
    ) {
        let unsigned = judge(Self.program(.none(finding)))
        #expect(unsigned.tier == .unsigned && unsigned.findings == [finding, .writableByOthers, .userService])
        let installed = judge(Self.program(isRootsAlone: true, .none(finding)))
        #expect(installed.tier == .installed && installed.findings == [finding, .userService])
    }

    @Test func `a program whose bytes cannot be told has nothing`() {
        let verdict = ProgramRules.judge(Self.program(), shield: nil) { () throws(CallerFinding) in
            throw .untrustedFileSystem
        }
        #expect(verdict.identity == .unidentified && verdict.tier == .unidentified)
        #expect(verdict.accessGroups.isEmpty && verdict.findings == [.untrustedFileSystem])
    }

    @Test func `the bytes are read only where they are the name`() {
        for program in [
            Self.program(Self.valid), Self.program(isRootsAlone: true), Self.program(isCommand: true),
        ] {
            let verdict = ProgramRules.judge(program, shield: nil) { () throws(CallerFinding) in
                Issue.record("read")
                throw .unreadable
            }
            #expect(verdict.tier > .unidentified)
        }
    }

    // MARK: Interpreters

    @Test(arguments: [
        "/usr/bin/python3.11", "/usr/bin/python3", "/home/ann/python", "/usr/bin/bash", "/bin/sh",
        "/usr/bin/perl5.36.0",
        "/usr/bin/guile-3.0", "/usr/bin/php-fpm8.2", "/usr/bin/vim.basic", "/usr/bin/lua5.4", "/usr/bin/node",
        "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1", "/usr/bin/ld.so",
        "/usr/bin/qemu-x86_64-static", "/lib64/ld64.so.2",
        "/usr/libexec/valgrind/memcheck-amd64-linux", "/usr/bin/box64", "/usr/bin/FEXInterpreter",
        "/usr/bin/cjs-console",
        "/usr/bin/emacs-pgtk", "/usr/bin/busybox", "/usr/bin/bash-static", "/usr/bin/R",
        "/usr/bin/bash (deleted)", "/usr/bin/python3.11 (deleted)",
    ])
    func `an interpreter is known by its name`(path: String) {
        #expect(Interpreters.include(path))
        let verdict = judge(Self.program(path, isRootsAlone: true))
        #expect(verdict.tier == .interpreter && verdict.accessGroups == ["installed:" + path])
        #expect(verdict.findings.contains(.interpreter))
    }

    @Test(arguments: [
        "/usr/bin/pythonista", "/usr/bin/ssh", "/usr/bin/bashful", "/usr/bin/ld", "/usr/bin/nodemon-helper",
        "/usr/bin/r", "/usr/bin/tool-amd64-linux", "/usr/bin/memcheck",
        "/usr/bin/python/mail", "", "/", "/usr/bin/shadow",
    ])
    func `a program that only looks like an interpreter is none`(path: String) {
        #expect(!Interpreters.include(path))
        #expect(judge(Self.program(path, isRootsAlone: true)).tier == .installed)
    }

    @Test func `a signed interpreter is its team's to answer for, and the command is none`() {
        #expect(judge(Self.program("/opt/python3", Self.valid)).tier == .signed)
        #expect(judge(Self.program("/opt/sh", isCommand: true)).tier == .unsigned)
    }

    // MARK: Shielding of a process

    @Test func `the group and the capabilities of the file shield, but root's capabilities do not`() {
        #expect(ProgramRules.enforcement(Self.shield()) == nil)
        #expect(ProgramRules.enforcement(Self.shield(group: true)) == .setgid)
        #expect(ProgramRules.enforcement(Self.shield(capability: true)) == .fileCapability)
        #expect(ProgramRules.enforcement(Self.shield(0, capability: true)) == nil)
    }

    @Test(
        arguments: [
            (1, true), (999, true), (1000, false), (1500, false), (60_000, false), (61_183, false), (61_184, true),
            (65_519, true), (65_520, false), (65_534, false), (.max, false), (0, false),
        ] as [(UInt32, Bool)])
    func `a user who is no person shields what runs as that user, and root does not`(user: UInt32, isShielded: Bool) {
        #expect(ProgramRules.enforcement(Self.shield(user, nil)) == (isShielded ? .ownUser : nil))
    }

    @Test(
        arguments: [
            ("/system.slice/mail.service", "mail.service"), ("/system.slice/mail.service/worker", "mail.service"),
            ("/system.slice/system-mail.slice/mail@1.service", "mail@1.service"),
            ("/user.slice/user-1000.slice/user@1000.service", nil), ("/system.slice/docker-1.scope", nil),
            ("/system.slice", nil), ("/", nil), ("", nil), ("/../system.slice/mail.service", nil),
            ("/user.slice/system.slice/mail.service", nil), ("/system.slicer/mail.service", nil),
        ] as [(String, String?)])
    func `a unit of the system is one below the system's slice`(controlGroup: String, unit: String?) {
        #expect(ProgramRules.systemUnit(controlGroup) == unit)
        // Root and service users are shielded by a unit; a person's processes never are.
        #expect(ProgramRules.enforcement(Self.shield(0, controlGroup)) == unit.map(Enforcement.systemUnit))
        #expect(ProgramRules.enforcement(Self.shield(1000, controlGroup)) == nil)
    }

    @Test func `a shielded program that is root's alone is enforced, keeps its identity and has groups of its own`() {
        for shield in [Self.shield(group: true), Self.shield(capability: true)] {
            for signature in [Self.valid, Self.validWithGroups, .none(.noSignature)] {
                let without = judge(Self.program(isRootsAlone: true, signature))
                let verdict = judge(Self.program(isRootsAlone: true, signature), shield)
                #expect(verdict.tier == .enforced && verdict.enforcement != nil && verdict.findings.isEmpty)
                #expect(verdict.identity == without.identity)
                #expect(
                    verdict.accessGroups
                        == without.accessGroups.map { $0 == AccessPolicy.tokenGroup ? $0 : "enforced:" + $0 })
            }
        }
    }

    @Test func `a service under its own user keeps its groups, because no process of that user is less shielded`() {
        for group in ["/system.slice/mail.service", "/user.slice"] {
            let verdict = judge(Self.program("/usr/sbin/mail", isRootsAlone: true), Self.shield(999, group))
            #expect(verdict.tier == .enforced && verdict.accessGroups == ["installed:/usr/sbin/mail"])
        }
    }

    @Test func `a script that is a unit has groups of its own, because others run the same interpreter`() {
        let verdict = judge(
            Self.program("/usr/bin/python3", isRootsAlone: true), Self.shield(999, "/system.slice/mail.service"))
        #expect(verdict.accessGroups == ["enforced:installed:/usr/bin/python3"])
    }

    @Test func `the command keeps its groups when it is shielded, because every program may run it`() {
        let verdict = judge(Self.program(isCommand: true, isRootsAlone: true), Self.shield(group: true))
        #expect(verdict.tier == .enforced && verdict.accessGroups == ["chatelaine", "chatelaine.private"])
    }

    @Test func `a shielded program in a place that others can change is not enforced`() {
        let verdict = judge(Self.program(Self.valid), Self.shield(group: true))
        #expect(verdict.tier == .signed && verdict.enforcement == nil)
        #expect(verdict.findings == [.writableByOthers, .notShielded])
    }

    @Test func `nothing is enforced in a service of the user, which says so`() {
        let verdict = judge(Self.program(isRootsAlone: true), nil)
        #expect(verdict.tier == .installed && verdict.findings.contains(.userService))
        #expect(judge(Self.program(isRootsAlone: true), Self.shield()).findings == [.noSignature, .notShielded])
    }

    @Test func `an interpreter is enforced as a unit of the system, and by nothing else`() {
        let python = Self.program("/usr/bin/python3", isRootsAlone: true)
        for shield in [
            Self.shield(group: true), Self.shield(capability: true), Self.shield(999),
        ] {
            let verdict = judge(python, shield)
            #expect(verdict.tier == .interpreter && verdict.enforcement == nil)
        }
        let verdict = judge(python, Self.shield(999, "/system.slice/mail.service"))
        #expect(verdict.tier == .enforced && verdict.enforcement == .systemUnit("mail.service"))
        #expect(verdict.findings == [.interpreter])
    }

    // MARK: Bridges

    @Test(
        arguments: [
            (1000, nil), (0, nil), (900, Enforcement.ownUser), (65_000, .ownUser),
        ] as [(UInt32, Enforcement?)])
    func `through a bridge nothing but a user of its own shields a program`(user: UInt32, expected: Enforcement?) {
        let verdict = judge(Self.program(isRootsAlone: true), .throughBridge(of: user))
        #expect(verdict.enforcement == expected)
        #expect(verdict.tier == (expected == nil ? .installed : .enforced))
        #expect(verdict.accessGroups == ["installed:/home/ann/mail"], "never in groups of enforced programs")
    }

    @Test func `only an installed bridge that was identified makes requests for others`() {
        func caller(_ tier: CallerTier) -> Caller {
            Caller(userID: 1, processID: 2, tier: tier, identity: .unidentified, accessGroups: [], displayPath: "/b")
        }
        for tier in CallerTier.allCases {
            #expect(!ProgramRules.mayActForClients(caller(tier), isInstalledBridge: false))
            #expect(ProgramRules.mayActForClients(caller(tier), isInstalledBridge: true) == (tier != .unidentified))
        }
    }
}
