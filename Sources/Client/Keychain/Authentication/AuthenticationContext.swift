// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

/// Has the owner of the keychain show to be there, and holds what was shown for later calls.
///
/// ```swift
/// let context = AuthenticationContext(reason: "pay for your order")
/// try await context.evaluate()
/// // Nobody is asked again for these:
/// let card = GenericPassword(service: "com.example.pay", account: "card")
/// let number = try await keychain.authenticated(by: context).secret(for: card)
/// ```
///
/// It may be used by any task. What was shown counts for this process alone, until the context is invalidated or gone, the keychain
/// is locked, or an hour has passed; then the person is asked again.
public final class AuthenticationContext: Sendable {
    let state = AuthenticationContextState()

    /// Who has to show to be there, and how.
    public enum Policy: Hashable, Sendable, CaseIterable {
        /// The owner, by a finger or the passcode.
        case owner
        /// The owner, by a finger.
        case biometry

        fileprivate var content: AuthenticationPolicy {
            switch self {
            case .owner: .owner
            case .biometry: .biometry
            }
        }
    }

    /// - Parameters:
    ///   - reason: the program's words to the person: what it is that they allow. About 1000 bytes are shown.
    ///   - allowsInteraction: false: what would ask somebody fails with `.interactionNotAllowed`.
    ///   - cancelTitle: instead of the usual title.
    ///   - fallbackTitle: the title of another way, which ends an evaluation with `.wantsAnotherWay`. Empty hides it.
    ///   - unlockReuse: how old an unlock of the keychain by a finger may be to count as one; above 300 seconds it counts as that.
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

    /// The password of items that have one of their own; nil forgets it.
    ///
    /// - Throws: `.invalidParameter` for more than 1024 bytes; `.authenticationFailed` once the context was invalidated.
    public func setApplicationPassword(_ password: SecretData?) throws(KeychainError) {
        if state.setApplicationPassword(password?.memory) { return }
        let attempt = "take the password of an item"
        if state.isInvalid { throw KeychainError(attempt, .authenticationFailed, .endedByProgram) }
        throw KeychainError(attempt, .refused(Refusal(.parameter, .unusableSecret)))
    }

    /// Whether it has the password of items that have one of their own.
    public var hasApplicationPassword: Bool { state.hasApplicationPassword }

    /// Why a policy could not be met now; nil if it could. Asks nobody.
    ///
    /// - Throws: `.notAvailable` when the service cannot be reached; `.authenticationFailed` once the context was invalidated.
    public func obstacle(
        to policy: Policy = .owner, in keychain: UserKeychain = UserKeychain()
    ) async throws(KeychainError) -> AuthenticationFailure? {
        let attempt = "look who could be asked"
        if state.isInvalid { throw KeychainError(attempt, .authenticationFailed, .endedByProgram) }
        let found = try await keychain.run(attempt) { client throws(ClientError) in try client.authenticationState() }
        if let obstacle = policy.content.requirement.obstacle(in: found) { return AuthenticationFailure(obstacle) }
        return found.prompter == nil ? .notInteractive : nil
    }

    /// Has the person show to be there. Cancelling the task takes the question back.
    ///
    /// - Throws: with ``KeychainError/authenticationFailure``: `.userCanceled`, `.interactionNotAllowed`, `.authenticationFailed`;
    ///   `.notAvailable` when the service cannot be reached.
    public func evaluate(
        _ policy: Policy = .owner, in keychain: UserKeychain = UserKeychain()
    ) async throws(KeychainError) {
        try await evaluate(.evaluate(policy.content), keychain)
    }

    /// Has the person show what an access control demands: for reading items, or for using private keys. Cancelling the task
    /// takes the question back.
    ///
    /// - Throws: as ``evaluate(_:in:)-(AuthenticationContext.Policy,_)``.
    public func evaluate(
        _ accessControl: AccessControl, in keychain: UserKeychain = UserKeychain()
    ) async throws(KeychainError) {
        try await evaluate(.evaluateAccessControl(accessControl.content(.whenUnlocked), .useItem), keychain)
    }

    /// Takes back what is being asked, forgets what was shown and the password, and takes nothing more. Repeating it is harmless.
    public func invalidate() { state.invalidate() }

    func evaluate(
        _ request: AuthenticationRequest, _ keychain: UserKeychain,
        for attempt: String = "have the owner show to be there"
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
