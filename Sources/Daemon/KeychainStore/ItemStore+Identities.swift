// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPolicy
public import KeychainSealing
import SQLiteStatements

// Identities: pairs of a certificate and a private key. The pairs themselves are not stored.
extension ItemStore {
    /// Finds identities by the digests of their halves' attributes. Uses one access to the database; nothing is
    /// decrypted.
    ///
    /// - Parameters: as for ``find(_:in:limit:parts:allowance:)``, of the class of identities.
    /// - Throws: as ``find(_:in:limit:parts:allowance:)``.
    public func findIdentities(
        _ query: ItemQuery, in scope: SearchScope, limit: MatchLimit, parts: ReturnedParts = .all,
        allowance: (Int) -> Bool = { _ in true }
    ) throws(StoreError) -> FoundIdentities {
        guard let search = IdentitySearch(query, in: scope, reading: parts, digest: digests) else {
            return .none
        }
        let pairs = try StoreError.translating {
            let limit = search.needsOpening ? .all : limit
            let reader = limit.count == nil ? try scanningReader() : reader
            return try reader.access { db in try search.pairs(reader, db, limit: limit, allowance) }
        }
        return FoundIdentities(pairs, search)
    }

    /// Returns matches like ``matching(_:limit:with:)``; each half is matched by itself.
    public func matching(
        _ found: FoundIdentities, limit: MatchLimit, with grant: consuming Grant
    ) throws(StoreError) -> FoundIdentities {
        precondition(grant.operation.allows(.attributes), "the grant is for another operation")
        let (matching, damaged) = try sort(found)
        for row in damaged.certificates { setAside(row, .certificate) }
        for row in damaged.keys { setAside(row, .key) }
        return limit.count.map { matching.prefix($0) } ?? matching
    }

    /// Sorts identities into matches and unreadable ones. Changes nothing, so that it may be called inside a
    /// transaction.
    private func sort(
        _ found: FoundIdentities
    ) throws(StoreError) -> (matching: FoundIdentities, damaged: (certificates: [SealedRow], keys: [SealedRow])) {
        let certificates = try sort(found.certificates, limit: .all)
        let keys = try sort(found.keys, limit: .all)
        let matching = found.keeping(
            certificates: Set(certificates.matching.rows.map(\.id)), keys: Set(keys.matching.rows.map(\.id)))
        return (matching, (certificates.damaged, keys.damaged))
    }

    /// Opens the halves of found identities, as far as `parts` requires, and passes one identity after the other to
    /// `body`.
    ///
    /// A half that cannot be authenticated is set aside and skipped, and with it the identity. The data of both halves
    /// is wiped when `body` returns.
    ///
    /// - Parameters:
    ///   - heldKeys: the handling of held keys.
    ///   - material: the key material for halves with constraints.
    /// - Returns: the number of identities that were passed to `body`.
    /// - Throws, precondition: as ``open(_:parts:with:heldKeys:material:setsAside:_:)``.
    @discardableResult
    public func open(
        _ found: FoundIdentities, parts: ReturnedParts, with grant: consuming Grant, heldKeys: HeldKeys = .refused,
        material: ItemKeyMaterial = .none,
        _ body: (_ certificate: borrowing OpenedItem, _ key: borrowing OpenedItem) throws -> Void
    ) throws -> Int {
        precondition(grant.operation.allows(parts), "the grant is for another operation")
        for half in [found.certificates, found.keys] {
            precondition(half.hasAttributes || !parts.contains(.attributes), "the search left the attributes out")
            precondition(half.hasData || !parts.contains(.data), "the search left the data out")
        }
        precondition(
            found.keys.hasAttributes || !parts.contains(.data), "whether a key is held is written in its attributes")
        if heldKeys == .refused, parts.contains(.data) { try refuseHeldKeys(found.keys) }
        var count = 0
        for (certificateRow, keyRow) in found.pairs {
            guard var certificate = try opened(certificateRow, .certificate, parts, material: material) else {
                setAside(certificateRow, .certificate)
                continue
            }
            defer { certificate.wipe() }
            guard var key = try opened(keyRow, .key, parts, material: material) else {
                setAside(keyRow, .key)
                continue
            }
            defer { key.wipe() }
            try body(certificate, key)
            count += 1
        }
        return count
    }

    /// Changes the certificates and then the keys of all identities that match, in one transaction.
    ///
    /// - Parameters, errors: as for ``update(_:in:changes:secret:material:access:judge:)``.
    public func updateIdentities(
        _ query: ItemQuery, in scope: SearchScope, changes: ItemAttributes, material: ItemKeyMaterial = .none,
        judge: (KeychainPolicy.Operation, [ItemFacts]) -> Decision
    ) throws(StoreError) -> IdentityChangeResult {
        let now = clock()
        let outcome = try change(query, in: scope, reading: .all, .update, judge) {
            db, row, table throws(StoreError) in
            try replace(row, in: table, changes: changes, secret: nil, material: material, at: now, db)
        }
        notify(.updated, outcome)
        return outcome
    }

    /// Deletes the certificates of all identities that match, in one transaction. Also deletes the private key of each,
    /// unless another certificate in the scope belongs to the same key (semantics 2.6).
    ///
    /// - Throws: as ``delete(_:in:judge:)``.
    public func deleteIdentities(
        _ query: ItemQuery, in scope: SearchScope, judge: (KeychainPolicy.Operation, [ItemFacts]) -> Decision
    ) throws(StoreError) -> IdentityChangeResult {
        let now = clock()
        let parts: ReturnedParts = query.synchronizable == .localOnly ? [] : .attributes
        let outcome = try change(query, in: scope, reading: parts, .delete, judge) {
            db, row, table throws(StoreError) in
            try remove(row, in: table, at: now, db)
            return true
        }
        notify(.deleted, outcome)
        return outcome
    }

    private func notify(_ kind: ItemChange.Kind, _ outcome: IdentityChangeResult) {
        guard case .changed(let certificates, let keys) = outcome else { return }
        if !certificates.isEmpty { notify(kind, certificates, .certificate) }
        if !keys.isEmpty { notify(kind, keys, .key) }
    }

    /// Finds identities, gets the decision and changes them in one transaction, like the function for stored classes.
    private func change(
        _ query: ItemQuery, in scope: SearchScope, reading parts: ReturnedParts, _ operation: KeychainPolicy.Operation,
        _ judge: (KeychainPolicy.Operation, [ItemFacts]) -> Decision,
        _ body: (Database, SealedRow, ItemTable) throws(StoreError) -> Bool
    ) throws(StoreError) -> IdentityChangeResult {
        guard let search = IdentitySearch(query, in: scope, reading: parts, digest: digests) else { throw .notFound }
        var outcome: IdentityChangeResult?
        try StoreError.translating {
            try writer.changing { db in
                var found = FoundIdentities(try search.pairs(writer, db, limit: .all), search)
                var isChanged = false
                let wanted = operation
                func setAside(_ row: SealedRow, in table: ItemTable) throws(StoreError) {
                    try writer.setAside(row, in: table, db)
                    isChanged = true
                }
                /// Returns whether the operation is granted; otherwise `outcome` has the reason and the items.
                func isGranted(_ operation: KeychainPolicy.Operation) -> Bool {
                    let items = operation == wanted ? found.identifiers : []
                    switch judge(operation, found.facts) {
                    case .grant(let grant):
                        precondition(grant.operation == operation, "the grant is for another operation")
                        return true
                    case .ask(let question): outcome = .ask(question, items)
                    case .authenticate(let demand): outcome = .authenticate(demand, items)
                    case .refuse(let refusal): outcome = .refused(refusal, items)
                    }
                    return false
                }
                if found.needsOpening, !found.isEmpty {
                    guard isGranted(.match) else { return .rollback }
                    let sorted = try sort(found)
                    for row in sorted.damaged.certificates { try setAside(row, in: search.certificates.table) }
                    for row in sorted.damaged.keys { try setAside(row, in: search.keys.table) }
                    found = sorted.matching
                }
                let certificates = found.certificateRows
                var keys = found.keyRows
                if operation == .delete {
                    keys = try keys.filter { try !isUsed($0, besides: certificates, search, db) }
                    found = found.keeping(keyFacts: Set(keys.map(\.id)))
                }
                guard !found.isEmpty else { return isChanged ? .commit : .rollback }
                guard isGranted(operation) else { return .rollback }
                var changed: [ItemClass: [ItemIdentifier]] = [:]
                for (rows, table) in [(certificates, search.certificates.table), (keys, search.keys.table)] {
                    for row in rows {
                        if try body(db, row, table) {
                            if let item = row.content?.binding.item {
                                changed[table.itemClass, default: []].append(item)
                            }
                        } else {
                            try setAside(row, in: table)
                        }
                    }
                }
                if !changed.isEmpty {
                    outcome = .changed(certificates: changed[.certificate] ?? [], keys: changed[.key] ?? [])
                }
                return .commit
            }
        }
        guard let outcome else { throw .notFound }
        return outcome
    }

    /// Returns whether a certificate in the scope, other than those given, belongs to this key.
    private func isUsed(
        _ key: SealedRow, besides certificates: [SealedRow], _ search: IdentitySearch, _ db: Database
    ) throws -> Bool {
        // A joined row has the label by which it was joined.
        guard let binding = key.content?.binding, let label = binding.uniqueness.first ?? nil else { return false }
        let gone = Set(certificates.map(\.id))
        var groups = search.certificates.groups.map(\.digest)
        if search.certificates.includesOthers { groups += try search.certificates.otherGroups(writer, db) }
        var isUsed = false
        for group in groups where !isUsed {
            let arguments: [SQLiteValue] = [
                .number(group.value), .number(label.value), .integer(binding.isSynchronizable ? 1 : 0),
            ]
            try writer.run(.certificatesOfKey, arguments, db) { row in
                if let id = row.integer(at: 0), !gone.contains(id) { isUsed = true }
            }
        }
        return isUsed
    }
}
