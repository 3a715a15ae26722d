// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
public import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import Synchronization

/// The current backups and restores, and the approval of a portable backup: at most one of each, on the connection that
/// began it, and for a bounded time without a request. Their keys are deleted with them.
public final class BackupJobs: Sendable {
    let backups = JobSlot<BackupJob>(patience: .seconds(60))
    let restores = JobSlot<RestoreJob>(patience: .seconds(60))
    /// The owner's authorization of a portable backup, until the backup begins.
    let approvals = JobSlot<OwnerAuthorization>(patience: .seconds(300))
    /// The cost of guessing a passphrase.
    let cost: ScryptCost
    /// Called when a job begins, so that ``endAbandoned()`` is called in time.
    private let wake: @Sendable () -> Void
    private let clock: MonotonicClock
    private let random: RandomSource

    public init(
        clock: MonotonicClock = .live, random: RandomSource = .live, cost: ScryptCost = .ofBackups,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        self.wake = wake
        self.clock = clock
        self.random = random
        self.cost = cost
    }

    var now: UInt64 { clock.nanoseconds() }

    func token() -> JobToken { JobToken(bytes: random.bytes(JobToken.size)) }

    /// Ends the jobs that waited too long for a request.
    ///
    /// - Returns: the time until this has to be called again; nil if there is no job.
    @discardableResult
    public func endAbandoned() -> Duration? {
        let now = now
        let rests = [backups.expire(now), restores.expire(now), approvals.expire(now)].compactMap { $0 }
        return rests.min().map { .nanoseconds(Int64(clamping: $0)) }
    }

    /// Begins a job.
    ///
    /// - Parameter make: stretches a passphrase, which takes time and memory, or prompts the owner: called while the slot of
    ///   the job is reserved.
    /// - Throws: the errors of `make`, and `failure` if another job is running.
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
        wake()
    }

    /// Ends the jobs of a closed connection.
    func connectionEnded(_ connection: [UInt8]) {
        backups.end(of: connection)
        restores.end(of: connection)
        approvals.end(of: connection)
    }
}

/// The slot of the one job of a kind.
final class JobSlot<Job: Sendable>: Sendable {
    private struct Entry: Sendable {
        let token: JobToken
        let connection: [UInt8]
        var lastUse: UInt64 = 0
        /// The job; nil while a request creates it or works on it.
        var job: Job?
    }

    private let entry = Mutex<Entry?>(nil)
    /// The time that a job waits for the next request.
    private let patience: Duration

    init(patience: Duration) { self.patience = patience }

    /// Reserves the slot for a job that is being created.
    ///
    /// - Returns: false if another job has it.
    func reserve(_ token: JobToken, on connection: [UInt8]) -> Bool {
        entry.withLock { entry in
            guard entry == nil else { return false }
            entry = Entry(token: token, connection: connection)
            return true
        }
    }

    /// Puts the job in its slot, if its connection has not ended meanwhile.
    func fill(_ job: Job, _ token: JobToken, at now: UInt64) {
        entry.withLock { entry in
            guard entry?.token == token else { return }
            entry?.job = job
            entry?.lastUse = now
        }
    }

    /// Works on a job, with exclusive access to it, and ends the job if the work throws.
    ///
    /// - Parameter body: returns whether the job continues.
    /// - Throws: `errSecNotAvailable` with the reason `jobEnded` for a job that no longer exists.
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

    /// Ends an expired job.
    ///
    /// - Returns: the remaining nanoseconds of the job; nil if there is none, or a request is working on it.
    func expire(_ now: UInt64) -> UInt64? {
        entry.withLock { current in
            guard let entry = current, entry.job != nil else { return nil }
            let end = entry.lastUse + patience.nanoseconds
            guard end <= now else { return end - now }
            current = nil
            return nil
        }
    }
}

/// A backup that is being made.
struct BackupJob: Sendable {
    private var writer: BackupWriter
    /// The position of the next item; nil after the last item.
    private var position: BackupPosition? = .start
    private var isBegun = false

    init(_ writer: BackupWriter) { self.writer = writer }

    var form: BackupForm { writer.header.form }

    /// A piece grows to this size, and by at most one page of items: with the largest item it still fits into a frame.
    private static let pieceBytes = 512 << 10
    private static let omittedLimit = 1000

    /// Returns the next piece of the file.
    ///
    /// - Parameter grant: a grant for each page of items.
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
        switch BackupRules.inclusion(of: item.attributes) {
        case .portable: bytes += record(of: item, isDeviceBound: false)
        case .deviceBound: bytes += record(of: item, isDeviceBound: true)
        case .leftOut(let reason):
            leaveOut()
            let names = BackupRules.names(of: item.attributes, ownerIsProven: header.form == .portable)
            omitted.append(OmittedItem(reason, item.attributes.itemClass, names))
        }
    }
}

/// A backup that is being read.
struct RestoreJob: Sendable {
    private var reader: BackupReader
    let mode: RestoreMode
    private let replacesNewer: Bool
    /// Whether the owner approved the restore of a portable file.
    private let isApproved: Bool
    private(set) var counts = RestoreCounts()
    private(set) var isPastEnd = false

    init(_ reader: BackupReader, _ mode: RestoreMode, replacesNewer: Bool, isApproved: Bool) {
        self.isApproved = isApproved
        self.reader = reader
        self.mode = mode
        self.replacesNewer = replacesNewer
    }

    /// The result of some bytes of the file.
    struct Progress {
        var notable: [RestoredItem] = []
        /// The changes in the keychain.
        var results: [RestoreResult] = []
    }

    /// The reason why a piece could not be restored.
    enum RestoreError: Error {
        case backup(BackupError)
        case store(StoreError)
        case refused(Refusal)
    }

    /// The maximum number of items in one transaction, and the approximate maximum of bytes.
    private static let batchItems = 256
    private static let batchBytes = 4 << 20

    mutating func take(
        _ bytes: some Collection<UInt8>, into store: ItemStore, grant: () throws(Refusal) -> Grant
    ) throws(RestoreError) -> Progress {
        reader.receive(bytes)
        var progress = Progress()
        var batch: [BackupItem] = []
        defer { for index in batch.indices { batch[index].data?.wipe() } }
        var batchSize = 0
        while true {
            let record: BackupRecord?
            do throws(BackupError) { record = try reader.next() } catch {
                // The items read before are intact, and are restored as if the file ended here.
                try restore(&batch, into: store, grant, &progress)
                throw .backup(error)
            }
            guard let record else { break }
            switch record {
            case .item(let item, let isDeviceBound):
                let inclusion: BackupRules.Inclusion = isDeviceBound ? .deviceBound : .portable
                let refusal = BackupRules.refusal(
                    of: item.attributes, as: inclusion, reader.header.form, store.lockState,
                    isApproved: isApproved)
                if let refusal, mode != .verify || refusal == .invalid {
                    note(refusal, item.attributes, in: store, &progress)
                } else if mode == .verify {
                    counts[.verified] += 1
                } else {
                    batchSize += item.data?.count ?? 0
                    batch.append(item)
                }
            case .otherDevice(let itemClass, _):
                counts[.otherDevice] += 1
                progress.notable.append(RestoredItem(.otherDevice, itemClass, nil))
            case .end: isPastEnd = true
            }
            if batch.count >= Self.batchItems || batchSize >= Self.batchBytes {
                try restore(&batch, into: store, grant, &progress)
                batchSize = 0
            }
        }
        try restore(&batch, into: store, grant, &progress)
        return progress
    }

    private mutating func restore(
        _ batch: inout [BackupItem], into store: ItemStore, _ grant: () throws(Refusal) -> Grant,
        _ progress: inout Progress
    ) throws(RestoreError) {
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
                note(result.outcome, item.attributes, in: store, &progress)
            }
        }
        if mode == .apply { progress.results += results.filter { $0.outcome.change != nil } }
        for index in batch.indices { batch[index].data?.wipe() }
        batch.removeAll(keepingCapacity: true)
    }

    private mutating func note(
        _ result: RestoreOutcome, _ attributes: ItemAttributes, in store: ItemStore, _ progress: inout Progress
    ) {
        counts[result] += 1
        let names = BackupRules.names(of: attributes, ownerIsProven: store.isProtected)
        progress.notable.append(RestoredItem(result, attributes.itemClass, names))
    }

    var end: BackupCounts? { reader.end }

    func finish() throws(BackupError) -> BackupCounts { try reader.finish() }
}
