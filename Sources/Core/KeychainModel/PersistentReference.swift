// SPDX-License-Identifier: Apache-2.0

/// The name of a stored item that stays valid across updates: the bytes of `kSecValuePersistentRef`.
///
/// Two encodings exist (semantics 2.7), and both start with the class's four characters. The current one has the item's
/// 16-byte identifier (20 bytes). The older one has its row number as 8 bytes big-endian (12 bytes). New items get the
/// current one; both are accepted.
public struct PersistentReference: Hashable, Sendable {
    public enum Target: Hashable, Sendable {
        case item(ItemIdentifier)
        case row(Int64)
    }

    public let itemClass: ItemClass
    public let target: Target

    public init(itemClass: ItemClass, item: ItemIdentifier) {
        self.itemClass = itemClass
        self.target = .item(item)
    }

    public init(itemClass: ItemClass, row: Int64) {
        self.itemClass = itemClass
        self.target = .row(row)
    }

    /// Reads a reference; nil unless the bytes are one of the two encodings with a known class.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= 4,
            let itemClass = ItemClass(code: String(decoding: bytes[..<4], as: UTF8.self))
        else { return nil }
        switch bytes.count {
        case 20:
            guard let item = ItemIdentifier(bytes: bytes[4...]) else { return nil }
            self.target = .item(item)
        case 12:
            self.target = .row(bytes[4...].reduce(0) { $0 << 8 | Int64($1) })
        default:
            return nil
        }
        self.itemClass = itemClass
    }

    public var bytes: [UInt8] {
        var prefix: [UInt8] = []
        prefix.reserveCapacity(20)
        prefix.append(contentsOf: itemClass.code.utf8)
        switch target {
        case .item(let item): return prefix + item.bytes
        case .row(let row):
            return prefix + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: row >> $0) }
        }
    }
}

/// The identifier of a stored item: 16 random bytes, set when the item is added and never changed.
public struct ItemIdentifier: Hashable, Sendable {
    /// The 16 bytes as one big-endian number: a number needs no heap memory, and every lookup handles several.
    public let value: UInt128

    public init(value: UInt128) { self.value = value }

    /// Reads an identifier; nil unless there are exactly 16 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for shift in stride(from: 120, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
        return bytes
    }
}
