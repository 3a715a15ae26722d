// SPDX-License-Identifier: Apache-2.0

public import DBusMessages
public import Logging

/// A session of the user, as logind reports it.
public struct Session: Hashable, Sendable {
    public let path: ObjectPath
    /// False for a session that runs for the user without the user's presence: jobs of cron, systemd's user manager.
    public let hasPerson: Bool
    /// Whether the desktop reports a locked screen.
    public let isLocked: Bool

    public init(path: ObjectPath, hasPerson: Bool, isLocked: Bool) {
        self.path = path
        self.hasPerson = hasPerson
        self.isLocked = isLocked
    }
}

/// The reason for a lock of the keychain.
public enum LockReason: Hashable, Sendable {
    /// A session was locked.
    case session
    /// The machine is about to sleep; a reason only if the keychain's setting requires it.
    case sleep
    /// The user's last session has ended.
    case logout
}

/// The result of an attempt to lock.
public enum LockResult: Hashable, Sendable {
    /// The service reported that it has erased the keys.
    case locked
    /// The keychain has no passcode, so it cannot be locked.
    case noPasscode
    /// No service runs, so no process holds keys.
    case notRunning
    /// The machine is about to sleep, and the setting keeps the keychain unlocked then.
    case notWanted
    /// The service reported another result, or could not be reached.
    case failed(String)
}

/// The reaction to events of logind, without input, output or a clock: it maps events to actions.
public struct LockDirector {
    public enum Event: Hashable, Sendable {
        /// logind appeared on the bus, for the first time or again.
        case logindAppeared([Session], isPreparingForSleep: Bool)
        /// logind or the bus has disappeared.
        case logindGone
        /// The current sessions.
        case sessions([Session])
        case sessionLocked(ObjectPath)
        case sessionUnlocked(ObjectPath)
        /// A session started or ended.
        case sessionsChanged
        /// The user has no sessions any more.
        case userRemoved
        case preparingForSleep(Bool)
        case lockFinished(LockResult)
        /// The time that ``Action/retry(after:)`` named has passed.
        case retryDue
        /// logind did not grant an inhibitor; the text is the reason.
        case inhibitorRefused(String)
        /// The time that ``Action/retryInhibitor(after:)`` named has passed.
        case inhibitorDue
    }

    public enum Action: Hashable, Sendable {
        /// Answered by ``Event/lockFinished(_:)``; the next lock follows only after that.
        case lock([LockReason])
        /// Answered by ``Event/retryDue``, unless another ``lock(_:)`` comes first.
        case retry(after: Duration)
        /// Take an inhibitor, then close the current one, if any. A failure is answered by
        /// ``Event/inhibitorRefused(_:)``.
        case takeInhibitor
        /// Answered by ``Event/inhibitorDue``, unless another ``takeInhibitor`` comes first.
        case retryInhibitor(after: Duration)
        /// Let the machine sleep.
        case releaseInhibitor
        /// Answered by ``Event/sessions(_:)``.
        case readSessions
        case log(Logger.Level, String)
    }

    private enum Progress {
        case idle
        /// A lock is under way; `next` has the reasons that have arrived meanwhile. The keychain may have been unlocked
        /// after the current lock, so the current lock does not satisfy them.
        case underWay([LockReason], next: [LockReason])
        /// The pause after a failure, until the next attempt.
        case waiting([LockReason])
    }

    private var sessions: [ObjectPath: Session] = [:]
    private var hasSeenLogind = false
    private var seesLogind = false
    private var isPreparingForSleep = false
    private var progress = Progress.idle
    private var failures = 0
    private var inhibitorRefusals = 0

    /// The number of attempts. The pauses after failures grow from a tenth of a second to ten seconds, about half a
    /// minute in total.
    private static let attempts = 10

    public init() {}

    /// Whether a lock is under way.
    public var isLocking: Bool { if case .underWay = progress { true } else { false } }

    public mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .logindAppeared(let list, let isPreparing): appeared(list, isPreparing)
        case .logindGone: gone()
        case .sessions(let list): replace(list)
        case .sessionLocked(let path): sessions[path] == nil ? [] : want(.session)
        case .sessionUnlocked(let path):
            sessions[path] == nil
                ? [] : [.log(.debug, "a session was unlocked; the keychain still requires its passcode")]
        case .sessionsChanged: [.readSessions]
        case .userRemoved: want(.logout)
        case .preparingForSleep(true): sleep()
        case .preparingForSleep(false): wakeUp()
        case .lockFinished(let outcome): finished(outcome)
        case .retryDue: retry()
        case .inhibitorRefused(let reason): inhibitorRefused(reason)
        case .inhibitorDue: isPreparingForSleep ? [] : [.takeInhibitor]
        }
    }

    // MARK: Sessions

    private mutating func appeared(_ list: [Session], _ isPreparing: Bool) -> [Action] {
        var actions = replace(list)
        // A signal may have been missed. The state of the desktop's screen shows it.
        if hasSeenLogind, list.contains(where: \.isLocked) { actions += want(.session) }
        hasSeenLogind = true
        seesLogind = true
        // While the machine is going to sleep, logind grants no inhibitor that would delay it.
        actions += isPreparing ? sleep() : wakeUp()
        return actions
    }

    private mutating func gone() -> [Action] {
        defer { seesLogind = false }
        return seesLogind ? [.log(.debug, "logind is no longer on the bus")] : []
    }

    private mutating func replace(_ list: [Session]) -> [Action] {
        let hadPerson = sessions.values.contains(where: \.hasPerson)
        sessions = Dictionary(list.map { ($0.path, $0) }) { $1 }
        return hadPerson && !list.contains(where: \.hasPerson) ? want(.logout) : []
    }

    // MARK: Sleep

    private mutating func sleep() -> [Action] {
        isPreparingForSleep = true
        return want(.sleep)
    }

    private mutating func wakeUp() -> [Action] {
        isPreparingForSleep = false
        inhibitorRefusals = 0
        return [.takeInhibitor]
    }

    /// The service that logind asks for permission may not have started yet, so the request is repeated with growing
    /// pauses.
    private mutating func inhibitorRefused(_ reason: String) -> [Action] {
        if isPreparingForSleep { return [] }
        let level: Logger.Level = inhibitorRefusals == 0 ? .warning : .debug
        let pause = Duration.seconds(min(1 << inhibitorRefusals, 60))
        inhibitorRefusals = min(inhibitorRefusals + 1, 6)
        return [
            .log(level, "the machine may sleep before the keychain is locked: \(reason)"),
            .retryInhibitor(after: pause),
        ]
    }

    // MARK: Locking

    private mutating func want(_ reason: LockReason) -> [Action] {
        switch progress {
        case .idle:
            failures = 0
            return start([reason])
        case .waiting(let reasons):
            return start(reasons + [reason])
        case .underWay(let reasons, let next):
            progress = .underWay(reasons, next: next + [reason])
            return []
        }
    }

    private mutating func start(_ reasons: [LockReason]) -> [Action] {
        progress = .underWay(reasons, next: [])
        return [.lock(reasons)]
    }

    private mutating func retry() -> [Action] {
        guard case .waiting(let reasons) = progress else { return [] }
        return start(reasons)
    }

    private mutating func finished(_ outcome: LockResult) -> [Action] {
        guard case .underWay(let reasons, let next) = progress else { return [] }
        progress = .idle
        let log: Action
        switch outcome {
        case .failed(let reason): return failed(reason, reasons + next)
        case .locked: log = .log(.info, "the keychain is locked (\(Self.text(reasons)))")
        case .noPasscode: log = .log(.debug, "the keychain has no passcode, so it cannot be locked")
        case .notRunning: log = .log(.debug, "no keychain service is running, so no keychain is unlocked")
        case .notWanted:
            log = .log(.debug, "the keychain is not locked, because its settings do not lock it on sleep")
        }
        failures = 0
        return [log] + (next.isEmpty ? letSleep() : start(next))
    }

    private mutating func failed(_ reason: String, _ reasons: [LockReason]) -> [Action] {
        failures += 1
        guard failures < Self.attempts else {
            return [.log(.error, "cannot lock the keychain; no further attempt is made: \(reason)")] + letSleep()
        }
        progress = .waiting(reasons)
        let pause = min(Duration.milliseconds(100 << (failures - 1)), .seconds(10))
        return [.log(.warning, "cannot lock the keychain; trying again: \(reason)"), .retry(after: pause)]
    }

    private func letSleep() -> [Action] { isPreparingForSleep ? [.releaseInhibitor] : [] }

    private static func text(_ reasons: [LockReason]) -> String {
        var words: [String] = []
        for reason in reasons {
            let word =
                switch reason {
                case .session: "a session was locked"
                case .sleep: "the machine is about to sleep"
                case .logout: "the last session has ended"
                }
            if !words.contains(word) { words.append(word) }
        }
        return words.joined(separator: ", ")
    }
}
