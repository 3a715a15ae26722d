// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import Logging
internal import SecretMemory

/// The keychain of one user while a service has it open: the store, and all objects that belong to it alone.
final class OpenKeychain: Sendable {
    let pipeline: Pipeline
    private let store: ItemStore
    private let lock: LockController
    private let jobs: BackupJobs
    private let schedule: SnapshotSchedule
    private let tokens: KeychainTokens
    private let files: FileKeychains
    private let audit: AuditLog
    private let log: @Sendable (Logger.Level, String) -> Void
    /// Held to the very end, so that a successor opens the store only after this one has closed it.
    private let instanceLock: InstanceLock

    /// Opens the keychain in an existing folder, or creates one in it.
    ///
    /// - Parameters:
    ///   - prompter: shows the prompts.
    ///   - biometry: the reader of its user's fingers.
    ///   - given: the secure element and the device key; nil for no tokens.
    ///   - opened: the lock of the folder and the device key, if that had to be opened with a PIN before.
    ///   - allowsFilesElsewhere: whether its user's keychain files may be anywhere.
    ///   - policy: the policy of the machine.
    ///   - ownerAuthority: authorizes what no passcode proves; nil in a user service.
    ///   - protections: the protections that the process could apply to itself, for `status`.
    ///   - wake: called, from any thread, when ``housekeeping()`` has to be called again.
    /// - Throws: if another service has it open, or it cannot be opened. Then its files are unchanged.
    init(
        _ folder: KeychainFolder, prompter: Prompter = .unavailable, biometry: BiometryReader = .none,
        tokens given: KeychainTokens? = nil, opened: (lock: InstanceLock, key: DeviceKey)? = nil,
        allowsFilesElsewhere: Bool = false, policy: MachinePolicy = .none,
        ownerAuthority: OwnerAuthority? = nil, protections: [String],
        log: @escaping @Sendable (Logger.Level, String) -> Void, wake: @escaping @Sendable () -> Void
    ) throws(StartError) {
        self.log = log
        if let opened { instanceLock = opened.lock } else { instanceLock = try Self.takeLock(of: folder) }
        do throws(DurableFile.Error) { try folder.undoUnfinishedSalvage() } catch { throw StartError(error) }
        let snapshots = Snapshots(
            of: folder.databasePath, in: folder.snapshotsPath,
            synchronize: { try DurableFile.synchronize($0) }, log: { log(.warning, $0) })
        snapshots.removeUnfinished()
        let tokens = given ?? KeychainTokens(.none, of: folder, log: { log(.notice, $0) }, wake: wake)
        self.tokens = tokens
        let (store, auditKey) = try Self.openStore(
            in: folder, deviceKey: tokens.deviceKey, opened: opened?.key, snapshots: snapshots,
            limits: policy.settings, log: log)
        let clock = WallClock.live
        let wallClock: @Sendable () -> Timestamp = { Timestamp(secondsSinceReferenceDate: clock.now()) }
        audit = try Self.openAuditLog(of: store, in: folder, auditKey, wallClock: wallClock, log: log, wake: wake)
        let changes = ChangeFeed()
        lock = LockController(
            store, changes: changes, wallClock: wallClock, clock: .includingSleep, log: { log(.notice, $0) },
            wake: wake)
        jobs = BackupJobs(wake: wake)
        schedule = SnapshotSchedule(
            snapshots, settings: { () throws(StoreError) in try store.settings() }, wallClock: wallClock,
            clock: .includingSleep, log: { log(.warning, $0) },
            ended: {
                ProgramMemory.releaseStartPages()
                wake()
            })
        let log = log
        let files = FileKeychains(
            folder: folder.filesPath, allowsOthers: allowsFilesElsewhere, deviceKey: store.deviceKey,
            keyStorage: LockedKeyStorage(), prompter: prompter, ledger: lock.ledger, changes: changes, store: store,
            wallClock: wallClock, clock: .includingSleep, policy: policy,
            log: { log(.notice, $0) }, wake: wake)
        self.files = files
        files.removeUnfinished()
        self.store = store
        var dependencies = ServiceDependencies(store: store, changes: changes, lock: lock, clock: wallClock)
        dependencies.jobs = jobs
        dependencies.prompter = prompter
        dependencies.biometry = biometry
        dependencies.secureElement = tokens.secureElement
        dependencies.deviceKey = tokens.deviceKeyMoving
        dependencies.files = files
        dependencies.policy = policy
        dependencies.ownerAuthority = ownerAuthority
        dependencies.protections = protections
        pipeline = Pipeline(ServiceState(dependencies, log: audit))
    }

    /// Unlocks with the text of a credential; errors are logged.
    func unlock(withCredentialText text: SecretBytes) { lock.unlock(withCredentialText: text) }

    /// Does due work.
    ///
    /// - Returns: the time until this has to be called again; nil if nothing is planned.
    func housekeeping() -> Duration? {
        if store.hasLookupsToCorrect { checkContents() }
        return [
            lock.lockIfIdle(), jobs.endAbandoned(), schedule.run(), audit.housekeeping(),
            tokens.secureElement.endIfIdle(), files.housekeeping(),
        ].compactMap { $0 }.min()
    }

    /// Whether closing loses nothing: neither keys that the user would have to unlock again, nor a delay after failed
    /// entries that would start again, nor the audit log's pending records of lines that did not fit on a full disk.
    var losesNothingWhenClosed: Bool {
        // If it cannot be determined whether a PIN is set, a PIN is assumed.
        lock.holdsNoUnlockedKeys && files.holdNoUnlockedKeys && (try? tokens.deviceKey.isGuarded()) == false
            && !audit.hasUnwrittenLines && !lock.ledger.hasDelaysOfMemoryOnly
    }

    /// Locks and closes the keychain after its last use. Waits for a running snapshot.
    func close() {
        lock.lock()
        files.closeAll()
        // Before another user's keychain is opened instead: so tokens never exceed the number of open keychains.
        tokens.end()
        schedule.end()
        audit.close()
        do throws(StoreError) {
            try store.close()
        } catch {
            // Nothing is lost: acknowledged changes are in the write-ahead log, and the next start reads them from
            // there.
            log(.warning, "cannot apply the write-ahead log to the database: \(error)")
        }
    }

    /// Checks whether the rows are those that the last run left, while clients are already served.
    func checkContents() {
        let isStarted = SystemThread.start { [self] in
            let warn = { self.log(.warning, $0) }
            if store.isLarge {
                // The check of a large database takes too long for a client to wait for, and that of its indices even
                // longer.
                SystemThread.giveWay()
                checkRows()
                store.lookAtIndices(warn: warn)
            } else {
                // A client that reads the state "as left" can also find these contents.
                store.lookAtIndices(warn: warn)
                checkRows()
            }
            if store.contentsState == .damaged {
                log(
                    .warning, "the database is damaged: stop the service; `chatelaine salvage` saves the readable items"
                )
            }
            // Memory that only these checks needed.
            ProgramMemory.releaseStartPages()
        }
        if !isStarted {
            log(.warning, "cannot check whether the database was changed from outside: no thread is available")
        }
    }

    private func checkRows() {
        do throws(StoreError) {
            switch try store.checkContents() {
            case .asLeft, .unknown, .damaged: break
            case .changed(let rowsMore):
                log(
                    .warning,
                    """
                    the database was changed from outside: it has \(rowsMore) rows more than the service left \
                    (chatelaine status)
                    """)
            case .sealDamaged:
                log(.warning, "cannot determine whether the database was changed from outside: its seal is damaged")
            }
        } catch .closed {
            // The store is closing.
        } catch {
            log(.warning, "cannot check whether the database was changed from outside: \(error)")
        }
    }

    static func takeLock(of folder: KeychainFolder) throws(StartError) -> InstanceLock {
        do throws(InstanceLock.Error) {
            return try InstanceLock(path: folder.lockPath)
        } catch {
            switch error {
            case .held(let pid):
                let who = pid.map { "process \($0)" } ?? "another process"
                throw StartError(
                    "\(who) already serves \(folder.path)",
                    hint: "a store can have only one service: stop the running service first", isAlreadyRunning: true)
            case .system(let error):
                throw StartError("\(folder.lockPath): \(error)", hint: "check the permissions of \(folder.path)")
            }
        }
    }

    private static func openStore(
        in folder: KeychainFolder, deviceKey: DeviceKeyFile, opened: DeviceKey?, snapshots: Snapshots,
        limits: SettingLimits, log: (Logger.Level, String) -> Void
    ) throws(StartError) -> (ItemStore, AuditChainKey) {
        let storage = LockedKeyStorage()
        if FileIdentity(path: folder.deviceKeyPath) != nil, FileIdentity(path: folder.databasePath) == nil {
            // This is normal after a crash in the very first start; otherwise the administrator should know.
            log(.warning, "\(folder.databasePath) is missing, but its device key exists: creating an empty keychain")
        }
        let key = if let opened { opened } else { try deviceKey.loadOrCreate(in: storage) }
        do throws(StoreError) {
            let clock = WallClock.live
            let store = try ItemStore(
                at: .file(folder.databasePath), deviceKey: key, keyStorage: storage, snapshots: snapshots,
                limits: limits, clock: { Timestamp(secondsSinceReferenceDate: clock.now()) },
                makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! })
            return (store, try auditKey(key, storage))
        } catch {
            let (text, hint) = error.explanation(path: folder.databasePath)
            throw StartError(text, hint: hint)
        }
    }

    private static func auditKey(
        _ key: DeviceKey, _ storage: some SecretKeyStorage
    ) throws(StoreError) -> AuditChainKey {
        do throws(SealingError) { return try AuditChainKey(deviceKey: key, in: storage) } catch { throw .inputOutput }
    }

    private static func openAuditLog(
        of store: ItemStore, in folder: KeychainFolder, _ key: AuditChainKey,
        wallClock: @escaping @Sendable () -> Timestamp, log: @escaping @Sendable (Logger.Level, String) -> Void,
        wake: @escaping @Sendable () -> Void
    ) throws(StartError) -> AuditLog {
        let settings: [Setting: UInt64]
        do throws(StoreError) {
            settings = try store.settings()
        } catch {
            let (text, hint) = error.explanation(path: folder.databasePath)
            throw StartError(text, hint: hint)
        }
        do throws(SystemCallError) {
            return try AuditLog(
                path: folder.auditPath, key: key, limits: AuditLog.Limits(settings), wallClock: wallClock,
                clock: .includingSleep, report: { log(.error, $0) }, wake: wake)
        } catch {
            throw StartError("\(folder.auditPath): \(error)", hint: nil)
        }
    }
}
