// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import KeychainModel

/// The method by which the owner must authenticate. Apple's names and numbers.
public enum LAPolicy: Int, Sendable {
    /// Fingerprint of the owner.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// Fingerprint of the owner, or the keychain's passcode.
    case deviceOwnerAuthentication = 2
    /// A paired device of the owner. Not available on this system.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// Fingerprint of the owner, or a paired device.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
    /// A device that the owner wears. Not available on this system.
    case deviceOwnerAuthenticationWithWristDetection = 5

    /// The earlier name of ``deviceOwnerAuthenticationWithCompanion``.
    public static let deviceOwnerAuthenticationWithWatch = deviceOwnerAuthenticationWithCompanion
    /// The earlier name of ``deviceOwnerAuthenticationWithBiometricsOrCompanion``.
    public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
        deviceOwnerAuthenticationWithBiometricsOrCompanion

    var content: AuthenticationPolicy {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: .biometry
        case .deviceOwnerAuthentication: .owner
        case .deviceOwnerAuthenticationWithCompanion: .companion
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometryOrCompanion
        case .deviceOwnerAuthenticationWithWristDetection: .wristDetection
        }
    }

    /// Whether the policy uses biometry, so that the enrolment is part of its result.
    var isBiometric: Bool {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion: true
        case .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion,
            .deviceOwnerAuthenticationWithWristDetection:
            false
        }
    }
}

/// The operation for which an access control object is evaluated. Apple's names and numbers.
public enum LAAccessControlOperation: Int, Sendable {
    case createItem = 0
    case useItem = 1
    case createKey = 2
    case useKeySign = 3
    case useKeyDecrypt = 4
    case useKeyKeyExchange = 5

    var content: AccessControlOperation {
        switch self {
        case .createItem: .createItem
        case .useItem: .useItem
        case .createKey: .createKey
        case .useKeySign: .useKeySign
        case .useKeyDecrypt: .useKeyDecrypt
        case .useKeyKeyExchange: .useKeyKeyExchange
        }
    }
}

/// The type of a credential that a program can set, so that the user is not prompted for it. Apple's names and numbers.
public enum LACredentialType: Int, Sendable {
    /// The password of items whose access control has the flag `applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card. Smart cards are not supported here, so every context rejects it.
    case smartCardPIN = -3
}

/// The kind of biometric sensor. Apple's names and numbers.
public enum LABiometryType: Int, Sendable {
    case none = 0
    /// A fingerprint reader.
    case touchID = 1
    /// A camera for face recognition; never available on this system.
    case faceID = 2
    /// A camera for eye recognition; never available on this system.
    case opticID = 4

    /// The earlier name of ``none``.
    public static let LABiometryNone = none
}

/// Kinds of paired devices. Apple's names and numbers. Not available on this system.
public enum LACompanionType: Int, Sendable {
    case watch = 1
    case mac = 2
    case vision = 4
}

/// The maximum age in seconds of an unlock by biometry that can count as an authentication.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

// The same numbers for C programs.

public var kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 { 1 }
public var kLAPolicyDeviceOwnerAuthentication: Int32 { 2 }
public var kLAPolicyDeviceOwnerAuthenticationWithWatch: Int32 { 3 }
public var kLAPolicyDeviceOwnerAuthenticationWithCompanion: Int32 { 3 }
public var kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch: Int32 { 4 }
public var kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion: Int32 { 4 }
public var kLAPolicyDeviceOwnerAuthenticationWithWristDetection: Int32 { 5 }

public var kLABiometryTypeNone: Int32 { 0 }
public var kLABiometryTypeTouchID: Int32 { 1 }
public var kLABiometryTypeFaceID: Int32 { 2 }
public var kLABiometryTypeOpticID: Int32 { 4 }
