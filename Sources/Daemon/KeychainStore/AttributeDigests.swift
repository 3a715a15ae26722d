// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing
import SQLiteStatements
import Synchronization

/// Turns attributes into what the index columns hold.
final class AttributeDigests: Sendable {
    private let keybag: UnlockedKeybag
    /// Access groups are few and in every search. Bounded, since callers name them.
    private let groups = Mutex<[String: IndexDigest]>([:])

    private static let groupLimit = 256

    init(_ keybag: UnlockedKeybag) { self.keybag = keybag }

    func group(_ name: String, _ itemClass: ItemClass) -> IndexDigest {
        groups.withLock { groups in
            if let digest = groups[name] { return digest }
            if groups.count >= Self.groupLimit { groups.removeAll() }
            let digest = keybag.digest(of: .string(name), for: .accessGroup, in: itemClass)
            groups[name] = digest
            return digest
        }
    }

    /// The content of a column for the value of its attribute. An empty view hint or token identifier is the same as
    /// none.
    func column(_ value: AttributeValue, _ key: AttributeKey, _ itemClass: ItemClass) -> ColumnContent {
        if key == .syncViewHint || key == .tokenID, value == .string("") { return .noBytes }
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
