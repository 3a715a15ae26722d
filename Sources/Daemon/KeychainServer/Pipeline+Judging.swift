// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire

// The attempts of a request, and the access decisions in them.
extension Pipeline {
    /// Runs `attempt`. If it requires an approval, authentication or a password, obtains that without holding any lock
    /// of the store, and runs `attempt` again.
    ///
    /// - Parameter attempt: must have no effect and must have sent nothing when it throws an interruption that requires
    ///   a prompt.
    func attempting(
        _ context: RequestContext, _ attempt: (RequestContext) throws(RequestInterruption) -> Answer
    ) throws(RequestInterruption) -> Answer {
        guard let authentication = context.authentication else { return try retrying(context, attempt) }
        var context = context
        context.attempt.skips = authentication.interaction == .skip
        context.attempt.hasPassword = authentication.applicationPassword != nil
        context.attempt.contextFactors = factors(of: authentication.proofs, for: context.caller)
        context.attempt.evidence.proofs = factors(shownBefore: authentication, for: context.caller).map {
            AuthenticationProof($0, for: nil)
        }
        return try retrying(context, attempt)
    }

    private func retrying(
        _ context: RequestContext, _ attempt: (RequestContext) throws(RequestInterruption) -> Answer
    ) throws(RequestInterruption) -> Answer {
        var interruption: RequestInterruption
        // Most requests need one attempt, for which nothing is copied.
        do throws(RequestInterruption) { return try attempt(context) } catch { interruption = error }
        var context = context
        while true {
            try resolve(interruption, for: &context)
            do throws(RequestInterruption) {
                try checkPasswords(for: &context)
                return try attempt(context)
            } catch {
                interruption = error
            }
        }
    }

    /// The policy with the current state of the keychain.
    var policy: ItemPolicy { ItemPolicy(service.model, service.store.lockState, service.rules.current) }

    func scope(
        of caller: Caller, _ operation: Operation, _ accessGroup: String?
    ) throws(RequestInterruption) -> SearchScope {
        try refusing { () throws(Refusal) in
            try service.model.scope(of: caller, for: operation, accessGroup: accessGroup)
        }
    }

    /// Returns the grant to add an item. A prompt for it names the item.
    func grantAddition(of item: ItemAttributes, for context: RequestContext) throws(RequestInterruption) -> Grant {
        let facts = ItemFacts(accessGroup: item.accessGroup, accessibility: item.accessibility)
        do throws(RequestInterruption) {
            return try grant(policy.judge(context.caller, .add, [facts], evidence: context.attempt.evidence))
        } catch {
            guard case .ask(var request, let items) = error else { throw error }
            request.newItem = ItemNames(item)
            throw .ask(request, items)
        }
    }

    /// Returns the grant for found items, or throws the reason of the refusal.
    func grant(
        _ operation: Operation, keyUse: KeyUse? = nil, for found: FoundItems, _ context: RequestContext
    ) throws(RequestInterruption) -> Grant {
        try grant(
            operation, keyUse: keyUse, facts: found.facts, guardedIn: found, context,
            concerning: AuditedItems(of: found))
    }

    func grant(
        _ operation: Operation, for found: FoundIdentities, _ context: RequestContext
    ) throws(RequestInterruption) -> Grant {
        try grant(
            operation, keyUse: nil, facts: found.facts, guardedIn: found.keyItems, context,
            concerning: AuditedItems(of: found))
    }

    /// - Parameter found: the items whose access objects decide, if any do. Objects without a partition list are
    ///   completed.
    private func grant(
        _ operation: Operation, keyUse: KeyUse?, facts: [ItemFacts], guardedIn found: FoundItems,
        _ context: RequestContext, concerning items: @autoclosure () -> AuditedItems
    ) throws(RequestInterruption) -> Grant {
        let policy = policy
        guard policy.dependsOnAccessObjects(operation) else {
            return try grant(
                policy.judge(context.caller, operation, facts, evidence: context.attempt.evidence),
                concerning: items())
        }
        let (caller, evidence) = (context.caller, context.attempt.evidence)
        let guarded = try guarded(found, for: caller)
        let grant = try grant(
            policy.judge(caller, operation, keyUse: keyUse, guarded: guarded, evidence: evidence),
            concerning: items())
        let additions = AccessObjectPolicy.additions(
            caller, operation, keyUse: keyUse, items: guarded, rules: policy.rules)
        for addition in additions {
            try changeAccess(of: addition.item, for: caller) { access in
                // Another request may have added the list meanwhile, which then stays.
                access.partitions == nil ? access.with(partitions: addition.access.partitions) : nil
            }
        }
        return grant
    }

    /// Returns the grant of a decision, or throws its interruption.
    ///
    /// - Parameter items: the items that the decision concerns.
    func grant(
        _ decision: consuming Decision, concerning items: @autoclosure () -> AuditedItems = .none
    ) throws(RequestInterruption) -> Grant {
        switch consume decision {
        case .grant(let grant): return grant
        case .refuse(let refusal): throw .refused(refusal, items())
        case .ask(let request): throw .ask(request, items())
        case .authenticate(let demand): throw .authenticate(demand, items())
        }
    }

    /// Returns the access object to store, or throws the reason of the refusal.
    ///
    /// - Parameters:
    ///   - found: the items as they are in the transaction that stores it, so that of two simultaneous changes the
    ///     later one is judged by the result of the earlier one.
    ///   - policy: the policy for the transaction.
    func accessChange(
        to given: AccessObject, of found: [GuardedItem], by policy: ItemPolicy, for context: RequestContext
    ) throws(RequestInterruption) -> AccessObject {
        let items = AuditedItems(found.compactMap { $0.reference?.identifier })
        // Each item has its own partitions.
        guard found.count == 1, let item = found.first else { throw .refused(Refusal(.parameter, .none), items) }
        switch policy.judgeChange(of: item, to: given, by: context.caller, evidence: context.attempt.evidence) {
        case .allow(let access): return access
        case .ask(let request): throw .ask(request, items)
        case .refuse(let refusal): throw .refused(refusal, items)
        }
    }

    func guarded(_ found: FoundItems, for caller: Caller) throws(RequestInterruption) -> [GuardedItem] {
        let look = try grant(policy.judge(caller, .match, []))
        do throws(StoreError) {
            return try service.store.guarded(found, with: look)
        } catch {
            let refusal = error == .damaged(.item) ? Self.changedItem : error.refusal
            throw .refused(refusal, AuditedItems(of: found))
        }
    }

    /// The refusal for an item that was changed without the service (semantics 8.6).
    static let changedItem = Refusal(.invalidItemReference, .changedItem)

    /// Returns the grant for found items. In a keychain file, items that were changed without the service are left out,
    /// unless all were.
    func grant(
        _ operation: Operation, forIntact found: inout FoundItems, for context: RequestContext
    ) throws(RequestInterruption) -> Grant {
        do throws(RequestInterruption) {
            return try grant(operation, for: found, context)
        } catch .refused(let refusal, _) where refusal.reason == .noAccessObject {
            let look = try grant(policy.judge(context.caller, .match, []))
            do throws(StoreError) {
                found = try service.store.intact(found, with: look)
            } catch {
                throw .refused(error.refusal, AuditedItems(of: found))
            }
            return try grant(operation, for: found, context)
        }
    }

    /// Changes the access object of an item, based on the stored one at that moment. A deleted item needs no change.
    ///
    /// - Parameter change: returns the new access object; nil: it stays unchanged.
    func changeAccess(
        of item: PersistentReference?, for caller: Caller, _ change: @escaping (AccessObject) -> AccessObject?
    ) throws(RequestInterruption) {
        guard let item else { return }
        let scope = try scope(of: caller, .update, nil)
        // Strict mode was judged before, or the keychain's password allowed the change.
        let policy = ItemPolicy(service.model, service.store.lockState, .compatible)
        let outcome: ChangeResult
        do throws(StoreError) {
            outcome = try service.store.update(
                ItemQuery(item), in: scope, changes: ItemAttributes(empty: item.itemClass), secret: nil,
                access: { found in found.first?.access.flatMap(change) }
            ) { operation, facts in policy.judge(caller, operation, facts) }
        } catch .notFound {
            return
        } catch {
            throw .refused(error.refusal)
        }
        guard case .changed(let items) = outcome else { throw .refused(Refusal(.authenticationFailed, .locked)) }
        // The change may have been made already.
        guard !items.isEmpty else { return }
        service.changes.publish(
            [ItemChange(.updated, item)], accessGroups: [], by: caller.processID, ofAccessAlone: true)
    }

    // MARK: Key material

    /// Returns the material that opens the found items, after the authentication that they require. Returns no material
    /// if none is needed.
    func material(
        for found: FoundItems, _ operation: Operation, _ context: RequestContext
    ) throws(RequestInterruption) -> ItemKeyMaterial {
        try material(for: found.facts, operation, context, concerning: AuditedItems(of: found)) {
            material throws(StoreError) in try check(found, material)
        }
    }

    func material(
        for found: FoundIdentities, _ operation: Operation, _ context: RequestContext
    ) throws(RequestInterruption) -> ItemKeyMaterial {
        try material(for: found.facts, operation, context, concerning: AuditedItems(of: found)) {
            material throws(StoreError) in
            try service.lock.ledger.checkingOwnPasswords(found.ownPasswords) { () throws(StoreError) in
                try service.store.check(found, material: material)
            }
        }
    }

    private func material(
        for items: [ItemFacts], _ operation: Operation, _ context: RequestContext,
        concerning audited: @autoclosure () -> AuditedItems, check: (ItemKeyMaterial) throws(StoreError) -> Void
    ) throws(RequestInterruption) -> ItemKeyMaterial {
        let needed = items.neededMaterial
        guard !needed.isEmpty else { return .none }
        // A list of all the user's items needs no material.
        let isList = operation == .probe || operation == .readAttributes
        if context.caller.findsAllItems, isList { return .none }
        guard let material = context.attempt.material else { throw .material(needed, isNew: false, audited()) }
        do throws(StoreError) {
            try check(material)
            return material
        } catch {
            throw error == .wrongPassword ? .wrongPassword(needed, audited()) : .refused(error.refusal, audited())
        }
    }

    /// Checks the items' own passwords. Each item has a separate count.
    func check(_ found: FoundItems, _ material: ItemKeyMaterial) throws(StoreError) {
        try service.lock.ledger.checkingOwnPasswords(found.ownPasswords) { () throws(StoreError) in
            try service.store.check(found, material: material)
        }
    }

    // MARK: Errors

    func refusing<R>(_ body: () throws(Refusal) -> R) throws(RequestInterruption) -> R {
        do throws(Refusal) { return try body() } catch { throw .refused(error) }
    }

    func storing<R>(_ body: () throws(StoreError) -> R) throws(RequestInterruption) -> R {
        do throws(StoreError) { return try body() } catch { throw .refused(error.refusal) }
    }
}
