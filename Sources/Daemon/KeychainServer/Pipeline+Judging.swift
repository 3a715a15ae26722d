// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore

// Access decisions, and the access objects that they change.
extension Pipeline {
    /// The policy with the current state of the keychain.
    var policy: ItemPolicy { ItemPolicy(service.model, service.store.lockState, service.rules.current) }

    func scope(
        of caller: Caller, _ operation: Operation, _ accessGroup: String?
    ) throws(Stop) -> SearchScope {
        try refusing { () throws(Refusal) in
            try service.model.scope(of: caller, for: operation, accessGroup: accessGroup)
        }
    }

    /// Returns the grant to add an item. A prompt for it names the item.
    func grantAddition(of item: ItemAttributes, for caller: Caller, _ effort: Effort) throws(Stop) -> Grant {
        let facts = ItemFacts(accessGroup: item.accessGroup, accessibility: item.accessibility)
        do throws(Stop) {
            return try grant(policy.judge(caller, .add, [facts], evidence: effort.evidence))
        } catch {
            guard case .ask(var request, let items) = error else { throw error }
            request.newItem = ItemNames(item)
            throw .ask(request, items)
        }
    }

    /// Returns the grant for found items, or throws the reason of the refusal.
    func grant(
        _ operation: Operation, keyUse: KeyUse? = nil, for found: FoundItems, to caller: Caller, _ effort: Effort
    ) throws(Stop) -> Grant {
        let policy = policy
        guard policy.dependsOnAccessObjects(operation) else {
            return try grant(
                policy.judge(caller, operation, found.facts, evidence: effort.evidence),
                concerning: AuditedItems(of: found))
        }
        return try grant(
            operation, keyUse: keyUse, guarded: try guarded(found, for: caller), concerning: AuditedItems(of: found),
            to: caller, effort)
    }

    func grant(
        _ operation: Operation, for found: FoundIdentities, to caller: Caller, _ effort: Effort
    ) throws(Stop) -> Grant {
        let policy = policy
        guard policy.dependsOnAccessObjects(operation) else {
            return try grant(
                policy.judge(caller, operation, found.facts, evidence: effort.evidence),
                concerning: AuditedItems(of: found))
        }
        return try grant(
            operation, keyUse: nil, guarded: try guarded(found.keyItems, for: caller),
            concerning: AuditedItems(of: found), to: caller, effort)
    }

    private func grant(
        _ operation: Operation, keyUse: KeyUse?, guarded found: [GuardedItem], concerning items: AuditedItems,
        to caller: Caller, _ effort: Effort
    ) throws(Stop) -> Grant {
        let policy = policy
        let grant = try grant(
            policy.judge(caller, operation, keyUse: keyUse, guarded: found, evidence: effort.evidence),
            concerning: items)
        let additions = AccessObjectPolicy.additions(
            caller, operation, keyUse: keyUse, items: found, rules: policy.rules)
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
    ) throws(Stop) -> Grant {
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
        to given: AccessObject, of found: [GuardedItem], for caller: Caller, by policy: ItemPolicy, _ effort: Effort
    ) throws(Stop) -> AccessObject {
        let items = AuditedItems(found.compactMap { $0.reference?.identifier })
        // Each item has its own partitions.
        guard found.count == 1, let item = found.first else { throw .refused(Refusal(.parameter, .none), items) }
        switch policy.judgeChange(of: item, to: given, by: caller, evidence: effort.evidence) {
        case .allow(let access): return access
        case .ask(let request): throw .ask(request, items)
        case .refuse(let refusal): throw .refused(refusal, items)
        }
    }

    func guarded(_ found: FoundItems, for caller: Caller) throws(Stop) -> [GuardedItem] {
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
        _ operation: Operation, forIntact found: inout FoundItems, to caller: Caller, _ effort: Effort
    ) throws(Stop) -> Grant {
        do throws(Stop) {
            return try grant(operation, for: found, to: caller, effort)
        } catch .refused(let refusal, _) where refusal.reason == .noAccessObject {
            let look = try grant(policy.judge(caller, .match, []))
            do throws(StoreError) {
                found = try service.store.intact(found, with: look)
            } catch {
                throw .refused(error.refusal, AuditedItems(of: found))
            }
            return try grant(operation, for: found, to: caller, effort)
        }
    }

    /// Changes the access object of an item, based on the stored one at that moment. A deleted item needs no change.
    ///
    /// - Parameter change: returns the new access object; nil: it stays unchanged.
    func changeAccess(
        of item: PersistentReference?, for caller: Caller, _ change: @escaping (AccessObject) -> AccessObject?
    ) throws(Stop) {
        guard let item else { return }
        let scope = try scope(of: caller, .update, nil)
        let policy = policy
        let outcome: ChangeOutcome
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

    // MARK: Errors

    func refusing<R>(_ body: () throws(Refusal) -> R) throws(Stop) -> R {
        do throws(Refusal) { return try body() } catch { throw .refused(error) }
    }

    func storing<R>(_ body: () throws(StoreError) -> R) throws(Stop) -> R {
        do throws(StoreError) { return try body() } catch { throw .refused(error.refusal) }
    }
}
