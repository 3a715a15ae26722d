// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import KeychainModel

/// Who has to show to be there, and how. Apple's names and numbers.
public enum LAPolicy: Int, Sendable {
    /// The owner, by a finger.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// The owner, by a finger or the keychain's passcode.
    case deviceOwnerAuthentication = 2
    /// The owner, by a paired device. There are none on this system.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// The owner, by a finger or a paired device.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
    /// The owner, by the device being worn. There are none on this system.
    case deviceOwnerAuthenticationWithWristDetection = 5

    /// The first name of ``deviceOwnerAuthenticationWithCompanion``.
    public static let deviceOwnerAuthenticationWithWatch = deviceOwnerAuthenticationWithCompanion
    /// The first name of ``deviceOwnerAuthenticationWithBiometricsOrCompanion``.
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

    /// Whether it is about biometry, so that the enrolment belongs to its result.
    var isBiometric: Bool {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion: true
        case .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion,
            .deviceOwnerAuthenticationWithWristDetection:
            false
        }
    }
}

/// What an access control object is evaluated for. Apple's names and numbers.
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

/// What a context can be given instead of asking the person for it. Apple's names and numbers.
public enum LACredentialType: Int, Sendable {
    /// The password of items whose access control has the flag `applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card; there are none here, so no context takes it.
    case smartCardPIN = -3
}

/// What reads who is there. Apple's names and numbers.
public enum LABiometryType: Int, Sendable {
    case none = 0
    /// A fingerprint reader.
    case touchID = 1
    /// A camera that knows faces; never on this system.
    case faceID = 2
    /// A camera that knows eyes; never on this system.
    case opticID = 4

    /// The first name of ``none``.
    public static let LABiometryNone = none
}

/// Kinds of paired devices. Apple's names and numbers; there are none on this system.
public enum LACompanionType: Int, Sendable {
    case watch = 1
    case mac = 2
    case vision = 4
}

/// How old an unlock by biometry may be to count, at most, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

// The same numbers, as C programs know them.

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
