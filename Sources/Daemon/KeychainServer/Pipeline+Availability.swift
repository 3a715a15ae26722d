// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire

// Searches that tell which items the caller can read now. They never prompt: what they would prompt for is the answer.
extension Pipeline {
    /// Finds items, and tells for each whether reading its data now would require an approval, an authentication or an
    /// unlocked keychain.
    ///
    /// Each caller may request this. It learns no more than by an attempt to read each item without a prompt.
    ///
    /// - Throws: `errSecParam` with data, with references to keys, which contain data, and for identities, whose data
    ///   belongs to two items.
    func availability(
        of query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let refersToKeys = query.itemClass == .key && parts.contains(.reference)
        guard !parts.contains(.data), !refersToKeys, query.itemClass != .identity else {
            throw .refused(Refusal(.parameter, .none))
        }
        let givesAttributes = parts.contains(.attributes)
        let operation: Operation = givesAttributes ? .readAttributes : .availability
        let scope = try scope(of: context.caller, operation, query.accessGroup)
        var found = try findWithAvailability(query, in: scope, limit, parts, for: context.caller)
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        let grant = try grant(operation, forIntact: &found, for: context)
        let rule = grant.rule
        let unavailable = try itemsNeedingApproval(found, for: context)

        var reply = ReplyWriter()
        var items = AuditedItems()
        func append(_ reference: PersistentReference, _ attributes: ItemAttributes?) throws(ConnectionLostError) {
            if let item = reference.identifier { items.append(item) }
            let returned = ReturnedItem<[UInt8]>(
                reference: reference, attributes: attributes.map { service.model.shown($0, to: context.caller) },
                secret: nil, needsApproval: unavailable.contains(reference))
            if var batch = reply.append(returned) { try context.connection.send(&batch) }
        }
        do {
            if givesAttributes {
                let material = try material(for: found, operation, context)
                try service.store.open(
                    found, parts: .attributes, with: grant, material: material,
                    setsAside: service.model.setsUnreadableItemsAside
                ) { item in
                    let reference = PersistentReference(itemClass: item.itemClass, item: item.identifier)
                    try append(reference, item.attributes)
                }
            } else {
                for reference in found.references { try append(reference, nil) }
            }
        } catch let error as StoreError {
            throw .refused(error.refusal, AuditedItems(of: found))
        } catch let error as RequestInterruption {
            throw error
        } catch {
            throw .connectionLost
        }
        // None of the found items could be opened.
        guard items.count > 0 else { throw .refused(Refusal(.itemNotFound, .none), AuditedItems(of: found)) }
        return (reply.finish(), .granted(items: items, accessGroups: Self.groups(of: found.facts), by: rule))
    }

    /// Returns the matching items. While the keychain is locked, a search without attributes finds items by the digests
    /// of their lookup attributes alone, so that the caller learns what to unlock. The digests prove nothing: a caller
    /// that then reads such an item names the lookup attributes again.
    private func findWithAvailability(
        _ query: ItemQuery, in scope: SearchScope, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller
    ) throws(RequestInterruption) -> FoundItems {
        let judged = parts.union(service.model.judgedParts)
        do throws(RequestInterruption) {
            return try find(query, in: scope, limit, judged, for: caller)
        } catch {
            guard case .refused(let refusal, _) = error, refusal.reason == .locked,
                !parts.contains(.attributes), !query.comparesText
            else { throw error }
            let found = try storing { () throws(StoreError) in
                try service.store.find(query, in: scope, limit: limit, parts: judged, allowance: takesMemory)
            }
            return found.keeping(limit: limit) { _ in true }
        }
    }

    /// Returns the items whose data the caller cannot read now without a prompt.
    private func itemsNeedingApproval(
        _ found: FoundItems, for context: RequestContext
    ) throws(RequestInterruption) -> Set<PersistentReference> {
        let (policy, caller) = (policy, context.caller)
        let held = service.clientApprovals.held(by: caller, in: context.connection.run, for: service.path)
        var result: Set<PersistentReference> = []
        guard !policy.dependsOnAccessObjects(.readData) else {
            for item in try guarded(found, for: caller) {
                guard let reference = item.reference else { continue }
                func judge(_ evidence: Evidence) -> Decision {
                    policy.judge(caller, .readData, keyUse: nil, guarded: [item], evidence: evidence)
                }
                switch judge(.none) {
                case .grant: continue
                case .ask(let request):
                    let permission = Permission(request, rememberedBy: [], heldBy: held, rules: policy.rules)
                    let evidence = Evidence(permissions: permission.map { [$0] } ?? [])
                    if judge(evidence).rule == nil { result.insert(reference) }
                // One pattern each: the compiler cannot match several of a value that cannot be copied.
                case .authenticate: result.insert(reference)
                case .refuse: result.insert(reference)
                }
            }
            return result
        }
        var open: [(item: ItemFacts, request: ApprovalRequest)] = []
        for item in found.facts {
            guard let reference = item.reference else { continue }
            switch policy.judge(caller, .readData, [item]) {
            case .grant: if !item.constraints.isDisjoint(with: .material) { result.insert(reference) }
            case .ask(let request): open.append((item, request))
            // One pattern each: the compiler cannot match several of a value that cannot be copied.
            case .authenticate: result.insert(reference)
            case .refuse: result.insert(reference)
            }
        }
        guard !open.isEmpty else { return result }
        let remembered = try storing { () throws(StoreError) in
            try service.store.grants(of: open.compactMap(\.item.reference))
        }
        let ofItem = Dictionary(grouping: remembered, by: \.reference)
        for (item, request) in open {
            guard let reference = item.reference else { continue }
            let permission =
                Permission(request, rememberedBy: ofItem[reference] ?? [], heldBy: held, rules: policy.rules)
                ?? Permission(openingBy: request)
            let evidence = Evidence(permissions: permission.map { [$0] } ?? [])
            let isGranted = policy.judge(caller, .readData, [item], evidence: evidence).rule != nil
            if !isGranted || !item.constraints.isDisjoint(with: .material) { result.insert(reference) }
        }
        return result
    }
}
