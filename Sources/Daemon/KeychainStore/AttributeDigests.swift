// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Synchronization

/// Converts attributes to the contents of index columns.
final class AttributeDigests: Sendable {
    private let keyRing: KeyRing
    /// A cache of the digests of access groups. Groups are few and part of every search, and they name programs, not
    /// items. No other values are cached: values of items stay in memory, in plain, no longer than the request that needs
    /// them. The size is bounded, because callers choose the groups.
    private let recent = Mutex<[Group: IndexDigest]>([:])

    private static let recentLimit = 256

    private struct Group: Hashable {
        let name: String
        let itemClass: ItemClass
    }

    init(_ keyRing: KeyRing) { self.keyRing = keyRing }

    func group(_ name: String, _ itemClass: ItemClass) -> IndexDigest {
        let group = Group(name: name, itemClass: itemClass)
        return recent.withLock { recent in
            if let digest = recent[group] { return digest }
            if recent.count >= Self.recentLimit { recent.removeAll() }
            let digest = keyRing.digest(of: .string(name), for: .accessGroup, in: itemClass)
            recent[group] = digest
            return digest
        }
    }

    /// Returns the content of a column for the value of its attribute. A default, or an empty view hint or token
    /// identifier, counts as no value.
    func column(_ value: AttributeValue, _ column: SearchColumn, _ itemClass: ItemClass) -> ColumnContent {
        if column.isUnique, value == column.defaultValue { return .noBytes }
        return .digest(keyRing.digest(of: value, for: column.digestKey, in: column.digestClass ?? itemClass))
    }

    /// Returns the content of the folded column for a value; nil if folding does not change the value.
    func foldedColumn(_ value: AttributeValue, _ column: SearchColumn, _ itemClass: ItemClass) -> ColumnContent? {
        guard column.isFolded, let text = value.text else { return nil }
        let folded = TextMatching.all.folded(text)
        guard !folded.utf8.elementsEqual(text.utf8) else { return nil }
        return self.column(.string(folded), column, itemClass)
    }

    /// Returns the digest of each pair of lookup attributes: that of a set of this pair alone.
    func lookups(_ attributes: LookupAttributes, _ itemClass: ItemClass) -> [IndexDigest] {
        attributes.encodedPairs.map { keyRing.digest(of: .data($0), for: .lookup, in: itemClass) }
    }

    func lookups(of item: ItemAttributes) -> [IndexDigest] {
        item.lookupAttributes.map { lookups($0, item.itemClass) } ?? []
    }
}

/// The content of an index column.
enum ColumnContent {
    /// NULL: the attribute is absent.
    case null
    /// The attribute is absent or has its default, and the column is part of the uniqueness key, where NULLs would all
    /// differ.
    case noBytes
    case digest(IndexDigest)

    var digest: IndexDigest? { if case .digest(let digest) = self { digest } else { nil } }

    var argument: SQLiteValue {
        switch self {
        case .null: .null
        case .noBytes: .bytes(Data())
        case .digest(let digest): .number(digest.value)
        }
    }
}
