// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
public import KeychainModel
public import KeychainPlatform
public import KeychainPolicy
public import KeychainSealing
public import KeychainStore
internal import SecretMemory
internal import Synchronization

/// A user's keychain files: each is opened on the first request, and closed when it is locked and was not used for
/// long. An error in one affects no other.
public final class FileKeychains: Sendable {
    struct Limits: Sendable {
        /// The maximum number of open files.
        var open = 64
        /// A locked, unused keychain is closed after this time.
        var idle: Duration = .seconds(600)
    }

    /// The dependencies for opening and creating a keychain file.
    struct Dependencies: Sendable {
        let deviceKey: DeviceKey
        let keyStorage: any SecretKeyStorage
        let prompter: Prompter
        /// Counts failed passwords.
        let ledger: AttemptLedger
        let wallClock: @Sendable () -> Timestamp
        let clock: MonotonicClock
        let makeIdentifier: @Sendable () -> ItemIdentifier
        /// The watchers of the user's keychains.
        var notices = Watchers<KeychainNotice>()
        /// The minimum cost of a password, except in tests.
        var minimumCost = ScryptCost.minimum
        /// The user's own keychain, whose settings and trusted teams apply to files as well.
        let userStore: ItemStore
        /// The policy of the machine.
        let policy: MachinePolicy
        /// The access rules of the user's own keychain.
        let rules: AccessRuleBook
        /// The approvals that clients of bridges hold, also for the user's own keychain.
        let clientApprovals = ClientApprovals()
        let log: @Sendable (String) -> Void
        /// Called, from any thread, when ``FileKeychains/housekeeping()`` has to be called again.
        let wake: @Sendable () -> Void
    }

    let places: FileKeychainPlaces
    let lists: KeychainLists
    let dependencies: Dependencies
    private let limits: Limits
    /// Held only briefly, and never while waiting for a slot.
    private let entries = Mutex<[String: Entry]>([:])

    /// One file's slot. The thread that opens, closes or deletes the file holds `keychain`; other threads wait for it.
    private final class Slot: Sendable {
        let keychain = Mutex<OpenFileKeychain?>(nil)
    }

    private struct Entry {
        let slot = Slot()
        var users = 0
        var idleSince: UInt64
    }

    init(_ places: FileKeychainPlaces, _ lists: KeychainLists, _ dependencies: Dependencies, limits: Limits = Limits())
    {
        self.places = places
        self.lists = lists
        self.dependencies = dependencies
        self.limits = limits
    }

    /// Creates the keychains in a folder, and at any other path.
    ///
    /// - Parameters:
    ///   - folder: the folder of its user's keychains; created with the first keychain. Its lists are in it as well.
    ///   - sharedListsPath: The file with the lists for all users. Without a path, the service uses the lists of the
    ///     machine, which it may change if it runs as root. It never changes the lists at a path that is given.
    ///   - deviceKey: the key without which no keychain made here opens.
    ///   - prompter: prompts for passwords.
    ///   - ledger: counts failed passwords of the user's keychains.
    ///   - changes: the feed of the user's own keychain, where watchers of all keychains are registered.
    ///   - wallClock: the source of dates.
    ///   - clock: measures automatic locking; it must continue while the machine sleeps.
    ///   - minimumCost: the minimum cost of a password, except in tests.
    ///   - store: the user's data-protection keychain. Its trusted teams, and its settings on snapshots and on the use
    ///     of items, apply to files as well.
    ///   - policy: the policy of the machine.
    ///   - log: receives messages for administrators. Never contains secrets.
    ///   - wake: called, from any thread, when ``housekeeping()`` has to be called again.
    public convenience init(
        folder: String, sharedListsPath: String? = nil, allowsOthers: Bool = true, deviceKey: DeviceKey,
        keyStorage: any SecretKeyStorage, prompter: Prompter, ledger: AttemptLedger, changes: ChangeFeed,
        store: ItemStore,
        wallClock: @escaping @Sendable () -> Timestamp, clock: MonotonicClock,
        minimumCost: ScryptCost = .minimum,
        policy: MachinePolicy = .none,
        log: @escaping @Sendable (String) -> Void = { _ in }, wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            FileKeychainPlaces(folder: folder, allowsOthers: allowsOthers),
            sharedListsPath.map { KeychainLists(path: folder + "/lists", sharedPath: $0, writesShared: false) }
                ?? KeychainLists(path: folder + "/lists"),
            Dependencies(
                deviceKey: deviceKey, keyStorage: keyStorage, prompter: prompter, ledger: ledger,
                wallClock: wallClock, clock: clock,
                makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! }, notices: changes.notices,
                minimumCost: minimumCost, userStore: store, policy: policy, rules: AccessRuleBook(store, policy),
                log: log, wake: wake))
    }

    /// Logs a message for administrators.
    func log(_ text: String) { dependencies.log(text) }

    // MARK: Use

    /// Uses a keychain, and opens it if necessary.
    ///
    /// - Throws: `errSecNoSuchKeychain`, `errSecInvalidKeychain`, `errSecNotAvailable` if too many are in use; the
    ///   errors of the closure.
    func using<R, Failure: Error>(
        _ name: String, failure: (Refusal) -> Failure, _ body: (OpenFileKeychain) throws(Failure) -> R
    ) throws(Failure) -> R {
        let path: String
        let keychain: OpenFileKeychain
        do throws(Refusal) {
            path = try places.place(name)
            keychain = try begin(path)
        } catch {
            throw failure(error)
        }
        defer { end(path) }
        return try body(keychain)
    }

    func using<R>(_ name: String, _ body: (OpenFileKeychain) throws(Refusal) -> R) throws(Refusal) -> R {
        try using(name, failure: { $0 }, body)
    }

    private func begin(_ path: String) throws(Refusal) -> OpenFileKeychain {
        let (slot, victim) = try reserve(path)
        if let victim { close(victim) }
        do throws(Refusal) {
            return try open(slot, path)
        } catch {
            end(path)
            throw error
        }
    }

    private func end(_ path: String) {
        entries.withLock { entries in
            entries[path]?.users -= 1
            entries[path]?.idleSince = dependencies.clock.nanoseconds()
        }
    }

    /// Counts the use, so that the file is not closed from now on.
    ///
    /// - Returns: the slot, and the path of the file that has to be closed.
    private func reserve(_ path: String) throws(Refusal) -> (Slot, victim: String?) {
        let result: (Slot, String?)? = entries.withLock { entries in
            if let entry = entries[path] {
                entries[path]?.users += 1
                return (entry.slot, nil)
            }
            var victim: String?
            if entries.count >= limits.open {
                victim = entries.filter { $0.value.users == 0 }.min { $0.value.idleSince < $1.value.idleSince }?.key
                guard victim != nil else { return nil }
            }
            var entry = Entry(idleSince: dependencies.clock.nanoseconds())
            entry.users = 1
            entries[path] = entry
            return (entry.slot, victim)
        }
        guard let result else { throw Refusal(.notAvailable, .tooManyConnections) }
        return result
    }

    private func open(_ slot: Slot, _ path: String) throws(Refusal) -> OpenFileKeychain {
        let result: Result<OpenFileKeychain, Refusal> = slot.keychain.withLock { keychain in
            if let open = keychain {
                if open.isInPlace { return .success(open) }
                // The file was deleted or replaced by another process: the open file is no longer in any folder.
                open.close()
                keychain = nil
            }
            do throws(Refusal) {
                let opened = try OpenFileKeychain(path, dependencies)
                opened.look(log: dependencies.log)
                keychain = opened
                // The day's snapshot may be due.
                dependencies.wake()
                return .success(opened)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Closes an unused file.
    private func close(_ path: String) {
        let slot: Slot? = entries.withLock { entries in
            guard let entry = entries[path], entry.users == 0 else { return nil }
            entries[path] = nil
            return entry.slot
        }
        slot?.keychain.withLock { keychain in
            keychain?.close()
            keychain = nil
        }
    }

    /// The open keychains, in the order of their paths, and their maximum number. A keychain that another thread opens
    /// or closes at this moment is left out, so that this does not wait.
    var open: (keychains: [(path: String, isDamaged: Bool)], limit: Int) {
        let places = entries.withLock { $0.mapValues(\.slot) }
        let open = places.compactMapValues { $0.keychain.withLockIfAvailable { $0?.isDamaged } ?? nil }
        let keychains = open.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return (keychains.map { ($0.key, $0.value) }, limits.open)
    }

    // MARK: Creating and deleting

    /// Creates a keychain; it is unlocked then. The incomplete file has another name, so that after a crash the
    /// keychain either exists completely or not at all.
    ///
    /// - Parameters:
    ///   - name: a path, or a name in the folder.
    ///   - password: may be empty.
    ///   - processID: the requesting process.
    /// - Throws: `errSecDuplicateKeychain`, `errSecNoSuchKeychain` for a path that cannot be a keychain,
    ///   `errSecWrPerm`, `errSecParam` for an invalid password.
    func create(
        _ name: String, password: SecretBytes, by processID: Int32 = 0
    ) throws(Refusal) -> FileKeychainReport {
        let path = try places.place(name)
        if path.hasPrefix(places.folder + "/") { try makeFolder() }
        guard FileIdentity(path: path) == nil else { throw Self.duplicate }
        let unfinished = unfinishedPath(beside: path)
        defer { Self.remove(unfinished) }
        try OpenFileKeychain.make(unfinished, password: password, dependencies)
        try Self.keep(unfinished, as: path)
        dependencies.log("a keychain was created: \(path)")
        return try using(path) { keychain throws(Refusal) in
            try keychain.lock.unlock(with: ProtectorSecret(.passcode, password), by: processID)
            return keychain.report
        }
    }

    /// Deletes a keychain, open or not, and removes it from the lists. Also deletes a keychain that cannot be opened,
    /// if the file is a keychain.
    func delete(_ name: String, by processID: Int32 = 0) throws(Refusal) {
        let path = try places.place(name)
        let (slot, victim) = try reserve(path)
        if let victim { close(victim) }
        defer { end(path) }
        let result: Result<Void, Refusal> = slot.keychain.withLock { keychain in
            guard FileIdentity(path: path) != nil else { return .failure(Self.missing) }
            if keychain == nil {
                guard
                    let head = FileLocation.head(of: path, count: OpenFileKeychain.headBytes),
                    StoreKind(ofFileBeginningWith: head) == .file
                else { return .failure(Refusal(.invalidKeychain, .notAKeychain)) }
            }
            // The file itself first: if it cannot be removed, it stays open and unchanged.
            do throws(DurableFile.Error) {
                try DurableFile.remove(path)
            } catch {
                guard FileIdentity(path: path) == nil else { return .failure(error.refusal) }
            }
            keychain?.close(by: processID)
            keychain = nil
            Self.remove(path)
            removeSnapshots(of: path)
            return .success(())
        }
        try result.get()
        dependencies.log("a keychain was deleted: \(path)")
        try changeLists(of: .user, by: processID) { list in
            if list.standard == path { list.standard = nil }
            list.searched.removeAll { $0 == path }
        }
    }

    /// Changes the lists of a domain in one step, and reports the change to the watchers.
    ///
    /// - Parameters:
    ///   - domain: the user's; the other domains belong to root.
    ///   - processID: the requesting process.
    ///   - user: the user of that process.
    ///   - body: changes the lists. Calls do not overlap.
    /// - Throws: as ``KeychainLists/change(_:by:_:)``.
    func changeLists(
        of domain: PreferencesDomain, by processID: Int32, of user: UInt32? = nil,
        _ body: @Sendable (inout KeychainList) throws(Refusal) -> Void
    ) throws(Refusal) {
        let (before, after) = try lists.change(domain, by: user, body)
        dependencies.notices.publish {
            var notices: [KeychainNotice] = []
            if before.searched != after.searched { notices.append(.init(.listChanged, in: nil, by: processID)) }
            if before.standard != after.standard {
                notices.append(.init(.defaultChanged, in: after.standard, by: processID))
            }
            return notices
        }
    }

    func makeFolder() throws(Refusal) {
        do throws(SystemCallError) {
            try FileLocation.makeFolder(places.folder)
        } catch {
            throw Refusal(.writePermission, .readOnlyStore)
        }
    }

    /// Removes the remains of a service that was killed while it created a keychain. Called before clients are served.
    public func removeUnfinished() {
        for name in FileLocation.names(in: places.folder) where Self.isUnfinished(name) {
            try? DurableFile.remove(places.folder + "/" + name)
        }
    }

    /// Returns whether a file is unfinished; lock files of unfinished keychains have one more dot.
    private static func isUnfinished(_ name: String) -> Bool {
        name.hasPrefix(unfinishedMark) || name.hasPrefix("." + unfinishedMark)
    }

    private static let unfinishedMark = ".new-"

    /// Returns a name for an incomplete file, which the next start removes.
    func unfinishedPath(beside path: String) -> String {
        Self.unfinishedPath(beside: path, dependencies.makeIdentifier())
    }

    private static func unfinishedPath(beside path: String, _ identifier: ItemIdentifier) -> String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let mark = String(UInt64(truncatingIfNeeded: identifier.value), radix: 16)
        return path[...slash] + "\(unfinishedMark)\(mark)-" + path[path.index(after: slash)...]
    }

    /// Removes the file, and the files of SQLite and of the service beside it.
    static func remove(_ path: String) {
        for file in [path, path + "-wal", path + "-shm", OpenFileKeychain.lockPath(of: path)] {
            try? DurableFile.remove(file)
        }
    }

    private static let missing = Refusal(.noSuchKeychain, .noSuchKeychain)
    static let duplicate = Refusal(.duplicateKeychain, .duplicateKeychain)

    // MARK: Reports and locking

    /// Returns the state of a keychain. A missing or unusable file is not an error.
    func report(_ name: String) throws(Refusal) -> FileKeychainReport {
        let path = try places.place(name)
        do throws(Refusal) {
            return try using(path) { $0.report }
        } catch {
            switch error.reason {
            case .noSuchKeychain: return FileKeychainReport(path: path, state: .missing)
            case .notAKeychain, .macKeychain, .newerKeychain, .keychainInUse, .untrustedFile:
                return FileKeychainReport(path: path, state: .unusable)
            case .damagedStore: return FileKeychainReport(path: path, state: .unusable, isDamaged: true)
            default: throw error
            }
        }
    }

    /// Locks all open keychains.
    func lockAll(by processID: Int32 = 0) { for keychain in openKeychains { keychain.lock.lock(by: processID) } }

    /// Locks when the machine goes to sleep, or when its user's session was locked.
    func lockWithSession(by processID: Int32 = 0) {
        for keychain in openKeychains where keychain.settings.locksOnSleep { keychain.lock.lock(by: processID) }
    }

    private var openKeychains: [OpenFileKeychain] {
        entries.withLock { $0.values.map(\.slot) }.compactMap { $0.keychain.withLock { $0 } }
    }

    /// Does due work.
    ///
    /// - Returns: the time until this has to be called again; nil if nothing is planned.
    public func housekeeping() -> Duration? {
        let now = dependencies.clock.nanoseconds()
        let idle = entries.withLock { entries in
            // Some may have become idle since the clock was read.
            entries.filter { $0.value.users == 0 && $0.value.idleSince + limits.idle.nanoseconds <= now }.map(\.key)
        }
        let locked = idle.filter { path in
            entries.withLock { $0[path]?.slot }?.keychain.withLock { $0?.isLocked ?? true } ?? false
        }
        for path in locked { close(path) }
        let next = openKeychains.flatMap { [$0.lock.lockIfIdle(), $0.schedule.run()] }.compactMap(\.self).min()
        let hasMore = entries.withLock { !$0.isEmpty }
        return hasMore ? min(next ?? limits.idle, limits.idle) : nil
    }

    /// Whether closing would lose no unlocked keys, so that no user has to enter a password again.
    var holdNoUnlockedKeys: Bool { openKeychains.allSatisfy(\.isLocked) }

    /// Locks and closes all keychains after their last use.
    public func closeAll() {
        for path in entries.withLock({ Array($0.keys) }) {
            entries.withLock { $0[path]?.users = 0 }
            close(path)
        }
    }
}
