// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes
import KeychainModel

/// Writes one frame.
///
/// A frame may contain a secret: room for all of it is reserved at the start, so that growing leaves no copies behind,
/// and the sender wipes the bytes afterwards.
public typealias WireWriter = ByteWriter

extension WireWriter {
    /// Begins a frame.
    ///
    /// - Parameter size: an upper bound of the payload's size, if it contains a secret.
    init(_ kind: FrameKind, reserving size: Int) {
        self.init(reserving: FrameHeader.size + size)
        bytes.append(addingCapacity: FrameHeader.size) { header in
            header.append(FrameHeader.version)
            header.append(kind.rawValue)
            header.append(repeating: 0, count: FrameHeader.size - 2)
        }
    }

    /// Returns the finished frame.
    consuming func frame() -> [UInt8] {
        replace(at: 4, with: UInt32(bytes.count - FrameHeader.size))
        return bytes
    }

    mutating func attributes(_ attributes: ItemAttributes) {
        u8(attributes.itemClass.rawValue)
        u16(UInt16(attributes.entries.count))
        for entry in attributes.entries {
            u32(entry.key.code)
            switch entry.value {
            case .string(let text):
                u8(ValueType.string.rawValue)
                block(text)
            case .data(let data):
                u8(ValueType.data.rawValue)
                block(data)
            case .number(let number):
                u8(ValueType.number.rawValue)
                u64(UInt64(bitPattern: number))
            case .date(let date):
                u8(ValueType.date.rawValue)
                u64(date.secondsSinceReferenceDate.bitPattern)
            case .accessControl(let control):
                u8(ValueType.accessControl.rawValue)
                accessControl(control)
            }
        }
    }

    mutating func accessControl(_ control: AccessControl) {
        u8(control.protection.rawValue)
        u32(control.flags.rawValue)
    }

    mutating func query(_ query: ItemQuery) {
        attributes(query.attributes)
        u8(query.synchronizable.rawValue)
        optional(query.accessGroup) { $0.block($1) }
        optional(query.persistentReference) { $0.persistentReference($1) }
        u8(query.textMatching.rawValue | (query.containedText == nil ? 0 : TextMatching.containedTextFollows))
        optional(query.hostOrSubdomain) { $0.block($1) }
        if let text = query.containedText { block(text) }
    }

    mutating func persistentReference(_ reference: PersistentReference) {
        // Written directly, not through `bytes`, which makes arrays: every item of a reply has one.
        let code = reference.itemClass.code
        switch reference.target {
        case .item(let item):
            u8(20)
            raw(code.utf8)
            integer(item.value)
        case .row(let row):
            u8(12)
            raw(code.utf8)
            integer(row)
        }
    }

    mutating func limit(_ limit: MatchLimit) {
        switch limit {
        case .all: u32(0)
        case .one: u32(1)
        case .atMost(let count): u32(count)
        }
    }

    /// Returns an upper bound of the size that ``attributes(_:)`` writes.
    static func size(of attributes: ItemAttributes) -> Int {
        attributes.entries.reduce(3) { size, entry in
            switch entry.value {
            case .string(let text): size + 9 + text.utf8.count
            case .data(let data): size + 9 + data.count
            case .number, .date, .accessControl: size + 13
            }
        }
    }

    static func size(of query: ItemQuery) -> Int {
        size(of: query.attributes) + (query.accessGroup?.utf8.count ?? 0) + (query.hostOrSubdomain?.utf8.count ?? 0)
            + (query.containedText?.utf8.count ?? 0) + 64
    }
}
