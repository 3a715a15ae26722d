// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
public import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import Synchronization

/// Backups and restores that are under way: at most one of each, on the connection that began it, and no longer than a
/// minute without a request. Their keys go with them.
public final class BackupJobs: Sendable {
    let backups = JobSlot<BackupJob>()
    let restores = JobSlot<RestoreJob>()
    /// What guessing a passphrase costs.
    let cost: ScryptCost
    /// Told that there is a job, so that ``endAbandoned()`` has to be asked in time.
    private let begun = Callback<Void>()
    private let clock: MonotonicClock
    private let random: RandomSource

    /// How long a job waits for the next request.
    static let patience: Duration = .seconds(60)

    public init(clock: MonotonicClock = .live, random: RandomSource = .live, cost: ScryptCost = .ofBackups) {
        self.clock = clock
        self.random = random
        self.cost = cost
    }

    var now: UInt64 { clock.nanoseconds() }

    func token() -> JobToken { JobToken(bytes: random.bytes(JobToken.size)) }

    /// Ends the jobs that nobody asked for during a minute.
    ///
    /// - Returns: how long until this has to be called again; nil if there is no job.
    @discardableResult
    public func endAbandoned() -> Duration? {
        let now = now
        let rests = [backups.expire(now), restores.expire(now)].compactMap { $0 }
        return rests.min().map { .nanoseconds(Int64(clamping: $0)) }
    }

    /// - Parameter body: called when ``endAbandoned()`` has to be asked again.
    public func whenBegun(_ body: @escaping @Sendable () -> Void) {
        begun.set(body)
    }

    /// - Parameter make: stretches a passphrase, which takes time and memory: called with the place of the job taken.
    /// - Throws: what `make` throws, and `failure` where another job is under way.
    func begin<Job, Failure: Error>(
        in slot: JobSlot<Job>, _ token: JobToken, on connection: [UInt8], underWay failure: Failure,
        _ make: () throws(Failure) -> Job
    ) throws(Failure) {
        guard slot.reserve(token, on: connection) else { throw failure }
        do throws(Failure) {
            slot.fill(try make(), token, at: now)
        } catch {
            slot.end(token, on: connection)
            throw error
        }
        begun()
    }

    /// Ends the jobs of a connection that is gone.
    func connectionEnded(_ connection: [UInt8]) {
        backups.end(of: connection)
        restores.end(of: connection)
    }
}

/// The place of the one job of a kind.
final class JobSlot<Job: Sendable>: Sendable {
    private struct Entry: Sendable {
        let token: JobToken
        let connection: [UInt8]
        var lastUse: UInt64 = 0
        /// Nil while a request makes it or works on it.
        var job: Job?
    }

    private let entry = Mutex<Entry?>(nil)

    /// Takes the place for a job that is being made.
    ///
    /// - Returns: false where another one has it.
    func reserve(_ token: JobToken, on connection: [UInt8]) -> Bool {
        entry.withLock { entry in
            guard entry == nil else { return false }
            entry = Entry(token: token, connection: connection)
            return true
        }
    }

    /// Puts the job in its place, if its connection has not ended meanwhile.
    func fill(_ job: Job, _ token: JobToken, at now: UInt64) {
        entry.withLock { entry in
            guard entry?.token == token else { return }
            entry?.job = job
            entry?.lastUse = now
        }
    }

    /// Works on a job: it has the place to itself meanwhile, and loses it when the work throws.
    ///
    /// - Parameter body: returns whether the job goes on.
    /// - Throws: `errSecNotAvailable` with the reason `jobEnded` for a job that is no more.
    func with<Failure: Error>(
        _ token: JobToken, on connection: [UInt8], at now: () -> UInt64, ended: Failure,
        _ body: (inout Job) throws(Failure) -> Bool
    ) throws(Failure) {
        let taken: Job? = entry.withLock { entry in
            guard entry?.token == token, entry?.connection == connection else { return nil }
            return entry?.job.take()
        }
        guard var job = taken else { throw ended }
        var goesOn = false
        defer {
            let rest = goesOn ? job : nil
            let time = now()
            entry.withLock { entry in
                guard entry?.token == token else { return }
                if let rest {
                    entry?.job = rest
                    entry?.lastUse = time
                } else {
                    entry = nil
                }
            }
        }
        goesOn = try body(&job)
    }

    func end(_ token: JobToken, on connection: [UInt8]) {
        entry.withLock { entry in
            if entry?.token == token, entry?.connection == connection { entry = nil }
        }
    }

    func end(of connection: [UInt8]) {
        entry.withLock { entry in
            if entry?.connection == connection { entry = nil }
        }
    }

    /// - Returns: the nanoseconds that the job has left; nil if there is none, or it is being worked on.
    func expire(_ now: UInt64) -> UInt64? {
        entry.withLock { current in
            guard let entry = current, entry.job != nil else { return nil }
            let end = entry.lastUse + BackupJobs.patience.nanoseconds
            guard end <= now else { return end - now }
            current = nil
            return nil
        }
    }
}

/// A backup that is being made.
struct BackupJob: Sendable {
    private var writer: BackupWriter
    /// Nil behind the last item.
    private var position: BackupPosition? = .start
    private var isBegun = false

    init(_ writer: BackupWriter) { self.writer = writer }

    var form: BackupForm { writer.header.form }

    /// A piece grows to this, and by one page of items at most: with the largest item it still fits into a frame.
    private static let pieceBytes = 512 << 10
    private static let omittedLimit = 1000

    /// The next piece of the file.
    ///
    /// - Parameter grant: one for each page of items.
    mutating func next<Failure: Error>(
        of store: ItemStore, grant: () throws(Failure) -> Grant, failing: (StoreError) -> Failure
    ) throws(Failure) -> BackupPiece {
        var bytes = isBegun ? [] : writer.header.encoded
        isBegun = true
        var omitted: [OmittedItem] = []
        while bytes.count < Self.pieceBytes, omitted.count < Self.omittedLimit {
            guard let from = position else {
                bytes += writer.end()
                return BackupPiece(bytes: bytes, counts: writer.counts, omitted: omitted, isLast: true)
            }
            let grant = try grant()
            do throws(StoreError) {
                position = try store.readAll(from: from, with: grant) { candidate in
                    switch candidate {
                    case .item(let item): writer.write(item, to: &bytes, omitted: &omitted)
                    case .unreadable(let itemClass, let reason):
                        writer.leaveOut()
                        omitted.append(OmittedItem(reason, itemClass, nil))
                    }
                }
            } catch {
                throw failing(error)
            }
        }
        return BackupPiece(bytes: bytes, counts: writer.counts, omitted: omitted, isLast: false)
    }
}

extension BackupWriter {
    fileprivate mutating func write(_ item: BackupItem, to bytes: inout [UInt8], omitted: inout [OmittedItem]) {
        switch BackupRules.place(of: item.attributes) {
        case .portable: bytes += record(of: item, isDeviceBound: false)
        case .deviceBound: bytes += record(of: item, isDeviceBound: true)
        case .leftOut(let reason):
            leaveOut()
            omitted.append(OmittedItem(reason, item.attributes.itemClass, ItemNames(item.attributes)))
        }
    }
}

/// A backup that is being read.
struct RestoreJob: Sendable {
    private var reader: BackupReader
    let mode: RestoreMode
    private let replacesNewer: Bool
    private(set) var counts = RestoreCounts()
    private(set) var isPastEnd = false

    init(_ reader: BackupReader, _ mode: RestoreMode, replacesNewer: Bool) {
        self.reader = reader
        self.mode = mode
        self.replacesNewer = replacesNewer
    }

    /// What came of some bytes of the file.
    struct Outcome {
        var notable: [RestoredItem] = []
        /// What was changed in the keychain.
        var results: [RestoreResult] = []
    }

    /// Why a piece could not be restored.
    enum Failure: Error {
        case backup(BackupError)
        case store(StoreError)
        case refused(Refusal)
    }

    /// One transaction has at most so many items, and about so many bytes.
    private static let batchItems = 256
    private static let batchBytes = 4 << 20

    mutating func take(
        _ bytes: some Collection<UInt8>, into store: ItemStore, grant: () throws(Refusal) -> Grant
    ) throws(Failure) -> Outcome {
        reader.receive(bytes)
        var outcome = Outcome()
        var batch: [BackupItem] = []
        defer { for index in batch.indices { batch[index].data?.wipe() } }
        var batchSize = 0
        while true {
            let record: BackupRecord?
            do throws(BackupError) { record = try reader.next() } catch {
                // What was read before is whole, and stays as if the file ended here.
                try restore(&batch, into: store, grant, &outcome)
                throw .backup(error)
            }
            guard let record else { break }
            switch record {
            case .item(let item, let isDeviceBound):
                let place: BackupRules.Place = isDeviceBound ? .deviceBound : .portable
                let refusal = BackupRules.refusal(
                    of: item.attributes, in: place, reader.header.form, store.lockState)
                if let refusal, mode != .verify || refusal == .invalid {
                    note(refusal, item.attributes, &outcome)
                } else if mode == .verify {
                    counts[.verified] += 1
                } else {
                    batchSize += item.data?.count ?? 0
                    batch.append(item)
                }
            case .otherDevice(let itemClass, _):
                counts[.otherDevice] += 1
                outcome.notable.append(RestoredItem(.otherDevice, itemClass, nil))
            case .end: isPastEnd = true
            }
            if batch.count >= Self.batchItems || batchSize >= Self.batchBytes {
                try restore(&batch, into: store, grant, &outcome)
                batchSize = 0
            }
        }
        try restore(&batch, into: store, grant, &outcome)
        return outcome
    }

    private mutating func restore(
        _ batch: inout [BackupItem], into store: ItemStore, _ grant: () throws(Refusal) -> Grant,
        _ outcome: inout Outcome
    ) throws(Failure) {
        guard !batch.isEmpty else { return }
        let permission: Grant
        do throws(Refusal) { permission = try grant() } catch { throw .refused(error) }
        let results: [RestoreResult]
        do throws(StoreError) {
            results = try store.restore(
                batch, replacesNewer: replacesNewer, isDryRun: mode != .apply, with: permission)
        } catch {
            throw .store(error)
        }
        for (item, result) in zip(batch, results) {
            switch result.outcome {
            case .added, .unchanged, .replaced: counts[result.outcome] += 1
            case .addedWithNewIdentifier, .conflict, .verified, .otherDevice, .needsPasscode, .invalid:
                note(result.outcome, item.attributes, &outcome)
            }
        }
        if mode == .apply { outcome.results += results.filter { $0.outcome.change != nil } }
        for index in batch.indices { batch[index].data?.wipe() }
        batch.removeAll(keepingCapacity: true)
    }

    private mutating func note(_ result: RestoreOutcome, _ attributes: ItemAttributes, _ outcome: inout Outcome) {
        counts[result] += 1
        outcome.notable.append(RestoredItem(result, attributes.itemClass, ItemNames(attributes)))
    }

    var end: BackupCounts? { reader.end }

    func finish() throws(BackupError) -> BackupCounts { try reader.finish() }
}
