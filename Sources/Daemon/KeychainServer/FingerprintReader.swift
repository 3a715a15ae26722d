// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainHelperWire
internal import KeychainPlatform
internal import KeychainSealing
internal import Synchronization

/// The fingerprint reader behind `chatelaine-fingerprint`, the helper program that uses fprintd: for the fingers of the
/// one user who owns the keychain.
///
/// fprintd answers for the user who runs the helper, unless the helper names another user and polkit permits it.
final class FingerprintReader: Sendable {
    /// The time limits of the helper.
    struct Limits: Sendable {
        /// The time for fprintd to start and to say which fingers are enrolled. On a loaded machine that took longer
        /// than two seconds.
        var enrolment: Duration = .seconds(8)
        /// The time for the user to touch the reader, in whole seconds.
        var patience: UInt16 = FingerprintLimits.seconds.upperBound
        /// The additional time for the helper: it releases the reader, which is better than being killed. A reading
        /// also waits this long for the end of the previous one.
        var grace: Duration = .seconds(3)
        /// The time for which the reader is considered absent after it did not answer, because otherwise every request
        /// would have to wait for it again.
        var pause: Duration = .seconds(10)

        init() {}
    }

    static let name = "chatelaine-fingerprint"

    /// The variables of its environment that the service uses.
    static let variables: Set<String> = ["CHATELAINE_HELPERS", "DBUS_SYSTEM_BUS_ADDRESS"]

    /// The variables that a system service uses: it runs only the programs beside it, regardless of its environment.
    static let systemVariables: Set<String> = ["DBUS_SYSTEM_BUS_ADDRESS"]

    private let user: UInt32
    /// The user to name to the helper; nil if that user runs the helper.
    private let namedUser: UInt32?
    private let folders: [String]
    private let environment: [String]
    private let limits: Limits
    private let clock: MonotonicClock
    /// The time until which the reader is not used.
    private let silence = Mutex<UInt64>(0)
    /// One helper at a time for each kind of request: if a user could start many, the bus would reject the helpers of
    /// others.
    private let (enrolmentTurn, lookTurn) = (DispatchSemaphore(value: 1), DispatchSemaphore(value: 1))

    /// Creates the reader.
    ///
    /// - Parameters:
    ///   - user: the user who owns the keychain.
    ///   - isOwnUser: whether that user runs the service; otherwise the helper is told the user.
    ///   - environment: the service's own; values of ``variables``, or of ``systemVariables`` in a system service.
    init(
        of user: UInt32, isOwnUser: Bool = true, environment: [String: String], limits: Limits = Limits(),
        clock: MonotonicClock
    ) {
        self.user = user
        namedUser = isOwnUser ? nil : user
        folders = ServiceHelper.folders(named: environment["CHATELAINE_HELPERS"])
        self.environment = ["DBUS_SYSTEM_BUS_ADDRESS"].compactMap { name in
            environment[name].map { "\(name)=\($0)" }
        }
        self.limits = limits
        self.clock = clock
    }

    var reader: BiometryReader {
        BiometryReader(
            of: user, enrolment: { [self] user in enrolment(of: user) },
            look: { [self] user, withdrawal in look(at: user, withdrawal) })
    }

    // MARK: Requests

    private func enrolment(of user: UInt32) -> BiometryReader.Enrolment? {
        guard user == self.user, enrolmentTurn.wait(timeout: .now() + limits.enrolment.dispatchInterval) == .success
        else { return nil }
        defer { enrolmentTurn.signal() }
        // Searched for each time, because it may be installed while the service runs.
        guard !isSilent, let helper = ServiceHelper(Self.name, in: folders) else { return nil }
        var reply: EnrolmentReply?
        let outcome = ask(helper, .enrolment(of: namedUser), timeout: limits.enrolment, withdrawal: nil) { frame in
            reply = try? EnrolmentReply(frame)
            return reply != nil
        }
        if outcome == .timedOut { keepSilent() }
        guard outcome == .answered else { return nil }
        switch reply {
        case .reader(let enrolled):
            let digest = EnrolmentDigest(
                reader: enrolled.reader, scan: enrolled.scan.rawValue, fingers: enrolled.fingers)
            return BiometryReader.Enrolment(
                reader: enrolled.reader, digest: enrolled.fingers.isEmpty ? nil : digest.bytes)
        case .absent(.unanswered):
            keepSilent()
            return nil
        case .absent(.noService), .absent(.noReader), .absent(.refused), .refusal, nil: return nil
        }
    }

    private func look(at user: UInt32, _ withdrawal: Withdrawal?) -> BiometryReader.Result {
        // A withdrawn helper releases the reader first.
        guard user == self.user, lookTurn.wait(timeout: .now() + limits.grace.dispatchInterval) == .success
        else { return .unavailable }
        defer { lookTurn.signal() }
        guard let helper = ServiceHelper(Self.name, in: folders) else { return .unavailable }
        var reply: VerificationReply?
        let patience = Duration.seconds(Int(limits.patience)) + limits.grace
        let question = FingerprintRequest.verification(of: namedUser, seconds: limits.patience)
        let outcome = ask(helper, question, timeout: patience, withdrawal: withdrawal) { frame in
            reply = try? VerificationReply(frame)
            return reply != nil
        }
        // A match after the withdrawal counts as little as an approval of a withdrawn prompt.
        if withdrawal?.isWithdrawn == true { return .withdrawn }
        switch outcome {
        case .interrupted: return .withdrawn
        case .timedOut, .failed: return .unavailable
        case .answered: break
        }
        return switch reply {
        case .result(.match): .match
        // A user who never shows a readable finger does not show the owner's.
        case .result(.noMatch), .result(.unreadable): .noMatch
        case .result(.timedOut): .withdrawn
        case .result(.unavailable), .refusal, nil: .unavailable
        }
    }

    private func ask(
        _ helper: ServiceHelper, _ question: FingerprintRequest, timeout: Duration, withdrawal: Withdrawal?,
        read: ([UInt8]) -> Bool
    ) -> ServiceHelper.Ending {
        let interruption = ServiceHelper.Interruption(readable: withdrawal.map { [$0.descriptor] } ?? [])
        return helper.ask(
            question.frame, environment: environment, timeout: timeout, interruption: interruption,
            limit: Self.answerBytes, size: HelperFrameHeader.frameSize, read: read)
    }

    /// The longest field of an answer is a list of fingers.
    private static let answerBytes =
        HelperFrameHeader.size + HelperLimits.reasonBytes + 16 + FingerprintLimits.readerBytes
        + FingerprintLimits.fingers * (4 + FingerprintLimits.fingerBytes)

    // MARK: Unresponsive reader

    private var isSilent: Bool { clock.nanoseconds() < silence.withLock { $0 } }

    private func keepSilent() {
        let until = clock.nanoseconds() + limits.pause.nanoseconds
        silence.withLock { $0 = until }
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval { .nanoseconds(Int(nanoseconds)) }
}
