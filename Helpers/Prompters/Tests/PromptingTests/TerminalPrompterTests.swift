// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainHelperWire
import SecretMemory
import Testing

@testable import Prompting

extension AskingTests {
    /// Prompts on a terminal, with typed input.
    struct TerminalPrompterTests {
        /// Runs the prompter on a terminal where each shown text is answered, in this order.
        private func answer(
            _ request: (String) -> PromptRequest, typing script: [(shown: String, typed: String)]
        ) async throws -> (reply: PromptReply, secret: String?, shown: String, isRestored: Bool) {
            let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(main >= 0)
            defer { close(main) }
            var (unlocked, number): (Int32, UInt32) = (0, 0)
            // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)).
            try #require(ioctl(main, 0x4004_5431, &unlocked) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
            let path = "/dev/pts/\(number)"
            // Keeps the other end open between uses.
            let other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(other) }
            let before = try settings(main)
            let request = request(path)
            async let shown = withCheckedContinuation { (continuation: CheckedContinuation<String, Never>) in
                Thread.detachNewThread { continuation.resume(returning: Self.type(script, on: main)) }
            }
            let answer = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(returning: TerminalPrompter(requester: nil).answer(request))
                }
            }
            let after = try settings(main)
            return (
                answer.reply, answer.secret.map { String(decoding: Array($0.bytes), as: UTF8.self) }, await shown,
                before.c_lflag == after.c_lflag && before.c_iflag == after.c_iflag
            )
        }

        private func settings(_ terminal: Int32) throws -> termios {
            var settings = termios()
            try #require(tcgetattr(terminal, &settings) == 0)
            return settings
        }

        /// Returns the output up to the answer to the last text of the script.
        private static func type(_ script: [(shown: String, typed: String)], on main: Int32) -> String {
            var (all, rest) = ("", "")
            for (shown, typed) in script {
                while !rest.contains(shown) {
                    // A missing text must not block the test.
                    var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
                    guard poll(&entry, 1, 20_000) > 0 else { return all }
                    var piece = [UInt8](repeating: 0, count: 4096)
                    let count = read(main, &piece, piece.count)
                    guard count > 0 else { return all }
                    let text = String(decoding: piece[..<count], as: UTF8.self)
                    all += text
                    rest += text
                }
                rest = ""
                let bytes = Array(typed.utf8)
                guard write(main, bytes, bytes.count) == bytes.count else { return all }
            }
            return all
        }

        private func question(
            _ purpose: PromptRequest.Purpose, _ options: PromptRequest.Options = [], seconds: UInt16 = 60,
            fallback: String? = nil
        ) -> (String) -> PromptRequest {
            {
                PromptRequest(
                    purpose, options: options, seconds: seconds,
                    program: PromptProgram(process: 1, path: PromptText("/p"), tier: .unsigned), operation: .readSecret,
                    items: [], furtherItems: 1, fallbackTitle: fallback.map { PromptText($0) },
                    reader: purpose == .biometry ? PromptText("r") : nil, place: PromptLocation(terminal: $0))
            }
        }

        @Test(
            arguments: [
                ("d\n", PromptReply.denied), ("DENY\n", .denied), ("a\n", .allowed(always: false, passcode: nil)),
                ("Allow\r", .allowed(always: false, passcode: nil)), ("w\n", .allowed(always: true, passcode: nil)),
                ("always\n", .allowed(always: true, passcode: nil)), ("\u{3}", .cancelled), ("\u{4}", .cancelled),
                ("ax\u{7F}\n", .allowed(always: false, passcode: nil)), ("a\u{15}d\n", .denied),
                ("\u{1B}[A\u{1B}OPd\n", .denied),
            ])
        func `letters and words are choices, with Return`(typed: String, reply: PromptReply) async throws {
            let answer = try await answer(question(.confirmation, .mayRemember), typing: [("allow? ", typed)])
            #expect(answer.reply == reply && answer.secret == nil && answer.isRestored)
        }

        @Test func `a prompt is repeated after an invalid choice, and after "always" where that is not offered`()
            async throws
        {
            let answer = try await answer(
                question(.confirmation),
                typing: [
                    ("once? ", "\n"), ("type d or a.", "w\n"), ("type d or a.", "allow it\n"), ("type d or a.", "a\n"),
                ])
            #expect(answer.reply == .allowed(always: false, passcode: nil) && answer.isRestored)
            #expect(!answer.shown.contains("al[w]ays"))
        }

        @Test func `a yes is followed by the passcode, which is not shown`() async throws {
            let answer = try await answer(
                question(.confirmation, [.mayRemember, .needsPasscode]),
                typing: [("allow? ", "w\n"), ("Passcode of the keychain: ", "wröng\u{7F}\u{7F}\u{7F}\u{7F}ü b\n")])
            #expect(answer.reply == .allowed(always: true, passcode: nil) && answer.secret == "wü b")
            #expect(!answer.shown.contains("b\r\n"))
        }

        @Test func `after a wrong passcode the field comes first, so that nothing typed is shown or is a choice`()
            async throws
        {
            let once = try await answer(
                question(.confirmation, [.needsPasscode, .wasWrong]), typing: [("Passcode of the keychain: ", "d\n")])
            #expect(once.reply == .allowed(always: false, passcode: nil) && once.secret == "d")
            #expect(once.shown.contains("Wrong passcode. Try again.") && !once.shown.contains("[d]eny"))
            let always = try await answer(
                question(.confirmation, [.mayRemember, .needsPasscode, .wasWrong]),
                typing: [("Passcode of the keychain: ", "right\n"), ("allow? ", "w\n")])
            #expect(always.reply == .allowed(always: true, passcode: nil) && always.secret == "right")
            let denied = try await answer(
                question(.confirmation, [.needsPasscode, .wasWrong]),
                typing: [("Passcode of the keychain: ", "\u{3}")])
            #expect(denied.reply == .cancelled && denied.secret == nil)
        }

        @Test func `a new password is typed twice, until both are the same`() async throws {
            let answer = try await answer(
                question(.applicationPassword, .isNew),
                typing: [
                    ("New password of the item: ", "one\n"), ("Repeat the new password: ", "two\n"),
                    ("differ.", "three\n"),
                    // The strength is shown without a prompt.
                    ("Repeat the new password: ", "three\n"), ("That password is ", ""),
                ])
            #expect(answer.reply == .secret(0..<0) && answer.secret == "three" && !answer.shown.contains("three"))
        }

        @Test func `Return alone is what was offered instead, and else an empty entry`() async throws {
            let offered = question(.passcode, fallback: "Use the finger")
            #expect(try await answer(offered, typing: [("keychain: ", "\n")]).reply == .fallback)
            #expect(try await answer(offered, typing: [("keychain: ", "x\n")]).secret == "x")
            #expect(try await answer(question(.passcode), typing: [("keychain: ", "\n")]).secret == "")
            #expect(
                try await answer(question(.biometry, fallback: "Use the passcode"), typing: [("] ", "\n")]).reply
                    == .fallback)
            #expect(try await answer(question(.biometry), typing: [("] ", "\nabc\u{3}")]).reply == .cancelled)
        }

        @Test func `an entry of more than 4094 bytes is not taken, and sounds the bell`() async throws {
            let long = String(repeating: "x", count: 4095) + "\n"
            let answer = try await answer(question(.passcode), typing: [("keychain: ", long), ("\u{7}", "short\n")])
            #expect(answer.secret == "short")
            let longest = String(repeating: "y", count: 4094)
            #expect(
                try await self.answer(question(.passcode), typing: [("keychain: ", longest + "\n")]).secret == longest)
        }

        @Test func `it ends when the time is over, and the terminal is as before`() async throws {
            let answer = try await answer(question(.passcode, seconds: 1), typing: [("keychain: ", "half")])
            #expect(answer.reply == .timedOut && answer.isRestored)
        }

        @Test(arguments: ["/dev/pts/9999999", "/dev/null", "/etc/passwd"])
        func `a terminal of another user is refused`(path: String) {
            guard case .refusal = TerminalPrompter(requester: nil).answer(question(.passcode)(path)).reply else {
                Issue.record("it asked")
                return
            }
        }

        @Test func `a prompt ends when another process closes its terminal`() async throws {
            let (main, path) = try pair()
            let question = question(.passcode)(path)
            let reply = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(returning: TerminalPrompter(requester: nil).answer(question).reply)
                }
                Thread.detachNewThread {
                    _ = Self.type([("keychain: ", "half")], on: main)
                    close(main)
                }
            }
            #expect(reply == .cancelled)
        }

        private func pair() throws -> (main: Int32, path: String) {
            let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlocked, number): (Int32, UInt32) = (0, 0)
            try #require(
                main >= 0 && ioctl(main, 0x4004_5431, &unlocked) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
            return (main, "/dev/pts/\(number)")
        }
    }
}
