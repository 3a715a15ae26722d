// SPDX-License-Identifier: Apache-2.0

/// A splitter that divides a byte stream into messages, each with its descriptors.
///
/// A message larger than the limit is skipped and not kept, because any user of a bus may send a signal to any
/// connection, and a large signal must cost its receiver neither memory nor the connection. The descriptors of a
/// skipped message are released. ``takeSkippedCalls()`` returns the headers of skipped calls, whose senders wait for an
/// answer.
public struct MessageStream<Descriptor> {
    private let limit: Int
    private var buffer: [UInt8] = []
    /// The number of processed bytes in the buffer.
    private var consumed = 0
    /// The offset of the buffer in the whole stream.
    private var bufferOffset = 0
    /// The number of bytes of a skipped message that have not arrived yet.
    private var bytesToDrop = 0
    /// The descriptors, each with the offset of a byte of its message.
    private var descriptors: [(Descriptor, offset: Int)] = []
    private var skippedCalls: [Message] = []
    /// The most headers of skipped calls that are kept, and the bytes of the largest of them.
    private static var skippedCallLimit: Int { 64 }
    private static var skippedHeaderLimit: Int { 4096 }

    /// - Parameter limit: the size of the largest message that is kept, in bytes, header included.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Takes the result of one system call.
    ///
    /// The kernel returns no bytes beyond those that descriptors were sent with, and a message's descriptors are sent
    /// with its own bytes. So they belong to the message that contains the last of the bytes.
    public mutating func receive(_ bytes: some Collection<UInt8>, descriptors: [Descriptor] = []) {
        if consumed > 0 {
            buffer.removeFirst(consumed)
            bufferOffset += consumed
            consumed = 0
        }
        let dropped = min(bytesToDrop, bytes.count)
        bytesToDrop -= dropped
        // While bytes are dropped, the buffer is empty.
        bufferOffset += dropped
        buffer.append(contentsOf: bytes.dropFirst(dropped))
        // If no bytes are left, the last byte belonged to the skipped message, and so did the descriptors.
        if dropped == bytes.count { return }
        let last = bufferOffset + buffer.count - 1
        self.descriptors += descriptors.map { ($0, last) }
    }

    /// Returns the next complete message; nil if there is none.
    ///
    /// Throws ``CodingError``; `.noSuchDescriptor` if the number of descriptors differs from the message's. After an
    /// error the stream is unusable, because the start of the next message is unknown.
    public mutating func next() throws(CodingError) -> (message: Message, descriptors: [Descriptor])? {
        while let frame = try MessageFrame(buffer[consumed...]) {
            let available = buffer.count - consumed
            if frame.byteCount > limit {
                guard try readHeader(frame, available) else { return nil }
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
            if consumed == buffer.count {
                // An idle stream keeps no bytes of its messages, which may contain secrets.
                bufferOffset += consumed
                consumed = 0
                buffer = []
            }
            guard let message = try Message(bytes: bytes) else { continue }
            guard descriptors.count == Int(message.descriptorCount) else { throw .noSuchDescriptor }
            return (message, descriptors)
        }
        return nil
    }

    /// Returns the headers of the calls that were skipped since the last time, of the first ones if there are many.
    /// Their arguments are missing.
    public mutating func takeSkippedCalls() -> [Message] {
        defer { skippedCalls = [] }
        return skippedCalls
    }

    /// Keeps the header of a call that is skipped. Returns false if the header is incomplete.
    private mutating func readHeader(_ frame: MessageFrame, _ available: Int) throws(CodingError) -> Bool {
        // A larger header is skipped as well.
        guard frame.headerByteCount <= min(limit, Self.skippedHeaderLimit) else { return true }
        guard available >= frame.headerByteCount else { return false }
        let header = buffer[consumed..<consumed + frame.headerByteCount]
        if let message = try Message(header: header, frame), message.kind == .methodCall,
            skippedCalls.count < Self.skippedCallLimit
        {
            skippedCalls.append(message)
        }
        return true
    }

    private mutating func takeDescriptors(before end: Int) -> [Descriptor] {
        let count = descriptors.prefix { $0.offset < end }.count
        defer { descriptors.removeFirst(count) }
        return descriptors.prefix(count).map { $0.0 }
    }
}
