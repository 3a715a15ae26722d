// SPDX-License-Identifier: Apache-2.0

/// Puts frames together from the pieces in which they arrive. Does no reading itself.
///
/// The buffer may hold a secret: whoever is done with a frame calls ``discard(wiping:)``.
public struct FrameReader: Sendable {
    private(set) var buffer: [UInt8] = []

    public init() {}

    /// How many more bytes the frame in the buffer needs; nil if it is complete. At least one byte is needed before the
    /// header is there.
    ///
    /// - Throws: what ``FrameHeader/init(_:)`` throws, as soon as the header is there.
    public var missing: Int? {
        get throws(WireError) {
            guard buffer.count >= FrameHeader.size else { return FrameHeader.size - buffer.count }
            let total = FrameHeader.size + (try FrameHeader(buffer.span).payloadSize)
            return buffer.count >= total ? nil : total - buffer.count
        }
    }

    public var isEmpty: Bool { buffer.isEmpty }

    /// Takes bytes that arrived. Room for the whole frame is made as soon as its size is known and before anything of its
    /// payload is stored, so that a growing buffer leaves no unwiped copies behind.
    ///
    /// - Throws: what ``FrameHeader/init(_:)`` throws, as soon as the header is there; so do ``missing`` and
    ///   ``frame(mayHaveMore:)`` from then on.
    public mutating func receive(_ bytes: some Collection<UInt8>) throws(WireError) {
        guard buffer.count < FrameHeader.size else { return buffer.append(contentsOf: bytes) }
        let header = bytes.prefix(FrameHeader.size - buffer.count)
        let rest = bytes.dropFirst(header.count)
        buffer.append(contentsOf: header)
        guard buffer.count == FrameHeader.size else { return }
        reserve(try FrameHeader(buffer.span), rest.count)
        buffer.append(contentsOf: rest)
    }

    /// As the other ``receive(_:)``, for bytes that a socket lends.
    public mutating func receive(_ bytes: Span<UInt8>) throws(WireError) {
        guard buffer.count < FrameHeader.size else { return append(bytes) }
        let head = bytes.extracting(first: FrameHeader.size - buffer.count)
        let rest = bytes.extracting(droppingFirst: head.count)
        // As a rule the header comes in one piece. Then all the room is taken at once; what is wrong is found below.
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
        // The optimiser makes one copy of the loop, without a check for each byte.
        buffer.append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }

    /// The complete frame in the buffer.
    ///
    /// - Throws: `.truncated` while something is missing; `.trailingBytes` where more than one frame is there, unless
    ///   `mayHaveMore`.
    public func frame(mayHaveMore: Bool = false) throws(WireError) -> Frame {
        let header = try FrameHeader(buffer.span)
        let end = FrameHeader.size + header.payloadSize
        guard buffer.count >= end else { throw .truncated }
        guard mayHaveMore || buffer.count == end else { throw .trailingBytes }
        return Frame(kind: header.kind, reader: WireReader(buffer, from: FrameHeader.size, to: end))
    }

    /// Forgets the first frame in the buffer. All values read from it must be gone by then, or `wipe` overwrites a copy.
    public mutating func discard(wiping wipe: (inout [UInt8]) -> Void) {
        let end = (try? FrameHeader(buffer.span)).map { FrameHeader.size + $0.payloadSize } ?? buffer.count
        var rest = end < buffer.count ? Array(buffer[end...]) : []
        wipe(&buffer)
        buffer = []
        guard !rest.isEmpty else { return }
        // A bad header is found again by whoever asks for the frame.
        try? receive(rest)
        wipe(&rest)
    }
}

/// A complete frame: its kind, and a reader over its payload.
public struct Frame {
    public let kind: FrameKind
    public var reader: WireReader
}
