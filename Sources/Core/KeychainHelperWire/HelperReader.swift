// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes

extension HelperWireError: ByteFormatError {}

/// Reads the values of a message.
typealias HelperReader = ByteReader<HelperWireError>

extension HelperReader {
    /// Reads the payload of a complete frame.
    ///
    /// - Throws: the errors of ``HelperFrameHeader/init(_:)``; `.trailingBytes` for more than one frame, `.unexpected`
    ///   for a frame whose kind is not in `kinds`.
    init(_ frame: [UInt8], _ kinds: [HelperFrameKind]) throws(HelperWireError) {
        let header = try HelperFrameHeader(frame)
        let end = HelperFrameHeader.size + header.payloadSize
        guard frame.count >= end else { throw .truncated }
        guard frame.count == end else { throw .trailingBytes }
        guard kinds.contains(header.kind) else { throw .unexpected(header.kind) }
        self.init(frame, from: HelperFrameHeader.size, to: end)
    }

    /// Reads a block as ``block(atMost:)`` does, but returns only its range in the frame: for a secret that must not be
    /// copied.
    mutating func range(ofBlockAtMost limit: Int) throws(HelperWireError) -> Range<Int> {
        try block(atMost: limit).indices
    }
}
