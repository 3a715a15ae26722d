// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
public import KeychainPolicy

// Access objects of the items of a keychain file.
extension ItemStore {
    /// Returns the access objects of found items, for the policy alone. An access object that cannot be read allows no
    /// access.
    ///
    /// - Throws: `.keyNotAvailable`; `.damaged(.item)` if none of them can be read.
    /// - Precondition: the grant is for reading attributes, and the search read them.
    public func guarded(_ found: FoundItems, with grant: consuming Grant) throws(StoreError) -> [GuardedItem] {
        precondition(grant.operation == .match, "the grant is for another operation")
        return try accessObjects(of: found)
    }

    /// Returns the access objects of found items.
    ///
    /// - Throws: `.keyNotAvailable`.
    /// - Precondition: the caller may read attributes, and the search read them.
    func accessObjects(of found: FoundItems) throws(StoreError) -> [GuardedItem] {
        precondition(found.hasAttributes, "the search left the attributes out")
        var items: [GuardedItem] = []
        var isReadable = found.rows.isEmpty
        items.reserveCapacity(found.rows.count)
        for (row, facts) in zip(found.rows, found.facts) {
            let attributes = try opened(row, found.itemClass, .attributes)?.attributes
            isReadable = isReadable || attributes != nil
            let access: AccessObject? =
                if case .data(let bytes) = attributes?[.access] { try? AccessObject(encoded: bytes) } else { nil }
            items.append(GuardedItem(itemClass: found.itemClass, reference: facts.reference, access: access))
        }
        guard isReadable else { throw .damaged(.item) }
        return items
    }

    /// Returns the found items whose attributes can be authenticated.
    ///
    /// - Throws: `.keyNotAvailable`.
    /// - Precondition: as ``guarded(_:with:)``.
    public func intact(_ found: FoundItems, with grant: consuming Grant) throws(StoreError) -> FoundItems {
        precondition(grant.operation == .match, "the grant is for another operation")
        precondition(found.hasAttributes, "the search left the attributes out")
        var rows: [SealedRow] = []
        for row in found.rows where try opened(row, found.itemClass, .attributes)?.attributes != nil {
            rows.append(row)
        }
        return FoundItems(rows, of: found)
    }
}
