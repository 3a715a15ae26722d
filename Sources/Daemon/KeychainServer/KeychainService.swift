// SPDX-License-Identifier: Apache-2.0

public import KeychainEndpoint
internal import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
internal import KeychainWire
internal import Synchronization

/// Accepts connections and gives each a thread, within limits, until it is told to stop.
public final class KeychainService: Sendable {
    public struct Limits: Sendable {
        /// The maximum number of connections. At the limit, a new connection ends the connection that has been idle
        /// longest (its client reconnects when needed). If none is idle, a watching connection gives way to a user with
        /// fewer connections; otherwise the new connection is refused.
        public var connections = 256
        /// The maximum number of connections of one user; nil: only the total limit applies. At the limit, a new
        /// connection ends the user's own longest idle one.
        public var connectionsPerUser: Int?
        /// The maximum number of connections of one program of a user; nil: half of the user's limit. At the limit, a
        /// new connection ends the program's own longest idle one.
        public var connectionsPerProgram: Int?
        /// The memory limits of all requests together.
        var memory = RequestMemory.Limits(physicalMemory: ProgramMemory.physicalByteCount, isOfUsers: false)
        /// A frame that has begun must be complete within this time, or the connection ends.
        public var frameTimeout: Duration = .seconds(10)
        /// The time that an answer waits for a client that does not read, before the connection ends.
        public var sendTimeout: Duration = .seconds(30)
        /// The time that stopping waits for requests that are being answered.
        public var stopTimeout: Duration = .seconds(5)

        public init() {}

        /// Limits connections to the available descriptors. Without free descriptors, no caller could be identified and
        /// no file be opened.
        public mutating func fit(descriptors: Int) {
            // The service's own descriptors, and those that it opens temporarily.
            let reserved = 64
            // The socket, a handle on the process, and a file of it that is inspected.
            let perConnection = 3
            connections = min(connections, max(1, (descriptors - reserved) / perConnection))
        }

        /// Divides the limits among users.
        mutating func shareAmongUsers() {
            connectionsPerUser = connections
            memory = RequestMemory.Limits(physicalMemory: ProgramMemory.physicalByteCount, isOfUsers: true)
        }

        /// The maximum number of ended sessions of one user whose thread still runs. A thread usually ends in a moment,
        /// but a thread that waits for a user's own file system can take as long as the user likes. At least 16,
        /// because with few connections, clients that replace each other quickly must still find a place.
        fileprivate var leavingLimit: Int { max(16, min(connections, connectionsPerUser ?? connections) / 4) }

        fileprivate var programLimit: Int {
            connectionsPerProgram ?? max(1, min(connections, connectionsPerUser ?? connections) / 2)
        }
    }

    public enum StopReason: Hashable, Sendable {
        /// One of the stop descriptors became readable.
        case told
        /// No client was connected for the permitted time.
        case idle
    }

    private struct Entry {
        let connection: ServerConnection
        let activity: SessionActivity
        let user: UInt32
        /// The program; nil until it is identified.
        var program: UserProgram?
    }

    private struct Sessions {
        private(set) var entries: [UInt64: Entry] = [:]
        private(set) var counts: [UInt32: Int] = [:]
        private(set) var programs: [UserProgram: Int] = [:]
        /// The users of the ended sessions whose thread still runs, and the number of them for each user.
        private var leaving: [UInt64: UInt32] = [:]
        private var leavingCounts: [UInt32: Int] = [:]
        private let leavingLimit: Int
        private var next: UInt64 = 0

        init(leavingLimit: Int) { self.leavingLimit = leavingLimit }

        /// Whether no thread of a session is running.
        var isEmpty: Bool { entries.isEmpty && leaving.isEmpty }

        /// Returns whether one more session of this user may be ended.
        private func mayGiveWay(_ user: UInt32) -> Bool { leavingCounts[user] ?? 0 < leavingLimit }

        mutating func giveWay(_ number: UInt64) {
            guard let entry = entries[number] else { return }
            // The client may be sending a request at this moment. That request is still answered, because a client
            // whose request was carried out must not be told that the service is unavailable.
            entry.connection.stopReceiving()
            remove(number)
            leaving[number] = entry.user
            leavingCounts[entry.user, default: 0] += 1
        }

        /// Records that the thread of a session has ended.
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

        /// Records the program of a session; does nothing for a session that was ended meanwhile.
        mutating func identify(_ number: UInt64, as program: UserProgram) {
            guard entries[number] != nil else { return }
            entries[number]?.program = program
            programs[program, default: 0] += 1
        }

        func longestIdle(of program: UserProgram) -> UInt64? { longest(\.idleSince) { $0.program == program } }

        /// Returns one user's session that has waited longest for a request.
        func longestIdle(of user: UInt32) -> UInt64? { longest(\.idleSince) { $0.user == user } }

        /// The session to end if no place is free: of the user with the most sessions, among users with an idle
        /// session.
        var longestIdleOfLargest: UInt64? { longestOfLargest(\.idleSince) { _ in true } }

        /// Returns the same among watching sessions, of a user who has more sessions than `user` will have with one
        /// more: otherwise users could take places from each other without end.
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

        /// Returns all sessions of the user whose last request is the longest ago, among users without a running
        /// request; none if each user has one.
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
    /// Signalled when a session ends, so that the loop detects the end of the last one.
    private let wakeUp: WakeUp

    public init(
        _ keychains: KeychainSource, identifier: CallerIdentifier, random: RandomSource = .live,
        clock: MonotonicClock = .live, limits: Limits = Limits()
    ) throws(SystemCallError) {
        self.keychains = keychains
        self.identifier = identifier
        self.random = random
        self.clock = clock
        self.limits = limits
        sessions = Mutex(Sessions(leavingLimit: limits.leavingLimit))
        memory = RequestMemory(limits.memory)
        wakeUp = try WakeUp()
    }

    /// Serves until told to stop, or idle. All sessions have ended when it returns.
    ///
    /// - Parameters:
    ///   - stop: descriptors that mean "stop" when they become readable.
    ///   - idleExit: stop when no client has been connected for this long. Only for a listener that the service manager
    ///     keeps open: a client that connects at that moment must not be lost.
    ///   - mayEnd: whether ending when idle loses nothing.
    ///   - housekeeping: does due work, and returns the time until it has to be called again; nil if nothing is
    ///     planned. Called before each wait, and after ``wake()``.
    public func run(
        on listener: ListeningSocket, until stop: [Int32], idleExit: Duration? = nil, mayEnd: () -> Bool = { true },
        housekeeping: () -> Duration? = { nil }, log: (String) -> Void = { _ in }
    ) throws(SystemCallError) -> StopReason {
        let descriptors = [listener.descriptor, wakeUp.descriptor] + stop
        while true {
            let duty = housekeeping()
            // Only if the result matters, because it may have to read files.
            let end = idleExit != nil && isEmpty && mayEnd() ? idleExit : nil
            let timeout = [duty, end].compactMap { $0 }.min()
            ProgramMemory.wipeStackAndRegisters()
            let ready = try Readiness.wait(for: descriptors, timeout: timeout)
            if ready.contains(where: { $0 >= 2 }) {
                endSessions()
                return .told
            }
            if ready.contains(1) { wakeUp.drain() }
            if ready.contains(0) { accept(listener, log: log) }
            if ready.isEmpty, let end, timeout == end, isEmpty { return .idle }
        }
    }

    /// Makes the loop call housekeeping again. From any thread.
    public func wake() { wakeUp.signal() }

    /// Serves one existing connection, on a thread of its own. For tests over a socket pair.
    public func serve(_ connection: ServerConnection) {
        let activity = SessionActivity(clock: clock)
        // Connections without a user from the kernel share one user entry.
        let entry = Entry(connection: connection, activity: activity, user: connection.peerUser ?? .max)
        guard keychains.serves(entry.user) else {
            return refuse(connection, Refusal(.missingEntitlement, .unidentifiedCaller))
        }
        let number: UInt64
        switch admit(entry) {
        case .admitted(let given): number = given
        case .refused(let reason): return refuse(connection, Refusal(.notAvailable, reason))
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
            refuse(connection, Refusal(.notAvailable, .tooManyConnections))
        }
    }

    private var isEmpty: Bool { sessions.withLock(\.isEmpty) }

    private func accept(_ listener: ListeningSocket, log: (String) -> Void) {
        do throws(ListeningSocket.Error) {
            serve(try listener.accept())
        } catch {
            // An error of one client, or a temporary lack of descriptors or memory: other connections continue.
            log("cannot accept a connection: \(error)")
            // The waiting connection stays readable, so without a pause this loop would spin.
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

    /// Counts a session for its program, which is known only now.
    ///
    /// - Throws: if the program has reached its limit, and all its sessions are busy.
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

    /// The time that a caller waits for idle sessions of other users to end. It checks again after each pause, and ends
    /// the sessions of the next user if another caller has taken the place.
    private static let (patience, pause, turn): (Duration, Duration, Duration) = (
        .seconds(10), .milliseconds(5), .milliseconds(250)
    )

    /// Returns the keychain of a caller. If the limit of open keychains is reached, and all are in use, the user whose
    /// last request is the longest ago gives way: a program that only keeps its connection reconnects when needed.
    ///
    /// - Throws: `errSecNotAvailable` if each user has a running request or watches; the errors of opening the
    ///   keychain.
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

    /// Sends the refusal instead of a hello, and closes the connection. Does not wait for a client that does not read.
    private func refuse(_ connection: ServerConnection, _ refusal: Refusal) {
        let frame = ReplyWriter.refusal(refusal)
        _ = connection.sendWithoutWaiting(frame.span)
        connection.shutDown()
    }

    /// Lets requests that are being answered finish, and ends all other sessions.
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
    /// The whole nanoseconds of a duration that is not negative and shorter than centuries.
    var nanoseconds: UInt64 {
        UInt64(components.seconds) * 1_000_000_000 + UInt64(components.attoseconds / 1_000_000_000)
    }
}
