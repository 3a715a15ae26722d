// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainStore

/// What all connections of a service share.
public struct ServiceState: Sendable {
    let store: ItemStore
    let changes: ChangeFeed
    let lock: LockController
    let jobs: BackupJobs
    let rules: AccessRuleBook
    private let audit: @Sendable (consuming [UInt8]) -> Void
    private let clock: @Sendable () -> Timestamp
    /// What the service could do to protect its own process, for `status`.
    let protections: [String]

    /// - Parameters:
    ///   - audit: keeps one line of the audit log: UTF-8 without a newline.
    ///   - clock: the time of day.
    public init(
        store: ItemStore, changes: ChangeFeed, lock: LockController, jobs: BackupJobs = BackupJobs(),
        protections: [String] = [], clock: @escaping @Sendable () -> Timestamp,
        audit: @escaping @Sendable (_ line: consuming [UInt8]) -> Void
    ) {
        self.store = store
        self.changes = changes
        self.lock = lock
        self.jobs = jobs
        rules = AccessRuleBook(store)
        self.protections = protections
        self.clock = clock
        self.audit = audit
    }

    func record(_ event: AuditEvent) {
        // Requests that touch no item would only hide those that do.
        if case .served = event.outcome { return }
        audit(event.line(at: clock()))
    }
}
