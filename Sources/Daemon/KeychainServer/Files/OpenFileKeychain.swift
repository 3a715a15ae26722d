// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing
internal import KeychainPolicy
internal import KeychainStore
internal import SecretMemory

/// A keychain that is a file, while a service has it open.
final class OpenFileKeychain: Sendable {
    let path: String
    let lock: LockController
    let pipeline: Pipeline
    private let store: ItemStore
    /// The day's copy, beside the file.
    let schedule: SnapshotSchedule
    private let identity: FileIdentity
    /// Held to the very end: two processes with the file open would not know of each other's password changes.
    private let instanceLock: InstanceLock

    /// "kych", with which keychain files of macOS begin.
    private static let headOfMacKeychains = Array("kych".utf8)

    /// So many bytes say what a file is.
    static let headBytes = 72

    /// Opens a file that is there.
    ///
    /// - Throws: `errSecNoSuchKeychain`; `errSecInvalidKeychain` for a file that is none or cannot be opened, which is left as it
    ///   is; `errSecNotAvailable` while another process has it open.
    init(_ path: String, _ means: FileKeychains.Means) throws(Refusal) {
        guard let identity = FileIdentity(path: path) else { throw Refusal(.noSuchKeychain, .noSuchKeychain) }
        let head = FilePlace.head(of: path, count: Self.headBytes)
        guard let head, StoreKind(ofFileBeginningWith: head) == .file else {
            let isOfMac = head?.starts(with: Self.headOfMacKeychains) ?? false
            throw Refusal(.invalidKeychain, isOfMac ? .macKeychain : .notAKeychain)
        }
        self.path = path
        self.identity = identity
        instanceLock = try Self.takeLock(of: path)
        let snapshots = Snapshots(
            of: path, in: Self.snapshotsPath(of: path), synchronize: { try DurableFile.synchronize($0) },
            log: means.log)
        snapshots.removeUnfinished()
        store = try Self.openStore(path, snapshots, means)
        schedule = SnapshotSchedule(
            snapshots, settings: { () throws(StoreError) in try means.userStore.settings() },
            wallClock: means.wallClock,
            clock: means.clock, log: means.log)
        // Made whole before it got its name; one without a password is none of ours.
        guard store.isProtected else { throw Refusal(.invalidKeychain, .damagedStore) }
        let changes = ChangeFeed(means.notices, of: path)
        lock = Self.lockController(of: store, changes, means)
        pipeline = Pipeline(
            ServiceState(ofFile: store, called: FileKeychainPlaces.name(of: path), changes, lock, means))
    }

    /// Makes a keychain's file and closes it.
    static func make(_ path: String, password: SecretBytes, _ means: FileKeychains.Means) throws(Refusal) {
        let store = try openStore(path, nil, means)
        defer { try? store.close() }
        var initial = try FileKeychainSettings.initial.kept()
        for (setting, value) in initial { initial[setting] = means.policy.settings.applied(to: value, of: setting) }
        // Nobody is told: there is no such keychain yet.
        let lock = lockController(of: store, ChangeFeed(), means)
        try lock.setPasscode(password, proof: nil)
        try lock.changeWhileUnlocked(FileKeychainSettings(initial))
    }

    private static func lockController(
        of store: ItemStore, _ changes: ChangeFeed, _ means: FileKeychains.Means
    ) -> LockController {
        LockController(
            store, ledger: means.ledger, changes: changes, wallClock: means.wallClock, clock: means.clock,
            minimumCost: means.minimumCost, allowsEmptyPasscode: true, log: means.log)
    }

    private static func openStore(
        _ path: String, _ snapshots: Snapshots?, _ means: FileKeychains.Means
    ) throws(Refusal) -> ItemStore {
        do throws(StoreError) {
            return try ItemStore(
                at: .file(path), as: .file, deviceKey: means.deviceKey, keyStorage: means.keyStorage,
                snapshots: snapshots, limits: means.policy.settings, clock: means.wallClock,
                makeIdentifier: means.makeIdentifier
            )
        } catch {
            switch error {
            case .notAKeychain, .wrongDeviceKey: throw Refusal(.invalidKeychain, .notAKeychain)
            case .newerVersion: throw Refusal(.invalidKeychain, .newerKeychain)
            case .untrusted:
                let (text, hint) = error.explanation(path: path)
                means.log("\(text); \(hint)")
                throw error.refusal
            default: throw error.refusal
            }
        }
    }

    static func lockPath(of path: String) -> String { hidden(beside: path, ".lock") }

    /// The folder of its snapshots.
    static func snapshotsPath(of path: String) -> String { hidden(beside: path, ".snapshots") }

    private static func hidden(beside path: String, _ ending: String) -> String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return path[...slash] + "." + path[path.index(after: slash)...] + ending
    }

    private static func takeLock(of path: String) throws(Refusal) -> InstanceLock {
        do throws(InstanceLock.Failure) {
            return try InstanceLock(path: lockPath(of: path))
        } catch .held {
            throw Refusal(.notAvailable, .keychainInUse)
        } catch {
            throw Refusal(.writePermission, .readOnlyStore)
        }
    }

    /// Looks, while it is used already, whether lookups find all of its items. What is wrong is in the log, and in its
    /// reports from then on.
    func look(log: @escaping @Sendable (String) -> Void) {
        let isStarted = SystemThread.start { [store, path] in
            if store.isLarge { SystemThread.giveWay() }
            store.lookAtIndices { log("\(path): \($0)") }
            if store.contentsState == .damaged {
                log("\(path): the database is damaged: `chatelaine salvage --keychain` saves what can be read")
            }
        }
        if !isStarted { log("\(path): no thread to look whether its database is whole") }
    }

    /// Whether the file that is open is still the one at its path.
    var isInPlace: Bool { FileIdentity(path: path) == identity }

    var isLocked: Bool { store.lockState != .unlocked }

    var settings: FileKeychainSettings { FileKeychainSettings((try? store.settings()) ?? [:]) }

    /// The database was found damaged. False until somebody looked.
    var isDamaged: Bool { store.contentsState == .damaged }

    var report: FileKeychainReport {
        FileKeychainReport(
            path: path, state: isLocked ? .locked : .unlocked, settings: settings, isDamaged: isDamaged)
    }

    /// Waits for a snapshot that is being made.
    ///
    /// - Parameter processID: of who wants it so; 0 for the service.
    func close(by processID: Int32 = 0) {
        lock.lock(by: processID)
        schedule.end()
        // What was acknowledged is in the write-ahead log at least, and the next opening reads it from there.
        try? store.close()
    }
}

extension FileKeychainSettings {
    /// As they are kept among a keychain's settings.
    init(_ settings: [Setting: UInt64]) {
        let seconds = settings[.idleLockSeconds] ?? 0
        self.init(
            locksOnSleep: settings[.locksOnSleep] != 0,
            idleLockSeconds: seconds == 0 ? nil : UInt32(clamping: seconds))
    }

    /// - Throws: `errSecParam` for more than a year.
    func kept() throws(Refusal) -> [Setting: UInt64] {
        let seconds = UInt64(idleLockSeconds ?? 0)
        guard Setting.idleLockSeconds.range.contains(seconds) else { throw Refusal(.parameter, .unusableSetting) }
        // Zero seconds stand for never; who wants it locked at once gets the shortest time there is.
        let isAtOnce = idleLockSeconds == 0
        return [.idleLockSeconds: isAtOnce ? 1 : seconds, .locksOnSleep: locksOnSleep ? 1 : 0]
    }
}
