// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import Testing

@testable import KeychainCommands

@Suite("chatelaine copy")
struct ClipboardTests {
    let tester = CommandLineTester()

    private func machine(_ variables: [String: String], _ programs: String...) -> RecordedMachine {
        let machine = RecordedMachine()
        machine.variables = variables
        for name in programs { machine.programs[name] = "/usr/bin/" + name }
        return machine
    }

    @Test func `the display decides about the programs, and the terminal is for a session without one`() throws {
        func find(_ machine: RecordedMachine, _ terminal: String? = "/dev/pts/1") throws -> Clipboard {
            try Clipboard.find(on: machine, terminal: terminal)
        }
        let both = ["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0", "TMUX": "/tmp/tmux"]
        let all = machine(both, "wl-copy", "wl-paste", "xclip", "xsel", "tmux")
        #expect(try find(all) == .wayland(copy: "/usr/bin/wl-copy", paste: "/usr/bin/wl-paste"))
        #expect(try find(machine(both, "wl-copy", "xclip", "xsel")) == .xclip("/usr/bin/xclip"))
        #expect(try find(machine(["DISPLAY": ":0"], "wl-copy", "wl-paste", "xsel")) == .xsel("/usr/bin/xsel"))
        #expect(try find(machine(["TMUX": "x", "DISPLAY": ""], "tmux", "xclip")) == .tmux("/usr/bin/tmux"))
        #expect(try find(machine(["TMUX": "x"])) == .terminal(path: "/dev/pts/1"))
        for (machine, hint) in [
            (machine(["WAYLAND_DISPLAY": "w", "TMUX": "x"], "tmux"), "install wl-clipboard"),
            (machine(["DISPLAY": ":0"]), "install xclip or xsel"),
        ] {
            #expect { try find(machine) } throws: { ($0 as? CommandFailure)?.hint == hint }
        }
        #expect(throws: CommandFailure.self) { try find(machine([:]), nil) }
    }

    @Test func `the secret goes to the clipboard and not to the output`() throws {
        tester.machine = machine(["DISPLAY": ":0"], "xclip")
        try tester.keychain.put("github", user: "octo", secret: Array("hunter2".utf8))
        let outcome = tester.run("chatelaine", "copy", "git")
        #expect(
            outcome.outputText == "Copied \"github\" (user octo). The clipboard is restored in 45 seconds.\n")
        #expect(tester.copied == [.init(secret: "hunter2", seconds: 45, terminal: nil)])
        #expect(
            tester.run("chatelaine", "copy", "github", "-t", "1", "--json").outputText.contains("\"seconds\": 1"))
        #expect(tester.copied.last?.seconds == 1)
    }

    @Test func `a terminal is named by its path, and its clipboard is cleared`() throws {
        tester.machine = machine([:])
        tester.machine.links["/proc/self/fd/2"] = "/dev/pts/7"
        try tester.keychain.put("github", secret: Array("hunter2".utf8))
        #expect(tester.run("chatelaine", "copy", "github").outputText.contains("The clipboard is cleared in 45"))
        #expect(tester.copied == [.init(secret: "hunter2", seconds: 45, terminal: "/dev/pts/7")])
    }

    @Test func `the current code can be copied`() {
        tester.machine = machine(["DISPLAY": ":0"], "xclip")
        tester.secondsSince1970 = 59
        _ = tester.run("chatelaine", "set", "github", "--totp", typing: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(
            tester.run("chatelaine", "copy", "github", "--code").outputText.hasPrefix("Copied the code of \"github\""))
        #expect(tester.copied.map(\.secret) == ["287082"])
    }

    @Test(arguments: [
        ([UInt8](), "is empty"), ([0xFF], "is not text"), ([0x61, 0], "is not text"),
        ([UInt8](repeating: 0x61, count: 65_537), "is larger than 64 KiB"),
    ])
    func `a secret that is no text for a clipboard is refused`(secret: [UInt8], message: String) throws {
        tester.machine = machine(["DISPLAY": ":0"], "xclip")
        try tester.keychain.put("x", secret: secret)
        let outcome = tester.run("chatelaine", "copy", "x")
        #expect(outcome.status == 1 && outcome.errorText.contains(message))
        #expect(tester.copied.isEmpty)
    }

    @Test(arguments: ["0", "3601", "-1", "soon"]) func `a timeout has bounds`(timeout: String) {
        #expect(tester.run("chatelaine", "copy", "x", "--timeout=\(timeout)").status == 64)
    }

    @Test func `without a clipboard no secret is requested`() throws {
        tester.machine = machine([:])
        try tester.keychain.put("x")
        #expect(tester.run("chatelaine", "copy", "x").status == 1)
        #expect(tester.keychain.requests.isEmpty)
    }
}
