// SPDX-License-Identifier: Apache-2.0

/// The sizes in the first bytes of a message.
public struct MessageFrame: Hashable, Sendable {
    /// The version of the protocol that is in use.
    static let version: UInt8 = 1
    /// The number of bytes that contain all sizes.
    public static let headByteCount = 16

    public let order: ByteOrder
    public let bodyByteCount: Int
    /// The size of the whole message.
    public let byteCount: Int

    /// The size of the header, with the padding after it.
    var headerByteCount: Int { byteCount - bodyByteCount }

    /// Decodes the sizes; nil if there are too few bytes. Throws `.notAMessage` and `.tooLarge`.
    public init?(_ bytes: ArraySlice<UInt8>) throws(CodingError) {
        guard bytes.count >= Self.headByteCount else { return nil }
        guard let order = ByteOrder(rawValue: bytes[bytes.startIndex]),
            bytes[bytes.startIndex + 3] == Self.version
        else { throw .notAMessage }
        self.order = order
        var decoder = ByteDecoder(bytes, order, descriptorCount: 0)
        _ = try decoder.take(4)
        bodyByteCount = Int(try decoder.integer(UInt32.self))
        _ = try decoder.integer(UInt32.self)
        let fieldBytes = Int(try decoder.integer(UInt32.self))
        guard fieldBytes <= CodingLimits.arrayBytes, bodyByteCount <= CodingLimits.messageBytes else { throw .tooLarge }
        byteCount = Self.headByteCount + (fieldBytes + 7) / 8 * 8 + bodyByteCount
        guard byteCount <= CodingLimits.messageBytes else { throw .tooLarge }
    }
}
