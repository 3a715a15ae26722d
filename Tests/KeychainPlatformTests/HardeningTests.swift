// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainEndpoint
import SecretMemory
import Testing

@testable import KeychainPlatform

/// Each in a process of its own, since none of this can be taken back.
struct HardeningTests {
    @Test func `a hardened process leaves no core dump and cannot be attached to`() async {
        await #expect(processExitsWith: .success) {
            guard ProcessHardening.isDumpable else { exit(1) }
            guard ProcessHardening.disableCoreDumps() == .applied else { exit(2) }
            var limit = rlimit(rlim_cur: 1, rlim_max: 1)
            getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            exit(!ProcessHardening.isDumpable && limit.rlim_cur == 0 && limit.rlim_max == 0 ? 0 : 3)
        }
    }

    @Test func `crashes are the kernel's, not the backtracer's`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGSEGV) { _ in }
            guard ProcessHardening.resetCrashSignals() == .applied else { exit(1) }
            for number in [SIGSEGV, SIGILL, SIGABRT, SIGFPE, SIGBUS, SIGTRAP, SIGSYS] {
                var action = sigaction()
                guard sigaction(number, nil, &action) == 0 else { exit(2) }
                guard unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0 else { exit(3) }
            }
            exit(0)
        }
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            _ = ProcessHardening.disableCoreDumps()
            _ = ProcessHardening.resetCrashSignals()
            raise(SIGSEGV)
        }
    }

    @Test func `a broken pipe is an error, not an end`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            guard ProcessHardening.ignoreBrokenPipes() == .applied else { exit(1) }
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0, close(ends[0]) == 0 else { exit(2) }
            exit(write(ends[1], "x", 1) == -1 && errno == EPIPE ? 0 : 3)
        }
    }

    @Test func `a process under the filter starts no program, and everything else still works`() async {
        await #expect(processExitsWith: .success) {
            guard ProcessHardening.forbidNewPrivileges() == .applied else { exit(1) }
            guard ProcessHardening.forbidSystemCalls() == .applied else { exit(2) }
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            guard execv("/bin/true", &arguments) == -1, errno == EPERM else { exit(3) }
            var child: pid_t = 0
            guard posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil) == EPERM else { exit(4) }
            guard socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) == -1, errno == EPERM else { exit(5) }
            let root = try TemporaryDirectory()
            let listener = try ListeningSocket(bindingTo: root("s"))
            let client = try EndpointSocket(connectingTo: root("s"))
            try client.send(([1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]).span)
            let connection = try listener.accept()
            let peer = try PeerProcess(of: connection)
            let received = try connection.receive()
            guard received.bytes.count == 8, peer.sent(received.sender) else { exit(6) }
            guard try peer.snapshot().isInOurUserNamespace else { exit(7) }
            guard try ExecutableInspector().executable(of: peer).facts.size > 0 else { exit(8) }
            // Threads that glibc makes with clone3, and clone when that is refused.
            var thread: pthread_t = 0
            guard pthread_create(&thread, nil, { _ in nil }, nil) == 0, pthread_join(thread, nil) == 0 else { exit(9) }
            exit(0)
        }
    }

    @Test func `a process under the filter makes only the listed system calls`() async {
        await #expect(processExitsWith: .success) {
            // Functions of glibc that Swift does not import, each a call of the kernel with up to three numbers.
            typealias Call = @convention(c) (Int, Int, Int) -> Int32
            let names = ["unshare", "setns", "personality", "msgget", "chroot", "umount2", "swapoff"]
            // With these numbers each of them succeeds without the filter, or fails with another error.
            let calls = names.map { (unsafeBitCast(dlsym(nil, $0), to: Call.self), $0 == "setns" ? -1 : 0) }
            func areRefused() -> [Bool] {
                calls.map { call, number in
                    errno = 0
                    return call(number, 0, 0) == -1 && errno == EPERM
                }
            }
            // As root alone: the kernel refuses some of them to others by itself.
            guard geteuid() != 0 || areRefused().allSatisfy({ !$0 }) else { exit(1) }
            guard ProcessHardening.forbidNewPrivileges() == .applied else { exit(2) }
            guard ProcessHardening.forbidSystemCalls() == .applied else { exit(3) }
            exit(areRefused().allSatisfy { $0 } ? 0 : 4)
        }
    }

    @Test func `the filter holds in threads that were there before`() async {
        await #expect(processExitsWith: .success) {
            let (ready, go) = (try WakeUp(), try WakeUp())
            async let refused: Bool = {
                ready.signal()
                _ = try Readiness.wait(for: [go.descriptor])
                return socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) == -1 && errno == EPERM
            }()
            _ = try Readiness.wait(for: [ready.descriptor])
            guard ProcessHardening.forbidNewPrivileges() == .applied else { exit(1) }
            guard ProcessHardening.forbidSystemCalls() == .applied else { exit(2) }
            go.signal()
            exit(try await refused ? 0 : 3)
        }
    }

    @Test func `programs may be left to a process that needs them`() async {
        await #expect(processExitsWith: .success) {
            guard ProcessHardening.forbidNewPrivileges() == .applied else { exit(1) }
            guard ProcessHardening.forbidSystemCalls(allowingPrograms: true) == .applied else { exit(2) }
            guard socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) == -1, errno == EPERM else { exit(3) }
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            execv("/bin/true", &arguments)
            exit(4)
        }
    }

    @Test func `termination signals become readable instead of ending the process`() async {
        await #expect(processExitsWith: .success) {
            // In a thread of its own, in which alone the signals are blocked; directed at that thread.
            let signals = try TerminationSignals()
            guard try Readiness.wait(for: [signals.descriptor], timeout: .zero) == [] else { exit(1) }
            pthread_kill(pthread_self(), SIGTERM)
            guard try Readiness.wait(for: [signals.descriptor]) == [0] else { exit(2) }
            guard signals.next() == SIGTERM, signals.next() == nil else { exit(3) }
            exit(0)
        }
    }

    @Test(.enabled(if: PageSource.memfdSecretIsAvailable, "this kernel has no memfd_secret"))
    func `secrets in secret pages cannot be read by the kernel's own doors`() throws {
        let arena = SecretArena(source: .memfdSecret)
        let secret = SecretBytes(copying: Array("correct horse".utf8), in: arena)
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        try #require(memory >= 0)
        defer { close(memory) }
        let outcome = secret.withUnsafeBytes { bytes -> Int in
            var copy = [UInt8](repeating: 0, count: bytes.count)
            return pread(memory, &copy, copy.count, off_t(Int(bitPattern: bytes.baseAddress)))
        }
        #expect(outcome == -1)
        #expect(secret.withUnsafeBytes { Array($0) } == Array("correct horse".utf8))
    }

    @Test func `secret pages fall back to locked ones when there are no more`() {
        let arena = SecretArena(source: .memfdSecret)
        // Far more than any RLIMIT_MEMLOCK of an ordinary process; root's is as bounded here.
        let secrets = (0..<40).map { SecretBytes(copying: [UInt8](repeating: UInt8($0), count: 1 << 20), in: arena) }
        for (index, secret) in secrets.enumerated() {
            #expect(secret.withUnsafeBytes { $0.first == UInt8(index) && $0.last == UInt8(index) })
        }
    }
}

struct TimeAndRandomnessTests {
    @Test func `the wall clock counts from Apple's reference date`() {
        let unix = time(nil)
        let now = WallClock.live.now()
        #expect(abs(now + 978_307_200 - Double(unix)) < 2)
        #expect(WallClock.constant(5.25).now() == 5.25)
    }

    @Test func `the monotonic clock never goes back`() {
        let readings = (0..<100).map { _ in MonotonicClock.live.nanoseconds() }
        #expect(readings == readings.sorted() && readings[0] > 0)
        #expect(MonotonicClock.constant(7).nanoseconds() == 7)
    }

    @Test func `random bytes come in the number asked for`() {
        for count in [0, 1, 7, 8, 9, 33] { #expect(RandomSource.live.bytes(count).count == count) }
        #expect(RandomSource.live.bytes(32) != RandomSource.live.bytes(32))
        #expect(RandomSource.constant(3).bytes(2) == [3, 3])
    }
}
