// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import SecretMemory
internal import Synchronization

/// Authenticates the owner of a keychain: by its passcode, which the keybag verifies, or by a finger.
struct Authenticator: Sendable {
    let prompter: Prompter
    let biometry: BiometryReader
    let gate: BiometryGate
    let lock: LockController

    /// The number of mistyped passcodes or wrong fingers that one request allows.
    private static let tries = 3

    /// Returns the available authentication methods of a user for a requirement. The reader may be slow, so it is
    /// queried only if a finger could make a difference.
    func state(of user: UInt32, for requirement: AuthenticationRequirement) -> AuthenticationState {
        let state = AuthenticationState(hasPasscode: lock.isProtected)
        guard requirement.factors.contains(.biometry) else { return state }
        // No finger counts now, and none is needed.
        if gate.isLockedOut, requirement.isMet(by: state.available) { return state }
        return self.state(of: user)
    }

    /// Returns the available authentication methods of a user.
    func state(of user: UInt32) -> AuthenticationState {
        var state = AuthenticationState(hasPasscode: lock.isProtected)
        guard let enrolment = biometry.enrolment(user) else { return state }
        state.enrolment = enrolment.digest
        state.biometry = enrolment.digest == nil ? .notEnrolled : gate.isLockedOut ? .lockedOut : .enrolled
        return state
    }

    /// The enrolment that the reader reports for the keychain's owner; nil if there is none.
    var ownersEnrolment: BiometryReader.Enrolment? { biometry.enrolment(biometry.owner) }

    /// Prompts until the requirement is met or cannot be met.
    ///
    /// - Parameters:
    ///   - shown: the earlier authentication.
    ///   - prompt: the prompt; its purpose is set here.
    /// - Returns: the new authentication, in addition to the earlier one. Any result but success leaves the state
    ///   unchanged.
    func meet(
        _ requirement: AuthenticationRequirement, shown: Set<AuthenticationFactor>, with prompt: Prompt,
        at place: CallerLocation
    ) -> (outcome: AuthenticationOutcome, factors: Set<AuthenticationFactor>) {
        if requirement.isMet(by: shown) { return (.success, shown) }
        let state = state(of: prompt.caller.userID, for: requirement)
        if let obstacle = requirement.obstacle(in: state) { return (obstacle, shown) }
        var shown = shown
        let usable = requirement.factors.filter { state.available.contains($0) && !shown.contains($0) }
        for (index, factor) in usable.enumerated() {
            let isLast = index == usable.count - 1
            let outcome = show(factor, prompt, at: place)
            switch outcome {
            case .success:
                shown.insert(factor)
                if requirement.isMet(by: shown) { return (.success, shown) }
            case .fallback, .failed, .biometryNotAvailable, .biometryLockout:
                // The next method is the alternative.
                guard requirement.oneIsEnough, !isLast else { return (outcome, shown) }
            default:
                return (outcome, shown)
            }
        }
        return (.failed, shown)
    }

    private func show(
        _ factor: AuthenticationFactor, _ prompt: Prompt, at place: CallerLocation
    ) -> AuthenticationOutcome {
        switch factor {
        case .passcode: return showPasscode(prompt, at: place) { secret throws(Refusal) in try lock.verify(secret) }
        case .biometry: return showFinger(prompt, at: place)
        case .companion: return .companionNotAvailable
        }
    }

    /// Prompts for the passcode.
    ///
    /// - Parameter enter: uses the passcode for its purpose.
    func showPasscode(
        _ given: Prompt, at place: CallerLocation, _ enter: (ProtectorSecret<SecretBytes>) throws(Refusal) -> Void
    ) -> AuthenticationOutcome {
        var prompt = given
        // No alternative remains after this method.
        prompt.fallbackTitle = nil
        for attempt in 0..<Self.tries {
            guard let report = try? lock.report(), report.retryAfterSeconds == 0 else { return .failed }
            prompt.purpose = .passcode(wasWrong: attempt > 0)
            switch prompter.ask(prompt, for: place) {
            case .secret(let passcode):
                do throws(Refusal) {
                    try enter(ProtectorSecret(.passcode, passcode))
                    return .success
                } catch {
                    switch error.reason {
                    case .wrongSecret: continue
                    // The passcode was removed meanwhile.
                    case .noSuchProtector: return .passcodeNotSet
                    default: return .failed
                    }
                }
            case .notAsked: return .notInteractive
            case .cancelled: return .cancelled
            case .timedOut: return .withdrawn
            case .fallback: return .fallback
            case .denied, .allowed: return .failed
            }
        }
        return .failed
    }

    /// Waits for the reader while the prompt is shown; the end of either ends the other. The reader starts only after
    /// the prompt is shown: a finger that is meant for another program's prompt must not count for this one.
    func showFinger(_ given: Prompt, at place: CallerLocation) -> AuthenticationOutcome {
        let user = given.caller.userID
        guard let enrolment = biometry.enrolment(user), enrolment.digest != nil else { return .biometryNotAvailable }
        guard let promptsEnd = Withdrawal(), let readersEnd = Withdrawal(), let isShown = Withdrawal(),
            let answer = PromptInBackground()
        else { return .failed }
        var prompt = given
        prompt.purpose = .biometry(reader: enrolment.reader)
        let started = SystemThread.start { [prompter, prompt] in
            let given = prompter.ask(prompt, for: place, withdrawal: promptsEnd) { isShown.withdraw() }
            answer.put(given)
            readersEnd.withdraw()
        }
        guard started else { return .failed }
        // Each prompt is shown or ends, in bounded time.
        while !isShown.isWithdrawn, !readersEnd.isWithdrawn {
            _ = try? Readiness.wait(for: [isShown.descriptor, readersEnd.descriptor], timeout: nil)
        }
        let outcome = isShown.isWithdrawn ? look(at: user, until: readersEnd) : nil
        // Whether the user ended the prompt, or the reader was not touched in time.
        let isEndedByPrompt = readersEnd.isWithdrawn
        promptsEnd.withdraw()
        let said = answer.wait()
        if let outcome { return outcome }
        guard isEndedByPrompt else { return .withdrawn }
        return switch said {
        case .notAsked: .notInteractive
        case .fallback: .fallback
        case .cancelled, .denied: .cancelled
        case .timedOut, .allowed, .secret: .withdrawn
        }
    }

    /// Reads a finger; nil if the reading was withdrawn, or the reader was not touched.
    private func look(at user: UInt32, until withdrawal: Withdrawal) -> AuthenticationOutcome? {
        for _ in 0..<Self.tries {
            // While the prompt waited for its turn, other attempts may have failed.
            if gate.isLockedOut { return .biometryLockout }
            switch biometry.look(user, withdrawal) {
            case .match: return gate.noteMatch() ? .success : .biometryLockout
            case .noMatch: gate.noteFailure()
            case .unavailable: return .biometryNotAvailable
            case .withdrawn: return nil
            }
        }
        return gate.isLockedOut ? .biometryLockout : .failed
    }
}

/// The answer to a prompt that another thread shows.
private final class PromptInBackground: Sendable {
    private let answer = Mutex<PromptAnswer?>(nil)
    private let event: Withdrawal

    /// Creates the prompt; nil if the system has no free descriptors.
    init?() {
        guard let event = Withdrawal() else { return nil }
        self.event = event
    }

    func put(_ given: PromptAnswer) {
        answer.withLock { $0 = given }
        event.withdraw()
    }

    /// Waits for the answer, which arrives in bounded time after the prompt is withdrawn.
    func wait() -> PromptAnswer {
        while true {
            if let given = answer.withLock({ $0 }) { return given }
            _ = try? Readiness.wait(for: [event.descriptor], timeout: nil)
        }
    }
}
