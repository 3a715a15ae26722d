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
        case .success: preconditionFailure("success is no failure")
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
        case .cancelled: "the person who was asked cancelled"
        case .wantsAnotherWay: "the person who was asked wants another way to show to be there"
        case .failed: "the owner of the keychain did not show to be there"
        case .notInteractive: "the owner of the keychain would have to show to be there, and nobody can or may be asked"
        case .wrongApplicationPassword: "the item has a password of its own, and this was not it"
        case .noPasscode: "the keychain has no passcode with which its owner could show to be there"
        case .notAvailable: "there is no fingerprint reader with an enrolled finger, or it is locked out"
        case .enrolmentChanged: "the item was stored for other fingers than are enrolled now"
        case .endedByProgram: "the program ended the authentication"
        }
    }
}
