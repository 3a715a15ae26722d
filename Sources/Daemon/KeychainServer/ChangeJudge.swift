// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore

/// Judges a change of items within its transaction, in which nothing waits: an interruption is thrown after the
/// transaction.
struct ChangeJudge {
    let policy: ItemPolicy
    let context: RequestContext
    /// The new attributes; nil for a deletion.
    let changes: ItemAttributes?
    private let hasNewSecret: Bool
    /// The access groups of the items found.
    private(set) var groups: [String] = []
    /// The rule that granted the change.
    private(set) var rule = GrantRule.ownGroup
    var interruption: RequestInterruption?

    init(
        _ policy: ItemPolicy, _ context: RequestContext, changes: ItemAttributes? = nil, hasNewSecret: Bool = false
    ) {
        self.policy = policy
        self.context = context
        self.changes = changes
        self.hasNewSecret = hasNewSecret
    }

    /// Returns the verdict over the items found. If sealing them requires material that is not available, the verdict is
    /// a refusal, which stands for the interruption.
    mutating func judge(_ operation: Operation, _ items: [ItemFacts]) -> Decision {
        groups = Pipeline.groups(of: items)
        var judged = items
        if let changes {
            let refusal = AccessPolicy.refusalOfMove(
                of: items, by: context.caller, to: changes.accessGroup, withNewSecret: hasNewSecret)
            if let refusal { return .refuse(refusal) }
            if operation == .update, changes[.accessible] != nil {
                let group = changes.accessGroup ?? items.first?.accessGroup
                judged.append(ItemFacts(accessGroup: group, accessibility: changes.accessibility))
            }
        }
        let decision = policy.judge(context.caller, operation, judged, evidence: context.attempt.evidence)
        guard let granting = decision.rule else { return decision }
        rule = granting
        guard operation == .update, let changes else { return decision }
        do throws(RequestInterruption) {
            try context.attempt.checkMaterial(sealing: changes, existing: items)
        } catch {
            interruption = error
            return .refuse(Refusal(.interactionNotAllowed, .authenticationNeeded))
        }
        return decision
    }

    /// Changes items; throws the interruption instead of the result that represented it.
    mutating func changing<Outcome>(
        _ change: (inout ChangeJudge) throws(StoreError) -> Outcome
    ) throws(RequestInterruption) -> Outcome {
        let outcome: Outcome
        do throws(StoreError) {
            outcome = try change(&self)
        } catch .wrongPassword {
            throw .wrongPassword(.applicationPassword, .none)
        } catch {
            throw .refused(error.refusal)
        }
        if let interruption { throw interruption }
        return outcome
    }
}

extension ChangeResult {
    /// Returns the changed items, or throws the reason why nothing was changed.
    func changedItems(_ itemClass: ItemClass) throws(RequestInterruption) -> [PersistentReference] {
        switch self {
        case .changed(let items): items.map { PersistentReference(itemClass: itemClass, item: $0) }
        case .refused(let refusal, let items): throw .refused(refusal, AuditedItems(items))
        case .ask(let request, let items): throw .ask(request, AuditedItems(items))
        case .authenticate(let demand, let items): throw .authenticate(demand, AuditedItems(items))
        }
    }
}

extension IdentityChangeResult {
    /// Returns the changed halves, or throws the reason why nothing was changed.
    func changedItems() throws(RequestInterruption) -> [PersistentReference] {
        switch self {
        case .changed(let certificates, let keys):
            certificates.map { PersistentReference(itemClass: .certificate, item: $0) }
                + keys.map { PersistentReference(itemClass: .key, item: $0) }
        case .refused(let refusal, let items): throw .refused(refusal, AuditedItems(items))
        case .ask(let request, let items): throw .ask(request, AuditedItems(items))
        case .authenticate(let demand, let items): throw .authenticate(demand, AuditedItems(items))
        }
    }
}
