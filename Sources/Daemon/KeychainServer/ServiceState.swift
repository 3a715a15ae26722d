// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPolicy
public import KeychainStore
internal import Synchronization

/// The state shared by all connections of a service. An object, because every request passes it around.
public final class ServiceState: Sendable {
    /// What decides over the use of items.
    let model: AccessModel
    /// The path of a keychain file; nil for the user's own keychain.
    let path: String?
    let store: ItemStore
    let changes: ChangeFeed
    let lock: LockController
    let jobs: BackupJobs
    let rules: AccessRuleBook
    /// The approvals that clients of bridges hold, for all keychains of the user.
    let clientApprovals: ClientApprovals
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
    public convenience init(_ dependencies: ServiceDependencies, log: AuditLog) {
        self.init(dependencies, log) { log.append($0) }
    }

    /// Creates the state of a service whose audit log is kept elsewhere: requests for it are refused.
    ///
    /// - Parameter audit: stores one line of the audit log: a JSON object in UTF-8 without a newline.
    public convenience init(
        _ dependencies: ServiceDependencies, audit: @escaping @Sendable (_ line: consuming [UInt8]) -> Void
    ) {
        self.init(dependencies, nil) { line in
            var line = line
            line.append(UInt8(ascii: "}"))
            audit(line)
        }
    }

    /// Creates the state of a keychain file. Its events are in the audit log of the service that has it open.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - user: what the file shares with the user's own keychain.
    convenience init(file path: String, _ dependencies: ServiceDependencies, of user: FileKeychains.Dependencies) {
        self.init(dependencies, nil, file: (path, user)) { _ in }
    }

    private init(
        _ dependencies: ServiceDependencies, _ log: AuditLog?,
        file: (path: String, user: FileKeychains.Dependencies)? = nil,
        audit: @escaping @Sendable (_ line: consuming [UInt8]) -> Void
    ) {
        model = file == nil ? .accessGroups : .accessObjects
        path = file?.path
        let user = file?.user ?? dependencies.files?.dependencies
        clientApprovals = user?.clientApprovals ?? ClientApprovals()
        store = dependencies.store
        changes = dependencies.changes
        lock = dependencies.lock
        jobs = dependencies.jobs
        files = dependencies.files
        rules = user?.rules ?? AccessRuleBook(dependencies.store, dependencies.policy)
        prompter = dependencies.prompter
        ownerAuthority = dependencies.ownerAuthority
        secureElement = dependencies.secureElement
        deviceKey = dependencies.deviceKey
        protections = dependencies.protections
        clock = dependencies.clock
        authenticator = Authenticator(
            prompter: prompter, biometry: dependencies.biometry, gate: lock.biometryGate, lock: lock)
        fingerUnlock = FingerUnlock(lock, authenticator, secureElement)
        lock.whenLocked { [prompter, clientApprovals, path] in
            prompter.keychainWasLocked()
            clientApprovals.forget(keychain: path)
        }
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
        if case .served = event.result { return }
        audit(event.line(at: clock()))
    }
}

/// The objects that a service uses for one keychain.
public struct ServiceDependencies: Sendable {
    public let store: ItemStore
    public let changes: ChangeFeed
    public let lock: LockController
    /// The time of day.
    public let clock: @Sendable () -> Timestamp
    public var jobs = BackupJobs()
    /// Shows the prompts.
    public var prompter = Prompter.unavailable
    /// The fingerprint reader.
    public var biometry = BiometryReader.none
    /// Holds private keys that never enter the service.
    public var secureElement = SecureElement.none
    /// The place of the key that binds the keychain to its device.
    public var deviceKey = DeviceKeyMoving.impossible
    /// Its user's keychain files. With files, their access rules are those of the keychain.
    public var files: FileKeychains?
    /// The policy of the machine.
    public var policy = MachinePolicy.none
    /// Authorizes what no passcode proves; nil in a user service.
    public var ownerAuthority: OwnerAuthority?
    /// The protections that the service could apply to its own process, for `status`.
    public var protections: [String] = []

    public init(
        store: ItemStore, changes: ChangeFeed, lock: LockController, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.changes = changes
        self.lock = lock
        self.clock = clock
    }
}

/// The owner's access rules, cached for all requests: those for the user's own keychain and for keychain files.
final class AccessRuleBook: Sendable {
    let policy: MachinePolicy
    private let read: @Sendable () -> AccessRules
    private let rules: Mutex<AccessRules>

    init(_ store: ItemStore, _ policy: MachinePolicy) {
        self.policy = policy
        read = { AccessRules(of: store, policy) }
        rules = Mutex(read())
    }

    var current: AccessRules { rules.withLock { $0 } }

    /// Reads the rules again, after settings have changed.
    func reload() { rules.withLock { $0 = read() } }
}

extension AccessRules {
    /// Reads the rules. If they cannot be read, uses the strictest rules, so that an error allows nothing.
    fileprivate init(of store: ItemStore, _ policy: MachinePolicy) {
        do throws(StoreError) {
            self.init(
                try store.settings(), policy, teams: try store.trustedTeams(),
                developmentFolders: policy.allowsDevelopment ? try store.developmentFolders() : [])
        } catch {
            self = .strictest
        }
    }
}
