// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
public import KeychainModel
public import KeychainPolicy
import KeychainSealing
public import SecretMemory

extension ItemStore {
    /// Stores a new item; it is on the disk when this returns.
    ///
    /// Missing account, service, accessibility and synchronizable get their defaults; both dates become now.
    ///
    /// - Parameter secret: nil for an item without data.
    /// - Throws: `.keyNotAvailable` (even where the item would be a duplicate), `.duplicate`, `.diskFull`, `.readOnly`,
    ///   `.damaged(.database)`, `.inputOutput`, `.closed`.
    /// - Precondition: a grant for adding; the attributes name an access group and a class that is stored.
    public func add(
        _ attributes: ItemAttributes, secret: SecretBytes?, with grant: consuming Grant
    ) throws(StoreError) -> StoredItem {
        precondition(grant.operation == .add, "a grant for something else")
        precondition(SearchColumn.isStored(attributes.itemClass), "no table for the class")
        let complete = attributes.completed(at: clock())
        let identifier = makeIdentifier()
        let row = try newRow(complete, secret, identifier, version: 1)
        try StoreError.translating {
            try writer.queue.writeWithoutTransaction { db in try writer.insert(row, db) }
        }
        notify(.added, [identifier], attributes.itemClass)
        return StoredItem(identifier: identifier, attributes: complete)
    }

    /// Changes all items that match, in one transaction.
    ///
    /// Each gets a new version, sealed anew under a new item key, secret included: the parts of a version are tied to
    /// its number, so that nothing of an older one opens beside it.
    ///
    /// - Parameters:
    ///   - changes: put over each item's attributes. The modification date becomes now, or a millisecond more than it was.
    ///   - secret: nil leaves the data as it is.
    ///   - judge: asked once with the facts of all matches, while nobody else can change them. It must not call the
    ///     store.
    /// - Throws: `.notFound` when nothing matches or nothing that does can be read; `.duplicate`, and nothing is changed;
    ///   otherwise as ``add(_:secret:with:)``.
    public func update(
        _ query: ItemQuery, in scope: SearchScope, changes: ItemAttributes, secret: SecretBytes?,
        judge: ([ItemFacts]) -> Decision
    ) throws(StoreError) -> ChangeOutcome {
        let now = clock()
        let outcome = try change(query, in: scope, reading: .all, .update, judge) {
            db, row throws(StoreError) -> Bool in
            guard let content = row.content else { return false }
            let old: ItemAttributes
            var oldData: Data?
            defer { oldData?.wipe() }
            do throws(SealingError) {
                old = try self.keybag.openAttributes(content.attributes ?? Data(), of: content.binding)
                oldData = try self.keybag.openData(
                    content.data ?? Data(), wrappedKey: content.wrappedKey, of: content.binding)
            } catch {
                switch error {
                case .damaged, .unsupportedVersion: return false
                case .keyNotAvailable, .wrongDeviceKey, .noKeyStorage: throw StoreError(error)
                }
            }
            let merged = old.updated(with: changes, at: now)
            guard merged.byteCount <= ItemLimits.storedAttributeBytes else {
                throw .refused(Refusal(.dataTooLarge, .none))
            }
            let (identifier, version) = (content.binding.item, content.binding.rowVersion + 1)
            do throws(Refusal) {
                try ProtectionRules.checkSynchronizing(merged)
            } catch {
                throw .refused(error)
            }
            let new: NewRow
            if secret == nil, let oldData {
                // Lent inside the closure only; the error goes around Foundation's untyped closure as a value.
                new = unsafe try oldData.withUnsafeBytes { bytes in
                    Result { () throws(StoreError) in
                        unsafe try NewRow(
                            merged, data: bytes, item: identifier, version: version, keybag: self.keybag,
                            digests: self.digests)
                    }
                }.get()
            } else {
                new = try newRow(merged, secret, identifier, version: version)
            }
            try self.writer.update(row.id, new, db)
            return true
        }
        if case .changed(let items) = outcome { notify(.updated, items, query.itemClass) }
        return outcome
    }

    /// Deletes all items that match, in one transaction. Needs no class key.
    ///
    /// - Throws: `.notFound` when nothing matches; otherwise as ``add(_:secret:with:)``.
    public func delete(
        _ query: ItemQuery, in scope: SearchScope, judge: ([ItemFacts]) -> Decision
    ) throws(StoreError) -> ChangeOutcome {
        let outcome = try change(query, in: scope, reading: [], .delete, judge) {
            db, row throws(StoreError) -> Bool in
            try self.writer.delete(row.id, db)
            return true
        }
        if case .changed(let items) = outcome { notify(.deleted, items, query.itemClass) }
        return outcome
    }

    private func newRow(
        _ attributes: ItemAttributes, _ secret: SecretBytes?, _ item: ItemIdentifier, version: UInt64
    ) throws(StoreError) -> NewRow {
        guard let secret else {
            return unsafe try NewRow(
                attributes, data: nil, item: item, version: version, keybag: keybag, digests: digests)
        }
        // The bytes are sealed inside the closure; no pointer to them is kept.
        return try unsafe secret.withUnsafeBytes { bytes throws(StoreError) in
            unsafe try NewRow(
                attributes, data: bytes, item: item, version: version, keybag: keybag, digests: digests)
        }
    }

    /// Finds, judges and changes in one transaction. `body` returns false for a row that cannot be read, which is set
    /// aside and does not count.
    private func change(
        _ query: ItemQuery, in scope: SearchScope, reading parts: ReturnedParts, _ operation: KeychainPolicy.Operation,
        _ judge: ([ItemFacts]) -> Decision, _ body: (Database, SealedRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> ChangeOutcome {
        guard let search = Search(query, in: scope, reading: parts, digest: digests) else { throw .notFound }
        var outcome: ChangeOutcome?
        try StoreError.translating {
            try writer.queue.inTransaction(.immediate) { db in
                let found = FoundItems(try search.rows(writer, db, limit: .all), search)
                guard !found.isEmpty else { return .rollback }
                switch judge(found.facts) {
                case .grant(let grant):
                    precondition(grant.operation == operation, "a grant for something else")
                case .ask(let question):
                    outcome = .ask(question)
                    return .rollback
                case .refuse(let refusal):
                    outcome = .refused(refusal)
                    return .rollback
                }
                var changed: [ItemIdentifier] = []
                for row in found.rows {
                    if try body(db, row) {
                        if let item = row.content?.binding.item { changed.append(item) }
                    } else {
                        try writer.setAside(row, db)
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
    /// What an added item has besides what the caller gave (semantics 2.4).
    fileprivate func completed(at now: Timestamp) -> ItemAttributes {
        var complete = self
        precondition(complete.accessGroup != nil, "an item without an access group")
        complete[.account] = self[.account] ?? .string("")
        complete[.service] = self[.service] ?? .string("")
        complete[.synchronizable] = self[.synchronizable] ?? .number(0)
        if self[.accessible] == nil {
            var accessibility = Accessibility.whenUnlocked
            if case .accessControl(let control) = self[.accessControl] { accessibility = control.protection }
            complete[.accessible] = .string(accessibility.code)
        }
        complete[.creationDate] = .date(now)
        complete[.modificationDate] = .date(now)
        return complete
    }

    /// Semantics 2.5.
    fileprivate func updated(with changes: ItemAttributes, at now: Timestamp) -> ItemAttributes {
        var merged = merging(changes)
        if changes[.accessible] == nil, case .accessControl(let control) = changes[.accessControl] {
            merged[.accessible] = .string(control.protection.code)
        }
        var modified = now
        if case .date(let previous) = self[.modificationDate] { modified = now.strictlyAfter(previous) }
        merged[.modificationDate] = .date(modified)
        return merged
    }
}
