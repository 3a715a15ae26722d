// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import KeychainClient
internal import KeychainModel

/// The domain of the errors of this module.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// The reason why an authentication failed or was not possible.
///
/// An error of this domain can be an `NSError` or an `LAError`: each can be cast to the other.
public struct LAError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) {
        precondition(error.domain == LAErrorDomain, "the error belongs to another domain")
        _nsError = error
    }

    public static var _nsErrorDomain: String { LAErrorDomain }

    /// Apple's names and numbers.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = LAError

        /// The credential was wrong, or the service rejected it.
        case authenticationFailed = -1
        /// The user cancelled the prompt.
        case userCancel = -2
        /// The user chose another method than the offered one.
        case userFallback = -3
        /// The prompt timed out, or the keychain service cannot be reached.
        case systemCancel = -4
        /// The keychain has no passcode.
        case passcodeNotSet = -5
        /// There is no fingerprint reader.
        case biometryNotAvailable = -6
        /// No finger is enrolled.
        case biometryNotEnrolled = -7
        /// Too many attempts with fingerprints that do not match. The passcode ends the lockout.
        case biometryLockout = -8
        /// The program cancelled the evaluation.
        case appCancel = -9
        /// The context was already invalidated.
        case invalidContext = -10
        /// No device is paired.
        case companionNotAvailable = -11
        /// Only for removable readers; never used here.
        case biometryNotPaired = -12
        /// Only for removable readers; never used here.
        case biometryDisconnected = -13
        /// Only for views; never used here.
        case invalidDimensions = -14
        /// No prompt can be shown, or the context does not allow prompts.
        case notInteractive = -1004

        /// The earlier name of ``companionNotAvailable``.
        public static let watchNotAvailable = companionNotAvailable
        /// The earlier name of ``biometryNotAvailable``.
        public static let touchIDNotAvailable = biometryNotAvailable
        /// The earlier name of ``biometryNotEnrolled``.
        public static let touchIDNotEnrolled = biometryNotEnrolled
        /// The earlier name of ``biometryLockout``.
        public static let touchIDLockout = biometryLockout
    }

    public static var authenticationFailed: Code { .authenticationFailed }
    public static var userCancel: Code { .userCancel }
    public static var userFallback: Code { .userFallback }
    public static var systemCancel: Code { .systemCancel }
    public static var passcodeNotSet: Code { .passcodeNotSet }
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    public static var biometryLockout: Code { .biometryLockout }
    public static var appCancel: Code { .appCancel }
    public static var invalidContext: Code { .invalidContext }
    public static var companionNotAvailable: Code { .companionNotAvailable }
    public static var watchNotAvailable: Code { .watchNotAvailable }
    public static var biometryNotPaired: Code { .biometryNotPaired }
    public static var biometryDisconnected: Code { .biometryDisconnected }
    public static var invalidDimensions: Code { .invalidDimensions }
    public static var notInteractive: Code { .notInteractive }
    public static var touchIDNotAvailable: Code { .touchIDNotAvailable }
    public static var touchIDNotEnrolled: Code { .touchIDNotEnrolled }
    public static var touchIDLockout: Code { .touchIDLockout }
}

// Required in addition to the protocol above, which alone does not enable casts here.
extension LAError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
        result = LAError(_nsError: source)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
        guard source.domain == LAErrorDomain, Code(rawValue: source.code) != nil else { return false }
        result = LAError(_nsError: source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
        var result: LAError?
        // The compiler calls this only for a value that is not nil.
        _forceBridgeFromObjectiveC(source!, result: &result)
        return result!
    }
}

extension LAError {
    /// - Parameter reason: the cause, in one sentence, for codes that do not state it completely.
    init(_ code: Code, reason: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: reason])
    }

    init(_ failure: EvaluationError) {
        switch failure {
        case .outcome(let outcome): self.init(outcome)
        case .endedByProgram: self.init(.appCancel, reason: "The program ended the authentication.")
        case .invalidContext: self.init(.invalidContext, reason: "The context was invalidated.")
        case .service(.refused):
            self.init(.authenticationFailed, reason: "The keychain service refused the request: \(failure.text)")
        case .service: self.init(.systemCancel, reason: "The keychain service cannot be reached: \(failure.text)")
        }
    }

    init(_ outcome: AuthenticationOutcome) {
        switch outcome {
        case .success: preconditionFailure("success is not an error")
        case .failed: self.init(.authenticationFailed, reason: "The passcode or fingerprint is wrong.")
        case .cancelled: self.init(.userCancel, reason: "The user cancelled the prompt.")
        case .fallback: self.init(.userFallback, reason: "The user wants another authentication method.")
        case .withdrawn: self.init(.systemCancel, reason: "The prompt was not answered in time.")
        case .passcodeNotSet: self.init(.passcodeNotSet, reason: "The keychain has no passcode.")
        case .biometryNotAvailable: self.init(.biometryNotAvailable, reason: "No fingerprint reader is available.")
        case .biometryNotEnrolled: self.init(.biometryNotEnrolled, reason: "No finger is enrolled.")
        case .biometryLockout:
            self.init(.biometryLockout, reason: "Too many fingerprint attempts failed; the passcode is required.")
        case .companionNotAvailable: self.init(.companionNotAvailable, reason: "No paired device is available.")
        case .notInteractive: self.init(.notInteractive, reason: "No prompt can be shown, or prompts are not allowed.")
        }
    }
}

extension EvaluationError {
    fileprivate var text: String {
        guard case .service(let error) = self else { return "" }
        return "\(error)"
    }
}

// The same numbers for C programs.

public var kLAErrorAuthenticationFailed: Int32 { -1 }
public var kLAErrorUserCancel: Int32 { -2 }
public var kLAErrorUserFallback: Int32 { -3 }
public var kLAErrorSystemCancel: Int32 { -4 }
public var kLAErrorPasscodeNotSet: Int32 { -5 }
public var kLAErrorBiometryNotAvailable: Int32 { -6 }
public var kLAErrorBiometryNotEnrolled: Int32 { -7 }
public var kLAErrorBiometryLockout: Int32 { -8 }
public var kLAErrorTouchIDNotAvailable: Int32 { -6 }
public var kLAErrorTouchIDNotEnrolled: Int32 { -7 }
public var kLAErrorTouchIDLockout: Int32 { -8 }
public var kLAErrorAppCancel: Int32 { -9 }
public var kLAErrorInvalidContext: Int32 { -10 }
public var kLAErrorWatchNotAvailable: Int32 { -11 }
public var kLAErrorCompanionNotAvailable: Int32 { -11 }
public var kLAErrorBiometryNotPaired: Int32 { -12 }
public var kLAErrorBiometryDisconnected: Int32 { -13 }
public var kLAErrorInvalidDimensions: Int32 { -14 }
public var kLAErrorNotInteractive: Int32 { -1004 }
