// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainBytes
public import KeychainModel

/// A sealed key that no database contains: the program that uses it keeps the bytes, and sends them with each use
/// (Documentation/Formats/sealed-item.md, "Keys outside the database").
///
/// It is sealed like an item, so that it needs the same keys and material. Its version, 0, keeps the two apart: items
/// count theirs from 1, so no part of one opens as a part of the other.
public struct UnstoredKey: Sendable {
    public let binding: ItemBinding
    public let sealed: SealedItem

    private static let magic: [UInt8] = Array("CHTLUKY".utf8) + [1]

    /// Creates a key from its parts.
    ///
    /// - Precondition: the binding is one of ``binding(_:_:accessGroup:access:)``.
    public init(_ binding: ItemBinding, _ sealed: SealedItem) {
        precondition(binding.itemClass == .key && binding.rowVersion == 0, "the binding is that of an item")
        (self.binding, self.sealed) = (binding, sealed)
    }

    /// Returns the values that the parts of such a key are bound to.
    public static func binding(
        _ item: ItemIdentifier, _ accessibility: Accessibility, accessGroup: IndexDigest, access: ItemAccess?
    ) -> ItemBinding {
        ItemBinding(
            itemClass: .key, accessibility: accessibility, isSynchronizable: false, item: item, rowVersion: 0,
            accessGroup: accessGroup, uniqueness: [], access: access)
    }

    /// Decodes a key; nil for other bytes. Opening its parts determines whether they were sealed for this keychain.
    public init?(_ bytes: [UInt8]) {
        do throws(SealingError) {
            var reader = SealedReader(bytes)
            try reader.magic(Self.magic)
            guard let accessibility = Accessibility(rawValue: try reader.u8()) else { return nil }
            let item = ItemIdentifier(value: try reader.integer(UInt128.self))
            let group = IndexDigest(value: try reader.integer(UInt128.self))
            let column = Data(try reader.take(Int(try reader.u16())))
            let attributes = Data(try reader.take(Int(try reader.u32())))
            binding = Self.binding(
                item, accessibility, accessGroup: group, access: ItemKeyColumn(column).access)
            sealed = SealedItem(wrappedKey: column, attributes: attributes, data: Data(reader.rest))
        } catch {
            return nil
        }
    }

    public var bytes: [UInt8] {
        var bytes = Self.magic + [binding.accessibility.rawValue]
        bytes.append(bigEndian: binding.item.value)
        bytes.append(bigEndian: binding.accessGroup.value)
        bytes.append(bigEndian: UInt16(sealed.wrappedKey.count))
        bytes += sealed.wrappedKey
        bytes.append(bigEndian: UInt32(sealed.attributes.count))
        bytes += sealed.attributes
        return bytes + sealed.data
    }
}
