// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// The kinds of requests. Each judges, acts and encodes, and gives back the last frame of the answer.
extension Pipeline {
    typealias Answer = (frame: [UInt8], outcome: AuditEvent.Outcome)

    func perform(
        _ request: borrowing Request<SecretBytes>, for caller: Caller, on connection: ConnectionFacts, sendBatch: Send
    ) throws(Stop) -> Answer {
        switch copy request {
        case .add(let attributes, let secret, let parts):
            return try add(attributes, secret, parts, for: caller)
        case .copyMatching(let query, let limit, let parts):
            return try copyMatching(query, limit, parts, for: caller, sendBatch)
        case .update(let query, let changes, let secret):
            return try update(query, changes, secret, for: caller)
        case .delete(let query):
            return try delete(query, for: caller)
        case .status:
            return (try status(for: caller), .served)
        case .watch:
            _ = try scope(of: caller, .probe, nil)
            return (finished(), .served)
        case .backup(let request):
            return try backUp(request, for: caller, on: connection.nonce)
        case .restore(let request):
            return try restore(request, for: caller, on: connection.nonce)
        case .explainSearch(let query):
            let explanation = try explanation(of: query, for: caller)
            let groups = query.accessGroup.map { [$0] } ?? caller.accessGroups
            return (explanation.frame, .granted(items: explanation.matchCount ?? 0, accessGroups: groups))
        case .explainAddition(let attributes):
            let explanation = try explanation(ofAdding: attributes, for: caller)
            let groups = [attributes.accessGroup ?? caller.accessGroups[0]]
            return (explanation.frame, .granted(items: explanation.existing == nil ? 0 : 1, accessGroups: groups))
        case .administer(let request):
            return try administer(request, for: caller)
        case .identity(let subject):
            return (try identity(of: subject, for: caller, look: connection.look), .served)
        case .requireEntitlements:
            return (finished(), .served)
        }
    }

    private func add(
        _ given: ItemAttributes, _ secret: SecretBytes?, _ parts: ReturnedParts, for caller: Caller
    ) throws(Stop) -> Answer {
        var attributes = try refusing { () throws(Refusal) in try ProtectionRules.apply(to: given, isNew: true) }
        guard case .groups(let groups) = try scope(of: caller, .add, attributes.accessGroup) else {
            throw .refused(Refusal(.internalError, .none))
        }
        attributes[.accessGroup] = .string(groups[0])
        let facts = ItemFacts(accessGroup: groups[0], accessibility: attributes.accessibility)
        let decision = judge(caller, .add, [facts])
        let grant = try grant(decision)
        let stored: StoredItem
        do throws(StoreError) {
            stored = try service.store.add(attributes, secret: secret, with: grant)
        } catch {
            throw .refused(error.refusal)
        }
        let reference = PersistentReference(itemClass: attributes.itemClass, item: stored.identifier)
        service.changes.publish([ItemChange(.added, reference)], accessGroups: groups)

        var reply = ReplyWriter()
        let returned = parts.contains(.attributes) ? stored.attributes : nil
        let bytes = parts.contains(.data) ? secret?.bytes : nil
        _ = reply.append(ReturnedItem(reference: reference, attributes: returned, secret: bytes))
        return (reply.finish(), .granted(items: 1, accessGroups: groups))
    }

    private func copyMatching(
        _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller, _ sendBatch: Send
    ) throws(Stop) -> Answer {
        let operation: Operation =
            parts.contains(.data) ? .readData : parts.contains(.attributes) ? .readAttributes : .probe
        let scope = try scope(of: caller, operation, query.accessGroup)
        let found = try find(query, in: scope, limit, parts, for: caller)
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        let grant = try grant(judge(caller, operation, found.facts))

        var reply = ReplyWriter()
        var count = 0
        do {
            count = try service.store.open(found, parts: parts, with: grant) { item in
                let reference = PersistentReference(itemClass: query.itemClass, item: item.identifier)
                let returned = ReturnedItem(reference: reference, attributes: item.attributes, secret: item.data)
                if var batch = reply.append(returned) { try sendBatch(&batch) }
            }
        } catch let error as StoreError {
            throw .refused(error.refusal)
        } catch {
            throw .connectionLost
        }
        // Everything that was found could not be opened, and was set aside.
        guard count > 0 else { throw .refused(Refusal(.itemNotFound, .none)) }
        return (reply.finish(), .granted(items: count, accessGroups: Self.groups(of: found.facts)))
    }

    /// What matches. Where digests cannot say it, the caller has to be allowed to read attributes.
    func find(
        _ query: ItemQuery, in scope: SearchScope, _ limit: MatchLimit, _ parts: ReturnedParts, for caller: Caller
    ) throws(Stop) -> FoundItems {
        let found = try storing { () throws(StoreError) in
            try service.store.find(query, in: scope, limit: limit, parts: parts)
        }
        guard found.needsOpening, !found.isEmpty else { return found }
        let grant = try grant(judge(caller, .readAttributes, found.facts))
        do throws(StoreError) {
            return try service.store.matching(found, limit: limit, with: grant)
        } catch {
            throw .refused(error.refusal)
        }
    }

    private func update(
        _ query: ItemQuery, _ given: ItemAttributes, _ secret: SecretBytes?, for caller: Caller
    ) throws(Stop) -> Answer {
        let changes = try refusing { () throws(Refusal) in try ProtectionRules.apply(to: given, isNew: false) }
        let scope = try scope(of: caller, .update, query.accessGroup)
        if let group = changes.accessGroup { _ = try self.scope(of: caller, .add, group) }
        let judge = judgement
        var groups: [String] = []
        let outcome = try storing { () throws(StoreError) in
            try service.store.update(query, in: scope, changes: changes, secret: secret) { operation, items in
                groups = Self.groups(of: items)
                var judged = items
                if operation == .update, changes[.accessible] != nil {
                    let group = changes.accessGroup ?? items.first?.accessGroup
                    judged.append(ItemFacts(accessGroup: group, accessibility: changes.accessibility))
                }
                return judge(caller, operation, judged)
            }
        }
        // Who watches the group that an item moved to sees it as well.
        if let group = changes.accessGroup, !groups.contains(group) { groups.append(group) }
        return try finish(outcome, .updated, query.itemClass, groups)
    }

    private func delete(_ query: ItemQuery, for caller: Caller) throws(Stop) -> Answer {
        let scope = try scope(of: caller, .delete, query.accessGroup)
        let judge = judgement
        var groups: [String] = []
        let outcome = try storing { () throws(StoreError) in
            try service.store.delete(query, in: scope) { operation, items in
                groups = Self.groups(of: items)
                return judge(caller, operation, items)
            }
        }
        return try finish(outcome, .deleted, query.itemClass, groups)
    }

    private func finish(
        _ outcome: ChangeOutcome, _ kind: ItemChange.Kind, _ itemClass: ItemClass, _ groups: [String]
    ) throws(Stop) -> Answer {
        switch outcome {
        case .changed(let identifiers):
            let changes = identifiers.map { ItemChange(kind, PersistentReference(itemClass: itemClass, item: $0)) }
            service.changes.publish(changes, accessGroups: groups)
            return (finished(), .granted(items: identifiers.count, accessGroups: groups))
        case .refused(let refusal):
            throw .refused(refusal)
        case .ask(let question):
            throw .refused(ask(question))
        }
    }

    /// The access groups of items, each once. Of other programs' items the group is not known.
    private static func groups(of items: [ItemFacts]) -> [String] {
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

// MARK: Judging

extension Pipeline {
    func scope(
        of caller: Caller, _ operation: Operation, _ accessGroup: String?
    ) throws(Stop) -> SearchScope {
        try refusing { () throws(Refusal) in
            try AccessPolicy.scope(of: caller, for: operation, accessGroup: accessGroup)
        }
    }

    /// The policy in the state that the keychain is in now.
    var judgement: (Caller, Operation, [ItemFacts]) -> Decision {
        let lockState = service.store.lockState
        let rules = service.rules.current
        return { AccessPolicy.judge($0, $1, items: $2, lockState: lockState, rules: rules) }
    }

    func judge(_ caller: Caller, _ operation: Operation, _ items: [ItemFacts]) -> Decision {
        judgement(caller, operation, items)
    }

    func grant(_ decision: consuming Decision) throws(Stop) -> Grant {
        switch consume decision {
        case .grant(let grant): return grant
        case .refuse(let refusal): throw .refused(refusal)
        case .ask(let question): throw .refused(ask(question))
        }
    }

    /// There is nobody to ask in this version: no prompter exists, so the answer comes at once.
    private func ask(_ question: Question) -> Refusal {
        Refusal(.interactionNotAllowed, question.because)
    }

    func refusing<R>(_ body: () throws(Refusal) -> R) throws(Stop) -> R {
        do throws(Refusal) { return try body() } catch { throw .refused(error) }
    }

    func storing<R>(_ body: () throws(StoreError) -> R) throws(Stop) -> R {
        do throws(StoreError) { return try body() } catch { throw .refused(error.refusal) }
    }
}
