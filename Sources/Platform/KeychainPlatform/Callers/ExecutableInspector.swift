// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
internal import Synchronization

/// Finds out about callers' executables, and remembers their hashes.
public final class ExecutableInspector: Sendable {
    /// Executables above this size (1 GiB) are not hashed: half a second of work for whoever asks.
    public static let maximumByteCount = 1 << 30

    private let cache: DigestCache
    private let turns = ReadingTurns()

    /// `clock` must tell the time that the kernel stamps files with.
    public init(clock: WallClock = .live) {
        cache = DigestCache(clock: clock)
    }

    /// The executable of `peer`, opened. Throws as ``PeerProcess/snapshot()`` does.
    ///
    /// Take a snapshot afterwards and compare device and inode: the process may have gone on to another program.
    public func executable(of peer: PeerProcess) throws(PeerProcess.Failure) -> PeerExecutable {
        try PeerExecutable(of: peer, cache: cache, turns: turns)
    }

    /// The executable file at an absolute path, opened: what a process that runs it would have.
    ///
    /// - Parameter user: who wants to know, and has to be able to search all folders on the way.
    ///
    /// Throws what opening throws, EACCES for a closed folder, and EISDIR or EACCES for what is no regular file or has no execute bit.
    public func program(at path: String, for user: UInt32) throws(SystemCallError) -> PeerExecutable {
        try PeerExecutable(at: path, for: user, cache: cache, turns: turns)
    }

    /// How many hashes are remembered.
    public var cachedDigestCount: Int { cache.count }

    /// What is remembered of executables, and how often that was of use.
    public struct CachedDigests: Hashable, Sendable {
        public let hits: UInt64
        public let misses: UInt64
        public let count: Int
        public let limit: Int
    }

    public var cachedDigests: CachedDigests { cache.figures }
}

/// Reads whole executables one after the other for each user, so that nobody takes more than one processor with large files.
final class ReadingTurns: Sendable {
    private final class Turn: Sendable {
        let isTaken = Mutex(())
    }

    /// A user's stays: there are as many as users, and each is small.
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

/// Hashes of files that have not changed since; the least recently used go first.
final class DigestCache: Sendable {
    struct Key: Hashable, Sendable {
        let device: UInt
        let inode: UInt
        let size: Int
        let changeTime: Int
    }

    static let capacity = 256
    /// In seconds. The kernel stamps changes with the time of the last timer tick (up to 10 ms old): a file that is
    /// written twice within one tick has one change time and two contents. Two seconds also cover file systems that keep
    /// whole seconds only.
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
        // A change time in the future (a clock set back) counts as young for as long as that lasts.
        guard clock.now() - changed > Self.youngestAge else { return }
        contents.withLock { contents in
            contents.uses += 1
            var entry = contents.entries[key] ?? Entry(lastUse: contents.uses)
            entry.lastUse = contents.uses
            change(&entry)
            contents.entries[key] = entry
            guard contents.entries.count > Self.capacity else { return }
            // 256 entries and a hash that has just cost far more: a search will do.
            let oldest = contents.entries.min { $0.value.lastUse < $1.value.lastUse }
            if let oldest { contents.entries.removeValue(forKey: oldest.key) }
        }
    }
}
