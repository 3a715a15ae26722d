// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes
public import KeychainModel

/// The reason why sealing or opening failed. Reveals nothing about the contents.
public enum SealingError: Error, Hashable, Sendable {
    /// The bytes differ from the sealed ones: damaged, tampered with, or from another place.
    case damaged
    /// A version of this format that this code does not know.
    case unsupportedVersion
    /// The keybag is intact, but was made with another device key.
    case wrongDeviceKey
    /// The class key is not available: the keychain is locked, or the class requires a passcode and none is set.
    case keyNotAvailable(Accessibility)
    /// The secret opens no protector of its kind.
    case wrongSecret
    /// The keybag has no protector of that kind.
    case noSuchProtector
    /// The keybag has reached its limit of protectors of that kind.
    case tooManyProtectors
    /// The item has its own password, and none was given.
    case passwordNeeded
    /// The item's own password is wrong, or its wrapped key is damaged: the two cannot be distinguished.
    case wrongPassword
    /// The item requires the fingers that were enrolled when it was stored, and no finger is enrolled now.
    case enrolmentNeeded
    /// The item was stored for other fingers than those enrolled now.
    case enrolmentChanged
    /// No memory for keys is available.
    case noKeyStorage

    /// Whether the sealed bytes cause the error, so that a retry cannot succeed.
    public var concernsBytes: Bool { self == .damaged || self == .unsupportedVersion }
}

extension SealingError: ByteFormatError {
    public static var truncated: SealingError { .damaged }
    public static var trailingBytes: SealingError { .damaged }
    public static var tooLarge: SealingError { .damaged }
    public static var malformed: SealingError { .damaged }
}

extension SealingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .damaged: "the sealed bytes are damaged"
        case .unsupportedVersion: "a newer version sealed the bytes"
        case .wrongDeviceKey: "another device key was used"
        case .keyNotAvailable(let accessibility): "the key of the class \(accessibility.code) is not available"
        case .wrongSecret: "the secret is wrong"
        case .noSuchProtector: "no protector of this kind exists"
        case .tooManyProtectors: "too many protectors of this kind exist"
        case .passwordNeeded: "the item has its own password"
        case .wrongPassword: "the item's own password is wrong"
        case .enrolmentNeeded: "no finger is enrolled"
        case .enrolmentChanged: "other fingers are enrolled"
        case .noKeyStorage: "no memory for keys is available"
        }
    }
}
