// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes
import KeychainModel

/// Reads the values of a message.
public typealias WireReader = ByteReader<WireError>

extension WireError: ByteFormatError {}

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
        let conditions = try u8()
        query.textMatching = TextMatching(rawValue: conditions & ~TextMatching.containedTextFollows)
        guard query.textMatching.isSubset(of: .all) else { throw .malformed }
        query.hostOrSubdomain = try optional { reader throws(WireError) in try reader.text(atMost: WireLimits.hostBytes)
        }
        guard query.hostOrSubdomain == nil || query.itemClass == .internetPassword else { throw .malformed }
        if conditions & TextMatching.containedTextFollows != 0 {
            guard query.itemClass == .genericPassword || query.itemClass == .internetPassword else { throw .malformed }
            let text = try text(atMost: WireLimits.containedTextBytes)
            guard !text.isEmpty else { throw .malformed }
            query.containedText = text
        }
        return query
    }

    mutating func persistentReference() throws(WireError) -> PersistentReference {
        guard let reference = PersistentReference(bytes: Array(try take(Int(try u8())))) else { throw .malformed }
        return reference
    }

    mutating func returnedParts(allowing allowed: ReturnedParts = .all) throws(WireError) -> ReturnedParts {
        let parts = ReturnedParts(rawValue: try u8())
        guard parts.isSubset(of: allowed) else { throw .malformed }
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

extension TextMatching {
    /// The bit beside the differences in a query that states that a text follows the host.
    static let containedTextFollows: UInt8 = 8
}

/// The type byte of an attribute value.
enum ValueType: UInt8 {
    case string = 1
    case data = 2
    case number = 3
    case date = 4
    case accessControl = 5
}
