// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import KeychainModel
public import KeychainWire
public import SecretMemory
internal import Synchronization

/// An object that requests take their authentication from: LocalAuthentication's `LAContext`.
///
/// Security knows it by this alone, and so depends on no module above itself.
package protocol AuthenticationContextProviding: AnyObject {
    var authenticationContext: AuthenticationContextState { get }
}

/// What an authentication context holds: how its program wants somebody to be asked, what was shown before, and what is
/// being asked now.
///
/// `LAContext` and the Keychain module's `AuthenticationContext` are two faces of it. All of it may be used on any thread.
public final class AuthenticationContextState: Sendable {
    /// How somebody is asked, as the program sets it.
    public struct Settings: Sendable {
        /// Whether what would ask fails instead.
        public var interactionNotAllowed = false
        /// The program's words, where a request has none of its own.
        public var reason = ""
        /// Instead of the usual words; nil or empty for those.
        public var cancelTitle: String?
        /// Nil for the usual words; empty hides that way.
        public var fallbackTitle: String?
        /// How old an unlock by biometry may be to count, in seconds. Above 300 it counts as 300.
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

    /// One that somebody is being asked for.
    private struct Evaluation {
        let client: KeychainClient
        let reply: Reply
    }

    public typealias Reply = @Sendable (Result<AuthenticationAnswer, EvaluationFailure>) -> Void

    /// In seconds, as with Apple.
    private static let longestReuse = 300.0

    private let state = Mutex(State())
    /// Where replies are called, one after the other.
    private let replies = DispatchQueue(label: "org.chatelaine.authentication.replies")

    public init() {}

    // MARK: What it holds

    public var settings: Settings { state.withLock(\.settings) }

    public func change(_ change: (inout Settings) -> Void) { state.withLock { change(&$0.settings) } }

    public var hasApplicationPassword: Bool { state.withLock { $0.applicationPassword != nil } }

    /// The password of items that have one of their own; nil forgets the one that is there.
    ///
    /// - Returns: false for one over ``WireLimits/applicationPasswordBytes``, and in an invalidated context; then all stays as it was.
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

    /// What goes with a request.
    ///
    /// - Parameters:
    ///   - interaction: nil: as the context is set.
    ///   - reason: nil: the context's.
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
        // What is no number, or less than none, is none.
        if settings.reuseDuration > 0 {
            fields.reuseMilliseconds = UInt32(min(settings.reuseDuration, Self.longestReuse) * 1000)
        }
        fields.proofs = state.proofs
        fields.applicationPassword = state.applicationPassword?.bytes
        fields.keepsProof = true
        return fields
    }

    /// Remembers a proof, and forgets the oldest if there are more than a request takes.
    private func keep(_ proof: [UInt8]) {
        state.withLock { state in
            guard !state.isInvalid else { return }
            state.proofs.removeAll { $0 == proof }
            state.proofs.append(proof)
            if state.proofs.count > WireLimits.proofs { state.proofs.removeFirst() }
        }
    }

    // MARK: Evaluating

    /// What could be shown. Asks nobody; blocks until the service has answered.
    ///
    /// - Throws: `.invalidContext`; `.service`.
    public func availability(by client: KeychainClient) throws(EvaluationFailure) -> AuthenticationState {
        if isInvalid { throw .invalidContext }
        do throws(ClientError) {
            return try client.authenticationState()
        } catch {
            throw EvaluationFailure(error)
        }
    }

    /// Has the caller's user show to be there. Does not block.
    ///
    /// - Parameters:
    ///   - reason: the program's words to the person, not empty.
    ///   - reply: called once, on a queue of the context's own: with an answer only if it succeeded.
    /// - Returns: ends this evaluation with `.endedByProgram`; without effect once it has ended.
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
        // It waits for a person, so it must hold up neither tasks nor other evaluations: a queue of its own has a thread
        // of its own.
        DispatchQueue(label: "org.chatelaine.authentication").async {
            let result: Result<AuthenticationAnswer, EvaluationFailure>
            do throws(ClientError) {
                let answer = try client.authenticating(authentication).authenticate(request)
                if let proof = answer.proof { self.keep(proof) }
                result = answer.outcome == .success ? .success(answer) : .failure(.outcome(answer.outcome))
            } catch {
                result = .failure(EvaluationFailure(error))
            }
            self.end(number, result)
        }
        return { self.end(number, .failure(.endedByProgram)) }
    }

    private func end(_ number: UInt64, _ result: Result<AuthenticationAnswer, EvaluationFailure>) {
        // Whoever takes it out replies.
        guard let evaluation = state.withLock({ $0.evaluations.removeValue(forKey: number) }) else { return }
        if case .failure(.endedByProgram) = result { evaluation.client.interrupt() }
        replies.async { evaluation.reply(result) }
    }

    /// Ends all evaluations with `.endedByProgram`, forgets all that was shown, and takes nothing more. Repeating it is harmless.
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

/// Why an evaluation did not succeed.
public enum EvaluationFailure: Error, Hashable, Sendable {
    /// How it ended; never success.
    case outcome(AuthenticationOutcome)
    /// The program ended it, by cancelling or by invalidating the context.
    case endedByProgram
    /// The context was invalidated before.
    case invalidContext
    /// The service was not reached, or does not serve this program.
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
    /// Whole characters from the beginning, of not more than so many bytes in UTF-8.
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
