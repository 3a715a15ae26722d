// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPolicy
public import KeychainStore

/// The state shared by all connections of a service. An object, because every request passes it around.
public final class ServiceState: Sendable {
    /// What decides over the use of items.
    let model: AccessModel
    /// The display name of a keychain file; nil for the user's own keychain.
    let fileName: String?
    let store: ItemStore
    let changes: ChangeFeed
    let lock: LockController
    let jobs: BackupJobs
    let rules: AccessRuleBook
    let prompter: Prompter
    let authenticator: Authenticator
    /// The authority with which the owner authorizes what no passcode proves; nil in a user service.
    let ownerAuthority: OwnerAuthority?
    let fingerUnlock: FingerUnlock
    let secureElement: SecureElement
    let deviceKey: DeviceKeyMoving
    /// The user's keychain files; nil if there are none, and in a keychain file.
    let files: FileKeychains?
    /// The files of the audit log; nil if its lines are kept elsewhere and cannot be read.
    let log: AuditLog?
    private let audit: @Sendable (consuming [UInt8]) -> Void
    private let clock: @Sendable () -> Timestamp
    /// The protections that the service could apply to its own process, for `status`.
    let protections: [String]
    /// The counts of requests. Those for items of a keychain file are counted in its user's keychain.
    let figures: RequestFigures

    /// Creates the state of a service whose audit log is in files.
    ///
    /// - Parameters:
    ///   - prompter: shows the prompts.
    ///   - biometry: the fingerprint reader.
    ///   - secureElement: holds private keys that never enter the service.
    ///   - deviceKey: the place of the key that binds the keychain to its device.
    ///   - files: its user's keychain files.
    ///   - policy: the policy of the machine.
    ///   - ownerAuthority: authorizes what no passcode proves; nil in a user service.
    ///   - clock: the time of day.
    public convenience init(
        store: ItemStore, changes: ChangeFeed, lock: LockController, jobs: BackupJobs = BackupJobs(),
        prompter: Prompter = .nobody, biometry: BiometryReader = .none, secureElement: SecureElement = .none,
        deviceKey: DeviceKeyMoving = .impossible, files: FileKeychains? = nil, policy: MachinePolicy = .none,
        ownerAuthority: OwnerAuthority? = nil,
        protections: [String] = [], clock: @escaping @Sendable () -> Timestamp,
        log: AuditLog
    ) {
        self.init(
            .accessGroups, store, changes, lock, jobs, prompter, biometry, secureElement, deviceKey, files,
            files?.rules ?? AccessRuleBook(store, policy), ownerAuthority, protections,
            clock, log
        ) {
            log.append($0)
        }
    }

    /// Creates the state of a service whose audit log is kept elsewhere: requests for it are refused.
    ///
    /// - Parameters:
    ///   - prompter: shows the prompts.
    ///   - secureElement: holds private keys that never enter the service.
    ///   - deviceKey: the place of the key that binds the keychain to its device.
    ///   - files: its user's keychain files.
    ///   - policy: the policy of the machine.
    ///   - ownerAuthority: authorizes what no passcode proves; nil in a user service.
    ///   - audit: stores one line of the audit log: a JSON object in UTF-8 without a newline.
    ///   - clock: the time of day.
    public convenience init(
        store: ItemStore, changes: ChangeFeed, lock: LockController, jobs: BackupJobs = BackupJobs(),
        prompter: Prompter = .nobody, biometry: BiometryReader = .none, secureElement: SecureElement = .none,
        deviceKey: DeviceKeyMoving = .impossible, files: FileKeychains? = nil, policy: MachinePolicy = .none,
        ownerAuthority: OwnerAuthority? = nil,
        protections: [String] = [], clock: @escaping @Sendable () -> Timestamp,
        audit: @escaping @Sendable (_ line: consuming [UInt8]) -> Void
    ) {
        self.init(
            .accessGroups, store, changes, lock, jobs, prompter, biometry, secureElement, deviceKey, files,
            files?.rules ?? AccessRuleBook(store, policy), ownerAuthority, protections,
            clock, nil
        ) { line in
            var line = line
            line.append(UInt8(ascii: "}"))
            audit(line)
        }
    }

    /// Creates the state of a keychain file. Its events are in the audit log of the service that has it open.
    convenience init(
        ofFile store: ItemStore, called name: String, _ changes: ChangeFeed, _ lock: LockController,
        _ means: FileKeychains.Means
    ) {
        self.init(
            .accessObjects, fileName: name, store, changes, lock, BackupJobs(), means.prompter, .none, .none, .impossible,
            nil, means.rules, nil, [],
            means.wallClock, nil
        ) { _ in }
    }

    private init(
        _ model: AccessModel, fileName: String? = nil, _ store: ItemStore, _ changes: ChangeFeed, _ lock: LockController,
        _ jobs: BackupJobs,
        _ prompter: Prompter,
        _ biometry: BiometryReader, _ secureElement: SecureElement, _ deviceKey: DeviceKeyMoving,
        _ files: FileKeychains?, _ rules: AccessRuleBook, _ ownerAuthority: OwnerAuthority?, _ protections: [String],
        _ clock: @escaping @Sendable () -> Timestamp,
        _ log: AuditLog?,
        audit: @escaping @Sendable (_ line: consuming [UInt8]) -> Void
    ) {
        self.model = model
        self.fileName = fileName
        self.ownerAuthority = ownerAuthority
        self.files = files
        self.store = store
        self.changes = changes
        self.lock = lock
        self.jobs = jobs
        self.rules = rules
        self.prompter = prompter
        self.secureElement = secureElement
        self.deviceKey = deviceKey
        authenticator = Authenticator(
            prompter: prompter, biometry: biometry, gate: lock.biometryGate, lock: lock)
        fingerUnlock = FingerUnlock(lock, authenticator, secureElement)
        lock.whenLocked { prompter.keychainWasLocked() }
        self.protections = protections
        self.clock = clock
        self.log = log
        self.audit = audit
        figures = RequestFigures(now: clock())
    }

    /// Counts a finished request.
    func count(_ measure: RequestMeasure, nanoseconds: UInt64) {
        figures.count(measure.kind, measure.outcome, nanoseconds: nanoseconds, now: clock)
    }

    func record(_ event: AuditEvent) {
        // Requests that touch no item would only hide those that do.
        if case .served = event.outcome { return }
        audit(event.line(at: clock()))
    }
}
