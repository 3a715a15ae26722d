// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainSealing
import SQLiteStatements
import Synchronization

/// The keychain's items, sealed, in one SQLite database.
///
/// All calls are synchronous, may come from any thread, and return only after their effect is durable: an acknowledged
/// change is on the disk. Reading does not wait for writing. A `Grant` is required to open or change an item.
public final class ItemStore: Sendable {
    public enum Location: Hashable, Sendable {
        /// The path of a database file. If the file does not exist, it is created, readable for its owner only.
        case file(String)
        /// In memory, deleted with the store.
        case memory
    }

    let keyRing: KeyRing
    /// The key that binds the store to its device; keychain files of the same user are bound to the same key.
    public let deviceKey: DeviceKey
    let keyStorage: any SecretKeyStorage
    private let sealedKeybag: Mutex<(keybag: Keybag, isInSnapshots: Bool)>
    let digests: AttributeDigests
    /// The only connection that writes.
    let writer: Connection
    let snapshots: Snapshots?
    /// The reading connection; equal to `writer` for a database in memory.
    let reader: Connection
    /// The connection for long operations.
    let scanner = LateConnection()
    /// The connection for long operations that no request waits for.
    let looker = LateConnection()
    /// The limits of settings on this machine.
    public let limits: SettingLimits
    let clock: @Sendable () -> Timestamp
    let makeIdentifier: @Sendable () -> ItemIdentifier
    let contentsKey: ContentsKey
    let grantKey: GrantKey
    /// The key for the proofs of authentication contexts, which clients keep; it lives as long as this object.
    public let proofKey: ProofKey
    let checkedContents = CheckedContents()
    /// The texts of each class of items, for searches through all of them.
    let texts = Mutex<[ItemClass: TextList]>([:])
    /// In a structure, because a `Mutex` of a function wraps the function once more at each access.
    private struct Observer {
        var body: (@Sendable ([ItemChange]) -> Void)?
    }
    private let observer = Mutex(Observer())

    /// Opens the keychain, or creates one with new keys if the file does not exist or is empty.
    ///
    /// - Parameters:
    ///   - kind: the kind of the existing or new file; a file of the other kind is `.notAKeychain`.
    ///   - clock: the source of creation and modification dates.
    ///   - snapshots: of this file. A snapshot is made before an older schema is changed, and no snapshot opens with a
    ///     former keybag.
    ///   - limits: the limits of settings. A setting beyond its limit has the limit as its value.
    ///   - makeIdentifier: 16 random bytes from the system's generator, except in tests.
    /// - Throws: `.notAKeychain`, `.newerVersion`, `.wrongDeviceKey`, `.damaged`: the file is unchanged. `.readOnly`,
    ///   `.diskFull`, `.inputOutput`.
    public init(
        at location: Location, as kind: StoreKind = .dataProtection, deviceKey: DeviceKey,
        keyStorage: some SecretKeyStorage, snapshots: Snapshots? = nil, limits: SettingLimits = .none,
        clock: @escaping @Sendable () -> Timestamp, makeIdentifier: @escaping @Sendable () -> ItemIdentifier
    ) throws(StoreError) {
        self.clock = clock
        self.makeIdentifier = makeIdentifier
        self.snapshots = snapshots
        self.limits = limits
        var contents = StoreOpening.Contents.nothing
        switch location {
        case .file(let path):
            contents = try StoreOpening.inspect(file: path, kind, deviceKey: deviceKey, storage: keyStorage)
            // A keychain existed, and an empty one would seem to be the same keychain.
            if case .nothing = contents, kind == .dataProtection, snapshots?.paths.isEmpty == false {
                throw .damaged(.lost)
            }
            writer = try StoreOpening.openWriter(file: path)
        case .memory:
            writer = try StoreError.translating { try Connection() }
        }
        if case .keychain(_, _, let version) = contents, version < Migrations.steps.count {
            try snapshots?.take(now: clock())
        }
        let keybag: Keybag
        (keybag, keyRing, contentsKey) = try Self.complete(
            writer, kind, contents: contents, deviceKey: deviceKey, storage: keyStorage, at: clock())
        sealedKeybag = Mutex((keybag, false))
        grantKey = try GrantKey(for: keybag, deviceKey, keyStorage)
        do throws(SealingError) { proofKey = try ProofKey(in: keyStorage) } catch { throw StoreError(error) }
        self.deviceKey = deviceKey
        self.keyStorage = keyStorage
        switch location {
        case .file(let path): reader = try StoreError.translating { try Connection(file: path, .readOnly) }
        case .memory: reader = writer
        }
        digests = AttributeDigests(keyRing)
        // Without a passcode, each of its keys was opened.
        if case .keychain = contents, !keybag.isProtected { putKeybagIntoSnapshots() }
    }

    /// Completes the opened or new database and returns the keys of the keychain. The writer keeps the seal of its
    /// contents from now on.
    private static func complete(
        _ writer: Connection, _ kind: StoreKind, contents: StoreOpening.Contents, deviceKey: DeviceKey,
        storage: some SecretKeyStorage, at date: Timestamp
    ) throws(StoreError) -> (Keybag, KeyRing, ContentsKey) {
        let (keybag, ring): (Keybag, KeyRing)
        let key: ContentsKey
        switch contents {
        case .nothing:
            (keybag, ring) = try newKeybag(kind, deviceKey, storage, at: date)
            key = try ContentsKey(for: keybag, deviceKey, storage)
            try StoreOpening.migrate(writer, kind, from: 0, adding: (keybag, try key.seal(of: keybag)))
        case .keychain(let present, let presentRing, let version):
            (keybag, ring) = (present, presentRing)
            key = try ContentsKey(for: keybag, deviceKey, storage)
            try StoreOpening.migrate(writer, kind, from: version, adding: nil)
        }
        writer.contents = ContentsSeal(key)
        return (keybag, ring, key)
    }

    private static func newKeybag(
        _ kind: StoreKind, _ deviceKey: DeviceKey, _ storage: some SecretKeyStorage, at date: Timestamp
    ) throws(StoreError) -> (Keybag, KeyRing) {
        do throws(SealingError) {
            let keybag = try Keybag.generate(for: deviceKey, at: date)
            return (
                keybag, try keybag.keyRing(with: deviceKey, in: storage, attributesClass: kind.attributesClass)
            )
        } catch {
            throw StoreError(ofKeybag: error)
        }
    }

    public var lockState: LockState { keyRing.lockState }

    /// The keybag as stored on the disk.
    var keybag: Keybag {
        get { sealedKeybag.withLock { $0.keybag } }
        set { sealedKeybag.withLock { $0.keybag = newValue } }
    }

    /// Puts the keybag into the snapshots, unless that was done already, because the last change of it may have been
    /// interrupted. Only if the keybag is known to be intact, because the snapshots may have the only intact copy of a
    /// keybag that was damaged since.
    func putKeybagIntoSnapshots() {
        let wasThere = sealedKeybag.withLock { state in
            defer { state.isInSnapshots = true }
            return state.isInSnapshots
        }
        if !wasThere { snapshots?.replaceKeybag(keybag.encoded, contentsKey) }
    }

    /// Calls `body` on the changing thread, after each change is on the disk. Replaces an earlier observer.
    public func observe(_ body: @escaping @Sendable ([ItemChange]) -> Void) {
        observer.withLock { $0.body = body }
    }

    func notify(_ kind: ItemChange.Kind, _ items: [ItemIdentifier], _ itemClass: ItemClass) {
        guard let body = observer.withLock(\.body) else { return }
        body(items.map { ItemChange(kind, PersistentReference(itemClass: itemClass, item: $0)) })
    }

    /// Returns the counts of all rows: for status displays, not for requests.
    public func statistics() throws(StoreError) -> StoreStatistics {
        try StoreError.translating {
            try scanningReader().access { db in
                var items: [ItemClass: Int] = [:]
                var unreadable = 0
                for itemClass in ItemClass.allCases {
                    guard let table = ItemTable.of(itemClass) else { continue }
                    let counts = try db.countItems(in: table)
                    items[itemClass] = counts.items
                    unreadable += counts.unreadable
                }
                return StoreStatistics(items: items, unreadable: unreadable)
            }
        }
    }

    /// Writes the log back into the database file and closes it. Calls after this throw `.closed`.
    public func close() throws(StoreError) {
        try StoreError.translating {
            try looker.close()
            try scanner.close()
            if reader !== writer { try reader.close() }
            try writer.close()
        }
    }
}

extension ItemStore {
    static let scannerKibibytes = 1000

    /// Returns the connection for searches through many rows, in a database of the maximum size: no other lookup waits
    /// for it.
    ///
    /// It is opened on first use, and most keychains never need it. Its page cache is small, because each page is
    /// usually read once.
    func scanningReader() throws -> Connection {
        guard reader !== writer else { return reader }
        return try scanner.opened {
            let connection = try Connection(file: reader.path, .readOnly)
            let size = "PRAGMA cache_size = -\(Self.scannerKibibytes)"
            try connection.access { db in try db.execute(size) }
            return connection
        }
    }
}
