// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
internal import KeychainWire
internal import Synchronization

/// Accepts connections and gives each a thread, within bounds, until it is told to stop.
public final class KeychainService: Sendable {
    public struct Limits: Sendable {
        /// Connections at once. When one more comes, the one that has been idle longest gives way (its client connects
        /// again when it needs to). When none is idle, one that watches gives way to a user who has fewer; else the new one is refused.
        public var connections = 256
        /// Connections of one user at once; nil: no fewer than all. When one more comes, it is the user's own longest idle
        /// one that gives way.
        public var connectionsPerUser: Int?
        /// Connections of one program of a user at once; nil: half of what the user may have. When one more comes, it is the program's
        /// own longest idle one that gives way.
        public var connectionsPerProgram: Int?
        /// What requests may hold at once.
        var memory = RequestMemory.Limits(physicalMemory: ProgramMemory.physicalByteCount, isOfUsers: false)
        /// A frame that has begun must be complete within this time, or the connection ends.
        public var frameTimeout: Duration = .seconds(10)
        /// How long an answer waits for a client that does not read, before the connection ends.
        public var sendTimeout: Duration = .seconds(30)
        /// How long stopping waits for requests that are being answered.
        public var stopTimeout: Duration = .seconds(5)

        public init() {}

        /// Takes no more connections than there are descriptors for. Without any nobody could be identified, and no file be opened.
        public mutating func fit(descriptors: Int) {
            // The service's own, and what it opens for a while.
            let reserved = 64
            // The socket, a handle on the process, and a file of it that is looked at.
            let perConnection = 3
            connections = min(connections, max(1, (descriptors - reserved) / perConnection))
        }

        /// Shares what there is among users.
        mutating func shareAmongUsers() {
            connectionsPerUser = connections
            memory = RequestMemory.Limits(physicalMemory: ProgramMemory.physicalByteCount, isOfUsers: true)
        }

        /// Sessions of one user that have given way and whose thread has not ended yet. Usually that takes a moment; a thread that waits
        /// for a file system of the user's own can take as long as the user likes. Where there are few connections, clients that take
        /// each other's places in a moment must still find room.
        fileprivate var leavingLimit: Int { max(16, min(connections, connectionsPerUser ?? connections) / 4) }

        fileprivate var programLimit: Int {
            connectionsPerProgram ?? max(1, min(connections, connectionsPerUser ?? connections) / 2)
        }
    }

    public enum StopReason: Hashable, Sendable {
        /// One of the stop descriptors became readable.
        case told
        /// Nobody was connected for as long as was allowed.
        case idle
    }

    private struct Entry {
        let connection: ServerConnection
        let activity: SessionActivity
        let user: UInt32
        /// Nil until it has been found out.
        var program: UserProgram?
    }

    private struct Sessions {
        private(set) var entries: [UInt64: Entry] = [:]
        private(set) var counts: [UInt32: Int] = [:]
        private(set) var programs: [UserProgram: Int] = [:]
        /// The users of the sessions that have given way and whose thread has not ended yet, and how many each user has.
        private var leaving: [UInt64: UInt32] = [:]
        private var leavingCounts: [UInt32: Int] = [:]
        private let leavingLimit: Int
        private var next: UInt64 = 0

        init(leavingLimit: Int) { self.leavingLimit = leavingLimit }

        /// Whether no thread of a session is left.
        var isEmpty: Bool { entries.isEmpty && leaving.isEmpty }

        /// Whether one more session of this user may give way.
        private func mayGiveWay(_ user: UInt32) -> Bool { leavingCounts[user] ?? 0 < leavingLimit }

        mutating func giveWay(_ number: UInt64) {
            guard let entry = entries[number] else { return }
            // It may have sent a request this very moment. That one is still answered: a client whose request was carried out
            // must not be told that the service is gone.
            entry.connection.stopReceiving()
            remove(number)
            leaving[number] = entry.user
            leavingCounts[entry.user, default: 0] += 1
        }

        /// The thread of a session has ended.
        mutating func end(_ number: UInt64) {
            remove(number)
            guard let user = leaving.removeValue(forKey: number), let count = leavingCounts[user] else { return }
            leavingCounts[user] = count > 1 ? count - 1 : nil
        }

        mutating func add(_ entry: Entry) -> UInt64 {
            next += 1
            entries[next] = entry
            counts[entry.user, default: 0] += 1
            return next
        }

        private mutating func remove(_ number: UInt64) {
            guard let entry = entries.removeValue(forKey: number), let count = counts[entry.user] else { return }
            counts[entry.user] = count > 1 ? count - 1 : nil
            guard let program = entry.program, let count = programs[program] else { return }
            programs[program] = count > 1 ? count - 1 : nil
        }

        /// Nothing for a session that has given way meanwhile.
        mutating func identify(_ number: UInt64, as program: UserProgram) {
            guard entries[number] != nil else { return }
            entries[number]?.program = program
            programs[program, default: 0] += 1
        }

        func longestIdle(of program: UserProgram) -> UInt64? { longest(\.idleSince) { $0.program == program } }

        /// The session that has waited longest for a request, of one user.
        func longestIdle(of user: UInt32) -> UInt64? { longest(\.idleSince) { $0.user == user } }

        /// The one that gives way when there is no room: of the user who has most, among those who have any idle one.
        var longestIdleOfLargest: UInt64? { longestOfLargest(\.idleSince) { _ in true } }

        /// The same among those that watch, of a user who has more than another one will have with one more: otherwise users could take
        /// places from each other without end.
        func longestWatchingOfLargest(for user: UInt32) -> UInt64? {
            let own = counts[user] ?? 0
            return longestOfLargest(\.watchingSince) { counts[$0] ?? 0 > own + 1 }
        }

        private func longestOfLargest(
            _ since: KeyPath<SessionActivity, UInt64?>, _ isCandidate: (UInt32) -> Bool
        ) -> UInt64? {
            let users = Set(entries.values.lazy.filter { $0.activity[keyPath: since] != nil }.map(\.user))
            let candidates = users.filter { mayGiveWay($0) && isCandidate($0) }
            guard let most = candidates.map({ counts[$0] ?? 0 }).max() else { return nil }
            return longest(since) { counts[$0.user] == most && candidates.contains($0.user) }
        }

        /// All sessions of the user whose last request is the longest ago, of those users who have none under way; none where each has.
        func ofLongestIdleUser(but user: UInt32) -> [UInt64] {
            let others = entries.filter { $0.value.user != user && mayGiveWay($0.value.user) }
            let users = Dictionary(grouping: others, by: \.value.user)
            let idle = users.values.compactMap { sessions -> (sessions: [UInt64], since: UInt64)? in
                let times = sessions.compactMap(\.value.activity.idleSince)
                guard times.count == sessions.count, let last = times.max() else { return nil }
                return (sessions.map(\.key), last)
            }
            return idle.min { $0.since < $1.since }?.sessions ?? []
        }

        private func longest(
            _ since: KeyPath<SessionActivity, UInt64?>, _ isCandidate: (Entry) -> Bool
        ) -> UInt64? {
            let found = entries.compactMap { number, entry in
                mayGiveWay(entry.user) && isCandidate(entry)
                    ? entry.activity[keyPath: since].map { (number: number, since: $0) } : nil
            }
            return found.min { $0.since < $1.since }?.number
        }
    }

    private let keychains: KeychainSource
    private let identifier: CallerIdentifier
    private let random: RandomSource
    private let clock: MonotonicClock
    private let limits: Limits
    private let sessions: Mutex<Sessions>
    private let memory: RequestMemory
    /// Signalled whenever a session ends, so that the loop sees when nobody is left.
    private let wakeUp: WakeUp

    public init(
        _ keychains: KeychainSource, identifier: CallerIdentifier, random: RandomSource = .live,
        clock: MonotonicClock = .live, limits: Limits = Limits()
    ) throws(SystemCallFailure) {
        self.keychains = keychains
        self.identifier = identifier
        self.random = random
        self.clock = clock
        self.limits = limits
        sessions = Mutex(Sessions(leavingLimit: limits.leavingLimit))
        memory = RequestMemory(limits.memory)
        do throws(SystemCallError) {
            wakeUp = try WakeUp()
        } catch {
            throw SystemCallFailure("\(error)")
        }
    }

    /// Serves until told to stop, or idle. All sessions have ended when it returns.
    ///
    /// - Parameters:
    ///   - stop: descriptors that mean "stop" when they become readable.
    ///   - idleExit: stop when nobody has been connected for this long. Only for a listener that the service manager
    ///     keeps open: a client that comes at that very moment must not be lost.
    ///   - mayEnd: whether ending when idle loses nothing.
    ///   - housekeeping: does what is due, and says how long until it has to be called again; nil if nothing is planned.
    ///     Called before each wait, and after ``wake()``.
    public func run(
        on listener: ListeningSocket, until stop: [Int32], idleExit: Duration? = nil, mayEnd: () -> Bool = { true },
        housekeeping: () -> Duration? = { nil }, log: (String) -> Void = { _ in }
    ) throws(SystemCallFailure) -> StopReason {
        let descriptors = [listener.descriptor, wakeUp.descriptor] + stop
        while true {
            let ready: [Int]
            let duty = housekeeping()
            // Only where it matters: it may have to look at files.
            let end = idleExit != nil && isEmpty && mayEnd() ? idleExit : nil
            let timeout = [duty, end].compactMap { $0 }.min()
            ProgramMemory.wipeStackAndRegisters()
            do throws(SystemCallError) {
                ready = try Readiness.wait(for: descriptors, timeout: timeout)
            } catch {
                throw SystemCallFailure("\(error)")
            }
            if ready.contains(where: { $0 >= 2 }) {
                endSessions()
                return .told
            }
            if ready.contains(1) { wakeUp.drain() }
            if ready.contains(0) { accept(listener, log: log) }
            if ready.isEmpty, let end, timeout == end, isEmpty { return .idle }
        }
    }

    /// Makes the loop ask again what is due. From any thread.
    public func wake() { wakeUp.signal() }

    /// Serves one connection that is there already, on a thread of its own. For tests over a socket pair.
    public func serve(_ connection: ServerConnection) {
        let activity = SessionActivity(clock: clock)
        // Whoever the kernel does not name shares a place with others of that kind.
        let entry = Entry(connection: connection, activity: activity, user: connection.peerUser ?? .max)
        let number: UInt64
        switch admit(entry) {
        case .admitted(let given): number = given
        case .refused(let reason): return refuse(connection, reason)
        }
        let session = Session(
            connection: connection, keychains: keychains, identifier: identifier, activity: activity,
            nonce: random.bytes(WireLimits.nonceBytes), clock: clock, limits: limits, memory: memory,
            enter: { [self] caller throws(Refusal) in
                try claim(number, for: caller)
                return try keychain(of: caller)
            })
        let started = SystemThread.start { [self] in
            session.run()
            end(number)
        }
        if !started {
            end(number)
            refuse(connection, .tooManyConnections)
        }
    }

    private var isEmpty: Bool { sessions.withLock(\.isEmpty) }

    private func accept(_ listener: ListeningSocket, log: (String) -> Void) {
        do throws(ListeningSocket.Failure) {
            serve(try listener.accept())
        } catch {
            // One client's trouble, or no descriptors or memory for the moment: the others go on.
            log("cannot accept a connection: \(error)")
            // The one who waits stays readable, so without a pause this would be tried without end.
            endLongestIdle()
            _ = try? Readiness.wait(for: [wakeUp.descriptor], timeout: .milliseconds(100))
        }
    }

    private func endLongestIdle() {
        sessions.withLock { sessions in
            // As in admit(_:).
            guard let number = sessions.longestIdleOfLargest else { return }
            sessions.entries[number]?.connection.stopReceiving()
        }
    }

    private enum Admission {
        case admitted(UInt64)
        case refused(Refusal.Reason)
    }

    private func admit(_ entry: Entry) -> Admission {
        sessions.withLock { sessions in
            if let limit = limits.connectionsPerUser, sessions.counts[entry.user] ?? 0 >= limit {
                guard let longest = sessions.longestIdle(of: entry.user) else {
                    return .refused(.tooManyConnectionsOfUser)
                }
                sessions.giveWay(longest)
            } else if sessions.entries.count >= limits.connections {
                guard let longest = sessions.longestIdleOfLargest ?? sessions.longestWatchingOfLargest(for: entry.user)
                else { return .refused(.tooManyConnections) }
                sessions.giveWay(longest)
            }
            return .admitted(sessions.add(entry))
        }
    }

    /// Counts a session for the program whose it is, which is known only now.
    ///
    /// - Throws: where the program has as many as it may, and all of them are busy.
    private func claim(_ number: UInt64, for caller: Caller) throws(Refusal) {
        let program = UserProgram(of: caller)
        let hasRoom = sessions.withLock { sessions in
            if sessions.programs[program] ?? 0 >= limits.programLimit {
                guard let longest = sessions.longestIdle(of: program) else { return false }
                sessions.giveWay(longest)
            }
            sessions.identify(number, as: program)
            return true
        }
        guard hasRoom else { throw Refusal(.notAvailable, .tooManyConnectionsOfProgram) }
    }

    /// So long a caller waits for others' idle sessions to end. It looks again after each pause, and has the next user give way where
    /// another caller has taken the place.
    private static let (patience, pause, turn): (Duration, Duration, Duration) = (
        .seconds(10), .milliseconds(5), .milliseconds(250)
    )

    /// The keychain of a caller. Where as many are open as may be, and all are in use, the user whose last request is the longest ago gives
    /// way: a program that only keeps its connection connects again when it needs to.
    ///
    /// - Throws: `errSecNotAvailable` where each user has a request under way or watches; what opening the keychain throws.
    private func keychain(of caller: Caller) throws(Refusal) -> KeychainEntrance {
        let end = clock.nanoseconds() + Self.patience.nanoseconds
        var next: UInt64 = 0
        while true {
            do throws(Refusal) {
                return try keychains.begin(caller)
            } catch {
                let now = clock.nanoseconds()
                guard error.reason == .tooManyConnections, now < end else { throw error }
                if now >= next {
                    guard endSessionsOfLongestIdleUser(but: caller.userID) else { throw error }
                    next = now + Self.turn.nanoseconds
                }
                _ = try? Readiness.wait(for: [], timeout: Self.pause)
            }
        }
    }

    private func endSessionsOfLongestIdleUser(but user: UInt32) -> Bool {
        sessions.withLock { sessions in
            let numbers = sessions.ofLongestIdleUser(but: user)
            for number in numbers { sessions.giveWay(number) }
            return !numbers.isEmpty
        }
    }

    private func end(_ number: UInt64) {
        sessions.withLock { $0.end(number) }
        wakeUp.signal()
    }

    /// Says so instead of a hello, and hangs up. Does not wait for a client that does not read.
    private func refuse(_ connection: ServerConnection, _ reason: Refusal.Reason) {
        let frame = ReplyWriter.refusal(Refusal(.notAvailable, reason))
        _ = connection.sendWithoutWaiting(frame.span)
        connection.shutDown()
    }

    /// Lets requests that are being answered finish, and ends all else.
    private func endSessions() {
        sessions.withLock { sessions in
            for entry in sessions.entries.values { entry.connection.stopReceiving() }
        }
        let deadline = clock.nanoseconds() + limits.stopTimeout.nanoseconds
        while !isEmpty {
            let now = clock.nanoseconds()
            guard now < deadline else { break }
            _ = try? Readiness.wait(for: [wakeUp.descriptor], timeout: .nanoseconds(deadline - now))
            wakeUp.drain()
        }
        sessions.withLock { sessions in
            for entry in sessions.entries.values { entry.connection.shutDown() }
        }
    }
}

extension Duration {
    /// Whole nanoseconds of a duration that is not negative and shorter than centuries.
    var nanoseconds: UInt64 {
        UInt64(components.seconds) * 1_000_000_000 + UInt64(components.attoseconds / 1_000_000_000)
    }
}

/// The system refused something that the service cannot do without; the text names it.
public struct SystemCallFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
