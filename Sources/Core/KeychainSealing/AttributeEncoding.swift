// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
import KeychainModel

/// The plaintext of sealed attributes, version 1: for each entry, in strictly ascending order of keys, key (u32), type
/// (u8), length (u32) and that many bytes; integers big-endian. One value has one encoding.
enum AttributeEncoding {
    private enum ValueType: UInt8 {
        case string = 1
        case data = 2
        case number = 3
        case date = 4
        case accessControl = 5
    }

    static func encode(_ attributes: ItemAttributes) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        for entry in attributes.entries {
            append(entry.key.code, to: &bytes)
            switch entry.value {
            case .string(let text):
                appendHead(.string, text.utf8.count, to: &bytes)
                bytes.append(contentsOf: text.utf8)
            case .data(let data):
                appendHead(.data, data.count, to: &bytes)
                bytes.append(contentsOf: data)
            case .number(let number):
                appendHead(.number, 8, to: &bytes)
                append(UInt64(bitPattern: number), to: &bytes)
            case .date(let date):
                appendHead(.date, 8, to: &bytes)
                append(date.secondsSinceReferenceDate.bitPattern, to: &bytes)
            case .accessControl(let control):
                appendHead(.accessControl, 5, to: &bytes)
                bytes.append(control.protection.rawValue)
                append(control.flags.rawValue, to: &bytes)
            }
        }
        return bytes
    }

    /// Decodes the plaintext of sealed attributes.
    ///
    /// - Throws: `.damaged` for anything that `encode` would not have written.
    static func decode(_ bytes: some Sequence<UInt8>, _ itemClass: ItemClass) throws(SealingError) -> ItemAttributes {
        var reader = SealedReader(bytes)
        var entries: [ItemAttributes.Entry] = []
        entries.reserveCapacity(16)
        while !reader.isAtEnd {
            let key = AttributeKey(code: try reader.u32())
            if let last = entries.last, last.key >= key { throw .damaged }
            guard let type = ValueType(rawValue: try reader.u8()) else { throw .damaged }
            let length = try reader.u32()
            guard length <= SealingConstants.encodedAttributesLimit else { throw .damaged }
            entries.append(ItemAttributes.Entry(key, try value(type, Int(length), &reader)))
        }
        let attributes: ItemAttributes
        do { attributes = try ItemAttributes(stored: itemClass, entries) } catch { throw .damaged }
        // The schema may convert a value to another type; stored values are already converted.
        guard attributes.entries == entries else { throw .damaged }
        return attributes
    }

    private static func value(
        _ type: ValueType, _ length: Int, _ reader: inout SealedReader
    ) throws(SealingError) -> AttributeValue {
        func check(_ size: Int) throws(SealingError) {
            guard length == size else { throw .damaged }
        }
        switch type {
        case .string:
            return .string(try reader.text(count: length))
        case .data:
            return .data(try reader.bytes(length))
        case .number:
            try check(8)
            return .number(Int64(bitPattern: try reader.u64()))
        case .date:
            try check(8)
            let seconds = Double(bitPattern: try reader.u64())
            return .date(Timestamp(secondsSinceReferenceDate: seconds))
        case .accessControl:
            try check(5)
            guard let protection = Accessibility(rawValue: try reader.u8()),
                let control = AccessControl(
                    protection: protection, flags: .init(rawValue: try reader.u32()))
            else { throw .damaged }
            return .accessControl(control)
        }
    }

    private static func appendHead(_ type: ValueType, _ count: Int, to bytes: inout [UInt8]) {
        bytes.append(type.rawValue)
        append(UInt32(count), to: &bytes)
    }

    /// Appends an integer, big-endian.
    private static func append(_ integer: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: type(of: integer).bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: integer >> shift))
        }
    }
}
