// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire

// The audit log. Only the administration tool may ask for it: the others are refused with `errSecMissingEntitlement` and the
// reason `administrationOnly`.
extension KeychainClient {
    /// Some lines of the audit log that the filter accepts.
    ///
    /// - Parameters:
    ///   - cursor: where the page before this one ended; nil for the beginning of the order.
    ///   - limit: at most so many lines.
    /// - Returns: there may be no lines in it without the end having come.
    /// - Throws: `.refused` with `errSecNotAvailable` and the reason `damagedLog` for a log that cannot be read.
    public func auditPage(
        _ filter: AuditFilter, _ order: LogRequest.Order, from cursor: AuditCursor?, limit: UInt32
    ) throws(ClientError) -> AuditPage {
        try answer(to: Request<[UInt8]>.log(.read(filter, order, from: cursor, limit: limit))) {
            frame throws(WireError) in try AuditPage(frame)
        }
    }

    /// Looks at all lines of the audit log, whether they are those that the service wrote.
    ///
    /// - Throws: as ``auditPage(_:_:from:limit:)``.
    public func verifyAuditLog() throws(ClientError) -> AuditVerification {
        try answer(to: Request<[UInt8]>.log(.verify)) { frame throws(WireError) in try AuditVerification(frame) }
    }

    /// The lines of the audit log that are written from now on.
    ///
    /// - Throws: as ``auditPage(_:_:from:limit:)``.
    public func followAuditLog() throws(ClientError) -> any LogStream {
        try transport.followLog()
    }
}

/// New lines of the audit log, as they are written.
public protocol LogStream: Sendable {
    /// Waits for the next line, UTF-8 without its newline; nil when the service has ended, or the stream was cancelled.
    ///
    /// - Throws: `.unavailable` when the connection broke: lines may be missing then.
    func next() throws(ClientError) -> [UInt8]?
    /// Ends the stream. May be called from any thread, and more than once.
    func cancel()
}
