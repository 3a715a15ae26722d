// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
package import KeychainClient
internal import KeychainModel
internal import KeychainWire
public import Security
internal import SecretMemory
internal import Synchronization

/// Authenticates the owner of the keychain, and keeps the result for the calls that receive this context
/// (`kSecUseAuthenticationContext`).
///
/// ```swift
/// let context = LAContext()
/// context.localizedCancelTitle = "Not now"
/// guard try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "show your cards") else { return }
/// ```
///
/// All methods may be called on any thread. The result is valid in this process only. It expires when the context is
/// invalidated or released, when the keychain locks, or after an hour; then the user is prompted again.
open class LAContext: NSObject {
    private let state = AuthenticationContextState()

    private let seen = SeenState()

    public override init() {}

    // MARK: Evaluating

    /// Returns whether a policy can be evaluated now. Does not prompt.
    ///
    /// - Parameters:
    ///   - policy: the kind of authentication.
    ///   - error: set to an ``LAError`` when the result is false: `.passcodeNotSet`, `.biometryNotAvailable`,
    ///     `.biometryNotEnrolled`, `.biometryLockout`, `.companionNotAvailable`; `.notInteractive` when no prompt can
    ///     be shown; `.invalidContext`; `.systemCancel` when the keychain service cannot be reached. Otherwise it is
    ///     not changed.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        let failure: LAError
        do throws(EvaluationError) {
            let found = try state.availability(by: .current)
            seen.remember(found)
            if let obstacle = policy.content.requirement.obstacle(in: found) {
                failure = LAError(obstacle)
            } else if found.prompter == nil {
                failure = LAError(.notInteractive)
            } else {
                if policy.isBiometric { seen.rememberDomainState() }
                return true
            }
        } catch let reason {
            failure = LAError(reason)
        }
        // The caller guarantees a valid variable: Apple's contract of this function.
        unsafe error?.pointee = failure._nsError
        return false
    }

    /// Prompts the user to authenticate.
    ///
    /// - Parameters:
    ///   - policy: the kind of authentication.
    ///   - localizedReason: the program's reason for the prompt. About 1000 bytes of it are displayed. An empty reason
    ///     is a programming error and traps.
    ///   - reply: called once, on a private queue of the context, with an ``LAError`` on failure.
    @preconcurrency
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate(.evaluate(policy.content), isBiometric: policy.isBiometric, reason: localizedReason, reply)
    }

    /// Prompts the user to authenticate.
    ///
    /// - Parameters:
    ///   - policy: the kind of authentication.
    ///   - localizedReason: as for ``evaluatePolicy(_:localizedReason:reply:)``.
    /// - Returns: true.
    /// - Throws: ``LAError``.
    @discardableResult
    open nonisolated(nonsending) func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { succeeded, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: succeeded) }
            }
        }
    }

    /// Prompts the user for the authentication that an access control object requires. Does not prompt when the object
    /// requires none.
    ///
    /// After that, calls with this context do not prompt for items and keys with that object.
    /// - Parameters:
    ///   - accessControl: the access control object.
    ///   - operation: the operation that the program then performs.
    ///   - localizedReason: as for ``evaluatePolicy(_:localizedReason:reply:)``.
    ///   - reply: as for ``evaluatePolicy(_:localizedReason:reply:)``.
    @preconcurrency
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let flags = accessControl.content.flags
        let isBiometric = flags.contains(.biometryAny) || flags.contains(.biometryCurrentSet)
        evaluate(
            .evaluateAccessControl(accessControl.content, operation.content), isBiometric: isBiometric,
            reason: localizedReason, reply)
    }

    /// Prompts the user for the authentication that an access control object requires. Does not prompt when the object
    /// requires none.
    ///
    /// - Returns: true.
    /// - Throws: ``LAError``.
    @discardableResult
    open nonisolated(nonsending) func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason) {
                succeeded, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: succeeded) }
            }
        }
    }

    private func evaluate(
        _ request: AuthenticationRequest, isBiometric: Bool, reason: String,
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!reason.isEmpty, "localizedReason is empty; a prompt requires a reason")
        // An evaluation continues when the context itself is released.
        let seen = seen
        state.evaluate(request, reason: reason, by: .current) { result in
            switch result {
            case .success(let answer):
                seen.remember(answer.state)
                if isBiometric { seen.rememberDomainState() }
                reply(true, nil)
            case .failure(let failure):
                reply(false, LAError(failure))
            }
        }
    }

    /// Cancels the current prompt at once with `.appCancel`, and makes the context unusable: later evaluations fail
    /// with `.invalidContext`, and calls that receive the context fail with `errSecAuthFailed`. Further calls have no
    /// effect.
    open func invalidate() { state.invalidate() }

    // MARK: Credentials

    /// Sets a credential, so that the user is not prompted for it.
    ///
    /// - Parameters:
    ///   - credential: nil removes the current credential.
    ///   - type: the kind of credential.
    /// - Returns: false when the context rejects the credential: more than 1024 bytes, another type than
    ///   `.applicationPassword`, or an invalidated context.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        switch type {
        case .applicationPassword: state.setApplicationPassword(credential.map { SecretBytes(copying: $0) })
        case .smartCardPIN: false
        }
    }

    /// Returns whether the context has a credential of that type.
    @discardableResult
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        switch type {
        case .applicationPassword: state.hasApplicationPassword
        case .smartCardPIN: false
        }
    }

    // MARK: Prompts

    /// Whether a call that would prompt fails instead: `errSecInteractionNotAllowed` for calls, `.notInteractive` for
    /// evaluations.
    open var interactionNotAllowed: Bool {
        get { state.settings.interactionNotAllowed }
        set { state.change { $0.interactionNotAllowed = newValue } }
    }

    /// The program's reason for the prompts of calls that receive this context, unless the call has a reason of its
    /// own.
    open var localizedReason: String {
        get { state.settings.reason }
        set { state.change { $0.reason = newValue } }
    }

    /// The title of the alternative method of authentication. Nil for the default title; an empty title hides the
    /// alternative.
    open var localizedFallbackTitle: String? {
        get { state.settings.fallbackTitle }
        set { state.change { $0.fallbackTitle = newValue } }
    }

    /// The title of the cancel button. Nil or empty for the default title.
    open var localizedCancelTitle: String? {
        get { state.settings.cancelTitle }
        set { state.change { $0.cancelTitle = newValue } }
    }

    /// The maximum age in seconds of an unlock by fingerprint that this context accepts as an authentication. Initially
    /// 0. A value above ``LATouchIDAuthenticationMaximumAllowableReuseDuration`` has the effect of that maximum, but is
    /// returned as it was set.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.settings.reuseDuration }
        set { state.change { $0.reuseDuration = newValue } }
    }

    private let biometryFailures = Mutex<Int?>(nil)

    /// Has no effect, as on Apple's platforms.
    open var maxBiometryFailures: NSNumber? {
        get { biometryFailures.withLock { $0 }.map { NSNumber(value: $0) } }
        set { biometryFailures.withLock { $0 = newValue?.intValue } }
    }

    // MARK: Results

    /// The kind of biometry; `.none` before the first call of ``canEvaluatePolicy(_:error:)``, whatever its result.
    open var biometryType: LABiometryType { seen.biometryType }

    /// Identifies the enrolled fingerprints: different bytes mean another enrolment. Nil until a biometric policy can
    /// be, or was, evaluated.
    ///
    /// Apple deprecates it in favour of ``domainState``.
    open var evaluatedPolicyDomainState: Data? { seen.domainState }

    /// The available authentication methods, as of the last ``canEvaluatePolicy(_:error:)`` or evaluation.
    open var domainState: LADomainState { LADomainState(seen.biometryType, enrolment: seen.enrolment) }
}

extension LAContext: AuthenticationContextProviding {
    package var authenticationContext: AuthenticationContextState { state }
}

/// The result of the last ``canEvaluatePolicy(_:error:)`` or evaluation.
private final class SeenState: Sendable {
    private struct State {
        var biometryType = LABiometryType.none
        var enrolment: Data?
        var domainState: Data?
    }

    private let state = Mutex(State())

    func remember(_ found: AuthenticationState) {
        state.withLock { state in
            state.biometryType = found.biometry == .notAvailable ? .none : .touchID
            state.enrolment = found.enrolment.map { Data($0) }
        }
    }

    func rememberDomainState() { state.withLock { $0.domainState = $0.enrolment } }

    var biometryType: LABiometryType { state.withLock(\.biometryType) }
    var enrolment: Data? { state.withLock(\.enrolment) }
    var domainState: Data? { state.withLock(\.domainState) }
}
