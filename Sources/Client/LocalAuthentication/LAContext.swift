// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
package import KeychainClient
internal import KeychainModel
internal import KeychainWire
public import Security
internal import SecretMemory
internal import Synchronization

/// Has the owner of the keychain show to be there, and holds what was shown for the calls that are given this context
/// (`kSecUseAuthenticationContext`).
///
/// ```swift
/// let context = LAContext()
/// context.localizedCancelTitle = "Not now"
/// guard try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "show your cards") else { return }
/// ```
///
/// All of it may be used on any thread. What was shown counts for this process alone, until the context is invalidated or gone,
/// the keychain is locked, or an hour has passed; then the person is asked again.
open class LAContext: NSObject {
    private let state = AuthenticationContextState()

    private let seen = SeenState()

    public override init() {}

    // MARK: Evaluating

    /// Whether a policy could be met now. Asks nobody.
    ///
    /// - Parameter error: given an ``LAError`` where the result is false: `.passcodeNotSet`, `.biometryNotAvailable`,
    ///   `.biometryNotEnrolled`, `.biometryLockout`, `.companionNotAvailable`; `.notInteractive` where nobody could be asked;
    ///   `.invalidContext`; `.systemCancel` when the keychain service cannot be reached. Else it keeps what it held.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        let failure: LAError
        do throws(EvaluationFailure) {
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
        // The caller vouches for the variable: Apple's contract of this function.
        unsafe error?.pointee = failure._nsError
        return false
    }

    /// Asks the person to show to be there.
    ///
    /// - Parameters:
    ///   - localizedReason: the program's words to the person, of which about 1000 bytes are shown. Empty ones are a mistake of
    ///     the program's and trap.
    ///   - reply: called once, on a queue of the context's own, with an ``LAError`` where it did not succeed.
    @preconcurrency
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate(.evaluate(policy.content), policy.isBiometric, localizedReason, reply)
    }

    /// Asks the person to show to be there.
    ///
    /// - Parameter localizedReason: as for ``evaluatePolicy(_:localizedReason:reply:)``.
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

    /// Asks the person for what an access control object demands; nobody, where it demands nothing.
    ///
    /// Afterwards calls with this context need ask nobody for items and keys with that object.
    /// - Parameters:
    ///   - localizedReason: as for ``evaluatePolicy(_:localizedReason:reply:)``.
    ///   - reply: as there.
    @preconcurrency
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let flags = accessControl.content.flags
        let isBiometric = flags.contains(.biometryAny) || flags.contains(.biometryCurrentSet)
        evaluate(
            .evaluateAccessControl(accessControl.content, operation.content), isBiometric, localizedReason, reply)
    }

    /// Asks the person for what an access control object demands; nobody, where it demands nothing.
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
        _ request: AuthenticationRequest, _ isBiometric: Bool, _ reason: String,
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!reason.isEmpty, "localizedReason is empty: the person is not asked without being told why")
        // An evaluation goes on if the context itself goes.
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

    /// Ends what is being asked now with `.appCancel`, at once, and makes the context unusable: later evaluations end with
    /// `.invalidContext`, and calls that are given it fail with `errSecAuthFailed`. Repeating it is harmless.
    open func invalidate() { state.invalidate() }

    // MARK: Credentials

    /// Takes a credential, instead of the person being asked for it.
    ///
    /// - Parameter credential: nil forgets the one that is there.
    /// - Returns: false where the context does not take it: more than 1024 bytes, another type than `.applicationPassword`, or an
    ///   invalidated context.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        switch type {
        case .applicationPassword: state.setApplicationPassword(credential.map { SecretBytes(copying: $0) })
        case .smartCardPIN: false
        }
    }

    /// Whether there is a credential of that type.
    @discardableResult
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        switch type {
        case .applicationPassword: state.hasApplicationPassword
        case .smartCardPIN: false
        }
    }

    // MARK: How somebody is asked

    /// Whether what would ask somebody fails instead: `errSecInteractionNotAllowed` of calls, `.notInteractive` of evaluations.
    open var interactionNotAllowed: Bool {
        get { state.settings.interactionNotAllowed }
        set { state.change { $0.interactionNotAllowed = newValue } }
    }

    /// The program's words to a person who is asked by a call that is given this context, unless the call has words of its own.
    open var localizedReason: String {
        get { state.settings.reason }
        set { state.change { $0.reason = newValue } }
    }

    /// The title of the other way to show to be there. Nil for the usual one; an empty one hides that way.
    open var localizedFallbackTitle: String? {
        get { state.settings.fallbackTitle }
        set { state.change { $0.fallbackTitle = newValue } }
    }

    /// The title of what cancels. Nil or empty for the usual one.
    open var localizedCancelTitle: String? {
        get { state.settings.cancelTitle }
        set { state.change { $0.cancelTitle = newValue } }
    }

    /// How old an unlock of the keychain by a finger may be, in seconds, to count as one for this context. 0 at first; above
    /// ``LATouchIDAuthenticationMaximumAllowableReuseDuration`` it counts as that, and reads back as it was set.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.settings.reuseDuration }
        set { state.change { $0.reuseDuration = newValue } }
    }

    private let biometryFailures = Mutex<Int?>(nil)

    /// Without effect, as with Apple.
    open var maxBiometryFailures: NSNumber? {
        get { biometryFailures.withLock { $0 }.map { NSNumber(value: $0) } }
        set { biometryFailures.withLock { $0 = newValue?.intValue } }
    }

    // MARK: What was found

    /// What reads who is there; `.none` until ``canEvaluatePolicy(_:error:)`` was called, with whatever result.
    open var biometryType: LABiometryType { seen.biometryType }

    /// Names the enrolled fingers: other bytes mean another enrolment. Nil until a biometric policy could be met, or was.
    ///
    /// Apple deprecates it in favour of ``domainState``.
    open var evaluatedPolicyDomainState: Data? { seen.domainState }

    /// What could show that the owner is there, as of the last ``canEvaluatePolicy(_:error:)`` or evaluation.
    open var domainState: LADomainState { LADomainState(seen.biometryType, enrolment: seen.enrolment) }
}

extension LAContext: AuthenticationContextProviding {
    package var authenticationContext: AuthenticationContextState { state }
}

/// What the last look or evaluation said.
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
