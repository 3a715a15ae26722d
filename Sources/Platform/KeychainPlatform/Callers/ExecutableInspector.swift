// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
internal import Synchronization

/// Inspects callers' executables, and caches their hashes.
public final class ExecutableInspector: Sendable {
    /// Executables above this size (1 GiB) are not hashed, because each would take half a second.
    public static let maximumByteCount = 1 << 30

    private let cache: DigestCache
    private let turns = ReadingTurns()

    /// Creates an inspector.
    ///
    /// - Parameter clock: the clock with which the kernel stamps files.
    public init(clock: WallClock = .live) {
        cache = DigestCache(clock: clock)
    }

    /// Opens the executable of `peer`. Throws the errors of ``PeerProcess/snapshot()``.
    ///
    /// Take a snapshot afterwards and compare device and inode, because the process may have started another program
    /// meanwhile.
    public func executable(of peer: PeerProcess) throws(PeerProcess.Error) -> PeerExecutable {
        try PeerExecutable(of: peer, cache: cache, turns: turns)
    }

    /// Opens the executable file at an absolute path: the file of a process that would run it.
    ///
    /// - Parameter user: the user who needs search permission for all folders on the path.
    ///
    /// Throws the errors of opening, EACCES for a closed folder, and EISDIR or EACCES for a file that is not regular or
    /// has no execute bit.
    public func program(at path: String, for user: UInt32) throws(SystemCallError) -> PeerExecutable {
        try PeerExecutable(at: path, for: user, cache: cache, turns: turns)
    }

    /// The number of cached hashes.
    public var cachedDigestCount: Int { cache.count }

    /// The size of the cache of hashes, and how often it was used.
    public struct CachedDigests: Hashable, Sendable {
        public let hits: UInt64
        public let misses: UInt64
        public let count: Int
        public let limit: Int
    }

    public var cachedDigests: CachedDigests { cache.figures }
}

/// Reads the executables for one user one after the other, so that no user takes more than one processor with large
/// files.
final class ReadingTurns: Sendable {
    private final class Turn: Sendable {
        let isTaken = Mutex(())
    }

    /// The turn of each user. An entry stays: the table has one small entry per user.
    private let users = Mutex<[UInt32: Turn]>([:])

    func take<R: Sendable, E: Error>(for user: UInt32, _ body: () throws(E) -> R) throws(E) -> R {
        let turn = users.withLock { users in
            if let turn = users[user] { return turn }
            let turn = Turn()
            users[user] = turn
            return turn
        }
        let result: Result<R, E> = turn.isTaken.withLock { _ in
            do throws(E) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// Hashes of files that have not changed since; the least recently used are evicted first.
final class DigestCache: Sendable {
    struct Key: Hashable, Sendable {
        let device: UInt
        let inode: UInt
        let size: Int
        let changeTime: Int
    }

    static let capacity = 256
    /// In seconds. The kernel stamps changes with the time of the last timer tick (up to 10 ms old), so a file that is
    /// written twice within one tick has one change time and two contents. Two seconds also cover file systems that
    /// keep whole seconds only.
    static let youngestAge = 2.0

    private struct Entry {
        var digest: [UInt8]?
        var signature: ExecutableSignature?
        var lastUse: UInt64
    }

    private struct Contents {
        var entries: [Key: Entry] = [:]
        var uses: UInt64 = 0
        var hits: UInt64 = 0
        var misses: UInt64 = 0
    }

    private let clock: WallClock
    private let contents = Mutex(Contents())

    init(clock: WallClock) { self.clock = clock }

    var count: Int { contents.withLock { $0.entries.count } }

    var figures: ExecutableInspector.CachedDigests {
        contents.withLock {
            .init(hits: $0.hits, misses: $0.misses, count: $0.entries.count, limit: Self.capacity)
        }
    }

    func digest(for key: Key) -> [UInt8]? { found(for: key) { $0.digest } }

    func signature(for key: Key) -> ExecutableSignature? { found(for: key) { $0.signature } }

    private func found<Value: Sendable>(for key: Key, _ value: (Entry) -> Value?) -> Value? {
        contents.withLock { contents in
            contents.uses += 1
            contents.entries[key]?.lastUse = contents.uses
            let found = contents.entries[key].flatMap(value)
            if found == nil { contents.misses += 1 } else { contents.hits += 1 }
            return found
        }
    }

    func remember(_ digest: [UInt8], for key: Key) { remember(for: key) { $0.digest = digest } }

    func remember(_ signature: ExecutableSignature, for key: Key) { remember(for: key) { $0.signature = signature } }

    private func remember(for key: Key, _ change: (inout Entry) -> Void) {
        let changed = Double(key.changeTime / 1_000_000_000 - WallClock.referenceDateInUnixTime)
        // A change time in the future (a clock that was set back) counts as young until the clock passes it.
        guard clock.now() - changed > Self.youngestAge else { return }
        contents.withLock { contents in
            contents.uses += 1
            var entry = contents.entries[key] ?? Entry(lastUse: contents.uses)
            entry.lastUse = contents.uses
            change(&entry)
            contents.entries[key] = entry
            guard contents.entries.count > Self.capacity else { return }
            // A linear search is enough: 256 entries, and the hash just computed cost far more.
            let oldest = contents.entries.min { $0.value.lastUse < $1.value.lastUse }
            if let oldest { contents.entries.removeValue(forKey: oldest.key) }
        }
    }
}
