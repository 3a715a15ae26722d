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
    /// Takes the database's rows for what they should be.
    case acceptContents
    case readTokens
    case moveDeviceKey
    /// Opens the device key with its PIN.
    case openDeviceKey
    /// Reads how much there is, what waits, and how requests went.
    case readFigures

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
        case .changeSettings: "change-settings"
        case .acceptContents: "accept-contents"
        case .readTokens: "read-tokens"
        case .moveDeviceKey: "move-device-key"
        case .openDeviceKey: "open-device-key"
        case .readFigures: "read-figures"
        }
    }
}

/// Who may administer a keychain. Pure rules; that a proof is right is for the lock controller to see.
public enum AdministrationPolicy {
    /// - Parameters:
    ///   - proof: the kind of the secret that came with the request.
    ///   - isProtected: whether a passcode is set.
    /// - Throws: `errSecMissingEntitlement` for callers that are not identified and for what only the administration tool
    ///   may do; `errSecAuthFailed` with the reason `proofRequired` or `noPasscode`.
    public static func check(
        _ caller: Caller, _ action: Administration, proof: ProtectorKind?, isProtected: Bool
    ) throws(Refusal) {
        guard caller.tier != .unidentified else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        switch action {
        case .lock, .readSettings, .readTokens, .openDeviceKey:
            return
        case .listProtectors:
            // Labels are the owner's own text, and the report counts wrong entries.
            guard caller.isAdministrationTool else { throw Refusal(.missingEntitlement, .administrationOnly) }
        case .moveDeviceKey:
            // A device key that is moved away may be lost with the TPM, and one that is brought back can be copied: the owner's to say.
            guard caller.isAdministrationTool else { throw Refusal(.missingEntitlement, .administrationOnly) }
            if isProtected { try requireProof(proof, [.passcode, .recoveryKey]) }
        case .unlock, .verify:
            guard isProtected else { throw Refusal(.authenticationFailed, .noPasscode) }
        case .setPasscode, .changeSettings:
            // Whoever knows the passcode may. Where there is none, any program could lock the user out with one.
            guard isProtected else {
                guard caller.isAdministrationTool else { throw Refusal(.missingEntitlement, .administrationOnly) }
                return
            }
            try requireProof(proof, [.passcode, .recoveryKey])
        case .acceptContents:
            // It ends a warning and opens nothing. A person's to say, also while the keychain is locked.
            guard caller.isAdministrationTool else { throw Refusal(.missingEntitlement, .administrationOnly) }
        case .readFigures:
            // They tell what other programs do, and when.
            guard caller.isAdministrationTool else { throw Refusal(.missingEntitlement, .administrationOnly) }
        case .removePasscode, .removeProtector:
            guard isProtected else { throw Refusal(.authenticationFailed, .noPasscode) }
            try requireProof(proof, [.passcode, .recoveryKey])
        case .addProtector(let kind):
            guard isProtected else { throw Refusal(.authenticationFailed, .noPasscode) }
            // Whoever changes the login password proves it with the old one, which opens nothing else.
            try requireProof(
                proof, kind == .loginPassword ? [.passcode, .recoveryKey, .loginPassword] : [.passcode, .recoveryKey])
        }
    }

    /// A credential lies in a file of the machine: it opens, but changes nothing.
    private static func requireProof(_ proof: ProtectorKind?, _ accepted: Set<ProtectorKind>) throws(Refusal) {
        guard let proof, accepted.contains(proof) else { throw Refusal(.authenticationFailed, .proofRequired) }
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
