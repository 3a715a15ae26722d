// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Synchronization

/// Turns attributes into what the index columns hold.
final class AttributeDigests: Sendable {
    private let keybag: UnlockedKeybag
    /// Access groups and services are few and in nearly every search. Bounded, since callers name them.
    private let recent = Mutex<[Name: IndexDigest]>([:])

    private static let recentLimit = 256

    private struct Name: Hashable {
        let text: String
        let key: AttributeKey
        let itemClass: ItemClass
    }

    init(_ keybag: UnlockedKeybag) { self.keybag = keybag }

    func group(_ name: String, _ itemClass: ItemClass) -> IndexDigest {
        remembered(Name(text: name, key: .accessGroup, itemClass: itemClass))
    }

    private func remembered(_ name: Name) -> IndexDigest {
        recent.withLock { recent in
            if let digest = recent[name] { return digest }
            if recent.count >= Self.recentLimit { recent.removeAll() }
            let digest = keybag.digest(of: .string(name.text), for: name.key, in: name.itemClass)
            recent[name] = digest
            return digest
        }
    }

    /// The content of a column for the value of its attribute. An empty view hint or token identifier is the same as
    /// none.
    func column(_ value: AttributeValue, _ key: AttributeKey, _ itemClass: ItemClass) -> ColumnContent {
        if key == .syncViewHint || key == .tokenID, value == .string("") { return .noBytes }
        if key == .service, case .string(let text) = value, text.utf8.count <= 256 {
            return .digest(remembered(Name(text: text, key: key, itemClass: itemClass)))
        }
        return .digest(keybag.digest(of: value, for: key, in: itemClass))
    }
}

/// What an index column holds.
enum ColumnContent {
    /// NULL: the attribute is absent.
    case null
    /// The attribute is absent, and the column one of those that make an item unique, where NULLs would all differ.
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
