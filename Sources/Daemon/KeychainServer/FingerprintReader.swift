// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainHelperWire
internal import KeychainPlatform
internal import KeychainSealing
internal import Synchronization

/// The reader of fingers behind `chatelaine-fingerprint`, the helper program that has fprintd look at them: for the fingers of the one
/// user whose keychain it belongs to.
///
/// fprintd answers for the user who runs the helper, unless that names another and polkit permits it.
final class FingerprintReader: Sendable {
    /// How long the helper may take, and for how long one that takes longer is left alone.
    struct Limits: Sendable {
        var enrolment: Duration = .seconds(2)
        /// For a person, in whole seconds.
        var patience: UInt16 = FingerprintLimits.seconds.upperBound
        /// How much longer than a person the helper may take: it gives the reader back, which is better than being killed. So long, too,
        /// a look waits for the end of the one before it.
        var grace: Duration = .seconds(3)
        /// So long there is no reader after one that did not answer: every request would have to wait for it again.
        var pause: Duration = .seconds(10)

        init() {}
    }

    static let name = "chatelaine-fingerprint"

    /// What the service looks at of its own environment.
    static let variables: Set<String> = ["CHATELAINE_HELPERS", "DBUS_SYSTEM_BUS_ADDRESS"]

    /// What a service of the system looks at: its programs are those beside it, whatever its environment says.
    static let systemVariables: Set<String> = ["DBUS_SYSTEM_BUS_ADDRESS"]

    private let user: UInt32
    /// Whom the helper is told; nil where the user runs it.
    private let namedUser: UInt32?
    private let folders: [String]
    private let environment: [String]
    private let limits: Limits
    private let clock: MonotonicClock
    /// Until when it is left alone.
    private let silence = Mutex<UInt64>(0)
    /// One helper at a time for each kind of question: with as many as a user can ask at once, the bus would let in none for others.
    private let (enrolmentTurn, lookTurn) = (DispatchSemaphore(value: 1), DispatchSemaphore(value: 1))

    /// - Parameters:
    ///   - user: whose keychain it is.
    ///   - isOwnUser: whether that user runs the service; else the helper is told whose fingers are meant.
    ///   - environment: the service's own; values of ``variables``, or of ``systemVariables`` in a service of the system.
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

    // MARK: Questions

    private func enrolment(of user: UInt32) -> BiometryReader.Enrolment? {
        guard user == self.user, enrolmentTurn.wait(timeout: .now() + limits.enrolment.dispatchInterval) == .success
        else { return nil }
        defer { enrolmentTurn.signal() }
        // Looked for each time: it may be installed while the service runs.
        guard !isSilent, let helper = ServiceHelper(Self.name, in: folders) else { return nil }
        var reply: EnrolmentReply?
        let outcome = ask(helper, .enrolment(of: namedUser), limits.enrolment, nil) { frame in
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
        // One that was taken back gives the reader back first.
        guard user == self.user, lookTurn.wait(timeout: .now() + limits.grace.dispatchInterval) == .success
        else { return .unavailable }
        defer { lookTurn.signal() }
        guard let helper = ServiceHelper(Self.name, in: folders) else { return .unavailable }
        var reply: VerificationReply?
        let patience = Duration.seconds(Int(limits.patience)) + limits.grace
        let question = FingerprintRequest.verification(of: namedUser, seconds: limits.patience)
        let outcome = ask(helper, question, patience, withdrawal) { frame in
            reply = try? VerificationReply(frame)
            return reply != nil
        }
        // What was shown when nobody wanted to know any more counts as little as a yes to a prompt that was taken back.
        if withdrawal?.isWithdrawn == true { return .withdrawn }
        switch outcome {
        case .interrupted: return .withdrawn
        case .timedOut, .failed: return .unavailable
        case .answered: break
        }
        return switch reply {
        case .result(.match): .match
        // Who never shows a finger that can be read does not show the owner's.
        case .result(.noMatch), .result(.unreadable): .noMatch
        case .result(.timedOut): .withdrawn
        case .result(.unavailable), .refusal, nil: .unavailable
        }
    }

    private func ask(
        _ helper: ServiceHelper, _ question: FingerprintRequest, _ timeout: Duration, _ withdrawal: Withdrawal?,
        read: ([UInt8]) -> Bool
    ) -> ServiceHelper.Outcome {
        let interruption = ServiceHelper.Interruption(readable: withdrawal.map { [$0.descriptor] } ?? [])
        return helper.ask(
            question.frame, environment: environment, timeout: timeout, interruption: interruption,
            limit: Self.answerBytes, size: HelperFrameHeader.frameSize, read: read)
    }

    /// The longest thing in an answer is a list of fingers.
    private static let answerBytes =
        HelperFrameHeader.size + HelperLimits.reasonBytes + 16 + FingerprintLimits.readerBytes
        + FingerprintLimits.fingers * (4 + FingerprintLimits.fingerBytes)

    // MARK: Silence

    private var isSilent: Bool { clock.nanoseconds() < silence.withLock { $0 } }

    private func keepSilent() {
        let until = clock.nanoseconds() + limits.pause.nanoseconds
        silence.withLock { $0 = until }
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval { .nanoseconds(Int(nanoseconds)) }
}
