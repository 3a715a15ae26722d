// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
internal import Synchronization

/// Shows one prompt at a time, in the order of arrival, and limits the prompts of one program.
///
/// A prompt is withdrawn when its caller disconnects or exits (stopping the service disconnects all callers), when its
/// time is over, or when its requester withdraws it. A confirmation is also withdrawn when the keychain is locked.
public final class PromptQueue: Sendable {
    public struct Limits: Sendable {
        /// The maximum number of prompts that wait behind the shown one.
        public var waiting = 8
        /// The maximum number of prompts of one program that wait, so that a program leaves room for the others.
        public var waitingOfProgram = 2
        /// The time for the user to answer, and the time that a prompt waits for its turn.
        public var patience: Duration = .seconds(120)
        /// The additional time of a prompter: its own time limit cleans up the screen, which being killed does not.
        public var grace: Duration = .seconds(5)
        /// The number of denied or dismissed prompts within `window` after which a program is blocked for `pause`, so
        /// that a user is not worn down into an approval. Three, because a user may err once and change their mind
        /// once; a minute, because few users forget an answer within that time.
        public var refusals = 3
        /// The same for all programs of a user together, because a program can create as many others as it likes.
        public var refusalsOfUser = 6
        public var window: Duration = .seconds(60)
        public var pause: Duration = .seconds(60)

        public init() {}
    }

    /// Shows a prompt, and waits for the answer within the given time, or until the interruption, which cancels the
    /// prompt. The answer is `.notAsked` if it cannot show prompts there, and the next prompter may.
    public typealias Show =
        @Sendable (PromptRequest, _ timeout: Duration, ServiceHelper.Interruption) -> PromptAnswer

    /// The facts about the program that shows prompts.
    public struct Reach: Sendable {
        /// Its own display, for callers without a place of their own.
        public var display: PromptDisplay?
        /// Whether no program of the user can have chosen that display. Only there a confirmation counts without the
        /// passcode.
        public var isDisplayTrusted: Bool

        public init(display: PromptDisplay?, isDisplayTrusted: Bool) {
            self.display = display
            self.isDisplayTrusted = isDisplayTrusted
        }
    }

    private let limits: Limits
    private let clock: MonotonicClock
    private let reach: @Sendable () -> Reach?
    private let prompters: [Show]
    private let state = Mutex(State())

    private struct State {
        /// The prompts in the queue; the first one is shown.
        var tickets: [Ticket] = []
        /// The maximum number of prompts at the same time.
        var mostTickets = 0
        var refusals: [Asker: Refusals] = [:]
    }

    private enum Asker: Hashable {
        /// Not identified by path, because one file can have many paths.
        case program(UserProgram)
        case user(UInt32)
    }

    private struct Refusals {
        var moments: [UInt64] = []
        var blockedUntil: UInt64 = 0
        var latest: UInt64 { max(moments.last ?? 0, blockedUntil) }
    }

    /// At most this many programs and users are tracked; the oldest refusal is evicted.
    private static let programs = 256

    private final class Ticket: Sendable {
        let program: UserProgram
        let isConfirmation: Bool
        private let event: WakeUp
        private let isWithdrawnByLock = Mutex(false)

        init?(of program: UserProgram, isConfirmation: Bool) {
            guard let event = try? WakeUp() else { return nil }
            self.event = event
            self.program = program
            self.isConfirmation = isConfirmation
        }

        var descriptor: Int32 { event.descriptor }
        var isWithdrawn: Bool { isWithdrawnByLock.withLock { $0 } }

        func wake() { event.signal() }

        func heard() { event.drain() }

        func withdraw() {
            isWithdrawnByLock.withLock { $0 = true }
            event.signal()
        }
    }

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - ownDisplay: the display on which the service itself was started. Only there a confirmation counts without
    ///     the passcode.
    ///   - prompters: best first. If a prompter cannot show prompts, the next one is tried.
    public convenience init(
        limits: Limits = Limits(), clock: MonotonicClock, ownDisplay: PromptDisplay?, prompters: [Show]
    ) {
        let reach = prompters.isEmpty ? nil : Reach(display: ownDisplay, isDisplayTrusted: true)
        self.init(limits: limits, clock: clock, reach: { reach }, prompters: prompters)
    }

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - reach: the facts about the program that shows prompts at the moment; nil if there is none, and then no
    ///     prompt is shown.
    ///   - prompters: best first. If a prompter cannot show prompts, the next one is tried.
    public init(
        limits: Limits = Limits(), clock: MonotonicClock, reach: @escaping @Sendable () -> Reach?, prompters: [Show]
    ) {
        self.limits = limits
        self.clock = clock
        self.reach = reach
        self.prompters = prompters
    }

    public var prompter: Prompter {
        Prompter(
            way: { [self] place in way(at: place) },
            lockHappened: { [self] in withdrawConfirmations() }, queue: { [self] in figures },
            turn: { [self] caller, place, ask in
                inTurn(caller, at: place, isConfirmation: false) { ask(limits.patience, $0) }
            },
            body: { [self] in ask($0, at: $1, withdrawal: $2, isShown: $3) })
    }

    private func way(at place: CallerLocation) -> String? {
        // The caller's process is not inspected if no prompt is possible.
        guard let reach = reach() else { return nil }
        let found = place.find()
        if found.display != nil || reach.display != nil { return "window" }
        return found.terminal == nil ? nil : "terminal"
    }

    // MARK: Prompting

    private func ask(
        _ prompt: Prompt, at place: CallerLocation, withdrawal: Withdrawal?, isShown: () -> Void
    ) -> PromptAnswer {
        guard let reach = reach() else { return .notAsked() }
        guard !isBlocked(prompt.caller) else { return .notAsked(.tooManyPrompts) }
        let shown: PromptLocation
        switch chooseLocation(for: prompt, place.find(), reach) {
        case .here(let found): shown = found
        case .none(let reason): return .notAsked(reason)
        }
        // Every program can run the command and the general clients, so another program is behind the request. It may
        // have exited when it is this prompt's turn.
        let starters = prompt.caller.identity.actsForEveryProgram ? place.starters() : []
        return inTurn(
            prompt.caller, at: place, isConfirmation: prompt.isConfirmation, withdrawal: withdrawal, isShown: isShown
        ) {
            show(prompt, starters, on: shown, $0)
        }
    }

    /// Waits for the caller's turn, and then prompts.
    private func inTurn(
        _ caller: Caller, at place: CallerLocation, isConfirmation: Bool, withdrawal: Withdrawal? = nil,
        isShown: () -> Void = {}, ask: (ServiceHelper.Interruption) -> PromptAnswer
    ) -> PromptAnswer {
        guard !isBlocked(caller) else { return .notAsked(.tooManyPrompts) }
        guard let ticket = Ticket(of: UserProgram(of: caller), isConfirmation: isConfirmation) else {
            return .notAsked()
        }
        guard enter(ticket) else { return .notAsked(.tooManyPrompts) }
        defer { leave(ticket) }
        var interruption = place.interruption
        interruption.readable.append(ticket.descriptor)
        if let withdrawal { interruption.readable.append(withdrawal.descriptor) }

        switch waitForTurn(ticket, interruption, withdrawal) {
        case .turn: break
        case .withdrawn, .gone: return .cancelled
        case .timedOut: return .timedOut
        }
        // It may have been denied while this one waited.
        guard !isBlocked(caller) else { return .notAsked(.tooManyPrompts) }
        isShown()
        let answer = ask(interruption)
        let isTakenBack = ticket.isWithdrawn || withdrawal?.isWithdrawn == true
        switch answer {
        case .denied, .cancelled: if !isTakenBack { noteRefusal(of: caller) }
        case .notAsked, .timedOut, .fallback, .allowed, .secret: break
        }
        // An approval given while the keychain was unlocked does not count when it is locked.
        return isTakenBack ? .cancelled : answer
    }

    private enum LocationChoice {
        case here(PromptLocation)
        case none(Refusal.Reason)
    }

    private func chooseLocation(for prompt: Prompt, _ found: PromptLocation, _ reach: Reach) -> LocationChoice {
        let own = PromptLocation(locale: found.locale, display: reach.display)
        if case .confirmation(_, needsPasscode: false, _) = prompt.purpose {
            // A program can create a terminal or a display, and answer there itself.
            if reach.isDisplayTrusted, !own.isNowhere { return .here(own) }
            return .none(found.isNowhere && own.isNowhere ? .none : .passcodeNeededToAsk)
        }
        if !found.isNowhere { return .here(found) }
        return own.isNowhere ? .none(.none) : .here(own)
    }

    private func show(
        _ prompt: Prompt, _ starters: [String], on place: PromptLocation, _ interruption: ServiceHelper.Interruption
    ) -> PromptAnswer {
        let seconds = UInt16(clamping: limits.patience.components.seconds)
        let request = PromptRequest(prompt, starters: starters, seconds: max(1, seconds), place: place)
        let deadline = clock.nanoseconds() + (limits.patience + limits.grace).nanoseconds
        for prompter in prompters {
            let now = clock.nanoseconds()
            guard now < deadline else { return .timedOut }
            let answer = prompter(request, .nanoseconds(Int64(clamping: deadline - now)), interruption)
            if case .notAsked = answer { continue }
            return answer
        }
        return .notAsked()
    }

    // MARK: The queue

    private func enter(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            let ofProgram = state.tickets.dropFirst().count { $0.program == ticket.program }
            guard state.tickets.count <= limits.waiting, ofProgram < limits.waitingOfProgram else { return false }
            state.tickets.append(ticket)
            state.mostTickets = max(state.mostTickets, state.tickets.count)
            return true
        }
    }

    private var figures: ServiceFigures.Queue {
        let (now, most) = state.withLock { ($0.tickets.count, $0.mostTickets) }
        return .init(.questions, now: UInt64(now), most: UInt64(most), bound: UInt64(limits.waiting + 1))
    }

    private func leave(_ ticket: Ticket) {
        state.withLock { state in
            let wasFirst = state.tickets.first === ticket
            state.tickets.removeAll { $0 === ticket }
            // For the shown prompt, its bell means that it was withdrawn.
            if wasFirst { state.tickets.first?.wake() }
        }
    }

    private enum Turn { case turn, withdrawn, gone, timedOut }

    private func waitForTurn(
        _ ticket: Ticket, _ interruption: ServiceHelper.Interruption, _ withdrawal: Withdrawal?
    ) -> Turn {
        let deadline = clock.nanoseconds() + limits.patience.nanoseconds
        while true {
            // The reason for the wake-up is determined below.
            ticket.heard()
            if ticket.isWithdrawn || withdrawal?.isWithdrawn == true { return .withdrawn }
            let isFirst = state.withLock { $0.tickets.first === ticket }
            if isFirst {
                // The bell may have rung for the turn since. From now on it means that the prompt is withdrawn.
                ticket.heard()
                return ticket.isWithdrawn ? .withdrawn : .turn
            }
            let now = clock.nanoseconds()
            guard now < deadline else { return .timedOut }
            let others = interruption.readable.filter { $0 != ticket.descriptor }
            // Checked separately, because the ticket only causes another check.
            if (try? Readiness.wait(for: others, hangUpOf: interruption.hungUp, timeout: .zero)) == true {
                return withdrawal?.isWithdrawn == true ? .withdrawn : .gone
            }
            _ = try? Readiness.wait(
                for: interruption.readable, hangUpOf: interruption.hungUp,
                timeout: .nanoseconds(Int64(clamping: deadline - now)))
        }
    }

    private func withdrawConfirmations() {
        state.withLock { state in
            for ticket in state.tickets where ticket.isConfirmation { ticket.withdraw() }
        }
    }

    // MARK: Limits

    /// Returns the program and its user, with the limit of refusals for each.
    private func askers(_ caller: Caller) -> [(Asker, limit: Int)] {
        [(.program(UserProgram(of: caller)), limits.refusals), (.user(caller.userID), limits.refusalsOfUser)]
    }

    private func isBlocked(_ caller: Caller) -> Bool {
        let now = clock.nanoseconds()
        return state.withLock { state in
            askers(caller).contains { (state.refusals[$0.0]?.blockedUntil ?? 0) > now }
        }
    }

    private func noteRefusal(of caller: Caller) {
        let now = clock.nanoseconds()
        state.withLock { state in
            for (asker, limit) in askers(caller) {
                var refusals = state.refusals[asker] ?? Refusals()
                refusals.moments.removeAll { $0 + limits.window.nanoseconds <= now }
                refusals.moments.append(now)
                if refusals.moments.count >= limit {
                    refusals.moments = []
                    refusals.blockedUntil = now + limits.pause.nanoseconds
                }
                state.refusals[asker] = refusals
            }
            while state.refusals.count > Self.programs,
                let oldest = state.refusals.min(by: { $0.value.latest < $1.value.latest })
            {
                state.refusals[oldest.key] = nil
            }
        }
    }
}
