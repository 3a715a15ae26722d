// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
public import KeychainPolicy
public import KeychainSealing
public import SecretMemory
import SQLiteStatements

/// The position at which reading a whole keychain continues. Only the store creates it.
public struct BackupPosition: Hashable, Sendable {
    fileprivate var table = 0
    fileprivate var row: Int64 = 0

    public static let start = BackupPosition()
}

/// An item of the keychain that may go into a backup.
public enum BackupCandidate {
    /// Its data is wiped when the closure that received the item returns.
    case item(BackupItem)
    /// The item cannot be read, or its key no longer exists.
    case unreadable(ItemClass, BackupOmission)
}

/// The result of restoring one item of a backup.
public struct RestoreResult: Hashable, Sendable {
    public let outcome: RestoreOutcome
    /// The item as it is stored now.
    public let reference: PersistentReference
    public let accessGroup: String
}

// MARK: - Files

extension ItemStore {
    /// Begins a backup.
    ///
    /// - Parameters:
    ///   - cost: the cost of guessing its passphrase.
    ///   - isApproved: whether the owner approved a portable backup.
    /// - Throws: `.noKeyStorage`.
    public func beginBackup(
        _ secret: BackupSecret<SecretBytes>, cost: ScryptCost, isApproved: Bool
    ) throws(BackupError) -> BackupWriter {
        try BackupWriter(
            secret: BackupSecret(secret.kind, secret.bytes.bytes), cost: cost,
            form: BackupRules.form(lockState, isApproved: isApproved), keybag: keybag.identifier, date: clock(),
            deviceKey: deviceKey, in: keyStorage)
    }

    /// Opens a backup.
    ///
    /// - Throws: `.otherDevice`, `.wrongSecret`, `.noKeyStorage`.
    public func openBackup(
        _ header: BackupHeader, _ secret: BackupSecret<SecretBytes>
    ) throws(BackupError) -> BackupReader {
        try BackupReader(
            header, secret: BackupSecret(secret.kind, secret.bytes.bytes), deviceKey: deviceKey, in: keyStorage)
    }

    /// Returns the facts in a backup's header, combined with the knowledge of this keychain.
    public func facts(of header: BackupHeader) -> BackupFacts {
        BackupFacts(
            backup: header.backup, date: header.date, form: header.form, secretKind: header.secretKind,
            isOfThisDevice: header.isMade(with: deviceKey), isOfThisKeychain: header.keybag == keybag.identifier)
    }
}

// MARK: - Reading all

extension ItemStore {
    /// Passes the items after a position to `body`, in portions and in the order of their rows, so that memory does not
    /// grow with the keychain. Items that are added or changed meanwhile may be included or not; each item is of one
    /// version.
    ///
    /// - Returns: the position to continue at; nil when all items were passed.
    /// - Throws: `.keyNotAvailable` if the keychain is locked; `.damaged(.database)`, `.inputOutput`, `.closed`.
    /// - Precondition: a grant for a backup.
    public func readAll(
        from position: BackupPosition, with grant: consuming Grant, _ body: (borrowing BackupCandidate) -> Void
    ) throws(StoreError) -> BackupPosition? {
        precondition(grant.operation == .backUp, "the grant is for another operation")
        var position = position
        let table = ItemTable.all[position.table]
        let itemClass = table.itemClass
        let rows = try page(of: table, itemClass, behind: position.row)
        for (row, isSetAside) in rows {
            guard !isSetAside else {
                body(.unreadable(itemClass, .unreadable))
                continue
            }
            guard row.content?.binding.access == nil else {
                body(.unreadable(itemClass, .accessControl))
                continue
            }
            do throws(StoreError) {
                guard var item = try opened(row, itemClass, [.attributes, .data]), let attributes = item.attributes
                else {
                    body(.unreadable(itemClass, .unreadable))
                    continue
                }
                defer { item.wipe() }
                body(.item(BackupItem(identifier: item.identifier, attributes: attributes, data: item.secret)))
            } catch .keyNotAvailable(.whenPasscodeSetThisDeviceOnly) {
                // The item's passcode no longer exists.
                body(.unreadable(itemClass, .passcodeClass))
            }
        }
        if let last = rows.last {
            position.row = last.row.id
            return position
        }
        position = BackupPosition(table: position.table + 1, row: 0)
        return position.table < ItemTable.all.count ? position : nil
    }

    /// The approximate number of sealed bytes held at once; exceeded only for a single item that is larger.
    private static let pageBytes: Int64 = 4 << 20
    private static let pageRows: Int64 = 256

    private func page(
        of table: ItemTable, _ itemClass: ItemClass, behind first: Int64
    ) throws(StoreError) -> [(row: SealedRow, isSetAside: Bool)] {
        try StoreError.translating {
            try reader.access { db in
                var (last, size): (Int64, Int64) = (first, 0)
                try reader.run(table.statements.sizes, [.integer(first), .integer(Self.pageRows)], db) { row in
                    size += row.integer(at: 1) ?? 0
                    if last == first || size <= Self.pageBytes, let id = row.integer(at: 0) { last = id }
                }
                var rows: [(SealedRow, Bool)] = []
                try reader.run(table.statements.page, [.integer(first), .integer(last)], db) { row in
                    let isSetAside = row.integer(at: Int32(9 + table.uniqueness.count)) != 0
                    rows.append((SealedRow(row, itemClass, table, in: nil), isSetAside))
                }
                return rows
            }
        }
    }
}

// MARK: - Restoring

extension ItemStore {
    /// Restores items of a backup into the keychain, or reports what would happen, in one transaction: all of these
    /// items, or none if it throws. The operation is idempotent.
    ///
    /// - Parameter replacesNewer: whether to replace stored items that are newer, or equally old and different.
    /// - Returns: the result for each item.
    /// - Throws: `.keyNotAvailable` if the keychain is locked; `.diskFull`, `.readOnly`, `.damaged(.database)`,
    ///   `.inputOutput`, `.closed`.
    /// - Precondition: a grant for restoring; items that ``BackupRules`` allows.
    public func restore(
        _ items: [BackupItem], replacesNewer: Bool, isDryRun: Bool, with grant: consuming Grant
    ) throws(StoreError) -> [RestoreResult] {
        precondition(grant.operation == .restore, "the grant is for another operation")
        var results: [RestoreResult] = []
        try StoreError.translating {
            try writer.inTransaction { db in
                for item in items {
                    let (outcome, identifier) = try restore(item, replacesNewer: replacesNewer, isDryRun: isDryRun, db)
                    results.append(
                        RestoreResult(
                            outcome: outcome,
                            reference: PersistentReference(itemClass: item.attributes.itemClass, item: identifier),
                            accessGroup: item.attributes.accessGroup ?? ""))
                }
                return isDryRun ? .rollback : .commit
            }
        }
        if !isDryRun { notify(results) }
        return results
    }

    private func restore(
        _ item: BackupItem, replacesNewer: Bool, isDryRun: Bool, _ db: Database
    ) throws(StoreError) -> (RestoreOutcome, ItemIdentifier) {
        let secret = item.data.map { SecretBytes(copying: $0) }
        let row = try newRow(item.attributes, secret, item.identifier, version: 1)
        let existing = try writer.sameItem(as: row, db)
        if let existing, !existing.isTombstone {
            // A constrained item is not replaced by an unconstrained one.
            if let constrained = existing.row.content?.binding, constrained.access != nil {
                return (.conflict, constrained.item)
            }
            if var stored = try opened(existing.row, item.attributes.itemClass, [.attributes, .data]),
                let attributes = stored.attributes, let content = existing.row.content
            {
                defer { stored.wipe() }
                let identifier = stored.identifier
                if stored.secret == item.data, attributes.withoutDates == item.attributes.withoutDates {
                    return (.unchanged, identifier)
                }
                guard replacesNewer || attributes.isOlder(than: item.attributes) else { return (.conflict, identifier) }
                if !isDryRun {
                    let version = content.binding.rowVersion + 1
                    let new = try newRow(item.attributes, secret, identifier, version: version)
                    try writer.update(existing.row.id, new, db)
                }
                return (.replaced, identifier)
            }
            // An unreadable item must not block a readable one (semantics 2.4).
            if !isDryRun { try writer.setAside(existing.row, in: row.table, db) }
        }
        let tombstone = existing.flatMap { $0.isTombstone ? $0 : nil }
        let owner = try writer.owner(of: item.identifier, in: row.table, db)
        let isFree = owner == nil || owner == tombstone?.row.id
        let identifier = isFree ? item.identifier : makeIdentifier()
        if !isDryRun {
            if let tombstone {
                let version = UInt64(clamping: (tombstone.row.version ?? 0)) + 1
                try writer.update(
                    tombstone.row.id, try newRow(item.attributes, secret, identifier, version: version), db)
            } else {
                let new = isFree ? row : try newRow(item.attributes, secret, identifier, version: 1)
                try writer.insert(new, db)
            }
        }
        return (isFree ? .added : .addedWithNewIdentifier, identifier)
    }

    private func notify(_ results: [RestoreResult]) {
        for result in results {
            guard let kind = result.outcome.change, case .item(let item) = result.reference.target else { continue }
            notify(kind, [item], result.reference.itemClass)
        }
    }
}

extension RestoreOutcome {
    /// The kind of change that watchers of the item's group receive.
    public var change: ItemChange.Kind? {
        switch self {
        case .added, .addedWithNewIdentifier: .added
        case .replaced: .updated
        case .verified, .unchanged, .conflict, .otherDevice, .needsPasscode, .invalid: nil
        }
    }
}

extension ItemAttributes {
    /// The attributes of an item without its dates.
    fileprivate var withoutDates: ItemAttributes {
        var rest = self
        rest[.creationDate] = nil
        rest[.modificationDate] = nil
        return rest
    }

    fileprivate func isOlder(than other: ItemAttributes) -> Bool {
        guard case .date(let own) = self[.modificationDate], case .date(let others) = other[.modificationDate] else {
            return false
        }
        return own.secondsSinceReferenceDate < others.secondsSinceReferenceDate
    }
}
