// SPDX-License-Identifier: Apache-2.0

import KeychainModel

/// Reads the values of a message. Total: any bytes give a value or an error, never a trap, and nothing is allocated
/// that the bytes do not contain.
public struct WireReader: Sendable {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    public init(_ bytes: [UInt8]) {
        self.init(bytes, from: 0, to: bytes.count)
    }

    init(_ bytes: [UInt8], from start: Int, to end: Int) {
        self.bytes = bytes
        position = start
        self.end = end
    }

    /// Ends reading.
    ///
    /// - Throws: `.trailingBytes` if bytes are left.
    public func finish() throws(WireError) {
        guard position == end else { throw .trailingBytes }
    }

    mutating func take(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard count <= end - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func u8() throws(WireError) -> UInt8 {
        guard position < end else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func u16() throws(WireError) -> UInt16 { UInt16(truncatingIfNeeded: try integer(2)) }

    mutating func u32() throws(WireError) -> UInt32 { UInt32(truncatingIfNeeded: try integer(4)) }

    mutating func u64() throws(WireError) -> UInt64 { try integer(8) }

    /// Returns whether the next bytes are these.
    mutating func take(_ expected: [UInt8]) throws(WireError) -> Bool {
        guard expected.count <= end - position else { throw .truncated }
        defer { position += expected.count }
        for index in expected.indices where bytes[position + index] != expected[index] { return false }
        return true
    }

    private mutating func integer(_ count: Int) throws(WireError) -> UInt64 {
        guard count <= end - position else { throw .truncated }
        var value: UInt64 = 0
        for index in position..<position + count { value = value << 8 | UInt64(bytes[index]) }
        position += count
        return value
    }

    mutating func flag() throws(WireError) -> Bool {
        switch try u8() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    /// Reads a 32-bit length and as many bytes.
    mutating func block(atMost limit: Int) throws(WireError) -> ArraySlice<UInt8> {
        let count = Int(try u32())
        guard count <= limit else { throw .tooLarge }
        return try take(count)
    }

    mutating func text(atMost limit: Int) throws(WireError) -> String {
        let count = Int(try u32())
        guard count <= limit else { throw .tooLarge }
        guard count <= end - position else { throw .truncated }
        let range = position..<position + count
        position += count
        do {
            return String(copying: try UTF8Span(validating: bytes.span.extracting(range)))
        } catch {
            throw .malformed
        }
    }

    mutating func value<T: RawRepresentable>(_: T.Type) throws(WireError) -> T where T.RawValue == UInt8 {
        guard let value = T(rawValue: try u8()) else { throw .malformed }
        return value
    }

    mutating func optional<T>(_ read: (inout WireReader) throws(WireError) -> T) throws(WireError) -> T? {
        try flag() ? try read(&self) : nil
    }
}

// MARK: The model's values

extension WireReader {
    mutating func attributes(for use: AttributeUse) throws(WireError) -> ItemAttributes {
        let itemClass = try value(ItemClass.self)
        let count = Int(try u16())
        guard count <= ItemLimits.entries else { throw .tooLarge }
        var entries: [ItemAttributes.Entry] = []
        entries.reserveCapacity(count)
        var last: AttributeKey?
        for _ in 0..<count {
            let key = AttributeKey(code: try u32())
            // Ascending keys make the encoding of a set of attributes unique.
            if let last, last >= key { throw .malformed }
            last = key
            entries.append(ItemAttributes.Entry(key, try attributeValue()))
        }
        do {
            return try ItemAttributes(itemClass, for: use, entries)
        } catch {
            throw .attributes(error)
        }
    }

    private mutating func attributeValue() throws(WireError) -> AttributeValue {
        switch try value(ValueType.self) {
        case .string: return .string(try text(atMost: ItemLimits.attributeBytes))
        case .data: return .data(Array(try block(atMost: ItemLimits.attributeBytes)))
        case .number: return .number(Int64(bitPattern: try u64()))
        case .date: return .date(Timestamp(secondsSinceReferenceDate: Double(bitPattern: try u64())))
        case .accessControl: return .accessControl(try accessControl())
        }
    }

    mutating func accessControl() throws(WireError) -> AccessControl {
        let protection = try value(Accessibility.self)
        let flags = AccessControl.Flags(rawValue: try u32())
        guard let control = AccessControl(protection: protection, flags: flags) else { throw .malformed }
        return control
    }

    mutating func query() throws(WireError) -> ItemQuery {
        let attributes = try attributes(for: .query)
        var query = ItemQuery(attributes.itemClass)
        query.attributes = attributes
        let synchronizable = try value(ItemQuery.SynchronizableFilter.self)
        query.accessGroup = try optional { reader throws(WireError) in
            try reader.text(atMost: WireLimits.accessGroupBytes)
        }
        query.persistentReference = try optional { reader throws(WireError) in try reader.persistentReference() }
        query.synchronizable = synchronizable
        query.textMatching = TextMatching(rawValue: try u8())
        guard query.textMatching.isSubset(of: .all) else { throw .malformed }
        query.hostOrSubdomain = try optional { reader throws(WireError) in try reader.text(atMost: WireLimits.hostBytes)
        }
        guard query.hostOrSubdomain == nil || query.itemClass == .internetPassword else { throw .malformed }
        return query
    }

    mutating func persistentReference() throws(WireError) -> PersistentReference {
        guard let reference = PersistentReference(bytes: Array(try take(Int(try u8())))) else { throw .malformed }
        return reference
    }

    mutating func returnedParts() throws(WireError) -> ReturnedParts {
        let parts = ReturnedParts(rawValue: try u8())
        guard parts.isSubset(of: .all) else { throw .malformed }
        return parts
    }

    mutating func limit() throws(WireError) -> MatchLimit {
        switch try u32() {
        case 0: .all
        case 1: .one
        case let count: .atMost(count)
        }
    }
}

/// The type byte of an attribute value.
enum ValueType: UInt8 {
    case string = 1
    case data = 2
    case number = 3
    case date = 4
    case accessControl = 5
}
