// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire
public import SecretMemory

// Backups, piece by piece. Only the administration tool may. A job belongs to the connection that began it, ends with it
// and after a minute without a request; there is one backup and one restore at a time.
extension KeychainClient {
    /// Begins a backup. The pieces that ``nextPiece(of:)`` gives, one behind the other, are the file.
    ///
    /// - Parameters:
    ///   - secret: will open the backup.
    ///   - proof: passcode or recovery key; not needed for a keychain without a passcode, whose backup opens on this
    ///     device alone.
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

    /// The next piece of a backup.
    ///
    /// - Throws: `.refused` with `errSecNotAvailable` and `jobEnded`; `errSecInteractionNotAllowed` when the keychain was
    ///   locked meanwhile, which ends the job.
    public func nextPiece(of backup: JobToken) throws(ClientError) -> BackupPiece {
        try answer(to: BytesRequest.backup(.next(backup)), isRepeatable: false) { frame throws(WireError) in
            try BackupPiece(frame)
        }
    }

    /// Ends a backup early. One that has ended already is no error.
    public func cancelBackup(_ backup: JobToken) throws(ClientError) {
        try finish(.backup(.cancel(backup)))
    }

    /// Opens a backup, to look through it or to restore it.
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

    /// Hands over the next bytes of the file, at most ``WireLimits/restorePieceBytes``. The items that are complete by then
    /// are dealt with when this returns.
    ///
    /// - Throws: `.refused` with `errSecDecode` and `damagedBackup`; with `jobEnded`. Items that were restored before stay.
    public func restore(_ bytes: ArraySlice<UInt8>, of restore: JobToken) throws(ClientError) -> RestoreProgress {
        try progress(.restore(.records(restore, bytes)))
    }

    /// Says that there are no more bytes.
    ///
    /// - Throws: `.refused` with `errSecDecode` and `truncatedBackup` if the end of the backup was not among them.
    public func finishRestore(_ restore: JobToken) throws(ClientError) -> RestoreProgress {
        try progress(.restore(.finish(restore)))
    }

    /// Ends a restore early. One that has ended already is no error.
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
