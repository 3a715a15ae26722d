// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire
internal import SecretMemory

// Keychain files. Any program of their user may list, lock, unlock and delete them; an item's access object decides
// which programs may read the item.
extension Pipeline {
    func carryOut(
        _ request: FileKeychainRequest<SecretBytes>, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        guard let files = service.files else { throw .refused(Refusal(.notAvailable, .notSupportedYet)) }
        if case .setPartitions(let path, let items, let partitions, let password) = request {
            return try setPartitions(partitions, of: items, in: path, password: password, files: files, for: context)
        }
        return try refusing { () throws(Refusal) in
            _ = try FileKeychainPolicy.scope(of: context.caller)
            return try carryOut(request, in: files, for: context)
        }
    }

    private func carryOut(
        _ request: FileKeychainRequest<SecretBytes>, in files: FileKeychains, for context: RequestContext
    ) throws(Refusal) -> Answer {
        let caller = context.caller
        let processID = caller.processID
        switch request {
        case .report(let path): return Self.looked(at: [try files.report(path)])
        case .list:
            var reports: [FileKeychainReport] = []
            for path in files.places.all() { reports.append(try files.report(path)) }
            return Self.looked(at: reports)
        case .readList(let domain): return (try files.lists.list(of: domain).frame, .served)
        case .create(let path, let password):
            let password = try given(password) { () throws(Refusal) in
                try newPassword(for: path, for: context)
            }
            return (FileKeychainAnswer([try files.create(path, password: password, by: processID)]).frame, .carriedOut)
        case .delete(let path): try files.delete(path, by: processID)
        case .lock(let path): _ = try files.using(path) { $0.lock.lock(by: processID) }
        case .lockAll: files.lockAll(by: processID)
        case .unlock(let path, let password):
            try files.using(path) { keychain throws(Refusal) in
                if let password { return try keychain.unlock(with: password, by: processID) }
                guard keychain.isLocked else { return }
                try unlock(keychain, for: context)
            }
        case .change(let path, let settings):
            try files.using(path) { keychain throws(Refusal) in
                if keychain.isLocked { try unlock(keychain, for: context) }
                try keychain.lock.changeWhileUnlocked(settings)
            }
        case .changePassword(let path, let old, let new):
            try files.using(path) { keychain throws(Refusal) in
                let old = try given(old) { () throws(Refusal) in try password(of: keychain, for: context) }
                let proof = ProtectorSecret(.passcode, old)
                // Before the prompt for a new password.
                if new == nil { try keychain.lock.verify(proof) }
                let new = try given(new) { () throws(Refusal) in try newPassword(for: path, for: context) }
                try keychain.lock.setPasscode(new, proof: proof, by: processID)
            }
        case .copy(let path, let destination): try files.copy(path, to: destination)
        case .restore(let path, let source):
            return (FileKeychainAnswer([try files.restore(source, as: path, by: processID)]).frame, .carriedOut)
        case .setDefault(let domain, let path): try files.setDefault(path, of: domain, by: caller)
        case .setSearchList(let domain, let paths): try files.setSearchList(paths, of: domain, by: caller)
        case .addToSearchList(let domain, let paths): try files.addToSearchList(paths, of: domain, by: caller)
        case .removeFromSearchList(let domain, let paths):
            try files.removeFromSearchList(paths, of: domain, by: caller)
        case .adopt(let domain, let path, let former):
            try files.adopt(path, replacing: former, of: domain, by: caller)
        case .setPartitions:
            // This request names items in the audit log, and is carried out before this point.
            throw Refusal(.internalError, .none)
        }
        return (FileKeychainAnswer([]).frame, .carriedOut)
    }

    private static func looked(at reports: [FileKeychainReport]) -> Answer {
        (FileKeychainAnswer(reports).frame, .served)
    }

    // MARK: Items

    /// Carries out a request for the items of a keychain file.
    func perform(
        _ request: Request<SecretBytes>, inKeychain path: String, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        guard let files = service.files else { throw .refused(Refusal(.notAvailable, .notSupportedYet)) }
        return try files.using(path, failure: { RequestInterruption.refused($0) }) {
            keychain throws(RequestInterruption) in
            let request = try refusing { () throws(Refusal) in try Self.adapted(request, for: context.caller) }
            do throws(RequestInterruption) {
                return try keychain.perform(request, for: context, holding: memory)
            } catch .refused(let refusal, let items)
                where refusal.reason == .locked && keychain.isLocked && context.mayPrompt
            {
                // The user may know the password. If no prompt can be shown, the refusal stays as it is.
                do throws(Refusal) {
                    try unlock(keychain, for: context)
                } catch {
                    throw .refused(error.status == .interactionNotAllowed ? refusal : error, items)
                }
                return try keychain.perform(request, for: context, holding: memory)
            }
        }
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

    // MARK: Passwords

    /// The number of times that the password of a keychain may be mistyped.
    private static let passwordLimit = 3

    /// Prompts for the password and unlocks a keychain.
    ///
    /// - Throws: `errSecInteractionNotAllowed` if no prompt can be shown; `errSecUserCanceled`; `errSecAuthFailed`.
    private func unlock(_ keychain: OpenFileKeychain, for context: RequestContext) throws(Refusal) {
        for attempt in 1...Self.passwordLimit {
            let password = try typed(.passcode(wasWrong: attempt > 1), keychain.path, for: context)
            do throws(Refusal) {
                return try keychain.unlock(with: password, by: context.caller.processID)
            } catch {
                guard error.reason == .wrongSecret, attempt < Self.passwordLimit else { throw error }
            }
        }
    }

    private func given(
        _ secret: SecretBytes?, orElse ask: () throws(Refusal) -> SecretBytes
    ) throws(Refusal) -> SecretBytes {
        if let secret { return secret }
        return try ask()
    }

    func password(
        of keychain: OpenFileKeychain, for context: RequestContext
    ) throws(Refusal) -> SecretBytes {
        try typed(.passcode(wasWrong: false), keychain.path, for: context)
    }

    private func newPassword(for path: String, for context: RequestContext) throws(Refusal) -> SecretBytes {
        try typed(.applicationPassword(isNew: true, wasWrong: false), path, for: context)
    }

    private func typed(
        _ purpose: Prompt.Purpose, _ path: String, for context: RequestContext
    ) throws(Refusal) -> SecretBytes {
        guard context.mayPrompt else { throw Self.unanswered }
        var prompt = context.prompt(purpose)
        prompt.keychain = FileKeychainPlaces.name(of: path)
        switch context.ask(prompt, service.prompter) {
        case .secret(let password): return password
        case .notAsked: throw Self.unanswered
        case .cancelled: throw Refusal(.userCanceled, .authenticationNeeded)
        case .timedOut, .fallback, .denied, .allowed: throw Refusal(.authenticationFailed, .authenticationNeeded)
        }
    }

    private static let unanswered = Refusal(.interactionNotAllowed, .authenticationNeeded)
}

extension OpenFileKeychain {
    func unlock(with password: SecretBytes, by processID: Int32) throws(Refusal) {
        try lock.unlock(with: ProtectorSecret(.passcode, password), by: processID)
    }

    fileprivate func perform(
        _ request: Request<SecretBytes>, for context: RequestContext, holding memory: RequestMemory.Share?
    ) throws(RequestInterruption) -> Pipeline.Answer {
        let answer = try pipeline.holding(memory).perform(request, for: context)
        if case .granted = answer.outcome { lock.noteUse() }
        return answer
    }
}
