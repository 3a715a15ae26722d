// SPDX-License-Identifier: Apache-2.0

/// Assembles the messages of a client from the bytes of a stream.
public struct MessageStream: Sendable {
    private var bytes: [UInt8] = []

    public init() {}

    /// Adds received bytes.
    public mutating func receive(_ received: some Collection<UInt8>) { bytes.append(contentsOf: received) }

    /// Returns the next message without its length; nil if more bytes are needed.
    ///
    /// - Throws: `.tooLarge` for a message over ``MessageLimits/message``, and `.truncated` for one without a type. The
    ///   rest of the stream is then not usable.
    public mutating func next() throws(MessageError) -> [UInt8]? {
        guard bytes.count >= 4 else { return nil }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard size <= MessageLimits.message else { throw .tooLarge }
        guard size > 0 else { throw .truncated }
        guard bytes.count >= 4 + size else { return nil }
        defer { bytes.removeFirst(4 + size) }
        return Array(bytes[4..<4 + size])
    }
}
