// SPDX-License-Identifier: Apache-2.0

/// Writes one frame.
struct HelperWriter {
    private var bytes: [UInt8]

    /// Begins a frame.
    ///
    /// - Parameter capacity: the size of the whole frame, if growing must leave no copies of its beginning behind.
    init(_ kind: HelperFrameKind, capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
        bytes += [HelperFrameHeader.version, kind.rawValue] + [UInt8](repeating: 0, count: HelperFrameHeader.size - 2)
    }

    /// Returns the finished frame.
    consuming func frame() -> [UInt8] {
        let size = UInt32(bytes.count - HelperFrameHeader.size)
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32(index))) }
        return bytes
    }

    mutating func u8(_ value: UInt8) { bytes.append(value) }

    mutating func u16(_ value: UInt16) { integer(value) }

    mutating func u32(_ value: UInt32) { integer(value) }

    mutating func u64(_ value: UInt64) { integer(value) }

    private mutating func integer(_ value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func block(_ value: some Collection<UInt8>) {
        integer(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func optional<T>(_ value: T?, _ write: (inout HelperWriter, T) -> Void) {
        u8(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }

    mutating func list<T>(_ values: [T], _ write: (inout HelperWriter, T) -> Void) {
        u16(UInt16(values.count))
        for value in values { write(&self, value) }
    }
}
