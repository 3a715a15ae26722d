// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
public import KeychainPolicy
public import KeychainSealing
import SQLiteStatements
public import SecretMemory

extension ItemStore {
    /// Stores a new item; it is on the disk when this returns.
    ///
    /// Missing attributes get their defaults; both dates become now. A synchronizable item replaces its tombstone and
    /// takes over its identifier.
    ///
    /// - Parameters:
    ///   - secret: nil for an item without data.
    ///   - material: the key material for an item with constraints.
    ///   - keepsDates: keeps given dates, as required for copying an item; other dates are now.
    /// - Throws: `.passwordNeeded`; `.keyNotAvailable` (even if the item would be a duplicate), `.duplicate`,
    ///   `.diskFull`, `.readOnly`, `.damaged(.database)`, `.inputOutput`, `.closed`.
    /// - Precondition: a grant for adding; the attributes name an access group and a class that is stored.
    public func add(
        _ attributes: ItemAttributes, secret: SecretBytes?, with grant: consuming Grant,
        material: ItemKeyMaterial = .none, keepsDates: Bool = false
    ) throws(StoreError) -> StoredItem {
        precondition(grant.operation == .add, "the grant is for another operation")
        precondition(ItemTable.of(attributes.itemClass) != nil, "no table for the class")
        let complete = attributes.completed(at: clock(), keepsDates: keepsDates)
        let identifier: ItemIdentifier
        do throws(StoreError) {
            identifier = try insert(complete, secret, material)
        } catch {
            guard error == .duplicate, try setAsideDamaged(sameItemAs: complete) else { throw error }
            identifier = try insert(complete, secret, material)
        }
        notify(.added, [identifier], attributes.itemClass)
        return StoredItem(identifier: identifier, attributes: complete)
    }

    private func insert(
        _ item: ItemAttributes, _ secret: SecretBytes?, _ material: ItemKeyMaterial
    ) throws(StoreError) -> ItemIdentifier {
        var identifier = makeIdentifier()
        let row = try newRow(item, secret, identifier, version: 1, material: material)
        guard item.isSynchronizable else {
            try StoreError.translating {
                try writer.keeping { db throws(StoreError) in try writer.insert(row, db) }
            }
            return identifier
        }
        try StoreError.translating {
            try writer.changing { db in
                if let tombstone = try writer.tombstone(inPlaceOf: row, db) {
                    identifier = tombstone.item
                    let revived = try newRow(item, secret, identifier, version: tombstone.version + 1)
                    try writer.update(tombstone.id, revived, db)
                } else {
                    try writer.insert(row, db)
                }
                return .commit
            }
        }
        return identifier
    }

    /// Sets aside the existing item with the uniqueness attributes of a new one, if it is unreadable: it could never be
    /// read, updated or found, so it must not block the new item (semantics 2.4). Nothing of it is returned to callers.
    ///
    /// - Returns: whether the new item can be stored now.
    private func setAsideDamaged(sameItemAs item: ItemAttributes) throws(StoreError) -> Bool {
        guard let group = item.accessGroup,
            let search = Search(
                ItemQuery(sameItemAs: item), in: .groups([group]), reading: [.attributes, .data], digest: digests)
        else { return false }
        return try StoreError.translating {
            var isDamaged = false
            try writer.changing { db in
                let rows = try search.rows(writer, db, limit: .all)
                isDamaged = try !rows.isEmpty && rows.allSatisfy { try isDamagedRow($0, item.itemClass) }
                if isDamaged { for row in rows { try writer.setAside(row, in: search.table, db) } }
                return .commit
            }
            return isDamaged
        }
    }

    private func isDamagedRow(_ row: SealedRow, _ itemClass: ItemClass) throws(StoreError) -> Bool {
        // For an item that needs more than the class key, only its attributes can be checked.
        let needsMaterial = row.content?.binding.access?.needsMaterial == true
        guard var item = try opened(row, itemClass, needsMaterial ? .attributes : [.attributes, .data]) else {
            return true
        }
        item.wipe()
        return false
    }

    /// Changes all items that match, in one transaction.
    ///
    /// Each item gets a new version, sealed under a new item key, including its secret. The parts of a version are
    /// bound to its number, so that no part of an older version opens with it.
    ///
    /// - Parameters:
    ///   - changes: applied to each item's attributes. The modification date becomes now, or a millisecond later than
    ///     it was.
    ///   - secret: nil leaves the data unchanged.
    ///   - material: the key material for items with constraints, before and after.
    ///   - access: returns the new access object. It receives the access objects of all matches, after the change is
    ///     granted and while the rows cannot change. If it returns nil, nothing is changed. It must not call the store.
    ///   - judge: called once with the facts of all matches, while the rows cannot change, and before that for reading
    ///     attributes if the query needs opening. It must not call the store.
    /// - Returns: no items if `access` returned nil.
    /// - Throws: `.notFound` if nothing matches or no match can be read; `.duplicate`, and nothing is changed;
    ///   otherwise as ``add(_:secret:with:material:keepsDates:)``.
    public func update(
        _ query: ItemQuery, in scope: SearchScope, changes: ItemAttributes, secret: SecretBytes?,
        material: ItemKeyMaterial = .none, access: (([GuardedItem]) -> AccessObject?)? = nil,
        judge: (KeychainPolicy.Operation, [ItemFacts]) -> Decision
    ) throws(StoreError) -> ChangeResult {
        let now = clock()
        var changes = changes
        let outcome = try change(
            query, in: scope, reading: .all, .update, judge,
            begin: { found throws(StoreError) -> Bool in
                guard let access else { return true }
                guard let changed = access(try accessObjects(of: found)) else { return false }
                changes[.access] = .data(changed.encoded)
                return true
            },
            { db, row, table throws(StoreError) -> Bool in
                try self.replace(
                    row, in: table, changes: changes, secret: secret, material: material, at: now, db)
            })
        if case .changed(let items) = outcome, !items.isEmpty { notify(.updated, items, query.itemClass) }
        return outcome
    }

    /// Deletes all items that match, in one transaction. Requires no class key. A synchronizable item is replaced by a
    /// tombstone, sealed like an item, without a secret and with only the attributes that identify the item. While the
    /// class is locked, the tombstone is the item as it was sealed, without its secret.
    ///
    /// - Throws: `.notFound` if nothing matches; otherwise as ``add(_:secret:with:material:keepsDates:)``.
    public func delete(
        _ query: ItemQuery, in scope: SearchScope, judge: (KeychainPolicy.Operation, [ItemFacts]) -> Decision
    ) throws(StoreError) -> ChangeResult {
        let now = clock()
        let parts: ReturnedParts = query.synchronizable == .localOnly ? [] : .attributes
        let outcome = try change(query, in: scope, reading: parts, .delete, judge) {
            db, row, table throws(StoreError) -> Bool in
            try self.remove(row, in: table, at: now, db)
            return true
        }
        if case .changed(let items) = outcome { notify(.deleted, items, query.itemClass) }
        return outcome
    }

    /// Changes an item, in a transaction. Returns false for a row that cannot be read.
    func replace(
        _ row: SealedRow, in table: ItemTable, changes: ItemAttributes, secret: SecretBytes?,
        material: ItemKeyMaterial, at now: Timestamp, _ db: Database
    ) throws(StoreError) -> Bool {
        guard let content = row.content else { return false }
        let old: ItemAttributes
        var oldData: Data?
        defer { oldData?.wipe() }
        do throws(SealingError) {
            old = try keyRing.openAttributes(content.attributes ?? Data(), of: content.binding)
            oldData = try keyRing.openData(
                content.data ?? Data(), wrappedKey: content.wrappedKey, of: content.binding, material: material)
        } catch {
            guard error.concernsBytes else { throw StoreError(error) }
            return false
        }
        let merged = old.updated(with: changes, at: now)
        guard merged.byteCount <= ItemLimits.storedAttributeBytes else {
            throw .refused(Refusal(.dataTooLarge, .none))
        }
        let (identifier, version) = (content.binding.item, content.binding.rowVersion + 1)
        do throws(Refusal) {
            try ProtectionRules.checkSynchronizing(merged)
            if merged.itemClass == .key {
                try HeldKeyRules.checkChange(of: old, to: merged, replacesData: secret != nil)
            }
        } catch {
            throw .refused(error)
        }
        let new: NewRow
        if secret == nil, let oldData {
            // Borrowed inside the closure only; the error passes Foundation's untyped closure as a value.
            new = unsafe try oldData.withUnsafeBytes { bytes in
                Result { () throws(StoreError) in
                    unsafe try NewRow(
                        merged, data: bytes, item: identifier, version: version, keyRing: keyRing,
                        digests: digests, material: material)
                }
            }.get()
        } else {
            new = try newRow(merged, secret, identifier, version: version, material: material)
        }
        let moves = !new.isSameItem(as: content.binding)
        if moves, let tombstone = try writer.tombstone(inPlaceOf: new, db) {
            try writer.delete(tombstone.id, in: table, db)
        }
        try writer.update(row.id, new, db)
        if moves, content.binding.isSynchronizable {
            let tombstone = old.tombstone(at: now)
            try writer.insert(try newRow(tombstone, nil, makeIdentifier(), version: 1), db)
        }
        return true
    }

    /// Deletes an item, in a transaction.
    func remove(_ row: SealedRow, in table: ItemTable, at now: Timestamp, _ db: Database) throws(StoreError) {
        if let content = row.content, content.binding.isSynchronizable {
            // Only the fact that the item existed remains, so its grants are deleted.
            try writer.deleteGrants(ofRow: row.id, in: table, db)
            let old: ItemAttributes?
            do throws(SealingError) {
                old = try keyRing.openAttributes(content.attributes ?? Data(), of: content.binding)
            } catch {
                if case .keyNotAvailable = error {
                    // Locked: the attributes stay sealed, and the secret is removed now.
                    try writer.bury(row.id, in: table, db)
                    return
                }
                guard error.concernsBytes else { throw StoreError(error) }
                // No other device could be told which item was deleted.
                old = nil
            }
            if let old {
                let (identifier, version) = (content.binding.item, content.binding.rowVersion + 1)
                let tombstone = try newRow(old.tombstone(at: now), nil, identifier, version: version)
                try writer.update(row.id, tombstone, db)
                return
            }
        }
        try writer.delete(row.id, in: table, db)
    }

    func newRow(
        _ attributes: ItemAttributes, _ secret: SecretBytes?, _ item: ItemIdentifier, version: UInt64,
        material: ItemKeyMaterial = .none
    ) throws(StoreError) -> NewRow {
        guard let secret else {
            return unsafe try NewRow(
                attributes, data: nil, item: item, version: version, keyRing: keyRing, digests: digests,
                material: material)
        }
        // The bytes are sealed inside the closure; no pointer to them is kept.
        return try unsafe secret.withUnsafeBytes { bytes throws(StoreError) in
            unsafe try NewRow(
                attributes, data: bytes, item: item, version: version, keyRing: keyRing, digests: digests,
                material: material)
        }
    }

    /// Seals the attributes and the data of an item that becomes no row.
    func seal(
        _ attributes: ItemAttributes, _ secret: SecretBytes, to binding: ItemBinding, material: ItemKeyMaterial
    ) throws(SealingError) -> SealedItem {
        // The bytes are sealed inside the closure; no pointer to them is kept.
        try unsafe secret.withUnsafeBytes { bytes throws(SealingError) in
            unsafe try keyRing.seal(attributes, data: bytes, to: binding, material: material)
        }
    }

    /// Finds items, gets the decision and changes them in one transaction. `body` returns false for a row that cannot
    /// be read, which is set aside and does not count.
    ///
    /// - Parameter begin: receives the found items after the change was granted; false: nothing is changed.
    private func change(
        _ query: ItemQuery, in scope: SearchScope, reading parts: ReturnedParts, _ operation: KeychainPolicy.Operation,
        _ judge: (KeychainPolicy.Operation, [ItemFacts]) -> Decision,
        begin: (FoundItems) throws(StoreError) -> Bool = { _ in true },
        _ body: (Database, SealedRow, ItemTable) throws(StoreError) -> Bool
    ) throws(StoreError) -> ChangeResult {
        guard let search = Search(query, in: scope, reading: parts, digest: digests) else { throw .notFound }
        var outcome: ChangeResult?
        try StoreError.translating {
            try writer.changing { db in
                var found = FoundItems(try search.rows(writer, db, limit: .all), search)
                var damaged: [SealedRow] = []
                let wanted = operation
                /// Returns whether the operation is granted; otherwise `outcome` has the reason and the items.
                func isGranted(_ operation: KeychainPolicy.Operation) -> Bool {
                    switch judge(operation, found.facts) {
                    case .grant(let grant):
                        precondition(grant.operation == operation, "the grant is for another operation")
                        return true
                    case .ask(let question): outcome = .ask(question, operation == wanted ? found.identifiers : [])
                    case .authenticate(let demand):
                        outcome = .authenticate(demand, operation == wanted ? found.identifiers : [])
                    case .refuse(let refusal): outcome = .refused(refusal, operation == wanted ? found.identifiers : [])
                    }
                    return false
                }
                if found.needsOpening, !found.isEmpty {
                    guard isGranted(.match) else { return .rollback }
                    (found, damaged) = try sort(found, limit: .all)
                }
                for row in damaged { try writer.setAside(row, in: search.table, db) }
                guard !found.isEmpty else { return damaged.isEmpty ? .rollback : .commit }
                guard isGranted(operation) else { return .rollback }
                guard try begin(found) else {
                    outcome = .changed([])
                    return .rollback
                }
                var changed: [ItemIdentifier] = []
                for row in found.rows {
                    if try body(db, row, search.table) {
                        if let item = row.content?.binding.item { changed.append(item) }
                    } else {
                        try writer.setAside(row, in: search.table, db)
                    }
                }
                if !changed.isEmpty { outcome = .changed(changed) }
                return .commit
            }
        }
        guard let outcome else { throw .notFound }
        return outcome
    }
}

extension ItemAttributes {
    /// Adds the attributes that an added item has besides those from the caller (semantics 2.4).
    func completed(at now: Timestamp, keepsDates: Bool) -> ItemAttributes {
        var complete = self
        precondition(complete.accessGroup != nil, "an item without an access group")
        for entry in ItemSchema.schema(for: itemClass)?.defaults ?? [] where self[entry.key] == nil {
            complete[entry.key] = entry.value
        }
        if self[.accessible] == nil {
            var accessibility = itemClass.defaultAccessibility
            if case .accessControl(let control) = self[.accessControl] { accessibility = control.protection }
            complete[.accessible] = .string(accessibility.code)
        }
        for date in [AttributeKey.creationDate, .modificationDate] where !keepsDates || self[date] == nil {
            complete[date] = .date(now)
        }
        return complete
    }

    /// Returns the attributes that remain of a deleted item that other devices may have to learn of (semantics 2.8).
    fileprivate func tombstone(at now: Timestamp) -> ItemAttributes {
        var rest = ItemAttributes(empty: itemClass)
        for definition in ItemSchema.schema(for: itemClass)?.attributes ?? [] where definition.isUnique {
            rest[definition.key] = self[definition.key]
        }
        // The class under which it is sealed.
        rest[.accessible] = self[.accessible]
        rest[.creationDate] = self[.creationDate]
        rest[.modificationDate] = .date(modified(at: now))
        rest[.tombstone] = .number(1)
        return rest
    }

    /// Returns the new modification date, which is always later than the old one (semantics 2.5).
    private func modified(at now: Timestamp) -> Timestamp {
        guard case .date(let previous) = self[.modificationDate] else { return now }
        return now.strictlyAfter(previous)
    }

    /// Returns the attributes after an update (semantics 2.5).
    fileprivate func updated(with changes: ItemAttributes, at now: Timestamp) -> ItemAttributes {
        var merged = merging(changes)
        if changes[.accessible] == nil, case .accessControl(let control) = changes[.accessControl] {
            merged[.accessible] = .string(control.protection.code)
        }
        merged[.modificationDate] = .date(modified(at: now))
        return merged
    }
}
