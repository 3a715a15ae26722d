// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Finds chatelained and starts it for a client if no service runs.
public struct DaemonLauncher: Sendable {
    /// The program's possible paths, best first.
    public let candidates: [String]

    public init(candidates: [String]) {
        self.candidates = candidates
    }

    /// Creates a launcher that searches beside the running executable, then in PATH, then in the usual installation
    /// folders.
    public init(executablePath: String?, searchPath: String?, home: String?) {
        candidates = programCandidates(
            "chatelained", executablePath: executablePath,
            folders: (searchPath ?? "").split(separator: ":").map(String.init), home: home)
    }

    /// Returns a launcher for this process.
    public static func current() -> DaemonLauncher {
        DaemonLauncher(
            executablePath: ownExecutablePath(), searchPath: environmentVariable("PATH"),
            home: environmentVariable("HOME"))
    }

    /// Returns the first candidate that is a file and that this user may run.
    public func locate() -> String? { firstProgram(of: candidates) }

    /// Runs `chatelained --detach` and waits until it has detached, so that no child process remains.
    ///
    /// The service gets this process's environment and /dev/null for its standard streams. Throws `.launchFailed`, with
    /// the reason that the program writes to its standard error.
    public func launch(timeout: Duration = .seconds(5)) throws(EndpointError) {
        // A setgid client's group would become the service's, and a user with fewer rights controls PATH.
        guard !isPrivilegedProgram() else { throw .launchFailed(.privilegedProgram) }
        guard let program = locate() else { throw .launchFailed(.programNotFound(searched: candidates)) }
        let child: ChildProcess
        let errors: OwnedDescriptor
        do throws(SystemCallError) {
            let (own, other) = try SocketPair.make()
            defer { close(other) }
            errors = try OwnedDescriptor(own, from: "socketpair")
            child = try ChildProcess(program, arguments: ["--detach"], streams: .errors(to: other), environment: nil)
        } catch {
            throw .launchFailed(.spawn(program: program, error))
        }
        var backoff = Backoff(timeout: timeout)
        while true {
            switch child.reapIfEnded() {
            // Without a report, connecting reveals whether the start succeeded.
            case .exited(status: 0), .notReported: return
            case .exited(let status):
                throw .launchFailed(.exited(program: program, status: status, report: LaunchReport(errors)))
            case .killed(let signal): throw .launchFailed(.terminated(program: program, signal: signal))
            case nil: guard backoff.pause() else { throw .launchFailed(.timedOut(program: program)) }
            }
        }
    }
}

/// Returns the possible paths of a program of Chatelaine, best first: beside the running executable, in the given folders,
/// then in the usual installation folders.
///
/// - Parameter folders: a relative path is ignored, because it depends on the program's working directory.
func programCandidates(_ name: String, executablePath: String?, folders: [String], home: String?) -> [String] {
    var places = executablePath.flatMap(folderPath(of:)).map { [$0] } ?? []
    places += folders.filter { $0.hasPrefix("/") }
    if let home, home.hasPrefix("/") { places.append(home + "/.local/bin") }
    places += ["/usr/local/bin", "/usr/bin"]
    var seen: Set<String> = []
    return places.map { "\($0)/\(name)" }.filter { seen.insert($0).inserted }
}

/// Returns the folder of a file.
func folderPath(of path: String) -> String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }

extension EndpointSocket {
    /// Connects. If no service listens, starts one and retries until `timeout` has passed. Never starts the system
    /// service: a user service in its place would have another keychain.
    ///
    /// Throws the errors of ``init(connectingTo:servers:timeout:)`` and ``DaemonLauncher/launch(timeout:)``.
    public static func connectOrLaunch(
        _ endpoint: ServiceEndpoint, launcher: DaemonLauncher = .current(), timeout: Duration = .seconds(5)
    ) throws(EndpointError) -> EndpointSocket {
        if let socket = try connectIfRunning(endpoint, timeout: timeout) { return socket }
        guard endpoint.kind == .user else {
            throw .notRunning(
                path: endpoint.socketPath,
                hint:
                    "the system service of this machine is not running; as root: systemctl start chatelaine.socket, and "
                    + "journalctl -u chatelaine shows why it ended"
            )
        }
        var backoff = Backoff(timeout: timeout)
        var attempts = 0
        repeat {
            // Repeated from time to time, because a service that was about to end counted as running and is gone now.
            if attempts.isMultiple(of: 6) { try launcher.launch(timeout: timeout) }
            attempts += 1
            if let socket = try connectIfRunning(endpoint, timeout: timeout) { return socket }
        } while backoff.pause()
        throw .notRunning(
            path: endpoint.socketPath,
            hint: endpoint.serviceIsRunning()
                ? "another service already serves the keychain \(endpoint.databasePath): stop it, or set "
                    + "XDG_RUNTIME_DIR to the folder of its socket"
                : "chatelained was started but does not listen; see its log")
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

/// Pauses that grow from one millisecond to fifty, within a total limit.
private struct Backoff {
    private let deadline: ContinuousClock.Instant
    private var milliseconds = 1

    init(timeout: Duration) {
        deadline = ContinuousClock.now + timeout
    }

    /// Pauses; returns false, without a pause, if the time is over.
    mutating func pause() -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        var length = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
        // A signal may shorten the pause, which does no harm.
        unsafe nanosleep(&length, nil)
        milliseconds = min(milliseconds * 2, 50)
        return true
    }
}
