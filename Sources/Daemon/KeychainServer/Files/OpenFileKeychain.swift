// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing
internal import KeychainPolicy
internal import KeychainStore
internal import SecretMemory

/// A keychain file, while a service has it open.
final class OpenFileKeychain: Sendable {
    let path: String
    let lock: LockController
    let pipeline: Pipeline
    private let store: ItemStore
    /// The day's snapshot, beside the file.
    let schedule: SnapshotSchedule
    private let identity: FileIdentity
    /// Held to the very end, because two processes with the file open would not know of each other's password changes.
    private let instanceLock: InstanceLock

    /// "kych", the first bytes of keychain files of macOS.
    private static let headOfMacKeychains = Array("kych".utf8)

    /// The number of bytes that identify a file's kind.
    static let headBytes = 72

    /// Opens an existing file.
    ///
    /// - Throws: `errSecNoSuchKeychain`; `errSecInvalidKeychain` for a file that is not a keychain or cannot be opened,
    ///   which is not changed; `errSecNotAvailable` while another process has it open.
    init(_ path: String, _ dependencies: FileKeychains.Dependencies) throws(Refusal) {
        guard let identity = FileIdentity(path: path) else { throw Refusal(.noSuchKeychain, .noSuchKeychain) }
        let head = FileLocation.head(of: path, count: Self.headBytes)
        guard let head, StoreKind(ofFileBeginningWith: head) == .file else {
            let isOfMac = head?.starts(with: Self.headOfMacKeychains) ?? false
            throw Refusal(.invalidKeychain, isOfMac ? .macKeychain : .notAKeychain)
        }
        self.path = path
        self.identity = identity
        instanceLock = try Self.takeLock(of: path)
        let snapshots = Snapshots(
            of: path, in: Self.snapshotsPath(of: path), synchronize: { try DurableFile.synchronize($0) },
            log: dependencies.log)
        snapshots.removeUnfinished()
        store = try Self.openStore(path, snapshots, dependencies)
        schedule = SnapshotSchedule(
            snapshots, settings: { () throws(StoreError) in try dependencies.userStore.settings() },
            wallClock: dependencies.wallClock,
            clock: dependencies.clock, log: dependencies.log, ended: dependencies.wake)
        // A keychain is complete before it gets its name, so a file without a password was not made by the service.
        guard store.isProtected else { throw Refusal(.invalidKeychain, .damagedStore) }
        let changes = ChangeFeed(dependencies.notices, of: path)
        lock = Self.lockController(of: store, path, changes, dependencies)
        var service = ServiceDependencies(store: store, changes: changes, lock: lock, clock: dependencies.wallClock)
        service.prompter = dependencies.prompter
        service.policy = dependencies.policy
        pipeline = Pipeline(ServiceState(file: path, service, of: dependencies))
    }

    /// Creates a keychain's file and closes it.
    static func make(_ path: String, password: SecretBytes, _ dependencies: FileKeychains.Dependencies) throws(Refusal)
    {
        let store = try openStore(path, nil, dependencies)
        defer { try? store.close() }
        var initial = try FileKeychainSettings.initial.kept()
        for (setting, value) in initial {
            initial[setting] = dependencies.policy.settings.applied(to: value, of: setting)
        }
        // No watchers, because the keychain does not exist yet.
        let lock = lockController(of: store, path, ChangeFeed(), dependencies)
        try lock.setPasscode(password, proof: nil)
        try lock.changeWhileUnlocked(FileKeychainSettings(initial))
    }

    private static func lockController(
        of store: ItemStore, _ path: String, _ changes: ChangeFeed, _ dependencies: FileKeychains.Dependencies
    ) -> LockController {
        LockController(
            store, ledger: dependencies.ledger, changes: changes, wallClock: dependencies.wallClock,
            clock: dependencies.clock,
            minimumCost: dependencies.minimumCost, allowsEmptyPasscode: true,
            log: { dependencies.log("\(path): \($0)") }, wake: dependencies.wake)
    }

    private static func openStore(
        _ path: String, _ snapshots: Snapshots?, _ dependencies: FileKeychains.Dependencies
    ) throws(Refusal) -> ItemStore {
        do throws(StoreError) {
            return try ItemStore(
                at: .file(path), as: .file, deviceKey: dependencies.deviceKey, keyStorage: dependencies.keyStorage,
                snapshots: snapshots, limits: dependencies.policy.settings, clock: dependencies.wallClock,
                makeIdentifier: dependencies.makeIdentifier
            )
        } catch {
            switch error {
            case .notAKeychain, .wrongDeviceKey: throw Refusal(.invalidKeychain, .notAKeychain)
            case .newerVersion: throw Refusal(.invalidKeychain, .newerKeychain)
            case .untrusted:
                let (text, hint) = error.explanation(path: path)
                dependencies.log("\(text); \(hint)")
                throw error.refusal
            default: throw error.refusal
            }
        }
    }

    static func lockPath(of path: String) -> String { hidden(beside: path, ".lock") }

    /// Returns the folder of its snapshots.
    static func snapshotsPath(of path: String) -> String { hidden(beside: path, snapshotsSuffix) }

    static let snapshotsSuffix = ".snapshots"

    private static func hidden(beside path: String, _ ending: String) -> String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return path[...slash] + "." + path[path.index(after: slash)...] + ending
    }

    private static func takeLock(of path: String) throws(Refusal) -> InstanceLock {
        do throws(InstanceLock.Error) {
            return try InstanceLock(path: lockPath(of: path))
        } catch .held {
            throw Refusal(.notAvailable, .keychainInUse)
        } catch {
            throw Refusal(.writePermission, .readOnlyStore)
        }
    }

    /// Checks, while the keychain is already in use, whether lookups find all of its items. Defects are logged, and
    /// included in its reports from then on.
    func look(log: @escaping @Sendable (String) -> Void) {
        let isStarted = SystemThread.start { [store, path] in
            if store.isLarge { SystemThread.giveWay() }
            store.lookAtIndices { log("\(path): \($0)") }
            if store.contentsState == .damaged {
                log("\(path): the database is damaged: `chatelaine salvage --keychain` saves the readable items")
            }
        }
        if !isStarted { log("\(path): cannot check the database for damage: no thread is available") }
    }

    /// Whether the open file is still the file at its path.
    var isInPlace: Bool { FileIdentity(path: path) == identity }

    var isLocked: Bool { store.lockState != .unlocked }

    var settings: FileKeychainSettings { FileKeychainSettings((try? store.settings()) ?? [:]) }

    /// Whether the database was found damaged. False before the first check.
    var isDamaged: Bool { store.contentsState == .damaged }

    var report: FileKeychainReport {
        FileKeychainReport(
            path: path, state: isLocked ? .locked : .unlocked, settings: settings, isDamaged: isDamaged)
    }

    /// Locks and closes the keychain. Waits for a running snapshot.
    ///
    /// - Parameter processID: the requesting process; 0 for the service.
    func close(by processID: Int32 = 0) {
        lock.lock(by: processID)
        schedule.end()
        // Acknowledged changes are at least in the write-ahead log, and the next opening reads them from there.
        try? store.close()
    }
}

extension FileKeychainSettings {
    /// Reads the settings from those stored in a keychain.
    init(_ settings: [Setting: UInt64]) {
        let seconds = settings[.idleLockSeconds] ?? 0
        self.init(
            locksOnSleep: settings[.locksOnSleep] != 0,
            idleLockSeconds: seconds == 0 ? nil : UInt32(clamping: seconds))
    }

    /// Returns the settings in the form stored in a keychain.
    ///
    /// - Throws: `errSecParam` for more than a year.
    func kept() throws(Refusal) -> [Setting: UInt64] {
        let seconds = UInt64(idleLockSeconds ?? 0)
        guard Setting.idleLockSeconds.range.contains(seconds) else { throw Refusal(.parameter, .unusableSetting) }
        // Zero seconds are stored for never; an immediate lock becomes the shortest time.
        let isAtOnce = idleLockSeconds == 0
        return [.idleLockSeconds: isAtOnce ? 1 : seconds, .locksOnSleep: locksOnSleep ? 1 : 0]
    }
}
