// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes
public import KeychainModel

/// The entitlements that a signer gives a program: names with values, in ascending order of the names' bytes, each name
/// once.
///
/// Source: Documentation/Formats/code-signature.md.
public struct Entitlements: Hashable, Sendable {
    public typealias Value = Entitlement.Value
    public typealias Entry = Entitlement

    public let entries: [Entry]

    /// No entitlements.
    public static let none = Entitlements(sorted: [])

    /// The most entries.
    public static let entryLimit = 64
    /// The most bytes of a name.
    public static let keyByteLimit = 255
    /// The most bytes of a text.
    public static let textByteLimit = 1024
    /// The most texts of a list.
    public static let listLimit = 128
    /// The most bytes of the whole encoding.
    public static let encodedByteLimit = 12_288

    /// Sorts and checks the values. Throws ``EntitlementError`` with the name of the invalid entry.
    public init(_ values: [(key: String, value: Value)]) throws(EntitlementError) {
        let sorted = values.map { Entry(key: $0.key, value: $0.value) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, entry) in sorted.enumerated() {
            try Self.check(entry)
            guard index == 0 || sorted[index - 1].key != entry.key else { throw .twice(key: entry.key) }
        }
        guard sorted.count <= Self.entryLimit else { throw .tooMany(limit: Self.entryLimit) }
        self.init(sorted: sorted)
        guard encoded.count <= Self.encodedByteLimit else { throw .tooLarge(limit: Self.encodedByteLimit) }
    }

    private init(sorted: [Entry]) {
        entries = sorted
    }

    public subscript(key: String) -> Value? { entries.first { $0.key == key }?.value }

    /// Returns the texts of an entry, one for a text; empty for a missing entry and for a truth value.
    public func texts(_ key: String) -> [String] {
        switch self[key] {
        case .text(let text): [text]
        case .list(let texts): texts
        case .bool, nil: []
        }
    }

    private static func check(_ entry: Entry) throws(EntitlementError) {
        let key = entry.key
        guard (1...keyByteLimit).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .name(key)
        }
        switch entry.value {
        case .bool: break
        case .text(let text): try check(text, key)
        case .list(let texts):
            guard texts.count <= listLimit else { throw .longList(key: key, limit: listLimit) }
            for text in texts { try check(text, key) }
        }
    }

    private static func check(_ text: String, _ key: String) throws(EntitlementError) {
        guard text.utf8.count <= textByteLimit else { throw .longText(key: key, limit: textByteLimit) }
        // No program's name needs control characters, and a terminal or an XML document could not show them.
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .controlCharacter(key: key) }
    }
}

/// The reason why values are not valid entitlements.
public enum EntitlementError: Error, Hashable, Sendable {
    /// A name is empty, too long, or contains anything but printable ASCII.
    case name(String)
    case twice(key: String)
    case tooMany(limit: Int)
    case tooLarge(limit: Int)
    case longList(key: String, limit: Int)
    case longText(key: String, limit: Int)
    case controlCharacter(key: String)
}

extension Entitlements {
    private static let boolType: UInt8 = 1
    private static let textType: UInt8 = 2
    private static let listType: UInt8 = 3

    /// The one encoding of these entitlements.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.list(entries) { writer, entry in
            writer.u8(UInt8(entry.key.utf8.count))
            writer.raw(entry.key.utf8)
            switch entry.value {
            case .bool(let value):
                writer.u8(Self.boolType)
                writer.u8(value ? 1 : 0)
            case .text(let text):
                writer.u8(Self.textType)
                writer.text(text)
            case .list(let texts):
                writer.u8(Self.listType)
                writer.list(texts) { $0.text($1) }
            }
        }
        return writer.bytes
    }

    /// Reads exactly the encoding that ``encoded`` writes.
    init(_ reader: inout ByteReader<CodeSignatureError>) throws(CodeSignatureError) {
        let start = reader.position
        let count = Int(try reader.u16())
        guard count <= Self.entryLimit else { throw .malformed }
        var entries: [Entry] = []
        for _ in 0..<count {
            let key = try reader.text(count: Int(try reader.u8()))
            if let last = entries.last {
                guard last.key.utf8.lexicographicallyPrecedes(key.utf8) else { throw .malformed }
            }
            let entry = Entry(key: key, value: try Self.value(&reader))
            do { try Self.check(entry) } catch { throw .malformed }
            entries.append(entry)
        }
        guard reader.position - start <= Self.encodedByteLimit else { throw .malformed }
        self.init(sorted: entries)
    }

    private static func value(_ reader: inout ByteReader<CodeSignatureError>) throws(CodeSignatureError) -> Value {
        switch try reader.u8() {
        case boolType:
            return .bool(try reader.flag())
        case textType:
            return .text(try reader.text(count: Int(try reader.u16())))
        case listType:
            return .list(
                try reader.list(atMost: listLimit) { reader throws(CodeSignatureError) in
                    try reader.text(count: Int(try reader.u16()))
                })
        default:
            throw .malformed
        }
    }
}

extension ByteWriter {
    /// Writes a length of two bytes, and UTF-8.
    fileprivate mutating func text(_ text: String) {
        u16(UInt16(text.utf8.count))
        raw(text.utf8)
    }
}
