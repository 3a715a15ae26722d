// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import KeychainPlatform
internal import SSHAgent
internal import SSHAgentProtocol

/// The clocks, files and programs of this machine.
enum AgentEnvironment {
    static func dependencies(
        _ hash: FingerprintHash, report: @escaping @Sendable (String) -> Void
    ) -> Agent.Dependencies {
        let turns = PromptTurns(uptime: uptime, makeWait: promptWait)
        return Agent.Dependencies(
            uptime: uptime,
            time: { UInt64(max(0, WallClock.live.now() + Double(WallClock.referenceDateInUnixTime))) },
            randomBytes: RandomSource.live.bytes,
            confirm: { request in
                do throws(AgentError) {
                    return try turns.take(by: request.process) { () throws(AgentError) in
                        try AskPass.confirm(request.text(hash))
                    } != nil
                } catch {
                    report("The user cannot be asked about a signature: \(error).")
                    return false
                }
            },
            signInSecurityKey: { work throws(AgentError) in try SecurityKeyHelper.sign(work, turns) },
            absolutePath: absolutePath, knownHosts: knownHosts,
            report: report)
    }

    @Sendable private static func promptWait() throws(AgentError) -> PromptWait {
        do throws(SystemCallError) {
            let wakeUp = try WakeUp()
            return PromptWait(end: { wakeUp.signal() }) { time throws(AgentError) in
                do throws(SystemCallError) {
                    _ = try Readiness.wait(for: [wakeUp.descriptor], timeout: time)
                } catch {
                    throw AgentError("the prompt cannot wait for its turn: \(error)")
                }
            }
        } catch {
            throw AgentError("the prompt cannot wait for its turn: \(error)")
        }
    }

    /// Milliseconds of a clock that never jumps, and continues while the machine sleeps.
    @Sendable static func uptime() -> UInt64 { MonotonicClock.includingSleep.nanoseconds() / 1_000_000 }

    /// The path of the program of a process; nil if it is not known.
    static func programPath(_ process: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }

    /// The name of the program of a process, for prompts and the log.
    static func programName(_ process: Int32) -> String {
        programPath(process)?.split(separator: "/").last.map(String.init) ?? "an unknown program"
    }

    @Sendable private static func absolutePath(_ path: String) -> String? {
        // The result is copied and freed.
        guard path.hasPrefix("/"), let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// The files that ssh reads by default.
    @Sendable private static func knownHosts() -> [KnownHosts] {
        let folder = ProcessInfo.processInfo.environment["HOME"].map { "\($0)/.ssh/" }
        let user = folder.map { ["\($0)known_hosts", "\($0)known_hosts2"] } ?? []
        let machine = ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]
        return (user + machine).compactMap { path in
            FileManager.default.contents(atPath: path).map { KnownHosts(Array($0)) }
        }
    }
}
