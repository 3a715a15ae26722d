// SPDX-License-Identifier: Apache-2.0

/// A recovery key: 16 random bytes that open a keychain whose passcode is forgotten, on paper as 28 characters.
///
/// `ABCD-EFGH-JKMN-PQRS-TVWX-YZ01-2345`: base32 in Crockford's alphabet of the 128 bits and 12 bits of checksum, in groups
/// of four. Documentation/Formats/key-texts.md has the format. Keys and texts are arrays that the caller wipes.
public enum RecoveryKey {
    public static let byteCount = 16
    /// The number of characters without hyphens.
    public static let characterCount = CheckedBase32.recoveryKey.characterCount

    /// Returns the text of a key in ASCII, groups of four capitals and digits with hyphens between them. Traps unless
    /// the key has 16 bytes.
    public static func text(of key: some Collection<UInt8>) -> [UInt8] {
        CheckedBase32.recoveryKey.text(of: key, groupSize: 4)
    }

    /// Appends the key of a text that the user typed to an array.
    ///
    /// Lowercase letters are capitals, O is 0, I and L are 1; spaces, hyphens and line ends are skipped anywhere.
    /// Throws `.character` for characters outside the alphabet, such as a U, `.length`, and `.checksum` for a mistyped
    /// key; the array may then hold a part of the key.
    public static func read(_ text: some Sequence<UInt8>, into key: inout [UInt8]) throws(KeyTextError) {
        try CheckedBase32.recoveryKey.read(text, into: &key)
    }
}
