// SPDX-License-Identifier: Apache-2.0

import KeychainTerminal
import Testing

@testable import KeychainCommands

/// The programs that can be enforced, and the record of their earlier state. Tests/Programs/enforced.py tests the real
/// effect.
@Suite("enforce")
struct EnforceTests {
    private static func facts(_ change: (inout InstalledProgram.Facts) -> Void = { _ in }) -> InstalledProgram.Facts {
        var facts = InstalledProgram.Facts(
            path: "/usr/bin/mail", owner: 0, group: 0, mode: 0o755, linkCount: 1, isRegular: true,
            head: [0x7F, 0x45, 0x4C, 0x46], hasCapabilities: false, openDirectory: nil)
        change(&facts)
        return facts
    }

    @Test func `a root-owned ELF program in a place of root's can be enforced, once and again`() {
        #expect(EnforceRules.refusal(Self.facts(), clients: nil) == nil)
        let enforced = Self.facts { ($0.group, $0.mode) = (900, 0o2755) }
        #expect(EnforceRules.refusal(enforced, clients: 900) == nil)
    }

    @Test(arguments: [
        ("script", "is a script"), ("text", "not an ELF program"), ("folder", "is not a program"),
        ("python3.11", "runs other"),
        ("setuid", "set-user-id"), ("setgid", "already set-group-id"), ("capability", "file capabilities"),
        ("owner", "users other than root can change"), ("group-writable", "users other than root can change"),
        ("writable", "users other than root can change"),
        ("directory", "users other than root can change \"/opt/x\""), ("links", "has 2 names"),
        ("closed", "only members of its group may run"),
        ("newline", "control characters"),
    ])
    func `a program that cannot be shielded is refused with the reason`(what: String, message: String) throws {
        let facts = Self.facts { facts in
            switch what {
            case "script": facts.head = Array("#!/b".utf8)
            case "text": facts.head = []
            case "folder": facts.isRegular = false
            case "python3.11": facts.path = "/usr/bin/python3.11"
            case "setuid": facts.mode = 0o4755
            case "setgid": (facts.mode, facts.group) = (0o2755, 8)
            case "capability": facts.hasCapabilities = true
            case "owner": facts.owner = 1000
            case "group-writable": facts.mode = 0o775
            case "writable": facts.mode = 0o757
            case "directory": facts.openDirectory = "/opt/x"
            case "links": facts.linkCount = 2
            case "closed": facts.mode = 0o750
            default: facts.path = "/usr/bin/a\nb"
            }
        }
        let refusal = try #require(EnforceRules.refusal(facts, clients: 900))
        #expect(refusal.message.contains(message))
    }

    @Test(arguments: [(0o755, 0o2755), (0o711, 0o2711), (0o555, 0o2555), (0o745, 0o2755)] as [(UInt32, UInt32)])
    func `the mode keeps who may run and read a program`(mode: UInt32, shielded: UInt32) {
        #expect(EnforceRules.shieldedMode(mode) == shielded)
        #expect(EnforceRules.shieldedMode(shielded) == shielded)
    }

    @Test func `the record is a line for each program`() throws {
        var record = EnforcedRecord()
        record["/usr/bin/mail"] = .init(mode: 0o755, group: 0, isKept: true, path: "/usr/bin/mail")
        record["/opt/a b"] = .init(mode: 0o711, group: 12, isKept: false, path: "/opt/a b")
        #expect(record.text == "0755 0 kept /usr/bin/mail\n0711 12 - /opt/a b\n")
        #expect(EnforcedRecord(record.text) == record)
        record["/usr/bin/mail"] = nil
        #expect(record.text == "0711 12 - /opt/a b\n" && EnforcedRecord("") == EnforcedRecord())
    }

    @Test(arguments: [
        "x", "0755 0 kept", "0955 0 kept /a", "0755 x - /a", "0755 0 maybe /a", "0755 0 - a", "17777 0 - /a",
    ])
    func `a record of another program is not interpreted`(text: String) {
        #expect(EnforcedRecord(text) == nil)
    }

    @Test(arguments: [
        ["enforce"], ["enforce", "--list", "x"], ["enforce", "--list", "--undo"], ["enforce", "--undo"],
    ])
    func `wrong usage is told`(words: [String]) {
        let outcome = CommandLineTester().run(["chatelaine"] + words, input: [])
        #expect(outcome.status == 64 && outcome.output.isEmpty)
    }
}
