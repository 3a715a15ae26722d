// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import KeychainHelperWire
import KeychainPlatform
import Synchronization
import Testing

@testable import KeychainServer

/// Programs that act as tokens: each a real program, a script that the test sets.
struct TokenProgramTests {
    private let folder: URL
    private let time = TestTime()

    init() throws {
        folder = URL(filePath: "/tmp/chatelaine-token-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    private final class TestTime: Sendable {
        let now = Mutex<UInt64>(1_000_000_000_000)
        func pass(_ duration: Duration) { now.withLock { $0 += duration.nanoseconds } }
    }

    /// A token of a script. It counts its starts in a file, reads each question and has its kind in `kind`.
    private func token(_ work: String, answer: Duration = .seconds(60)) throws -> TokenProgram {
        let text = """
            import os, sys, time
            with open("\(starts)", "a") as file: file.write("x")
            source, sink = sys.stdin.buffer, sys.stdout.buffer
            def question():
                head = source.read(8)
                if len(head) < 8: sys.exit(0)
                source.read(int.from_bytes(head[4:], "big"))
                return head[1]
            def block(data): return len(data).to_bytes(4, "big") + data
            def say(kind, payload, size=None):
                count = len(payload) if size is None else size
                sink.write(bytes([1, kind, 0, 0]) + count.to_bytes(4, "big") + payload)
                sink.flush()
            \(work)
            """
        try Data(text.utf8).write(to: URL(filePath: script))
        // Not the script itself: while a program of another test is being started, it may have the new file open for writing, and the
        // kernel runs no such file.
        if !FileManager.default.fileExists(atPath: folder.path + "/token") {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/token", withDestinationPath: "/usr/bin/python3")
        }
        var limits = TokenProgram.Limits()
        limits.answer = answer
        let time = time
        return TokenProgram(
            "token", in: [folder.path], arguments: [script], kind: .software, limits: limits,
            clock: MonotonicClock { time.now.withLock { $0 } })
    }

    private var script: String { folder.path + "/script" }
    private var starts: String { folder.path + "/starts" }
    private var startCount: Int { (try? Data(contentsOf: URL(filePath: starts)).count) ?? 0 }

    private let signing = TokenRequest.sign(blob: [1], digest: [UInt8](repeating: 2, count: 32))

    private func reason(_ token: TokenProgram, _ request: TokenRequest) -> TokenError.Reason? {
        do throws(TokenError) {
            _ = try token.ask(request)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `one process answers many questions`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try token("while True: question(); say(0x22, block(bytes(64)))")
        for _ in 0..<20 { #expect(try token.ask(signing) == .signature([UInt8](repeating: 0, count: 64))) }
        #expect(startCount == 1)
    }

    @Test func `a token that died is started again, and asked again where that generates nothing`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try token("question(); say(0x22, block(bytes(64)))")
        for _ in 0..<3 { #expect(try token.ask(signing) == .signature([UInt8](repeating: 0, count: 64))) }
        #expect(startCount == 3)
        // It ends before it answers, each time.
        let dying = try self.token("question()")
        #expect(reason(dying, signing) == .unavailable)
        #expect(startCount == 5)
        #expect(reason(dying, .createKey) == .unavailable)
        #expect(startCount == 6)
    }

    @Test func `a token that hangs is killed after its time, and the next request starts a new token`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            if not os.path.exists("\(folder.path)/answers"): time.sleep(1000000)
            while True: question(); say(0x22, block(bytes(64)))
            """
        // On a busy machine, a program that is killed early has not counted its start yet: then it gets more time.
        for milliseconds in [300, 3_000, 30_000, 300_000] where startCount == 0 {
            let token = try token(script, answer: .milliseconds(milliseconds))
            #expect(reason(token, signing) == .unavailable)
        }
        #expect(startCount == 1)
        try Data().write(to: URL(filePath: folder.path + "/answers"))
        #expect(try token(script).ask(signing) == .signature([UInt8](repeating: 0, count: 64)))
        #expect(startCount == 2)
    }

    @Test(arguments: [
        "say(0x22, block(bytes(63)))", "say(0x22, block(bytes(65)))", "say(0x23, block(bytes(32)))",
        "say(0x22, block(bytes(64)) + b'x')", "say(0x22, b'', size=1 << 20)", "say(0x22, b'', size=0xFFFFFFFF)",
        "sink.write(b'no frame at all, and long enough'); sink.flush()", "say(0x99, b'')",
        "say(0x26, bytes([9]) + block(b''))",
        "say(0x22, block(bytes(64))); say(0x22, block(bytes(64)))",
        "\nwhile True: say(0x21, bytes(8000))",
    ])
    func `a token that lies or floods is ended, and not asked again`(lie: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try token("question(); \(lie.hasPrefix("\n") ? "" : "time.sleep(0); ")\(lie)")
        // Two answers in one piece are invalid. If they come in two pieces, the next request finds the second one.
        let first = reason(token, signing)
        if first == nil { #expect(reason(token, .createKey) == .unavailable) } else { #expect(first == .unavailable) }
        #expect(startCount == 1)
    }

    @Test func `what the token itself says is heard`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try token("while True: question(); say(0x26, bytes([1]) + block(b'not mine'))")
        #expect(try token.ask(signing) == .failure(TokenError(.foreignBlob, "not mine")))
    }

    @Test func `one whose token went away is started again, once`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try token(
            """
            question(); say(0x22, block(bytes(64)))
            question(); say(0x26, bytes([2]) + block(b'gone'))
            """)
        for count in 1...3 {
            #expect(try token.ask(signing) == .signature([UInt8](repeating: 0, count: 64)))
            #expect(startCount == count)
        }
        let absent = try self.token("while True: question(); say(0x26, bytes([2]) + block(b'not there'))")
        #expect(try absent.ask(signing) == .failure(TokenError(.unavailable, "not there")))
        #expect(startCount == 4)
        #expect(try absent.ask(signing) == .failure(TokenError(.unavailable, "not there")))
        #expect(startCount == 5)
    }

    @Test func `without a program there is no token, and nothing hangs`() {
        let token = TokenProgram("absent", in: [folder.path], arguments: [], kind: .tpm)
        #expect(reason(token, .status) == .unavailable)
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func `a program that others can write is not run`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/token"
        try Data("#!/bin/sh\necho x >>\(starts)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        #expect(reason(try token("pass"), signing) == .unavailable)
        #expect(startCount == 0)
    }

    @Test func `an unused token is ended, and says when`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try token("while True: question(); say(0x22, block(bytes(64)))")
        #expect(token.endIfIdle() == nil)
        _ = try token.ask(signing)
        #expect(token.endIfIdle() == .seconds(60))
        time.pass(.seconds(45))
        #expect(token.endIfIdle() == .seconds(15))
        _ = try token.ask(signing)
        #expect(startCount == 1)
        time.pass(.seconds(60))
        #expect(token.endIfIdle() == nil)
        _ = try token.ask(signing)
        #expect(startCount == 2)
    }

    @Test func `while one waits for its answer, others wait for theirs, and none for ever`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try token("question(); time.sleep(1000000)", answer: .milliseconds(200))
        let reasons = Mutex<[TokenError.Reason?]>([])
        let group = DispatchGroup()
        for _ in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                let reason = self.reason(token, self.signing)
                reasons.withLock { $0.append(reason) }
                group.leave()
            }
        }
        #expect(group.wait(timeout: .now() + 600) == .success)
        #expect(reasons.withLock { $0 } == [.unavailable, .unavailable, .unavailable, .unavailable])
    }
}
