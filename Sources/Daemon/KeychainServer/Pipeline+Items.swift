// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// The kinds of requests. Each function judges, acts and encodes, and returns the last frame of the answer.
extension Pipeline {
    typealias Answer = (frame: [UInt8], outcome: AuditEvent.Result)

    func perform(
        _ request: borrowing Request<SecretBytes>, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        switch copy request {
        case .copyMatching(let query, let limit, let parts) where parts.contains(.availability):
            return try availability(of: query, limit, parts, for: context)
        case .copyMatching(let query, let limit, let parts):
            return try attempting(context) { context throws(RequestInterruption) in
                query.itemClass == .identity
                    ? try copyMatchingIdentities(query, limit, parts, for: context)
                    : try copyMatching(query, limit, parts, for: context)
            }
        case .add(let attributes, let secret, let parts):
            return try attempting(context) { context throws(RequestInterruption) in
                try add(attributes, secret, parts, for: context)
            }
        case .update(let query, let changes, let secret):
            return try attempting(context) { context throws(RequestInterruption) in
                query.itemClass == .identity
                    ? try updateIdentities(query, changes, hasSecret: secret != nil, for: context)
                    : try update(query, changes, secret, for: context)
            }
        case .delete(let query):
            return try attempting(context) { context throws(RequestInterruption) in
                query.itemClass == .identity
                    ? try deleteIdentities(query, for: context) : try delete(query, for: context)
            }
        case .key(.use(let work)):
            return try attempting(context) { context throws(RequestInterruption) in try use(work, for: context) }
        case .key(.generate(let attributes)):
            return try attempting(context) { context throws(RequestInterruption) in
                try generate(attributes, for: context)
            }
        case .authenticated(let authentication, let request):
            if case .copyMatching = request {
            } else if authentication.interaction == .skip {
                // Only a search can leave items out (semantics 5.4).
                throw .refused(Refusal(.parameter, .none))
            }
            var context = context
            context.authentication = authentication
            return try perform(request, for: context)
        case .inKeychain(let path, let request): return try perform(request, inKeychain: path, for: context)
        case .keychainFile(let request): return try carryOut(request, for: context)
        case .authentication(let request): return try authenticate(request, for: context)
        case .administer(let request): return try administer(request, for: context)
        case .backup(let request): return try backUp(request, for: context)
        case .restore(let request): return try restore(request, for: context)
        case .grants(let request): return try answer(request, for: context.caller)
        case .log(let request): return try answer(request, for: context.caller)
        case .status: return (try status(for: context.caller), .served)
        case .identity(let subject):
            return (try identity(of: subject, for: context.caller, look: context.connection.look), .served)
        case .requireEntitlements: return (finished(), .served)
        case .watch:
            _ = try scope(of: context.caller, .probe, nil)
            return (finished(), .served)
        case .watchKeychains:
            _ = try refusing { () throws(Refusal) in try FileKeychainPolicy.scope(of: context.caller) }
            return (finished(), .served)
        case .explainSearch(let query):
            let explanation = try explanation(of: query, for: context.caller)
            let groups = try scope(of: context.caller, .probe, query.accessGroup).accessGroups
            return (
                explanation.frame,
                .granted(
                    items: .init(unnamed: explanation.matchCount ?? 0), accessGroups: groups,
                    by: context.caller.probingRule)
            )
        case .explainAddition(let attributes):
            let explanation = try explanation(ofAdding: attributes, for: context.caller)
            let groups = try scope(of: context.caller, .add, attributes.accessGroup).accessGroups
            let existing = AuditedItems([explanation.existing].compactMap { $0?.identifier })
            return (explanation.frame, .granted(items: existing, accessGroups: groups, by: .ownGroup))
        case .agent:
            // The connection of the agent is an `AgentSession`, and never gets here.
            throw .refused(Refusal(.missingEntitlement, .agentOnly))
        case .behalf:
            // The first request of a bridge is answered before the pipeline.
            throw .refused(Refusal(.missingEntitlement, .bridgesOnly))
        }
    }

    private func add(
        _ given: ItemAttributes, _ secret: SecretBytes?, _ parts: ReturnedParts, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let caller = context.caller
        var attributes = try refusing { () throws(Refusal) in
            try HeldKeyRules.checkAddition(given)
            let attributes = try ProtectionRules.apply(to: given, isNew: true)
            try service.model.checkAccess(in: attributes)
            return attributes
        }
        try checkAvailability(of: attributes, for: caller)
        guard case .groups(let groups) = try scope(of: caller, .add, attributes.accessGroup) else {
            throw .refused(Refusal(.internalError, .none))
        }
        attributes[.accessGroup] = .string(groups[0])
        // The public half of a held key is returned instead.
        let heldKey = try heldKey(&attributes, secret, parts)
        let grant = try grantAddition(of: attributes, for: context)
        let material = try context.attempt.material(sealing: attributes)
        let (stored, reference) = try store(
            attributes, secret, in: groups[0], with: grant, material: material, for: caller)

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
        material: ItemKeyMaterial, for caller: Caller
    ) throws(RequestInterruption) -> (item: StoredItem, reference: PersistentReference) {
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
        _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        // A reference to a key is made of its data, as far as the data may be returned.
        let refersToKeys = query.itemClass == .key && parts.contains(.reference)
        let heldKeys: HeldKeys = refersToKeys && !parts.contains(.data) ? .apart : .refused
        let isPublic = isOfPublicData(query, parts, for: context.caller)
        let parts = refersToKeys ? parts.union([.data, .attributes]) : parts
        let operation: Operation =
            if isPublic {
                .readPublic
            } else if parts.contains(.data) {
                .readData
            } else { parts.contains(.attributes) ? .readAttributes : .probe }
        let scope = try scope(of: context.caller, operation, query.accessGroup)
        let judged = parts.union(service.model.judgedParts)
        let skips = context.attempt.skips
        var found = try find(query, in: scope, skips || isPublic ? .all : limit, judged, for: context.caller)
        if isPublic {
            found = found.keeping(limit: limit, \.hasPublicData)
        } else if skips {
            found = found.keeping(limit: limit) { context.attempt.suffices(for: $0, operation, by: context.caller) }
        }
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        let grant = try grant(operation, forIntact: &found, for: context)
        let rule = grant.rule
        let material = try material(for: found, operation, context)

        var reply = ReplyWriter()
        var items = AuditedItems()
        do {
            try service.store.open(
                found, parts: parts, with: grant, heldKeys: heldKeys, material: material,
                setsAside: service.model.setsUnreadableItemsAside
            ) { item in
                items.append(item.identifier)
                let returned =
                    isPublic && refersToKeys
                    ? publicPart(of: item, to: context.caller)
                    : returned(item, to: context.caller, asReference: refersToKeys)
                if var batch = reply.append(returned) { try context.connection.send(&batch) }
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

    /// Returns whether a search reads only the public part of the items' data: certificates, and of keys the references
    /// without the data. A client of a bridge gets these of all programs, as it gets attributes.
    private func isOfPublicData(_ query: ItemQuery, _ parts: ReturnedParts, for caller: Caller) -> Bool {
        guard caller.bridge != nil, service.model == .accessGroups else { return false }
        return switch query.itemClass {
        case .certificate: parts.contains(.data)
        case .key: parts.contains(.reference) && !parts.contains(.data)
        case .genericPassword, .internetPassword, .identity: false
        }
    }

    /// Returns the matching items. If digests cannot decide, the caller must be allowed to read attributes.
    func find(
        _ query: ItemQuery, in scope: SearchScope, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller
    ) throws(RequestInterruption) -> FoundItems {
        let found: FoundItems
        if query.containedText == nil {
            found = try storing { () throws(StoreError) in
                try service.store.find(query, in: scope, limit: limit, parts: parts, allowance: takesMemory)
            }
        } else {
            let matching = try grant(policy.judge(caller, .match, []))
            do throws(StoreError) {
                found = try service.store.findCandidates(
                    query, in: scope, limit: limit, parts: parts, allowance: takesMemory, with: matching)
            } catch {
                throw .refused(error.refusal)
            }
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
        _ query: ItemQuery, _ given: ItemAttributes, _ secret: SecretBytes?, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let caller = context.caller
        let (changes, access) = try refusing { () throws(Refusal) in
            let changes = try ProtectionRules.apply(to: given, isNew: false)
            try service.model.checkAccess(in: changes)
            return (changes, try FileKeychainPolicy.access(in: changes))
        }
        try checkAvailability(of: changes, for: caller)
        let scope = try scope(of: caller, .update, query.accessGroup)
        if let group = changes.accessGroup {
            try refusing { () throws(Refusal) in
                try AccessPolicy.checkMove(by: caller, from: query.accessGroup, to: group)
            }
        }
        var judge = ChangeJudge(policy, context, changes: changes, hasNewSecret: secret != nil)
        let outcome = try judge.changing { judge throws(StoreError) in
            var interruption: RequestInterruption?
            defer { if let interruption { judge.interruption = interruption } }
            let policy = judge.policy
            return try service.store.update(
                query, in: scope, changes: changes, secret: secret, material: context.attempt.material ?? .none,
                access: access.map { given in
                    { found in
                        do throws(RequestInterruption) {
                            return try accessChange(to: given, of: found, by: policy, for: context)
                        } catch {
                            interruption = error
                            return nil
                        }
                    }
                }
            ) { judge.judge($0, $1) }
        }
        let concernsAccessAlone = secret == nil && changes[.access] != nil && changes.entries.count == 1
        return try finish(
            .updated, try outcome.changedItems(query.itemClass), judge, concernsAccessAlone: concernsAccessAlone)
    }

    private func delete(_ query: ItemQuery, for context: RequestContext) throws(RequestInterruption) -> Answer {
        let scope = try scope(of: context.caller, .delete, query.accessGroup)
        var judge = ChangeJudge(policy, context)
        let outcome = try judge.changing { judge throws(StoreError) in
            try service.store.delete(query, in: scope) { judge.judge($0, $1) }
        }
        return try finish(.deleted, try outcome.changedItems(query.itemClass), judge)
    }

    /// Reports a change to the watchers, and returns its answer.
    func finish(
        _ kind: ItemChange.Kind, _ items: [PersistentReference], _ judge: ChangeJudge,
        concernsAccessAlone: Bool = false
    ) throws(RequestInterruption) -> Answer {
        var groups = judge.groups
        // A watcher of the group to which an item moved sees the change as well.
        if let group = judge.changes?.accessGroup, !groups.contains(group) { groups.append(group) }
        service.changes.publish(
            items.map { ItemChange(kind, $0) }, accessGroups: groups, by: judge.context.caller.processID,
            ofAccessAlone: concernsAccessAlone)
        let audited = AuditedItems(items.lazy.compactMap(\.identifier))
        return (finished(), .granted(items: audited, accessGroups: groups, by: judge.rule))
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

extension ItemFacts {
    /// Whether the item can be opened for its public data: no password and no enrolment of fingers is a part of its key,
    /// and of a certificate no constraint is.
    fileprivate var hasPublicData: Bool {
        reference?.itemClass == .certificate ? constraints.isEmpty : constraints.isDisjoint(with: .material)
    }
}

extension Caller {
    /// The rule by which the caller may learn why it does not find an item.
    fileprivate var probingRule: GrantRule { findsAllItems ? listingRule : .ownGroup }
}

extension AuditedItems {
    init(of found: FoundItems) { self.init(found.references.lazy.compactMap(\.identifier)) }
}

extension PersistentReference {
    var identifier: ItemIdentifier? {
        if case .item(let item) = target { item } else { nil }
    }
}
