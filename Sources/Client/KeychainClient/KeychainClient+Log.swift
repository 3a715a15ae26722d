// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire

// The audit log. Only the administration tool may read it: other callers are refused with `errSecMissingEntitlement`
// and the reason `administrationOnly`.
extension KeychainClient {
    /// Returns lines of the audit log that match the filter.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first page.
    ///   - limit: the maximum number of lines.
    /// - Returns: a page, which may be empty before the end of the log.
    /// - Throws: `.refused` with `errSecNotAvailable` and the reason `damagedLog` for a log that cannot be read.
    public func auditPage(
        _ filter: AuditFilter, _ order: LogRequest.Order, from cursor: AuditCursor?, limit: UInt32
    ) throws(ClientError) -> AuditPage {
        try answer(to: Request<[UInt8]>.log(.read(filter, order, from: cursor, limit: limit))) {
            frame throws(WireError) in try AuditPage(frame)
        }
    }

    /// Verifies that all lines of the audit log are those that the service wrote.
    ///
    /// - Throws: as ``auditPage(_:_:from:limit:)``.
    public func verifyAuditLog() throws(ClientError) -> AuditVerification {
        try answer(to: Request<[UInt8]>.log(.verify)) { frame throws(WireError) in try AuditVerification(frame) }
    }

    /// Returns a stream of the lines that are written to the audit log from now on.
    ///
    /// - Throws: as ``auditPage(_:_:from:limit:)``.
    public func followAuditLog() throws(ClientError) -> any LogStream {
        try transport.followLog()
    }
}

/// New lines of the audit log, as they are written.
public protocol LogStream: Sendable {
    /// Waits for the next line, UTF-8 without its newline; nil when the service has ended or the stream was cancelled.
    ///
    /// - Throws: `.unavailable` when the connection was lost: then lines may be missing.
    func next() throws(ClientError) -> [UInt8]?
    /// Ends the stream. May be called from any thread, and more than once.
    func cancel()
}
