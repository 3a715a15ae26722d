// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// How asking a person ended, if not well.
public enum AuthenticationFailure: Hashable, Sendable, CaseIterable {
    /// The person cancelled. With the code `.userCanceled`.
    case cancelled
    /// The person wants another way than the one offered. With `.authenticationFailed`, as all below but for `notInteractive`.
    case wantsAnotherWay
    /// What was shown was not the owner's, or nobody answered in time.
    case failed
    /// Nobody can be asked, or nobody may be. With `.interactionNotAllowed`.
    case notInteractive
    /// The item has a password of its own, and this was not it.
    case wrongApplicationPassword
    /// The keychain has no passcode.
    case noPasscode
    /// What is asked for cannot be shown: no reader, no finger enrolled, or locked out; or no finger unlocks the keychain now.
    case notAvailable
    /// The item was stored for other fingers than are enrolled.
    case enrolmentChanged
    /// The context was invalidated, or the task that waited was cancelled.
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

    /// The code that an error with it has.
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
