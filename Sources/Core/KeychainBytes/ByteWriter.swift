// SPDX-License-Identifier: Apache-2.0

/// Writes the values that a ``ByteReader`` reads: integers are big-endian.
///
/// The bytes may contain a secret: room for all of them can be reserved at the start, so that growing leaves no copies
/// behind, and the caller wipes them. All functions can be inlined, because requests and replies are written with them.
public struct ByteWriter: Sendable {
    public var bytes: [UInt8]

    /// Creates a writer.
    ///
    /// - Parameter capacity: the number of bytes for which room is reserved.
    @inlinable public init(reserving capacity: Int = 0) {
        bytes = []
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    // MARK: Integers

    @inlinable public mutating func u8(_ value: UInt8) { bytes.append(value) }

    @inlinable public mutating func u16(_ value: UInt16) { integer(value) }

    @inlinable public mutating func u32(_ value: UInt32) { integer(value) }

    @inlinable public mutating func u64(_ value: UInt64) { integer(value) }

    /// Writes all bytes of an integer.
    @inlinable public mutating func integer(_ value: some FixedWidthInteger) {
        bytes.append(addingCapacity: value.bitWidth / 8) { output in
            var shift = value.bitWidth
            while shift > 0 {
                shift -= 8
                output.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
    }

    /// Overwrites four bytes with an integer.
    ///
    /// - Precondition: the bytes are written.
    @inlinable public mutating func replace(at position: Int, with value: UInt32) {
        for index in 0..<4 { bytes[position + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(index))) }
    }

    // MARK: Lengths and contents

    /// Writes bytes without a length.
    @inlinable public mutating func raw(_ value: some Collection<UInt8>) { bytes.append(contentsOf: value) }

    /// Writes a 32-bit length and the bytes.
    @inlinable public mutating func block(_ value: some Collection<UInt8>) {
        u32(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    /// Writes a 32-bit length and a text in UTF-8.
    @inlinable public mutating func block(_ text: String) {
        let text = text.utf8.span
        u32(UInt32(text.count))
        bytes.append(addingCapacity: text.count) { output in
            for index in text.indices { output.append(text[index]) }
        }
    }

    /// Writes whether there is a value, and the value.
    @inlinable public mutating func optional<T>(_ value: T?, _ write: (inout ByteWriter, T) -> Void) {
        u8(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }

    /// Writes a 16-bit count and the values.
    ///
    /// - Precondition: there are less than 65,536 values.
    @inlinable public mutating func list<T>(_ values: [T], _ write: (inout ByteWriter, T) -> Void) {
        u16(UInt16(values.count))
        for value in values { write(&self, value) }
    }
}
