// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
public import KeychainModel
public import KeychainPolicy
internal import KeychainWire

// The audit log contains the requests of all programs, so only the administration tool may read it. Reading it leaves
// no line.
extension Pipeline {
    func answer(_ request: LogRequest, for caller: Caller) throws(RequestInterruption) -> Answer {
        let log = try refusing { () throws(Refusal) in try self.log(for: caller) }
        do throws(SystemCallError) {
            switch request {
            case .read(let filter, let order, let cursor, let limit):
                return (try log.page(filter, order, from: cursor, limit: limit).frame, .served)
            case .verify: return (try log.verify().frame, .served)
            case .follow: return (finished(), .served)
            }
        } catch {
            service.log?.note("cannot read the audit log: \(error)")
            throw .refused(Refusal(.notAvailable, .damagedLog))
        }
    }

    private func log(for caller: Caller) throws(Refusal) -> AuditLog {
        guard caller.isAdministrationTool else { throw Refusal(.missingEntitlement, .administrationOnly) }
        guard let log = service.log else { throw Refusal(.notAvailable, .damagedLog) }
        return log
    }

    /// Calls `deliver` with the frame of each new line of the audit log, until the returned closure is called.
    ///
    /// - Throws: `errSecMissingEntitlement` for all callers but the administration tool; `errSecNotAvailable` without a
    ///   log.
    public func followLog(
        for caller: Caller, _ deliver: @escaping @Sendable (_ frame: [UInt8]) -> Void
    ) throws(Refusal) -> @Sendable () -> Void {
        try log(for: caller).follow(
            deliver: { frame in
                deliver(frame)
                return true
            }, drop: {})
    }
}
