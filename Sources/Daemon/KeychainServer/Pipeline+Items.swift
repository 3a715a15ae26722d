// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// The kinds of requests. Each function judges, acts and encodes, and returns the last frame of the answer.
extension Pipeline {
    typealias Answer = (frame: [UInt8], outcome: AuditEvent.Outcome)

    func perform(
        _ request: borrowing Request<SecretBytes>, _ authentication: RequestAuthentication<SecretBytes>? = nil,
        for caller: Caller, on connection: ConnectionFacts, sendBatch: Send
    ) throws(Stop) -> Answer {
        // The most frequent request, which usually requires no prompt.
        if case .copyMatching(let query, let limit, let parts) = copy request, authentication == nil,
            query.itemClass != .identity
        {
            do throws(Stop) {
                return try copyMatching(query, limit, parts, for: caller, .plain, sendBatch)
            } catch {
                guard error.asks else { throw error }
            }
        }
        let asking = Asking(authentication: authentication, place: connection.place, time: connection.asking)
        switch copy request {
        case .authenticated(let authentication, let request):
            if case .copyMatching = request {
            } else if authentication.interaction == .skip {
                // Only a search can leave items out (semantics 5.4).
                throw .refused(Refusal(.parameter, .none))
            }
            return try perform(request, authentication, for: caller, on: connection, sendBatch: sendBatch)
        case .authentication(let request):
            return try authenticate(request, asking, for: caller)
        case .add(let attributes, let secret, let parts):
            return try answering(asking, for: caller, send: sendBatch) { effort throws(Stop) in
                try add(attributes, secret, parts, for: caller, effort)
            }
        case .copyMatching(let query, let limit, let parts):
            return try answering(asking, for: caller, send: sendBatch) { effort throws(Stop) in
                query.itemClass == .identity
                    ? try copyMatchingIdentities(query, limit, parts, for: caller, effort, sendBatch)
                    : try copyMatching(query, limit, parts, for: caller, effort, sendBatch)
            }
        case .update(let query, let changes, let secret):
            return try answering(asking, for: caller, send: sendBatch) { effort throws(Stop) in
                query.itemClass == .identity
                    ? try updateIdentities(query, changes, hasSecret: secret != nil, for: caller, effort)
                    : try update(query, changes, secret, for: caller, effort)
            }
        case .delete(let query):
            return try answering(asking, for: caller, send: sendBatch) { effort throws(Stop) in
                query.itemClass == .identity
                    ? try deleteIdentities(query, for: caller, effort)
                    : try delete(query, for: caller, effort)
            }
        case .status:
            return (try status(for: caller), .served)
        case .watch:
            _ = try scope(of: caller, .probe, nil)
            return (finished(), .served)
        case .watchKeychains:
            _ = try refusing { () throws(Refusal) in try FileKeychainPolicy.scope(of: caller) }
            return (finished(), .served)
        case .backup(let request):
            return try backUp(request, for: caller, on: connection)
        case .restore(let request):
            return try restore(request, for: caller, on: connection)
        case .explainSearch(let query):
            let explanation = try explanation(of: query, for: caller)
            let groups = query.accessGroup.map { [$0] } ?? caller.accessGroups
            return (
                explanation.frame,
                .granted(
                    items: .init(unnamed: explanation.matchCount ?? 0), accessGroups: groups, by: caller.probingRule)
            )
        case .explainAddition(let attributes):
            let explanation = try explanation(ofAdding: attributes, for: caller)
            let groups = [attributes.accessGroup ?? caller.accessGroups[0]]
            let existing = AuditedItems([explanation.existing].compactMap { $0?.identifier })
            return (explanation.frame, .granted(items: existing, accessGroups: groups, by: .ownGroup))
        case .administer(let request):
            return try administer(request, for: caller, on: connection)
        case .identity(let subject):
            return (try identity(of: subject, for: caller, look: connection.look), .served)
        case .grants(let request):
            return try answer(request, for: caller)
        case .requireEntitlements:
            return (finished(), .served)
        case .agent:
            // The connection of the agent is an `AgentSession`, and never gets here.
            throw .refused(Refusal(.missingEntitlement, .agentOnly))
        case .log(let request):
            return try answer(request, for: caller)
        case .keychainFile(let request):
            return try carryOut(request, asking, for: caller)
        case .inKeychain(let path, let request):
            return try perform(
                request, inKeychain: path, authentication, for: caller, on: connection, sendBatch: sendBatch)
        case .key(.use(let work)):
            return try answering(asking, for: caller, send: sendBatch) { effort throws(Stop) in
                try use(work, for: caller, effort)
            }
        case .key(.generate(let attributes)):
            return try answering(asking, for: caller, send: sendBatch) { effort throws(Stop) in
                try generate(attributes, for: caller, effort)
            }
        }
    }

    private func add(
        _ given: ItemAttributes, _ secret: SecretBytes?, _ parts: ReturnedParts, for caller: Caller, _ effort: Effort
    ) throws(Stop) -> Answer {
        var attributes = try refusing { () throws(Refusal) in
            try HeldKeyRules.checkAddition(given)
            return try ProtectionRules.apply(to: given, isNew: true)
        }
        try refusing { () throws(Refusal) in try service.model.checkAccess(in: attributes) }
        try checkAvailability(of: attributes, for: caller)
        guard case .groups(let groups) = try scope(of: caller, .add, attributes.accessGroup) else {
            throw .refused(Refusal(.internalError, .none))
        }
        attributes[.accessGroup] = .string(groups[0])
        // The public half of a held key is returned instead.
        let heldKey = try heldKey(&attributes, secret, parts)
        let grant = try grantAddition(of: attributes, for: caller, effort)
        let material = try material(sealing: attributes, effort)
        let (stored, reference) = try store(attributes, secret, in: groups[0], with: grant, material, for: caller)

        var reply = ReplyWriter()
        let returned = parts.contains(.attributes) ? service.model.shown(stored.attributes, to: caller) : nil
        if let heldKey {
            let publicHalf = parts.contains(.reference) ? Self.publicHalf(of: heldKey) : nil
            _ = reply.append(ReturnedItem(reference: reference, attributes: returned, secret: publicHalf))
        } else {
            let givesData = parts.contains(.data) || attributes.itemClass == .key && parts.contains(.reference)
            let bytes = givesData ? secret?.bytes : nil
            _ = reply.append(ReturnedItem(reference: reference, attributes: returned, secret: bytes))
        }
        return (
            reply.finish(), .granted(items: AuditedItems([stored.identifier]), accessGroups: groups, by: .ownGroup)
        )
    }

    /// Stores a new item and reports it to the watchers.
    func store(
        _ attributes: ItemAttributes, _ secret: SecretBytes?, in group: String, with grant: consuming Grant,
        _ material: ItemKeyMaterial, for caller: Caller
    ) throws(Stop) -> (item: StoredItem, reference: PersistentReference) {
        let stored: StoredItem
        do throws(StoreError) {
            stored = try service.store.add(
                attributes, secret: secret, with: grant, material: material, keepsDates: service.model.keepsDates)
        } catch {
            throw .refused(error.refusal)
        }
        let reference = PersistentReference(itemClass: attributes.itemClass, item: stored.identifier)
        service.changes.publish([ItemChange(.added, reference)], accessGroups: [group], by: caller.processID)
        return (stored, reference)
    }

    private func copyMatching(
        _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller, _ effort: Effort,
        _ sendBatch: Send
    ) throws(Stop) -> Answer {
        // A reference to a key is made of its data, as far as the data may be returned.
        let refersToKeys = query.itemClass == .key && parts.contains(.reference)
        let heldKeys: HeldKeys = refersToKeys && !parts.contains(.data) ? .apart : .refused
        let parts = refersToKeys ? parts.union([.data, .attributes]) : parts
        let operation: Operation =
            parts.contains(.data) ? .readData : parts.contains(.attributes) ? .readAttributes : .probe
        let scope = try scope(of: caller, operation, query.accessGroup)
        let judged = parts.union(service.model.judgedParts)
        var found = try find(query, in: scope, effort.skips ? .all : limit, judged, for: caller)
        if effort.skips {
            found = found.keeping(limit: limit) { effort.suffices(for: $0, operation, by: caller) }
        }
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        let grant = try grant(operation, forIntact: &found, to: caller, effort)
        let rule = grant.rule
        let material = try material(for: found, operation, effort, by: caller)

        var reply = ReplyWriter()
        var items = AuditedItems()
        do {
            try service.store.open(
                found, parts: parts, with: grant, heldKeys: heldKeys, material: material,
                setsAside: service.model.setsUnreadableItemsAside
            ) { item in
                items.append(item.identifier)
                if var batch = reply.append(returned(item, to: caller)) { try sendBatch(&batch) }
            }
        } catch let error as StoreError {
            throw .refused(error.refusal, AuditedItems(of: found))
        } catch {
            throw .connectionLost
        }
        // None of the found items could be opened.
        guard items.count > 0 else {
            let isChanged = !service.model.setsUnreadableItemsAside && parts.contains(.data)
            throw .refused(isChanged ? Self.changedItem : Refusal(.itemNotFound, .none), AuditedItems(of: found))
        }
        return (reply.finish(), .granted(items: items, accessGroups: Self.groups(of: found.facts), by: rule))
    }

    /// Returns the matching items. If digests cannot decide, the caller must be allowed to read attributes.
    func find(
        _ query: ItemQuery, in scope: SearchScope, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller
    ) throws(Stop) -> FoundItems {
        let found = try storing { () throws(StoreError) in
            try service.store.find(query, in: scope, limit: limit, parts: parts, allowance: takesMemory)
        }
        guard found.needsOpening, !found.isEmpty else { return found }
        // It is not known yet which of these match, so they are not the items of the request.
        let grant = try grant(policy.judge(caller, .match, found.facts))
        do throws(StoreError) {
            return try service.store.matching(found, limit: limit, with: grant)
        } catch {
            throw .refused(error.refusal)
        }
    }

    private func update(
        _ query: ItemQuery, _ given: ItemAttributes, _ secret: SecretBytes?, for caller: Caller, _ effort: Effort
    ) throws(Stop) -> Answer {
        let changes = try refusing { () throws(Refusal) in try ProtectionRules.apply(to: given, isNew: false) }
        let givenAccess = try refusing { () throws(Refusal) in
            try service.model.checkAccess(in: changes)
            return try FileKeychainPolicy.access(in: changes)
        }
        let policy = policy
        var stop: Stop?
        func access(_ given: AccessObject, _ found: [GuardedItem]) -> AccessObject? {
            do throws(Stop) {
                return try accessChange(to: given, of: found, for: caller, by: policy, effort)
            } catch {
                stop = error
                return nil
            }
        }
        try checkAvailability(of: changes, for: caller)
        let scope = try scope(of: caller, .update, query.accessGroup)
        if let group = changes.accessGroup {
            try refusing { () throws(Refusal) in
                try AccessPolicy.checkMove(by: caller, from: query.accessGroup, to: group)
            }
        }
        var groups: [String] = []
        var rule = GrantRule.ownGroup
        var needed: Result<ItemKeyMaterial, Stop> = .success(.none)
        let outcome = try changing(&needed) { needed throws(StoreError) in
            try service.store.update(
                query, in: scope, changes: changes, secret: secret, material: effort.material ?? .none,
                access: givenAccess.map { given in { found in access(given, found) } }
            ) { operation, items in
                groups = Self.groups(of: items)
                if let refusal = AccessPolicy.refusalOfMove(
                    of: items, to: changes.accessGroup, withNewSecret: secret != nil)
                {
                    return .refuse(refusal)
                }
                var judged = items
                if operation == .update, changes[.accessible] != nil {
                    let group = changes.accessGroup ?? items.first?.accessGroup
                    judged.append(ItemFacts(accessGroup: group, accessibility: changes.accessibility))
                }
                let decision = policy.judge(caller, operation, judged, evidence: effort.evidence)
                guard let granting = decision.rule else { return decision }
                rule = granting
                if let missing = missingMaterial(sealing: changes, items, operation, effort, &needed) { return missing }
                return decision
            }
        }
        if let stop { throw stop }
        // A watcher of the group to which an item moved sees the change as well.
        if let group = changes.accessGroup, !groups.contains(group) { groups.append(group) }
        let concernsAccessAlone = secret == nil && changes[.access] != nil && changes.entries.count == 1
        return try finish(
            outcome, .updated, query.itemClass, groups, by: rule, for: caller, concernsAccessAlone: concernsAccessAlone)
    }

    private func delete(
        _ query: ItemQuery, for caller: Caller, _ effort: Effort
    ) throws(Stop) -> Answer {
        let scope = try scope(of: caller, .delete, query.accessGroup)
        let policy = policy
        var groups: [String] = []
        var rule = GrantRule.ownGroup
        let outcome = try storing { () throws(StoreError) in
            try service.store.delete(query, in: scope) { operation, items in
                groups = Self.groups(of: items)
                let decision = policy.judge(caller, operation, items, evidence: effort.evidence)
                if let granting = decision.rule { rule = granting }
                return decision
            }
        }
        return try finish(outcome, .deleted, query.itemClass, groups, by: rule, for: caller)
    }

    private func finish(
        _ outcome: ChangeOutcome, _ kind: ItemChange.Kind, _ itemClass: ItemClass, _ groups: [String],
        by rule: GrantRule, for caller: Caller, concernsAccessAlone: Bool = false
    ) throws(Stop) -> Answer {
        switch outcome {
        case .changed(let identifiers):
            let changes = identifiers.map { ItemChange(kind, PersistentReference(itemClass: itemClass, item: $0)) }
            service.changes.publish(
                changes, accessGroups: groups, by: caller.processID, ofAccessAlone: concernsAccessAlone)
            return (finished(), .granted(items: AuditedItems(identifiers), accessGroups: groups, by: rule))
        case .refused(let refusal, let items):
            throw .refused(refusal, AuditedItems(items))
        case .ask(let request, let items):
            throw .ask(request, AuditedItems(items))
        case .authenticate(let demand, let items):
            throw .authenticate(demand, AuditedItems(items))
        }
    }

    /// Returns the access groups of items, without duplicates. The group of other programs' items is not known.
    static func groups(of items: [ItemFacts]) -> [String] {
        var groups: [String] = []
        for item in items {
            if let group = item.accessGroup, !groups.contains(group) { groups.append(group) }
        }
        return groups
    }

    func finished() -> [UInt8] {
        var reply = ReplyWriter()
        return reply.finish()
    }
}

extension Caller {
    /// The rule by which the caller may learn why it does not find an item.
    fileprivate var probingRule: GrantRule { isAdministrationTool ? .administration : .ownGroup }
}

extension AuditedItems {
    init(of found: FoundItems) { self.init(found.references.lazy.compactMap(\.identifier)) }
}

extension PersistentReference {
    var identifier: ItemIdentifier? {
        if case .item(let item) = target { item } else { nil }
    }
}
