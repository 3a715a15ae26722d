// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements

/// A row of the item table as it was read: sealed parts and their bindings.
struct SealedRow: Sendable {
    let id: Int64
    /// The contents; nil if a column has a value that this store does not write. Such a row is set aside.
    let content: Content?
    /// The row's version column, to identify exactly this row; nil if it is not an integer.
    let version: Int64?
    let accessibility: Accessibility
    /// The name of the group in which the row was searched; nil for a row of another group.
    let accessGroup: String?

    /// An object, because rows are passed around more often than they are read.
    final class Content: Sendable {
        let binding: ItemBinding
        let wrappedKey: Data
        /// The sealed attributes; nil if the search left them out, or if the column has a value that this store does
        /// not write.
        let attributes: Data?
        let data: Data?

        fileprivate init?(
            _ row: borrowing StatementRow, _ itemClass: ItemClass, _ table: ItemTable, accessibility: Accessibility,
            from first: Int32
        ) {
            guard let item = row.number(at: first + 1),
                let version = row.integer(at: first + 2).flatMap(UInt64.init(exactly:)),
                let sync = row.integer(at: first + 4), sync == 0 || sync == 1, let group = row.number(at: first + 5)
            else { return nil }
            var uniqueness: [IndexDigest?] = []
            let rest = first + 6 + Int32(table.uniqueness.count)
            uniqueness.reserveCapacity(table.uniqueness.count)
            for column in first + 6..<rest {
                let digest = row.number(at: column).map(IndexDigest.init(value:))
                guard digest != nil || row.isEmptyBlob(at: column) else { return nil }
                uniqueness.append(digest)
            }
            let itemKey = ItemKeyColumn(row.bytes(at: rest) ?? Data())
            binding = ItemBinding(
                itemClass: itemClass, accessibility: accessibility, isSynchronizable: sync == 1,
                item: ItemIdentifier(value: item), rowVersion: version, accessGroup: IndexDigest(value: group),
                uniqueness: uniqueness, access: itemKey.access)
            wrappedKey = itemKey.wrappedKey
            attributes = row.bytes(at: rest + 1)
            data = row.bytes(at: rest + 2)
        }

        fileprivate init(_ key: UnstoredKey) {
            binding = key.binding
            wrappedKey = ItemKeyColumn(key.sealed.wrappedKey).wrappedKey
            attributes = key.sealed.attributes
            data = key.sealed.data
        }
    }

    /// The approximate size in memory.
    var byteCount: Int {
        // The row, its content with the digests, and the facts that are known without opening it.
        512 + (content.map { $0.wrappedKey.count + ($0.attributes?.count ?? 0) + ($0.data?.count ?? 0) } ?? 0)
    }

    /// Returns the number of columns of a row in a search.
    static func columnCount(_ table: ItemTable) -> Int32 { Int32(table.uniqueness.count) + 9 }

    /// Takes a key that is in no table. No row has the number 0, or is identified without a version.
    init(_ key: UnstoredKey, in accessGroup: String?) {
        (id, version) = (0, nil)
        self.accessGroup = accessGroup
        accessibility = key.binding.accessibility
        content = Content(key)
    }

    /// Reads columns in the order of `QueryShape.selection`, starting at `first`.
    init(
        _ row: borrowing StatementRow, _ itemClass: ItemClass, _ table: ItemTable, in accessGroup: String?,
        from first: Int32 = 0
    ) {
        self.accessGroup = accessGroup
        // Always an integer: the row number.
        id = row.integer(at: first) ?? 0
        version = row.integer(at: first + 2)
        let accessibility = row.integer(at: first + 3).flatMap(UInt8.init(exactly:)).flatMap(
            Accessibility.init(rawValue:))
        self.accessibility = accessibility ?? .whenUnlocked
        if let accessibility {
            content = Content(row, itemClass, table, accessibility: accessibility, from: first)
        } else {
            content = nil
        }
    }
}
