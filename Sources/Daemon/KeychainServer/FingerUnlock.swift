// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import SecretMemory
internal import Synchronization

/// Unlocks a keychain by fingerprint, if its owner has enabled that (`Setting.unlocksByFinger`).
///
/// A finger is a yes or a no, and gives no key. So each time the passcode is entered, the key that it opened is kept
/// for later unlocks, sealed under a secret that only a token can open (SECURITY.md, "Unlock by fingerprint"). The
/// sealed key is kept in memory alone.
final class FingerUnlock: Sendable {
    /// The times after which the passcode is needed again: Apple's rules (Platform Security guide, "Passcodes and
    /// passwords").
    enum Rules {
        /// The time after the last unlock, in nanoseconds.
        static let unused: UInt64 = 48 * 3600 * 1_000_000_000
        /// The time after the passcode was entered …
        static let sincePasscode: UInt64 = 156 * 3600 * 1_000_000_000
        /// … if no finger unlocked the keychain for this time.
        static let sinceFinger: UInt64 = 4 * 3600 * 1_000_000_000
    }

    private struct Kept {
        let key: KeptKeybagKey
        /// Its secret, as sealed by the token.
        let blob: [UInt8]
        let token: TokenKind
        let enrolment: [UInt8]
        var passcodeTime: UInt64
        var lastUnlock: UInt64
    }

    private struct State {
        var kept: Kept?
        /// The time of the last unlock by fingerprint, and the lock epoch that began with it.
        var finger: (time: UInt64, epoch: UInt64)?
    }

    private let lock: LockController
    private let authenticator: Authenticator
    private let secureElement: SecureElement
    private let state = Mutex(State())

    init(_ lock: LockController, _ authenticator: Authenticator, _ secureElement: SecureElement) {
        self.lock = lock
        self.authenticator = authenticator
        self.secureElement = secureElement
        lock.whenPasscodeIsGiven { [weak self] key in
            self?.keep(key)
        } gone: { [weak self] in
            self?.state.withLock { $0 = State() }
        }
    }

    // MARK: The kept key

    /// Keeps the key. Errors here do not fail the request that gave the passcode: the next unlock requires the passcode
    /// again.
    private func keep(_ key: KeybagKey) {
        let isWanted = (try? lock.settings())?[.unlocksByFinger] == 1
        guard isWanted, let enrolment = authenticator.ownersEnrolment?.digest else {
            return state.withLock { $0.kept = nil }
        }
        let now = lock.now
        let isThere = state.withLock { state in
            guard state.kept?.enrolment == enrolment else { return false }
            state.kept?.passcodeTime = now
            state.kept?.lastUnlock = now
            return true
        }
        if isThere { return }
        do {
            var (closed, secret) = try KeptKeybagKey.closing(in: key)
            defer { wipe(&secret) }
            let (token, blob) = try secureElement.seal(secret)
            state.withLock { state in
                state.kept = Kept(
                    key: closed, blob: blob, token: token, enrolment: enrolment, passcodeTime: now, lastUnlock: now)
            }
        } catch {
            state.withLock { $0.kept = nil }
            lock.log("unlock by fingerprint is off until the passcode is entered again: \(error)")
        }
    }

    /// Returns the kept key for an unlock by fingerprint now.
    ///
    /// - Throws: `errSecAuthFailed` with the reason `noPasscode`, `noUnlockByFinger` or `passcodeNeededFirst`.
    private func current() throws(Refusal) -> Kept {
        guard lock.isProtected else { throw Refusal(.authenticationFailed, .noPasscode) }
        guard try lock.settings()[.unlocksByFinger] == 1 else {
            throw Refusal(.authenticationFailed, .noUnlockByFinger)
        }
        // After wrong passcodes, only the correct one is accepted.
        let isDelayed = try lock.report().retryAfterSeconds > 0
        let mayTry = !isDelayed && !authenticator.gate.isLockedOut
        let now = lock.now
        let found = state.withLock { state -> Kept? in
            guard let kept = state.kept else { return nil }
            let fingerAge = state.finger.map { Self.age(of: $0.time, at: now) } ?? .max
            let isFresh =
                Self.age(of: kept.lastUnlock, at: now) <= Rules.unused
                && (Self.age(of: kept.passcodeTime, at: now) <= Rules.sincePasscode || fingerAge <= Rules.sinceFinger)
            guard mayTry, isFresh else {
                state.kept = nil
                return nil
            }
            return kept
        }
        guard let found else { throw Refusal(.authenticationFailed, .passcodeNeededFirst) }
        return found
    }

    /// Returns the kept key for the currently enrolled fingers, or the reason why no finger can be used.
    private func current(for user: UInt32) throws(Refusal) -> Result<Kept, FingerUnavailableError> {
        let found = try current()
        let now = authenticator.state(of: user)
        guard now.biometry == .enrolled else {
            return .failure(
                FingerUnavailableError(
                    outcome: now.biometry == .notEnrolled ? .biometryNotEnrolled : .biometryNotAvailable))
        }
        guard now.enrolment == found.enrolment else {
            // The enrolment changed, so the passcode must confirm that these fingers are the owner's.
            state.withLock { $0.kept = nil }
            throw Refusal(.authenticationFailed, .passcodeNeededFirst)
        }
        return .success(found)
    }

    private struct FingerUnavailableError: Error {
        let outcome: AuthenticationOutcome
    }

    /// Returns the age; zero for a time that another thread stored after `now` was read.
    private static func age(of time: UInt64, at now: UInt64) -> UInt64 { now > time ? now - time : 0 }

    // MARK: Unlocking

    /// Prompts for a finger, or for the passcode if the user chooses that, and unlocks the keychain.
    ///
    /// - Parameters:
    ///   - prompt: the prompt; its purpose is set here.
    ///   - mayAsk: false: the result is `.notInteractive` if a prompt is required.
    ///   - enter: unlocks with the passcode.
    /// - Returns: the result with the method used; nil if the keychain was not unlocked.
    /// - Throws: `errSecAuthFailed` with the reason `noPasscode`, `noUnlockByFinger` or `passcodeNeededFirst`;
    ///   `errSecInteractionNotAllowed` with `locked` if the keychain was locked again meanwhile; the errors of the
    ///   token.
    func unlock(
        with prompt: Prompt, at place: CallerLocation, mayAsk: Bool,
        enter: (ProtectorSecret<SecretBytes>) throws(Refusal) -> Void
    ) throws(Refusal) -> (outcome: AuthenticationOutcome, factor: AuthenticationFactor?) {
        let user = prompt.caller.userID
        let epoch = lock.store.epoch
        if case .failure(let obstacle) = try current(for: user) { return (obstacle.outcome, nil) }
        guard mayAsk else { return (.notInteractive, nil) }
        var prompt = prompt
        prompt.unlocks = true
        let outcome = authenticator.showFinger(prompt, at: place)
        switch outcome {
        case .success:
            // The current state, because fingers may have been enrolled and the passcode removed while the reader
            // waited.
            let found: Kept
            switch try current(for: user) {
            case .success(let current): found = current
            case .failure(let obstacle): return (obstacle.outcome, nil)
            }
            try unlock(with: found, since: epoch, by: prompt.caller.processID)
            return (.success, .biometry)
        case .fallback, .failed, .biometryNotAvailable, .biometryLockout:
            let outcome = authenticator.showPasscode(prompt, at: place, enter)
            return (outcome, outcome == .success ? .passcode : nil)
        default:
            return (outcome, nil)
        }
    }

    private func unlock(with found: Kept, since epoch: UInt64, by processID: Int32) throws(Refusal) {
        let key: KeybagKey
        do {
            var secret = try secureElement.unseal(found.blob, in: found.token)
            defer { wipe(&secret) }
            key = try found.key.open(with: secret)
        } catch {
            state.withLock { $0.kept = nil }
            lock.log("unlock by fingerprint is off until the passcode is entered again: \(error)")
            throw (error as? TokenError)?.refusal ?? Refusal(.authenticationFailed, .passcodeNeededFirst)
        }
        do throws(Refusal) {
            try lock.unlock(with: key, since: epoch, by: processID)
        } catch {
            // The key is still valid if the keychain was only locked again.
            if error.reason != .locked { state.withLock { $0.kept = nil } }
            throw error
        }
        let (now, epoch) = (lock.now, lock.store.epoch)
        state.withLock { state in
            state.finger = (now, epoch)
            state.kept?.lastUnlock = now
        }
    }

    // MARK: Reuse as authentication

    /// Returns whether a finger unlocked the keychain within this time, and it was not locked since: Apple's
    /// `touchIDAuthenticationAllowableReuseDuration`.
    func wasUnlocked(withinMilliseconds age: UInt32) -> Bool {
        guard age > 0, !authenticator.gate.isLockedOut, lock.store.lockState == .unlocked else { return false }
        let (now, epoch) = (lock.now, lock.store.epoch)
        // The client applies the same limit.
        let limit = UInt64(min(age, Self.longestReuse)) * 1_000_000
        return state.withLock { state in
            guard let finger = state.finger, finger.epoch == epoch else { return false }
            return Self.age(of: finger.time, at: now) <= limit
        }
    }

    /// In milliseconds: `LATouchIDAuthenticationMaximumAllowableReuseDuration`.
    private static let longestReuse: UInt32 = 300_000
}
