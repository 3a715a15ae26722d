// SPDX-License-Identifier: Apache-2.0

/// An encoder from values to bytes, in little-endian order.
struct ByteEncoder {
    static let order = ByteOrder.little

    private(set) var bytes: [UInt8] = []

    mutating func align(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    mutating func integer(_ number: some FixedWidthInteger) {
        let size = number.bitWidth / 8
        align(to: size)
        for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Throws `.invalidText` for a text that contains a zero.
    mutating func string(_ text: String) throws(CodingError) {
        let utf8 = text.utf8
        guard !utf8.contains(0) else { throw .invalidText }
        guard let count = UInt32(exactly: utf8.count) else { throw .tooLarge }
        integer(count)
        append(utf8)
        bytes.append(0)
    }

    mutating func signature(_ signature: Signature) {
        // A signature has at most 255 bytes.
        bytes.append(UInt8(signature.text.utf8.count))
        append(signature.text.utf8)
        bytes.append(0)
    }

    /// Throws `.typeMismatch`, `.invalidText`, `.tooDeep` and `.tooLarge`.
    mutating func value(_ value: Value, depth: Int) throws(CodingError) {
        guard depth <= CodingLimits.valueDepth else { throw .tooDeep }
        switch value {
        case .byte(let number): integer(number)
        case .boolean(let flag): integer(UInt32(flag ? 1 : 0))
        case .int16(let number): integer(number)
        case .uint16(let number): integer(number)
        case .int32(let number): integer(number)
        case .uint32(let number): integer(number)
        case .int64(let number): integer(number)
        case .uint64(let number): integer(number)
        case .double(let number): integer(number.bitPattern)
        case .string(let text): try string(text)
        case .objectPath(let path): try string(path.rawValue)
        case .signature(let signature): self.signature(signature)
        case .descriptor(let index): integer(index)
        case .variant(let content):
            signature(try Signature(of: [content.type]))
            try self.value(content, depth: depth + 1)
        case .bytes(let content):
            try array(alignment: 1) { encoder throws(CodingError) in encoder.append(content) }
        case .array(let type, let elements):
            try array(alignment: type.alignment) { encoder throws(CodingError) in
                for element in elements { try encoder.member(element, type, depth: depth + 1) }
            }
        case .structure(let members):
            align(to: 8)
            for member in members { try self.value(member, depth: depth + 1) }
        case .dictionary(let key, let type, let entries):
            try array(alignment: 8) { encoder throws(CodingError) in
                for entry in entries {
                    encoder.align(to: 8)
                    try encoder.member(entry.key, key, depth: depth + 2)
                    try encoder.member(entry.value, type, depth: depth + 2)
                }
            }
        }
    }

    private mutating func member(_ value: Value, _ type: CompleteType, depth: Int) throws(CodingError) {
        guard value.type == type else { throw .typeMismatch }
        try self.value(value, depth: depth)
    }

    /// The encoded size excludes the padding before the first element.
    private mutating func array(
        alignment: Int, _ elements: (inout ByteEncoder) throws(CodingError) -> Void
    ) throws(CodingError) {
        integer(UInt32(0))
        let place = bytes.count - 4
        align(to: alignment)
        let start = bytes.count
        try elements(&self)
        let count = bytes.count - start
        guard count <= CodingLimits.arrayBytes else { throw .tooLarge }
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
    }
}
