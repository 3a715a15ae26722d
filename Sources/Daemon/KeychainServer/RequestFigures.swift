// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPlatform
internal import KeychainWire
internal import Synchronization

/// Counts the requests for one keychain since it was opened. All memory is allocated then: counting a request takes a
/// lock for a few additions, and allocates nothing.
public final class RequestFigures: Sendable {
    fileprivate struct State {
        /// For each kind the fields of ``Field``, one after the other.
        var counters: [UInt64]
        /// The latest last. The list is always short, and searched only when a request is refused.
        var refusals: [ServiceFigures.Refused] = []
        var connections: UInt64 = 0
        var mostConnections: UInt64 = 0
    }

    /// The place of a number of a kind.
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

    /// The maximum number of distinct refusals; the oldest one is evicted.
    static let refusalLimit = 32

    private let state: Mutex<State>
    private let clock: MonotonicClock
    private let opened: UInt64
    let since: Timestamp

    /// Creates the counters.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - clock: measures the time since then; it must continue while the machine sleeps.
    init(now: Timestamp, clock: MonotonicClock = .includingSleep) {
        since = now
        self.clock = clock
        opened = clock.nanoseconds()
        state = Mutex(State(counters: Array(repeating: 0, count: (Self.kinds + 1) * Field.count)))
    }

    private static let kinds = RequestKind.allCases.map { Int($0.rawValue) }.max() ?? 0

    /// Counts a request that was answered, or whose client disconnected.
    ///
    /// - Parameters:
    ///   - nanoseconds: the time from the arrival of the request until its answer was written, without the time of
    ///     prompts.
    ///   - now: the time of day; called only if the request was refused.
    func count(
        _ kind: RequestKind, _ outcome: RequestResult, nanoseconds: UInt64, now: () -> Timestamp
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

    /// Counts a new connection for this keychain.
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

    /// Returns all kinds with requests, and the refusals, the latest first.
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

/// The counted results of a request.
enum RequestResult {
    case served
    case refused(Refusal)
    case abandoned

    init(_ outcome: AuditEvent.Result) {
        switch outcome {
        case .granted, .carriedOut, .authorized, .served: self = .served
        case .refused(let refusal, _): self = .refused(refusal)
        case .abandoned: self = .abandoned
        }
    }

    /// The place of the count.
    fileprivate var field: Int {
        switch self {
        case .served: RequestFigures.Field.served
        case .refused(let refusal) where refusal.status == .itemNotFound: RequestFigures.Field.notFound
        case .refused: RequestFigures.Field.refused
        case .abandoned: RequestFigures.Field.abandoned
        }
    }
}

/// The counted facts of a request, as they become known.
struct RequestMeasure {
    var kind = RequestKind.malformed
    /// Until the answer is written, its client may still disconnect.
    var outcome = RequestResult.abandoned
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
        case .identity, .requireEntitlements, .behalf: self = .identify
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
            .changeSettings, .acceptContents, .readTokens, .moveDeviceKey, .listTeams, .trustTeam, .distrustTeam,
            .listDevelopmentFolders, .trustFolder, .revokeFolder:
            self = .administer
        }
    }
}
