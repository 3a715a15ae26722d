// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension CommandFailure {
    /// Creates the message of `chatelaine` for a failed request.
    ///
    /// - Parameters:
    ///   - name: the item of the request.
    ///   - group: its access group, if known.
    ///   - keychain: the keychain file of the request; nil for the data-protection keychain.
    init(
        _ error: ClientError, name: ItemName? = nil, group: String? = nil, keychain: String? = nil,
        message: (Int32) -> String
    ) {
        switch error {
        case .refused(let refusal)
        where refusal.reason == .locked && (refusal.status == .interactionNotAllowed || keychain != nil):
            let verb = keychain.map { "keychains unlock \(shellWord($0))" } ?? "unlock"
            self.init(
                Refusal.Reason.locked.explanation ?? message(refusal.status.rawValue),
                hint: "unlock it with `chatelaine \(verb)`, or add --unlock", exitCode: .refused)
        case .refused(let refusal):
            self.init(refusal, name: name, group: group, message: message)
        case .unavailable(let reason, let hint): self.init(reason, hint: hint, exitCode: .unavailable)
        case .protocolViolation(WireError.attributes(let error)):
            self.init(message(error.status.rawValue))
        case .protocolViolation:
            self.init(
                "the keychain service uses another protocol version",
                hint: "chatelaine and chatelained may be of different versions; restart the service",
                exitCode: .unavailable)
        }
    }

    private init(_ refusal: Refusal, name: ItemName?, group: String?, message: (Int32) -> String) {
        let subject = name?.quoted ?? "the item"
        switch refusal.reason {
        case .none:
            self.init(refusal.status, subject: subject, message: message)
        case .otherProgramsItem:
            let program = group.map { " (\(programName(ofGroup: $0)))" } ?? ""
            self.init(
                "\(subject) belongs to another program\(program)", hint: refusal.reason.hint, exitCode: .refused)
        case .unidentifiedCaller, .foreignAccessGroup, .notSupportedYet, .locked, .wrongSecret, .tooManyAttempts,
            .proofRequired, .administrationOnly, .noPasscode, .noSuchProtector, .tooManyProtectors, .unusableSecret,
            .unusableSetting, .damagedBackup, .truncatedBackup, .newerBackup, .otherDevicesBackup,
            .wrongBackupSecret, .jobUnderWay, .noEntitlements, .readOnlyGroup, .strictMode,
            .heldKey, .keyUseNotAllowed, .passcodeNeededToAsk, .tooManyPrompts, .authenticationNeeded,
            .wrongApplicationPassword, .factorNotAvailable, .enrolmentChanged, .unusableAccessControl,
            .noUnlockByFinger, .passcodeNeededFirst,
            .tokenLockedOut, .tokenKey, .pinNeeded, .wrongPIN, .notTrusted, .otherPartition, .noAccessEntry,
            .noAccessObject, .notAccessOwner, .notInKeychainFiles, .unchangeableList, .fullSearchList,
            .agentOnly, .bridgesOnly, .sandboxedApplication, .notGreeted, .machinePolicy, .privateItem,
            .authorizationNeeded,
            .authorizationDenied,
            .authorizationUnavailable, .unsuitableFolder:
            self.init(refusal, exitCode: .refused, message: message)
        case .tooManyConnections, .tooManyConnectionsOfUser, .tooManyConnectionsOfProgram, .tooMuchAtOnce,
            .storeUnavailable, .tokenUnavailable, .keychainInUse:
            self.init(refusal, exitCode: .unavailable, message: message)
        case .malformedRequest, .diskFull, .readOnlyStore, .damagedStore, .jobEnded, .damagedLog, .noSuchGrant,
            .notInspectable, .unusableKey, .unusableKeyInput, .foreignTokenKey, .foreignDeviceKey, .noSuchKeychain,
            .duplicateKeychain, .notAKeychain, .macKeychain, .untrustedFile, .changedItem, .newerKeychain,
            .unusableKeychainPath,
            .noDefaultKeychain:
            self.init(refusal, exitCode: .failure, message: message)
        }
    }

    private init(_ refusal: Refusal, exitCode: ExitCode, message: (Int32) -> String) {
        let explanation = refusal.reason.explanation ?? message(refusal.status.rawValue)
        self.init(explanation, hint: refusal.reason.hint, exitCode: exitCode)
    }

    private init(_ status: StatusCode, subject: String, message: (Int32) -> String) {
        switch status {
        case .itemNotFound:
            self.init(
                "there is no item \(subject)", hint: "`chatelaine list` shows the items", exitCode: .itemNotFound)
        case .dataTooLarge:
            self.init(
                "the item is too large: a secret may have \(ItemLimits.secretBytes >> 20) MiB, all attributes together "
                    + "\(ItemLimits.attributeBytes >> 20) MiB")
        // Without a reason, the status says that the user denied the request: its own text is about passwords.
        case .authenticationFailed: self.init("the request was denied in its prompt", exitCode: .refused)
        case .interactionNotAllowed, .missingEntitlement:
            self.init(message(status.rawValue), exitCode: .refused)
        default:
            self.init(message(status.rawValue))
        }
    }
}
