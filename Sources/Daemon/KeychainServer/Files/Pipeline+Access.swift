// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// Who may use the items of a keychain file, and asking a person about others.
extension Pipeline {
    /// The permission for what was found, or why there is none.
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
                    // Somebody else may have given the list meanwhile, which then stands.
                    access.partitions == nil ? access.with(partitions: addition.access.partitions) : nil
                }
            }
            return grant
        // Whoever knows which keychain it is has somebody unlock it.
        case .unlock: throw .refused(Refusal(.authenticationFailed, .locked), items)
        case .ask(let question): throw .askForItem(question, items)
        case .refuse(let refusal): throw .refused(refusal, items)
        }
    }

    /// Asks a person about the use of an item. An answer for good is stored before it counts.
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
            // Semantics 8.2: who may not, and nobody can be asked, is denied.
            throw denied
        }
        // The password came with the answer, and is the right one: confirming takes it wherever a keychain has one.
        guard let permission = AccessPermission(question, answer, passwordWasProved: service.lock.isProtected) else {
            throw denied
        }
        // Where it cannot be remembered the request fails, as for grants: a person who said "always" said it once.
        if permission.isLasting {
            try changeAccess(of: question.item, for: question.caller) { permission.access(after: $0) }
        }
        return permission
    }

    /// What is to be stored for a new access object, or why it is not.
    ///
    /// - Parameter found: the items as they are in the transaction that is to store it, so that of two changes at once the
    ///   later is judged by what the earlier one made.
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

    /// What reading an item comes to that somebody changed behind the service (semantics 8.6).
    static let changedItem = Refusal(.invalidItemReference, .changedItem)

    /// The permission for what was found. In a keychain file what was changed behind the service is left out, unless it is all.
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

    /// Changes who may use an item, from what is stored at that moment. An item that is gone needs nothing any more.
    ///
    /// - Parameter change: nil: it stays as it is.
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
        // It may be so already.
        guard !items.isEmpty else { return }
        service.changes.publish(
            [ItemChange(.updated, item)], accessGroups: [], by: caller.processID, ofAccessAlone: true)
    }

    private func names(of question: AccessQuestion) throws(Stop) -> [ItemNames] {
        guard let item = question.item, let names = try names(of: item, for: question.caller) else { return [] }
        return [names]
    }

    /// A request for the items of a keychain file as its pipeline takes it.
    ///
    /// - Throws: `errSecNoSuchAttr` for what such items do not have.
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

    /// An item's attributes as the caller sees them.
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

    /// Items of the data-protection keychain belong to access groups, and have no access objects.
    func checkAccess(in attributes: ItemAttributes) throws(Stop) {
        guard service.kind == .file || attributes[.access] == nil else {
            throw .refused(Refusal(.noSuchAttribute, .none))
        }
    }
}
