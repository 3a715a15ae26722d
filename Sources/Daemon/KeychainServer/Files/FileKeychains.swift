// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
public import KeychainModel
public import KeychainPlatform
public import KeychainPolicy
public import KeychainSealing
public import KeychainStore
internal import SecretMemory
internal import Synchronization

/// A user's keychains that are files: each is opened when somebody first asks for it, and closed when it is locked and nobody
/// has asked for long. What is wrong with one concerns no other.
public final class FileKeychains: Sendable {
    struct Limits: Sendable {
        /// Files that are open at once.
        var open = 64
        /// A locked one that nobody uses is closed after this time.
        var idle: Duration = .seconds(600)
    }

    /// What opening and making one takes.
    struct Means: Sendable {
        let deviceKey: DeviceKey
        let keyStorage: any SecretKeyStorage
        let prompter: Prompter
        /// Counts the wrong passwords.
        let ledger: AttemptLedger
        let wallClock: @Sendable () -> Timestamp
        let clock: MonotonicClock
        let makeIdentifier: @Sendable () -> ItemIdentifier
        /// Those who watch the user's keychains.
        var notices = Watchers<KeychainNotice>()
        /// No password is protected with less, except in tests.
        var minimumCost = ScryptCost.minimum
        /// The user's own keychain, whose settings and trusted teams hold for files as well.
        let userStore: ItemStore
        /// Of the machine.
        let policy: MachinePolicy
        let log: @Sendable (String) -> Void
    }

    let places: FileKeychainPlaces
    let lists: KeychainLists
    let means: Means
    private let limits: Limits
    /// Held for moments only, and never while waiting for a place.
    private let entries = Mutex<[String: Entry]>([:])
    private let wake = Callback<Void>()

    /// One file's place. Whoever opens, closes or deletes it holds `keychain`; others wait for that.
    private final class Place: Sendable {
        let keychain = Mutex<OpenFileKeychain?>(nil)
    }

    private struct Entry {
        let place = Place()
        var users = 0
        var idleSince: UInt64
    }

    init(_ places: FileKeychainPlaces, _ lists: KeychainLists, _ means: Means, limits: Limits = Limits()) {
        self.places = places
        self.lists = lists
        self.means = means
        self.limits = limits
    }

    /// Keychains in a folder, and wherever else a path says.
    ///
    /// - Parameters:
    ///   - folder: of its user's keychains; made when the first is. Its lists are in it as well.
    ///   - sharedListsPath: The file with the lists for all users. Without a path, the service uses the lists of the machine, which
    ///     it may change if it runs as root. It never changes the lists at a path that is given.
    ///   - deviceKey: without it no keychain made here opens.
    ///   - prompter: who is asked for passwords.
    ///   - ledger: counts the wrong passwords of the user's keychains.
    ///   - changes: of the user's own keychain: whoever watches all keychains does so there.
    ///   - wallClock: what dates are taken from.
    ///   - clock: what keychains that lock themselves are timed with; it must go on while the machine sleeps.
    ///   - minimumCost: no password is protected with less, except in tests.
    ///   - store: the user's data-protection keychain. Its trusted teams, and its settings about snapshots and about who may use items,
    ///     hold for files as well.
    ///   - policy: of the machine.
    ///   - log: for what an administrator would want to know. Never given anything secret.
    public convenience init(
        folder: String, sharedListsPath: String? = nil, allowsOthers: Bool = true, deviceKey: DeviceKey,
        keyStorage: any SecretKeyStorage, prompter: Prompter, ledger: AttemptLedger, changes: ChangeFeed,
        store: ItemStore,
        wallClock: @escaping @Sendable () -> Timestamp, clock: MonotonicClock,
        minimumCost: ScryptCost = .minimum,
        policy: MachinePolicy = .none,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(
            FileKeychainPlaces(folder: folder, allowsOthers: allowsOthers),
            sharedListsPath.map { KeychainLists(path: folder + "/lists", sharedPath: $0, writesShared: false) }
                ?? KeychainLists(path: folder + "/lists"),
            Means(
                deviceKey: deviceKey, keyStorage: keyStorage, prompter: prompter, ledger: ledger,
                wallClock: wallClock, clock: clock,
                makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! }, notices: changes.notices,
                minimumCost: minimumCost, userStore: store, policy: policy, log: log))
    }

    /// - Parameter body: called, from any thread, when ``housekeeping()`` has to be asked again.
    func whenRescheduled(_ body: @escaping @Sendable () -> Void) { wake.set(body) }

    /// For what an administrator would want to know.
    func log(_ text: String) { means.log(text) }

    // MARK: Using one

    /// Uses a keychain, which is opened if it is not open.
    ///
    /// - Throws: `errSecNoSuchKeychain`, `errSecInvalidKeychain`, `errSecNotAvailable` when too many are in use; what the
    ///   closure throws.
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
        let (place, victim) = try reserve(path)
        if let victim { close(victim) }
        do throws(Refusal) {
            return try open(place, path)
        } catch {
            end(path)
            throw error
        }
    }

    private func end(_ path: String) {
        entries.withLock { entries in
            entries[path]?.users -= 1
            entries[path]?.idleSince = means.clock.nanoseconds()
        }
    }

    /// Counts the user, so that the file is not closed from now on.
    ///
    /// - Returns: the place, and which other has to make room.
    private func reserve(_ path: String) throws(Refusal) -> (Place, victim: String?) {
        let result: (Place, String?)? = entries.withLock { entries in
            if let entry = entries[path] {
                entries[path]?.users += 1
                return (entry.place, nil)
            }
            var victim: String?
            if entries.count >= limits.open {
                victim = entries.filter { $0.value.users == 0 }.min { $0.value.idleSince < $1.value.idleSince }?.key
                guard victim != nil else { return nil }
            }
            var entry = Entry(idleSince: means.clock.nanoseconds())
            entry.users = 1
            entries[path] = entry
            return (entry.place, victim)
        }
        guard let result else { throw Refusal(.notAvailable, .tooManyConnections) }
        return result
    }

    private func open(_ place: Place, _ path: String) throws(Refusal) -> OpenFileKeychain {
        let result: Result<OpenFileKeychain, Refusal> = place.keychain.withLock { keychain in
            if let open = keychain {
                if open.isInPlace { return .success(open) }
                // Deleted or replaced behind our back: what is open is in no folder any more.
                open.close()
                keychain = nil
            }
            do throws(Refusal) {
                let opened = try OpenFileKeychain(path, means)
                opened.lock.whenRescheduled { [weak self] in self?.wake() }
                opened.schedule.whenEnded { [weak self] in self?.wake() }
                opened.look(log: means.log)
                keychain = opened
                // The day's snapshot is due, perhaps.
                wake()
                return .success(opened)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Closes a file that nobody uses.
    private func close(_ path: String) {
        let place: Place? = entries.withLock { entries in
            guard let entry = entries[path], entry.users == 0 else { return nil }
            entries[path] = nil
            return entry.place
        }
        place?.keychain.withLock { keychain in
            keychain?.close()
            keychain = nil
        }
    }

    /// Those that are open, in the order of their paths, and how many may be. One that somebody opens or closes at this
    /// moment is none of them: nobody waits for that.
    var open: (keychains: [(path: String, isDamaged: Bool)], limit: Int) {
        let places = entries.withLock { $0.mapValues(\.place) }
        let open = places.compactMapValues { $0.keychain.withLockIfAvailable { $0?.isDamaged } ?? nil }
        let keychains = open.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return (keychains.map { ($0.key, $0.value) }, limits.open)
    }

    // MARK: Making and deleting

    /// Makes a keychain; it is unlocked then. Until it is whole it has another name, so that a crash leaves none or one.
    ///
    /// - Parameters:
    ///   - name: a path, or a name in the folder.
    ///   - password: may be empty.
    ///   - processID: of who wants it.
    /// - Throws: `errSecDuplicateKeychain`, `errSecNoSuchKeychain` for a place where none can be, `errSecWrPerm`,
    ///   `errSecParam` for a password that cannot be one.
    func create(
        _ name: String, password: SecretBytes, by processID: Int32 = 0
    ) throws(Refusal) -> FileKeychainReport {
        let path = try places.place(name)
        if path.hasPrefix(places.folder + "/") { try makeFolder() }
        guard FileIdentity(path: path) == nil else { throw Self.duplicate }
        let unfinished = unfinishedPath(beside: path)
        defer { Self.remove(unfinished) }
        try OpenFileKeychain.make(unfinished, password: password, means)
        try Self.keep(unfinished, as: path)
        means.log("a keychain was made: \(path)")
        return try using(path) { keychain throws(Refusal) in
            try keychain.lock.unlock(with: ProtectorSecret(.passcode, password), by: processID)
            return keychain.report
        }
    }

    /// Deletes a keychain, open or not, and takes it off the lists. Also one that cannot be opened, if it is one.
    func delete(_ name: String, by processID: Int32 = 0) throws(Refusal) {
        let path = try places.place(name)
        let (place, victim) = try reserve(path)
        if let victim { close(victim) }
        defer { end(path) }
        let result: Result<Void, Refusal> = place.keychain.withLock { keychain in
            guard FileIdentity(path: path) != nil else { return .failure(Self.missing) }
            if keychain == nil {
                guard
                    let head = FilePlace.head(of: path, count: OpenFileKeychain.headBytes),
                    StoreKind(ofFileBeginningWith: head) == .file
                else { return .failure(Refusal(.invalidKeychain, .notAKeychain)) }
            }
            // First the file itself: where it cannot be removed, it stays open, and as it was.
            do throws(DurableFile.Failure) {
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
        means.log("a keychain was deleted: \(path)")
        try changeLists(of: .user, by: processID) { list in
            if list.standard == path { list.standard = nil }
            list.searched.removeAll { $0 == path }
        }
    }

    /// Changes the lists of a domain in one step, and tells those who watch.
    ///
    /// - Parameters:
    ///   - domain: the user's; the others are root's.
    ///   - processID: of who wants it so.
    ///   - user: whose process it is.
    ///   - body: changes them. Not called twice at once.
    /// - Throws: as ``KeychainLists/change(_:by:_:)``.
    func changeLists(
        of domain: PreferencesDomain, by processID: Int32, of user: UInt32? = nil,
        _ body: @Sendable (inout KeychainList) throws(Refusal) -> Void
    ) throws(Refusal) {
        let (before, after) = try lists.change(domain, by: user, body)
        means.notices.publish {
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
            try FilePlace.makeFolder(places.folder)
        } catch {
            throw Refusal(.writePermission, .readOnlyStore)
        }
    }

    /// Removes what a service left behind that was killed while it made a keychain. Before anybody is served.
    public func removeUnfinished() {
        for name in FilePlace.names(in: places.folder) where Self.isUnfinished(name) {
            try? DurableFile.remove(places.folder + "/" + name)
        }
    }

    /// Their lock files have one dot more.
    private static func isUnfinished(_ name: String) -> Bool {
        name.hasPrefix(unfinishedMark) || name.hasPrefix("." + unfinishedMark)
    }

    private static let unfinishedMark = ".new-"

    /// A name for what is not whole yet, which the next start removes.
    func unfinishedPath(beside path: String) -> String { Self.unfinishedPath(beside: path, means.makeIdentifier()) }

    private static func unfinishedPath(beside path: String, _ identifier: ItemIdentifier) -> String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let mark = String(UInt64(truncatingIfNeeded: identifier.value), radix: 16)
        return path[...slash] + "\(unfinishedMark)\(mark)-" + path[path.index(after: slash)...]
    }

    /// The file and what SQLite and we keep beside it.
    static func remove(_ path: String) {
        for file in [path, path + "-wal", path + "-shm", OpenFileKeychain.lockPath(of: path)] {
            try? DurableFile.remove(file)
        }
    }

    private static let missing = Refusal(.noSuchKeychain, .noSuchKeychain)
    static let duplicate = Refusal(.duplicateKeychain, .duplicateKeychain)

    // MARK: Looking and locking

    /// What there is. That there is none, or none that can be used, is no error.
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

    /// Locks all that are open.
    func lockAll(by processID: Int32 = 0) { for keychain in openKeychains { keychain.lock.lock(by: processID) } }

    /// The machine goes to sleep, or its user's session was locked.
    func lockWithSession(by processID: Int32 = 0) {
        for keychain in openKeychains where keychain.settings.locksOnSleep { keychain.lock.lock(by: processID) }
    }

    private var openKeychains: [OpenFileKeychain] {
        entries.withLock { $0.values.map(\.place) }.compactMap { $0.keychain.withLock { $0 } }
    }

    /// Does what is due.
    ///
    /// - Returns: how long until this has to be called again; nil if nothing is planned.
    public func housekeeping() -> Duration? {
        let now = means.clock.nanoseconds()
        let idle = entries.withLock { entries in
            // Some may have become idle since the look at the clock.
            entries.filter { $0.value.users == 0 && $0.value.idleSince + limits.idle.nanoseconds <= now }.map(\.key)
        }
        let locked = idle.filter { path in
            entries.withLock { $0[path]?.place }?.keychain.withLock { $0?.isLocked ?? true } ?? false
        }
        for path in locked { close(path) }
        let next = openKeychains.flatMap { [$0.lock.lockIfIdle(), $0.schedule.run()] }.compactMap(\.self).min()
        let hasMore = entries.withLock { !$0.isEmpty }
        return hasMore ? min(next ?? limits.idle, limits.idle) : nil
    }

    /// Whether closing would lose nothing that somebody would have to type again.
    var holdNoUnlockedKeys: Bool { openKeychains.allSatisfy(\.isLocked) }

    /// Locks and closes all, when nobody uses them any more.
    public func closeAll() {
        for path in entries.withLock({ Array($0.keys) }) {
            entries.withLock { $0[path]?.users = 0 }
            close(path)
        }
    }
}
