// SPDX-License-Identifier: Apache-2.0

/// A credential as a line of text: 32 random bytes that unlock a keychain on a machine without a user to type a
/// passcode, for instance from a sealed credential of systemd.
///
/// `chatelaine-credential-1-` and 56 characters: base32 in Crockford's alphabet of the 256 bits and 24 bits of
/// checksum. Documentation/Formats/key-texts.md has the format. Credentials and texts are arrays that the caller wipes.
public enum CredentialText {
    public static let byteCount = 32
    /// The length of a text without spaces; the service writes no other.
    public static let textByteCount = prefix.count + CheckedBase32.credential.characterCount

    private static let prefix = Array("chatelaine-credential-1-".utf8)

    /// Returns the line in ASCII, without a newline. Traps unless the credential has 32 bytes.
    public static func text(of credential: some Collection<UInt8>) -> [UInt8] {
        var characters = CheckedBase32.credential.text(of: credential)
        defer { for index in characters.indices { characters[index] = 0 } }
        var text: [UInt8] = []
        text.reserveCapacity(textByteCount)
        text += prefix
        text += characters
        return text
    }

    /// Appends the credential of a text to an array. A newline may follow the text.
    ///
    /// Throws `.prefix` for a text without the prefix of this version, `.character`, `.length`, and `.checksum` for a
    /// damaged text; the array may then hold a part of the credential.
    public static func read(_ text: some Collection<UInt8>, into credential: inout [UInt8]) throws(KeyTextError) {
        guard text.starts(with: prefix) else { throw .prefix }
        try CheckedBase32.credential.read(text.dropFirst(prefix.count), into: &credential)
    }
}
