// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The reason why an authentication failed.
public enum AuthenticationFailure: Hashable, Sendable, CaseIterable {
    /// The user cancelled the prompt. With the code `.userCanceled`.
    case cancelled
    /// The user chose another method than the offered one. With `.authenticationFailed`, as all cases below except
    /// `notInteractive`.
    case wantsAnotherWay
    /// The credential was wrong, or the prompt timed out.
    case failed
    /// No prompt can be shown, or prompts are not allowed. With `.interactionNotAllowed`.
    case notInteractive
    /// The item has an application password, and the given password was wrong.
    case wrongApplicationPassword
    /// The keychain has no passcode.
    case noPasscode
    /// The required method is not available: no reader, no enrolled fingerprint, or a lockout; or unlock by fingerprint
    /// is not possible now.
    case notAvailable
    /// The item was stored for another fingerprint enrolment.
    case enrolmentChanged
    /// The program invalidated the context or cancelled the waiting task.
    case endedByProgram

    init?(_ error: ClientError) {
        guard case .refused(let refusal) = error else { return nil }
        switch refusal.reason {
        case .authenticationNeeded:
            switch refusal.status {
            case .userCanceled: self = .cancelled
            case .interactionNotAllowed: self = .notInteractive
            default: self = .failed
            }
        case .wrongApplicationPassword: self = .wrongApplicationPassword
        case .noPasscode where refusal.status == .authenticationFailed: self = .noPasscode
        case .factorNotAvailable, .noUnlockByFinger, .passcodeNeededFirst: self = .notAvailable
        case .enrolmentChanged: self = .enrolmentChanged
        default: return nil
        }
    }

    init(_ outcome: AuthenticationOutcome) {
        switch outcome {
        case .success: preconditionFailure("success is not a failure")
        case .failed, .withdrawn: self = .failed
        case .cancelled: self = .cancelled
        case .fallback: self = .wantsAnotherWay
        case .passcodeNotSet: self = .noPasscode
        case .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .companionNotAvailable: self = .notAvailable
        case .notInteractive: self = .notInteractive
        }
    }

    /// The code of an error with this failure.
    var code: KeychainError.Code {
        switch self {
        case .cancelled: .userCanceled
        case .notInteractive: .interactionNotAllowed
        case .wantsAnotherWay, .failed, .wrongApplicationPassword, .noPasscode, .notAvailable, .enrolmentChanged,
            .endedByProgram:
            .authenticationFailed
        }
    }

    var reason: String {
        switch self {
        case .cancelled: "the user cancelled the prompt"
        case .wantsAnotherWay: "the user wants another authentication method"
        case .failed: "the owner authentication failed"
        case .notInteractive: "owner authentication is required, but no prompt can be shown or prompts are not allowed"
        case .wrongApplicationPassword: "the application password of the item is wrong"
        case .noPasscode: "owner authentication is not possible because the keychain has no passcode"
        case .notAvailable: "no fingerprint reader with an enrolled finger is available, or the reader is locked out"
        case .enrolmentChanged: "the enrolled fingers have changed since the item was stored"
        case .endedByProgram: "the program ended the authentication"
        }
    }
}
