// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
internal import KeychainHelperWire

/// One authorization request and its answer (Documentation/Protocols/helper.md, "Authorizations").
public struct AuthorizationConversation: Sendable {
    /// Time limits of a request.
    public struct Limits: Sendable {
        /// The time for the bus to start polkit, and for polkit's first answer. The service waits a little longer.
        public var presence: Duration = .seconds(5)
        /// The time to cancel a request.
        public var cancellation: Duration = .milliseconds(800)

        public init() {}
    }

    private let addresses: [ServerAddress]
    private let limits: Limits

    /// - Parameter addresses: the addresses of polkit's bus.
    public init(on addresses: [ServerAddress], limits: Limits = Limits()) {
        self.addresses = addresses
        self.limits = limits
    }

    /// Returns the answer to a request frame; nil after an interruption. When this function returns, polkit no longer
    /// prompts.
    ///
    /// - Parameter end: interrupts the request, from any thread.
    public func answer(_ frame: [UInt8], until end: Wakeup) -> [UInt8]? {
        do throws(HelperWireError) {
            switch try AuthorizationRequest(frame) {
            case .presence: return presence(until: end).map { AuthorityPresenceReply.result($0).frame }
            case .authorization(let question):
                return result(of: question, until: end).map { AuthorizationReply.result($0).frame }
            }
        } catch {
            return HelperRefusal(reason: "the request is malformed: \(error)").frame
        }
    }

    /// polkit is reported as absent only if no user can cause that state: no bus listens, or the bus, which root
    /// configures, does not know the service. All other failures are reported as no answer.
    private func presence(until end: Wakeup) -> AuthorityPresence? {
        let deadline = ContinuousClock.now + limits.presence
        do throws(RemoteService.Error) {
            let polkit = try PolicyKit(on: addresses, until: deadline, or: end)
            try polkit.checkAnswers(until: deadline)
            return .present
        } catch {
            switch error {
            case .interrupted: return nil
            case .noBus, .unknown: return .absent
            case .timedOut, .unreachable, .notStarted, .refused, .broken: return .unanswered
            }
        }
    }

    private func result(of question: AuthorizationQuestion, until end: Wakeup) -> AuthorizationResult? {
        let deadline = ContinuousClock.now + .seconds(Int(question.seconds))
        do throws(RemoteService.Error) {
            let polkit = try PolicyKit(on: addresses, until: deadline, or: end)
            do throws(RemoteService.Error) {
                return switch try polkit.authorize(question, until: deadline) {
                case .authorized: .authorized
                case .denied: .denied
                case .dismissed: .dismissed
                case .noAgent: .noAgent
                }
            } catch {
                if error == .interrupted || error == .timedOut { polkit.cancel(until: .now + limits.cancellation) }
                throw error
            }
        } catch {
            switch error {
            case .interrupted: return nil
            case .timedOut: return .timedOut
            case .noBus, .unreachable, .unknown, .notStarted, .refused, .broken: return .unavailable
            }
        }
    }
}
