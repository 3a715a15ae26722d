// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Why something sealed could not be opened or sealed. Says nothing about what is inside.
public enum SealingError: Error, Hashable, Sendable {
    /// The bytes are not what was sealed: damaged, tampered with, or from another place.
    case damaged
    /// Made by a version of this format that this code does not know.
    case unsupportedVersion
    /// The keybag is whole, but was made with another device key.
    case wrongDeviceKey
    /// The class key is not at hand: the keychain is locked, or the class needs a passcode and there is none.
    case keyNotAvailable(Accessibility)
    /// The secret opens none of the protectors of its kind.
    case wrongSecret
    /// The keybag has no protector of that kind.
    case noSuchProtector
    /// The keybag has as many protectors of that kind as it may.
    case tooManyProtectors
    /// The item has a password of its own, and none was given.
    case passwordNeeded
    /// The item's own password is another one, or its wrapped key is damaged: nobody can tell.
    case wrongPassword
    /// The item is for the fingers that were enrolled when it was stored, and none is enrolled now.
    case enrolmentNeeded
    /// The item was stored for other fingers than are enrolled now.
    case enrolmentChanged
    /// No memory for keys could be had.
    case noKeyStorage

    /// Whether it is the sealed bytes that are at fault, so that trying again cannot help.
    public var concernsBytes: Bool { self == .damaged || self == .unsupportedVersion }
}
