// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Finds chatelained and starts it for a client that found no service running.
public struct DaemonLauncher: Sendable {
    /// The program's possible paths, best first.
    public let candidates: [String]

    public init(candidates: [String]) {
        self.candidates = candidates
    }

    /// Beside the running executable, then in PATH, then where installers put programs.
    public init(executablePath: String?, searchPath: String?, home: String?) {
        var directories: [String] = []
        if let executablePath, let slash = executablePath.lastIndex(of: "/") {
            directories.append(String(executablePath[..<slash]))
        }
        // A relative directory in PATH depends on where the program happens to stand.
        directories += (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
        if let home, home.hasPrefix("/") { directories.append(home + "/.local/bin") }
        directories += ["/usr/local/bin", "/usr/bin"]
        var seen: Set<String> = []
        candidates = directories.map { $0 + "/chatelained" }.filter { seen.insert($0).inserted }
    }

    /// A launcher for this process.
    public static func current() -> DaemonLauncher {
        DaemonLauncher(
            executablePath: ownExecutablePath(), searchPath: environmentVariable("PATH"),
            home: environmentVariable("HOME"))
    }

    /// The first candidate that is a file this user may run.
    public func locate() -> String? { firstProgram(of: candidates) }

    /// Runs `chatelained --detach` and waits until it has detached, so that no child process stays behind.
    ///
    /// The service gets this process's environment and /dev/null for its standard streams.
    /// Throws `.launchFailed`.
    public func launch(timeout: Duration = .seconds(5)) throws(EndpointError) {
        // A setgid client's group would become the service's, and PATH is the word of a user with fewer rights.
        guard !isPrivilegedProgram() else { throw .launchFailed(.privilegedProgram) }
        guard let program = locate() else { throw .launchFailed(.programNotFound(searched: candidates)) }
        let child = try spawn(program)
        try wait(for: child, program: program, timeout: timeout)
    }

    private func spawn(_ program: String) throws(EndpointError) -> pid_t {
        do throws(SystemCallError) {
            return try SpawnedProgram(program, arguments: ["--detach"], streams: .none, environment: nil)
                .process
        } catch {
            throw .launchFailed(.spawn(program: program, error))
        }
    }

    private func wait(for child: pid_t, program: String, timeout: Duration) throws(EndpointError) {
        var backoff = Backoff(timeout: timeout)
        while true {
            var status: Int32 = 0
            let result = unsafe waitpid(child, &status, WNOHANG)
            if result == child {
                if status & 0x7F != 0 { throw .launchFailed(.terminated(program: program, signal: status & 0x7F)) }
                let exitStatus = (status >> 8) & 0xFF
                guard exitStatus == 0 else { throw .launchFailed(.exited(program: program, status: exitStatus)) }
                return
            }
            // ECHILD: the program ignores SIGCHLD or reaps all children itself. Connecting will show how it went.
            if result < 0, errno == ECHILD { return }
            guard backoff.pause() else {
                kill(child, SIGKILL)
                while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
                throw .launchFailed(.timedOut(program: program))
            }
        }
    }
}

extension EndpointSocket {
    /// Connects; when nobody listens, starts the service and tries again until `timeout` has passed. The system's service
    /// is never started: a keychain of the user's own in its place would be another keychain.
    ///
    /// Throws what ``init(connectingTo:servers:timeout:)`` and ``DaemonLauncher/launch(timeout:)`` throw.
    public static func connectOrLaunch(
        _ endpoint: ServiceEndpoint, launcher: DaemonLauncher = .current(), timeout: Duration = .seconds(5)
    ) throws(EndpointError) -> EndpointSocket {
        if let socket = try connectIfRunning(endpoint, timeout: timeout) { return socket }
        guard endpoint.kind == .user else {
            throw .notRunning(
                path: endpoint.socketPath,
                hint:
                    "this machine has a keychain service of the system, which is down: systemctl start chatelaine.socket"
            )
        }
        var backoff = Backoff(timeout: timeout)
        var attempts = 0
        repeat {
            // Now and then anew: a service that was just ending counted as running, and then there was none.
            if attempts.isMultiple(of: 6) { try launcher.launch(timeout: timeout) }
            attempts += 1
            if let socket = try connectIfRunning(endpoint, timeout: timeout) { return socket }
        } while backoff.pause()
        throw .notRunning(
            path: endpoint.socketPath, hint: "chatelained was started but does not listen; its log may say why")
    }

    private static func connectIfRunning(
        _ endpoint: ServiceEndpoint, timeout: Duration
    ) throws(EndpointError) -> EndpointSocket? {
        do throws(EndpointError) {
            return try EndpointSocket(
                connectingTo: endpoint.socketPath, servers: endpoint.servers, timeout: timeout)
        } catch .notRunning {
            return nil
        }
    }
}

/// Pauses that grow from one millisecond to fifty, within a bound.
private struct Backoff {
    private let deadline: ContinuousClock.Instant
    private var milliseconds = 1

    init(timeout: Duration) {
        deadline = ContinuousClock.now + timeout
    }

    /// False, without a pause, when the time is over.
    mutating func pause() -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        var length = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
        // A signal may cut the pause short, which does no harm.
        unsafe nanosleep(&length, nil)
        milliseconds = min(milliseconds * 2, 50)
        return true
    }
}
