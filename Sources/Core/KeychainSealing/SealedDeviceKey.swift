// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The second version of the device key file: the bytes of the first version, sealed to a token
/// (Documentation/Formats/device-key.md).
public struct SealedDeviceKey: Hashable, Sendable {
    /// The number of the kind of token that opens it.
    public let token: UInt8
    /// The token's blob of the first version's bytes.
    public let blob: [UInt8]

    private static let head: [UInt8] = Array("CHTLDEV".utf8) + [2]

    public init(token: UInt8, blob: [UInt8]) {
        self.token = token
        self.blob = blob
    }

    /// Reads a file; nil for other bytes: another version, or damage.
    public init?(_ file: some Collection<UInt8>) {
        let bytes = Array(file)
        let content = Array(bytes.dropLast(SealingConstants.checksumSize))
        guard content.starts(with: Self.head), content.count > Self.head.count + 1,
            SHA256.hash(data: content).elementsEqual(bytes.suffix(SealingConstants.checksumSize))
        else { return nil }
        self.init(token: content[Self.head.count], blob: Array(content[(Self.head.count + 1)...]))
    }

    public var bytes: [UInt8] {
        let content = Self.head + [token] + blob
        return content + SHA256.hash(data: content)
    }
}
