// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// Backups are sent and received in pieces: the service holds one piece, however large the keychain is. Every piece is
// judged separately, so that a lock in between ends the job.
extension Pipeline {
    func backUp(
        _ request: BackupRequest<SecretBytes>, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let connection = context.connection.nonce
        let jobs = service.jobs
        jobs.endAbandoned()
        switch request {
        case .begin(let secret, let proof):
            _ = try backupGrant(context.caller, .backUp)
            try checkUsable(secret)
            let authorization = try prove(.backUp, proof, for: context)
            return try beginBackup(secret, authorization, isApproved: false, on: connection)
        case .approvePortable:
            _ = try backupGrant(context.caller, .backUp)
            let count = try itemCount()
            let token = jobs.token()
            var authorization = OwnerAuthorization.missing
            // One prompt at a time: the slot is reserved while the owner thinks.
            try jobs.begin(in: jobs.approvals, token, on: connection, underWay: .underWay) {
                () throws(RequestInterruption) in
                authorization = try prove(.backUpPortable, nil, for: context)
                return authorization
            }
            return (
                BackupBegun(token: token, form: .portable, itemCount: count).frame,
                .carriedOut.proven(by: authorization)
            )
        case .beginPortable(let secret, let approval):
            _ = try backupGrant(context.caller, .backUp)
            try checkUsable(secret)
            var authorization = OwnerAuthorization.missing
            try jobs.approvals.with(approval, on: connection, at: { jobs.now }, ended: RequestInterruption.jobEnded) {
                given throws(RequestInterruption) in
                authorization = given
                return false
            }
            // A passcode may have been set since the approval: then it has to be given.
            try refusing { () throws(Refusal) in
                try AdministrationPolicy.check(
                    context.caller, .backUpPortable, proof: nil, isProtected: service.lock.isProtected,
                    authorization: authorization)
            }
            return try beginBackup(secret, authorization, isApproved: true, on: connection)
        case .next(let token):
            var piece: BackupPiece?
            try jobs.backups.with(token, on: connection, at: { jobs.now }, ended: RequestInterruption.jobEnded) {
                job throws(RequestInterruption) in
                let next = try job.next(
                    of: service.store,
                    grant: { () throws(RequestInterruption) in try backupGrant(context.caller, .backUp) },
                    failing: { .refused($0.refusal) })
                piece = next
                // A running backup counts as use of the keychain.
                service.lock.noteUse()
                return !next.isLast
            }
            guard let piece else { throw .jobEnded }
            return (
                piece.frame,
                piece.isLast
                    ? .granted(
                        items: .init(unnamed: Int(clamping: piece.counts.items)), accessGroups: [], by: .administration)
                    : .served
            )
        case .cancel(let token):
            jobs.backups.end(token, on: connection)
            return (finished(), .served)
        }
    }

    private func itemCount() throws(RequestInterruption) -> UInt64 {
        let statistics = try storing { () throws(StoreError) in try service.store.statistics() }
        return UInt64(statistics.items.values.reduce(0, +) + statistics.unreadable)
    }

    /// - Parameter isApproved: whether the owner approved a portable backup.
    private func beginBackup(
        _ secret: BackupSecret<SecretBytes>, _ authorization: OwnerAuthorization, isApproved: Bool,
        on connection: [UInt8]
    ) throws(RequestInterruption) -> Answer {
        let jobs = service.jobs
        let count = try itemCount()
        let token = jobs.token()
        var form = BackupForm.portable
        try jobs.begin(in: jobs.backups, token, on: connection, underWay: .underWay) {
            () throws(RequestInterruption) in
            do throws(BackupError) {
                let job = BackupJob(
                    try service.store.beginBackup(secret, cost: jobs.cost, isApproved: isApproved))
                form = job.form
                return job
            } catch {
                throw .refused(error.refusal)
            }
        }
        return (
            BackupBegun(token: token, form: form, itemCount: count).frame, .carriedOut.proven(by: authorization)
        )
    }

    func restore(
        _ request: RestoreRequest<SecretBytes>, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let connection = context.connection.nonce
        let jobs = service.jobs
        jobs.endAbandoned()
        switch request {
        case .begin(let order): return try beginRestore(order, for: context)
        case .records(let token, let bytes):
            var progress: RestoreProgress?
            var results: [RestoreResult] = []
            try jobs.restores.with(token, on: connection, at: { jobs.now }, ended: RequestInterruption.jobEnded) {
                job throws(RequestInterruption) in
                let outcome = try take(bytes, into: &job, for: context.caller)
                progress = RestoreProgress(counts: job.counts, notable: outcome.notable, end: job.end)
                results = outcome.results
                service.lock.noteUse()
                return true
            }
            guard let progress else { throw .jobEnded }
            let groups = publish(results, by: context.caller)
            return (
                progress.frame,
                results.isEmpty
                    ? .served
                    : .granted(items: .init(unnamed: results.count), accessGroups: groups, by: .administration)
            )
        case .finish(let token):
            var progress: RestoreProgress?
            try jobs.restores.with(token, on: connection, at: { jobs.now }, ended: RequestInterruption.jobEnded) {
                job throws(RequestInterruption) in
                do throws(BackupError) {
                    progress = RestoreProgress(counts: job.counts, notable: [], end: try job.finish())
                } catch {
                    throw .refused(error.refusal)
                }
                return false
            }
            guard let progress else { throw .jobEnded }
            return (progress.frame, .carriedOut)
        case .cancel(let token):
            jobs.restores.end(token, on: connection)
            return (finished(), .served)
        }
    }

    private func beginRestore(
        _ order: RestoreOrder<SecretBytes>, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        let jobs = service.jobs
        var authorization = OwnerAuthorization.notNeeded
        var isApproved = false
        switch order.mode {
        case .verify:
            // The file and its secret are sufficient to read the file; the keychain is not accessed.
            guard context.caller.isAdministrationTool else {
                throw .refused(Refusal(.missingEntitlement, .administrationOnly))
            }
        case .dryRun, .apply:
            _ = try backupGrant(context.caller, .restore)
            // Without a passcode, a portable file may be any program's. If the owner cannot be prompted, the job reports
            // its items as in need of a passcode, and restores the items that this device's key proves.
            let isPortable = (try? BackupHeader(decoding: order.header))?.form == .portable
            if isPortable, !service.lock.isProtected {
                do throws(RequestInterruption) {
                    authorization = try prove(.restorePortable, nil, for: context)
                    isApproved = true
                } catch {
                    guard case .refused(let refusal, _) = error, refusal.reason == .passcodeNeededToAsk else {
                        throw error
                    }
                }
            }
            if !isApproved { authorization = try prove(.restore, order.proof, for: context) }
        }
        let header: BackupHeader
        do throws(BackupError) {
            header = try BackupHeader(decoding: order.header)
        } catch {
            throw .refused(error.refusal)
        }
        let token = jobs.token()
        try jobs.begin(in: jobs.restores, token, on: context.connection.nonce, underWay: .underWay) {
            () throws(RequestInterruption) in
            do throws(BackupError) {
                let reader = try service.store.openBackup(header, order.secret)
                return RestoreJob(
                    reader, order.mode, replacesNewer: order.replacesNewer, isApproved: isApproved)
            } catch {
                throw .refused(error.refusal)
            }
        }
        return (
            RestoreBegun(token: token, facts: service.store.facts(of: header)).frame,
            .carriedOut.proven(by: authorization)
        )
    }

    private func take(
        _ bytes: ArraySlice<UInt8>, into job: inout RestoreJob, for caller: Caller
    ) throws(RequestInterruption) -> RestoreJob.Progress {
        do throws(RestoreJob.RestoreError) {
            return try job.take(bytes, into: service.store) { () throws(Refusal) in
                switch AccessPolicy.judgeBackup(caller, .restore, lockState: service.store.lockState) {
                case .grant(let grant): return grant
                case .refuse(let refusal): throw refusal
                case .ask: throw Refusal(.interactionNotAllowed, .otherProgramsItem)
                case .authenticate: throw Refusal(.interactionNotAllowed, .authenticationNeeded)
                }
            }
        } catch {
            switch error {
            case .backup(let error): throw .refused(error.refusal)
            case .store(let error): throw .refused(error.refusal)
            case .refused(let refusal): throw .refused(refusal)
            }
        }
    }

    /// Reports the changes to the watchers.
    ///
    /// - Returns: the groups of the changed items.
    private func publish(_ results: [RestoreResult], by caller: Caller) -> [String] {
        var changes: [String: [ItemChange]] = [:]
        for result in results {
            guard let kind = result.outcome.change else { continue }
            changes[result.accessGroup, default: []].append(ItemChange(kind, result.reference))
        }
        for (group, changes) in changes {
            service.changes.publish(changes, accessGroups: [group], by: caller.processID)
        }
        return changes.keys.sorted()
    }

    // MARK: Authorization

    private func backupGrant(_ caller: Caller, _ operation: Operation) throws(RequestInterruption) -> Grant {
        try grant(
            AccessPolicy.judgeBackup(
                caller, operation, lockState: service.store.lockState, policy: service.rules.policy))
    }

    /// Requires the proof of the owner.
    ///
    /// - Returns: the proof of the owner if no passcode is set.
    private func prove(
        _ action: Administration, _ proof: ProtectorSecret<SecretBytes>?, for context: RequestContext
    ) throws(RequestInterruption) -> OwnerAuthorization {
        try refusing { () throws(Refusal) in
            let authorization = try admit(action, proof: proof?.kind, for: context)
            if service.store.isProtected, let proof { try service.lock.verify(proof) }
            return authorization
        }
    }

    private func checkUsable(_ secret: BackupSecret<SecretBytes>) throws(RequestInterruption) {
        let isUsable = secret.bytes.withSpan { bytes in
            guard secret.kind.sizes.contains(bytes.count) else { return false }
            return secret.kind != .passphrase || (try? UTF8Span(validating: bytes)) != nil
        }
        guard isUsable else { throw .refused(Refusal(.parameter, .unusableSecret)) }
    }
}

extension RequestInterruption {
    fileprivate static var underWay: Self { .refused(Refusal(.notAvailable, .jobUnderWay)) }
    fileprivate static var jobEnded: Self { .refused(Refusal(.notAvailable, .jobEnded)) }
}

extension BackupError {
    /// The refusal that a client receives (semantics 4.5).
    var refusal: Refusal {
        switch self {
        case .damaged: Refusal(.decode, .damagedBackup)
        case .truncated: Refusal(.decode, .truncatedBackup)
        case .unsupportedVersion: Refusal(.decode, .newerBackup)
        case .otherDevice: Refusal(.decode, .otherDevicesBackup)
        case .wrongSecret: Refusal(.authenticationFailed, .wrongBackupSecret)
        case .noKeyStorage: Refusal(.inputOutput, .none)
        }
    }
}
