// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire

// Questions that only a person can answer, and the answers that were given for good.
extension Pipeline {
    /// So often a person is asked for one request: while they think, other items may have come to match.
    private static let questionLimit = 3

    /// Tries; where a person would have to say, gets an answer, with nothing of the store held, and tries again with it.
    ///
    /// - Parameter attempt: judges with the permission that it is given, and has done and sent nothing when it throws `.ask`.
    func answering(_ attempt: (Permission?) throws(Stop) -> Answer) throws(Stop) -> Answer {
        var permission: Permission?
        for _ in 0..<Self.questionLimit {
            do throws(Stop) {
                return try attempt(permission)
            } catch {
                guard case .ask(let question, let items) = error else { throw error }
                permission = try answer(question, about: items)
            }
        }
        return try attempt(permission)
    }

    private func answer(_ question: Question, about items: AuditedItems) throws(Stop) -> Permission {
        let remembered = try storing { () throws(StoreError) in try service.store.grants(of: question.items) }
        let rules = service.rules.current
        if let permission = Permission(question, rememberedBy: remembered, rules: rules) { return permission }
        let answer = service.asker.ask(question, question.canBeRemembered(rules))
        guard let permission = Permission(question, answer) else { throw .refused(answer.refusal(of: question), items) }
        // By the rules of now: a person may have thought for a while.
        if let lasting = LastingGrant(question, answer, rules: service.rules.current) {
            // Where it cannot be remembered the request fails: a person who said "always" must not be asked again for
            // reasons that nobody tells.
            try storing { () throws(StoreError) in try service.store.remember(lasting) }
        }
        return permission
    }

    /// What is asked of the grants that are remembered.
    func answer(_ request: GrantRequest, for caller: Caller) throws(Stop) -> Answer {
        try refusing { () throws(Refusal) in try GrantRules.admit(caller) }
        switch request {
        case .list(let number):
            let (grants, next) = try storing { () throws(StoreError) in
                try service.store.grants(after: number, limit: GrantPage.limit)
            }
            var listed: [ListedGrant] = []
            for grant in grants { listed.append(ListedGrant(grant, names: try names(of: grant, for: caller))) }
            return (GrantPage(listed, next: next).frame, .served)
        case .revoke(let selection):
            let count = try storing { () throws(StoreError) in try service.store.revokeGrants(selection) }
            guard count > 0 || selection == .all else { throw .refused(Refusal(.itemNotFound, .noSuchGrant)) }
            return (RevokedGrants(count: UInt32(clamping: count)).frame, .carriedOut)
        }
    }

    /// What people call the item; nil where the caller may not read it now.
    private func names(of grant: RememberedGrant, for caller: Caller) throws(Stop) -> ItemNames? {
        let scope = try scope(of: caller, .readAttributes, nil)
        return try storing { () throws(StoreError) in
            let found = try service.store.find(ItemQuery(grant.reference), in: scope, limit: .one, parts: .attributes)
            guard !found.isEmpty else { return nil }
            switch judge(caller, .readAttributes, found.facts) {
            case .ask: return nil
            case .refuse: return nil
            case .grant(let permit):
                do throws(StoreError) {
                    return try service.store.names(of: found, with: permit)
                } catch .keyNotAvailable {
                    // Locked since the verdict.
                    return nil
                }
            }
        }
    }
}

extension PersonsAnswer {
    /// What the caller is told where the answer is not yes (semantics 8.6).
    fileprivate func refusal(of question: Question) -> Refusal {
        switch self {
        case .notAsked: Refusal(.interactionNotAllowed, question.because)
        case .deny, .allow, .alwaysAllow: Refusal(.authenticationFailed, .none)
        }
    }
}
