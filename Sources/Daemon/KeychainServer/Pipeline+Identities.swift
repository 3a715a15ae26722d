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
        _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller, _ effort: Effort,
        _ sendBatch: Send
    ) throws(Stop) -> Answer {
        // A reference is made of the data of both halves, as far as the data may be returned.
        let isReference = parts.contains(.reference)
        let heldKeys: HeldKeys = isReference && !parts.contains(.data) ? .apart : .refused
        let parts = isReference ? parts.union([.data, .attributes]) : parts
        let operation: Operation =
            parts.contains(.data) ? .readData : parts.contains(.attributes) ? .readAttributes : .probe
        let scope = try scope(of: caller, operation, query.accessGroup)
        let judged = parts.union(service.model.judgedParts)
        var found = try findIdentities(query, in: scope, effort.skips ? .all : limit, judged, for: caller)
        if effort.skips {
            found = found.keeping(limit: limit) { effort.suffices(for: $0, operation, by: caller) }
        }
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        let grant = try grant(operation, for: found, to: caller, effort)
        let rule = grant.rule
        let material = try material(for: found, operation, effort, by: caller)

        var reply = ReplyWriter()
        var items = AuditedItems()
        func append(_ item: borrowing OpenedItem) throws {
            items.append(item.identifier)
            if var batch = reply.append(returned(item, to: caller)) { try sendBatch(&batch) }
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
    ) throws(Stop) -> FoundIdentities {
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
        _ query: ItemQuery, _ given: ItemAttributes, hasSecret: Bool, for caller: Caller, _ effort: Effort
    ) throws(Stop) -> Answer {
        guard query.persistentReference == nil, !hasSecret else { throw .refused(Refusal(.parameter, .none)) }
        let changes = try refusing { () throws(Refusal) in try ProtectionRules.apply(to: given, isNew: false) }
        // An access object applies to the key; a certificate is public.
        guard changes[.access] == nil else { throw .refused(Refusal(.noSuchAttribute, .none)) }
        try checkAvailability(of: changes, for: caller)
        let scope = try scope(of: caller, .update, query.accessGroup)
        if let group = changes.accessGroup { _ = try self.scope(of: caller, .add, group) }
        var needed: Result<ItemKeyMaterial, Stop> = .success(.none)
        return try changing(.updated, movingTo: changes.accessGroup, by: caller, &needed) {
            judge, needed throws(StoreError) in
            try service.store.updateIdentities(
                query, in: scope, changes: changes, material: effort.material ?? .none
            ) { operation, items in
                if let refusal = AccessPolicy.refusalOfMove(of: items, to: changes.accessGroup, withNewSecret: false) {
                    return .refuse(refusal)
                }
                var judged = items
                if operation == .update, changes[.accessible] != nil {
                    let group = changes.accessGroup ?? items.first?.accessGroup
                    judged.append(ItemFacts(accessGroup: group, accessibility: changes.accessibility))
                }
                let decision = judge(caller, operation, items, judged, effort.evidence)
                guard decision.rule != nil else { return decision }
                if let missing = missingMaterial(sealing: changes, items, operation, effort, &needed) { return missing }
                return decision
            }
        }
    }

    func deleteIdentities(
        _ query: ItemQuery, for caller: Caller, _ effort: Effort
    ) throws(Stop) -> Answer {
        let scope = try scope(of: caller, .delete, query.accessGroup)
        var needed: Result<ItemKeyMaterial, Stop> = .success(.none)
        return try changing(.deleted, movingTo: nil, by: caller, &needed) { judge, _ throws(StoreError) in
            try service.store.deleteIdentities(query, in: scope) { operation, items in
                judge(caller, operation, items, items, effort.evidence)
            }
        }
    }

    /// Changes identities.
    ///
    /// - Parameter body: receives the decision on found items, and on the facts to judge.
    private func changing(
        _ kind: ItemChange.Kind, movingTo group: String?, by changer: Caller,
        _ needed: inout Result<ItemKeyMaterial, Stop>,
        _ body: (
            _ judge: (Caller, Operation, _ found: [ItemFacts], _ judged: [ItemFacts], Evidence) -> Decision,
            _ needed: inout Result<ItemKeyMaterial, Stop>
        ) throws(StoreError) -> IdentityOutcome
    ) throws(Stop) -> Answer {
        let policy = policy
        var groups: [String] = []
        var rule = GrantRule.ownGroup
        func noting(
            _ caller: Caller, _ operation: Operation, _ found: [ItemFacts], _ judged: [ItemFacts], _ evidence: Evidence
        ) -> Decision {
            groups = Self.groups(of: found)
            let decision = policy.judge(caller, operation, judged, evidence: evidence)
            if let granting = decision.rule { rule = granting }
            return decision
        }
        let outcome = try changing(&needed) { needed throws(StoreError) in try body(noting, &needed) }
        if let group, !groups.contains(group) { groups.append(group) }
        switch outcome {
        case .changed(let certificates, let keys):
            let changes =
                certificates.map { ItemChange(kind, PersistentReference(itemClass: .certificate, item: $0)) }
                + keys.map { ItemChange(kind, PersistentReference(itemClass: .key, item: $0)) }
            service.changes.publish(changes, accessGroups: groups, by: changer.processID)
            return (
                finished(), .granted(items: AuditedItems(certificates + keys), accessGroups: groups, by: rule)
            )
        case .refused(let refusal, let items): throw .refused(refusal, AuditedItems(items))
        case .ask(let request, let items): throw .ask(request, AuditedItems(items))
        case .authenticate(let demand, let items): throw .authenticate(demand, AuditedItems(items))
        }
    }
}

extension AuditedItems {
    init(of found: FoundIdentities) { self.init(found.references.lazy.compactMap(\.identifier)) }
}
