// SPDX-License-Identifier: Apache-2.0

/// The figures that a service reports to the owner of a keychain: its amounts of data, its queues, and the outcomes of
/// requests since the keychain was opened. Numbers and kinds only; no attribute, no secret and no other program's name
/// (Documentation/Observability.md).
public struct ServiceFigures: Hashable, Sendable {
    /// The version of the service program.
    public var version: String
    public var lockState: LockState
    /// The time when counting began: when the keychain was opened.
    public var since: Timestamp
    /// The time since then, in whole seconds, by a clock that is never set.
    public var uptimeSeconds: UInt64
    /// The numbers of items that can be opened, by stored class.
    public var items: [ItemClass: UInt64]
    /// The number of items that were set aside because they cannot be opened.
    public var unreadable: UInt64
    public var sizes: [FileSize]
    /// The open file keychains, in the order of their paths.
    public var keychainFiles: [KeychainFile]
    public var queues: [Queue]
    public var caches: [Cache]
    /// The kinds of requests that occurred.
    public var requests: [Requests]
    /// The failures that were returned, the latest first.
    public var refusals: [Refused]

    public init(
        version: String, lockState: LockState, since: Timestamp, uptimeSeconds: UInt64, items: [ItemClass: UInt64],
        unreadable: UInt64, sizes: [FileSize] = [], keychainFiles: [KeychainFile] = [], queues: [Queue] = [],
        caches: [Cache] = [], requests: [Requests] = [], refusals: [Refused] = []
    ) {
        self.version = version
        self.lockState = lockState
        self.since = since
        self.uptimeSeconds = uptimeSeconds
        self.items = items
        self.unreadable = unreadable
        self.sizes = sizes
        self.keychainFiles = keychainFiles
        self.queues = queues
        self.caches = caches
        self.requests = requests
        self.refusals = refusals
    }

    /// The disk space of files of one kind.
    public struct FileSize: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            case database = 1
            /// Changes that are not in the database file yet.
            case writeAheadLog = 2
            /// The current file and the older ones.
            case auditLog = 3
            case snapshots = 4
        }

        public var kind: Kind
        /// The number of such files.
        public var files: UInt32
        public var bytes: UInt64

        public init(_ kind: Kind, files: UInt32, bytes: UInt64) {
            (self.kind, self.files, self.bytes) = (kind, files, bytes)
        }
    }

    /// An open file keychain.
    public struct KeychainFile: Hashable, Sendable {
        public var path: String
        public var bytes: UInt64
        /// The size of the changes that are not in the file yet.
        public var logBytes: UInt64
        /// Whether its database was found damaged since it was opened. False until it was checked.
        public var isDamaged: Bool

        public init(path: String, bytes: UInt64, logBytes: UInt64, isDamaged: Bool = false) {
            (self.path, self.bytes, self.logBytes, self.isDamaged) = (path, bytes, logBytes, isDamaged)
        }
    }

    /// A resource with a bound (Documentation/Limits.md).
    public struct Queue: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// Connections of the keychain's user.
            case connections = 1
            /// Changes of items that wait for their turn.
            case changes = 2
            /// Prompts to the user, including the visible one.
            case questions = 3
            /// Connections that watch for events.
            case watchers = 4
            /// Open keychain files.
            case keychainFiles = 5
        }

        public var kind: Kind
        public var now: UInt64
        /// The highest number at once since the keychain was opened; nil if not counted.
        public var most: UInt64?
        public var bound: UInt64

        public init(_ kind: Kind, now: UInt64, most: UInt64? = nil, bound: UInt64) {
            (self.kind, self.now, self.most, self.bound) = (kind, now, most, bound)
        }
    }

    /// A cache.
    public struct Cache: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// Prepared searches of the connection for lookups.
            case searches = 1
            /// Hashes and signatures of programs. Not reported by the system service, whose cache covers all users.
            case programs = 2
            /// Pages of the database, of the connection for lookups.
            case lookupPages = 3
            /// Pages, of the connection that writes.
            case writerPages = 4
            /// Pages, of the connection for operations over many items.
            case listPages = 5

            /// Whether ``Cache/size`` and ``Cache/bound`` are bytes; otherwise they are entries.
            public var isInBytes: Bool {
                switch self {
                case .searches, .programs: false
                case .lookupPages, .writerPages, .listPages: true
                }
            }
        }

        public var kind: Kind
        public var hits: UInt64
        public var misses: UInt64
        /// The current size: bytes or entries.
        public var size: UInt64
        public var bound: UInt64

        public init(_ kind: Kind, hits: UInt64, misses: UInt64, size: UInt64, bound: UInt64) {
            (self.kind, self.hits, self.misses, self.size, self.bound) = (kind, hits, misses, size, bound)
        }
    }
}

extension ServiceFigures {
    /// The outcomes of requests of one kind.
    ///
    /// Their time is measured from the moment when a request has arrived completely until its reply is written, in
    /// nanoseconds, without the time of prompts.
    public struct Requests: Hashable, Sendable {
        public var kind: RequestKind
        public var served: UInt64
        /// `errSecItemNotFound`: not a fault.
        public var notFound: UInt64
        public var refused: UInt64
        /// The client closed the connection before the reply.
        public var abandoned: UInt64
        /// The total time.
        public var nanoseconds: UInt64
        public var slowestNanoseconds: UInt64
        /// The number of requests that took at most each of ``bounds``, and longer than the one before; the last:
        /// longer than all.
        public var histogram: [UInt64]

        /// In nanoseconds.
        public static let bounds: [UInt64] = [
            25_000, 50_000, 100_000, 250_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        ]

        public init(
            _ kind: RequestKind, served: UInt64, notFound: UInt64, refused: UInt64, abandoned: UInt64,
            nanoseconds: UInt64, slowestNanoseconds: UInt64, histogram: [UInt64]
        ) {
            precondition(histogram.count == Self.bounds.count + 1, "as many numbers as bounds, and one for all beyond")
            self.kind = kind
            self.served = served
            self.notFound = notFound
            self.refused = refused
            self.abandoned = abandoned
            self.nanoseconds = nanoseconds
            self.slowestNanoseconds = slowestNanoseconds
            self.histogram = histogram
        }

        /// The number of requests, with any outcome.
        public var count: UInt64 { served &+ notFound &+ refused &+ abandoned }
    }

    /// The number of times that one failure was returned.
    public struct Refused: Hashable, Sendable {
        public var refusal: Refusal
        public var count: UInt64
        public var last: Timestamp

        public init(_ refusal: Refusal, count: UInt64, last: Timestamp) {
            (self.refusal, self.count, self.last) = (refusal, count, last)
        }
    }
}

/// The kind under which a request is counted. Requests for items of a keychain file count as the same kinds.
///
/// The raw value is the number on the wire.
public enum RequestKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A search for one item.
    case lookup = 1
    /// A search for several items.
    case list = 2
    case add = 3
    case update = 4
    case delete = 5
    /// A signature, decryption or agreement with a key that stays in the service.
    case useKey = 6
    case generateKey = 7
    /// Also verifying a passcode, and the PIN of the device key.
    case unlock = 8
    case lock = 9
    /// Other requests for the keychain as a whole.
    case administer = 10
    /// Requests of `LAContext`.
    case authenticate = 11
    case backup = 12
    case restore = 13
    case explain = 14
    /// Queries of a program's identity, and a program's refusal to work without entitlements.
    case identify = 15
    case grants = 16
    case log = 17
    /// Operations on a file keychain: create, unlock, lock, delete, add to the search list.
    case keychainFile = 18
    /// A connection that subscribes to events.
    case watch = 19
    /// The state of the service, and these figures.
    case status = 20
    /// Bytes that are not a request.
    case malformed = 21

    /// The word for it in texts, JSON and metrics. Never changes.
    public var name: String {
        switch self {
        case .lookup: "lookup"
        case .list: "list"
        case .add: "add"
        case .update: "update"
        case .delete: "delete"
        case .useKey: "use-key"
        case .generateKey: "generate-key"
        case .unlock: "unlock"
        case .lock: "lock"
        case .administer: "administer"
        case .authenticate: "authenticate"
        case .backup: "backup"
        case .restore: "restore"
        case .explain: "explain"
        case .identify: "identify"
        case .grants: "grants"
        case .log: "log"
        case .keychainFile: "keychain-file"
        case .watch: "watch"
        case .status: "status"
        case .malformed: "malformed"
        }
    }
}

extension ServiceFigures.FileSize.Kind {
    /// The word for it in JSON and metrics. Never changes.
    public var name: String {
        switch self {
        case .database: "database"
        case .writeAheadLog: "write-ahead-log"
        case .auditLog: "audit-log"
        case .snapshots: "snapshots"
        }
    }
}

extension ServiceFigures.Queue.Kind {
    /// The word for it in JSON and metrics. Never changes.
    public var name: String {
        switch self {
        case .connections: "connections"
        case .changes: "changes"
        case .questions: "questions"
        case .watchers: "watchers"
        case .keychainFiles: "keychain-files"
        }
    }
}

extension ServiceFigures.Cache.Kind {
    /// The word for it in JSON and metrics. Never changes.
    public var name: String {
        switch self {
        case .searches: "searches"
        case .programs: "programs"
        case .lookupPages: "lookup-pages"
        case .writerPages: "writer-pages"
        case .listPages: "list-pages"
        }
    }
}
