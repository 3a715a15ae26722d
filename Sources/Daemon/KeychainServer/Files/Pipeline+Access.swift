// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// Access decisions for the items of a keychain file, and the prompts that they require.
extension Pipeline {
    /// Returns the grant for found items, or throws the reason of the refusal.
    func grant(
        _ operation: Operation, keyUse: KeyUse? = nil, for found: FoundItems, to caller: Caller, _ effort: Effort
    ) throws(Stop) -> Grant {
        switch service.kind {
        case .dataProtection:
            return try grant(
                judge(caller, operation, found.facts, effort.evidence), concerning: AuditedItems(of: found))
        case .file:
            guard FileKeychainPolicy.dependsOnAccess(operation) else { return try grant(judge(caller, operation, [])) }
            return try grant(
                operation, keyUse: keyUse, for: try guarded(found, for: caller), AuditedItems(of: found), to: caller,
                effort)
        }
    }

    func grant(
        _ operation: Operation, for found: FoundIdentities, to caller: Caller, _ effort: Effort
    ) throws(Stop) -> Grant {
        switch service.kind {
        case .dataProtection:
            return try grant(
                judge(caller, operation, found.facts, effort.evidence), concerning: AuditedItems(of: found))
        case .file:
            guard FileKeychainPolicy.dependsOnAccess(operation) else { return try grant(judge(caller, operation, [])) }
            return try grant(
                operation, for: try guarded(found.keyItems, for: caller), AuditedItems(of: found), to: caller, effort)
        }
    }

    private func grant(
        _ operation: Operation, keyUse: KeyUse? = nil, for found: [GuardedItem], _ items: AuditedItems,
        to caller: Caller, _ effort: Effort
    ) throws(Stop) -> Grant {
        let isUnlocked = service.store.lockState == .unlocked
        switch AccessObjectPolicy.judge(
            caller, operation, keyUse: keyUse, items: found, isUnlocked: isUnlocked, mayAsk: true,
            rules: service.rules.current, permissions: effort.permissions)
        {
        case .grant(let grant, let additions):
            for addition in additions {
                try changeAccess(of: addition.item, for: caller) { access in
                    // Another request may have added the list meanwhile, which then stays.
                    access.partitions == nil ? access.with(partitions: addition.access.partitions) : nil
                }
            }
            return grant
        // The caller of this function knows the keychain, and prompts for its password.
        case .unlock: throw .refused(Refusal(.authenticationFailed, .locked), items)
        case .ask(let question): throw .askForItem(question, items)
        case .refuse(let refusal): throw .refused(refusal, items)
        }
    }

    /// Prompts for the use of an item. A lasting answer is stored before it takes effect.
    func answer(
        _ question: AccessQuestion, about items: AuditedItems, _ asking: Asking
    ) throws(Stop) -> AccessPermission {
        let denied = Stop.refused(Refusal(.authenticationFailed, question.because), items)
        guard asking.mayAsk else { throw denied }
        let answer: PersonsAnswer
        do throws(Stop) {
            answer = try confirm(
                question.caller, question.operation, try names(of: question), count: 1,
                mayRemember: question.canBeRemembered, because: question.because, about: items, on: asking.place)
        } catch .refused(let refusal, _) where refusal.status == .interactionNotAllowed {
            // Semantics 8.2: a use that is not allowed is denied if no prompt can be shown.
            throw denied
        }
        // The password is part of the answer, and correct: a confirmation requires it for every keychain that has one.
        guard let permission = AccessPermission(question, answer, passwordWasProved: service.lock.isProtected) else {
            throw denied
        }
        // If it cannot be stored, the request fails, as for grants: a user who said "always" must not be prompted again
        // without an explanation.
        if permission.isLasting {
            try changeAccess(of: question.item, for: question.caller) { permission.access(after: $0) }
        }
        return permission
    }

    /// Returns the access object to store, or throws the reason of the refusal.
    ///
    /// - Parameter found: the items as they are in the transaction that stores it, so that of two simultaneous changes
    ///   the later one is judged by the result of the earlier one.
    func accessChange(
        to given: AccessObject, of found: [GuardedItem], isUnlocked: Bool, for caller: Caller, _ effort: Effort
    ) -> Result<AccessObject, Stop> {
        let items = AuditedItems(found.compactMap { $0.reference?.identifier })
        // Each item has its own partitions.
        guard found.count == 1, let item = found.first else {
            return .failure(.refused(Refusal(.parameter, .none), items))
        }
        return
            switch AccessObjectPolicy.judgeChange(
                caller, of: item.reference, from: item.access, to: given, isUnlocked: isUnlocked, mayAsk: true,
                permissions: effort.permissions)
        {
        case .allow(let access): .success(access)
        case .unlock: .failure(.refused(Refusal(.authenticationFailed, .locked), items))
        case .ask(let question): .failure(.askForItem(question, items))
        case .refuse(let refusal): .failure(.refused(refusal, items))
        }
    }

    func guarded(_ found: FoundItems, for caller: Caller) throws(Stop) -> [GuardedItem] {
        let look = try grant(judge(caller, .match, []))
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
            let look = try grant(judge(caller, .match, []))
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
        let judge = judgement
        let outcome: ChangeOutcome
        do throws(StoreError) {
            outcome = try service.store.update(
                ItemQuery(item), in: scope, changes: ItemAttributes(empty: item.itemClass), secret: nil,
                access: { found in found.first?.access.flatMap(change) }
            ) { operation, facts in judge(caller, operation, facts, .none) }
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

    private func names(of question: AccessQuestion) throws(Stop) -> [ItemNames] {
        guard let item = question.item, let names = try names(of: item, for: question.caller) else { return [] }
        return [names]
    }

    /// Returns a request for the items of a keychain file in the form that its pipeline expects.
    ///
    /// - Throws: `errSecNoSuchAttr` for attributes that such items do not have.
    static func adapted(
        _ request: Request<SecretBytes>, for caller: Caller
    ) throws(Refusal) -> Request<SecretBytes> {
        switch request {
        case .add(let attributes, let secret, let parts):
            return .add(try kept(attributes, for: caller), secret: secret, returning: parts)
        case .key(.generate(let attributes)): return .key(.generate(try kept(attributes, for: caller)))
        case .copyMatching(let query, _, _), .delete(let query), .explainSearch(let query):
            try FileKeychainPolicy.check(query)
        case .update(let query, let changes, _):
            try FileKeychainPolicy.check(query)
            try FileKeychainPolicy.check(changes)
        case .explainAddition(let attributes):
            try FileKeychainPolicy.check(attributes)
            return .explainAddition(FileKeychainPolicy.kept(attributes))
        default: break
        }
        return request
    }

    private static func kept(_ given: ItemAttributes, for caller: Caller) throws(Refusal) -> ItemAttributes {
        try FileKeychainPolicy.check(given)
        var attributes = FileKeychainPolicy.kept(given)
        attributes[.access] = try FileKeychainPolicy.access(ofNew: given, by: caller).map { .data($0.encoded) }
        return attributes
    }

    /// Returns an item's attributes as the caller sees them.
    func shown(_ attributes: ItemAttributes, to caller: Caller) -> ItemAttributes {
        switch service.kind {
        case .dataProtection:
            guard let group = attributes.accessGroup, EnforcedGroup.contains(group) else { return attributes }
            var attributes = attributes
            attributes[.accessGroup] = .string(caller.shownGroup(group))
            return attributes
        case .file: return FileKeychainPolicy.shown(attributes)
        }
    }

    /// Checks that an item has no access object: items of the data-protection keychain belong to access groups instead.
    func checkAccess(in attributes: ItemAttributes) throws(Stop) {
        guard service.kind == .file || attributes[.access] == nil else {
            throw .refused(Refusal(.noSuchAttribute, .none))
        }
    }
}
