// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainHelperWire
import KeychainModel
import KeychainTerminal
import Testing

@testable import KeychainCommands

@Suite("chatelaine setup desktop")
struct DesktopTests {
    let tester = CommandLineTester()
    let machine = RecordedMachine.orderly
    let desktop: RecordedDesktop
    let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        desktop = tester.desktop
        machine.home = scratch.path("home")
        try FileManager.default.createDirectory(at: scratch.url("home"), withIntermediateDirectories: false)
        machine.programs["chatelaine-secrets"] = "/usr/bin/chatelaine-secrets"
        machine.links["/proc/42/exe"] = "/usr/bin/chatelaine-secrets"
        machine.links["/proc/4711/exe"] = "/usr/bin/other-keyring"
        machine.texts["/proc/4711/cgroup"] = "0::/user.slice/user@1000.service/app.slice/other.service\n"
        tester.machine = machine
        desktop.hasBus = true
        desktop.owner = 4711
        desktop.collections = [
            .init(label: "Login", items: [item("Mail", ["xdg:schema": "org.example.Mail", "user": "ann"], "one")]),
            .init(label: "Session", isTemporary: true, items: [item("Gone", ["a": "b"], "x")]),
        ]
    }

    private func item(
        _ label: String, _ attributes: [String: String], _ secret: String?, modified: UInt64 = 1,
        type: String = "text/plain"
    ) -> (item: ListedProvidedItem, secret: ProvidedSecret?) {
        (
            .item(ProvidedItem(label: label, attributes: attributes, modified: modified)!),
            secret.map { ProvidedSecret(value: Array($0.utf8), contentType: type) }
        )
    }

    private func run(_ words: String...) -> CommandLineTester.Outcome {
        tester.run(["chatelaine", "setup", "desktop"] + words, input: [])
    }

    private var items: [ScriptedKeychain.Item] { tester.keychain.items }
    private static let activation = ".local/share/dbus-1/services/org.freedesktop.secrets.service"
    private static let autostart = ".config/autostart/gnome-keyring-secrets.desktop"

    private func text(_ name: String) -> String? {
        try? String(contentsOfFile: scratch.path("home/" + name), encoding: .utf8)
    }

    private func exists(_ name: String) -> Bool { (try? FileFacts(scratch.path("home/" + name))) ?? nil != nil }

    private func put(_ text: String, _ name: String) throws {
        let url = scratch.url("home/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    // MARK: Taking over

    @Test func `items become private items with their attributes, and the name is taken over`() throws {
        let outcome = run("--yes")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(
            outcome.outputText == """
                org.freedesktop.secrets belongs to /usr/bin/other-keyring (process 4711, other.service).
                COLLECTION  ITEMS
                Login           1

                SCHEMA            ITEMS
                org.example.Mail      1
                would write \(scratch.path("home/" + Self.activation))
                1 imported, 0 already stored, 0 not imported
                Programs of the desktop keep their secrets in this keychain now.

                """)
        let stored = try #require(items.first)
        #expect(items.count == 1)
        #expect(stored.attributes.accessGroup == CommandGroup.privateItems)
        #expect(stored.attributes[.label] == .string("Mail"))
        #expect(stored.attributes[.service] == .string("org.example.Mail"))
        #expect(stored.attributes[.account] == .string("ann"))
        #expect(stored.attributes[.generic] == nil)
        let lookup = try LookupAttributes(["xdg:schema": "org.example.Mail", "user": "ann"])
        #expect(stored.attributes[.lookup] == .data(lookup.encoded))
        #expect(stored.secret == Array("one".utf8))
        #expect(desktop.started == [["/usr/bin/chatelaine-secrets", "--replace"]])
        #expect(
            text(Self.activation) == """
                \(DesktopFile.mark)
                # Folders made: 4
                [D-BUS Service]
                Name=org.freedesktop.secrets
                Exec=/usr/bin/chatelaine-secrets

                """)
        #expect(!exists(Self.autostart))
        // The bus reads the file before the name changes its owner.
        #expect(desktop.requests.contains(.reload))
    }

    @Test func `nothing is changed by a dry run, without confirmation, or against the user's answer`() throws {
        #expect(run("--dry-run").outputText.hasSuffix("Nothing was changed.\n"))
        let unconfirmed = run()
        #expect(unconfirmed.status == 64 && unconfirmed.errorText.contains("add --yes"))
        tester.inputIsTerminal = true
        #expect(tester.run("chatelaine", "setup", "desktop", typing: "n\n").status == 1)
        #expect(items.isEmpty && desktop.started.isEmpty)
        #expect(!desktop.requests.contains { if case .secret = $0 { true } else { false } })
        #expect(try scratch.names() == ["home"])
        #expect(!exists(".local"))
        #expect(tester.run("chatelaine", "setup", "desktop", typing: "y\n").status == 0)
        #expect(items.count == 1)
    }

    @Test func `repeated, it imports what is new, and stores nothing twice`() throws {
        #expect(run("--yes").status == 0)
        desktop.owner = 4711
        desktop.collections[0].items.append(item("Mail", ["xdg:schema": "org.example.Mail", "user": "bob"], "two"))
        desktop.collections[0].items.append(item("Other", ["xdg:schema": "org.example.Mail", "user": "ann"], "three"))
        let outcome = run("--yes")
        #expect(outcome.outputText.contains("2 imported, 1 already stored, 0 not imported\n"))
        #expect(items.map(\.attributes[.account]) == [.string("ann"), .string("bob"), .string("ann (2)")])
        #expect(Set(items.map(\.attributes.accessGroup)) == [CommandGroup.privateItems])
        #expect(run("--yes").outputText.hasSuffix("Nothing is left to do.\n"))
        #expect(items.count == 3)
    }

    @Test func `an item that another program stored before does not replace the provider's, and its program is named`()
        throws
    {
        let lookup = try LookupAttributes(["xdg:schema": "org.example.Mail", "user": "ann"])
        let planted: [ItemAttributes.Entry] = [.init(.label, .string("Mail")), .init(.lookup, .data(lookup.encoded))]
        try tester.keychain.put("mail", group: "installed:/usr/bin/mail", planted)
        try tester.keychain.put("mail", group: "installed:/usr/bin/game", planted)
        let other = try LookupAttributes(["xdg:schema": "org.example.Mail", "user": "eve"])
        try tester.keychain.put(
            "other", group: "installed:/usr/bin/other",
            [.init(.label, .string("Mail")), .init(.lookup, .data(other.encoded))])
        let note = "2 items with the same attributes belong to other programs: /usr/bin/game, /usr/bin/mail\n"
        #expect(run("--yes").outputText.contains("1 imported, 0 already stored, 0 not imported\n" + note))
        let imported = try #require(items.last)
        #expect(items.count == 4 && imported.attributes.accessGroup == CommandGroup.privateItems)
        #expect(imported.secret == Array("one".utf8))
        // The items of other programs hide the private one from no later import.
        desktop.owner = 4711
        desktop.collections[0].items.append(item("Mail", ["xdg:schema": "org.example.Mail", "user": "bob"], "two"))
        #expect(run("--yes").outputText.contains("1 imported, 1 already stored, 0 not imported\n" + note))
    }

    @Test func `a shared item with the same attributes as a private one has nothing imported twice`() throws {
        #expect(run("--yes").status == 0)
        let lookup = try LookupAttributes(["xdg:schema": "org.example.Mail", "user": "ann"])
        try tester.keychain.put("any", [.init(.label, .string("Mail")), .init(.lookup, .data(lookup.encoded))])
        desktop.owner = 4711
        desktop.collections[0].items.append(item("Mail", ["xdg:schema": "org.example.Mail", "user": "bob"], "two"))
        #expect(run("--yes").outputText.contains("1 imported, 1 already stored, 0 not imported\n"))
    }

    @Test func `an import that was ended in between is completed`() throws {
        let lookup = try LookupAttributes(["xdg:schema": "org.example.Mail", "user": "ann"])
        try tester.keychain.put(
            "org.example.Mail", user: "ann", secret: [1],
            [.init(.label, .string("Mail")), .init(.lookup, .data(lookup.encoded))])
        #expect(run("--yes").outputText.contains("1 imported, 0 already stored"))
        #expect(items.count == 1 && items[0].secret == Array("one".utf8))
        #expect(items[0].attributes.accessGroup == CommandGroup.privateItems)
    }

    @Test func `items are stored in the order of their changes, with their content types`() {
        desktop.collections[0].items = [
            item("newest", ["n": "3"], "", modified: 3), item("oldest", ["n": "1"], "b", modified: 1, type: "x/y"),
            item("middle", ["n": "2"], "c", modified: 2),
        ]
        #expect(run("--yes").status == 0)
        #expect(items.map(\.attributes[.label]) == [.string("oldest"), .string("middle"), .string("newest")])
        #expect(items.map(\.attributes[.generic]) == [.string("x/y"), nil, nil])
        #expect(items.map(\.attributes[.account]) == [.string(""), .string("(2)"), .string("(3)")])
        #expect(items[2].secret.isEmpty)
    }

    @Test func `a locked collection is unlocked by the provider's prompt`() {
        desktop.collections[0].isLocked = true
        let preview = run("--dry-run").outputText
        #expect(preview.contains("Login (locked)      1\n") && !preview.contains("SCHEMA"))
        #expect(!desktop.requests.contains(.unlock(collection: 0)))
        #expect(run("--yes").outputText.contains("1 imported, 0 already stored, 0 not imported\n"))
    }

    @Test func `the current provider keeps the name until everything is imported, unless the user wants otherwise`() {
        desktop.collections[0].items += [
            item("Silent", ["a": "1"], nil), (.unreadable("it does not exist any more"), nil),
            item("Large", ["a": String(repeating: "x", count: 8192), "b": String(repeating: "x", count: 8192)], "x"),
        ]
        desktop.collections.append(
            .init(label: "Work", isLocked: true, items: [item("Hidden", ["a": "2"], "x")]))
        desktop.unlocks = false
        let outcome = run("--yes")
        #expect(outcome.status == 6)
        #expect(
            outcome.errorText == """
                error: some items were not imported (3), so the current provider keeps the name
                hint: run the command again, or add --skip-failed to take over without them

                """)
        #expect(
            outcome.outputText.hasSuffix(
                """
                not imported: an item of Login: it does not exist any more
                not imported: Work: the collection (1 items) was not unlocked
                not imported: "Silent": the provider did not answer in time
                2 imported, 0 already stored, 3 not imported

                """))
        #expect(!exists(".local") && desktop.started.isEmpty)
        #expect(run("--yes", "--skip-failed").status == 0)
        #expect(desktop.started.count == 1 && exists(Self.activation))
    }

    @Test func `an item that the keychain does not return as it was stored does not stay`() {
        tester.keychain.change { $0.refusesData = true }
        #expect(run("--yes").status == 4)
        #expect(items.isEmpty && desktop.started.isEmpty && !exists(".local"))
    }

    @Test func `a locked keychain ends the import before anything is changed`() {
        tester.keychain.setPasscode("1234")
        tester.keychain.change { $0.lockState = .locked }
        let outcome = run("--yes")
        #expect(outcome.status == 4 && outcome.errorText.contains("--unlock"))
        #expect(desktop.started.isEmpty && !exists(".local"))
    }

    // MARK: The name

    @Test func `a provider that keeps the name is named with what to do`() throws {
        desktop.givesNameUp = false
        let byUnit = run("--yes")
        #expect(byUnit.status == 6)
        #expect(
            byUnit.errorText == """
                error: /usr/bin/other-keyring (process 4711, other.service) keeps the name org.freedesktop.secrets; chatelaine-secrets gets it when that program has ended
                hint: run `systemctl --user mask other.service`, then log out and in again

                """)
        // The kernel hides the path of a program with a capability.
        machine.links["/proc/4711/exe"] = nil
        machine.texts["/proc/4711/cgroup"] = "0::/user.slice/user-1000.slice/session-2.scope\n"
        machine.texts["/proc/4711/cmdline"] = "/usr/bin/gnome-keyring-daemon\0--start\0"
        machine.files["/etc/xdg/autostart/gnome-keyring-secrets.desktop"] = FileFacts(
            kind: .regular, owner: 0, group: 0, mode: 0o644)
        #expect(run("--yes").errorText.contains("hint: log out and in again; the desktop does not start it"))
        let lines = "[Desktop Entry]\nType=Application\nName=Secret Storage Service\nHidden=true\n"
        #expect(text(Self.autostart)?.hasSuffix(lines) == true)
    }

    @Test func `without a provider only the files are written, and the bus starts chatelaine-secrets`() {
        desktop.owner = nil
        #expect(run("--yes").status == 0)
        #expect(exists(Self.activation) && desktop.started.isEmpty && items.isEmpty)
        #expect(!desktop.requests.contains(.collections))
        // Chatelaine's own provider, which the bus starts from now on, is not imported from.
        desktop.canStart = true
        #expect(run("--yes").outputText.hasSuffix("Nothing is left to do.\n"))
        #expect(!desktop.requests.contains(.collections))
    }

    @Test func `a provider that the bus can start is read as well`() {
        desktop.owner = nil
        desktop.canStart = true
        #expect(run("--yes").status == 0)
        #expect(items.count == 1 && desktop.started.count == 1)
    }

    @Test func `the unit of the provider is named where systemd has it`() throws {
        try put("[Unit]\n", ".config/systemd/user/chatelaine-secrets.service")
        #expect(run("--yes").status == 0)
        #expect(text(Self.activation)?.hasSuffix("\nSystemdService=chatelaine-secrets.service\n") == true)
    }

    @Test func `without a bus, the helper or the provider the command says so`() {
        desktop.hasHelper = false
        let noHelper = run("--yes")
        #expect(
            noHelper.status == 5 && noHelper.errorText.hasPrefix("error: chatelaine-secrets-import was not found\n"))
        desktop.hasBus = false
        let noBus = run("--yes")
        #expect(noBus.status == 5 && noBus.errorText.hasPrefix("error: there is no session bus"))
        machine.programs["chatelaine-secrets"] = nil
        let noProvider = run("--yes")
        #expect(noProvider.status == 5 && noProvider.errorText.hasPrefix("error: chatelaine-secrets was not found\n"))
    }

    // MARK: Files

    @Test func `an earlier file, a link and a broken link are kept and restored`() throws {
        let folder = ".local/share/dbus-1/services"
        try put("[D-BUS Service]\nmine\n", Self.activation)
        let path = scratch.path("home/" + Self.activation)
        for kind in ["file", "link", "broken link", "folder"] {
            switch kind {
            case "link": try put("elsewhere\n", "target")
            case "broken link": try FileManager.default.removeItem(atPath: scratch.path("home/target"))
            default: break
            }
            if kind.hasSuffix("link") {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: scratch.path("home/target"))
            } else if kind == "folder" {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            let before = try FileFacts(path)?.kind
            desktop.owner = 4711
            #expect(run("--yes").status == 0, "\(kind)")
            #expect(text(Self.activation)?.hasPrefix(DesktopFile.mark) == true, "\(kind)")
            #expect(run("--undo").status == 0, "\(kind)")
            #expect(try FileFacts(path)?.kind == before, "\(kind)")
            switch kind {
            case "file": #expect(text(Self.activation) == "[D-BUS Service]\nmine\n")
            case "link": #expect(text(Self.activation) == "elsewhere\n")
            default: #expect(text(Self.activation) == nil)
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: scratch.path("home/" + folder))
                    == ["org.freedesktop.secrets.service"], "\(kind)")
        }
    }

    @Test func `undoing removes the folders that were made, and gives the name back`() throws {
        machine.files["/etc/xdg/autostart/gnome-keyring-secrets.desktop"] = FileFacts(
            kind: .regular, owner: 0, group: 0, mode: 0o644)
        #expect(run("--yes").status == 0)
        #expect(exists(Self.activation) && exists(Self.autostart))
        let preview = run("--undo", "--dry-run")
        #expect(
            preview.outputText == """
                would remove \(scratch.path("home/" + Self.autostart))
                would remove \(scratch.path("home/" + Self.activation))
                Nothing was changed.

                """)
        #expect(exists(Self.activation))
        #expect(run("--undo").status == 0)
        #expect(!exists(".local") && !exists(".config"))
        #expect(desktop.owner == nil)
        // Imported items stay.
        #expect(items.count == 1)
        #expect(run("--undo").outputText == "There is nothing to undo.\n")
    }

    @Test func `a file of another program that took the place stays, and the earlier one too`() throws {
        try put("mine\n", Self.activation)
        #expect(run("--yes").status == 0)
        try put("another\n", Self.activation)
        let undone = run("--undo")
        #expect(undone.status == 0 && undone.errorText.contains("was replaced by another program and stays"))
        #expect(text(Self.activation) == "another\n")
        #expect(text(Self.activation + ".before-chatelaine") == "mine\n")
        desktop.owner = 4711
        let again = run("--yes")
        #expect(again.status == 1 && again.errorText.contains("move one of the two away"))
        #expect(text(Self.activation) == "another\n")
    }

    @Test(.enabled(if: FileFacts.ownUser != 0, "root can write everywhere"))
    func `a folder that cannot be written leaves everything as it was`() throws {
        try put("mine\n", Self.activation)
        let folder = scratch.path("home/.local/share/dbus-1/services")
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
        let outcome = run("--yes")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        #expect(outcome.status == 1 && outcome.errorText.contains("cannot rename"))
        #expect(text(Self.activation) == "mine\n" && desktop.started.isEmpty)
    }

    // MARK: doctor

    @Test func `doctor warns of a stranger that owns the name after the take-over`() {
        #expect(tester.run("chatelaine", "setup", "desktop", "--yes").status == 0)
        desktop.owner = 4711
        let lines = tester.run("chatelaine", "doctor").outputText.split(separator: "\n")
        #expect(
            lines.contains {
                $0.hasPrefix("warning  secrets      org.freedesktop.secrets belongs to /usr/bin/other-keyring ")
            })
    }

    @Test func `doctor names the owner of the name`() {
        func line() -> String? {
            tester.run("chatelaine", "doctor").outputText.split(separator: "\n").map(String.init).first {
                $0.contains("  secrets  ")
            }
        }
        #expect(
            line()
                == "note     secrets      org.freedesktop.secrets belongs to /usr/bin/other-keyring "
                + "(process 4711, other.service), so programs keep their secrets there; to keep the secrets of all programs in this keychain: "
                + "chatelaine setup desktop")
        desktop.owner = 42
        #expect(
            line()
                == "ok       secrets      org.freedesktop.secrets belongs to /usr/bin/chatelaine-secrets (process 42)")
        desktop.owner = 0
        #expect(line()?.contains("belongs to an unknown program, so") == true)
        desktop.owner = nil
        #expect(line()?.hasPrefix("note     secrets      no program owns") == true)
        desktop.canStart = true
        #expect(line()?.hasPrefix("ok       secrets      no program owns") == true)
        desktop.hasHelper = false
        #expect(line()?.hasPrefix("warning  secrets      chatelaine-secrets-import is not installed, so") == true)
        desktop.hasBus = false
        #expect(line() == "ok       secrets      there is no session bus here")
    }
}
