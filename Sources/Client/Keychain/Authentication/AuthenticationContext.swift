// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

/// Authenticates the owner of the keychain, and keeps the result for later calls.
///
/// ```swift
/// let context = AuthenticationContext(reason: "pay for your order")
/// try await context.evaluate()
/// // These calls show no further prompt:
/// let card = GenericPassword(service: "com.example.pay", account: "card")
/// let number = try await keychain.authenticated(by: context).secret(for: card)
/// ```
///
/// Any task may use it. The result is valid in this process only. It expires when the context is invalidated or
/// released, when the keychain locks, or after an hour; then the user is prompted again.
public final class AuthenticationContext: Sendable {
    let state = AuthenticationContextState()

    /// The method by which the owner must authenticate.
    public enum Policy: Hashable, Sendable, CaseIterable {
        /// Fingerprint or passcode of the owner.
        case owner
        /// Fingerprint of the owner.
        case biometry

        fileprivate var content: AuthenticationPolicy {
            switch self {
            case .owner: .owner
            case .biometry: .biometry
            }
        }
    }

    /// - Parameters:
    ///   - reason: the program's reason for the prompt: what the user allows. About 1000 bytes are displayed.
    ///   - allowsInteraction: false: calls that would prompt fail with `.interactionNotAllowed`.
    ///   - cancelTitle: replaces the default title of the cancel button.
    ///   - fallbackTitle: the title of an alternative method, which ends an evaluation with `.wantsAnotherWay`. Empty
    ///     hides it.
    ///   - unlockReuse: the maximum age in seconds of an unlock by fingerprint that counts as an authentication. Values
    ///     above 300 have the effect of 300.
    public init(
        reason: String, allowsInteraction: Bool = true, cancelTitle: String? = nil, fallbackTitle: String? = nil,
        unlockReuse: Duration = .zero
    ) {
        state.change { settings in
            settings.reason = reason
            settings.interactionNotAllowed = !allowsInteraction
            settings.cancelTitle = cancelTitle
            settings.fallbackTitle = fallbackTitle
            settings.reuseDuration = unlockReuse / .seconds(1)
        }
    }

    /// Sets the application password for items that have one; nil removes it.
    ///
    /// - Throws: `.invalidParameter` for more than 1024 bytes; `.authenticationFailed` once the context was invalidated.
    public func setApplicationPassword(_ password: SecretData?) throws(KeychainError) {
        if state.setApplicationPassword(password?.memory) { return }
        let attempt = "set an application password"
        if state.isInvalid { throw KeychainError(attempt, .authenticationFailed, .endedByProgram) }
        throw KeychainError(attempt, .refused(Refusal(.parameter, .unusableSecret)))
    }

    /// Whether the context has an application password.
    public var hasApplicationPassword: Bool { state.hasApplicationPassword }

    /// Returns the reason why a policy cannot be evaluated now; nil if it can. Does not prompt.
    ///
    /// - Throws: `.notAvailable` when the service cannot be reached; `.authenticationFailed` once the context was invalidated.
    public func obstacle(
        to policy: Policy = .owner, in keychain: UserKeychain = UserKeychain()
    ) async throws(KeychainError) -> AuthenticationFailure? {
        let attempt = "check the available authentication methods"
        if state.isInvalid { throw KeychainError(attempt, .authenticationFailed, .endedByProgram) }
        let found = try await keychain.run(attempt) { client throws(ClientError) in try client.authenticationState() }
        if let obstacle = policy.content.requirement.obstacle(in: found) { return AuthenticationFailure(obstacle) }
        return found.prompter == nil ? .notInteractive : nil
    }

    /// Prompts the user to authenticate. Cancelling the task withdraws the prompt.
    ///
    /// - Throws: with ``KeychainError/authenticationFailure``: `.userCanceled`, `.interactionNotAllowed`, `.authenticationFailed`;
    ///   `.notAvailable` when the service cannot be reached.
    public func evaluate(
        _ policy: Policy = .owner, in keychain: UserKeychain = UserKeychain()
    ) async throws(KeychainError) {
        try await evaluate(.evaluate(policy.content), keychain)
    }

    /// Prompts the user for the authentication that an access control requires: for reading items, or for using private
    /// keys. Cancelling the task withdraws the prompt.
    ///
    /// - Throws: as ``evaluate(_:in:)-(AuthenticationContext.Policy,_)``.
    public func evaluate(
        _ accessControl: AccessControl, in keychain: UserKeychain = UserKeychain()
    ) async throws(KeychainError) {
        try await evaluate(.evaluateAccessControl(accessControl.content(.whenUnlocked), .useItem), keychain)
    }

    /// Withdraws a pending prompt, discards the authentication and the application password, and makes the context
    /// unusable. Further calls have no effect.
    public func invalidate() { state.invalidate() }

    func evaluate(
        _ request: AuthenticationRequest, _ keychain: UserKeychain,
        for attempt: String = "authenticate the owner"
    ) async throws(KeychainError) {
        let client = keychain.currentClient
        let reason = state.settings.reason
        let ending = Ending()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ending.set(
                    state.evaluate(request, reason: reason, by: client) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            ending.end()
        }
        switch result {
        case .success: return
        case .failure(.outcome(let outcome)):
            let failure = AuthenticationFailure(outcome)
            throw KeychainError(attempt, failure.code, failure)
        case .failure(.endedByProgram), .failure(.invalidContext):
            throw KeychainError(attempt, .authenticationFailed, .endedByProgram)
        case .failure(.service(let error)): throw KeychainError(attempt, error)
        }
    }
}
