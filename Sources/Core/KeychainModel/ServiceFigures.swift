// SPDX-License-Identifier: Apache-2.0

/// What a service tells the owner of a keychain about its work: how much there is, what waits, and how requests went since the
/// keychain was opened. Numbers and kinds only; no attribute, no secret and no other program's name (Documentation/Observability.md).
public struct ServiceFigures: Hashable, Sendable {
    /// The version of the service program.
    public var version: String
    public var lockState: LockState
    /// When counting began: the keychain was opened then.
    public var since: Timestamp
    /// How long ago that was, in whole seconds; clocks that are set do not change it.
    public var uptimeSeconds: UInt64
    /// Items that can be opened, of each class that has items of its own.
    public var items: [ItemClass: UInt64]
    /// Items that were set aside since they cannot be opened.
    public var unreadable: UInt64
    public var sizes: [FileSize]
    /// Those that are open, in the order of their paths.
    public var keychainFiles: [KeychainFile]
    public var queues: [Queue]
    public var caches: [Cache]
    /// The kinds of which there were any.
    public var requests: [Requests]
    /// What was answered in place of success, the latest first.
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

    /// How much room files of one kind take.
    public struct FileSize: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            case database = 1
            /// Changes that are not in the database file yet.
            case writeAheadLog = 2
            /// The file that is written and the older ones.
            case auditLog = 3
            case snapshots = 4
        }

        public var kind: Kind
        /// How many such files there are.
        public var files: UInt32
        public var bytes: UInt64

        public init(_ kind: Kind, files: UInt32, bytes: UInt64) {
            (self.kind, self.files, self.bytes) = (kind, files, bytes)
        }
    }

    /// A keychain that is a file, and open.
    public struct KeychainFile: Hashable, Sendable {
        public var path: String
        public var bytes: UInt64
        /// Of the changes that are not in the file yet.
        public var logBytes: UInt64
        /// Its database was found damaged since it was opened. False until somebody looked.
        public var isDamaged: Bool

        public init(path: String, bytes: UInt64, logBytes: UInt64, isDamaged: Bool = false) {
            (self.path, self.bytes, self.logBytes, self.isDamaged) = (path, bytes, logBytes, isDamaged)
        }
    }

    /// Something of which there may be many at once, up to a bound (ARCHITECTURE.md, "What waits, and how much of it").
    public struct Queue: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// Connections of the keychain's user.
            case connections = 1
            /// Changes of items that wait for their turn.
            case changes = 2
            /// Questions to the person, with the one that is shown.
            case questions = 3
            /// Connections that are told of what happens.
            case watchers = 4
            /// Open keychain files.
            case keychainFiles = 5
        }

        public var kind: Kind
        public var now: UInt64
        /// The most at once since the keychain was opened; nil where that is not counted.
        public var most: UInt64?
        public var bound: UInt64

        public init(_ kind: Kind, now: UInt64, most: UInt64? = nil, bound: UInt64) {
            (self.kind, self.now, self.most, self.bound) = (kind, now, most, bound)
        }
    }

    /// Something that is kept since it may be needed again.
    public struct Cache: Hashable, Sendable {
        /// The raw value is the number on the wire.
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            /// Prepared searches of the connection for lookups.
            case searches = 1
            /// Hashes and signatures of programs. In the service of the system they are of all users, and not told.
            case programs = 2
            /// Pages of the database, of the connection for lookups.
            case lookupPages = 3
            /// Pages, of the connection that writes.
            case writerPages = 4
            /// Pages, of the connection for what looks at many items.
            case listPages = 5

            /// Whether ``Cache/size`` and ``Cache/bound`` are bytes; else entries.
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
        /// How much is kept: bytes or entries.
        public var size: UInt64
        public var bound: UInt64

        public init(_ kind: Kind, hits: UInt64, misses: UInt64, size: UInt64, bound: UInt64) {
            (self.kind, self.hits, self.misses, self.size, self.bound) = (kind, hits, misses, size, bound)
        }
    }
}

extension ServiceFigures {
    /// How requests of one kind went.
    ///
    /// Their time is that from the moment when a request is there whole to the moment when its answer is written, in nanoseconds;
    /// without that in which a person was asked.
    public struct Requests: Hashable, Sendable {
        public var kind: RequestKind
        public var served: UInt64
        /// `errSecItemNotFound`: nothing went wrong.
        public var notFound: UInt64
        public var refused: UInt64
        /// Its client was gone before the answer was.
        public var abandoned: UInt64
        /// The time of all of them.
        public var nanoseconds: UInt64
        public var slowestNanoseconds: UInt64
        /// How many took no longer than each of ``bounds``, and longer than the one before; the last: longer than all.
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

        /// All of them, however they went.
        public var count: UInt64 { served &+ notFound &+ refused &+ abandoned }
    }

    /// How often one thing was answered in place of success.
    public struct Refused: Hashable, Sendable {
        public var refusal: Refusal
        public var count: UInt64
        public var last: Timestamp

        public init(_ refusal: Refusal, count: UInt64, last: Timestamp) {
            (self.refusal, self.count, self.last) = (refusal, count, last)
        }
    }
}

/// What a request is counted as. Requests for items of a keychain file are counted as what they are.
///
/// The raw value is the number on the wire.
public enum RequestKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A search for one item.
    case lookup = 1
    /// A search for several.
    case list = 2
    case add = 3
    case update = 4
    case delete = 5
    /// A signature, decryption or agreement with a key that stays in the service.
    case useKey = 6
    case generateKey = 7
    /// Also looking whether a passcode is right, and the PIN of the device key.
    case unlock = 8
    case lock = 9
    /// What else is asked of the keychain as a whole.
    case administer = 10
    /// What `LAContext` asks.
    case authenticate = 11
    case backup = 12
    case restore = 13
    case explain = 14
    /// How the service sees a program, and that a program wants nothing without entitlements.
    case identify = 15
    case grants = 16
    case log = 17
    /// Something of a keychain that is a file: make, unlock, lock, delete, put into the search list.
    case keychainFile = 18
    /// A connection that wants to be told of what happens.
    case watch = 19
    /// The state of the service, and these figures.
    case status = 20
    /// Bytes that are no request.
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
