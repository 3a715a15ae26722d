// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import KeychainEndpoint
import KeychainHelperWire
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import Logging
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import KeychainServer

/// The tokens of a system service: each user has separate processes and secrets. The token is a real program, a script
/// that seals data by prefixing it with the secret in its file.
@Suite(.serialized) struct `Tokens of many users` {
    private final class TestTime: Sendable {
        let now = Mutex<UInt64>(1_000_000_000_000)
        var clock: MonotonicClock { MonotonicClock { self.now.withLock { $0 } } }
        func pass(_ duration: Duration) { now.withLock { $0 += duration.nanoseconds } }
    }

    private let root: String
    private let directories: SystemDirectories
    private let time = TestTime()
    private let keychains: UserKeychains

    init() throws {
        // Below a folder that others can write, as only a sticky one may be.
        root = try makeScratchFolder("ck")
        directories = SystemDirectories(runtime: root + "/run", state: root + "/state")
        try directories.prepare()
        var limits = UserKeychains.Limits()
        limits.open = 2
        var tokenLimits = TokenProgram.Limits()
        // Only what a test stops comes near it, and that goes on before.
        tokenLimits.answer = .seconds(60)
        keychains = UserKeychains(
            directories, protections: [],
            tokens: TokenPrograms(folders: [root], tpm: nil, limits: tokenLimits, clock: time.clock),
            logger: Logger(label: "") { _ in SwiftLogNoOpLogHandler() }, limits: limits, clock: time.clock)
        try install()
    }

    private func install() throws {
        let path = root + "/chatelaine-token-software"
        let text = """
            #!/usr/bin/python3
            import os, sys
            path = sys.argv[1]
            try:
                file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                os.write(file, os.urandom(16))
                os.close(file)
            except FileExistsError: pass
            with open(path, "rb") as file: secret = file.read()
            with open(path + ".process", "w") as file: file.write(str(os.getpid()))
            source, sink = sys.stdin.buffer, sys.stdout.buffer
            def block(data): return len(data).to_bytes(4, "big") + data
            while True:
                head = source.read(8)
                if len(head) < 8: break
                given = source.read(int.from_bytes(head[4:], "big"))[4:]
                if head[1] == 0x34: kind, payload = 0x24, block(secret + given)
                elif given.startswith(secret): kind, payload = 0x25, block(given[16:])
                else: kind, payload = 0x26, bytes([1]) + block(b"not mine")
                sink.write(bytes([1, kind, 0, 0]) + len(payload).to_bytes(4, "big") + payload)
                sink.flush()
            """
        let file = try #require(fopen(path, "we"))
        fputs(text, file)
        fclose(file)
        chmod(path, 0o755)
        waitUntilRunnable(path)
    }

    private func remove() {
        keychains.closeAll()
        try? FileManager.default.removeItem(atPath: root)
    }

    private func caller(_ user: UInt32) -> Caller {
        Caller(
            userID: user, processID: 1, tier: .unsigned, identity: .installed(path: "/p"), accessGroups: ["g"],
            displayPath: "/p")
    }

    /// The tokens of a user who connects.
    private func begin(_ user: UInt32) throws -> ServiceState {
        guard case .open(let pipeline) = try keychains.source.begin(caller(user)) else {
            throw Refusal(.notAvailable, .storeUnavailable)
        }
        return pipeline.service
    }

    private func end(_ user: UInt32) { keychains.source.end(caller(user)) }

    /// The look at a keychain's contents that began with it may end after it was closed, and has its lock until then.
    private func awaitClosing(of user: UInt32) throws {
        let path = directories.keychain(of: user).lockPath
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if let lock = try? InstanceLock(path: path) { return withExtendedLifetime(lock) {} }
            sched_yield()
        }
        _ = try InstanceLock(path: path)
    }

    /// The number of the process that served a user last.
    private func process(of user: UInt32) throws -> pid_t {
        let path = directories.keychain(of: user).softwareTokenPath + ".process"
        return try #require(pid_t(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)))
    }

    /// Returns whether the process exists; a process that has ended but was not reaped counts as existing.
    private func runs(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    private func reason(_ body: () throws(TokenError) -> [UInt8]) -> TokenError.Reason? {
        do throws(TokenError) {
            _ = try body()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `each user's token is a process of its own, with a secret in that user's keychain alone`() throws {
        defer { remove() }
        let (ann, bob) = (try begin(7).secureElement, try begin(8).secureElement)
        let (hers, his) = (try ann.seal([1, 2, 3], in: .software), try bob.seal([4, 5, 6], in: .software))
        #expect(try ann.unseal(hers, in: .software) == [1, 2, 3])
        #expect(try bob.unseal(his, in: .software) == [4, 5, 6])
        // A blob of one user's token is useless to another user's token, regardless of its origin.
        #expect(reason { () throws(TokenError) in try bob.unseal(hers, in: .software) } == .foreignBlob)
        #expect(reason { () throws(TokenError) in try ann.unseal(his, in: .software) } == .foreignBlob)
        #expect(try process(of: 7) != process(of: 8))
        for user: UInt32 in [7, 8] {
            let path = directories.keychain(of: user).softwareTokenPath
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `what a user's token sealed it opens when keychain and token were closed meanwhile`() throws {
        defer { remove() }
        let sealed = try begin(7).secureElement.seal([1, 2, 3], in: .software)
        end(7)
        keychains.closeAll()
        try awaitClosing(of: 7)
        #expect(try begin(7).secureElement.unseal(sealed, in: .software) == [1, 2, 3])
    }

    @Test func `a user's token that does not answer delays no other user's token`() throws {
        defer { remove() }
        let (ann, bob) = (try begin(7).secureElement, try begin(8).secureElement)
        let hers = try ann.seal([1], in: .software)
        let stopped = try process(of: 7)
        #expect(kill(stopped, SIGSTOP) == 0)
        defer { kill(stopped, SIGCONT) }
        let group = DispatchGroup()
        let answer = Mutex<[UInt8]?>(nil)
        group.enter()
        Thread.detachNewThread {
            let opened = try? ann.unseal(hers, in: .software)
            answer.withLock { $0 = opened }
            group.leave()
        }
        for number: UInt8 in 0..<20 {
            let his = try bob.seal([number], in: .software)
            #expect(try bob.unseal(his, in: .software) == [number])
            // Nor does it hold up the service's own work.
            _ = keychains.housekeeping()
        }
        #expect(answer.withLock { $0 } == nil)
        #expect(kill(stopped, SIGCONT) == 0)
        #expect(group.wait(timeout: .now() + 60) == .success)
        #expect(answer.withLock { $0 } == [1])
    }

    @Test func `a user's token that is killed is that user's loss of a process, and of nothing else`() throws {
        defer { remove() }
        let (ann, bob) = (try begin(7).secureElement, try begin(8).secureElement)
        let (hers, his) = (try ann.seal([1], in: .software), try bob.seal([2], in: .software))
        let (first, other) = (try process(of: 7), try process(of: 8))
        #expect(kill(first, SIGKILL) == 0)
        #expect(try ann.unseal(hers, in: .software) == [1])
        #expect(try bob.unseal(his, in: .software) == [2])
        #expect(try process(of: 7) != first && process(of: 8) == other)
    }

    @Test func `tokens end with their keychain, so that they never outnumber those that may be open`() throws {
        defer { remove() }
        var earlier: [pid_t] = []
        for user: UInt32 in 7..<12 {
            let element = try begin(user).secureElement
            _ = try element.seal([1], in: .software)
            earlier.append(try process(of: user))
            end(user)
            #expect(earlier.count(where: runs) <= 2)
            time.pass(.seconds(1))
        }
        #expect(earlier.map(runs) == [false, false, false, true, true])
        keychains.closeAll()
        #expect(!earlier.contains(where: runs))
    }

    @Test func `a token that its user does not need is ended, and those of the others are not`() throws {
        defer { remove() }
        let (ann, bob) = (try begin(7).secureElement, try begin(8).secureElement)
        let hers = try ann.seal([1], in: .software)
        time.pass(.seconds(45))
        _ = try bob.seal([2], in: .software)
        let (first, other) = (try process(of: 7), try process(of: 8))
        #expect(try #require(keychains.housekeeping()) <= .seconds(15))
        time.pass(.seconds(15))
        _ = keychains.housekeeping()
        #expect(!runs(first) && runs(other))
        #expect(try ann.unseal(hers, in: .software) == [1])
    }

    @Test func `the device key of one of many users is moved into no token`() throws {
        defer { remove() }
        let service = try begin(7)
        #expect(try service.deviceKey.state().place == .file)
        var moves = [DeviceKeyLocation.tpm, .software, .file].map { DeviceKeyMove<SecretBytes>(to: $0) }
        for index in moves.indices { moves[index].newPIN = SecretBytes(copying: Array("2468".utf8)) }
        let before = try Data(contentsOf: URL(filePath: directories.keychain(of: 7).deviceKeyPath))
        for move in moves + [DeviceKeyMove(to: .tpm)] {
            #expect(throws: Refusal(.unimplemented, .notSupportedYet)) {
                try service.deviceKey.move(move) { () throws(Refusal) in throw Refusal(.internalError, .none) }
            }
        }
        #expect(try Data(contentsOf: URL(filePath: directories.keychain(of: 7).deviceKeyPath)) == before)
    }
}
