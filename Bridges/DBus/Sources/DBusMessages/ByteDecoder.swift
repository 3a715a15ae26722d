// SPDX-License-Identifier: Apache-2.0

/// The byte order of one message; its sender chooses.
public enum ByteOrder: UInt8, Hashable, Sendable {
    case little = 0x6C  // l
    case big = 0x42  // B
}

/// A decoder from bytes to values. Any bytes give values or an error, never a trap: every offset comes from
/// ``take(_:)``, which checks the remaining bytes.
struct ByteDecoder {
    /// The bytes from the beginning of a message, or of its body. Alignment counts from there, and a body begins at a
    /// multiple of 8.
    let bytes: ArraySlice<UInt8>
    let order: ByteOrder
    /// The number of descriptors that came with the message.
    let descriptorCount: Int
    private(set) var offset = 0

    init(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder, descriptorCount: Int) {
        self.bytes = bytes
        self.order = order
        self.descriptorCount = descriptorCount
    }

    var remaining: Int { bytes.count - offset }

    mutating func finish() throws(CodingError) {
        guard remaining == 0 else { throw .trailingBytes }
    }

    mutating func take(_ count: Int) throws(CodingError) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw .truncated }
        let start = bytes.startIndex + offset
        offset += count
        return bytes[start..<start + count]
    }

    mutating func align(to alignment: Int) throws(CodingError) {
        let padding = (alignment - offset % alignment) % alignment
        guard try take(padding).allSatisfy({ $0 == 0 }) else { throw .nonZeroPadding }
    }

    mutating func integer<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(CodingError) -> Number {
        try align(to: MemoryLayout<Number>.size)
        let bytes = try take(MemoryLayout<Number>.size)
        var number: Number = 0
        switch order {
        case .big: for byte in bytes { number = number << 8 | Number(byte) }
        case .little: for byte in bytes.reversed() { number = number << 8 | Number(byte) }
        }
        return number
    }

    mutating func string() throws(CodingError) -> String {
        let count = Int(try integer(UInt32.self))
        guard count <= CodingLimits.messageBytes else { throw .tooLarge }
        return try text(count)
    }

    mutating func name<Name: ValidName>(_ type: Name.Type) throws(CodingError) -> Name {
        guard let name = Name(rawValue: try string()) else { throw .invalidName }
        return name
    }

    mutating func signature() throws(CodingError) -> Signature {
        let count = Int(try integer(UInt8.self))
        let bytes = try take(count)
        guard try take(1).first == 0 else { throw .invalidText }
        return try Signature(bytes: bytes)
    }

    /// Takes a text of this many bytes and its terminating zero.
    private mutating func text(_ count: Int) throws(CodingError) -> String {
        let bytes = try take(count)
        guard try take(1).first == 0, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        else { throw .invalidText }
        return text
    }

    /// Takes a value of this type; `depth` is the number of enclosing containers.
    mutating func value(_ type: CompleteType, depth: Int) throws(CodingError) -> Value {
        switch type {
        case .byte: return .byte(try integer(UInt8.self))
        case .boolean: return .boolean(try boolean())
        case .int16: return .int16(Int16(bitPattern: try integer(UInt16.self)))
        case .uint16: return .uint16(try integer(UInt16.self))
        case .int32: return .int32(Int32(bitPattern: try integer(UInt32.self)))
        case .uint32: return .uint32(try integer(UInt32.self))
        case .int64: return .int64(Int64(bitPattern: try integer(UInt64.self)))
        case .uint64: return .uint64(try integer(UInt64.self))
        case .double: return .double(Double(bitPattern: try integer(UInt64.self)))
        case .string: return .string(try string())
        case .objectPath: return .objectPath(try name(ObjectPath.self))
        case .signature: return .signature(try signature())
        case .descriptor: return .descriptor(try descriptor())
        case .variant: return try variant(depth: try Self.deeper(depth))
        case .array(.byte): return .bytes(Array(try take(try arrayByteCount(elementAlignment: 1))))
        case .array(let element):
            let depth = try Self.deeper(depth)
            return .array(
                of: element,
                try elements(element.alignment) { decoder throws(CodingError) in
                    try decoder.value(element, depth: depth)
                })
        case .structure(let members):
            let depth = try Self.deeper(depth)
            try align(to: 8)
            var values: [Value] = []
            for member in members { values.append(try value(member, depth: depth)) }
            return .structure(values)
        case .dictionary(let key, let element):
            // The array and its entry are both containers.
            let depth = try Self.deeper(try Self.deeper(depth))
            return .dictionary(
                key: key, value: element,
                try elements(8) { decoder throws(CodingError) in
                    try decoder.align(to: 8)
                    return Value.DictionaryEntry(
                        try decoder.value(key, depth: depth), try decoder.value(element, depth: depth))
                })
        }
    }

    private static func deeper(_ depth: Int) throws(CodingError) -> Int {
        guard depth < CodingLimits.valueDepth else { throw .tooDeep }
        return depth + 1
    }

    private mutating func boolean() throws(CodingError) -> Bool {
        switch try integer(UInt32.self) {
        case 0: return false
        case 1: return true
        default: throw .invalidBoolean
        }
    }

    private mutating func descriptor() throws(CodingError) -> UInt32 {
        let index = try integer(UInt32.self)
        guard index < descriptorCount else { throw .noSuchDescriptor }
        return index
    }

    private mutating func variant(depth: Int) throws(CodingError) -> Value {
        let signature = try signature()
        guard signature.types.count == 1 else { throw .invalidSignature }
        return .variant(try value(signature.types[0], depth: depth))
    }

    /// Takes the size of an array. It excludes the padding before the first element, which is present even in an empty
    /// array.
    private mutating func arrayByteCount(elementAlignment: Int) throws(CodingError) -> Int {
        let count = Int(try integer(UInt32.self))
        guard count <= CodingLimits.arrayBytes else { throw .tooLarge }
        try align(to: elementAlignment)
        guard count <= remaining else { throw .truncated }
        return count
    }

    private mutating func elements<Element>(
        _ alignment: Int, _ element: (inout ByteDecoder) throws(CodingError) -> Element
    ) throws(CodingError) -> [Element] {
        let count = try arrayByteCount(elementAlignment: alignment)
        let end = offset + count
        var elements: [Element] = []
        // Each element takes a byte or more, since no type is empty.
        while offset < end { elements.append(try element(&self)) }
        guard offset == end else { throw .truncated }
        return elements
    }
}
