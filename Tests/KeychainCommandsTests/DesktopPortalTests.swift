// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainTerminal
import Testing

@testable import KeychainCommands

@Suite("chatelaine setup desktop, the portal")
struct DesktopPortalTests {
    let tester = CommandLineTester()
    let machine = RecordedMachine.orderly
    let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        machine.home = scratch.path("home")
        try FileManager.default.createDirectory(at: scratch.url("home"), withIntermediateDirectories: false)
        machine.programs["chatelaine-secrets"] = "/usr/bin/chatelaine-secrets"
        machine.programs["chatelaine-portal"] = "/usr/bin/chatelaine-portal"
        machine.variables["XDG_CURRENT_DESKTOP"] = "ubuntu:GNOME"
        machine.files["/usr/share/xdg-desktop-portal"] = FileFacts(kind: .folder, owner: 0, group: 0, mode: 0o755)
        tester.machine = machine
        tester.desktop.hasBus = true
    }

    private func run(_ words: String...) -> CommandLineTester.Outcome {
        tester.run(["chatelaine", "setup", "desktop"] + words, input: [])
    }

    private func text(_ name: String) -> String? {
        try? String(contentsOfFile: scratch.path("home/" + name), encoding: .utf8)
    }

    private func put(_ text: String, _ name: String) throws {
        let url = scratch.url("home/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func system(_ path: String, _ text: String) {
        machine.files[path] = FileFacts(kind: .regular, owner: 0, group: 0, mode: 0o644)
        machine.texts[path] = text
    }

    private static let preferences = ".config/xdg-desktop-portal/portals.conf"
    private static let ownDesktop = ".config/xdg-desktop-portal/gnome-portals.conf"
    private static let backend = ".local/share/xdg-desktop-portal/portals/chatelaine.portal"
    private static let activation =
        ".local/share/dbus-1/services/org.freedesktop.impl.portal.desktop.chatelaine.service"
    private static let line = "org.freedesktop.impl.portal.Secret=chatelaine\n"

    @Test func `the portal finds, starts and prefers the backend, and --undo removes everything`() throws {
        let preview = run("--dry-run").outputText
        for name in [Self.preferences, Self.backend, Self.activation] {
            #expect(preview.contains("would write \(scratch.path("home/" + name))\n"))
            #expect(text(name) == nil)
        }
        let outcome = run("--yes")
        #expect(outcome.status == 0 && outcome.outputText.contains("systemctl --user restart xdg-desktop-portal"))
        #expect(text(Self.preferences)?.hasSuffix("\n[preferred]\n" + Self.line) == true)
        #expect(
            text(Self.backend)?.hasSuffix(
                """
                [portal]
                DBusName=org.freedesktop.impl.portal.desktop.chatelaine
                Interfaces=org.freedesktop.impl.portal.Secret

                """) == true)
        #expect(text(Self.activation)?.hasSuffix("Exec=/usr/bin/chatelaine-portal\n") == true)
        #expect(!run("--yes").outputText.contains("restart"))
        #expect(run("--undo").outputText.contains("systemctl --user restart xdg-desktop-portal"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("home")).isEmpty)
    }

    @Test func `a file of the user keeps its other lines, and is restored exactly`() throws {
        let own = "# mine\n[preferred]\ndefault=gtk\norg.freedesktop.impl.portal.Secret = gnome-keyring\n\n[other]\na=b"
        try put(own, Self.preferences)
        let written = "# mine\n[preferred]\n\(Self.line)default=gtk\n\n[other]\na=b\n"
        for _ in 0..<2 {
            #expect(run("--yes").status == 0)
            #expect(text(Self.preferences) == "\(DesktopFile.mark)\n\(written)")
            #expect(text(Self.preferences + ".before-chatelaine") == own)
        }
        #expect(run("--undo").status == 0)
        #expect(text(Self.preferences) == own)
        #expect(text(Self.preferences + ".before-chatelaine") == nil)
        #expect(text(Self.backend) == nil && text(Self.activation) == nil)
    }

    @Test func `the user's file for the current desktop comes first, and is restored on another desktop as well`()
        throws
    {
        try put("[preferred]\ndefault=gnome\n", Self.ownDesktop)
        try put("[preferred]\ndefault=gtk\n", Self.preferences)
        #expect(run("--yes").status == 0)
        #expect(text(Self.ownDesktop)?.hasSuffix("[preferred]\n\(Self.line)default=gnome\n") == true)
        #expect(text(Self.preferences) == "[preferred]\ndefault=gtk\n")
        machine.variables["XDG_CURRENT_DESKTOP"] = "KDE"
        #expect(run("--undo").status == 0)
        #expect(text(Self.ownDesktop) == "[preferred]\ndefault=gnome\n")
    }

    @Test func `the system's file that the user's overrides is copied`() throws {
        system("/usr/share/xdg-desktop-portal/portals.conf", "[preferred]\ndefault=gtk\n")
        system("/usr/share/xdg-desktop-portal/gnome-portals.conf", "[preferred]\ndefault=gnome;gtk;\n")
        #expect(run("--yes").status == 0)
        #expect(text(Self.preferences)?.hasSuffix("[preferred]\n\(Self.line)default=gnome;gtk;\n") == true)
        // An administrator's file comes first; a repeated take-over copies it.
        system("/etc/xdg/xdg-desktop-portal/portals.conf", "[preferred]\ndefault=kde\n")
        #expect(run("--yes").outputText.contains("would write \(scratch.path("home/" + Self.preferences)) again\n"))
        #expect(text(Self.preferences)?.hasSuffix("[preferred]\n\(Self.line)default=kde\n") == true)
        machine.texts["/etc/xdg/xdg-desktop-portal/portals.conf"] = .some(nil)
        let outcome = run("--yes")
        #expect(outcome.status != 0)
        #expect(outcome.errorText.contains("cannot read \"/etc/xdg/xdg-desktop-portal/portals.conf\""))
    }

    @Test(arguments: ["the backend", "the portal"])
    func `without the backend or the portal nothing is written for it`(missing: String) {
        if missing == "the portal" {
            machine.files["/usr/share/xdg-desktop-portal"] = nil
        } else {
            machine.programs["chatelaine-portal"] = nil
        }
        let outcome = run("--yes")
        #expect(outcome.status == 0 && !outcome.outputText.contains("xdg-desktop-portal"))
        #expect(text(Self.preferences) == nil && text(Self.backend) == nil && text(Self.activation) == nil)
    }

    @Test(arguments: [
        ("", "[preferred]\n\(DesktopPortalTests.line)"), ("[preferred]", "[preferred]\n\(DesktopPortalTests.line)"),
        (
            "[other]\norg.freedesktop.impl.portal.Secret=x\n",
            "[other]\norg.freedesktop.impl.portal.Secret=x\n[preferred]\n\(DesktopPortalTests.line)"
        ),
        ("[preferred]\n\(DesktopPortalTests.line)", "[preferred]\n\(DesktopPortalTests.line)"),
        (
            "[preferred]\na=b\n[preferred]\n org.freedesktop.impl.portal.Secret=x\n#org.freedesktop.impl.portal.Secret=y\n",
            "[preferred]\n\(DesktopPortalTests.line)a=b\n[preferred]\n#org.freedesktop.impl.portal.Secret=y\n"
        ),
    ])
    func `the preference stands once in its group`(before: String, after: String) {
        #expect(PortalPreference.adding(to: before) == after)
    }
}
