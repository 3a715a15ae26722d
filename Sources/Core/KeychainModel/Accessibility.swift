// SPDX-License-Identifier: Apache-2.0

/// When an item can be read and whether it may leave the device: the value of `kSecAttrAccessible`.
///
/// Each is a data-protection class with a class key of its own in the keybag. The raw value is the class's number in
/// the database and in sealed items; it never changes.
public enum Accessibility: UInt8, CaseIterable, Hashable, Sendable {
    /// `kSecAttrAccessibleWhenUnlocked`, the default for passwords and keys
    case whenUnlocked = 1
    /// `kSecAttrAccessibleAfterFirstUnlock`
    case afterFirstUnlock = 2
    /// `kSecAttrAccessibleAlways`
    case always = 3
    /// `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`
    case whenUnlockedThisDeviceOnly = 4
    /// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`
    case afterFirstUnlockThisDeviceOnly = 5
    /// `kSecAttrAccessibleAlwaysThisDeviceOnly`
    case alwaysThisDeviceOnly = 6
    /// `kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly`
    case whenPasscodeSetThisDeviceOnly = 7

    /// Finds the class with Apple's short name, such as `"ak"`; nil for any other string.
    public init?(code: String) {
        guard let match = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = match
    }

    /// Apple's short name: the string value of the `kSecAttrAccessible…` constant.
    public var code: String {
        switch self {
        case .whenUnlocked: "ak"
        case .afterFirstUnlock: "ck"
        case .always: "dk"
        case .whenUnlockedThisDeviceOnly: "aku"
        case .afterFirstUnlockThisDeviceOnly: "cku"
        case .alwaysThisDeviceOnly: "dku"
        case .whenPasscodeSetThisDeviceOnly: "akpu"
        }
    }

    /// Whether an item of this class must stay on the device that made it.
    public var isThisDeviceOnly: Bool {
        switch self {
        case .whenUnlocked, .afterFirstUnlock, .always: false
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
            .whenPasscodeSetThisDeviceOnly:
            true
        }
    }
}

/// The availability of the keychain's class keys.
public enum LockState: UInt8, CaseIterable, Hashable, Sendable {
    /// No passcode is set: the keychain is always open while its service runs.
    case noPasscode = 1
    /// Not unlocked since its service started.
    case beforeFirstUnlock = 2
    /// Locked again.
    case locked = 3
    case unlocked = 4
    /// The device key is protected by a PIN that has not been entered since the service started: nothing can be read or
    /// stored, not even attributes.
    case awaitingPIN = 5
}
