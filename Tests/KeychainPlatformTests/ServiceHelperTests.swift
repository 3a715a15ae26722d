// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import KeychainEndpoint
import Synchronization
import TestSupport
import Testing

@testable import KeychainPlatform

/// Helper programs of the service: their selection, and the handling of those that fail. Each is a real program, a
/// script that the test sets.
struct ServiceHelperTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try #require(mkdir(folder("bin"), 0o755) == 0)
    }

    /// Makes a helper of a script.
    private func helper(_ script: String, name: String = "helper") throws -> ServiceHelper {
        let path = folder("bin/\(name)")
        let file = try #require(fopen(path, "we"))
        fputs("#!/bin/sh\n" + script + "\n", file)
        fclose(file)
        chmod(path, 0o755)
        waitUntilRunnable(path)
        return try #require(ServiceHelper(name, in: [folder("bin")]))
    }

    /// Requests an answer of four bytes.
    private func ask(
        _ helper: ServiceHelper, request: [UInt8] = Array("question".utf8), environment: [String] = [],
        timeout: Duration = .seconds(60), interruption: ServiceHelper.Interruption = .init(),
        terminal: SavedTerminal? = nil, limit: Int = 16, isAnswer: ([UInt8]) -> Bool = { _ in true }
    ) -> (ServiceHelper.Ending, String) {
        var text = ""
        let outcome = helper.ask(
            request, environment: environment, timeout: timeout, interruption: interruption, terminal: terminal,
            limit: limit, size: { $0.count < 2 ? nil : 4 },
            read: {
                text = String(decoding: $0, as: UTF8.self)
                return isAnswer($0)
            })
        return (outcome, text)
    }

    // MARK: Which programs

    @Test func `a helper is the first of its name in the folders, and none where there is none`() throws {
        let path = try helper("").path
        #expect(ServiceHelper("helper", in: ["/nonexistent", folder("bin"), "/usr/bin"])?.path == path)
        #expect(ServiceHelper("helper", in: ["bin", ""]) == nil, "folders are absolute")
        #expect(ServiceHelper("other", in: [folder("bin")]) == nil)
        #expect(ServiceHelper("bin", in: [folder("")]) == nil, "a folder is no program")
        chmod(path, 0o644)
        #expect(ServiceHelper("helper", in: [folder("bin")]) == nil, "it cannot be run")
    }

    @Test func `a helper that others can write, or put another one in the place of, is not run`() throws {
        let path = try helper("").path
        for mode: mode_t in [0o775, 0o757] {
            chmod(path, mode)
            #expect(ServiceHelper("helper", in: [folder("bin")]) == nil)
        }
        chmod(path, 0o755)
        for (place, mode, isFine) in [
            ("bin", 0o775, false), ("bin", 0o1777, false), ("bin", 0o755, true), ("", 0o777, false), ("", 0o1777, true),
        ] {
            chmod(folder(place), mode_t(mode))
            #expect((ServiceHelper("helper", in: [folder("bin")]) != nil) == isFine, "\(place) \(mode)")
            chmod(folder(place), 0o755)
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
    func `a helper of another user, or in another user's folder, is not run`() throws {
        let path = try helper("").path
        chown(path, 12345, 12345)
        #expect(ServiceHelper("helper", in: [folder("bin")]) == nil, "somebody else's")
        chown(path, 0, 0)
        chown(folder("bin"), 12345, 12345)
        #expect(ServiceHelper("helper", in: [folder("bin")]) == nil, "in somebody else's folder")
    }

    @Test func `what a link leads to is looked at, not the link`() throws {
        let path = try helper("").path
        #expect(mkdir(folder("open"), 0o777) == 0)
        chmod(folder("open"), 0o777)
        #expect(symlink(path, folder("open/helper")) == 0)
        #expect(ServiceHelper("helper", in: [folder("open")])?.path == path)
        #expect(symlink(folder("open/other"), folder("bin/led")) == 0)
        #expect(rename(path, folder("open/other")) == 0)
        #expect(ServiceHelper("led", in: [folder("bin")]) == nil)
    }

    // MARK: Answers

    @Test func `it gets the question, the environment that is named, and nothing else`() throws {
        let echo = try helper("head -c 4; env >\(folder("env")); ls /proc/self/fd >\(folder("fd"))")
        let (outcome, text) = ask(echo, environment: ["A=b c"])
        #expect(outcome == .answered && text == "ques")
        let variables = try helper("head -c 8 >/dev/null; printf '%s' \"$A$HOME\"; sleep 600")
        #expect(ask(variables, environment: ["A=four"]) == (.answered, "four"))
    }

    @Test func `a helper that ends, or answers too much, nothing or nonsense, has failed`() throws {
        #expect(ask(try helper("exit 0")).0 == .failed)
        #expect(ask(try helper("kill -9 $$")).0 == .failed)
        #expect(ask(try helper("printf abc")).0 == .failed)
        #expect(ask(try helper("printf abcde; sleep 600")).0 == .failed)
        #expect(ask(try helper("exec /nonexistent")).0 == .failed)
        #expect(ask(try helper("printf abcd; sleep 600"), isAnswer: { _ in false }).0 == .failed)
        #expect(ask(try helper("cat /dev/zero")).0 == .failed)
        #expect(
            ask(try helper("exec <&-; printf abcd; sleep 600"), request: .init(repeating: 1, count: 1 << 20)).0
                == .answered, "one that does not read on may answer")
    }

    @Test func `an answer byte by byte is one`() throws {
        #expect(ask(try helper("for c in a b c d; do printf $c; done; sleep 600")) == (.answered, "abcd"))
    }

    // MARK: Ends

    /// The number that the script wrote into a file; waits for it as a named pipe makes it wait.
    private static func number(_ path: String) throws -> pid_t {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        try #require(fgets(&line, 32, file) != nil)
        return try #require(pid_t(String(decoding: line.prefix { $0 != 10 }.map(UInt8.init), as: UTF8.self)))
    }

    private func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    @Test func `after an answer it is gone, with the programs that it started`() throws {
        #expect(mkfifo(folder("child"), 0o600) == 0)
        let child = Mutex<pid_t>(0)
        let read = DispatchSemaphore(value: 0)
        let path = folder("child")
        let isStarted = SystemThread.start {
            let process = (try? Self.number(path)) ?? 0
            child.withLock { $0 = process }
            read.signal()
        }
        #expect(isStarted)
        let parent = try helper("sleep 600 & echo $! >\(folder("child")); printf abcd; wait")
        #expect(ask(parent).0 == .answered)
        read.wait()
        let process = child.withLock { $0 }
        #expect(process > 0)
        // The process that adopts it must reap it first.
        while isRunning(process), state(of: process) != "Z" { sched_yield() }
    }

    private func state(of process: pid_t) -> Character? {
        SmallFile.text(at: "/proc/\(process)/stat")?.split(separator: " ").dropFirst(2).first?.first
    }

    @Test func `a silent helper is terminated after its time, and killed when it ignores that`() throws {
        #expect(ask(try helper("sleep 600"), timeout: .milliseconds(50)).0 == .timedOut)
        let deaf = try helper("trap '' TERM; while :; do sleep 600; done")
        #expect(ask(deaf, timeout: .milliseconds(200)).0 == .timedOut)
    }

    @Test func `a descriptor that becomes readable, or a connection that ends, interrupts it`() throws {
        let wake = try WakeUp()
        wake.signal()
        let sleeper = try helper("sleep 600")
        #expect(ask(sleeper, interruption: .init(readable: [wake.descriptor])).0 == .interrupted)
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], "x", 1) == 1)
        let interruption = ServiceHelper.Interruption(hungUp: [ends[0]])
        let quick = try helper("printf abcd; sleep 600", name: "quick")
        #expect(ask(quick, interruption: interruption).0 == .answered, "what comes on the connection is no reason")
        close(ends[1])
        #expect(ask(sleeper, interruption: interruption).0 == .interrupted)
    }

    @Test func `it is told to end first, and may tidy up`() throws {
        let wake = try WakeUp()
        let tidy = try helper(
            "trap 'echo yes >\(folder("tidied")); exit' TERM; printf a; while :; do sleep 0.01; done")
        var text = ""
        // Its first byte says that it is ready.
        let outcome = tidy.ask(
            [], environment: ["PATH=/usr/bin:/bin"], timeout: .seconds(60),
            interruption: .init(readable: [wake.descriptor]), limit: 4,
            size: { bytes in
                if !bytes.isEmpty { wake.signal() }
                return nil
            },
            read: {
                text = String(decoding: $0, as: UTF8.self)
                return true
            })
        #expect(outcome == .interrupted && text == "")
        #expect(access(folder("tidied"), F_OK) == 0)
    }

    @Test func `the filter of the service lets it start helpers, which stay under the filter`() async throws {
        let path: String = try helper("printf abcd; sleep 600").path
        await #expect(processExitsWith: .success) { [path = path as String] in
            guard ProcessHardening.forbidNewPrivileges() == .applied else { exit(1) }
            guard ProcessHardening.forbidSystemCalls(allowingPrograms: true) == .applied else { exit(2) }
            let folder = String(path.dropLast("/helper".count))
            guard let helper = ServiceHelper("helper", in: [folder]) else { exit(3) }
            let outcome = helper.ask(
                [1], environment: [], timeout: .seconds(60), limit: 16, size: { $0.count < 2 ? nil : 4 },
                read: { $0 == Array("abcd".utf8) })
            exit(outcome == .answered ? 0 : 4)
        }
    }

    // MARK: The terminal

    /// The two ends of a new terminal.
    private func terminal() throws -> (master: Int32, path: String) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        var (unlocked, number): (Int32, UInt32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)).
        try #require(ioctl(master, 0x4004_5431, &unlocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        return (master, "/dev/pts/\(number)")
    }

    private func hasEcho(_ master: Int32) throws -> Bool {
        var settings = termios()
        try #require(tcgetattr(master, &settings) == 0)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    @Test func `a terminal is as before when its helper was killed`() throws {
        let (master, path) = try terminal()
        defer { close(master) }
        #expect(try hasEcho(master))
        let script = "trap '' TERM; stty -echo -icanon <\(path); printf a"
        let saved = try #require(SavedTerminal(path: path))
        #expect(ask(try helper(script + "; kill -9 $$"), terminal: saved).0 == .failed)
        #expect(try hasEcho(master))
        let deaf = try helper(script + "; while :; do sleep 600; done", name: "deaf")
        #expect(ask(deaf, timeout: .milliseconds(500), terminal: saved).0 == .timedOut)
        #expect(try hasEcho(master))
    }

    @Test func `only a terminal of the same user is taken for one`() throws {
        let (master, path) = try terminal()
        defer { close(master) }
        #expect(SavedTerminal(path: path) != nil)
        #expect(SavedTerminal(path: "/dev/null") == nil)
        #expect(SavedTerminal(path: folder("bin")) == nil)
        #expect(SavedTerminal(path: "/nonexistent") == nil)
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
    func `a terminal of another user is not taken for one`() throws {
        let (master, path) = try terminal()
        defer { close(master) }
        chown(path, 12345, 12345)
        #expect(SavedTerminal(path: path) == nil)
    }

    @Test func `the terminal of a process is told by its device number`() {
        func line(_ device: String, name: String = "a") -> String { "12 (\(name)) S 1 12 12 \(device) 12 4194304 0" }
        for (device, path) in [
            ("34816", "/dev/pts/0"), ("34823", "/dev/pts/7"), ("1083392", "/dev/pts/256"), ("1025", "/dev/tty1"),
            ("0", nil), ("1024", nil), ("1088", nil), ("-1", nil), ("x", nil),
        ] {
            #expect(PeerProcess.terminal(fromStatus: line(device)) == path, "\(device)")
            #expect(PeerProcess.terminal(fromStatus: line(device, name: ") S 1 1 1 34816 (")) == path)
        }
        #expect(PeerProcess.terminal(fromStatus: "12 (a) S 1 12 12 34816 13 4194304 0") == nil, "in the background")
        #expect(PeerProcess.terminal(fromStatus: "12 (a") == nil && PeerProcess.terminal(fromStatus: "") == nil)
    }
}
