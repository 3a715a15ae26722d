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
    /// No memory for keys could be had.
    case noKeyStorage
}
