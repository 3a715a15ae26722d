// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainHelperWire
import SecretMemory
import Testing

@testable import Prompting

/// The search for the user's pinentry.
struct PinentrySearchTests {
    private func search(_ files: [String: String], programs: [String]) -> PinentrySearch {
        PinentrySearch(read: { files[$0].map { Array($0.utf8) } }, program: { programs.contains($0) ? $0 : nil })
    }

    private let installed = ["/usr/bin/pinentry", "/usr/bin/pinentry-gtk-2", "/usr/local/bin/pinentry", "/opt/mine"]

    @Test func `the pinentry of GnuPG's agent comes first, then those of the distribution`() {
        let files = ["/home/ann/.gnupg/gpg-agent.conf": "default-cache-ttl 1\n  pinentry-program\t/opt/mine  \n"]
        let search = search(files, programs: installed)
        #expect(
            search.candidates(home: "/home/ann", gnupgHome: nil, hasDisplay: true, hasTerminal: true)
                == ["/opt/mine", "/usr/bin/pinentry", "/usr/local/bin/pinentry", "/usr/bin/pinentry-gtk-2"])
        #expect(
            search.candidates(home: "/home/bob", gnupgHome: nil, hasDisplay: true, hasTerminal: true).first
                == "/usr/bin/pinentry")
        #expect(
            search.candidates(home: nil, gnupgHome: "/home/ann/.gnupg", hasDisplay: false, hasTerminal: true) == [
                "/opt/mine"
            ])
    }

    @Test func `without a display only a pinentry from the user's settings is used`() {
        #expect(
            search([:], programs: installed).candidates(
                home: "/home/ann", gnupgHome: nil, hasDisplay: false, hasTerminal: true
            ).isEmpty)
    }

    @Test func `without a terminal, pinentries for terminals are left out, whatever their names`() {
        let links = ["/usr/bin/pinentry": "/usr/bin/pinentry-tty", "/usr/bin/pinentry-qt": "/usr/bin/pinentry-qt"]
        let search = PinentrySearch(read: { _ in nil }, program: { links[$0] })
        #expect(
            search.candidates(home: nil, gnupgHome: nil, hasDisplay: true, hasTerminal: false) == [
                "/usr/bin/pinentry-qt"
            ])
        #expect(search.candidates(home: nil, gnupgHome: nil, hasDisplay: true, hasTerminal: true).count == 2)
    }

    @Test func `a missing program, or one without an absolute path, is skipped`() {
        for value in ["/opt/other", "mine", "", "../mine"] {
            let files = ["/h/.gnupg/gpg-agent.conf": "pinentry-program \(value)\n"]
            #expect(
                search(files, programs: installed).candidates(
                    home: "/h", gnupgHome: nil, hasDisplay: false, hasTerminal: true
                ).isEmpty)
        }
    }

    @Test(
        arguments: [
            ("", nil), ("pinentry-program", nil), ("#pinentry-program /a", nil), ("pinentry-programs /a", nil),
            ("pinentry-program /a", "/a"), ("pinentry-program /a\npinentry-program /b b\n", "/b b"),
            ("pinentry-program \"/a b\"", "/a b"), ("pinentry-program /a\r\n", "/a"), ("\u{0}\u{FF}\n\n  \n", nil),
        ])
    func `the settings file is read as the agent reads it`(text: String, program: String?) {
        #expect(PinentrySearch.program(in: Array(text.utf8)) == program)
    }
}

extension AskingTests {
    /// Prompts with programs that imitate a pinentry.
    final class PinentryPrompterTests {
        private let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("prompter-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Creates a pinentry that gives these answers, and records its input in the file `log`.
        private func pinentry(
            confirm: String = "echo OK", getPin: String = "echo D secret; echo OK", notOK: String = "echo OK",
            name: String = "pinentry"
        ) throws -> String {
            let path = folder.appendingPathComponent(name).path
            let text = """
                #!/bin/sh
                cd "$(dirname "$0")" || exit
                echo "$DISPLAY:$WAYLAND_DISPLAY:$XAUTHORITY:$LC_ALL:$TERM" >environment
                echo OK
                while IFS= read -r line; do
                    printf '%s\\n' "$line" >>log
                    case $line in
                    CONFIRM*) \(confirm) ;;
                    GETPIN) \(getPin) ;;
                    SETNOTOK*) \(notOK) ;;
                    BYE) echo OK; exit ;;
                    *) echo OK ;;
                    esac
                done
                """
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return path
        }

        private func request(
            _ purpose: PromptRequest.Purpose, _ options: PromptRequest.Options = [], seconds: UInt16 = 60,
            cancel: String? = nil, fallback: String? = nil
        ) -> PromptRequest {
            PromptRequest(
                purpose, options: options, seconds: seconds,
                program: PromptProgram(process: 1, path: PromptText("/p"), tier: .unsigned), operation: .readSecret,
                items: [], furtherItems: 1, cancelTitle: cancel.map { PromptText($0) },
                fallbackTitle: fallback.map { PromptText($0) }, reader: purpose == .biometry ? PromptText("r") : nil,
                place: PromptLocation(
                    terminal: "/dev/pts/99", terminalKind: "vt100", locale: "C.UTF-8",
                    display: PromptDisplay(x11: ":7", wayland: nil, authority: "/auth")))
        }

        /// Runs the prompter on its own thread, because a prompt blocks.
        private func answer(_ request: PromptRequest, _ programs: [String]) async -> (PromptReply, String?) {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let answer = PinentryPrompter(candidates: programs).answer(request)
                    let secret = answer.secret.map { String(decoding: Array($0.bytes), as: UTF8.self) }
                    continuation.resume(returning: (answer.reply, secret))
                }
            }
        }

        private func log() throws -> [String] {
            try String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8).split(separator: "\n").map(
                String.init)
        }

        @Test func `OK is Allow, NOTOK is Always Allow, and other answers are Deny`() async throws {
            let cases: [(String, PromptReply)] = [
                ("echo OK", .allowed(always: false, passcode: nil)),
                ("echo ERR 114 no", .allowed(always: true, passcode: nil)),
                ("echo ERR 83886179 cancelled", .denied), ("echo ERR 198 closed", .denied),
                ("echo ERR 62 late", .timedOut),
            ]
            for (confirm, reply) in cases {
                #expect(await answer(request(.confirmation, .mayRemember), [try pinentry(confirm: confirm)]).0 == reply)
            }
            let lines = try log()
            for line in ["SETOK Allow", "SETNOTOK Always Allow", "SETCANCEL Deny", "SETTITLE Chatelaine", "CONFIRM"] {
                #expect(lines.contains(line))
            }
        }

        @Test func `if "always" is not offered, or unknown to the pinentry, NOTOK is Deny`() async throws {
            let refusing = "echo ERR 114 no"
            #expect(await answer(request(.confirmation), [try pinentry(confirm: refusing)]).0 == .denied)
            #expect(try !log().contains { $0.hasPrefix("SETNOTOK") })
            let old = try pinentry(confirm: refusing, notOK: "echo ERR 275 unknown")
            #expect(await answer(request(.confirmation, .mayRemember), [old]).0 == .denied)
        }

        @Test func `where the passcode is required, the first window has its field, and cancelling there is Deny`()
            async throws
        {
            let wanted = request(.confirmation, [.needsPasscode, .wasWrong])
            let (reply, secret) = await answer(wanted, [try pinentry()])
            #expect(reply == .allowed(always: false, passcode: nil) && secret == "secret")
            let lines = try log()
            #expect(!lines.contains { $0.hasPrefix("CONFIRM") })
            for line in [
                "SETPROMPT Passcode of the keychain:", "SETOK Allow", "SETCANCEL Deny",
                "SETERROR Wrong passcode. Try again.",
            ] { #expect(lines.contains(line)) }
            #expect(lines.contains { $0.hasPrefix("SETDESC Keychain: allow") })
            #expect(await answer(wanted, [try pinentry(getPin: "echo ERR 99 no")]).0 == .denied)
            let denied = try pinentry(getPin: "echo ERR 114 no")
            #expect(await answer(request(.confirmation, [.needsPasscode, .mayRemember]), [denied]) == (.denied, nil))
            #expect(try !log().contains { $0.hasPrefix("CONFIRM") }, "after Deny nothing is offered")
        }

        @Test func `after the passcode "always" is offered in a second window, where all else is Allow`() async throws {
            let wanted = request(.confirmation, [.needsPasscode, .mayRemember])
            for (confirm, always) in [("echo OK", true), ("echo ERR 114 no", false), ("echo ERR 99 no", false)] {
                let (reply, secret) = await answer(wanted, [try pinentry(confirm: confirm)])
                #expect(reply == .allowed(always: always, passcode: nil) && secret == "secret")
            }
            let lines = try log()
            let order = lines.filter { $0 == "GETPIN" || $0.hasPrefix("CONFIRM") }
            #expect(order.prefix(2) == ["GETPIN", "CONFIRM"])
            #expect(lines.contains("SETOK Always Allow") && lines.contains("SETCANCEL Allow Once"))
            #expect(await answer(wanted, [try pinentry(confirm: "echo ERR 62 late")]).0 == .timedOut)
        }

        @Test func `a passcode, an item's password and a new one are asked for, the new one twice`() async throws {
            #expect(
                await answer(request(.passcode, .wasWrong, cancel: "Not now"), [try pinentry()]) == (
                    .secret(0..<0), "secret"
                ))
            #expect(try log().contains("SETERROR Wrong passcode. Try again.") && log().contains("SETCANCEL Not now"))
            #expect(await answer(request(.applicationPassword), [try pinentry()]) == (.secret(0..<0), "secret"))
            // The two entries differ the first time.
            let hesitating = try pinentry(
                getPin: "n=$((n + 1)); [ $n = 1 ] && [ ! -e again ] && : >again && echo D other || echo D new; echo OK")
            #expect(await answer(request(.applicationPassword, .isNew), [hesitating]) == (.secret(0..<0), "new"))
            #expect(try log().contains("SETERROR The two entries differ."))
            #expect(await answer(request(.passcode), [try pinentry(getPin: "echo ERR 99 no")]).0 == .cancelled)
        }

        @Test func `a new password is judged while it is typed, and no other`() async throws {
            let typing = """
                for word in password correcthorsebatterystaple; do
                    echo "INQUIRE QUALITY $word"; read -r number; read -r end
                    echo "$number" >>bar
                done
                echo D new; echo OK
                """
            let pinentry = try pinentry(getPin: typing)
            #expect(await answer(request(.keychainPassword, .isNew), [pinentry]) == (.secret(0..<0), "new"))
            let bar = try String(contentsOf: folder.appendingPathComponent("bar"), encoding: .utf8)
            let percents = bar.split(separator: "\n").compactMap { Int($0.dropFirst(2)) }
            #expect(percents.first ?? 0 < 0 && percents.last ?? 0 > 80, "\(bar)")
            _ = await answer(request(.keychainPassword), [try self.pinentry(name: "other")])
            #expect(try log().count { $0.hasPrefix("SETQUALITYBAR") } == 1)
        }

        @Test func `a prompt for the reader can be cancelled, and offers the alternative`() async throws {
            #expect(await answer(request(.biometry), [try pinentry()]).0 == .cancelled)
            #expect(try log().contains("CONFIRM --one-button"))
            #expect(await answer(request(.biometry, fallback: "Use the passcode"), [try pinentry()]).0 == .fallback)
            let cancelled = try pinentry(confirm: "echo ERR 99 no")
            #expect(await answer(request(.biometry, fallback: "Use the passcode"), [cancelled]).0 == .cancelled)
        }

        @Test func `the next pinentry is tried if one cannot prompt, and without any the request is refused`()
            async throws
        {
            let broken = try pinentry(getPin: "exit 1", name: "broken")
            let failing = try pinentry(getPin: "echo ERR 83918950 Inappropriate ioctl", name: "failing")
            let good = try pinentry()
            #expect(
                await answer(request(.passcode), ["/nonexistent", broken, failing, good]) == (.secret(0..<0), "secret"))
            for programs in [[], ["/nonexistent"], [broken, failing]] {
                guard case .refusal = await answer(request(.passcode), programs).0 else {
                    Issue.record("\(programs)")
                    continue
                }
            }
            // After a cancellation, no other program prompts the user.
            let cancelled = try pinentry(getPin: "echo ERR 99 no", name: "cancelled")
            #expect(await answer(request(.passcode), [cancelled, good]).0 == .cancelled)
        }

        @Test func `a pinentry receives the terminal and the display of the prompt`() async throws {
            _ = await answer(request(.passcode), [try pinentry()])
            let environment = try String(contentsOf: folder.appendingPathComponent("environment"), encoding: .utf8)
            #expect(environment == ":7::/auth:C.UTF-8:vt100\n")
            #expect(try log().contains("OPTION ttyname=/dev/pts/99") && log().contains("OPTION ttytype=vt100"))
        }
    }
}
