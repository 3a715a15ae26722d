// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainClient
internal import KeychainModel

// Locking, unlocking, and related settings. Null keychains, results and common statuses are as in SecKeychain.swift.

/// The state of a keychain: bits of ``kSecUnlockStateStatus``, ``kSecReadPermStatus``, ``kSecWritePermStatus``.
public typealias SecKeychainStatus = UInt32

/// The keychain is unlocked.
public var kSecUnlockStateStatus: SecKeychainStatus { 1 }
/// The keychain can be read.
public var kSecReadPermStatus: SecKeychainStatus { 2 }
/// The keychain can be changed.
public var kSecWritePermStatus: SecKeychainStatus { 4 }

/// The version of ``SecKeychainSettings``.
public var SEC_KEYCHAIN_SETTINGS_VERS1: UInt32 { 1 }

/// The settings for automatic locking.
public struct SecKeychainSettings: Equatable, Sendable {
    /// ``SEC_KEYCHAIN_SETTINGS_VERS1``.
    public var version: UInt32
    public var lockOnSleep: DarwinBoolean
    /// Ignored, and not written.
    public var useLockInterval: DarwinBoolean
    /// Seconds since the last use of an item; 2³¹ - 1 or more: never.
    public var lockInterval: UInt32

    /// All zero, as in C.
    public init() { self.init(version: 0, lockOnSleep: false, useLockInterval: false, lockInterval: 0) }

    public init(
        version: UInt32, lockOnSleep: DarwinBoolean, useLockInterval: DarwinBoolean, lockInterval: UInt32
    ) {
        self.version = version
        self.lockOnSleep = lockOnSleep
        self.useLockInterval = useLockInterval
        self.lockInterval = lockInterval
    }

    fileprivate static let never = UInt32(Int32.max)
}

/// Returns whether a keychain is unlocked: 7 if it is, 2 if it is locked. The file's permissions are ignored.
///
/// - Returns: in addition to the common statuses, `errSecParam` without a variable.
@available(
    *, deprecated,
    message: "errSecInteractionNotAllowed means that the data-protection keychain is locked."
)
@discardableResult
public func SecKeychainGetStatus(
    _ keychain: SecKeychain?, _ keychainStatus: UnsafeMutablePointer<SecKeychainStatus>?
) -> OSStatus {
    statusOf("SecKeychainGetStatus") { () throws(CallFailure) in
        guard let status = unsafe keychainStatus else { throw .missingVariable }
        switch try usableReport(of: keychain).state {
        case .unlocked: unsafe status.pointee = kSecUnlockStateStatus | kSecReadPermStatus | kSecWritePermStatus
        default: unsafe status.pointee = kSecReadPermStatus
        }
    }
}

/// Unlocks a keychain.
///
/// - Parameters:
///   - keychain: nil: the default keychain.
///   - passwordLength: the length of the password in bytes.
///   - password: an empty password has a pointer and length 0.
///   - usePassword: false: the user is prompted, unless the keychain is unlocked.
/// - Returns: in addition to the common statuses, `errSecAuthFailed` for a wrong or missing password, and if no prompt
///   is possible; `errSecUserCanceled`.
@available(
    *, deprecated, message: "The data-protection keychain is unlocked with the session, or by `chatelaine unlock`."
)
@discardableResult
public func SecKeychainUnlock(
    _ keychain: SecKeychain?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?, _ usePassword: Bool
) -> OSStatus {
    statusOf("SecKeychainUnlock") { () throws(CallFailure) in
        let path = try path(of: keychain)
        let secret = usePassword ? unsafe givenPassword(passwordLength, password) : nil
        guard secret != nil || !usePassword else {
            throw CallFailure(.authenticationFailed, "the password is missing")
        }
        try readingData { () throws(CallFailure) in
            try asking(.keychain) { client throws(ClientError) in
                try client.unlockKeychain(at: path, password: secret)
            }
        }
    }
}

/// Locks a keychain. Has no effect on a locked keychain.
@available(*, deprecated, message: "The data-protection keychain is locked with the session, or by `chatelaine lock`.")
@discardableResult
public func SecKeychainLock(_ keychain: SecKeychain?) -> OSStatus {
    statusOf("SecKeychainLock") { () throws(CallFailure) in
        let path = try path(of: keychain)
        try asking(.keychain) { client throws(ClientError) in try client.lockKeychain(at: path) }
    }
}

/// Locks all keychain files of the user.
@available(*, deprecated, message: "The data-protection keychain is locked with the session, or by `chatelaine lock`.")
@discardableResult
public func SecKeychainLockAll() -> OSStatus {
    statusOf("SecKeychainLockAll") { () throws(CallFailure) in
        try asking(.keychain) { client throws(ClientError) in try client.lockAllKeychains() }
    }
}

/// Sets when a keychain locks automatically. Requires that it is unlocked; otherwise the user is prompted for its
/// password.
///
/// - Parameters:
///   - keychain: nil: the default keychain.
///   - newSettings: ignored silently if its version is not ``SEC_KEYCHAIN_SETTINGS_VERS1``.
/// - Returns: in addition to the common statuses, `errSecAuthFailed`, `errSecInteractionNotAllowed` or
///   `errSecUserCanceled` while it is locked; `errSecParam` for more than a year, unless the interval means never.
@available(*, deprecated, message: "Use `chatelaine settings` for the data-protection keychain.")
@discardableResult
public func SecKeychainSetSettings(
    _ keychain: SecKeychain?, _ newSettings: UnsafePointer<SecKeychainSettings>?
) -> OSStatus {
    statusOf("SecKeychainSetSettings") { () throws(CallFailure) in
        guard let pointer = unsafe newSettings else { throw CallFailure(.parameter, "the settings are nil") }
        let given = unsafe pointer.pointee
        let path = try path(of: keychain)
        guard given.version == SEC_KEYCHAIN_SETTINGS_VERS1 else { return }
        let settings = FileKeychainSettings(
            locksOnSleep: given.lockOnSleep.boolValue,
            idleLockSeconds: given.lockInterval >= SecKeychainSettings.never ? nil : given.lockInterval)
        try asking(.keychain) { client throws(ClientError) in try client.changeKeychain(at: path, settings) }
    }
}

/// Reads when a keychain locks automatically. Works while it is locked.
///
/// - Parameters:
///   - keychain: nil: the default keychain.
///   - outSettings: its version must be ``SEC_KEYCHAIN_SETTINGS_VERS1``, otherwise nothing is written.
@available(*, deprecated, message: "Use `chatelaine settings` for the data-protection keychain.")
@discardableResult
public func SecKeychainCopySettings(
    _ keychain: SecKeychain?, _ outSettings: UnsafeMutablePointer<SecKeychainSettings>?
) -> OSStatus {
    statusOf("SecKeychainCopySettings") { () throws(CallFailure) in
        guard let settings = unsafe outSettings else { throw .missingVariable }
        let stored = try usableReport(of: keychain).settings ?? .initial
        guard unsafe settings.pointee.version == SEC_KEYCHAIN_SETTINGS_VERS1 else { return }
        unsafe settings.pointee.lockOnSleep = DarwinBoolean(stored.locksOnSleep)
        unsafe settings.pointee.lockInterval = stored.idleLockSeconds ?? SecKeychainSettings.never
    }
}

/// Changes the password of a keychain, even if it is locked. Apple's framework has this function without declaring it.
///
/// - Parameters:
///   - keychain: nil: the default keychain.
///   - oldPasswordLength: the length of the old password in bytes.
///   - oldPassword: nil: the user is prompted.
///   - newPasswordLength: the length of the new password in bytes.
///   - newPassword: nil: the user is prompted.
/// - Returns: in addition to the common statuses, `errSecAuthFailed` for a wrong password;
///   `errSecInteractionNotAllowed` if no prompt is possible; `errSecUserCanceled`; `errSecParam` for an invalid
///   password.
@discardableResult
public func SecKeychainChangePassword(
    _ keychain: SecKeychain?, _ oldPasswordLength: UInt32, _ oldPassword: UnsafeRawPointer?,
    _ newPasswordLength: UInt32, _ newPassword: UnsafeRawPointer?
) -> OSStatus {
    statusOf("SecKeychainChangePassword") { () throws(CallFailure) in
        let path = try path(of: keychain)
        let old = unsafe givenPassword(oldPasswordLength, oldPassword)
        let new = unsafe givenPassword(newPasswordLength, newPassword)
        try asking(.keychain) { client throws(ClientError) in
            try client.changePassword(ofKeychainAt: path, old: old, new: new)
        }
    }
}

/// - Throws: `errSecNoSuchKeychain`, `errSecInvalidKeychain`.
private func usableReport(of keychain: SecKeychain?) throws(CallFailure) -> FileKeychainReport {
    let report = try report(of: try path(of: keychain))
    switch report.state {
    case .missing: throw CallFailure(.noSuchKeychain, "the keychain does not exist")
    case .unusable: throw CallFailure(.invalidKeychain, "the file is not a keychain, or cannot be opened")
    case .locked, .unlocked: return report
    }
}
