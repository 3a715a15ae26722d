// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// The authentication that is required before an item is used. Apple's names and bits.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    public let rawValue: CFOptionFlags

    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    /// The user authenticates by biometry or passcode.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any enrolled fingerprint or face.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// The current enrolment of fingerprints or faces; another enrolment makes the item inaccessible.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The passcode.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A paired device nearby.
    public static let companion = Self(rawValue: 1 << 5)
    /// One of the constraints is sufficient.
    public static let or = Self(rawValue: 1 << 14)
    /// All constraints must be met, which is also the default.
    public static let and = Self(rawValue: 1 << 15)
    /// The constraints apply to using a private key, not to reading an item.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// An application password is part of the key that encrypts the item.
    public static let applicationPassword = Self(rawValue: 1 << 31)

    /// The earlier name of ``companion``.
    public static let watch = companion
    /// The earlier name of ``biometryAny``.
    public static let touchIDAny = biometryAny
    /// The earlier name of ``biometryCurrentSet``.
    public static let touchIDCurrentSet = biometryCurrentSet
}
