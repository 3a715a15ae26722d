// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import KeychainHelperWire
internal import KeychainPlatform

/// polkit behind `chatelaine-authorization`, the helper program that connects to it: for the keychain of one user.
final class PolkitAuthority: Sendable {
    /// The additional time of the helper beyond the time that it waits.
    struct Limits: Sendable {
        /// The time to report whether polkit is present.
        var presence: Duration = .seconds(8)
        /// The time for an answer beyond the user's time: the helper withdraws its request, which is better than being
        /// killed.
        var grace: Duration = .seconds(3)

        init() {}
    }

    static let name = "chatelaine-authorization"

    /// The variables of its environment that the service uses.
    static let variables: Set<String> = ["DBUS_SYSTEM_BUS_ADDRESS"]

    private let folders: [String]
    private let environment: [String]
    private let limits: Limits
    /// One helper at a time: if a user could start many, the bus would reject the helpers of others.
    private let turn = DispatchSemaphore(value: 1)

    /// Creates the authority.
    ///
    /// - Parameters:
    ///   - folders: the folders that may contain the helper: the folder of the service's program.
    ///   - environment: the service's own; values of ``variables``.
    init(
        in folders: [String] = ServiceHelper.folders(named: nil), environment: [String: String],
        limits: Limits = Limits()
    ) {
        self.folders = folders
        self.environment = Self.variables.sorted().compactMap { name in environment[name].map { "\(name)=\($0)" } }
        self.limits = limits
    }

    var authority: OwnerAuthority {
        OwnerAuthority(presence: { [self] in presence() }) { [self] question, timeout, interruption in
            authorize(question, timeout, interruption)
        }
    }

    private func presence() -> OwnerAuthority.Presence {
        guard turn.wait(timeout: .now() + .nanoseconds(Int(limits.presence.nanoseconds))) == .success else {
            return .unanswered
        }
        defer { turn.signal() }
        // Not absent, because only the service's own program is missing, and polkit may be present.
        guard let helper = ServiceHelper(Self.name, in: folders) else { return .unanswered }
        var reply: AuthorityPresenceReply?
        let outcome = ask(helper, .presence, timeout: limits.presence, interruption: .init()) { frame in
            reply = try? AuthorityPresenceReply(frame)
            return reply != nil
        }
        guard outcome == .answered, case .result(let presence) = reply else { return .unanswered }
        return switch presence {
        case .present: .present
        case .absent: .absent
        case .unanswered: .unanswered
        }
    }

    private func authorize(
        _ question: OwnerAuthority.Question, _ timeout: Duration, _ interruption: ServiceHelper.Interruption
    ) -> OwnerAuthority.Answer {
        let bounds = AuthorizationLimits.seconds
        // Rounded down, so that the helper ends within the given time.
        let seconds = (timeout - limits.grace).components.seconds
        let patience = min(max(UInt16(clamping: seconds), bounds.lowerBound), bounds.upperBound)
        guard let helper = ServiceHelper(Self.name, in: folders),
            let asked = AuthorizationQuestion(
                of: UInt32(clamping: question.processID), since: question.processStart, user: question.userID,
                seconds: patience, operation: question.operation)
        else { return .unavailable }
        var reply: AuthorizationReply?
        let outcome = ask(helper, .authorization(asked), timeout: timeout, interruption: interruption) { frame in
            reply = try? AuthorizationReply(frame)
            return reply != nil
        }
        switch outcome {
        case .interrupted, .timedOut: return .unanswered
        case .failed: return .unavailable
        case .answered: break
        }
        return switch reply {
        case .result(.authorized): .authorized
        case .result(.denied): .denied
        case .result(.dismissed): .dismissed
        case .result(.noAgent): .noAgent
        case .result(.timedOut): .unanswered
        case .result(.unavailable), .refusal, nil: .unavailable
        }
    }

    private func ask(
        _ helper: ServiceHelper, _ request: AuthorizationRequest, timeout: Duration,
        interruption: ServiceHelper.Interruption, read: ([UInt8]) -> Bool
    ) -> ServiceHelper.Ending {
        helper.ask(
            request.frame, environment: environment, timeout: timeout, interruption: interruption,
            limit: HelperFrameHeader.size + HelperLimits.reasonBytes + 4, size: HelperFrameHeader.frameSize, read: read)
    }
}
