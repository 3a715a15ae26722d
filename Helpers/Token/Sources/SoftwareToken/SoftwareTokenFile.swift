// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
public import SecretMemory

/// The file of a software token, version 1 (Documentation/Formats/token-key.md).
public struct SoftwareTokenFile: Sendable {
    public let secret: SecretBytes
    /// Whether the machine's identity is part of the key.
    public let isBoundToMachine: Bool

    public static let byteCount = 73
    private static let secretByteCount = 32
    private static let head: [UInt8] = Array("CHTLSWT".utf8) + [1]

    /// - Parameter secret: 32 random bytes.
    public init(secret: SecretBytes, isBoundToMachine: Bool) {
        precondition(secret.count == Self.secretByteCount, "the secret of a token has 32 bytes")
        self.secret = secret
        self.isBoundToMachine = isBoundToMachine
    }

    /// Nil for other bytes: a damaged file, or one of another version.
    public init?(_ file: SecretBytes) {
        var bytes = Array(file.bytes)
        defer { wipe(&bytes) }
        let (content, digest) = (bytes.prefix(41), bytes.dropFirst(41))
        guard bytes.count == Self.byteCount, content.starts(with: Self.head), content[8] <= 1,
            digest.elementsEqual(SHA256.hash(data: content))
        else { return nil }
        isBoundToMachine = content[8] == 1
        secret = SecretBytes(copying: content[9...])
    }

    public var bytes: SecretBytes {
        var bytes = Self.head + [isBoundToMachine ? 1 : 0] + secret.bytes
        bytes += SHA256.hash(data: bytes)
        return SecretBytes(moving: &bytes)
    }
}
