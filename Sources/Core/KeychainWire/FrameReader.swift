// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes

/// Assembles frames from the pieces in which they arrive. Does no input itself.
///
/// The buffer may contain a secret: the owner calls ``discard(wiping:)`` after using a frame.
public struct FrameReader: Sendable {
    private(set) var buffer: [UInt8] = []

    public init() {}

    /// The number of bytes that the frame in the buffer still needs; nil if it is complete. Before the header is
    /// complete, at least one byte.
    ///
    /// - Throws: the errors of ``FrameHeader/init(_:)``, as soon as the header is complete.
    public var missing: Int? {
        get throws(WireError) {
            guard buffer.count >= FrameHeader.size else { return FrameHeader.size - buffer.count }
            let total = FrameHeader.size + (try FrameHeader(buffer.span).payloadSize)
            return buffer.count >= total ? nil : total - buffer.count
        }
    }

    public var isEmpty: Bool { buffer.isEmpty }

    /// Adds bytes that arrived. Room for the whole frame is reserved as soon as its size is known and before any of its
    /// payload is stored, so that a growing buffer leaves no unwiped copies behind.
    ///
    /// - Throws: the errors of ``FrameHeader/init(_:)``, as soon as the header is complete; ``missing`` and
    ///   ``frame(mayHaveMore:)`` throw them from then on.
    public mutating func receive(_ bytes: some Collection<UInt8>) throws(WireError) {
        guard buffer.count < FrameHeader.size else { return buffer.append(contentsOf: bytes) }
        let header = bytes.prefix(FrameHeader.size - buffer.count)
        let rest = bytes.dropFirst(header.count)
        buffer.append(contentsOf: header)
        guard buffer.count == FrameHeader.size else { return }
        reserve(try FrameHeader(buffer.span), rest.count)
        buffer.append(contentsOf: rest)
    }

    /// Adds bytes as the other ``receive(_:)`` does, for bytes borrowed from a socket.
    public mutating func receive(_ bytes: Span<UInt8>) throws(WireError) {
        guard buffer.count < FrameHeader.size else { return append(bytes) }
        let head = bytes.extracting(first: FrameHeader.size - buffer.count)
        let rest = bytes.extracting(droppingFirst: head.count)
        // Usually the header arrives in one piece. Then all room is reserved at once; an invalid header is reported
        // below.
        if buffer.isEmpty, let header = try? FrameHeader(head) { reserve(header, rest.count) }
        append(head)
        guard buffer.count == FrameHeader.size else { return }
        reserve(try FrameHeader(buffer.span), rest.count)
        append(rest)
    }

    private mutating func reserve(_ header: FrameHeader, _ count: Int) {
        buffer.reserveCapacity(FrameHeader.size + max(header.payloadSize, count))
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        // Adding nothing to an empty array would write a count into the storage that all empty arrays share.
        guard !bytes.isEmpty else { return }
        // The optimiser turns this into one copy loop, without a check for each byte.
        buffer.append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }

    /// Returns the complete frame in the buffer.
    ///
    /// - Throws: `.truncated` for an incomplete frame; `.trailingBytes` for more than one frame, unless `mayHaveMore`.
    public func frame(mayHaveMore: Bool = false) throws(WireError) -> Frame {
        let header = try FrameHeader(buffer.span)
        let end = FrameHeader.size + header.payloadSize
        guard buffer.count >= end else { throw .truncated }
        guard mayHaveMore || buffer.count == end else { throw .trailingBytes }
        return Frame(kind: header.kind, reader: WireReader(buffer, from: FrameHeader.size, to: end))
    }

    /// Removes the first frame from the buffer. All values read from it must be released before, or `wipe` overwrites a
    /// copy.
    public mutating func discard(wiping wipe: (inout [UInt8]) -> Void) {
        let end = (try? FrameHeader(buffer.span)).map { FrameHeader.size + $0.payloadSize } ?? buffer.count
        var rest = end < buffer.count ? Array(buffer[end...]) : []
        wipe(&buffer)
        buffer = []
        guard !rest.isEmpty else { return }
        // An invalid header is reported again when the caller requests the frame.
        try? receive(rest)
        wipe(&rest)
    }
}

/// A complete frame: its kind, and a reader over its payload.
public struct Frame {
    public let kind: FrameKind
    public var reader: WireReader
}
