// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainWire
internal import Synchronization

/// Counts how requests for one keychain go, from the moment when it is opened. All its room is taken then: counting a request takes
/// a lock for a few additions, and no memory.
public final class RequestFigures: Sendable {
    fileprivate struct State {
        /// For each kind the fields of ``Field``, one behind the other.
        var counters: [UInt64]
        /// The latest last. Few at any time, and looked through only when something is refused.
        var refusals: [ServiceFigures.Refused] = []
        var connections: UInt64 = 0
        var mostConnections: UInt64 = 0
    }

    /// Where a number of a kind is.
    fileprivate enum Field {
        static let served = 0
        static let notFound = 1
        static let refused = 2
        static let abandoned = 3
        static let nanoseconds = 4
        static let slowest = 5
        static let histogram = 6
        static let count = histogram + ServiceFigures.Requests.bounds.count + 1
    }

    /// So many different refusals are remembered; of more, the one that was longest ago is forgotten.
    static let refusalLimit = 32

    private let state: Mutex<State>
    private let clock: MonotonicClock
    private let opened: UInt64
    let since: Timestamp

    /// - Parameters:
    ///   - now: the time of day.
    ///   - clock: what tells how long ago that was; it must go on while the machine sleeps.
    init(now: Timestamp, clock: MonotonicClock = .includingSleep) {
        since = now
        self.clock = clock
        opened = clock.nanoseconds()
        state = Mutex(State(counters: Array(repeating: 0, count: (Self.kinds + 1) * Field.count)))
    }

    private static let kinds = RequestKind.allCases.map { Int($0.rawValue) }.max() ?? 0

    /// Counts a request that is answered, or whose client is gone.
    ///
    /// - Parameters:
    ///   - nanoseconds: from the moment when it was there to that when its answer was written, without that in which a person was asked.
    ///   - now: the time of day; asked for only when it was refused.
    func count(
        _ kind: RequestKind, _ outcome: RequestOutcome, nanoseconds: UInt64, now: () -> Timestamp
    ) {
        var refused: ServiceFigures.Refused?
        if case .refused(let refusal) = outcome { refused = .init(refusal, count: 1, last: now()) }
        let bucket = Self.bucket(of: nanoseconds)
        let base = Int(kind.rawValue) * Field.count
        state.withLock { state in
            state.counters[base + outcome.field] &+= 1
            state.counters[base + Field.nanoseconds] &+= nanoseconds
            if nanoseconds > state.counters[base + Field.slowest] {
                state.counters[base + Field.slowest] = nanoseconds
            }
            state.counters[base + Field.histogram + bucket] &+= 1
            if let refused { state.note(refused) }
        }
    }

    private static func bucket(of nanoseconds: UInt64) -> Int {
        var bucket = 0
        while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
        return bucket
    }

    private static let bounds = ServiceFigures.Requests.bounds

    /// A connection for this keychain was let in.
    func connectionBegan() {
        state.withLock { state in
            state.connections += 1
            state.mostConnections = max(state.mostConnections, state.connections)
        }
    }

    func connectionEnded() { state.withLock { $0.connections -= 1 } }

    // MARK: Reading

    var uptimeSeconds: UInt64 { (clock.nanoseconds() - opened) / 1_000_000_000 }

    var connections: (now: UInt64, most: UInt64) { state.withLock { ($0.connections, $0.mostConnections) } }

    /// All kinds of which there were any, and what was refused, the latest first.
    func read() -> (requests: [ServiceFigures.Requests], refusals: [ServiceFigures.Refused]) {
        let (counters, refusals) = state.withLock { ($0.counters, $0.refusals) }
        let requests = RequestKind.allCases.map { Self.requests($0, counters) }.filter { $0.count > 0 }
        return (requests, refusals.reversed())
    }

    private static func requests(_ kind: RequestKind, _ counters: [UInt64]) -> ServiceFigures.Requests {
        let base = Int(kind.rawValue) * Field.count
        func field(_ field: Int) -> UInt64 { counters[base + field] }
        return .init(
            kind, served: field(Field.served), notFound: field(Field.notFound), refused: field(Field.refused),
            abandoned: field(Field.abandoned), nanoseconds: field(Field.nanoseconds),
            slowestNanoseconds: field(Field.slowest),
            histogram: Array(counters[(base + Field.histogram)..<(base + Field.count)]))
    }
}

extension RequestFigures.State {
    fileprivate mutating func note(_ refused: ServiceFigures.Refused) {
        var entry = refused
        if let index = refusals.firstIndex(where: { $0.refusal == refused.refusal }) {
            entry.count += refusals.remove(at: index).count
        } else if refusals.count >= RequestFigures.refusalLimit {
            refusals.removeFirst()
        }
        refusals.append(entry)
    }
}

/// How a request ended, as far as it is counted.
enum RequestOutcome {
    case served
    case refused(Refusal)
    case abandoned

    init(_ outcome: AuditEvent.Outcome) {
        switch outcome {
        case .granted, .carriedOut, .authorized, .served: self = .served
        case .refused(let refusal, _): self = .refused(refusal)
        case .abandoned: self = .abandoned
        }
    }

    /// Where it is counted.
    fileprivate var field: Int {
        switch self {
        case .served: RequestFigures.Field.served
        case .refused(let refusal) where refusal.status == .itemNotFound: RequestFigures.Field.notFound
        case .refused: RequestFigures.Field.refused
        case .abandoned: RequestFigures.Field.abandoned
        }
    }
}

/// What a request is counted as, as it becomes known.
struct RequestMeasure {
    var kind = RequestKind.malformed
    /// Until the answer is written, its client may still go away.
    var outcome = RequestOutcome.abandoned
}

/// The time in which a person was asked, or looked at a prompt, while one connection's requests waited.
public final class AskingTime: Sendable {
    private let clock: MonotonicClock
    private let total = Atomic<UInt64>(0)

    init(clock: MonotonicClock) { self.clock = clock }

    /// Runs what asks a person.
    func during<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
        let began = clock.nanoseconds()
        defer { total.add(clock.nanoseconds() &- began, ordering: .relaxed) }
        return try body()
    }

    /// In nanoseconds, from now on counted anew.
    func take() -> UInt64 {
        // As a rule nobody was asked.
        total.load(ordering: .relaxed) == 0 ? 0 : total.exchange(0, ordering: .relaxed)
    }
}

extension RequestKind {
    init<Secret>(_ request: Request<Secret>) {
        switch request {
        case .copyMatching(_, let limit, _): self = limit == .one ? .lookup : .list
        case .add: self = .add
        case .update: self = .update
        case .delete: self = .delete
        case .key(.use): self = .useKey
        case .key(.generate): self = .generateKey
        case .administer(let request): self.init(request)
        case .authentication(.unlock): self = .unlock
        case .authentication: self = .authenticate
        case .backup: self = .backup
        case .restore: self = .restore
        case .explainSearch, .explainAddition: self = .explain
        case .identity, .requireEntitlements: self = .identify
        case .grants: self = .grants
        case .log(.follow), .watch, .watchKeychains, .agent: self = .watch
        case .log: self = .log
        case .keychainFile: self = .keychainFile
        case .status: self = .status
        case .authenticated(_, let request), .inKeychain(_, let request): self.init(request)
        }
    }

    private init<Secret>(_ request: AdministrationRequest<Secret>) {
        switch request {
        case .unlock, .verify, .openDeviceKey: self = .unlock
        case .lock: self = .lock
        case .readFigures: self = .status
        case .listProtectors, .setPasscode, .removePasscode, .addProtector, .removeProtector, .readSettings,
            .changeSettings, .acceptContents, .readTokens, .moveDeviceKey, .listTeams, .trustTeam, .distrustTeam:
            self = .administer
        }
    }
}
