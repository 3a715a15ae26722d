// SPDX-License-Identifier: Apache-2.0

import KeychainBytes

/// The names and values by which the Secret Service finds an item: a set of pairs of texts, with each name once.
///
/// Names and values are compared byte by byte. Two names that Unicode considers equal cannot both be in a set, because
/// they are one key of a Swift dictionary.
public struct LookupAttributes: Hashable, Sendable {
    /// The encoding of each pair, ascending by the bytes of the name: that of a set of this pair alone.
    public let encodedPairs: [[UInt8]]

    /// Creates the set of all pairs of a dictionary.
    ///
    /// - Throws: ``LookupAttributesError`` if the set is larger than ``LookupLimits`` allow.
    public init(_ pairs: [String: String]) throws(LookupAttributesError) {
        guard pairs.count <= LookupLimits.pairs else { throw .tooManyPairs }
        var byteCount = 0
        for (name, value) in pairs {
            guard name.utf8.count <= LookupLimits.nameBytes else { throw .nameTooLong }
            guard value.utf8.count <= LookupLimits.valueBytes else { throw .valueTooLong }
            byteCount += 8 + name.utf8.count + value.utf8.count
        }
        guard byteCount <= LookupLimits.encodedBytes else { throw .tooLarge }
        encodedPairs = pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(Self.encoded)
    }

    /// Reads an encoded set; nil for bytes that ``encoded`` does not return for any set. Total: any bytes give a set or
    /// nil.
    public init?(encoded bytes: [UInt8]) {
        guard bytes.count <= LookupLimits.encodedBytes else { return nil }
        var reader = ByteReader<ByteError>(bytes)
        var names: Set<String> = []
        var last: String?
        var encodedPairs: [[UInt8]] = []
        do {
            while !reader.isAtEnd {
                let start = reader.position
                let name = try reader.text(atMost: LookupLimits.nameBytes)
                _ = try reader.text(atMost: LookupLimits.valueBytes)
                if let last, !last.utf8.lexicographicallyPrecedes(name.utf8) { return nil }
                guard encodedPairs.count < LookupLimits.pairs, names.insert(name).inserted else { return nil }
                last = name
                encodedPairs.append(Array(bytes[start..<reader.position]))
            }
        } catch {
            return nil
        }
        self.encodedPairs = encodedPairs
    }

    /// The encoding in Documentation/Formats/sealed-item.md: of each pair the name and the value, each after its
    /// length, ascending by the bytes of the name. Every set has one encoding; that of the empty set has no bytes.
    public var encoded: [UInt8] { Array(encodedPairs.joined()) }

    public var pairs: [String: String] {
        Dictionary(encodedPairs.compactMap(Self.pair)) { first, _ in first }
    }

    /// Returns whether all pairs of another set are in this one.
    public func contains(_ other: LookupAttributes) -> Bool {
        Set(encodedPairs).isSuperset(of: other.encodedPairs)
    }

    private static func encoded(_ name: String, _ value: String) -> [UInt8] {
        var writer = ByteWriter(reserving: 8 + name.utf8.count + value.utf8.count)
        writer.block(name)
        writer.block(value)
        return writer.bytes
    }

    private static func pair(_ encoded: [UInt8]) -> (String, String)? {
        var reader = ByteReader<ByteError>(encoded)
        guard let name = try? reader.text(atMost: LookupLimits.nameBytes),
            let value = try? reader.text(atMost: LookupLimits.valueBytes)
        else { return nil }
        return (name, value)
    }
}

extension ItemAttributes {
    /// The lookup attributes; nil if the item has none.
    public var lookupAttributes: LookupAttributes? {
        guard case .data(let bytes) = self[.lookup] else { return nil }
        return LookupAttributes(encoded: bytes)
    }
}

/// The limits of lookup attributes.
public enum LookupLimits {
    /// The pairs of a set.
    public static let pairs = 256
    /// A name, in UTF-8.
    public static let nameBytes = 1024
    /// A value, in UTF-8.
    public static let valueBytes = 8192
    /// The encoding of a set: 64 KiB.
    public static let encodedBytes = 65_536
}

/// The reason why pairs are not lookup attributes. Never contains a name or a value.
public enum LookupAttributesError: Error, Hashable, Sendable {
    case tooManyPairs
    case nameTooLong
    case valueTooLong
    case tooLarge
}

extension LookupAttributesError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManyPairs: "an item has at most \(LookupLimits.pairs) lookup attributes"
        case .nameTooLong: "the name of a lookup attribute is longer than \(LookupLimits.nameBytes) bytes"
        case .valueTooLong: "the value of a lookup attribute is longer than \(LookupLimits.valueBytes) bytes"
        case .tooLarge: "the lookup attributes together are larger than \(LookupLimits.encodedBytes) bytes"
        }
    }
}
