// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A wait of one thread that another thread ends.
public struct PromptWait: Sendable {
    let end: @Sendable () -> Void
    let wait: @Sendable (Duration) throws(AgentError) -> Void

    /// - Parameters:
    ///   - end: ends the current or the next wait; from any thread.
    ///   - wait: waits at most this long. May end earlier.
    public init(end: @escaping @Sendable () -> Void, wait: @escaping @Sendable (Duration) throws(AgentError) -> Void) {
        self.end = end
        self.wait = wait
    }
}

/// Shows one prompt at a time, in the order of arrival, and limits the prompts of one client, as the queue of the
/// keychain service does.
public final class PromptTurns: Sendable {
    enum Limits {
        /// The prompts that wait behind the shown one.
        static let waiting = 8
        /// The same of one client process, so that it leaves room for the others.
        static let waitingOfClient = 2
        /// The time that a prompt waits for its turn.
        static let patience = Duration.seconds(120)
        /// The denials in a row after which a client may not prompt for `pause`.
        static let denials = 3
        /// Milliseconds. A denial that is older counts no more.
        static let pause: UInt64 = 30_000
    }

    private struct Ticket {
        let number: UInt64
        let client: Int32?
        /// Ended when the ticket is the first.
        let wait: PromptWait
    }

    private struct Denials {
        var count = 0
        /// In milliseconds of the clock.
        var latest: UInt64 = 0
    }

    private struct State {
        /// The first one is shown.
        var tickets: [Ticket] = []
        var lastNumber: UInt64 = 0
        /// By process; all clients that cannot be inspected are one.
        var denials: [Int32?: Denials] = [:]
    }

    private let uptime: @Sendable () -> UInt64
    private let makeWait: @Sendable () throws(AgentError) -> PromptWait
    private let state = Mutex(State())

    /// - Parameter uptime: milliseconds of a clock that never jumps.
    public init(
        uptime: @escaping @Sendable () -> UInt64, makeWait: @escaping @Sendable () throws(AgentError) -> PromptWait
    ) {
        self.uptime = uptime
        self.makeWait = makeWait
    }

    /// Waits for the turn of a client, and asks.
    ///
    /// - Parameters:
    ///   - client: its process; nil if it cannot be inspected.
    ///   - ask: shows the prompt; returns nil if the user denies.
    /// - Throws: the errors of `ask`, and one without a prompt if the client has too many or was denied too often.
    public func take<Answer>(
        by client: Int32?, _ ask: () throws(AgentError) -> Answer?
    ) throws(AgentError) -> Answer? {
        try checkDenials(of: client)
        let wait = try makeWait()
        let number = try enter(client, wait)
        defer { leave(number) }
        try self.wait(until: number, wait)
        // Another prompt of the client may have been denied meanwhile.
        try checkDenials(of: client)
        let answer = try ask()
        note(isDenied: answer == nil, of: client)
        return answer
    }

    /// The prompts that are shown or wait.
    var count: Int { state.withLock(\.tickets.count) }

    /// Returns the number of the prompt's ticket.
    private func enter(_ client: Int32?, _ wait: PromptWait) throws(AgentError) -> UInt64 {
        let number: UInt64? = state.withLock { state in
            let ofClient = state.tickets.dropFirst().count { $0.client == client }
            guard state.tickets.count <= Limits.waiting, state.tickets.isEmpty || ofClient < Limits.waitingOfClient
            else { return nil }
            state.lastNumber += 1
            state.tickets.append(Ticket(number: state.lastNumber, client: client, wait: wait))
            return state.lastNumber
        }
        guard let number else { throw AgentError("too many prompts wait for the user already") }
        return number
    }

    private func leave(_ number: UInt64) {
        state.withLock { state in
            state.tickets.removeAll { $0.number == number }
            state.tickets.first?.wait.end()
        }
    }

    private func wait(until number: UInt64, _ wait: PromptWait) throws(AgentError) {
        let deadline = ContinuousClock.now + Limits.patience
        while state.withLock({ $0.tickets.first?.number != number }) {
            let left = deadline - .now
            guard left > .zero else { throw AgentError("the user has not answered another prompt in time") }
            try wait.wait(left)
        }
    }

    // MARK: Denials

    private func checkDenials(of client: Int32?) throws(AgentError) {
        let now = uptime()
        let isPaused = state.withLock { state in
            state.denials = state.denials.filter { $0.value.latest + Limits.pause > now }
            return state.denials[client].map { $0.count >= Limits.denials } ?? false
        }
        guard !isPaused else {
            throw AgentError(
                "the user has denied \(Limits.denials) prompts of the client; none is shown for "
                    + "\(Limits.pause / 1000) seconds")
        }
    }

    private func note(isDenied: Bool, of client: Int32?) {
        let now = uptime()
        state.withLock { state in
            guard isDenied else {
                state.denials[client] = nil
                return
            }
            state.denials[client, default: Denials()].count += 1
            state.denials[client]?.latest = now
        }
    }
}
