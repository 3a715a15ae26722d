// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Synchronization

/// Turns attributes into what the index columns hold.
final class AttributeDigests: Sendable {
    private let keyRing: KeyRing
    /// Access groups and services are few and in nearly every search. Bounded, since callers name them.
    private let recent = Mutex<[Name: IndexDigest]>([:])

    private static let recentLimit = 256

    private struct Name: Hashable {
        let text: String
        let key: AttributeKey
        let itemClass: ItemClass
    }

    init(_ keyRing: KeyRing) { self.keyRing = keyRing }

    func group(_ name: String, _ itemClass: ItemClass) -> IndexDigest {
        remembered(Name(text: name, key: .accessGroup, itemClass: itemClass))
    }

    private func remembered(_ name: Name) -> IndexDigest {
        recent.withLock { recent in
            if let digest = recent[name] { return digest }
            if recent.count >= Self.recentLimit { recent.removeAll() }
            let digest = keyRing.digest(of: .string(name.text), for: name.key, in: name.itemClass)
            recent[name] = digest
            return digest
        }
    }

    /// The content of a column for the value of its attribute. A default, or an empty view hint or token identifier, is
    /// the same as no value.
    func column(_ value: AttributeValue, _ column: SearchColumn, _ itemClass: ItemClass) -> ColumnContent {
        if column.isUnique, value == column.defaultValue { return .noBytes }
        if column.key == .service, case .string(let text) = value, text.utf8.count <= 256 {
            return .digest(remembered(Name(text: text, key: column.key, itemClass: itemClass)))
        }
        return .digest(keyRing.digest(of: value, for: column.key, in: itemClass))
    }

    /// The same of the value with all differences folded away; nil where that leaves the value as it is.
    func foldedColumn(_ value: AttributeValue, _ column: SearchColumn, _ itemClass: ItemClass) -> ColumnContent? {
        guard column.isFolded, let text = value.text else { return nil }
        let folded = TextMatching.all.folded(text)
        guard !folded.utf8.elementsEqual(text.utf8) else { return nil }
        return self.column(.string(folded), column, itemClass)
    }
}

/// What an index column holds.
enum ColumnContent {
    /// NULL: the attribute is absent.
    case null
    /// The attribute is absent or has its default, and the column is one of those that make an item unique, where NULLs
    /// would all differ.
    case noBytes
    case digest(IndexDigest)

    var digest: IndexDigest? { if case .digest(let digest) = self { digest } else { nil } }

    var argument: PreparedStatement.Argument {
        switch self {
        case .null: .null
        case .noBytes: .bytes(Data())
        case .digest(let digest): .number(digest.value)
        }
    }
}
