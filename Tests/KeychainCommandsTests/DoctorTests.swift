// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainTerminal
import Testing

@testable import KeychainCommands

@Suite("chatelaine doctor")
struct DoctorTests {
    let tester = CommandLineTester()
    let machine = RecordedMachine.orderly

    init() {
        tester.machine = machine
        tester.secondsSince1970 = 1_795_310_000
        tester.keychain.setPasscode("1234")
        tester.keychain.change {
            $0.version = ProductVersion.current
            $0.report = CallerReport(
                userID: 1000, processID: 1, tier: .enforced, identity: .command, enforcement: nil,
                path: "/usr/bin/chatelaine", accessGroups: ["chatelaine"], hasEntitledGroups: false, entitlements: [],
                findings: [], isAdministrationTool: true)
        }
    }

    /// The lines of one check.
    private func lines(_ check: String) -> [String] {
        tester.run("chatelaine", "doctor").outputText.split(separator: "\n").map(String.init).filter {
            $0.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true).dropFirst().first == check[...]
        }
    }

    @Test func `where nothing is to be done every line says so, and the exit status is 0`() throws {
        let outcome = tester.run("chatelaine", "doctor")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(!outcome.outputText.contains("warning") && !outcome.outputText.contains("failure"))
        try expectSnapshot(outcome.outputText, "doctor.txt")
        try expectSnapshot(tester.run("chatelaine", "doctor", "--json").outputText, "doctor.json")
    }

    @Test func `a warning and a failure end the command with a status of their own, and are counted`() {
        machine.texts["/proc/sys/kernel/yama/ptrace_scope"] = "0\n"
        machine.servicePath = nil
        let outcome = tester.run("chatelaine", "doctor")
        #expect(outcome.status == 7)
        #expect(outcome.errorText == "error: the installation needs attention: 1 failure, 1 warning\n")
        #expect(tester.run("chatelaine", "doctor", "--json").outputText.contains("\"worst\": \"failure\""))
    }

    @Test func `the severity has a colour only where that is wanted`() {
        machine.texts["/proc/sys/kernel/yama/ptrace_scope"] = "0\n"
        let plain = tester.run("chatelaine", "doctor").outputText
        #expect(!plain.contains("\u{1B}"))
        tester.isStyled = true
        let styled = tester.run("chatelaine", "doctor").outputText
        #expect(styled.contains("\u{1B}[32mok\u{1B}[0m       "))
        #expect(styled.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == plain)
    }

    @Test func `a service of another version is a warning that says how to get the new one`() {
        tester.keychain.change { $0.version = "0.0.9" }
        #expect(lines("service").first?.hasPrefix("warning  service      chatelained has version 0.0.9") == true)
    }

    @Test func `a keychain file that is open and was found damaged is a failure that says how to save it`() {
        tester.keychain.change { $0.figures.keychainFiles[1].isDamaged = true }
        #expect(
            lines("contents") == [
                "ok       contents     the database is unchanged since the service last wrote it",
                "failure  contents     /srv/work.keychain: the database is damaged: some items cannot be read or "
                    + "found; stop the service, then recover the readable items: chatelaine salvage --keychain /srv/work.keychain",
            ])
    }

    @Test func `a service that cannot be reached is a finding, and all else is looked at`() {
        tester.keychain.change { $0.failure = .unavailable("nobody listens", hint: "start it") }
        #expect(lines("service").first == "failure  service      nobody listens; start it")
        #expect(lines("swap").count == 1)
    }

    @Test func `programs that others can replace are failures, and one's own are notes`() {
        machine.files["/usr/bin/chatelaine"]?.mode = 0o775
        machine.files["/usr/bin/chatelained"]?.owner = machine.user
        if machine.user == 0 { machine.user = 1000 }
        machine.files["/usr/bin/chatelained"]?.owner = machine.user
        let lines = lines("programs")
        #expect(
            lines.first?.hasPrefix("failure  programs     other users can change /usr/bin/chatelaine") == true)
        #expect(lines.last?.hasPrefix("note     programs     /usr/bin/chatelained belongs to you") == true)
    }

    @Test
    func `a folder above a program that others can change is a failure, but for one like that of temporary files`() {
        machine.files["/usr"]?.mode = 0o777
        #expect(lines("programs").allSatisfy { $0.hasPrefix("failure  programs     other users can change /usr,") })
        machine.files["/usr"]?.mode = 0o1777
        #expect(lines("programs").allSatisfy { $0.hasPrefix("ok") })
    }

    @Test func `files of the keychain that others can open are found, each with what to do`() {
        machine.files[machine.folders.data + "/device.key"]?.mode = 0o644
        machine.files[machine.folders.data + "/keychain.db"]?.mode = 0o666
        machine.files[machine.folders.data + "/snapshots"]?.owner = 4711
        #expect(
            lines("files") == [
                "warning  files        /home/u/data/device.key has mode 644, so other users can access it; chmod go= /home/u/data/device.key",
                "failure  files        /home/u/data/keychain.db has mode 666, so other users can access it; chmod go= /home/u/data/keychain.db",
                "failure  files        /home/u/data/snapshots belongs to user 4711; find out who put it there",
            ])
    }

    @Test func `a folder that other users can write in is a failure, and a long list of findings is shortened`() {
        machine.files[machine.folders.runtime]?.mode = 0o722
        for number in 0..<30 {
            machine.files[machine.folders.data + "/x\(number)"] = FileFacts(
                kind: .regular, owner: machine.user, group: 0, mode: 0o640)
        }
        #expect(
            lines("folders").contains {
                $0.hasPrefix("failure  folders      other users can write in /run/user/u/chatelaine")
            })
        #expect(lines("files").count == 11)
    }

    @Test(
        arguments: [
            ("/dev/zram0", ["/sys/class/block/zram0/backing_dev": "none\n"], "ok"),
            ("/dev/sda2", ["/sys/class/block/sda2/partition": "2\n"], "warning"),
            ("/dev/dm-1", ["/sys/class/block/dm-1/dm/uuid": "CRYPT-PLAIN-swap\n"], "ok"),
            (
                "/dev/dm-2",
                [
                    "/sys/class/block/dm-2/dm/uuid": "LVM-abc\n",
                    "/sys/class/block/dm-2/slaves/dm-0/dm/uuid": "CRYPT-LUKS2-x\n",
                ], "ok"
            ),
            (
                "/dev/dm-2",
                [
                    "/sys/class/block/dm-2/dm/uuid": "LVM-abc\n", "/sys/class/block/dm-2/slaves/sda3/partition": "3\n",
                ], "warning"
            ),
            (
                "/dev/zram0",
                ["/sys/class/block/zram0/backing_dev": "/dev/sda4\n", "/sys/class/block/sda4/partition": "4"], "warning"
            ),
            ("/swapfile", [:], "warning"),
        ] as [(String, [String: String], String)])
    func `swap counts as safe in memory and where all below it is encrypted`(
        area: String, files: [String: String], severity: String
    ) {
        machine.texts["/proc/swaps"] = "Filename\tType\tSize\tUsed\tPriority\n\(area)  partition\t100\t0\t-2\n"
        for (path, text) in files { machine.texts[path] = text }
        let lines = lines("swap")
        #expect(lines.count == 1 && lines[0].hasPrefix(severity), "\(lines)")
    }

    @Test func `dumps that a program collects, an old snapshot and a full disk are told`() {
        machine.texts["/proc/sys/kernel/core_pattern"] = "|/usr/lib/systemd/systemd-coredump %P %u\n"
        machine.free = 1 << 20
        tester.secondsSince1970 += 10 * 86_400
        #expect(
            lines("core-dumps").first?.hasPrefix("note     core-dumps   /usr/lib/systemd/systemd-coredump collects")
                == true)
        #expect(
            lines("snapshots") == [
                "warning  snapshots    the newest snapshot is 10 d 3 h old; check the service's log for the reason"
            ])
        #expect(lines("disk").first?.hasPrefix("failure  disk         1 MiB of disk space are free") == true)
    }

    @Test
    func `what the service cannot vouch for is told: changed contents, items set aside, a command that is not its own`()
    {
        tester.keychain.change {
            $0.contents = .changed(rowsMore: 1)
            $0.report?.isAdministrationTool = false
        }
        #expect(lines("contents").first?.hasPrefix("failure") == true)
        #expect(lines("identity").first?.hasPrefix("failure") == true)
    }

    @Test func `under systemd the socket has to be enabled where its unit is installed`() {
        let facts = FileFacts(kind: .regular, owner: 0, group: 0, mode: 0o644)
        machine.files["/run/systemd/system"] = FileFacts(kind: .folder, owner: 0, group: 0, mode: 0o755)
        #expect(lines("units").first?.hasPrefix("ok       units        no units are installed") == true)
        machine.files["/usr/lib/systemd/user/chatelaine.socket"] = facts
        #expect(lines("units").first?.hasPrefix("warning  units        the unit chatelaine.service is missing") == true)
        machine.files["/usr/lib/systemd/user/chatelaine.service"] = facts
        #expect(lines("units").first?.hasPrefix("note     units        chatelaine.socket is not enabled") == true)
        machine.files["/etc/systemd/user/sockets.target.wants/chatelaine.socket"] = facts
        #expect(lines("units") == ["ok       units        chatelaine.socket is enabled"])
    }

    @Test func `with a system service, a user service beside it is a warning`() {
        tester.place = KeychainLocation(
            path: "/var/lib/chatelaine/users/1000/keychain.db", isOfSystem: true, unusedPath: "/home/u/k.db")
        machine.ownServiceRuns = true
        #expect(lines("copies").map { $0.prefix(7) } == ["warning", "note   "])
    }
}
