// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// Questions that only a person can answer, and the answers that were given for good.
extension Pipeline {
    /// Gets an answer to a question: what somebody said before for good, or what they say now.
    func answer(
        _ question: Question, about items: AuditedItems, on place: PersonsPlace
    ) throws(Stop) -> Permission {
        let remembered = try storing { () throws(StoreError) in try service.store.grants(of: question.items) }
        let rules = service.rules.current
        if let permission = Permission(question, rememberedBy: remembered, rules: rules) { return permission }
        let answer = try confirm(
            question.caller, question.operation, try names(of: question), count: max(question.items.count, 1),
            mayRemember: question.canBeRemembered(rules), because: question.because, about: items, on: place)
        guard let permission = Permission(question, answer) else {
            throw .refused(Refusal(.authenticationFailed, .none), items)
        }
        // By the rules of now: a person may have thought for a while.
        if let lasting = LastingGrant(question, answer, rules: service.rules.current) {
            // Where it cannot be remembered the request fails: a person who said "always" must not be asked again for
            // reasons that nobody tells.
            try storing { () throws(StoreError) in try service.store.remember(lasting) }
        }
        return permission
    }

    /// So often a passcode may be mistyped in one confirmation. Each wrong one counts as anywhere else.
    private static let passcodeTries = 3

    /// Asks a person. Where the keychain has a passcode, a yes takes it: a program could show itself the question and answer it.
    ///
    /// - Parameters:
    ///   - names: of some or all of the items that it is about.
    ///   - reason: what is told where nobody can be asked.
    func confirm(
        _ caller: Caller, _ operation: Operation, _ names: [ItemNames], count: Int, mayRemember: Bool,
        because reason: Refusal.Reason, about items: AuditedItems, on place: PersonsPlace
    ) throws(Stop) -> PersonsAnswer {
        var wasWrong = false
        for _ in 0..<Self.passcodeTries {
            let needsPasscode = service.lock.isProtected
            if needsPasscode, try refusing({ () throws(Refusal) in try service.lock.report() }).retryAfterSeconds > 0 {
                throw .refused(Refusal(.authenticationFailed, .tooManyAttempts), items)
            }
            let prompt = Prompt(
                .confirmation(mayRemember: mayRemember, needsPasscode: needsPasscode, wasWrong: wasWrong),
                caller: caller, operation: operation, items: names, itemCount: count,
                keychain: service.fileName)
            switch service.prompter.ask(prompt, for: place) {
            case .allowed(let always, let passcode):
                // Another one may have set or removed the passcode meanwhile: then it is asked again, by the rules of now.
                guard needsPasscode == service.lock.isProtected else { continue }
                if needsPasscode {
                    guard let passcode else { throw .refused(Refusal(.authenticationFailed, .none), items) }
                    do throws(Refusal) {
                        try service.lock.verify(ProtectorSecret(.passcode, passcode))
                    } catch {
                        guard error.reason == .wrongSecret else { throw .refused(error, items) }
                        wasWrong = true
                        continue
                    }
                }
                // Its team may have been distrusted meanwhile.
                let isKnownAsBefore =
                    service.rules.current.applied(to: caller).isOfKnownTeam == caller.isOfKnownTeam
                return always && isKnownAsBefore ? .alwaysAllow : .allow
            case .notAsked(let obstacle):
                throw .refused(Refusal(.interactionNotAllowed, obstacle == .none ? reason : obstacle), items)
            // Nobody was there after all.
            case .timedOut: throw .refused(Refusal(.interactionNotAllowed, reason), items)
            case .cancelled: throw .refused(Refusal(.userCanceled, .none), items)
            case .denied, .fallback, .secret: return .deny
            }
        }
        throw .refused(Refusal(.authenticationFailed, wasWrong ? .wrongSecret : .none), items)
    }

    /// What people call the first of the items that it is about, as far as that can be read now.
    private func names(of question: Question) throws(Stop) -> [ItemNames] {
        var all = question.newItem.map { [$0] } ?? []
        let scope = SearchScope.everything(own: question.caller.accessGroups, withEnforced: true)
        for item in question.items.prefix(PromptLimits.items) {
            if let names = try names(of: item, in: scope, for: question.caller) { all.append(names) }
        }
        return all
    }

    /// What is asked of the grants that are remembered.
    func answer(_ request: GrantRequest, for caller: Caller) throws(Stop) -> Answer {
        try refusing { () throws(Refusal) in
            try AdministrationPolicy.check(
                caller, request.administration, proof: nil, isProtected: service.lock.isProtected,
                authorization: .missing)
        }
        switch request {
        case .list(let number):
            let (grants, next) = try storing { () throws(StoreError) in
                try service.store.grants(after: number, limit: GrantPage.limit)
            }
            var listed: [ListedGrant] = []
            for grant in grants {
                listed.append(ListedGrant(grant, names: try names(of: grant.reference, for: caller)))
            }
            return (GrantPage(listed, next: next).frame, .served)
        case .revoke(let selection):
            let count = try storing { () throws(StoreError) in try service.store.revokeGrants(selection) }
            guard count > 0 || selection == .all else { throw .refused(Refusal(.itemNotFound, .noSuchGrant)) }
            return (RevokedGrants(count: UInt32(clamping: count)).frame, .carriedOut)
        }
    }

    /// What people call the item; nil where the caller may not read it now.
    func names(of item: PersistentReference, for caller: Caller) throws(Stop) -> ItemNames? {
        try names(of: item, in: try scope(of: caller, .readAttributes, nil), for: caller)
    }

    func names(
        of item: PersistentReference, in scope: SearchScope, for caller: Caller
    ) throws(Stop) -> ItemNames? {
        try storing { () throws(StoreError) in
            let found = try service.store.find(ItemQuery(item), in: scope, limit: .one, parts: .attributes)
            guard !found.isEmpty else { return nil }
            // For the person who is asked, not for the caller, who gets none of it.
            switch judge(caller, .match, found.facts) {
            case .ask: return nil
            case .authenticate: return nil
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

extension GrantRequest {
    fileprivate var administration: Administration {
        switch self {
        case .list: .listGrants
        case .revoke: .revokeGrants
        }
    }
}
