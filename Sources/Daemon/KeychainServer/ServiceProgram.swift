// SPDX-License-Identifier: Apache-2.0

public import KeychainEndpoint
internal import KeychainModel
public import KeychainPlatform
internal import KeychainSealing
internal import KeychainStore
public import Logging
public import SecretMemory

/// The service from its start to its end: what `chatelained` does.
public struct ServiceProgram {
    private let directories: InstanceDirectories
    private let idleExit: Duration?
    private let logger: Logger

    /// - Parameter idleExit: how long to wait for a client before ending; only honoured with a socket of the service
    ///   manager, which starts the service again.
    public init(directories: InstanceDirectories, idleExit: Duration?, logger: Logger) {
        self.directories = directories
        self.idleExit = idleExit
        self.logger = logger
    }

    /// Runs until SIGTERM or SIGINT, or idle.
    ///
    /// - Parameters:
    ///   - credential: the text of one that unlocks the keychain.
    ///   - whenReady: called when clients can connect.
    public func run(
        adopted: ListeningSocket?, credential: consuming SecretBytes?, protections: [Protection], whenReady: () -> Void
    ) throws(StartFailure) {
        // Before any thread exists, so that no thread takes the signal the default way.
        let signals = try starting { () throws(SystemCallError) in try TerminationSignals() }
        try prepareDirectories()
        let instanceLock = try takeLock()
        if PageSource.memfdSecretIsAvailable { SecretArena.shared.takePages(from: .memfdSecret) }
        let logger = logger
        let snapshots = Snapshots(
            of: directories.databasePath, in: directories.snapshotsPath,
            synchronize: { try DurableFile.synchronize($0) }, log: { logger.warning("\($0)") })
        snapshots.removeUnfinished()
        let store = try openStore(snapshots)
        let audit = try starting { () throws(SystemCallError) in
            try AppendOnlyFile(path: directories.auditPath, maximumByteCount: 8 << 20)
        }
        let listener: ListeningSocket
        if let adopted { listener = adopted } else { listener = try bind() }
        let protections = protections + [.forbidNewPrivileges(), .forbidSystemCalls(), .secretPages()]
        for protection in protections { logger.log(level: protection.level, "\(protection)") }

        let clock = WallClock.live
        let wallClock: @Sendable () -> Timestamp = { Timestamp(secondsSinceReferenceDate: clock.now()) }
        let changes = ChangeFeed()
        let lock = LockController(
            store, changes: changes, wallClock: wallClock, clock: .includingSleep, log: { logger.notice("\($0)") })
        if let text = credential.take() { lock.unlock(withCredentialText: text) }
        let jobs = BackupJobs()
        let state = ServiceState(
            store: store, changes: changes, lock: lock, jobs: jobs, protections: protections.map(\.description),
            clock: wallClock,
            audit: { line in
                do throws(SystemCallError) {
                    try audit.append(line)
                } catch {
                    logger.error("cannot write the audit log: \(error)")
                }
            })
        let identifier = CallerIdentifier.live(commandPath: Self.commandPath(), owner: Account.current().user)
        let service = try failing { () throws(SystemCallFailure) in
            try KeychainService(Pipeline(state), identifier: identifier)
        }
        let schedule = SnapshotSchedule(
            snapshots, of: store, wallClock: wallClock, clock: .includingSleep, log: { logger.warning("\($0)") })
        lock.whenRescheduled { [weak service] in service?.wake() }
        jobs.whenBegun { [weak service] in service?.wake() }
        schedule.whenEnded { [weak service] in
            ProgramMemory.releaseStartPages()
            service?.wake()
        }
        ProgramMemory.releaseStartPages()
        whenReady()
        logger.info("serving \(directories.socketPath)")
        checkContents(of: store)
        let reason = try failing { () throws(SystemCallFailure) in
            try service.run(
                on: listener, until: [signals.descriptor], idleExit: adopted == nil ? nil : idleExit,
                mayEnd: { lock.holdsNoUnlockedKeys },
                housekeeping: { [lock.lockIfIdle(), jobs.endAbandoned(), schedule.run()].compactMap { $0 }.min() },
                log: { logger.warning("\($0)") })
        }
        lock.lock()
        schedule.end()
        do throws(StoreError) {
            try store.close()
        } catch {
            // Nothing is lost: what was acknowledged is in the write-ahead log, and the next start reads it from there.
            logger.warning("cannot fold the write-ahead log into the database: \(error)")
        }
        logger.info(reason == .idle ? "nobody is connected: ending" : "told to stop: ending")
        // Held to the very end, so that a successor opens the store only when this one has closed it.
        withExtendedLifetime((instanceLock, listener)) {}
    }

    private func prepareDirectories() throws(StartFailure) {
        do throws(DirectoryError) {
            try directories.prepare()
        } catch {
            throw StartFailure("\(error)", hint: nil)
        }
    }

    private func takeLock() throws(StartFailure) -> InstanceLock {
        do throws(InstanceLock.Failure) {
            return try InstanceLock(path: directories.lockPath)
        } catch {
            switch error {
            case .held(let pid):
                let who = pid.map { "process \($0)" } ?? "another process"
                throw StartFailure(
                    "\(directories.data) is served by \(who) already",
                    hint: "one service serves one store; end that one first", isAlreadyRunning: true)
            case .system(let error):
                throw StartFailure(
                    "\(directories.lockPath): \(error)", hint: "check the permissions of \(directories.data)")
            }
        }
    }

    private func openStore(_ snapshots: Snapshots) throws(StartFailure) -> ItemStore {
        let keyFile = DeviceKeyFile(path: directories.deviceKeyPath, databasePath: directories.databasePath)
        let storage = LockedKeyStorage()
        if FileIdentity(path: directories.deviceKeyPath) != nil, FileIdentity(path: directories.databasePath) == nil {
            // So it is after a crash in the very first start; otherwise somebody should know.
            logger.warning("\(directories.databasePath) is missing beside its device key: making a new, empty keychain")
        }
        let key = try keyFile.loadOrCreate(in: storage)
        do throws(StoreError) {
            let clock = WallClock.live
            return try ItemStore(
                at: .file(directories.databasePath), deviceKey: key, keyStorage: storage, snapshots: snapshots,
                clock: { Timestamp(secondsSinceReferenceDate: clock.now()) },
                makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! })
        } catch {
            let (text, hint) = error.explanation(path: directories.databasePath)
            throw StartFailure(text, hint: hint)
        }
    }

    /// Looks whether the rows are those that the last run left, while clients are served already.
    private func checkContents(of store: ItemStore) {
        let logger = logger
        let isStarted = SystemThread.start {
            do throws(StoreError) {
                switch try store.checkContents() {
                case .asLeft, .unknown: break
                case .changed(let rowsMore):
                    logger.warning(
                        """
                        the database was changed from outside: \(rowsMore) rows more than this service left \
                        (chatelaine status)
                        """)
                case .sealDamaged:
                    logger.warning("cannot tell whether the database was changed from outside: its seal is damaged")
                }
            } catch {
                logger.warning("cannot look whether the database was changed from outside: \(error)")
            }
            // What only this look needed.
            ProgramMemory.releaseStartPages()
        }
        if !isStarted { logger.warning("no thread to look whether the database was changed from outside") }
    }

    private func bind() throws(StartFailure) -> ListeningSocket {
        do throws(ListeningSocket.Failure) {
            return try ListeningSocket(bindingTo: directories.socketPath)
        } catch {
            throw StartFailure("cannot listen at \(directories.socketPath): \(error)", hint: nil)
        }
    }

    /// `chatelaine` beside this program's own file.
    private static func commandPath() -> String? {
        guard let own = OwnExecutable.path, let slash = own.lastIndex(of: "/") else { return nil }
        return own[...slash] + "chatelaine"
    }

    private func starting<R>(_ body: () throws(SystemCallError) -> R) throws(StartFailure) -> R {
        do throws(SystemCallError) { return try body() } catch { throw StartFailure("\(error)", hint: nil) }
    }

    private func failing<R>(_ body: () throws(SystemCallFailure) -> R) throws(StartFailure) -> R {
        do throws(SystemCallFailure) { return try body() } catch { throw StartFailure("\(error)", hint: nil) }
    }
}

/// One thing that the process gave up to protect its keys, and whether the kernel let it.
public struct Protection: Sendable, CustomStringConvertible {
    public let description: String
    /// Without it something that SECURITY.md promises does not hold.
    let level: Logger.Level

    private init(_ name: String, _ outcome: ProcessHardening.Outcome) {
        switch outcome {
        case .applied: (description, level) = (name + ": on", .debug)
        case .notSupported: (description, level) = (name + ": this kernel has none", .notice)
        case .refused(let error): (description, level) = (name + ": refused (\(error))", .warning)
        }
    }

    public static func resetCrashSignals() -> Protection {
        Protection("crashes left to the kernel", ProcessHardening.resetCrashSignals())
    }

    public static func disableCoreDumps() -> Protection {
        Protection("no core dumps, not dumpable", ProcessHardening.disableCoreDumps())
    }

    /// - Parameter isOn: whether the program's allocator overwrites what is freed.
    public static func wipedMemory(isOn: Bool) -> Protection {
        Protection(
            "freed memory overwritten",
            isOn ? .applied : .notSupported(SystemCallError(call: "malloc_usable_size", code: 0)))
    }

    static func forbidNewPrivileges() -> Protection {
        Protection("no new privileges", ProcessHardening.forbidNewPrivileges())
    }

    static func forbidSystemCalls() -> Protection {
        Protection("system call filter", ProcessHardening.forbidSystemCalls())
    }

    static func secretPages() -> Protection {
        PageSource.memfdSecretIsAvailable
            ? Protection("keys in memfd_secret pages", .applied)
            : Protection("keys in memfd_secret pages", .notSupported(SystemCallError(call: "memfd_secret", code: 0)))
    }
}
