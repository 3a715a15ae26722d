// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPrompting

/// The agent from its start to its end: what `chatelaine-agent` does.
public enum AgentProgram {
    /// How it ended.
    public enum Ending: Hashable, Sendable {
        /// There is nothing for it to do, or nothing more.
        case done(String)
        /// What has to be changed first.
        case failed(String, hint: String?, status: Int32)
    }

    /// sysexits.h: no permission, and a configuration that cannot be.
    private static let (noPermission, configuration): (Int32, Int32) = (77, 78)

    /// Gives up what it does not need. To be called first of all.
    public static func harden() {
        _ = ProcessHardening.resetCrashSignals()
        _ = ProcessHardening.ignoreBrokenPipes()
        // A set-group-id program is so already; with a file capability, too. From now on it stays so.
        _ = ProcessHardening.disableCoreDumps()
        _ = ProcessHardening.closeInheritedDescriptors()
        _ = ProcessHardening.forbidNewPrivileges()
        _ = ProcessHardening.forbidSystemCalls(allowingPrograms: true)
    }

    /// Asks people for the service of the system for as long as there is one. A lost connection is made again.
    ///
    /// - Parameter log: takes a line for people.
    public static func run(log report: (String) -> Void) -> Ending {
        // Only from beside this program: it is the service's hand, and not its user's.
        let programs = PromptPrograms(
            in: ServiceHelper.folders(named: nil), environment: OwnEnvironment.values(PromptPrograms.variables))
        let agent = PromptAgent(programs)
        var backoff = Backoff()
        // A service may be down for long: what is told once is not told again every minute.
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
                    return .done("this machine has no keychain service of the system: a user's own asks by itself")
                }
                let socket = try EndpointSocket.connectOrLaunch(endpoint)
                end = agent.serve(socket) {
                    backoff = Backoff()
                    log("asking for the service at \(endpoint.socketPath)")
                }
            } catch .unknownService(let value) {
                return .failed("\(EndpointError.unknownService(value))", hint: nil, status: configuration)
            } catch {
                end = .lost(error)
            }
            switch end {
            case .gaveWay: return .done("newer agents of this user have taken its place")
            case .refused(Refusal(.missingEntitlement, .agentOnly)):
                return .failed(
                    "the service takes no answers from this program",
                    hint: """
                        it has to be the one beside the service, and shielded by the kernel; as root: chatelaine enforce \
                        \(OwnExecutable.path ?? "chatelaine-agent")
                        """, status: noPermission)
            case .refused(let refusal): log("the service refused: \(refusal.status.rawValue), \(refusal.reason)")
            case .lost(let error): log("\(error)")
            case .protocolViolation: log("the service does not speak the protocol")
            }
            backoff.wait()
        }
    }

    /// Ever longer, up to a minute: a service that is down may be down for long.
    private struct Backoff {
        private var seconds = 1

        mutating func wait() {
            _ = try? Readiness.wait(for: [], timeout: .seconds(seconds))
            seconds = min(2 * seconds, 60)
        }
    }
}
