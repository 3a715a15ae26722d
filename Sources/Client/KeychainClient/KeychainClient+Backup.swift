// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire
public import SecretMemory

// Backups, in pieces. Only the administration tool may use them. A job belongs to the connection that started it. It
// ends with the connection, and after a minute without a request. At most one backup and one restore run at a time.
extension KeychainClient {
    /// Starts a backup. The concatenated pieces that ``nextPiece(of:)`` returns are the file.
    ///
    /// - Parameters:
    ///   - secret: the secret that opens the backup.
    ///   - proof: passcode or recovery key; not required for a keychain without a passcode, whose backup can be opened
    ///     on this device only. ``approvePortableBackup()`` begins the other kind.
    /// - Throws: `.refused` with `errSecInteractionNotAllowed` when the keychain is locked; `errSecAuthFailed` with the
    ///   reasons `proofRequired` and `wrongSecret`; `errSecNotAvailable` with `jobUnderWay`; `errSecParam` with
    ///   `unusableSecret`; `errSecMissingEntitlement` for other programs.
    public func beginBackup(
        _ secret: BackupSecret<SecretBytes>, proof: ProtectorSecret<SecretBytes>?
    ) throws(ClientError) -> BackupBegun {
        try answer(to: .backup(.begin(secret.lent, proof: proof?.lent)), isRepeatable: false) {
            frame throws(WireError) in try BackupBegun(frame)
        }
    }

    /// Prompts the owner for a portable backup of a keychain without a passcode.
    ///
    /// - Returns: the token of the approval, for ``beginPortableBackup(_:approval:)`` on this connection within five
    ///   minutes, and the approximate number of items.
    /// - Throws: `.refused` with `errSecAuthFailed`, without a reason when the owner denies it; with the reasons
    ///   `passcodeNeededToAsk` where no prompt can be shown, `proofRequired` when a passcode is set, and the reasons of
    ///   an authorization by polkit.
    public func approvePortableBackup() throws(ClientError) -> BackupBegun {
        try answer(to: BytesRequest.backup(.approvePortable), isRepeatable: false) {
            frame throws(WireError) in try BackupBegun(frame)
        }
    }

    /// Starts the backup that the owner approved.
    ///
    /// - Throws: as ``beginBackup(_:proof:)``; `errSecNotAvailable` with `jobEnded` for an approval that was used or has
    ///   expired.
    public func beginPortableBackup(
        _ secret: BackupSecret<SecretBytes>, approval: JobToken
    ) throws(ClientError) -> BackupBegun {
        try answer(to: .backup(.beginPortable(secret.lent, approval: approval)), isRepeatable: false) {
            frame throws(WireError) in try BackupBegun(frame)
        }
    }

    /// Returns the next piece of a backup.
    ///
    /// - Throws: `.refused` with `errSecNotAvailable` and `jobEnded`; `errSecInteractionNotAllowed` when the keychain
    ///   was locked in the meantime, which ends the job.
    public func nextPiece(of backup: JobToken) throws(ClientError) -> BackupPiece {
        try answer(to: BytesRequest.backup(.next(backup)), isRepeatable: false) { frame throws(WireError) in
            try BackupPiece(frame)
        }
    }

    /// Ends a backup early. It is no error if the backup has already ended.
    public func cancelBackup(_ backup: JobToken) throws(ClientError) {
        try finish(.backup(.cancel(backup)))
    }

    /// Opens a backup, to inspect or to restore it.
    ///
    /// - Throws: `.refused` with `errSecDecode` and the reasons `damagedBackup`, `newerBackup` and `otherDevicesBackup`;
    ///   `errSecAuthFailed` with `wrongBackupSecret`; otherwise as ``beginBackup(_:proof:)``.
    public func beginRestore(_ order: RestoreOrder<SecretBytes>) throws(ClientError) -> RestoreBegun {
        let order = RestoreOrder(
            header: order.header, secret: order.secret.lent, proof: order.proof?.lent, mode: order.mode,
            replacesNewer: order.replacesNewer)
        return try answer(to: .restore(.begin(order)), isRepeatable: false) { frame throws(WireError) in
            try RestoreBegun(frame)
        }
    }

    /// Sends the next bytes of the file, at most ``WireLimits/restorePieceBytes``. When this returns, all items that
    /// are complete by then have been processed.
    ///
    /// - Throws: `.refused` with `errSecDecode` and `damagedBackup`; with `jobEnded`. Items that were restored before
    ///   are kept.
    public func restore(_ bytes: ArraySlice<UInt8>, of restore: JobToken) throws(ClientError) -> RestoreProgress {
        try progress(.restore(.records(restore, bytes)))
    }

    /// Finishes a restore: the file has no more bytes.
    ///
    /// - Throws: `.refused` with `errSecDecode` and `truncatedBackup` if the end of the backup is missing.
    public func finishRestore(_ restore: JobToken) throws(ClientError) -> RestoreProgress {
        try progress(.restore(.finish(restore)))
    }

    /// Ends a restore early. It is no error if the restore has already ended.
    public func cancelRestore(_ restore: JobToken) throws(ClientError) {
        try finish(.restore(.cancel(restore)))
    }

    private typealias BytesRequest = Request<[UInt8]>

    private func progress(_ request: BytesRequest) throws(ClientError) -> RestoreProgress {
        try answer(to: request, isRepeatable: false) { frame throws(WireError) in try RestoreProgress(frame) }
    }

    private func finish(_ request: BytesRequest) throws(ClientError) {
        try answer(to: request, isRepeatable: false) { frame throws(WireError) in
            guard try ReplyPart<Void>(frame, secret: { _ in }).items.isEmpty else { throw .malformed }
        }
    }
}

extension BackupSecret<SecretBytes> {
    fileprivate var lent: BackupSecret<SecretBytes.BytesView> { BackupSecret<SecretBytes.BytesView>(kind, bytes.bytes) }
}

extension ProtectorSecret<SecretBytes> {
    fileprivate var lent: ProtectorSecret<SecretBytes.BytesView> {
        ProtectorSecret<SecretBytes.BytesView>(kind, bytes.bytes)
    }
}
