// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPrompting

/// The agent from its start to its end: the implementation of `chatelaine-agent`.
public enum AgentProgram {
    /// The reason why the agent ended.
    public enum Ending: Hashable, Sendable {
        /// The agent has nothing to do, or nothing more.
        case done(String)
        /// A problem that has to be fixed first.
        case failed(String, hint: String?, status: Int32)
    }

    /// sysexits.h: no permission, and an invalid configuration.
    private static let (noPermission, configuration): (Int32, Int32) = (77, 78)

    /// Drops privileges that the agent does not need. Call this first.
    public static func harden() {
        _ = ProcessHardening.resetCrashSignals()
        _ = ProcessHardening.ignoreBrokenPipes()
        // A set-group-id program, or a program with a file capability, is already protected. From now on it stays
        // protected.
        _ = ProcessHardening.disableCoreDumps()
        _ = ProcessHardening.closeInheritedDescriptors()
        _ = ProcessHardening.forbidNewPrivileges()
        _ = ProcessHardening.forbidSystemCalls(allowingPrograms: true)
    }

    /// Shows prompts for the system service as long as the service exists. Reconnects after a lost connection.
    ///
    /// - Parameter log: receives lines for display.
    public static func run(log report: (String) -> Void) -> Ending {
        // Only from beside this program, because the agent acts for the service, and not for its user.
        let programs = PromptPrograms(
            in: ServiceHelper.folders(named: nil), environment: OwnEnvironment.values(PromptPrograms.variables))
        let agent = PromptAgent(programs)
        var backoff = Backoff()
        // A service may be down for long, so the same message is not repeated every minute.
        var told = ""
        func log(_ text: String) {
            if text != told { report(text) }
            told = text
        }
        while true {
            let end: PromptAgent.End
            do throws(EndpointError) {
                let endpoint = try ServiceEndpoint.current()
                guard endpoint.kind == .system else {
                    return .done("this machine has no system service; a user service needs no agent")
                }
                let socket = try EndpointSocket.connectOrLaunch(endpoint)
                end = agent.serve(socket) {
                    backoff = Backoff()
                    log("showing prompts of the service at \(endpoint.socketPath)")
                }
            } catch .unknownService(let value) {
                return .failed("\(EndpointError.unknownService(value))", hint: nil, status: configuration)
            } catch {
                end = .lost(error)
            }
            switch end {
            case .gaveWay: return .done("newer agents of this user have replaced this agent")
            case .refused(Refusal(.missingEntitlement, .agentOnly)):
                return .failed(
                    "the service accepts no answers from this program",
                    hint: """
                        run the agent that is installed beside the service, and shield it; as root: chatelaine enforce \
                        \(OwnExecutable.path ?? "chatelaine-agent")
                        """, status: noPermission)
            case .refused(let refusal):
                log("the service refused this agent: \(refusal.status.rawValue), \(refusal.reason)")
            case .lost(let error): log("\(error)")
            case .protocolViolation: log("the service violates the protocol")
            }
            backoff.wait()
        }
    }

    /// Increasing delays, up to a minute, because a service may be down for long.
    private struct Backoff {
        private var seconds = 1

        mutating func wait() {
            _ = try? Readiness.wait(for: [], timeout: .seconds(seconds))
            seconds = min(2 * seconds, 60)
        }
    }
}
