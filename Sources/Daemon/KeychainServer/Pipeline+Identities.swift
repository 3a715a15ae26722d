// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire

// Requests for identities. Each concerns the certificate and the private key, and is judged on both.
extension Pipeline {
    /// Returns an answer with two items for each identity: the certificate, followed by the key.
    func copyMatchingIdentities(
        _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        // A reference is made of the data of both halves, as far as the data may be returned.
        let isReference = parts.contains(.reference)
        let heldKeys: HeldKeys = isReference && !parts.contains(.data) ? .apart : .refused
        let parts = isReference ? parts.union([.data, .attributes]) : parts
        let operation: Operation =
            parts.contains(.data) ? .readData : parts.contains(.attributes) ? .readAttributes : .probe
        let scope = try scope(of: context.caller, operation, query.accessGroup)
        let judged = parts.union(service.model.judgedParts)
        let skips = context.attempt.skips
        var found = try findIdentities(query, in: scope, skips ? .all : limit, judged, for: context.caller)
        if skips {
            found = found.keeping(limit: limit) { context.attempt.suffices(for: $0, operation, by: context.caller) }
        }
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        let grant = try grant(operation, for: found, context)
        let rule = grant.rule
        let material = try material(for: found, operation, context)

        var reply = ReplyWriter()
        var items = AuditedItems()
        func append(_ item: borrowing OpenedItem) throws {
            items.append(item.identifier)
            let returned = returned(item, to: context.caller, asReference: isReference)
            if var batch = reply.append(returned) { try context.connection.send(&batch) }
        }
        do {
            try service.store.open(found, parts: parts, with: grant, heldKeys: heldKeys, material: material) {
                certificate, key in
                try append(certificate)
                try append(key)
            }
        } catch let error as StoreError {
            throw .refused(error.refusal, AuditedItems(of: found))
        } catch {
            throw .connectionLost
        }
        guard items.count > 0 else { throw .refused(Refusal(.itemNotFound, .none), AuditedItems(of: found)) }
        return (reply.finish(), .granted(items: items, accessGroups: Self.groups(of: found.facts), by: rule))
    }

    /// Finds identities, like `find`.
    func findIdentities(
        _ query: ItemQuery, in scope: SearchScope, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller
    ) throws(RequestInterruption) -> FoundIdentities {
        let found = try storing { () throws(StoreError) in
            try service.store.findIdentities(
                query, in: scope, limit: limit, parts: parts, allowance: takesMemory)
        }
        guard found.needsOpening, !found.isEmpty else { return found }
        let grant = try grant(policy.judge(caller, .match, found.facts))
        do throws(StoreError) {
            return try service.store.matching(found, limit: limit, with: grant)
        } catch {
            throw .refused(error.refusal)
        }
    }

    /// Changes the halves of identities. The data of an identity belongs to its halves.
    ///
    /// - Throws: `errSecParam` for a persistent reference, which names the certificate alone and would change both, and
    ///   for data.
    func updateIdentities(
        _ query: ItemQuery, _ given: ItemAttributes, hasSecret: Bool, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        guard query.persistentReference == nil, !hasSecret else { throw .refused(Refusal(.parameter, .none)) }
        let changes = try refusing { () throws(Refusal) in try ProtectionRules.apply(to: given, isNew: false) }
        // An access object applies to the key; a certificate is public.
        guard changes[.access] == nil else { throw .refused(Refusal(.noSuchAttribute, .none)) }
        try checkAvailability(of: changes, for: context.caller)
        let scope = try scope(of: context.caller, .update, query.accessGroup)
        if let group = changes.accessGroup { _ = try self.scope(of: context.caller, .add, group) }
        var judge = ChangeJudge(policy, context, changes: changes)
        let outcome = try judge.changing { judge throws(StoreError) in
            try service.store.updateIdentities(
                query, in: scope, changes: changes, material: context.attempt.material ?? .none
            ) { judge.judge($0, $1) }
        }
        return try finish(.updated, try outcome.changedItems(), judge)
    }

    func deleteIdentities(_ query: ItemQuery, for context: RequestContext) throws(RequestInterruption) -> Answer {
        let scope = try scope(of: context.caller, .delete, query.accessGroup)
        var judge = ChangeJudge(policy, context)
        let outcome = try judge.changing { judge throws(StoreError) in
            try service.store.deleteIdentities(query, in: scope) { judge.judge($0, $1) }
        }
        return try finish(.deleted, try outcome.changedItems(), judge)
    }
}

extension AuditedItems {
    init(of found: FoundIdentities) { self.init(found.references.lazy.compactMap(\.identifier)) }
}
