// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

extension Pipeline {
    /// Carries out a request on the keychain as a whole.
    func administer(
        _ request: AdministrationRequest<SecretBytes>, for context: RequestContext
    ) throws(RequestInterruption) -> Answer {
        try refusing { () throws(Refusal) in
            var action = request.administration
            if case .changeSettings(let settings, _) = request, try service.lock.opensItems(settings) {
                action = .loosenSettings
            }
            let authorization = try admit(
                action, proof: request.proof?.kind, details: request.details, for: context)
            let (frame, outcome) = try carryOut(request, as: action, for: context)
            return (frame, outcome.proven(by: authorization))
        }
    }

    /// Unlocks the keychain, and with it the login keychain.
    func unlock(with secret: ProtectorSecret<SecretBytes>, by processID: Int32) throws(Refusal) {
        try service.lock.unlock(with: secret, by: processID)
        if secret.kind.isChosenByPeople { service.files?.unlockLogin(with: secret.bytes, by: processID) }
    }

    private func carryOut(
        _ request: AdministrationRequest<SecretBytes>, as action: Administration, for context: RequestContext
    ) throws(Refusal) -> Answer {
        let lock = service.lock
        let processID = context.caller.processID
        switch request {
        case .unlock(let secret): try unlock(with: secret, by: processID)
        case .lock:
            lock.lock(by: processID)
            service.files?.lockWithSession(by: processID)
        case .verify(let secret): try lock.verify(secret)
        case .setPasscode(let passcode, let proof):
            try lock.setPasscode(passcode, proof: proof, by: processID)
            if let proof, proof.kind == .passcode {
                service.files?.changeLogin(from: proof.bytes, to: passcode, by: processID)
            }
        case .removePasscode(let proof): try lock.removePasscode(proof: proof, by: processID)
        case .addProtector(let secret, let label, let proof):
            let number = try lock.addProtector(secret, label: label, proof: proof)
            return (AddedProtector(number: number).frame, .carriedOut)
        case .removeProtector(let number, let proof): try lock.removeProtector(number, proof: proof)
        case .changeSettings(let settings, let proof):
            try lock.change(settings, proof: proof, mayOpenItems: action == .loosenSettings)
            service.rules.reload()
            service.log?.apply(AuditLog.Limits(try lock.settings()))
        case .listTeams: return (TrustedTeamReport(try service.trustedTeams()).frame, .served)
        case .trustTeam(let team, let proof):
            if let proof { try lock.verify(proof) }
            try service.trustTeam(team)
        case .distrustTeam(let team): try service.distrustTeam(team)
        case .listDevelopmentFolders:
            return (DevelopmentFolderReport(try service.developmentFolders()).frame, .served)
        case .trustFolder(let folder, let proof):
            if let proof { try lock.verify(proof) }
            try service.trustFolder(folder, of: context.caller.userID)
        case .revokeFolder(let folder): try service.revokeFolder(folder)
        case .listProtectors: return (try lock.report().frame, .served)
        case .acceptContents(let proof):
            if let proof { try lock.verify(proof) }
            try acceptContents()
        case .readTokens:
            let deviceKey = try service.deviceKey.state()
            return (
                TokenReport(tokens: service.secureElement.report, deviceKey: deviceKey.place, pin: deviceKey.pin).frame,
                .served
            )
        case .moveDeviceKey(let move, let proof):
            if let proof { try lock.verify(proof) }
            try service.deviceKey.move(move) { () throws(Refusal) in
                do throws(StoreError) { return try lock.calibratedCost() } catch { throw error.refusal }
            }
        // The device key is open, because requests get here only after that.
        case .openDeviceKey: break
        case .readFigures: return (try figures(on: context.connection).frame, .served)
        case .readSettings:
            let settings = try lock.settings().filter {
                context.caller.isAdministrationTool || $0.key.isEverybodysToRead
            }
            return (SettingsReport(settings).frame, .served)
        }
        return (finished(), .carriedOut)
    }
}

extension AdministrationRequest {
    var administration: Administration {
        switch self {
        case .unlock: .unlock
        case .lock: .lock
        case .listProtectors: .listProtectors
        case .verify: .verify
        case .setPasscode: .setPasscode
        case .removePasscode: .removePasscode
        case .addProtector(let secret, _, _): .addProtector(secret.kind)
        case .removeProtector: .removeProtector
        case .readSettings: .readSettings
        case .changeSettings: .changeSettings
        case .acceptContents: .acceptContents
        case .readTokens: .readTokens
        case .moveDeviceKey: .moveDeviceKey
        case .openDeviceKey: .openDeviceKey
        case .readFigures: .readFigures
        case .listTeams: .listTeams
        case .trustTeam: .trustTeam
        case .distrustTeam: .distrustTeam
        case .listDevelopmentFolders: .listDevelopmentFolders
        case .trustFolder: .trustFolder
        case .revokeFolder: .revokeFolder
        }
    }

    /// The part of the request that is shown to its owner for authorization.
    fileprivate var details: String {
        if case .trustFolder(let folder, _) = self {
            // The end of a path is more informative than its beginning.
            let end = String(String.UnicodeScalarView(folder.unicodeScalars.suffix(100)))
            return " (\(end == folder ? "" : "...")\(end))"
        }
        guard case .changeSettings(let settings, _) = self else { return "" }
        let values = settings.map { "\($0.key.commandName) \($0.key.text($0.value))" }.sorted()
        let others = values.count > 4 ? ", and \(values.count - 4) more" : ""
        return " (\(values.prefix(4).joined(separator: ", "))\(others))"
    }

    /// The secret that proves that the request comes from the owner.
    fileprivate var proof: ProtectorSecret<Secret>? {
        switch self {
        case .unlock(let secret), .verify(let secret): secret
        case .setPasscode(_, let proof), .changeSettings(_, let proof), .moveDeviceKey(_, let proof),
            .acceptContents(let proof), .trustTeam(_, let proof), .trustFolder(_, let proof):
            proof
        case .removePasscode(let proof), .addProtector(_, _, let proof), .removeProtector(_, let proof): proof
        case .lock, .listProtectors, .readSettings, .readTokens, .openDeviceKey, .readFigures, .listTeams,
            .distrustTeam, .listDevelopmentFolders, .revokeFolder:
            nil
        }
    }
}
