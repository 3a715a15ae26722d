// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import Glibc
import Measuring

/// A service that the benchmark starts and ends itself, in the environment's instance, with a keychain in a separate
/// folder.
final class ServiceProcess {
    /// The memory of the process, in KiB.
    struct Memory {
        var resident = 0
        /// The anonymous part of it, which belongs to no file.
        var anonymous = 0
        /// Its proportional share, including shared memory; nil if the kernel does not report it.
        var proportional: Int?
    }

    private let program: String
    private let socketPath: String
    private var pid: pid_t?

    /// - Parameters:
    ///   - program: the path of chatelained.
    ///   - data: a folder; the keychain is in its subfolder chatelaine.
    init(_ program: String, data: String) throws {
        guard let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] else {
            throw BenchmarkFailure("XDG_RUNTIME_DIR is not set")
        }
        self.program = program
        socketPath = runtime + "/chatelaine/socket"
        setenv("XDG_DATA_HOME", data, 1)
    }

    deinit { try? stop() }

    /// Starts the service on these cores, and returns when it accepts connections.
    func start(at place: Place? = Floors.servicePlace) throws {
        guard pid == nil else { throw BenchmarkFailure("the service runs already") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var arguments = [strdup(program), nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        // The new process runs on the cores of the thread that starts it.
        place?.enter()
        let code = posix_spawn(&child, program, &actions, nil, &arguments, environ)
        Floors.ownPlace.enter()
        guard code == 0 else { throw BenchmarkFailure("cannot start \(program): \(code)") }
        pid = child
        // A tenth of the shortest pause that would show in the figures.
        var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
        for _ in 0..<300_000 {
            if try canConnect() { return }
            guard waitpid(child, nil, WNOHANG) == 0 else {
                pid = nil
                throw BenchmarkFailure("the service ended as soon as it was started")
            }
            nanosleep(&pause, nil)
        }
        throw BenchmarkFailure("the service cannot be connected to")
    }

    /// Ends the service with SIGTERM, and waits for its end.
    func stop() throws { try end(SIGTERM) }

    /// Kills the service, as a crash would.
    func kill() throws { try end(SIGKILL) }

    private func end(_ signal: Int32) throws {
        guard let child = pid else { return }
        pid = nil
        guard Glibc.kill(child, signal) == 0, waitpid(child, nil, 0) == child else {
            throw BenchmarkFailure("the service does not end")
        }
        // Otherwise the next connection would use the socket of a killed service before there is another service.
        unlink(socketPath)
    }

    private func canConnect() throws -> Bool {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        return try Floors.withAddress(socketPath) { address, size in connect(connection, address, size) == 0 }
    }

    /// Waits until the service has finished the background work after its start.
    ///
    /// - Returns: the processor time in seconds that it has used since its start.
    @discardableResult
    func waitUntilIdle() throws -> Double {
        var last = try computedSeconds()
        var quiet = 0
        for _ in 0..<6_000 {
            usleep(100_000)
            let now = try computedSeconds()
            quiet = now - last < 0.011 ? quiet + 1 : 0
            last = now
            // On a loaded machine, low-priority work may wait for a long time.
            if quiet >= 30 { return now }
        }
        throw BenchmarkFailure("the service does not come to rest")
    }

    private func computedSeconds() throws -> Double {
        let text = try read("stat")
        // After the name, which may contain any characters; user and system time are the twelfth and thirteenth fields
        // from there.
        guard let name = text.lastIndex(of: ")") else { throw BenchmarkFailure("no times of the service") }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchmarkFailure("no times of the service")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    func memory() throws -> Memory {
        func value(_ name: String, in text: String) -> Int? {
            text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
                .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Int($0) }
        }
        let status = try read("status")
        guard let resident = value("VmRSS", in: status), let anonymous = value("RssAnon", in: status) else {
            throw BenchmarkFailure("no memory of the service")
        }
        return Memory(
            resident: resident, anonymous: anonymous,
            proportional: (try? read("smaps_rollup")).flatMap { value("Pss", in: $0) })
    }

    private func read(_ name: String) throws -> String {
        guard let pid else { throw BenchmarkFailure("the service does not run") }
        return try String(contentsOfFile: "/proc/\(pid)/\(name)", encoding: .utf8)
    }
}
