// SPDX-License-Identifier: Apache-2.0

/// Puts frames together from the pieces in which they arrive. Does no reading itself.
///
/// The buffer may hold a secret: whoever is done with a frame calls ``discard(wiping:)``.
public struct FrameReader: Sendable {
    private var buffer: [UInt8] = []

    public init() {}

    /// How many more bytes the frame in the buffer needs; nil if it is complete. At least one byte is needed before the
    /// header is there.
    ///
    /// - Throws: what ``FrameHeader/init(_:)`` throws, as soon as the header is there.
    public var missing: Int? {
        get throws(WireError) {
            guard buffer.count >= FrameHeader.size else { return FrameHeader.size - buffer.count }
            let total = FrameHeader.size + (try FrameHeader(buffer: buffer).payloadSize)
            return buffer.count >= total ? nil : total - buffer.count
        }
    }

    public var isEmpty: Bool { buffer.isEmpty }

    /// Takes bytes that arrived. Room for the whole frame is made as soon as its size is known, so that a growing buffer
    /// leaves no unwiped copies behind.
    public mutating func receive(_ bytes: some Collection<UInt8>) throws(WireError) {
        if buffer.count + bytes.count > buffer.capacity, let missing = try missing {
            buffer.reserveCapacity(buffer.count + max(missing, bytes.count))
        }
        buffer.append(contentsOf: bytes)
    }

    /// The complete frame in the buffer.
    ///
    /// - Throws: `.truncated` while something is missing; `.trailingBytes` where more than one frame is there, unless
    ///   `mayHaveMore`.
    public func frame(mayHaveMore: Bool = false) throws(WireError) -> Frame {
        let header = try FrameHeader(buffer: buffer)
        let end = FrameHeader.size + header.payloadSize
        guard buffer.count >= end else { throw .truncated }
        guard mayHaveMore || buffer.count == end else { throw .trailingBytes }
        return Frame(kind: header.kind, reader: WireReader(buffer, from: FrameHeader.size, to: end))
    }

    /// Forgets the first frame in the buffer. All values read from it must be gone by then, or `wipe` overwrites a copy.
    public mutating func discard(wiping wipe: (inout [UInt8]) -> Void) {
        let end = (try? FrameHeader(buffer: buffer)).map { FrameHeader.size + $0.payloadSize } ?? buffer.count
        let rest = end < buffer.count ? Array(buffer[end...]) : []
        wipe(&buffer)
        buffer.removeAll(keepingCapacity: buffer.capacity <= WireLimits.batchBytes)
        buffer.append(contentsOf: rest)
    }
}

/// A complete frame: its kind, and a reader over its payload.
public struct Frame {
    public let kind: FrameKind
    public var reader: WireReader
}
