// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

/// The state carried between attempts of a request: approvals, authentication, and the key material for items with
/// constraints.
struct Effort {
    var evidence = Evidence.none
    /// The key material; nil until an item needs it.
    var material: ItemKeyMaterial?
    /// Items to change whose own password has to be checked, and counted, before the transaction that changes them.
    var unchecked: [PersistentReference] = []
    /// Items to change whose own password was checked.
    var checked: Set<PersistentReference> = []
    /// Whether items that require a prompt are left out.
    var skips = false
    /// Whether the request contains a password.
    var hasPassword = false

    /// The initial state: no approvals and no material.
    static let plain = Effort()

    /// Returns whether an item can be used without a prompt.
    func suffices(for item: ItemFacts, _ operation: Operation, by caller: Caller) -> Bool {
        !item.needsPerson(for: operation, by: caller, evidence)
            && (hasPassword || !item.constraints.contains(.applicationPassword))
    }
}

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

    /// Runs `attempt`. If it requires an approval, authentication or a password, obtains that without holding any lock
    /// of the store, and runs `attempt` again.
    ///
    /// - Parameter attempt: must have no effect and must have sent nothing when it throws an interruption that requires
    ///   a prompt.
    func answering(
        _ asking: Asking, for caller: Caller, send: Send, _ attempt: (Effort) throws(Stop) -> Answer
    ) throws(Stop) -> Answer {
        var effort = Effort()
        var context: Set<AuthenticationFactor> = []
        if let authentication = asking.authentication {
            effort.skips = authentication.interaction == .skip
            effort.hasPassword = authentication.applicationPassword != nil
            context = factors(of: authentication.proofs, for: caller)
            effort.evidence.proofs = factors(shownBefore: authentication, for: caller).map {
                AuthenticationProof($0, for: nil)
            }
        }
        var (prompts, demands, passwords, checks) = (0, 0, 0, 0)
        while true {
            do throws(Stop) {
                try checkPasswords(&effort, for: caller)
                return try attempt(effort)
            } catch {
                guard error.asks else { throw error }
                switch error {
                case .ask(let request, let items):
                    prompts += 1
                    // In a keychain file, each item is prompted for separately.
                    guard prompts <= (request.entry == nil ? Self.promptLimit : Self.demandLimit) else { throw error }
                    let permission = try asking.time.during { () throws(Stop) in
                        try approval(of: request, about: items, asking)
                    }
                    effort.evidence.permissions.append(permission)
                case .authenticate(let demand, let items):
                    demands += 1
                    guard demands <= Self.demandLimit else {
                        throw .refused(Refusal(.authenticationFailed, .authenticationNeeded), items)
                    }
                    try meet(demand, items, asking, for: caller, &effort, &context, send)
                case .material(let needed, let isNew, let items):
                    passwords += 1
                    guard effort.material == nil else { throw .refused(Refusal(.internalError, .none), items) }
                    effort.material = try material(
                        for: needed, isNew: isNew, wasWrong: false, items, asking, for: caller)
                case .wrongPassword(let needed, let items):
                    passwords += 1
                    let mayTypeAgain = asking.authentication?.applicationPassword == nil
                    guard mayTypeAgain, passwords <= Self.passwordLimit else {
                        throw .refused(Refusal(.authenticationFailed, .wrongApplicationPassword), items)
                    }
                    effort.material = try material(
                        for: needed, isNew: false, wasWrong: true, items, asking, for: caller)
                    effort.checked = []
                case .checkPassword(let items):
                    checks += 1
                    guard checks <= Self.checkLimit else {
                        throw .refused(Refusal(.authenticationFailed, .authenticationNeeded))
                    }
                    effort.unchecked = items
                case .refused, .connectionLost: throw error
                }
            }
        }
    }

    private func meet(
        _ demand: AuthenticationDemand, _ items: AuditedItems, _ asking: Asking, for caller: Caller,
        _ effort: inout Effort, _ context: inout Set<AuthenticationFactor>, _ send: Send
    ) throws(Stop) {
        guard asking.mayAsk else {
            throw .refused(Refusal(.interactionNotAllowed, .authenticationNeeded), items)
        }
        let before = effort.evidence.proofs.filter { $0.item == nil || $0.item == demand.item }.map(\.factor)
        var names: [ItemNames] = []
        if let item = demand.item, let known = try self.names(of: item, for: caller) { names.append(known) }
        let prompt = asking.prompt(.passcode(wasWrong: false), for: caller, demand.operation, names)
        let (outcome, factors) = asking.time.during {
            service.authenticator.meet(demand.requirement, shown: Set(before), with: prompt, at: asking.place)
        }
        if let refusal = outcome.refusal { throw .refused(refusal, items) }
        let isKept = asking.authentication?.keepsProof == true
        for factor in factors where !before.contains(factor) {
            effort.evidence.proofs.append(AuthenticationProof(factor, for: isKept ? nil : demand.item))
        }
        guard isKept else { return }
        context.formUnion(factors)
        var frame = ProofFrame(proof(of: context, for: caller)).frame
        do throws(ConnectionLost) { try send(&frame) } catch { throw .connectionLost }
    }

    /// Returns the material that opens items with these constraints, and seals new ones.
    private func material(
        for needed: AccessControl.Flags, isNew: Bool, wasWrong: Bool, _ items: AuditedItems, _ asking: Asking,
        for caller: Caller
    ) throws(Stop) -> ItemKeyMaterial {
        var password = asking.authentication?.applicationPassword
        if needed.contains(.applicationPassword), password == nil {
            password = try typedPassword(isNew: isNew, wasWrong: wasWrong, items, asking, for: caller)
        }
        let givenPassword = needed.contains(.applicationPassword) ? password : nil
        let needsEnrolment = needed.contains(.biometryCurrentSet)
        let digest = needsEnrolment ? try enrolment(of: caller, items) : nil
        return try storing { () throws(StoreError) in
            let enrolment = needsEnrolment ? try service.store.enrolmentSecret(for: digest) : nil
            return try service.store.material(password: givenPassword, enrolment: enrolment)
        }
    }

    /// Returns the digest of the currently enrolled fingers; nil if none is enrolled. If the reader is absent or does
    /// not answer, the request is refused, and the stored secret is kept.
    private func enrolment(of caller: Caller, _ items: AuditedItems) throws(Stop) -> [UInt8]? {
        let state = service.authenticator.state(of: caller.userID)
        guard state.biometry != .notAvailable else {
            throw .refused(Refusal(.authenticationFailed, .factorNotAvailable), items)
        }
        return state.enrolment
    }

    private func typedPassword(
        isNew: Bool, wasWrong: Bool, _ items: AuditedItems, _ asking: Asking, for caller: Caller
    ) throws(Stop) -> SecretBytes {
        guard asking.mayAsk else {
            throw .refused(Refusal(.interactionNotAllowed, .authenticationNeeded), items)
        }
        let prompt = asking.prompt(
            .applicationPassword(isNew: isNew, wasWrong: wasWrong), for: caller, isNew ? .add : .readData, [])
        let outcome: AuthenticationOutcome
        switch asking.time.during({ service.prompter.ask(prompt, for: asking.place) }) {
        case .secret(let password): return password
        case .notAsked: outcome = .notInteractive
        case .cancelled: outcome = .cancelled
        case .timedOut: outcome = .withdrawn
        case .fallback, .denied, .allowed: outcome = .failed
        }
        throw .refused(outcome.refusal ?? Refusal(.authenticationFailed, .authenticationNeeded), items)
    }

    // MARK: Attempts

    /// Returns the material that opens the found items, after the authentication that they require. Returns no material
    /// if none is needed.
    func material(
        for found: FoundItems, _ operation: Operation, _ effort: Effort, by caller: Caller
    ) throws(Stop) -> ItemKeyMaterial {
        try material(for: found.facts, AuditedItems(of: found), operation, effort, by: caller) {
            material throws(StoreError) in try check(found, material)
        }
    }

    func material(
        for found: FoundIdentities, _ operation: Operation, _ effort: Effort, by caller: Caller
    ) throws(Stop) -> ItemKeyMaterial {
        try material(for: found.facts, AuditedItems(of: found), operation, effort, by: caller) {
            material throws(StoreError) in
            try service.lock.ledger.checkingOwnPasswords(found.ownPasswords) { () throws(StoreError) in
                try service.store.check(found, material: material)
            }
        }
    }

    /// Checks the items' own passwords. Each item has a separate count.
    private func check(_ found: FoundItems, _ material: ItemKeyMaterial) throws(StoreError) {
        try service.lock.ledger.checkingOwnPasswords(found.ownPasswords) { () throws(StoreError) in
            try service.store.check(found, material: material)
        }
    }

    /// Checks the own passwords of items that the caller may change. A wrong entry cannot be counted inside the
    /// transaction that changes them.
    private func checkPasswords(_ effort: inout Effort, for caller: Caller) throws(Stop) {
        guard let material = effort.material else { return }
        for item in effort.unchecked {
            let scope = SearchScope.everything(own: caller.accessGroups, withEnforced: true)
            do throws(StoreError) {
                let found = try service.store.find(ItemQuery(item), in: scope, limit: .one, parts: .data)
                try check(found, material)
            } catch {
                throw error == .wrongPassword ? .wrongPassword(.applicationPassword, .none) : .refused(error.refusal)
            }
            effort.checked.insert(item)
        }
        effort.unchecked = []
    }

    private func material(
        for items: [ItemFacts], _ audited: @autoclosure () -> AuditedItems, _ operation: Operation, _ effort: Effort,
        by caller: Caller, _ check: (ItemKeyMaterial) throws(StoreError) -> Void
    ) throws(Stop) -> ItemKeyMaterial {
        let needed = Self.neededMaterial(of: items)
        guard !needed.isEmpty else { return .none }
        // The administration tool's list of the user's items needs no material.
        if caller.isAdministrationTool, operation == .probe || operation == .readAttributes { return .none }
        guard let material = effort.material else { throw .material(needed, isNew: false, audited()) }
        do throws(StoreError) {
            try check(material)
            return material
        } catch {
            throw error == .wrongPassword ? .wrongPassword(needed, audited()) : .refused(error.refusal, audited())
        }
    }

    /// Returns the material for sealing a new or changed item.
    ///
    /// - Parameter existing: the item that is changed.
    func material(
        sealing attributes: ItemAttributes, existing: [ItemFacts] = [], _ effort: Effort
    ) throws(Stop) -> ItemKeyMaterial {
        let old = Self.neededMaterial(of: existing)
        let needed = old.union(attributes.constraints.intersection(.material))
        guard !needed.isEmpty else { return .none }
        let isNew = !old.contains(.applicationPassword)
        guard let material = effort.material else { throw .material(needed, isNew: isNew, .none) }
        return material
    }

    /// Returns the interruption that a judge reports instead of a grant, inside a transaction, if sealing requires
    /// material that is not available: nothing waits inside a transaction. Nil if the material is available.
    func missingMaterial(
        sealing changes: ItemAttributes, _ items: [ItemFacts], _ operation: Operation, _ effort: Effort,
        _ needed: inout Result<ItemKeyMaterial, Stop>
    ) -> Decision? {
        guard operation == .update else { return nil }
        do throws(Stop) {
            _ = try material(sealing: changes, existing: items, effort)
            let unchecked = items.filter { $0.constraints.contains(.applicationPassword) }.compactMap(\.reference)
                .filter { !effort.checked.contains($0) }
            guard !unchecked.isEmpty else { return nil }
            throw Stop.checkPassword(unchecked)
        } catch {
            needed = .failure(error)
            return .refuse(Refusal(.interactionNotAllowed, .authenticationNeeded))
        }
    }

    /// Changes items; if material was missing, throws the interruption instead of the refusal that represented it.
    func changing<Outcome>(
        _ needed: inout Result<ItemKeyMaterial, Stop>,
        _ change: (_ needed: inout Result<ItemKeyMaterial, Stop>) throws(StoreError) -> Outcome
    ) throws(Stop) -> Outcome {
        let outcome: Outcome
        do throws(StoreError) {
            outcome = try change(&needed)
        } catch .wrongPassword {
            throw .wrongPassword(.applicationPassword, .none)
        } catch {
            throw .refused(error.refusal)
        }
        _ = try needed.get()
        return outcome
    }

    static func neededMaterial(of items: [ItemFacts]) -> AccessControl.Flags {
        var all: AccessControl.Flags = []
        for item in items { all.formUnion(item.constraints) }
        return all.intersection(.material)
    }

    /// Refuses items that could never be read (semantics 5.3).
    func checkAvailability(of attributes: ItemAttributes, for caller: Caller) throws(Stop) {
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
        _ request: AuthenticationRequest, _ asking: Asking, for caller: Caller
    ) throws(Stop) -> Answer {
        _ = try scope(of: caller, .probe, nil)
        let requirement: AuthenticationRequirement?
        switch request {
        case .state: return (AuthenticationAnswer(.success, state(asking, of: caller)).frame, .served)
        case .evaluate(let policy): requirement = policy.requirement
        case .evaluateAccessControl(let control, let operation): requirement = control.flags.requirement(for: operation)
        case .unlock: return try unlock(asking, for: caller)
        }
        let before = factors(shownBefore: asking.authentication, for: caller)
        var (outcome, shown) = (AuthenticationOutcome.success, before)
        if let requirement, !requirement.isMet(by: before) {
            let state = service.authenticator.state(of: caller.userID, for: requirement)
            if let obstacle = requirement.obstacle(in: state) {
                outcome = obstacle
            } else if !asking.mayAsk {
                outcome = .notInteractive
            } else {
                (outcome, shown) = asking.time.during {
                    service.authenticator.meet(
                        requirement, shown: before,
                        with: asking.prompt(.passcode(wasWrong: false), for: caller, nil, []), at: asking.place)
                }
            }
        }
        let isShown = outcome == .success && !shown.isEmpty
        let answer = AuthenticationAnswer(
            outcome, state(asking, of: caller), proof: isShown ? proof(of: shown, for: caller) : nil)
        if let refusal = outcome.refusal { return (answer.frame, .refused(refusal, .none)) }
        return (answer.frame, .carriedOut)
    }

    /// Unlocks the keychain by fingerprint, or by the passcode if the caller's user chooses that.
    private func unlock(_ asking: Asking, for caller: Caller) throws(Stop) -> Answer {
        let prompt = asking.prompt(.passcode(wasWrong: false), for: caller, nil, [])
        var outcome = AuthenticationOutcome.notInteractive
        var factor: AuthenticationFactor?
        try refusing { () throws(Refusal) in
            try AdministrationPolicy.check(
                caller, .unlock, proof: nil, isProtected: service.lock.isProtected, authorization: .missing)
            try asking.time.during { () throws(Refusal) in
                (outcome, factor) = try service.fingerUnlock.unlock(
                    with: prompt, at: asking.place, mayAsk: asking.mayAsk
                ) {
                    secret throws(Refusal) in try unlock(with: secret, by: caller.processID)
                }
            }
        }
        let proof = factor.map { self.proof(of: [$0], for: caller) }
        let answer = AuthenticationAnswer(outcome, state(asking, of: caller), proof: proof)
        if let refusal = outcome.refusal { return (answer.frame, .refused(refusal, .none)) }
        return (answer.frame, .carriedOut)
    }

    private func state(_ asking: Asking, of caller: Caller) -> AuthenticationState {
        var state = service.authenticator.state(of: caller.userID)
        state.prompter = service.prompter.way(at: asking.place)
        return state
    }

    // MARK: Proofs

    /// The lifetime of a proof, in nanoseconds.
    private static let proofLifetime: UInt64 = 3600 * 1_000_000_000

    /// Returns the authentication that was given before a request: by its proofs, or by a fingerprint that unlocked the
    /// keychain.
    private func factors(
        shownBefore authentication: RequestAuthentication<SecretBytes>?, for caller: Caller
    ) -> Set<AuthenticationFactor> {
        guard let authentication else { return [] }
        var factors = factors(of: authentication.proofs, for: caller)
        if service.fingerUnlock.wasUnlocked(withinMilliseconds: authentication.reuseMilliseconds) {
            factors.insert(.biometry)
        }
        return factors
    }

    private func factors(of proofs: [[UInt8]], for caller: Caller) -> Set<AuthenticationFactor> {
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

/// The way and the place to prompt the user of a request.
struct Asking {
    let authentication: RequestAuthentication<SecretBytes>?
    let place: PersonsPlace
    /// Measures the time of prompts.
    let time: AskingTime

    var mayAsk: Bool { authentication?.interaction ?? .allow == .allow }

    func prompt(_ purpose: Prompt.Purpose, for caller: Caller, _ operation: Operation?, _ items: [ItemNames]) -> Prompt
    {
        Prompt(
            purpose, caller: caller, operation: operation, items: items, reason: authentication?.reason,
            cancelTitle: authentication?.cancelTitle, fallbackTitle: authentication?.fallbackTitle)
    }
}

extension Caller {
    fileprivate var proofHolder: ProofKey.Holder {
        ProofKey.Holder(user: userID, process: processID, start: processStart, program: "\(identity)")
    }
}

extension ItemAttributes {
    var constraints: AccessControl.Flags {
        if case .accessControl(let control) = self[.accessControl] { control.flags } else { [] }
    }
}
