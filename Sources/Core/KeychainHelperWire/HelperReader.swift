// SPDX-License-Identifier: Apache-2.0

/// Reads the values of a message. Total: any bytes give a value or an error, never a trap, and nothing is allocated that
/// the bytes do not contain.
struct HelperReader {
    private let bytes: [UInt8]
    private var position: Int

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
        bytes = frame
        position = HelperFrameHeader.size
    }

    /// Ends reading.
    ///
    /// - Throws: `.trailingBytes` if bytes are left.
    func finish() throws(HelperWireError) {
        guard position == bytes.count else { throw .trailingBytes }
    }

    private mutating func take(_ count: Int) throws(HelperWireError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func integer(_ count: Int) throws(HelperWireError) -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func u8() throws(HelperWireError) -> UInt8 { UInt8(truncatingIfNeeded: try integer(1)) }

    mutating func u16() throws(HelperWireError) -> UInt16 { UInt16(truncatingIfNeeded: try integer(2)) }

    mutating func u32() throws(HelperWireError) -> UInt32 { UInt32(truncatingIfNeeded: try integer(4)) }

    mutating func u64() throws(HelperWireError) -> UInt64 { try integer(8) }

    mutating func flag() throws(HelperWireError) -> Bool {
        switch try u8() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    /// Reads a block as ``block(atMost:)`` does, but returns only its range in the frame: for a secret that must not be
    /// copied.
    mutating func place(ofBlockAtMost limit: Int) throws(HelperWireError) -> Range<Int> {
        let count = Int(try integer(4))
        guard count <= limit else { throw .tooLarge }
        return try take(count).indices
    }

    /// Reads a 32-bit length and as many bytes.
    mutating func block(atMost limit: Int) throws(HelperWireError) -> [UInt8] {
        let count = Int(try integer(4))
        guard count <= limit else { throw .tooLarge }
        return Array(try take(count))
    }

    mutating func text(atMost limit: Int) throws(HelperWireError) -> String {
        let bytes = try block(atMost: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        return text
    }

    mutating func value<T: RawRepresentable>(_: T.Type) throws(HelperWireError) -> T where T.RawValue == UInt8 {
        guard let value = T(rawValue: try u8()) else { throw .malformed }
        return value
    }

    mutating func optional<T>(
        _ read: (inout HelperReader) throws(HelperWireError) -> T
    ) throws(HelperWireError) -> T? {
        try flag() ? try read(&self) : nil
    }

    /// Reads a 16-bit count and as many values.
    mutating func list<T>(
        atMost limit: Int, _ read: (inout HelperReader) throws(HelperWireError) -> T
    ) throws(HelperWireError) -> [T] {
        let count = Int(try u16())
        guard count <= limit else { throw .tooLarge }
        var values: [T] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }
}
