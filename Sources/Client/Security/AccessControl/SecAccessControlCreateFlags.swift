// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// What must happen before an item may be used. Apple's names and bits.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    public let rawValue: CFOptionFlags

    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    /// The user shows to be there, by biometry or passcode.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any of the enrolled fingers or faces.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// The fingers or faces enrolled now; another enrolment makes the item inaccessible.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The passcode.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A paired device nearby.
    public static let companion = Self(rawValue: 1 << 5)
    /// One of the constraints is enough.
    public static let or = Self(rawValue: 1 << 14)
    /// All constraints must be met, as is the case without this flag.
    public static let and = Self(rawValue: 1 << 15)
    /// The constraints are for using a private key, not for reading an item.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password of the program's own goes into the key that encrypts the item.
    public static let applicationPassword = Self(rawValue: 1 << 31)

    /// The first name of ``companion``.
    public static let watch = companion
    /// The first name of ``biometryAny``.
    public static let touchIDAny = biometryAny
    /// The first name of ``biometryCurrentSet``.
    public static let touchIDCurrentSet = biometryCurrentSet
}
