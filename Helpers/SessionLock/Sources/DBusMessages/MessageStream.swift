// SPDX-License-Identifier: Apache-2.0

/// Cuts what comes from a stream into messages, each with its descriptors.
///
/// A message larger than the limit is passed over without being kept: anybody on a bus may send somebody a signal, and a
/// large one should cost its receiver neither memory nor the connection. Its descriptors are let go with it.
public struct MessageStream<Descriptor> {
    private let limit: Int
    private var buffer: [UInt8] = []
    /// How many bytes of the buffer are done with.
    private var consumed = 0
    /// Where in the whole stream the buffer begins.
    private var bufferOffset = 0
    /// Of a message that is passed over: what has not come yet.
    private var bytesToDrop = 0
    /// Each with the offset of a byte of its message.
    private var descriptors: [(Descriptor, offset: Int)] = []

    /// - Parameter limit: the size of the largest message that is kept, in bytes, header included.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Takes what one call of the system has returned.
    ///
    /// The kernel returns no bytes behind those that descriptors were sent with, and a message's descriptors are sent with
    /// its own bytes. So they belong to the message that the last of the bytes is part of.
    public mutating func receive(_ bytes: some Collection<UInt8>, descriptors: [Descriptor] = []) {
        if consumed > 0 {
            buffer.removeFirst(consumed)
            bufferOffset += consumed
            consumed = 0
        }
        let dropped = min(bytesToDrop, bytes.count)
        bytesToDrop -= dropped
        // While bytes are dropped the buffer is empty.
        bufferOffset += dropped
        buffer.append(contentsOf: bytes.dropFirst(dropped))
        // With nothing left over, the last byte was of the message that is passed over, and so were the descriptors.
        if dropped == bytes.count { return }
        let last = bufferOffset + buffer.count - 1
        self.descriptors += descriptors.map { ($0, last) }
    }

    /// The next message that has come whole; nil when none has.
    ///
    /// Throws ``CodingFailure``, `.noSuchDescriptor` among them where others came than the message says. After that the
    /// stream is of no use: nobody knows where the next message begins.
    public mutating func next() throws(CodingFailure) -> (message: Message, descriptors: [Descriptor])? {
        while let frame = try MessageFrame(buffer[consumed...]) {
            let available = buffer.count - consumed
            if frame.byteCount > limit {
                let dropped = min(frame.byteCount, available)
                consumed += dropped
                bytesToDrop = frame.byteCount - dropped
                _ = takeDescriptors(before: bufferOffset + consumed + bytesToDrop)
                if bytesToDrop > 0 {
                    bufferOffset += consumed
                    consumed = 0
                    buffer = []
                }
                continue
            }
            guard available >= frame.byteCount else { return nil }
            let bytes = Array(buffer[consumed..<consumed + frame.byteCount])
            consumed += frame.byteCount
            let descriptors = takeDescriptors(before: bufferOffset + consumed)
            guard let message = try Message(bytes: bytes) else { continue }
            guard descriptors.count == Int(message.descriptorCount) else { throw .noSuchDescriptor }
            return (message, descriptors)
        }
        return nil
    }

    private mutating func takeDescriptors(before end: Int) -> [Descriptor] {
        let count = descriptors.prefix { $0.offset < end }.count
        defer { descriptors.removeFirst(count) }
        return descriptors.prefix(count).map { $0.0 }
    }
}
