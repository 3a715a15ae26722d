// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainWire
public import SecretMemory

// Requests for the keychain as a whole. A secret whose size is invalid for its kind is rejected without being sent.
extension KeychainClient {
    /// Unlocks the keychain.
    ///
    /// Blocks during key derivation: about 0.3 s unless set otherwise.
    ///
    /// - Throws: `.refused` with `errSecAuthFailed` and the reason `wrongSecret`, `tooManyAttempts` (retry after the
    ///   delay that ``protectors()`` returns), `noPasscode` or `noSuchProtector`.
    public func unlock(with secret: ProtectorSecret<SecretBytes>) throws(ClientError) {
        try administer(.unlock(try bytes(secret)))
    }

    /// Locks the keychain. When this returns, the keys have been removed from memory. Has no effect if the keychain is
    /// locked or has no passcode.
    public func lock() throws(ClientError) {
        try administer(.lock)
    }

    /// Returns the lock state.
    public func lockState() throws(ClientError) -> LockState { try status().lockState }

    /// Verifies a secret without unlocking. A wrong secret counts as a failed attempt.
    ///
    /// - Throws: as ``unlock(with:)``.
    public func verify(_ secret: ProtectorSecret<SecretBytes>) throws(ClientError) {
        try administer(.verify(try bytes(secret)))
    }

    /// Sets the first passcode, which leaves the keychain unlocked, or another passcode.
    ///
    /// - Parameters:
    ///   - passcode: 1 to 1024 bytes of UTF-8 without a zero byte.
    ///   - proof: passcode or recovery key; not required for the first passcode, which only the administration tool may
    ///     set.
    /// - Throws: `.refused` with `errSecParam` and the reason `unusableSecret`; as ``unlock(with:)``; `proofRequired`.
    public func setPasscode(
        _ passcode: SecretBytes, proof: ProtectorSecret<SecretBytes>?
    ) throws(ClientError) {
        let new = try bytes(ProtectorSecret(.passcode, passcode), orElse: .parameter).bytes
        try administer(.setPasscode(new, proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Removes the passcode and all other protectors. After that, the keychain is never locked. Items that can be read
    /// only while a passcode is set are deleted.
    ///
    /// - Throws: as ``setPasscode(_:proof:)``.
    public func removePasscode(proof: ProtectorSecret<SecretBytes>) throws(ClientError) {
        try administer(.removePasscode(proof: try bytes(proof)))
    }

    /// Adds a protector. A recovery key or a login password replaces an earlier one.
    ///
    /// - Parameter label: a name for lists, at most 64 bytes of UTF-8.
    /// - Returns: the number of the protector.
    /// - Throws: as ``setPasscode(_:proof:)``; `errSecParam` and `tooManyProtectors`.
    public func addProtector(
        _ secret: ProtectorSecret<SecretBytes>, label: String = "", proof: ProtectorSecret<SecretBytes>
    ) throws(ClientError) -> UInt32 {
        guard label.utf8.count <= ProtectorDescription.labelBytes else {
            throw .refused(Refusal(.parameter, .none))
        }
        let request = AdministrationRequest.addProtector(
            try bytes(secret, orElse: .parameter), label: label, proof: try bytes(proof))
        return try answer(to: .administer(request), isRepeatable: false) { frame throws(WireError) in
            try AddedProtector(frame)
        }.number
    }

    /// - Throws: as ``setPasscode(_:proof:)``; `errSecItemNotFound` and `noSuchProtector`.
    public func removeProtector(_ number: UInt32, proof: ProtectorSecret<SecretBytes>) throws(ClientError) {
        try administer(.removeProtector(number, proof: try bytes(proof)))
    }

    /// Returns the protectors of the keychain, and the delay until the next attempt with a passcode.
    public func protectors() throws(ClientError) -> ProtectorReport {
        try answer(to: .administer(Nothing.listProtectors), isRepeatable: true) { frame throws(WireError) in
            try ProtectorReport(frame)
        }
    }

    /// Returns the settings of the service.
    public func settings() throws(ClientError) -> [Setting: UInt64] {
        try answer(to: .administer(Nothing.readSettings), isRepeatable: true) { frame throws(WireError) in
            try SettingsReport(frame)
        }.settings
    }

    /// Changes settings, all of them or none.
    ///
    /// - Parameter proof: as in ``setPasscode(_:proof:)``.
    /// - Throws: `.refused` with `errSecParam` and the reason `unusableSetting`; as ``setPasscode(_:proof:)``.
    public func change(
        _ settings: [Setting: UInt64], proof: ProtectorSecret<SecretBytes>?
    ) throws(ClientError) {
        try administer(
            .changeSettings(settings, proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Accepts the current rows of the database as valid, after ``ServiceStatus/contents`` reported a mismatch.
    ///
    /// All remembered grants are removed.
    ///
    /// - Parameter proof: the passcode or the recovery key, if a passcode is set.
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all callers except the administration tool,
    ///   `errSecAuthFailed` with the reason `proofRequired` or `wrongSecret`, and when the database cannot be written;
    ///   connection errors.
    public func acceptContents(proof: ProtectorSecret<SecretBytes>?) throws(ClientError) {
        try administer(.acceptContents(proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Returns the trusted teams, by their identifiers; those of the machine's policy come first.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all callers except the administration tool; connection
    ///   errors.
    public func trustedTeams() throws(ClientError) -> [TrustedTeam] {
        try answer(to: .administer(Nothing.listTeams), isRepeatable: true) { frame throws(WireError) in
            try TrustedTeamReport(frame)
        }.teams
    }

    /// Allows programs of a team to hold remembered grants. Has no effect if they may already.
    ///
    /// - Parameters:
    ///   - team: the identifier of the team.
    ///   - proof: the passcode or the recovery key, if a passcode is set.
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all callers except the administration tool; with
    ///   `errSecParam` for an invalid identifier, and for more than ``TrustedTeam/limit``; as
    ///   ``setPasscode(_:proof:)``.
    public func trustTeam(_ team: String, proof: ProtectorSecret<SecretBytes>?) throws(ClientError) {
        try administer(
            .trustTeam(team, proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Removes a team from the trusted teams.
    ///
    /// - Throws: `.refused` with `errSecItemNotFound` for a team that is not trusted; with `errSecParam` and
    ///   `machinePolicy` for a team of the machine's policy; as ``trustedTeams()``.
    public func distrustTeam(_ team: String) throws(ClientError) {
        try administer(.distrustTeam(team))
    }

    /// Returns the paths of the development folders, in ascending order; none if the machine's policy does not allow
    /// them, or while the keychain's contents are not as the service left them.
    ///
    /// - Throws: as ``trustedTeams()``.
    public func developmentFolders() throws(ClientError) -> [String] {
        try answer(to: .administer(Nothing.listDevelopmentFolders), isRepeatable: true) { frame throws(WireError) in
            try DevelopmentFolderReport(frame)
        }.folders
    }

    /// Lets unsigned programs below a folder keep their items over rebuilds. Has no effect if they do already.
    ///
    /// - Parameters:
    ///   - folder: its absolute path, without links.
    ///   - proof: the passcode or the recovery key, if a passcode is set.
    /// - Throws: `.refused` with `errSecParam` and `unsuitableFolder` for a folder that other users can change or that
    ///   does not belong to the user, `machinePolicy` if the machine's policy does not allow it, and no reason for
    ///   more than ``DevelopmentFolder/limit``; as ``trustTeam(_:proof:)``.
    public func trustFolder(_ folder: String, proof: ProtectorSecret<SecretBytes>?) throws(ClientError) {
        try administer(
            .trustFolder(folder, proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Removes a development folder. The items of its programs stay, and the programs no longer find them.
    ///
    /// - Throws: `.refused` with `errSecItemNotFound` for a folder that is not trusted; as ``trustedTeams()``.
    public func revokeFolder(_ folder: String) throws(ClientError) {
        try administer(.revokeFolder(folder))
    }

    /// Returns the figures: the number of items, the pending requests of the service, and the results of requests since
    /// the service was started (Documentation/Observability.md). Counts all items.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all callers except the administration tool, with
    ///   `errSecInteractionNotAllowed` and `pinNeeded` while the device key requires its PIN, and when the database
    ///   cannot be read; connection errors.
    public func figures() throws(ClientError) -> ServiceFigures {
        try answer(to: .administer(Nothing.readFigures), isRepeatable: true) { frame throws(WireError) in
            try ServiceFigures(frame)
        }
    }

    /// Returns the tokens that hold private keys outside the service, and the location of the device key. Queries each
    /// token, which may take seconds.
    public func tokens() throws(ClientError) -> TokenReport {
        try answer(to: .administer(Nothing.readTokens), isRepeatable: true) { frame throws(WireError) in
            try TokenReport(frame)
        }
    }

    /// Moves the device key into a token or back into its file, and sets, changes or removes its PIN. Has no effect if
    /// the key is there already and no PIN is set before and after.
    ///
    /// Blocks during key derivation: about 0.3 s for each PIN unless set otherwise.
    ///
    /// - Parameters:
    ///   - move: a new PIN has 1 to 1024 bytes of UTF-8 without a zero byte.
    ///   - proof: passcode or recovery key, if a passcode is set.
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all callers except the administration tool; with
    ///   `errSecNotAvailable` and `tokenUnavailable` if the token does not respond; with `errSecParam` for a new PIN
    ///   with a file, or no PIN with the software token; with `errSecUnimplemented` and `notSupportedYet` from a system
    ///   service, where the key stays in its file; as ``openDeviceKey(pin:)`` and ``setPasscode(_:proof:)``.
    public func moveDeviceKey(
        _ move: DeviceKeyMove<SecretBytes>, proof: ProtectorSecret<SecretBytes>?
    ) throws(ClientError) {
        let (pin, newPIN) = (move.pin, move.newPIN)
        let lent = DeviceKeyMove(
            to: move.place,
            pin: try pin.map { pin throws(ClientError) in try bytes(ofPIN: pin, orElse: .wrongPIN) },
            newPIN: try newPIN.map { pin throws(ClientError) in try bytes(ofPIN: pin, orElse: .unusableSecret) })
        try administer(
            .moveDeviceKey(lent, proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Opens the device key with its PIN. After that, ``lockState()`` shows the state of the keychain: if a passcode is
    /// set, it is required next. Has no effect if the device key is open.
    ///
    /// Blocks during key derivation: about 0.3 s unless set otherwise.
    ///
    /// - Throws: `.refused` with `errSecAuthFailed` and the reason `wrongPIN`, or `tooManyAttempts` (``tokens()``
    ///   returns the delay); with `errSecNotAvailable` and `tokenLockedOut`, `tokenUnavailable` or `storeUnavailable`.
    public func openDeviceKey(pin: SecretBytes) throws(ClientError) {
        try administer(.openDeviceKey(pin: try bytes(ofPIN: pin, orElse: .wrongPIN)))
    }

    private func bytes(
        ofPIN pin: SecretBytes, orElse reason: Refusal.Reason
    ) throws(ClientError) -> SecretBytes.BytesView {
        guard ProtectorKind.passcode.secretSizes.contains(pin.count) else {
            throw .refused(Refusal(reason == .wrongPIN ? .authenticationFailed : .parameter, reason))
        }
        return pin.bytes
    }

    private typealias Nothing = AdministrationRequest<SecretBytes.BytesView>

    private func administer(_ request: AdministrationRequest<SecretBytes.BytesView>) throws(ClientError) {
        try answer(to: .administer(request), isRepeatable: false) { frame throws(WireError) in
            guard try ReplyPart<Void>(frame, secret: { _ in }).items.isEmpty else { throw .malformed }
        }
    }

    /// - Parameter status: the error for a secret of an invalid size: a new secret cannot be set, an existing one is
    ///   wrong.
    private func bytes(
        _ secret: ProtectorSecret<SecretBytes>, orElse status: StatusCode = .authenticationFailed
    ) throws(ClientError) -> ProtectorSecret<SecretBytes.BytesView> {
        guard secret.kind.secretSizes.contains(secret.bytes.count) else {
            throw .refused(Refusal(status, status == .parameter ? .unusableSecret : .wrongSecret))
        }
        return ProtectorSecret(secret.kind, secret.bytes.bytes)
    }
}
