// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainWire
public import SecretMemory

// The keychain as a whole. A secret of a size that its kind cannot have is refused without being sent.
extension KeychainClient {
    /// Unlocks the keychain.
    ///
    /// Blocks while the secret is stretched: about 0.3 s unless set otherwise.
    ///
    /// - Throws: `.refused` with `errSecAuthFailed` and the reason `wrongSecret`, `tooManyAttempts` (try again after what
    ///   ``protectors()`` says), `noPasscode` or `noSuchProtector`.
    public func unlock(with secret: ProtectorSecret<SecretBytes>) throws(ClientError) {
        try administer(.unlock(try bytes(secret)))
    }

    /// Locks the keychain. When this returns, the keys are gone. Does nothing to one that is locked or has no passcode.
    public func lock() throws(ClientError) {
        try administer(.lock)
    }

    /// Whether the keychain is locked now.
    public func lockState() throws(ClientError) -> LockState { try status().lockState }

    /// Looks whether a secret is the right one, and opens nothing. A wrong one counts as a wrong entry.
    ///
    /// - Throws: as ``unlock(with:)``.
    public func verify(_ secret: ProtectorSecret<SecretBytes>) throws(ClientError) {
        try administer(.verify(try bytes(secret)))
    }

    /// Sets the first passcode, after which the keychain is unlocked, or another one.
    ///
    /// - Parameters:
    ///   - passcode: 1 to 1024 bytes of UTF-8 without a zero byte.
    ///   - proof: passcode or recovery key; not needed for the first passcode, which only the administration tool may set.
    /// - Throws: `.refused` with `errSecParam` and the reason `unusableSecret`; as ``unlock(with:)``; `proofRequired`.
    public func setPasscode(
        _ passcode: SecretBytes, proof: ProtectorSecret<SecretBytes>?
    ) throws(ClientError) {
        let new = try bytes(ProtectorSecret(.passcode, passcode), orElse: .parameter).bytes
        try administer(.setPasscode(new, proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Removes the passcode and everything else that opens the keychain, which stays open from then on. Items that can be
    /// read only while a passcode is set are deleted.
    ///
    /// - Throws: as ``setPasscode(_:proof:)``.
    public func removePasscode(proof: ProtectorSecret<SecretBytes>) throws(ClientError) {
        try administer(.removePasscode(proof: try bytes(proof)))
    }

    /// Adds something else that opens the keychain. A recovery key or a login password takes the place of an earlier one.
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

    /// What opens the keychain, and how long the next entry of a passcode has to wait.
    public func protectors() throws(ClientError) -> ProtectorReport {
        try answer(to: .administer(Nothing.listProtectors), isRepeatable: true) { frame throws(WireError) in
            try ProtectorReport(frame)
        }
    }

    /// The settings of the service.
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

    /// Has the service take the database's rows for what they should be, when ``ServiceStatus/contents`` said that they are
    /// not.
    ///
    /// All lasting grants are removed.
    ///
    /// - Parameter proof: the passcode or the recovery key, where a passcode is set.
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all but the administration tool, `errSecAuthFailed` with the reason
    ///   `proofRequired` or `wrongSecret`, and when the database cannot be written; connection errors.
    public func acceptContents(proof: ProtectorSecret<SecretBytes>?) throws(ClientError) {
        try administer(.acceptContents(proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// The teams whose programs may hold lasting grants, by their identifiers: first those of the machine's policy.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all but the administration tool; connection errors.
    public func trustedTeams() throws(ClientError) -> [TrustedTeam] {
        try answer(to: .administer(Nothing.listTeams), isRepeatable: true) { frame throws(WireError) in
            try TrustedTeamReport(frame)
        }.teams
    }

    /// Lets programs of a team hold lasting grants. Does nothing to one that may.
    ///
    /// - Parameters:
    ///   - team: its identifier.
    ///   - proof: the passcode or the recovery key, where a passcode is set.
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all but the administration tool; with `errSecParam` for what is no identifier,
    ///   and for more than ``TrustedTeam/limit``; as ``setPasscode(_:proof:)``.
    public func trustTeam(_ team: String, proof: ProtectorSecret<SecretBytes>?) throws(ClientError) {
        try administer(
            .trustTeam(team, proof: try proof.map { secret throws(ClientError) in try bytes(secret) }))
    }

    /// Takes a team off the list.
    ///
    /// - Throws: `.refused` with `errSecItemNotFound` for one that is not on it; with `errSecParam` and `machinePolicy` for one that the
    ///   machine's policy names; as ``trustedTeams()``.
    public func distrustTeam(_ team: String) throws(ClientError) {
        try administer(.distrustTeam(team))
    }

    /// How much there is in the keychain, what waits in the service, and how requests went since it was opened
    /// (Documentation/Observability.md). Counts all items.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all but the administration tool, with `errSecInteractionNotAllowed` and
    ///   `pinNeeded` while the device key waits for its PIN, and when the database cannot be read; connection errors.
    public func figures() throws(ClientError) -> ServiceFigures {
        try answer(to: .administer(Nothing.readFigures), isRepeatable: true) { frame throws(WireError) in
            try ServiceFigures(frame)
        }
    }

    /// What keeps private keys that never come to the service, and where the device key is. Asks each token, which may take seconds.
    public func tokens() throws(ClientError) -> TokenReport {
        try answer(to: .administer(Nothing.readTokens), isRepeatable: true) { frame throws(WireError) in
            try TokenReport(frame)
        }
    }

    /// Moves the device key into a token or back into its file, and gives it a PIN, another one, or none. Nothing happens where it is
    /// there already, and neither has a PIN.
    ///
    /// Blocks while PINs are stretched: about 0.3 s each unless set otherwise.
    ///
    /// - Parameters:
    ///   - move: a new PIN has 1 to 1024 bytes of UTF-8 without a zero byte.
    ///   - proof: passcode or recovery key, where a passcode is set.
    /// - Throws: `.refused` with `errSecMissingEntitlement` for all but the administration tool; with `errSecNotAvailable` and
    ///   `tokenUnavailable` where the token does not answer; with `errSecParam` for a new PIN in a file, or none in the software token;
    ///   with `errSecUnimplemented` and `notSupportedYet` by a service of the system, where the key stays in its file;
    ///   as ``openDeviceKey(pin:)`` and ``setPasscode(_:proof:)``.
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

    /// Opens the device key with its PIN, after which the keychain is as ``lockState()`` says: where a passcode is set, that is
    /// needed next. Does nothing to one that is open.
    ///
    /// Blocks while the PIN is stretched: about 0.3 s unless set otherwise.
    ///
    /// - Throws: `.refused` with `errSecAuthFailed` and the reason `wrongPIN`, or `tooManyAttempts` (``tokens()`` says how long);
    ///   with `errSecNotAvailable` and `tokenLockedOut`, `tokenUnavailable` or `storeUnavailable`.
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

    /// - Parameter status: what a secret of a wrong size means: a new one cannot be set, an old one is wrong.
    private func bytes(
        _ secret: ProtectorSecret<SecretBytes>, orElse status: StatusCode = .authenticationFailed
    ) throws(ClientError) -> ProtectorSecret<SecretBytes.BytesView> {
        guard secret.kind.secretSizes.contains(secret.bytes.count) else {
            throw .refused(Refusal(status, status == .parameter ? .unusableSecret : .wrongSecret))
        }
        return ProtectorSecret(secret.kind, secret.bytes.bytes)
    }
}
