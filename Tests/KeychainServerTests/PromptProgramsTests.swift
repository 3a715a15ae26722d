// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainHelperWire
import KeychainPlatform
import KeychainPrompting
import SecretMemory
import TestSupport
import Testing

@testable import KeychainServer

/// The prompters as programs: small ones whose answers, valid or not, the test sets.
final class PromptProgramsTests {
    private let folder: URL
    private let main: NewTerminal?

    init() throws {
        folder = URL(filePath: "/tmp/prompters-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        main = try NewTerminal()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Installs a prompter that records its start, and answers with these bytes.
    private func install(_ name: String, answering frame: [UInt8], then rest: String = "exec sleep 600") throws {
        let escaped = frame.map { String(format: "\\%03o", $0) }.joined()
        try install(name, "printf '\(escaped)'\n\(rest)")
    }

    private func install(_ name: String, _ script: String) throws {
        let path = folder.appendingPathComponent(name).path
        let text = "#!/bin/sh\nenv >\(folder.path)/\(name).asked\n\(script)\n"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        waitUntilRunnable(path)
    }

    private func wasAsked(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name + ".asked").path)
    }

    private func request(
        _ purpose: PromptRequest.Purpose, _ options: PromptRequest.Options = [], on other: PromptLocation? = nil
    ) -> PromptRequest {
        let place = other ?? PromptLocation(terminal: main?.path)
        return PromptRequest(
            purpose, options: options, seconds: 60,
            program: PromptProgram(process: 1, path: PromptText("/p"), tier: .unsigned), operation: .readSecret,
            items: [], place: place)
    }

    /// The answer of the first prompter that gives one, as text.
    private func ask(_ request: PromptRequest, timeout: Duration = .seconds(60)) -> String {
        let programs = PromptPrograms(
            in: [folder.path],
            environment: ["HOME": "/home/ann", "GNUPGHOME": "/g", "LANG": "C", "SECRET": "x"],
            saveTerminal: { [main] in $0 == main?.path ? SavedTerminal(path: $0) : nil })
        switch programs.show(request, timeout, ServiceHelper.Interruption()) {
        case .notAsked: return "no prompt"
        case .timedOut: return "timed out"
        case .allowed(let always, let passcode): return (always ? "always " : "allowed ") + text(passcode)
        case .secret(let secret): return "secret " + text(secret)
        case .denied: return "denied"
        case .cancelled: return "cancelled"
        case .fallback: return "fallback"
        }
    }

    private func text(_ secret: SecretBytes?) -> String {
        secret.map { String(decoding: Array($0.bytes), as: UTF8.self) } ?? "-"
    }

    private let passcode = Array("pässcode".utf8)
    private let (pinentry, terminal) = (PromptPrograms.pinentryName, PromptPrograms.terminalName)

    @Test func `what a prompter collected arrives`() throws {
        try install(pinentry, answering: PromptReply.secret(0..<0).frame(secret: passcode))
        #expect(ask(request(.passcode)) == "secret pässcode")
        #expect(!wasAsked(terminal))
        try install(pinentry, answering: PromptReply.allowed(always: true, passcode: nil).frame(secret: passcode))
        #expect(ask(request(.confirmation, [.mayRemember, .needsPasscode])) == "always pässcode")
        try install(pinentry, answering: PromptReply.denied.frame)
        #expect(ask(request(.confirmation)) == "denied")
        try install(pinentry, answering: PromptReply.timedOut.frame)
        #expect(ask(request(.confirmation)) == "timed out")
    }

    @Test func `only the pinentry prompter gets an environment, and only the named variables`() throws {
        try install(pinentry, answering: HelperRefusal(reason: "no").frame)
        try install(terminal, answering: PromptReply.cancelled.frame)
        #expect(ask(request(.passcode)) == "cancelled")
        func environment(_ name: String) throws -> Set<String> {
            let text = try String(contentsOf: folder.appendingPathComponent(name + ".asked"), encoding: .utf8)
            return Set(
                text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") })
        }
        #expect(try environment(pinentry) == ["HOME=/home/ann", "GNUPGHOME=/g"])
        #expect(try environment(terminal) == [])
    }

    @Test func `an answer that the question does not allow is none, and the next prompter is asked`() throws {
        try install(terminal, answering: PromptReply.denied.frame)
        let lies: [(PromptRequest, [UInt8])] = [
            (request(.confirmation), PromptReply.allowed(always: true, passcode: nil).frame),
            (request(.confirmation, .needsPasscode), PromptReply.allowed(always: false, passcode: nil).frame),
            (request(.confirmation), PromptReply.allowed(always: false, passcode: nil).frame(secret: passcode)),
            (request(.confirmation), PromptReply.secret(0..<0).frame(secret: passcode)),
            (request(.confirmation), PromptReply.fallback.frame),
            (request(.confirmation), Array("nonsense".utf8) + [0, 0]), (request(.confirmation), []),
            (request(.confirmation), [1, 0x40, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
            (request(.confirmation), PromptReply.denied.frame + [0]),
            (request(.confirmation), Array(PromptReply.denied.frame.dropLast())),
        ]
        for (request, frame) in lies {
            try install(pinentry, answering: frame, then: "exit 0")
            #expect(ask(request) == "denied", "\(frame)")
        }
        try FileManager.default.removeItem(atPath: folder.appendingPathComponent(terminal).path)
        #expect(ask(request(.confirmation)) == "no prompt", "no answer is never a yes")
    }

    @Test func `a prompter that floods, dies or hangs gives no answer`() throws {
        try install(terminal, answering: PromptReply.denied.frame)
        for script in ["cat /dev/zero", "kill -9 $$", "exit 1", "exec >&- <&-; exec sleep 600"] {
            try install(pinentry, script)
            #expect(ask(request(.confirmation)) == "denied", "\(script)")
        }
        try install(pinentry, "exec sleep 600")
        #expect(ask(request(.confirmation), timeout: .milliseconds(50)) == "timed out")
    }

    @Test func `a terminal that is not the user's is none`() throws {
        try install(pinentry, answering: HelperRefusal(reason: "no").frame)
        try install(terminal, answering: PromptReply.denied.frame)
        #expect(ask(request(.confirmation, on: PromptLocation(terminal: "/dev/pts/9999999"))) == "no prompt")
        #expect(!wasAsked(terminal) && !wasAsked(pinentry))
    }

    @Test func `the terminal's prompter is left alone where there is no terminal`() throws {
        try install(terminal, answering: PromptReply.denied.frame)
        let display = PromptLocation(display: PromptDisplay(x11: ":0", wayland: nil))
        #expect(ask(request(.confirmation, on: display)) == "no prompt")
        #expect(!wasAsked(terminal))
    }
}

/// The main end of a new terminal.
private final class NewTerminal: Sendable {
    private let descriptor: Int32
    let path: String

    init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, UInt32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)).
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &unlocked) == 0,
            ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw POSIXError(.ENOTTY) }
        path = "/dev/pts/\(number)"
    }

    deinit { close(descriptor) }
}
