// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainBytes
public import KeychainModel

/// The keys of an audit log: one for the chain of its lines, one for its checkpoint. They are derived from the device
/// key and available in every lock state.
///
/// A keyed hash chain, as in the audit logs of Bellare and Yee ("Forward integrity for secure audit logs", 1997) and of
/// Schneier and Kelsey ("Secure audit logs to support computer forensics", ACM TISSEC 2, 1999): each line has the
/// HMAC-SHA256 of the link before it and of the line itself, cut to 128 bits. Unlike theirs the key stays the same,
/// because the service must derive it again after a restart: a program with the device key can write a log anew.
/// Documentation/Formats/audit-log.md.
public struct AuditChainKey: Sendable {
    /// HMAC's state after processing the key, which saves a third of the work for a line. In ordinary memory, like the
    /// state of ``RowCoder``, because every request needs it.
    private let chain: HMAC<SHA256>
    private let checkpoint: any StoredKey

    /// Derives the keys.
    ///
    /// - Throws: `.noKeyStorage`.
    public init(deviceKey: DeviceKey, in storage: some SecretKeyStorage) throws(SealingError) {
        chain = HMAC(key: deviceKey.auditKey(SealingConstants.auditChainLabel))
        checkpoint = try storage.store(deviceKey.auditKey(SealingConstants.auditCheckpointLabel))
    }

    /// Returns the link of a line.
    ///
    /// - Parameters:
    ///   - previous: the link of the line before it.
    ///   - line: the line up to the field that holds the link.
    public func link(after previous: AuditLink, _ line: [UInt8]) -> AuditLink {
        var hmac = chain
        hmac.update(data: [UInt8](capacity: SealingConstants.auditLinkSize) { $0.append(bigEndian: previous.value) })
        hmac.update(data: line)
        let code = hmac.finalize()
        // Read inside the closure only, within the 32 bytes of a code.
        return unsafe code.withUnsafeBytes { bytes in
            AuditLink(value: unsafe UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self)))
        }
    }

    /// Returns the stored bytes: magic and version (8), sequence number of the last line (u64), its link (16), number
    /// of files (u16), the number of the first line of each (u64), HMAC-SHA256 of all of these (32).
    public func seal(_ checkpoint: AuditCheckpoint) -> [UInt8] {
        var bytes = SealingConstants.auditCheckpointMagic
        bytes.append(bigEndian: checkpoint.sequence)
        bytes.append(bigEndian: checkpoint.link.value)
        bytes.append(bigEndian: UInt16(clamping: checkpoint.starts.count))
        for start in checkpoint.starts.prefix(Int(UInt16.max)) { bytes.append(bigEndian: start) }
        bytes.append(contentsOf: HMAC<SHA256>.authenticationCode(for: bytes, using: self.checkpoint.copy()))
        return bytes
    }

    /// Opens a sealed checkpoint.
    ///
    /// - Throws: `.damaged` for anything that was not sealed with this device key, `.unsupportedVersion`.
    public func open(_ sealed: [UInt8]) throws(SealingError) -> AuditCheckpoint {
        var reader = SealedReader(sealed)
        try reader.magic(SealingConstants.auditCheckpointMagic)
        let sequence = try reader.u64()
        let link = AuditLink(value: try reader.integer(UInt128.self))
        var starts: [UInt64] = []
        for _ in 0..<(try reader.u16()) { starts.append(try reader.u64()) }
        let code = try reader.bytes(SealingConstants.codeSize)
        try reader.finish()
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: sealed.dropLast(SealingConstants.codeSize), using: checkpoint.copy())
        else { throw .damaged }
        return AuditCheckpoint(sequence: sequence, link: link, starts: starts)
    }
}

/// The extent of an audit log when the checkpoint was sealed: the log must still have those lines.
public struct AuditCheckpoint: Hashable, Sendable {
    /// The number and the link of the last line.
    public let sequence: UInt64
    public let link: AuditLink
    /// The number of the first line of each file, oldest first; at most 65,535.
    public let starts: [UInt64]

    public init(sequence: UInt64, link: AuditLink, starts: [UInt64]) {
        (self.sequence, self.link, self.starts) = (sequence, link, starts)
    }
}

extension DeviceKey {
    fileprivate func auditKey(_ label: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key.copy(), info: Array(label.utf8), outputByteCount: SealingConstants.keySize)
    }
}

extension AuditChainKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "AuditChainKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
