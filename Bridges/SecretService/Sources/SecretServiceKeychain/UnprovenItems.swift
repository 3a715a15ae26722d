// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretService

/// The attributes by which a client found items of a locked keychain. Only digests led to these items, so the keychain
/// service compares the attributes before it gives anything of such an item.
struct UnprovenItems: Sendable {
    /// The largest number of items.
    static let countLimit = 4096
    /// The largest size of all attributes together, encoded, in bytes.
    static let byteLimit = 4 << 20

    private var entries: [ItemID: LookupAttributes] = [:]
    private var byteCount = 0

    /// The attributes that an item must have; nil if nothing is to be compared.
    func attributes(of id: ItemID) -> LookupAttributes? { entries[id] }

    /// Notes an item that was found by these attributes, beside those of earlier searches that found it.
    ///
    /// - Returns: false if there is no room; then the item must not be given out.
    mutating func add(_ id: ItemID, foundBy lookup: LookupAttributes) -> Bool {
        let earlier = entries[id]
        guard let all = Self.both(earlier, lookup) else { return false }
        if all == earlier { return true }
        let bytes = byteCount - (earlier?.encoded.count ?? 0) + all.encoded.count
        guard earlier != nil || entries.count < Self.countLimit, bytes <= Self.byteLimit else { return false }
        entries[id] = all
        byteCount = bytes
        return true
    }

    /// Forgets an item whose attributes were compared.
    mutating func remove(_ id: ItemID) {
        guard let lookup = entries.removeValue(forKey: id) else { return }
        byteCount -= lookup.encoded.count
    }

    /// Returns the attributes of both; nil if no item has both.
    private static func both(_ earlier: LookupAttributes?, _ lookup: LookupAttributes) -> LookupAttributes? {
        guard let earlier, earlier != lookup else { return lookup }
        var pairs = earlier.pairs
        for (name, value) in lookup.pairs {
            // Compared as bytes, because `==` treats different spellings of a character as equal.
            if let other = pairs.updateValue(value, forKey: name), !other.utf8.elementsEqual(value.utf8) { return nil }
        }
        return try? LookupAttributes(pairs)
    }
}
