// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSealing
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

    /// The content of a column for an attribute. An empty view hint or token identifier is the same as none, and stored as
    /// no bytes.
    func column(_ value: AttributeValue, _ column: SearchColumn, _ itemClass: ItemClass) -> [UInt8] {
        let isDefault = column.key == .syncViewHint || column.key == .tokenID
        guard !isDefault || value != .string("") else { return [] }
        return keybag.digest(of: value, for: column.key, in: itemClass).bytes
    }
}
