// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// Items that require owner authentication.
extension Pipeline {
    /// The maximum number of approvals for one request: while a prompt is shown, other items may begin to match.
    private static let promptLimit = 3
    /// The maximum number of items of one request that may require owner authentication (semantics 5.5).
    private static let demandLimit = 20
    /// The number of times that an item's own password may be mistyped.
    private static let passwordLimit = 3
    /// The number of times that a change may find items whose own password was not checked.
    private static let checkLimit = 3

    /// Obtains what an interrupted request requires.
    ///
    /// - Throws: the interruption, if no prompt can resolve it or the request has used up its prompts.
    func resolve(
        _ interruption: RequestInterruption, for context: inout RequestContext
    ) throws(RequestInterruption) {
        switch interruption {
        case .ask(let request, let items):
            context.attempt.approvals += 1
            // In a keychain file, each item is prompted for separately.
            let limit = request.entry == nil ? Self.promptLimit : Self.demandLimit
            guard context.attempt.approvals <= limit else { throw interruption }
            context.attempt.evidence.permissions.append(try approval(of: request, about: items, for: context))
        case .authenticate(let demand, let items):
            context.attempt.demands += 1
            guard context.attempt.demands <= Self.demandLimit else {
                throw .refused(Refusal(.authenticationFailed, .authenticationNeeded), items)
            }
            try meet(demand, about: items, for: &context)
        case .material(let needed, let isNew, let items):
            context.attempt.passwords += 1
            guard context.attempt.material == nil else { throw .refused(Refusal(.internalError, .none), items) }
            context.attempt.material = try material(for: needed, isNew: isNew, about: items, for: context)
        case .wrongPassword(let needed, let items):
            context.attempt.passwords += 1
            let mayTypeAgain = context.authentication?.applicationPassword == nil
            guard mayTypeAgain, context.attempt.passwords <= Self.passwordLimit else {
                throw .refused(Refusal(.authenticationFailed, .wrongApplicationPassword), items)
            }
            context.attempt.material = try material(for: needed, wasWrong: true, about: items, for: context)
            context.attempt.checked = []
        case .checkPassword(let items):
            context.attempt.checks += 1
            guard context.attempt.checks <= Self.checkLimit else {
                throw .refused(Refusal(.authenticationFailed, .authenticationNeeded))
            }
            context.attempt.unchecked = items
        case .refused, .connectionLost: throw interruption
        }
    }

    private func meet(
        _ demand: AuthenticationDemand, about items: AuditedItems, for context: inout RequestContext
    ) throws(RequestInterruption) {
        guard context.mayPrompt else {
            throw .refused(Refusal(.interactionNotAllowed, .authenticationNeeded), items)
        }
        let before = context.attempt.evidence.proofs.filter { $0.item == nil || $0.item == demand.item }.map(\.factor)
        var named: [PromptedItem] = []
        if let item = demand.item, let known = try promptedItem(item, for: context.caller) { named.append(known) }
        let prompt = context.prompt(.passcode(wasWrong: false), demand.operation, named)
        let (outcome, factors) = context.connection.prompting {
            service.authenticator.meet(
                demand.requirement, shown: Set(before), with: prompt, at: context.connection.place)
        }
        if let refusal = outcome.refusal { throw .refused(refusal, items) }
        let isKept = context.authentication?.keepsProof == true
        for factor in factors where !before.contains(factor) {
            context.attempt.evidence.proofs.append(AuthenticationProof(factor, for: isKept ? nil : demand.item))
        }
        guard isKept else { return }
        context.attempt.contextFactors.formUnion(factors)
        var frame = ProofFrame(proof(of: context.attempt.contextFactors, for: context.caller)).frame
        do throws(ConnectionLostError) { try context.connection.send(&frame) } catch { throw .connectionLost }
    }

    /// Returns the material that opens items with these constraints, and seals new ones.
    private func material(
        for needed: AccessControl.Flags, isNew: Bool = false, wasWrong: Bool = false, about items: AuditedItems,
        for context: RequestContext
    ) throws(RequestInterruption) -> ItemKeyMaterial {
        var password: SecretBytes?
        if needed.contains(.applicationPassword) {
            password = context.authentication?.applicationPassword
            if password == nil {
                password = try typedPassword(isNew: isNew, wasWrong: wasWrong, about: items, for: context)
            }
        }
        let needsEnrolment = needed.contains(.biometryCurrentSet)
        let digest = needsEnrolment ? try enrolment(of: context.caller, items) : nil
        return try storing { () throws(StoreError) in
            let enrolment = needsEnrolment ? try service.store.enrolmentSecret(for: digest) : nil
            return try service.store.material(password: password, enrolment: enrolment)
        }
    }

    /// Returns the digest of the currently enrolled fingers; nil if none is enrolled. If the reader is absent or does
    /// not answer, the request is refused, and the stored secret is kept.
    private func enrolment(of caller: Caller, _ items: AuditedItems) throws(RequestInterruption) -> [UInt8]? {
        let state = service.authenticator.state(of: caller.userID)
        guard state.biometry != .notAvailable else {
            throw .refused(Refusal(.authenticationFailed, .factorNotAvailable), items)
        }
        return state.enrolment
    }

    private func typedPassword(
        isNew: Bool, wasWrong: Bool, about items: AuditedItems, for context: RequestContext
    ) throws(RequestInterruption) -> SecretBytes {
        guard context.mayPrompt else {
            throw .refused(Refusal(.interactionNotAllowed, .authenticationNeeded), items)
        }
        let prompt = context.prompt(
            .applicationPassword(isNew: isNew, wasWrong: wasWrong), isNew ? .add : .readData)
        let outcome: AuthenticationOutcome
        switch context.ask(prompt, service.prompter) {
        case .secret(let password): return password
        case .notAsked: outcome = .notInteractive
        case .cancelled: outcome = .cancelled
        case .timedOut: outcome = .withdrawn
        case .fallback, .denied, .allowed: outcome = .failed
        }
        throw .refused(outcome.refusal ?? Refusal(.authenticationFailed, .authenticationNeeded), items)
    }

    /// Checks the own passwords of items that the caller may change. A wrong entry cannot be counted inside the
    /// transaction that changes them.
    func checkPasswords(for context: inout RequestContext) throws(RequestInterruption) {
        guard let material = context.attempt.material else { return }
        for item in context.attempt.unchecked {
            let scope = SearchScope.everything(own: context.caller.accessGroups, withEnforced: true)
            do throws(StoreError) {
                let found = try service.store.find(ItemQuery(item), in: scope, limit: .one, parts: .data)
                try check(found, material)
            } catch {
                throw error == .wrongPassword ? .wrongPassword(.applicationPassword, .none) : .refused(error.refusal)
            }
            context.attempt.checked.insert(item)
        }
        context.attempt.unchecked = []
    }

    /// Refuses items that could never be read (semantics 5.3).
    func checkAvailability(of attributes: ItemAttributes, for caller: Caller) throws(RequestInterruption) {
        guard !attributes.constraints.isEmpty else { return }
        try refusing { () throws(Refusal) in
            try ProtectionRules.checkAvailability(attributes) { requirement in
                service.authenticator.state(of: caller.userID, for: requirement)
            }
        }
    }

    // MARK: LAContext

    /// Authenticates the caller's user, without any item.
    func authenticate(
        _ request: AuthenticationRequest, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let (caller, place) = (context.caller, context.connection.place)
        _ = try scope(of: caller, .probe, nil)
        let requirement: AuthenticationRequirement?
        switch request {
        case .state: return (AuthenticationAnswer(.success, state(for: context)).frame, .served)
        case .evaluate(let policy): requirement = policy.requirement
        case .evaluateAccessControl(let control, let operation): requirement = control.flags.requirement(for: operation)
        case .unlock: return try unlock(for: context, orByPasscode: false)
        case .unlockByPrompt: return try unlock(for: context, orByPasscode: true)
        }
        let before = factors(shownBefore: context.authentication, for: caller)
        var (outcome, shown) = (AuthenticationOutcome.success, before)
        if let requirement, !requirement.isMet(by: before) {
            let state = service.authenticator.state(of: caller.userID, for: requirement)
            if let obstacle = requirement.obstacle(in: state) {
                outcome = obstacle
            } else if !context.mayPrompt {
                outcome = .notInteractive
            } else {
                (outcome, shown) = context.connection.prompting {
                    service.authenticator.meet(
                        requirement, shown: before, with: context.prompt(.passcode(wasWrong: false)), at: place)
                }
            }
        }
        return answer(outcome, shownBy: outcome == .success ? shown : [], for: context)
    }

    /// Unlocks the keychain by fingerprint, or by the passcode if the caller's user chooses that.
    ///
    /// - Parameter orByPasscode: whether to prompt for the passcode where no fingerprint can unlock the keychain. A
    ///   keychain that is unlocked then needs no prompt.
    private func unlock(
        for context: RequestContext, orByPasscode: Bool
    ) throws(RequestInterruption) -> Answer {
        let (caller, place) = (context.caller, context.connection.place)
        var prompt = context.prompt(.passcode(wasWrong: false))
        let enter = { (secret: ProtectorSecret<SecretBytes>) throws(Refusal) in
            try unlock(with: secret, by: caller.processID)
        }
        let (outcome, factor) = try refusing { () throws(Refusal) -> (AuthenticationOutcome, AuthenticationFactor?) in
            try AdministrationPolicy.check(
                caller, .unlock, proof: nil, isProtected: service.lock.isProtected, authorization: .missing)
            if orByPasscode, service.store.lockState == .unlocked { return (.success, nil) }
            return try context.connection.prompting {
                () throws(Refusal) -> (AuthenticationOutcome, AuthenticationFactor?) in
                do throws(Refusal) {
                    let result = try service.fingerUnlock.unlock(
                        with: prompt, at: place, mayAsk: context.mayPrompt, enter: enter)
                    let hasNoFinger = [.biometryNotAvailable, .biometryNotEnrolled].contains(result.outcome)
                    guard orByPasscode, hasNoFinger else { return result }
                } catch {
                    let needsPasscode = [.noUnlockByFinger, .passcodeNeededFirst].contains(error.reason)
                    guard orByPasscode, needsPasscode else { throw error }
                }
                guard context.mayPrompt else { return (.notInteractive, nil) }
                prompt.unlocks = true
                let outcome = service.authenticator.showPasscode(prompt, at: place, enter)
                return (outcome, outcome == .success ? .passcode : nil)
            }
        }
        return answer(outcome, shownBy: factor.map { [$0] } ?? [], for: context)
    }

    /// - Parameter factors: the authentication of which the answer contains a proof.
    private func answer(
        _ outcome: AuthenticationOutcome, shownBy factors: Set<AuthenticationFactor>, for context: RequestContext
    ) -> Answer {
        let proof = factors.isEmpty ? nil : proof(of: factors, for: context.caller)
        let answer = AuthenticationAnswer(outcome, state(for: context), proof: proof)
        return (answer.frame, outcome.refusal.map { .refused($0, .none) } ?? .carriedOut)
    }

    private func state(for context: RequestContext) -> AuthenticationState {
        var state = service.authenticator.state(of: context.caller.userID)
        state.prompter = service.prompter.way(at: context.connection.place)
        return state
    }

    // MARK: Proofs

    /// The lifetime of a proof, in nanoseconds.
    private static let proofLifetime: UInt64 = 3600 * 1_000_000_000

    /// Returns the authentication that was given before a request: by its proofs, or by a fingerprint that unlocked the
    /// keychain.
    func factors(
        shownBefore authentication: RequestAuthentication<SecretBytes>?, for caller: Caller
    ) -> Set<AuthenticationFactor> {
        guard let authentication else { return [] }
        var factors = factors(of: authentication.proofs, for: caller)
        if service.fingerUnlock.wasUnlocked(withinMilliseconds: authentication.reuseMilliseconds) {
            factors.insert(.biometry)
        }
        return factors
    }

    func factors(of proofs: [[UInt8]], for caller: Caller) -> Set<AuthenticationFactor> {
        guard !proofs.isEmpty else { return [] }
        let (holder, now, epoch) = (caller.proofHolder, service.lock.now, service.store.epoch)
        var factors: Set<AuthenticationFactor> = []
        for proof in proofs {
            guard let contents = service.store.proofKey.contents(of: proof, for: holder), contents.epoch == epoch,
                contents.time <= now, now - contents.time <= Self.proofLifetime
            else { continue }
            factors.formUnion(contents.factors)
        }
        return factors
    }

    private func proof(of factors: Set<AuthenticationFactor>, for caller: Caller) -> [UInt8] {
        service.store.proofKey.proof(
            of: factors, time: service.lock.now, epoch: service.store.epoch,
            for: caller.proofHolder)
    }
}

extension Caller {
    fileprivate var proofHolder: ProofKey.Holder {
        ProofKey.Holder(user: userID, process: processID, start: processStart, program: "\(identity)")
    }
}
