// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The name of a team: the first 26 characters of the base32 form (RFC 4648, capitals, no padding) of the SHA-256
/// digest of its Ed25519 public key.
///
/// It certifies itself: it contains 130 bits of the digest, so finding a second key with that name is infeasible, and
/// no authority has to confirm the owner. Source: Documentation/Formats/code-signature.md.
public struct TeamIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// 26 characters of `A` to `Z` and `2` to `7`.
    public let text: String

    public static let characterCount = 26
    public static let publicKeyByteCount = 32

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Computes the identifier of a public key's 32 raw bytes. Traps for another length.
    public init(publicKey: some Collection<UInt8>) {
        precondition(publicKey.count == Self.publicKeyByteCount, "an Ed25519 public key has 32 bytes")
        let digest = SHA256.hash(data: Array(publicKey))
        var characters: [UInt8] = []
        var (pending, pendingBits) = (0, 0)
        for byte in digest {
            pending = pending << 8 | Int(byte)
            pendingBits += 8
            while pendingBits >= 5, characters.count < Self.characterCount {
                pendingBits -= 5
                characters.append(Self.alphabet[pending >> pendingBits & 31])
            }
            pending &= 0xFF
        }
        text = String(decoding: characters, as: UTF8.self)
    }

    /// Reads an identifier; nil for any other text. Lowercase letters are not read as capitals, because comparisons are
    /// exact.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = String(text)
    }

    public var description: String { text }

    /// The prefix of every name that belongs to the team: the identifier and a full stop.
    public var prefix: String { text + "." }
}
