// SPDX-License-Identifier: Apache-2.0

/// Writes the bytes of this project's formats: integers are big-endian.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Writes the length in two bytes, and UTF-8.
    mutating func write(text: String) {
        write(UInt16(text.utf8.count))
        bytes += text.utf8
    }
}

/// Reads the bytes that a ``ByteWriter`` wrote. No bytes make it trap.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ count: Int) throws(CodeSignatureError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .malformed }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func uint8() throws(CodeSignatureError) -> UInt8 { try integer() }
    mutating func uint16() throws(CodeSignatureError) -> UInt16 { try integer() }
    mutating func uint32() throws(CodeSignatureError) -> UInt32 { try integer() }
    mutating func uint64() throws(CodeSignatureError) -> UInt64 { try integer() }

    private mutating func integer<Value: FixedWidthInteger & UnsignedInteger>() throws(CodeSignatureError) -> Value {
        var value: Value = 0
        for byte in try take(Value.bitWidth / 8) { value = (Value.bitWidth > 8 ? value << 8 : 0) | Value(byte) }
        return value
    }

    mutating func text(count: Int) throws(CodeSignatureError) -> String {
        guard let text = String(validating: try take(count), as: UTF8.self) else { throw .malformed }
        return text
    }
}
