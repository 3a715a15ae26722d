// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import KeychainModel
public import KeychainWire
public import SecretMemory
internal import Synchronization

/// An object that provides the authentication of requests: LocalAuthentication's `LAContext`.
///
/// Security uses only this protocol, and so depends on no module above itself.
package protocol AuthenticationContextProviding: AnyObject {
    var authenticationContext: AuthenticationContextState { get }
}

/// The state of an authentication context: the prompt settings of its program, the authentication so far, and the
/// prompts that are pending.
///
/// `LAContext` and the Keychain module's `AuthenticationContext` are two interfaces to it. All methods may be called on
/// any thread.
public final class AuthenticationContextState: Sendable {
    /// The prompt settings that the program chose.
    public struct Settings: Sendable {
        /// Whether calls that would prompt fail instead.
        public var interactionNotAllowed = false
        /// The program's reason, for requests without a reason of their own.
        public var reason = ""
        /// Replaces the default title; nil or empty for the default title.
        public var cancelTitle: String?
        /// Nil for the default title; empty hides the alternative.
        public var fallbackTitle: String?
        /// The maximum age in seconds of an unlock by biometry that counts as an authentication. Values above 300 have
        /// the effect of 300.
        public var reuseDuration = 0.0
    }

    private struct State {
        var settings = Settings()
        var proofs: [[UInt8]] = []
        var applicationPassword: SecretBytes?
        var isInvalid = false
        var evaluations: [UInt64: Evaluation] = [:]
        var nextEvaluation: UInt64 = 0
    }

    /// An evaluation whose prompt is pending.
    private struct Evaluation {
        let client: KeychainClient
        let reply: Reply
    }

    public typealias Reply = @Sendable (Result<AuthenticationAnswer, EvaluationError>) -> Void

    /// In seconds, as with Apple.
    private static let longestReuse = 300.0

    private let state = Mutex(State())
    /// The queue on which replies are called, one after the other.
    private let replies = DispatchQueue(label: "org.chatelaine.authentication.replies")

    public init() {}

    // MARK: State

    public var settings: Settings { state.withLock(\.settings) }

    public func change(_ change: (inout Settings) -> Void) { state.withLock { change(&$0.settings) } }

    public var hasApplicationPassword: Bool { state.withLock { $0.applicationPassword != nil } }

    /// Sets the application password for items that have one; nil removes the current one.
    ///
    /// - Returns: false for a password over ``WireLimits/applicationPasswordBytes``, and in an invalidated context;
    ///   then nothing changes.
    public func setApplicationPassword(_ password: SecretBytes?) -> Bool {
        guard password?.count ?? 0 <= WireLimits.applicationPasswordBytes else { return false }
        return state.withLock { state in
            if state.isInvalid { return false }
            state.applicationPassword = password
            return true
        }
    }

    public var isInvalid: Bool { state.withLock(\.isInvalid) }

    // MARK: Requests for items and keys

    /// Returns the authentication data of a request.
    ///
    /// - Parameters:
    ///   - interaction: nil: the context's setting.
    ///   - reason: nil: the context's reason.
    /// - Returns: nil in an invalidated context.
    public func authentication(
        _ interaction: AuthenticationInteraction? = nil, reason: String? = nil
    ) -> ClientAuthentication? {
        state.withLock { state -> RequestAuthentication<SecretBytes.BytesView>? in
            state.isInvalid ? nil : Self.fields(state, interaction, reason)
        }
        .map { ClientAuthentication($0) { self.keep($0) } }
    }

    private static func fields(
        _ state: State, _ interaction: AuthenticationInteraction?, _ reason: String?
    ) -> RequestAuthentication<SecretBytes.BytesView> {
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        let settings = state.settings
        switch interaction {
        case .skip: fields.interaction = .skip
        case .fail: fields.interaction = .fail
        case .allow, nil: fields.interaction = settings.interactionNotAllowed ? .fail : .allow
        }
        let words = reason ?? settings.reason
        if !words.isEmpty { fields.reason = words.cut(toBytes: WireLimits.reasonBytes) }
        if let title = settings.cancelTitle, !title.isEmpty {
            fields.cancelTitle = title.cut(toBytes: WireLimits.promptTitleBytes)
        }
        fields.fallbackTitle = settings.fallbackTitle?.cut(toBytes: WireLimits.promptTitleBytes)
        // A value that is not a number, or is negative, counts as none.
        if settings.reuseDuration > 0 {
            fields.reuseMilliseconds = UInt32(min(settings.reuseDuration, Self.longestReuse) * 1000)
        }
        fields.proofs = state.proofs
        fields.applicationPassword = state.applicationPassword?.bytes
        fields.keepsProof = true
        return fields
    }

    /// Stores a proof, and removes the oldest if there are more than a request can contain.
    private func keep(_ proof: [UInt8]) {
        state.withLock { state in
            guard !state.isInvalid else { return }
            state.proofs.removeAll { $0 == proof }
            state.proofs.append(proof)
            if state.proofs.count > WireLimits.proofs { state.proofs.removeFirst() }
        }
    }

    // MARK: Evaluating

    /// Returns the available authentication methods. Does not prompt; blocks until the service has answered.
    ///
    /// - Throws: `.invalidContext`; `.service`.
    public func availability(by client: KeychainClient) throws(EvaluationError) -> AuthenticationState {
        if isInvalid { throw .invalidContext }
        do throws(ClientError) {
            return try client.authenticationState()
        } catch {
            throw EvaluationError(error)
        }
    }

    /// Prompts the caller's user to authenticate. Does not block.
    ///
    /// - Parameters:
    ///   - reason: the program's reason for the prompt, not empty.
    ///   - reply: called once, on a private queue of the context, with an answer only on success.
    /// - Returns: a closure that ends this evaluation with `.endedByProgram`; no effect after the evaluation has ended.
    @discardableResult
    public func evaluate(
        _ request: AuthenticationRequest, reason: String, by client: KeychainClient, reply: @escaping Reply
    ) -> @Sendable () -> Void {
        let client = client.separate()
        let started = state.withLock { state -> (number: UInt64, authentication: ClientAuthentication)? in
            guard !state.isInvalid else { return nil }
            state.nextEvaluation += 1
            state.evaluations[state.nextEvaluation] = Evaluation(client: client, reply: reply)
            return (state.nextEvaluation, ClientAuthentication(Self.fields(state, nil, reason)) { self.keep($0) })
        }
        guard let (number, authentication) = started else {
            replies.async { reply(.failure(.invalidContext)) }
            return {}
        }
        // The evaluation waits for the user, so it must block neither tasks nor other evaluations: a queue of its own
        // has a thread of its own.
        DispatchQueue(label: "org.chatelaine.authentication").async {
            let result: Result<AuthenticationAnswer, EvaluationError>
            do throws(ClientError) {
                let answer = try client.authenticating(authentication).authenticate(request)
                if let proof = answer.proof { self.keep(proof) }
                result = answer.outcome == .success ? .success(answer) : .failure(.outcome(answer.outcome))
            } catch {
                result = .failure(EvaluationError(error))
            }
            self.end(number, result)
        }
        return { self.end(number, .failure(.endedByProgram)) }
    }

    private func end(_ number: UInt64, _ result: Result<AuthenticationAnswer, EvaluationError>) {
        // The caller that removes the evaluation sends the reply.
        guard let evaluation = state.withLock({ $0.evaluations.removeValue(forKey: number) }) else { return }
        if case .failure(.endedByProgram) = result { evaluation.client.interrupt() }
        replies.async { evaluation.reply(result) }
    }

    /// Ends all evaluations with `.endedByProgram`, discards all authentication, and rejects further use. Further calls
    /// have no effect.
    public func invalidate() {
        let evaluations = state.withLock { state in
            state.isInvalid = true
            state.proofs = []
            state.applicationPassword = nil
            return state.evaluations.keys.sorted()
        }
        for number in evaluations { end(number, .failure(.endedByProgram)) }
    }
}

/// The reason why an evaluation failed.
public enum EvaluationError: Error, Hashable, Sendable {
    /// The outcome of the authentication; never success.
    case outcome(AuthenticationOutcome)
    /// The program ended the evaluation, by cancelling it or by invalidating the context.
    case endedByProgram
    /// The context was already invalidated.
    case invalidContext
    /// The service could not be reached, or does not serve this program.
    case service(ClientError)

    init(_ error: ClientError) {
        switch error {
        case .refused(let refusal) where refusal.status == .userCanceled: self = .outcome(.cancelled)
        case .refused(let refusal) where refusal.status == .interactionNotAllowed: self = .outcome(.notInteractive)
        case .refused, .unavailable, .protocolViolation: self = .service(error)
        }
    }
}

extension String {
    /// Returns the longest prefix of whole characters that has at most this many bytes in UTF-8.
    package func cut(toBytes limit: Int) -> String {
        if utf8.count <= limit { return self }
        var bytes = 0
        return String(
            prefix { character in
                bytes += character.utf8.count
                return bytes <= limit
            })
    }
}
