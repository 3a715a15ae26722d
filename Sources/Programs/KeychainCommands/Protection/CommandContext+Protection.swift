// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

extension CommandContext {
    /// The number of consecutive failed entries without a delay; chatelaine(1) has the schedule.
    static let entriesWithoutDelay: UInt32 = 4

    /// Sends a request on the keychain as a whole.
    ///
    /// - Parameter kind: the kind of secret in the request.
    /// - Throws: a failure; after a failed entry it states what happens with the next one.
    func administer<R>(
        entering kind: ProtectorKind? = nil, _ body: (KeychainClient) throws(ClientError) -> R
    ) throws(CommandFailure) -> R {
        do throws(ClientError) {
            return try body(client)
        } catch {
            throw failure(error, entering: kind)
        }
    }

    private func failure(_ error: ClientError, entering kind: ProtectorKind?) -> CommandFailure {
        guard let kind, case .refused(let refusal) = error,
            refusal.reason == .wrongSecret || refusal.reason == .tooManyAttempts,
            let report = try? client.protectors()
        else { return CommandFailure(error, message: statusMessage) }
        let message = refusal.reason == .wrongSecret ? "the \(kind.title) is wrong" : refusal.reason.explanation
        return CommandFailure(
            message ?? statusMessage(refusal.status.rawValue),
            hint: kind.isChosenByPeople ? Self.outlook(report) : nil, exitCode: .refused,
            isWrongSecret: refusal.reason == .wrongSecret)
    }

    /// The number of times that the user can type a secret for one command.
    private static let tries = 3

    /// Asks for a secret and uses it. If it is wrong and the user types it on a terminal, reports this and asks again,
    /// three times in all.
    ///
    /// - Parameter isTyped: false for a secret from a descriptor or by pinentry.
    /// - Throws: the failures of both functions; for a wrong secret that of the last try.
    func withTries<Secret, R>(
        isTyped: Bool, ask: () throws(CommandFailure) -> Secret, use: (Secret) throws(CommandFailure) -> R
    ) throws(CommandFailure) -> R {
        var left = isTyped && inputIsTerminal && prompt != nil ? Self.tries : 1
        while true {
            let secret = try ask()
            do throws(CommandFailure) {
                return try use(secret)
            } catch {
                left -= 1
                guard left > 0, error.isWrongSecret else { throw error }
                diagnostics.writeIfPossible(error.report(styled: diagnosticsAreStyled))
            }
        }
    }

    /// Sends a request like ``administer(entering:_:)``, for operations that loosen a protection of the keychain. In
    /// the system service the user authorizes the operation by polkit if no passcode proves the owner.
    ///
    /// - Parameter proof: the passcode or the recovery key; nil if no passcode is set.
    func loosen<R>(
        with proof: ProtectorSecret<SecretBytes>?, _ body: (KeychainClient) throws(ClientError) -> R
    ) throws(CommandFailure) -> R {
        let endAgent = proof == nil && keychain.isOfSystem ? startAuthenticationAgent() : nil
        defer { endAgent?() }
        return try administer(entering: proof?.kind, body)
    }

    /// Unlocks the keychain by fingerprint, or by the passcode if the user chooses that. Does not prompt if this is
    /// switched off, or if only the passcode is accepted.
    ///
    /// - Returns: whether the keychain is unlocked now.
    /// - Throws: a failure if the prompt was not successful.
    func unlockByFinger() throws(CommandFailure) -> Bool {
        guard try unlocksByFinger() else { return false }
        let outcome: AuthenticationOutcome
        do throws(ClientError) {
            outcome = try client.authenticate(.unlock).outcome
        } catch {
            guard case .refused(let refusal) = error, refusal.leavesPasscode else {
                throw CommandFailure(error, message: statusMessage)
            }
            return false
        }
        switch outcome {
        case .success: return true
        case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .companionNotAvailable,
            .notInteractive:
            return false
        case .cancelled, .failed, .fallback, .withdrawn:
            throw CommandFailure(
                "the keychain was not unlocked, because owner authentication failed", exitCode: .refused)
        }
    }

    /// Returns whether its owner has enabled unlock by fingerprint.
    func unlocksByFinger() throws(CommandFailure) -> Bool {
        try administer { client throws(ClientError) in try client.settings() }[.unlocksByFinger] == 1
    }

    /// Checks whether a secret can be entered, before the user is prompted.
    ///
    /// - Parameter counted: whether failed entries of the secret are counted.
    /// - Throws: a failure if no passcode is set, and while entries are refused.
    func checkEntry(counted: Bool) throws(CommandFailure) {
        let report = try administer { client throws(ClientError) in try client.protectors() }
        guard report.hasPasscode else {
            throw CommandFailure(.refused(Refusal(.authenticationFailed, .noPasscode)), message: statusMessage)
        }
        guard !counted || report.retryAfterSeconds == 0 else {
            throw CommandFailure(
                Refusal.Reason.tooManyAttempts.explanation ?? "", hint: Self.outlook(report), exitCode: .refused)
        }
    }

    /// Returns what happens with the next entry.
    private static func outlook(_ report: ProtectorReport) -> String? {
        if report.retryAfterSeconds > 0 {
            let wait = "the next attempt is possible in \(spanText(seconds: UInt64(report.retryAfterSeconds)))"
            return report.known.contains { $0.kind == .recoveryKey }
                ? wait + "; the recovery key is accepted at once" : wait
        }
        guard report.failedAttempts > 0 else { return nil }
        let left = entriesWithoutDelay - min(report.failedAttempts, entriesWithoutDelay)
        return left == 0
            ? "after one more wrong entry in a row you must wait before the next attempt"
            : "after \(left + 1) more wrong entries in a row you must wait before the next attempt"
    }
}

extension ProtectorKind {
    /// The name for display.
    fileprivate var title: String {
        switch self {
        case .deviceKey: "device key"
        case .passcode: "passcode"
        case .recoveryKey: "recovery key"
        case .loginPassword: "login password"
        case .credential: "credential"
        }
    }
}

extension ProtectorReport {
    /// All protectors except the device key, which always exists and needs no action by the user.
    var known: [ProtectorDescription] { protectors.filter { $0.kind != .deviceKey } }

    var hasPasscode: Bool { protectors.contains { $0.kind == .passcode } }
}

/// Returns a time span in its two largest units, rounded up: `1 h`, `4 min 59 s`.
func spanText(seconds: UInt64) -> String {
    let units: [(UInt64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    guard let first = units.firstIndex(where: { seconds >= $0.0 }) else { return "0 s" }
    let (size, name) = units[first]
    guard first + 1 < units.count else { return "\(seconds / size) \(name)" }
    let (smallSize, smallName) = units[first + 1]
    // Rounding up may fill the larger unit.
    let small = (seconds + smallSize - 1) / smallSize
    let (large, rest) = (small / (size / smallSize), small % (size / smallSize))
    return rest == 0 ? "\(large) \(name)" : "\(large) \(name) \(rest) \(smallName)"
}

extension Refusal {
    /// Whether fingerprints are not accepted now, but the passcode is.
    fileprivate var leavesPasscode: Bool {
        switch reason {
        case .noUnlockByFinger, .passcodeNeededFirst, .noPasscode, .tokenUnavailable, .foreignTokenKey, .tokenLockedOut:
            true
        default: false
        }
    }
}
