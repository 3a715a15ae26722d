// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// A client's request for making a backup. `Secret` as in ``Request``.
public enum BackupRequest<Secret> {
    /// - proof: opens the keychain; required if it has a passcode.
    case begin(BackupSecret<Secret>, proof: ProtectorSecret<Secret>?)
    /// Returns the next piece of the file.
    case next(JobToken)
    /// Ends the job early.
    case cancel(JobToken)
    /// Prompts the owner for a portable backup of a keychain without a passcode. The answer has the token of the approval.
    case approvePortable
    /// Begins the backup that the owner approved on this connection. The approval is used up.
    case beginPortable(BackupSecret<Secret>, approval: JobToken)
}

/// A client's request for restoring a backup.
public enum RestoreRequest<Secret> {
    case begin(RestoreOrder<Secret>)
    /// The next bytes of the file, cut anywhere.
    case records(JobToken, ArraySlice<UInt8>)
    /// Ends the file.
    case finish(JobToken)
    case cancel(JobToken)
}

/// The start of a restore.
public struct RestoreOrder<Secret> {
    /// The first ``WireLimits/backupHeaderBytes`` bytes of the file.
    public let header: [UInt8]
    public let secret: BackupSecret<Secret>
    /// Opens the keychain; required to compare or change anything in a keychain with a passcode.
    public let proof: ProtectorSecret<Secret>?
    public let mode: RestoreMode
    /// Whether newer stored items are replaced.
    public let replacesNewer: Bool

    public init(
        header: [UInt8], secret: BackupSecret<Secret>, proof: ProtectorSecret<Secret>?, mode: RestoreMode,
        replacesNewer: Bool
    ) {
        self.header = header
        self.secret = secret
        self.proof = proof
        self.mode = mode
        self.replacesNewer = replacesNewer
    }
}

/// The identifier of a backup or a restore in progress: 16 random bytes, valid on the connection that began it.
public struct JobToken: Hashable, Sendable {
    public let bytes: [UInt8]

    public static let size = 16

    /// Creates a token.
    ///
    /// - Precondition: 16 bytes.
    public init(bytes: [UInt8]) {
        precondition(bytes.count == Self.size, "a token of the wrong size")
        self.bytes = bytes
    }
}

extension WireLimits {
    /// The header of a backup; the limit leaves room for later versions.
    public static let backupHeaderBytes = 4096
    /// The most bytes of a backup in one request. A piece that the service sends may be longer by one record.
    public static let restorePieceBytes = 1 << 20
    /// A passphrase, a passcode or another secret that opens a backup or keychain.
    static let openingSecretBytes = 1024
}

// MARK: - Requests

/// The byte after the nonce.
private enum BackupAction: UInt8 {
    case begin = 1
    case next = 2
    case cancel = 3
    case approvePortable = 4
    case beginPortable = 5
}

private enum RestoreAction: UInt8 {
    case begin = 1
    case records = 2
    case finish = 3
    case cancel = 4
}

extension BackupRequest {
    init(_ reader: inout WireReader, secret: (ArraySlice<UInt8>) -> Secret) throws(WireError) {
        switch try reader.value(BackupAction.self) {
        case .begin:
            let opening = try reader.backupSecret(secret)
            self = .begin(opening, proof: try reader.proof(secret))
        case .next: self = .next(try reader.token())
        case .cancel: self = .cancel(try reader.token())
        case .approvePortable: self = .approvePortable
        case .beginPortable:
            let approval = try reader.token()
            self = .beginPortable(try reader.backupSecret(secret), approval: approval)
        }
    }
}

extension RestoreRequest {
    init(_ reader: inout WireReader, secret: (ArraySlice<UInt8>) -> Secret) throws(WireError) {
        switch try reader.value(RestoreAction.self) {
        case .begin:
            let header = Array(try reader.block(atMost: WireLimits.backupHeaderBytes))
            let opening = try reader.backupSecret(secret)
            let proof = try reader.proof(secret)
            let mode = try reader.value(RestoreMode.self)
            self = .begin(
                RestoreOrder(
                    header: header, secret: opening, proof: proof, mode: mode, replacesNewer: try reader.flag()))
        case .records:
            let token = try reader.token()
            self = .records(token, try reader.block(atMost: WireLimits.restorePieceBytes))
        case .finish: self = .finish(try reader.token())
        case .cancel: self = .cancel(try reader.token())
        }
    }
}

extension BackupRequest where Secret: Collection, Secret.Element == UInt8 {
    /// Writes the fields after the nonce.
    func write(to writer: inout WireWriter) {
        switch self {
        case .begin(let secret, let proof):
            writer.u8(BackupAction.begin.rawValue)
            writer.backupSecret(secret)
            writer.proof(proof)
        case .next(let token):
            writer.u8(BackupAction.next.rawValue)
            writer.raw(token.bytes)
        case .cancel(let token):
            writer.u8(BackupAction.cancel.rawValue)
            writer.raw(token.bytes)
        case .approvePortable: writer.u8(BackupAction.approvePortable.rawValue)
        case .beginPortable(let secret, let approval):
            writer.u8(BackupAction.beginPortable.rawValue)
            writer.raw(approval.bytes)
            writer.backupSecret(secret)
        }
    }

    /// An upper bound of the size, so that growing leaves no copy of a secret behind.
    var size: Int {
        switch self {
        case .begin(let secret, let proof): 32 + secret.bytes.count + (proof?.bytes.count ?? 0)
        case .beginPortable(let secret, _): 48 + secret.bytes.count
        case .next, .cancel, .approvePortable: 32
        }
    }
}

extension RestoreRequest where Secret: Collection, Secret.Element == UInt8 {
    /// Writes the fields after the nonce.
    func write(to writer: inout WireWriter) {
        switch self {
        case .begin(let order):
            writer.u8(RestoreAction.begin.rawValue)
            writer.block(order.header)
            writer.backupSecret(order.secret)
            writer.proof(order.proof)
            writer.u8(order.mode.rawValue)
            writer.u8(order.replacesNewer ? 1 : 0)
        case .records(let token, let bytes):
            writer.u8(RestoreAction.records.rawValue)
            writer.raw(token.bytes)
            writer.block(bytes)
        case .finish(let token):
            writer.u8(RestoreAction.finish.rawValue)
            writer.raw(token.bytes)
        case .cancel(let token):
            writer.u8(RestoreAction.cancel.rawValue)
            writer.raw(token.bytes)
        }
    }

    var size: Int {
        switch self {
        case .begin(let order):
            64 + order.header.count + order.secret.bytes.count + (order.proof?.bytes.count ?? 0)
        case .records(_, let bytes): 32 + bytes.count
        case .finish, .cancel: 32
        }
    }
}

extension WireReader {
    fileprivate mutating func token() throws(WireError) -> JobToken { JobToken(bytes: Array(try take(JobToken.size))) }

    fileprivate mutating func backupSecret<Secret>(
        _ secret: (ArraySlice<UInt8>) -> Secret
    ) throws(WireError) -> BackupSecret<Secret> {
        let kind = try value(BackupSecretKind.self)
        return BackupSecret(kind, secret(try block(atMost: WireLimits.openingSecretBytes)))
    }

    fileprivate mutating func proof<Secret>(
        _ secret: (ArraySlice<UInt8>) -> Secret
    ) throws(WireError) -> ProtectorSecret<Secret>? {
        guard try flag() else { return nil }
        let kind = try value(ProtectorKind.self)
        return ProtectorSecret(kind, secret(try block(atMost: WireLimits.openingSecretBytes)))
    }
}

extension WireWriter {
    fileprivate mutating func backupSecret(_ secret: BackupSecret<some Collection<UInt8>>) {
        u8(secret.kind.rawValue)
        block(secret.bytes)
    }

    fileprivate mutating func proof(_ proof: ProtectorSecret<some Collection<UInt8>>?) {
        u8(proof == nil ? 0 : 1)
        guard let proof else { return }
        u8(proof.kind.rawValue)
        block(proof.bytes)
    }
}
