// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What can be done with a keychain as a whole.
public enum Administration: Hashable, Sendable {
    case unlock
    case lock
    /// Looks whether a secret is the right one.
    case verify
    case setPasscode
    case removePasscode
    case addProtector(ProtectorKind)
    case removeProtector
    case listProtectors
    case readSettings
    case changeSettings
    /// Changes settings so that programs use more items without an approval (``Setting/opensItems(_:from:)``).
    case loosenSettings
    /// Takes the database's rows for what they should be.
    case acceptContents
    case readTokens
    case moveDeviceKey
    /// Opens the device key with its PIN.
    case openDeviceKey
    /// Reads how much there is, what waits, and how requests went.
    case readFigures
    case listGrants
    case revokeGrants
    case listTeams
    /// Lets programs of a team be allowed things for good.
    case trustTeam
    case distrustTeam
    case listDevelopmentFolders
    /// Lets unsigned programs below a folder keep their items over rebuilds.
    case trustFolder
    case revokeFolder
    case backUp
    /// Makes a backup that opens on every device, where no passcode is set.
    case backUpPortable
    case restore
    /// Restores a backup that no device key proves to be the owner's, where no passcode is set.
    case restorePortable

    /// The word for it in the audit log.
    public var name: String {
        switch self {
        case .unlock: "unlock"
        case .lock: "lock"
        case .verify: "verify"
        case .setPasscode: "set-passcode"
        case .removePasscode: "remove-passcode"
        case .addProtector: "add-protector"
        case .removeProtector: "remove-protector"
        case .listProtectors: "list-protectors"
        case .readSettings: "read-settings"
        case .changeSettings, .loosenSettings: "change-settings"
        case .acceptContents: "accept-contents"
        case .readTokens: "read-tokens"
        case .moveDeviceKey: "move-device-key"
        case .openDeviceKey: "open-device-key"
        case .readFigures: "read-figures"
        case .listGrants: "list-grants"
        case .revokeGrants: "revoke-grants"
        case .listTeams: "list-teams"
        case .trustTeam: "trust-team"
        case .distrustTeam: "distrust-team"
        case .listDevelopmentFolders: "list-development-folders"
        case .trustFolder: "trust-development-folder"
        case .revokeFolder: "revoke-development-folder"
        case .backUp: "backup"
        case .backUpPortable: "backup-portable"
        case .restore: "restore"
        case .restorePortable: "restore-portable"
        }
    }
}

/// A row of the table of administrative operations: the effect, the callers and the proof that it requires.
public struct AdministrationRule: Hashable, Sendable {
    public enum Effect: Hashable, Sendable {
        /// Protects less than before, or may lock the owner out.
        case loosens
        case tightens
        /// Reads something, or checks a secret.
        case neither
    }

    public enum Callers: Hashable, Sendable {
        /// Each caller that is identified.
        case all
        /// Each identified caller except applications in a sandbox.
        case unconfined
        case command
        /// Each identified caller except applications in a sandbox, with a proof. Without a passcode nothing can be proved, so the command alone.
        case allWithProof
    }

    public let effect: Effect
    public let callers: Callers
    /// The kinds of secrets that prove the owner, required where a passcode is set. Empty: no proof is required, or the request carries
    /// the secret itself.
    public let proof: Set<ProtectorKind>
    /// Whether the operation requires that a passcode is set.
    public let needsPasscode: Bool
    /// Whether the owner has to authorize the operation where no passcode is set and an authority is there (polkit, in the system
    /// service): without that, each program of the user could have the command do it.
    public let needsAuthorization: Bool
    /// Whether the service prompts the owner for the authorization where no authority is there: in a user service, and on a machine
    /// without polkit. If no prompt can be shown, the operation is refused.
    public let isPrompted: Bool

    fileprivate init(
        _ effect: Effect, by callers: Callers, proof: Set<ProtectorKind> = [], needsPasscode: Bool = false,
        needsAuthorization: Bool = false, isPrompted: Bool = false
    ) {
        self.effect = effect
        self.callers = callers
        self.proof = proof
        self.needsPasscode = needsPasscode
        self.needsAuthorization = needsAuthorization
        self.isPrompted = isPrompted
    }
}

extension Administration {
    /// The secrets of the owner. A credential lies in a file of the machine: it opens, but changes nothing.
    private static let owner: Set<ProtectorKind> = [.passcode, .recoveryKey]

    /// The table of all operations. What loosens a protection takes the owner's proof where there is a passcode, and where there is none
    /// the owner's authorization.
    public var rule: AdministrationRule {
        switch self {
        case .lock: .init(.tightens, by: .unconfined)
        case .readSettings, .readTokens: .init(.neither, by: .all)
        // Its PIN comes with it.
        case .openDeviceKey: .init(.loosens, by: .all)
        case .unlock: .init(.loosens, by: .all, needsPasscode: true)
        case .verify: .init(.neither, by: .all, needsPasscode: true)
        // Labels are the owner's own text, and the report counts wrong entries.
        case .listProtectors: .init(.neither, by: .command)
        // They tell what other programs do, and when.
        case .readFigures, .listGrants: .init(.neither, by: .command)
        case .listTeams, .listDevelopmentFolders: .init(.neither, by: .command)
        case .revokeGrants, .distrustTeam, .revokeFolder: .init(.tightens, by: .command)
        case .trustTeam, .trustFolder:
            .init(.loosens, by: .command, proof: Self.owner, needsAuthorization: true)
        // Without a passcode, any program could lock the user out with one. Of settings also those that tighten: what a program sets the
        // owner has to find out and set back, and a keychain that locks at once is of no use.
        case .setPasscode, .changeSettings:
            .init(.loosens, by: .allWithProof, proof: Self.owner, needsAuthorization: true)
        // A program that runs the command would use items of other programs, and could then set the old value again.
        case .loosenSettings:
            .init(.loosens, by: .allWithProof, proof: Self.owner, needsAuthorization: true, isPrompted: true)
        case .removePasscode, .removeProtector:
            .init(.loosens, by: .unconfined, proof: Self.owner, needsPasscode: true)
        // The user who changes the login password proves it with the old one, which opens nothing else.
        case .addProtector(.loginPassword):
            .init(.loosens, by: .unconfined, proof: Self.owner.union([.loginPassword]), needsPasscode: true)
        case .addProtector: .init(.loosens, by: .unconfined, proof: Self.owner, needsPasscode: true)
        // An older database may hold grants that the owner has revoked since. Allowed while the keychain is locked.
        case .acceptContents: .init(.loosens, by: .command, proof: Self.owner, needsAuthorization: true)
        // A device key that is moved away may be lost with the TPM, and a device key that is moved back to a file can be copied.
        case .moveDeviceKey: .init(.loosens, by: .command, proof: Self.owner, needsAuthorization: true)
        // A user who can open the file has all items. Without a passcode only the service on this device can open it, so nothing is
        // loosened, and backups that run without a user continue.
        case .backUp: .init(.loosens, by: .command, proof: Self.owner)
        // The file has all items for each program that knows the passphrase, and a program that runs the command chooses the passphrase.
        case .backUpPortable:
            .init(.loosens, by: .command, proof: Self.owner, needsAuthorization: true, isPrompted: true)
        // An older version of an item takes the place of a newer one.
        case .restore: .init(.loosens, by: .command, proof: Self.owner, needsAuthorization: true)
        // Any program can make such a file, with items in the groups of other programs.
        case .restorePortable:
            .init(.loosens, by: .command, proof: Self.owner, needsAuthorization: true, isPrompted: true)
        }
    }
}

/// The state of the owner's authorization of an operation.
public enum OwnerAuthorization: Hashable, Sendable {
    /// It was not asked for.
    case missing
    /// The owner gave it, to the authority or in a prompt of the service.
    case given
    /// Nothing on this machine could ask for it, and the machine's policy does not require it.
    case impossible
    /// The operation takes none: it loosens nothing, a passcode proves the owner, it is root's own keychain, or the service is a program of
    /// its user.
    case notNeeded
}

/// Who may administer a keychain. Pure rules; that a proof is right is for the lock controller to see.
public enum AdministrationPolicy {
    /// - Parameters:
    ///   - proof: the kind of the secret that came with the request.
    ///   - isProtected: whether a passcode is set.
    ///   - authorization: the state of the owner's authorization.
    /// - Throws: `errSecMissingEntitlement` for callers that are not identified and for what only the administration tool
    ///   or a program outside of sandboxes may do; `errSecAuthFailed` with the reason `proofRequired` or `noPasscode`, and last of all with `authorizationNeeded`: no owner is
    ///   asked for what would be refused all the same.
    public static func check(
        _ caller: Caller, _ action: Administration, proof: ProtectorKind?, isProtected: Bool,
        authorization: OwnerAuthorization
    ) throws(Refusal) {
        guard caller.tier != .unidentified else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        let rule = action.rule
        let isForCommand = rule.callers == .command || rule.callers == .allWithProof && !isProtected
        guard !isForCommand || caller.isAdministrationTool else {
            throw Refusal(.missingEntitlement, .administrationOnly)
        }
        guard rule.callers == .all || !caller.isSandboxed else {
            throw Refusal(.missingEntitlement, .sandboxedApplication)
        }
        guard isProtected || !rule.needsPasscode else { throw Refusal(.authenticationFailed, .noPasscode) }
        if !isProtected, rule.needsAuthorization, authorization == .missing {
            throw Refusal(.authenticationFailed, .authorizationNeeded)
        }
        guard isProtected, !rule.proof.isEmpty else { return }
        guard let proof, rule.proof.contains(proof) else { throw Refusal(.authenticationFailed, .proofRequired) }
    }
}

/// How long the next entry of a passcode has to wait after so many wrong ones in a row: Apple's schedule (Platform
/// Security guide, "Passcodes and passwords").
public enum AttemptSchedule {
    public static func delay(afterFailures failures: UInt32) -> Duration {
        switch failures {
        case 0...4: .zero
        case 5: .seconds(60)
        case 6: .seconds(5 * 60)
        case 7, 8: .seconds(15 * 60)
        default: .seconds(60 * 60)
        }
    }
}
