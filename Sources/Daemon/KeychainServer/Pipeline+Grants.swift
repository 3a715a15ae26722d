// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// Prompts for approval, and the grants that users gave for good.
extension Pipeline {
    /// Returns the approval that a request requires: from an earlier approval, by the mode for bridges, or by the user's
    /// answer to a prompt. A lasting answer is stored before it takes effect.
    func approval(
        of request: ApprovalRequest, about items: AuditedItems, for context: RequestContext
    ) throws(RequestInterruption) -> Permission {
        let isOfFile = service.model == .accessObjects
        let remembered =
            isOfFile ? [] : try storing { () throws(StoreError) in try service.store.grants(of: request.items) }
        let held = service.clientApprovals.held(by: request.caller, in: context.connection.run, for: service.path)
        let earlier = Permission(request, rememberedBy: remembered, heldBy: held, rules: service.rules.current)
        if let permission = earlier ?? Permission(openingBy: request) { return permission }
        guard isOfFile ? context.mayPrompt : context.authentication?.interaction != .fail else {
            throw .refused(request.refusalIfUnanswered(), items)
        }
        let isLasting = try confirm(request, about: items, for: context)
        // A required password is part of the answer, and correct: a confirmation requires it for every keychain that
        // has one.
        guard
            let permission = Permission(request, isLasting: isLasting, passwordWasProved: service.lock.isProtected)
        else { throw .refused(request.refusalIfDenied, items) }
        // If it cannot be stored, the request fails: a user who chose "always" must not be prompted again without an
        // explanation.
        if isOfFile, permission.isLasting {
            guard request.entry != nil else { return permission }
            try changeAccess(of: request.items.first, for: request.caller) { permission.access(after: $0) }
        } else if let lasting = LastingGrant(permission, rules: service.rules.current) {
            // By the current rules, because the prompt may have been open for a while.
            try storing { () throws(StoreError) in try service.store.remember(lasting) }
        } else if let held = HeldApproval(permission) {
            service.clientApprovals.hold(held, in: context.connection.run, for: service.path)
        }
        return permission
    }

    /// The number of times that a passcode may be mistyped in one confirmation. Each wrong entry counts as everywhere
    /// else.
    private static let passcodeTries = 3

    /// Shows a confirmation. If the keychain has a passcode, an approval requires it, because otherwise a program could
    /// show itself the prompt and answer it.
    ///
    /// - Returns: whether the user chose "Always Allow".
    private func confirm(
        _ request: ApprovalRequest, about items: AuditedItems, for context: RequestContext
    ) throws(RequestInterruption) -> Bool {
        let caller = request.caller
        let mayRemember = request.canBeRemembered(service.rules.current)
        let named = try promptedItems(of: request)
        var wasWrong = false
        for _ in 0..<Self.passcodeTries {
            let needsPasscode = service.lock.isProtected
            if needsPasscode, try refusing({ () throws(Refusal) in try service.lock.report() }).retryAfterSeconds > 0 {
                throw .refused(Refusal(.authenticationFailed, .tooManyAttempts), items)
            }
            var prompt = Prompt(
                .confirmation(mayRemember: mayRemember, needsPasscode: needsPasscode, wasWrong: wasWrong),
                caller: caller, operation: request.operation, items: named, itemCount: max(request.items.count, 1),
                keychain: service.path.map(FileKeychainPlaces.name))
            prompt.changesAccess = request.because == .notAccessOwner
            prompt.reason = context.authentication?.reason
            switch context.ask(prompt, service.prompter) {
            case .allowed(let always, let passcode):
                // The passcode may have been set or removed meanwhile: then the prompt is shown again, by the current
                // rules.
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
                return always && isKnownAsBefore
            case .notAsked(let obstacle):
                throw .refused(request.refusalIfUnanswered(obstacle), items)
            // The user did not answer after all.
            case .timedOut: throw .refused(request.refusalIfUnanswered(), items)
            case .cancelled: throw .refused(Refusal(.userCanceled, .none), items)
            case .denied, .fallback, .secret: throw .refused(request.refusalIfDenied, items)
            }
        }
        throw .refused(Refusal(.authenticationFailed, wasWrong ? .wrongSecret : .none), items)
    }

    /// Returns the concerned items with their display names, as far as they can be read now. The description of the
    /// entry that requires the approval is the label.
    private func promptedItems(of request: ApprovalRequest) throws(RequestInterruption) -> [PromptedItem] {
        // The caller adds items to its own groups only.
        var all = request.newItem.map { [PromptedItem($0)] } ?? []
        let scope = SearchScope.everything(own: request.caller.accessGroups, withEnforced: true)
        for item in request.items.prefix(PromptLimits.items) {
            guard var named = try promptedItem(item, in: scope, for: request.caller) else { continue }
            let description = request.entry?.description ?? ""
            if !description.isEmpty { named.names = named.names.labelled(description) }
            all.append(named)
        }
        return all
    }

    /// Carries out a request on the remembered grants and the approvals of clients.
    func answer(_ request: GrantRequest, for caller: Caller) throws(RequestInterruption) -> Answer {
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
                listed.append(ListedGrant(grant, names: try promptedItem(grant.reference, for: caller)?.names))
            }
            return (GrantPage(listed, next: next).frame, .served)
        case .listApprovals: return (ApprovalList(service.clientApprovals.list()).frame, .served)
        case .revoke(let selection):
            // Approvals that clients of bridges hold first, so that none is left if the store fails.
            let held = service.clientApprovals.revoke(selection)
            let count = try storing { () throws(StoreError) in try service.store.revokeGrants(selection) } + held
            guard count > 0 || selection == .all else { throw .refused(Refusal(.itemNotFound, .noSuchGrant)) }
            return (RevokedGrants(count: UInt32(clamping: count)).frame, .carriedOut)
        }
    }

    /// Returns the item with its display names, and its access group if the caller does not have it; nil if the caller
    /// may not read it now.
    func promptedItem(
        _ item: PersistentReference, for caller: Caller
    ) throws(RequestInterruption) -> PromptedItem? {
        try promptedItem(item, in: try scope(of: caller, .readAttributes, nil), for: caller)
    }

    private func promptedItem(
        _ item: PersistentReference, in scope: SearchScope, for caller: Caller
    ) throws(RequestInterruption) -> PromptedItem? {
        try storing { () throws(StoreError) in
            let found = try service.store.find(ItemQuery(item), in: scope, limit: .one, parts: .attributes)
            guard !found.isEmpty else { return nil }
            // The names are shown to the user in the prompt, and the caller receives none of them.
            switch policy.judge(caller, .match, found.facts) {
            case .ask: return nil
            case .authenticate: return nil
            case .refuse: return nil
            case .grant(let permit):
                do throws(StoreError) {
                    guard let (names, group) = try service.store.names(of: found, with: permit) else { return nil }
                    let isOther =
                        service.model == .accessGroups
                        && !caller.accessGroups.contains { $0.utf8.elementsEqual((group ?? "").utf8) }
                    return PromptedItem(names, otherGroup: isOther ? group : nil)
                } catch .keyNotAvailable {
                    // The keychain was locked after the verdict.
                    return nil
                }
            }
        }
    }
}

extension GrantRequest {
    fileprivate var administration: Administration {
        switch self {
        case .list, .listApprovals: .listGrants
        case .revoke: .revokeGrants
        }
    }
}
