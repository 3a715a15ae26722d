// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
public import KeychainPolicy
public import KeychainSealing

extension ItemStore {
    /// Finds items by the digests of their attributes. Uses one access to the database; nothing is decrypted.
    ///
    /// - Parameters:
    ///   - scope: the result of `AccessPolicy.scope`. Items of own groups come before others; otherwise the order is
    ///     that in which they were added.
    ///   - limit: has no effect for a query that needs opening; ``matching(_:limit:with:)`` applies it then.
    ///   - parts: the most that ``open(_:parts:with:heldKeys:material:setsAside:_:)`` will return. Other parts are not read.
    ///   - allowance: whether this many more bytes may be held; called for each row.
    /// - Returns: an empty result, not an error, if nothing is found. For a query that needs opening, all items that
    ///   may match.
    /// - Throws: `.damaged(.database)`, `.inputOutput`, `.closed`; `.refused` with `errSecAllocate` if the allowance
    ///   returned false.
    public func find(
        _ query: ItemQuery, in scope: SearchScope, limit: MatchLimit, parts: ReturnedParts = .all,
        allowance: (Int) -> Bool = { _ in true }
    ) throws(StoreError) -> FoundItems {
        guard let search = Search(query, in: scope, reading: parts, digest: digests) else {
            return FoundItems(none: query.itemClass)
        }
        let rows = try StoreError.translating {
            let limit = search.check == nil ? limit : .all
            let isLong =
                try search.looksAtMany(limit)
                && !self.reader.access { db in try search.leadsToFew(self.reader, db) }
            let reader = isLong ? try scanningReader() : self.reader
            return try reader.access { db in try search.rows(reader, db, limit: limit, allowance) }
        }
        return FoundItems(rows, search)
    }

    /// Returns the found items that match a query that needs opening (`ItemQuery.needsOpening`), in the same order.
    ///
    /// An item whose attributes cannot be authenticated is set aside and left out.
    ///
    /// - Throws: `StoreError.keyNotAvailable`.
    /// - Precondition: the grant is for reading attributes or data.
    public func matching(
        _ found: FoundItems, limit: MatchLimit, with grant: consuming Grant
    ) throws(StoreError) -> FoundItems {
        precondition(grant.operation.allows(.attributes), "the grant is for another operation")
        let sorted = try sort(found, limit: limit)
        for row in sorted.damaged { setAside(row, found.itemClass) }
        return sorted.matching
    }

    /// Opens the attributes of found items and sorts them into matches and unreadable items. Changes nothing, so that
    /// it may be called inside a transaction.
    func sort(
        _ found: FoundItems, limit: MatchLimit
    ) throws(StoreError) -> (matching: FoundItems, damaged: [SealedRow]) {
        guard let check = found.check else { return (found, []) }
        let limit = limit.count ?? .max
        var rows: [SealedRow] = []
        var damaged: [SealedRow] = []
        for row in found.rows where rows.count < limit {
            if let item = try opened(row, found.itemClass, .attributes) {
                if let attributes = item.attributes, check.accepts(attributes) { rows.append(row) }
            } else {
                damaged.append(row)
            }
        }
        return (FoundItems(rows, of: found), damaged)
    }

    /// Opens found items, as far as `parts` requires, and passes one item after the other to `body`.
    ///
    /// An item whose contents cannot be authenticated is set aside and skipped. The data of each item is wiped when
    /// `body` returns.
    ///
    /// - Parameters:
    ///   - heldKeys: the handling of held keys.
    ///   - setsAside: false leaves items that cannot be authenticated in place, where they are found and deleted.
    ///   - material: the key material for items with constraints; ``check(_:material:)`` verifies beforehand
    ///     whether it is sufficient.
    /// - Returns: the number of items that were passed to `body`.
    /// - Throws: `StoreError.keyNotAvailable`, `.refused` for the data of a held key that is in no token (before any
    ///   item is passed), `.passwordNeeded`, `.wrongPassword`, and the errors of `body`.
    /// - Precondition: the grant is for reading attributes or data if attributes are requested, for reading data or
    ///   using a key if data is requested, and the search was told of both.
    @discardableResult
    public func open(
        _ found: borrowing FoundItems, parts: ReturnedParts, with grant: consuming Grant,
        heldKeys: HeldKeys = .refused, material: ItemKeyMaterial = .none, setsAside: Bool = true,
        _ body: (borrowing OpenedItem) throws -> Void
    ) throws -> Int {
        precondition(grant.operation.allows(parts), "the grant is for another operation")
        precondition(found.hasAttributes || !parts.contains(.attributes), "the search left the attributes out")
        precondition(found.hasData || !parts.contains(.data), "the search left the data out")
        precondition(
            found.itemClass != .key || found.hasAttributes || !parts.contains(.data),
            "whether a key is held is written in its attributes")
        var count = 0
        if found.itemClass == .key, heldKeys == .refused, parts.contains(.data) { try refuseHeldKeys(found) }
        for row in found.rows {
            guard var item = try opened(row, found.itemClass, parts, material: material) else {
                if setsAside { setAside(row, found.itemClass) }
                continue
            }
            defer { item.wipe() }
            try body(item)
            count += 1
        }
        return count
    }

    /// Checks all items before any is passed to `body`, so that no partial answer precedes a refusal. Keys in a token
    /// are not refused, because they have no data that could be returned.
    func refuseHeldKeys(_ found: borrowing FoundItems) throws(StoreError) {
        for row in found.rows {
            guard let attributes = try opened(row, found.itemClass, .attributes)?.attributes else { continue }
            guard !attributes.isHeldKey || attributes.token != nil else { throw .refused(attributes.heldKeyRefusal) }
        }
    }

    /// Opens a row; nil if the row is not as it was sealed. The data of a held key is returned as
    /// ``OpenedItem/heldKey``, for every caller.
    func opened(
        _ row: SealedRow, _ itemClass: ItemClass, _ parts: ReturnedParts, material: ItemKeyMaterial = .none
    ) throws(StoreError) -> OpenedItem? {
        guard let content = row.content else { return nil }
        // The sealed attributes state whether a key is held.
        let mayBeHeld = itemClass == .key && parts.contains(.data)
        do {
            return OpenedItem(
                identifier: content.binding.item, itemClass: itemClass,
                attributes: mayBeHeld || parts.contains(.attributes)
                    ? try keyRing.openAttributes(content.attributes ?? Data(), of: content.binding) : nil,
                givesAttributes: parts.contains(.attributes),
                data: parts.contains(.data)
                    ? try keyRing.openData(
                        content.data ?? Data(), wrappedKey: content.wrappedKey, of: content.binding, material: material)
                    : nil)
        } catch {
            guard error.concernsBytes else { throw StoreError(error) }
            return nil
        }
    }

    /// Checks whether the material opens all found items that need material. Opens nothing.
    ///
    /// - Throws: `.passwordNeeded`, `.wrongPassword`, `.refused` with `errSecAuthFailed` for items of another
    ///   enrolment; `.keyNotAvailable`, `.inputOutput`.
    public func check(_ found: FoundItems, material: ItemKeyMaterial) throws(StoreError) {
        for row in found.rows { try check(row, material) }
    }

    public func check(_ found: FoundIdentities, material: ItemKeyMaterial) throws(StoreError) {
        try check(found.certificates, material: material)
        try check(found.keys, material: material)
    }

    private func check(_ row: SealedRow, _ material: ItemKeyMaterial) throws(StoreError) {
        guard let content = row.content, content.binding.access?.needsMaterial == true else { return }
        do throws(SealingError) {
            try keyRing.check(content.wrappedKey, of: content.binding, material: material)
        } catch {
            // A damaged item is detected when it is opened, and set aside then.
            guard !error.concernsBytes else { return }
            throw StoreError(error)
        }
    }

    /// Marks a row as unreadable: it is kept for a later repair, and all other operations ignore it. If it cannot be
    /// marked, the next search finds it and skips it again.
    func setAside(_ row: SealedRow, _ itemClass: ItemClass) {
        guard let table = ItemTable.of(itemClass) else { return }
        try? writer.access { db in try writer.setAside(row, in: table, db) }
    }
}

extension Operation {
    func allows(_ parts: ReturnedParts) -> Bool {
        switch self {
        case .readData, .readPublic, .useKey: true
        case .readAttributes, .match: !parts.contains(.data)
        case .probe: parts.isDisjoint(with: [.data, .attributes])
        case .add, .availability, .update, .delete, .backUp, .restore: false
        }
    }
}
