// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
public import KeychainPlatform
public import Logging
internal import Synchronization

/// The agents in users' sessions that show prompts for the system service, which cannot reach users' screens itself.
///
/// Each agent receives only its own user's prompts. The newest agent is used first; if it cannot prompt, or violates
/// the protocol, the previous one is used.
public final class PromptAgents: Sendable {
    /// The maximum number for one user: one for each session that a user is likely to have at the same time.
    static let limit = 4

    private let clock: MonotonicClock
    private let log: @Sendable (Logger.Level, String) -> Void
    /// The agents of each user, the newest last.
    private let links = Mutex<[UInt32: [AgentLink]]>([:])

    public init(
        clock: MonotonicClock,
        log: @escaping @Sendable (Logger.Level, String) -> Void = { _, _ in }
    ) {
        self.clock = clock
        self.log = log
    }

    /// Returns the prompter for a user's keychain.
    public func prompter(for user: UInt32, limits: PromptQueue.Limits = .init()) -> Prompter {
        PromptQueue(
            limits: limits, clock: clock, reach: { [self] in reach(of: user) }, prompters: [show(for: user)]
        ).prompter
    }

    /// Adds an agent, which is used first from now on. If the user has reached the limit, the oldest agent is removed,
    /// because its session has more likely ended than the new one.
    func add(_ link: AgentLink, of user: UInt32) {
        let oldest: AgentLink? = links.withLock { links in
            var own = links[user] ?? []
            let oldest = own.count < Self.limit ? nil : own.removeFirst()
            own.append(link)
            links[user] = own
            return oldest
        }
        oldest?.giveWay()
        log(.info, "an agent of user \(user) connected")
    }

    func remove(_ link: AgentLink, of user: UInt32) {
        links.withLock { links in
            links[user]?.removeAll { $0 === link }
            if links[user]?.isEmpty == true { links[user] = nil }
        }
        log(.info, "an agent of user \(user) disconnected")
    }

    private func links(of user: UInt32) -> [AgentLink] { links.withLock { $0[user] ?? [] } }

    /// Returns the reach of the user's agents. The display of an agent is only a fallback, because the process that
    /// starts the agent chooses it.
    private func reach(of user: UInt32) -> PromptQueue.Reach? {
        let links = links(of: user)
        guard !links.isEmpty else { return nil }
        let display = links.reversed().lazy.compactMap(\.display).first
        return PromptQueue.Reach(display: display, isDisplayTrusted: false)
    }

    private func show(for user: UInt32) -> PromptQueue.Show {
        { [self] request, timeout, interruption in
            let deadline = clock.nanoseconds() + timeout.nanoseconds
            for link in links(of: user).reversed() {
                let now = clock.nanoseconds()
                guard now < deadline else { return .timedOut }
                let left = Duration.nanoseconds(Int64(clamping: deadline - now))
                let answer = link.ask(request, timeout: left, interruption)
                if case .notAsked = answer { continue }
                return answer
            }
            return .notAsked()
        }
    }
}
