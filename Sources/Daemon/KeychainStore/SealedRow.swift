// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import KeychainModel
import KeychainSealing

/// A row of the item table as it was read: sealed parts and what they are bound to.
struct SealedRow: Sendable {
    let id: Int64
    /// Nil when a column holds what this store does not write; such a row is set aside.
    let content: Content?
    /// The row's version column as it is, for naming exactly this row.
    let version: DatabaseValue
    let accessibility: Accessibility
    /// The name of the group in which the row was searched; nil for a row of another.
    let accessGroup: String?

    struct Content: Sendable {
        let binding: ItemBinding
        let wrappedKey: Data
        let attributes: Data
        /// Nil when the search left it out.
        let data: Data?
    }

    /// Columns in the order of `QueryShape.sql`.
    init(_ row: Row, _ itemClass: ItemClass, in accessGroup: String?) throws {
        self.accessGroup = accessGroup
        id = try row.decode(Int64.self, atIndex: 0)
        version = row[2]
        let class_ = try row.decodeIfPresent(Int64.self, at: 3).flatMap(UInt8.init(exactly:))
        let accessibility = class_.flatMap(Accessibility.init(rawValue:))
        self.accessibility = accessibility ?? .whenUnlocked
        content = try accessibility.flatMap { try Content(row, itemClass, $0) }
    }
}

extension SealedRow.Content {
    fileprivate init?(_ row: Row, _ itemClass: ItemClass, _ accessibility: Accessibility) throws {
        guard let item = ItemIdentifier(bytes: try row.bytes(at: 1)),
            let version = UInt64(exactly: try row.decode(Int64.self, atIndex: 2)),
            let group = IndexDigest(bytes: try row.bytes(at: 5))
        else { return nil }
        let sync = try row.decode(Int64.self, atIndex: 4)
        guard sync == 0 || sync == 1 else { return nil }
        var uniqueness: [IndexDigest?] = []
        for column in 6...9 {
            let bytes = try row.bytes(at: column)
            let digest = IndexDigest(bytes: bytes)
            guard digest != nil || bytes.isEmpty else { return nil }
            uniqueness.append(digest)
        }
        binding = ItemBinding(
            itemClass: itemClass, accessibility: accessibility, isSynchronizable: sync == 1, item: item,
            rowVersion: version, accessGroup: group, uniqueness: uniqueness)
        wrappedKey = row.data(at: 10) ?? Data()
        attributes = row.data(at: 11) ?? Data()
        data = row.data(at: 12)
    }
}

extension Row {
    /// Decoding never traps, whatever type a damaged file has put into a column.
    fileprivate func data(at index: Int) -> Data? {
        try? decode(Data?.self, atIndex: index)
    }

    fileprivate func bytes(at index: Int) throws -> [UInt8] {
        Array(try decode(Data.self, atIndex: index))
    }

    fileprivate func decodeIfPresent(_: Int64.Type, at index: Int) throws -> Int64? {
        try decode(Int64?.self, atIndex: index)
    }
}
