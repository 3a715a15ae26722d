// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainWire

/// The service's behaviour for passcodes, without its ciphers and clocks.
extension ScriptedKeychain {
    /// Puts a passcode in place.
    func setPasscode(_ passcode: String, state: LockState = .unlocked) {
        change {
            $0.protectors = [
                Protector(number: 1, kind: .passcode, secret: Array(passcode.utf8), label: "")
            ]
            $0.lockState = state
        }
    }

    /// Returns the secrets that open the keychain now.
    func secrets(_ kind: ProtectorKind) -> [[UInt8]] {
        var secrets: [[UInt8]] = []
        change { secrets = $0.protectors.filter { $0.kind == kind }.map(\.secret) }
        return secrets
    }

    var lockState: LockState {
        var state = LockState.noPasscode
        change { state = $0.lockState }
        return state
    }

    private static func look(pin: [UInt8]?, _ state: inout State) throws(Refusal) {
        guard let right = state.pin else { return }
        guard let pin else { throw Refusal(.authenticationFailed, .pinNeeded) }
        guard pin == right else {
            state.tokens.pin?.failedAttempts += 1
            throw Refusal(.authenticationFailed, .wrongPIN)
        }
        state.tokens.pin?.failedAttempts = 0
    }

    static func administer(
        _ request: AdministrationRequest<[UInt8]>, _ state: inout State
    ) throws(Refusal) -> [UInt8] {
        if let refusal = state.administrationRefusal { throw refusal }
        switch (state.lockState, request) {
        case (.awaitingPIN, .openDeviceKey), (.awaitingPIN, .readTokens): break
        case (.awaitingPIN, _): throw Refusal(.interactionNotAllowed, .pinNeeded)
        default: break
        }
        switch request {
        case .unlock(let secret):
            try look(secret, &state)
            state.lockState = .unlocked
        case .lock:
            if !state.protectors.isEmpty { state.lockState = .locked }
        case .verify(let secret):
            try look(secret, &state)
        case .setPasscode(let passcode, let proof):
            if !state.protectors.isEmpty { try prove(proof, &state) }
            if state.protectors.isEmpty { state.lockState = .unlocked }
            add(.passcode, passcode, "", &state)
        case .removePasscode(let proof):
            try prove(proof, &state)
            (state.protectors, state.lockState) = ([], .noPasscode)
        case .addProtector(let secret, let label, let proof):
            try prove(proof, &state)
            return AddedProtector(number: add(secret.kind, secret.bytes, label, &state)).frame
        case .removeProtector(let number, let proof):
            try prove(proof, &state)
            guard state.protectors.contains(where: { $0.number == number }) else {
                throw Refusal(.itemNotFound, .noSuchProtector)
            }
            state.protectors.removeAll { $0.number == number }
        case .listProtectors:
            return ProtectorReport(
                protectors: state.protectors.isEmpty
                    ? [Protector(number: 0, kind: .deviceKey, secret: [], label: "").description]
                    : state.protectors.map(\.description),
                failedAttempts: state.failedAttempts, retryAfterSeconds: state.retryAfterSeconds
            ).frame
        case .readSettings:
            return SettingsReport(state.settings).frame
        case .readFigures:
            return state.figures.frame
        case .listTeams: return TrustedTeamReport(state.teams).frame
        case .trustTeam(let team, let proof):
            if !state.protectors.isEmpty { try prove(proof, &state) }
            state.teams.append(TrustedTeam(team, isOfMachine: false))
        case .distrustTeam(let team):
            guard state.teams.contains(TrustedTeam(team, isOfMachine: false)) else {
                throw Refusal(.itemNotFound, .none)
            }
            state.teams.removeAll { $0.identifier == team }
        case .listDevelopmentFolders: return DevelopmentFolderReport(state.developmentFolders).frame
        case .trustFolder(let folder, let proof):
            if !state.protectors.isEmpty { try prove(proof, &state) }
            state.developmentFolders.append(folder)
        case .revokeFolder(let folder):
            guard state.developmentFolders.contains(folder) else { throw Refusal(.itemNotFound, .none) }
            state.developmentFolders.removeAll { $0 == folder }
        case .readTokens:
            return state.tokens.frame
        case .moveDeviceKey(let move, let proof):
            if !state.protectors.isEmpty { try prove(proof, &state) }
            try look(pin: move.pin, &state)
            state.pin = move.newPIN
            state.tokens.deviceKey = move.place
            state.tokens.pin = move.newPIN.map { _ in TokenReport.PIN() }
        case .openDeviceKey(let pin):
            try look(pin: pin, &state)
            if state.lockState == .awaitingPIN {
                state.lockState = state.protectors.isEmpty ? .noPasscode : .beforeFirstUnlock
            }
        case .acceptContents(let proof):
            if !state.protectors.isEmpty { try prove(proof, &state) }
            state.contents = .asLeft
        case .changeSettings(let settings, let proof):
            if !state.protectors.isEmpty { try prove(proof, &state) }
            state.settings.merge(settings) { $1 }
        }
        var writer = ReplyWriter()
        return writer.finish()
    }

    @discardableResult
    private static func add(_ kind: ProtectorKind, _ secret: [UInt8], _ label: String, _ state: inout State) -> UInt32 {
        if kind.limit == 1 { state.protectors.removeAll { $0.kind == kind } }
        let number = (state.protectors.map(\.number).max() ?? 0) + 1
        state.protectors.append(Protector(number: number, kind: kind, secret: secret, label: label))
        return number
    }

    private static func prove(_ proof: ProtectorSecret<[UInt8]>?, _ state: inout State) throws(Refusal) {
        guard let proof, [.passcode, .recoveryKey].contains(proof.kind) else {
            throw Refusal(.authenticationFailed, .proofRequired)
        }
        try look(proof, &state)
    }

    private static func look(_ secret: ProtectorSecret<[UInt8]>, _ state: inout State) throws(Refusal) {
        state.secretsSeen.append(secret.kind)
        guard !state.protectors.isEmpty else { throw Refusal(.authenticationFailed, .noPasscode) }
        let isCounted = secret.kind.isChosenByPeople
        guard !isCounted || state.retryAfterSeconds == 0 else { throw Refusal(.authenticationFailed, .tooManyAttempts) }
        guard state.protectors.contains(where: { $0.kind == secret.kind }) else {
            throw Refusal(.authenticationFailed, .noSuchProtector)
        }
        guard state.protectors.contains(where: { $0.kind == secret.kind && $0.secret == secret.bytes }) else {
            if isCounted {
                state.failedAttempts += 1
                if state.failedAttempts == 5 { state.retryAfterSeconds = 60 }
            }
            throw Refusal(.authenticationFailed, .wrongSecret)
        }
        if isCounted { state.failedAttempts = 0 }
    }
}
