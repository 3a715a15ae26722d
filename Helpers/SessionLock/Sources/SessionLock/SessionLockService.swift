// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
internal import KeychainPlatform
public import Logging

/// A service that locks the keychain on events of logind, until it is ended.
///
/// One thread waits for the bus, for the result of a lock and for the time of the next attempt. It connects again when
/// the bus or logind returns. Its connection accepts no descriptors, because every user of the machine can send it
/// messages, and closing a descriptor can block. So an inhibitor is taken on a thread and a connection of its own.
public struct SessionLockService {
    private let addresses: [ServerAddress]
    private let user: UInt32
    private let keychain: any KeychainLocking
    private let logger: Logger

    /// - Parameters:
    ///   - addresses: the addresses of the system bus.
    ///   - user: the user whose sessions count.
    public init(addresses: [ServerAddress], user: UInt32, keychain: any KeychainLocking, logger: Logger) {
        self.addresses = addresses
        self.user = user
        self.keychain = keychain
        self.logger = logger
    }

    /// Runs until `end` is triggered; it waits for a lock that is under way then, but no longer than two seconds.
    ///
    /// Throws ``SystemError`` if the process has no free descriptors at the start.
    public func run(until end: Wakeup) throws(SystemError) {
        var loop = SessionLockLoop(self, mailbox: try Mailbox(), end: end)
        loop.run()
    }

    fileprivate func startLock(_ reasons: [LockReason], _ mailbox: Mailbox) {
        let keychain = keychain
        Task.detached { mailbox.post(.lockFinished(await keychain.lock(reasons))) }
    }

    /// Posts the answer of logind, also if it is an error.
    fileprivate func startInhibitor(_ logind: Logind, _ mailbox: Mailbox, request: Int) {
        let addresses = addresses
        let isStarted = SystemThread.start {
            do throws(BusError) {
                let bus = try BusConnection(to: addresses)
                // Other messages stay in the connection until it ends, so no descriptor of a stranger is closed before.
                mailbox.post(.inhibitor(.success(try logind.inhibitSleep(bus)), request: request))
            } catch {
                mailbox.post(.inhibitor(.failure(error), request: request))
            }
        }
        if !isStarted { mailbox.post(.inhibitor(.failure(.limitExceeded), request: request)) }
    }

    fileprivate func connect(_ end: Wakeup) throws(BusError) -> BusConnection {
        // The largest message is the list of sessions, with about a hundred bytes for each.
        try BusConnection(to: addresses, messageLimit: 256 << 10, acceptsDescriptors: false, interruption: end)
    }

    /// The loop's state.
    private struct SessionLockLoop {
        let service: SessionLockService
        let mailbox: Mailbox
        let end: Wakeup
        var director = LockDirector()
        /// The inhibitor, open as long as the machine must not sleep.
        var inhibitor: Descriptor?
        /// The number of the last request for an inhibitor. The answers to earlier ones are ignored.
        var inhibitorRequest = 0
        var retryTime: ContinuousClock.Instant?
        var inhibitorTime: ContinuousClock.Instant?
        /// The pause between attempts to reach the bus.
        var pause = SessionLockLoop.shortestPause

        static let shortestPause = Duration.milliseconds(100)
        static let longestPause = Duration.seconds(30)
        static let endTimeout = Duration.seconds(2)

        init(_ service: SessionLockService, mailbox: Mailbox, end: Wakeup) {
            self.service = service
            self.mailbox = mailbox
            self.end = end
        }

        mutating func run() {
            while true {
                let start = ContinuousClock.now
                do throws(BusError) {
                    try serve(try service.connect(end))
                } catch {
                    if case .interrupted = error { break }
                    perform(director.receive(.logindGone))
                    // The pause is reset only after a connection that lasted, so a connection that is lost repeatedly
                    // keeps the pause long.
                    if ContinuousClock.now - start >= Self.longestPause { pause = Self.shortestPause }
                    // Without a bus, the warning would repeat without end.
                    let level: Logger.Level = pause == Self.shortestPause ? .warning : .debug
                    service.logger.log(level: level, "no connection to the system bus; trying again: \(error)")
                }
                guard waitForNextAttempt() else { break }
            }
            finishLock()
        }

        /// Serves one connection; ends by throwing.
        private mutating func serve(_ bus: BusConnection) throws(BusError) {
            for rule in Logind.rules { try bus.add(rule) }
            var logind = try bus.owner(of: Logind.name).map { Logind(owner: $0, user: service.user) }
            try meet(logind, bus)
            while true {
                try handleMailbox(logind, bus)
                guard let received = try bus.next(until: nextTime, or: mailbox.wakeup) else { continue }
                if let owner = Logind.ownerChange(received.message) {
                    logind = owner.map { Logind(owner: $0, user: service.user) }
                    try meet(logind, bus)
                } else if let event = logind?.event(received.message) {
                    try handle(event, logind, bus)
                }
            }
        }

        /// Reads the state of a logind that has just appeared.
        private mutating func meet(_ logind: Logind?, _ bus: BusConnection) throws(BusError) {
            guard let logind else { return perform(director.receive(.logindGone)) }
            let sessions: [Session]
            let isPreparing: Bool
            do throws(BusError) {
                sessions = try logind.sessions(bus)
                isPreparing = try logind.isPreparingForSleep(bus)
            } catch {
                // logind has disappeared again, which the bus will report, or does not follow its interface.
                guard case .refused = error else { throw error }
                return service.logger.warning("logind does not report its sessions: \(error)")
            }
            try handle(.logindAppeared(sessions, isPreparingForSleep: isPreparing), logind, bus)
            let count = sessions.count
            service.logger.info("watching \(count) session\(count == 1 ? "" : "s")")
        }

        private mutating func handleMailbox(_ logind: Logind?, _ bus: BusConnection) throws(BusError) {
            for event in dueEvents() { try handle(event, logind, bus) }
        }

        private mutating func dueEvents() -> [LockDirector.Event] {
            var events = mailbox.take().compactMap { event($0) }
            if let time = retryTime, ContinuousClock.now >= time {
                retryTime = nil
                events.append(.retryDue)
            }
            if let time = inhibitorTime, ContinuousClock.now >= time {
                inhibitorTime = nil
                events.append(.inhibitorDue)
            }
            return events
        }

        /// Keeps an inhibitor that logind granted; returns the event for everything else.
        private mutating func event(_ letter: Mailbox.Letter) -> LockDirector.Event? {
            switch letter {
            case .lockFinished(let result): return .lockFinished(result)
            case .inhibitor(let answer, let request):
                guard request == inhibitorRequest else { return nil }
                switch answer {
                case .success(let granted):
                    inhibitor = granted
                    return nil
                case .failure(let error): return .inhibitorRefused("\(error)")
                }
            }
        }

        private var nextTime: ContinuousClock.Instant? { [retryTime, inhibitorTime].compactMap(\.self).min() }

        private mutating func handle(
            _ event: LockDirector.Event, _ logind: Logind?, _ bus: BusConnection
        ) throws(BusError) {
            for action in director.receive(event) {
                switch action {
                case .takeInhibitor:
                    inhibitorTime = nil
                    inhibitorRequest += 1
                    if let logind { service.startInhibitor(logind, mailbox, request: inhibitorRequest) }
                case .readSessions: if let logind { try readSessions(logind, bus) }
                case .lock, .retry, .retryInhibitor, .releaseInhibitor, .log: perform([action])
                }
            }
        }

        /// Performs the actions that need no bus.
        private mutating func perform(_ actions: [LockDirector.Action]) {
            for action in actions {
                switch action {
                case .lock(let reasons):
                    retryTime = nil
                    service.startLock(reasons, mailbox)
                case .retry(let pause): retryTime = ContinuousClock.now + pause
                case .retryInhibitor(let pause): inhibitorTime = ContinuousClock.now + pause
                case .releaseInhibitor:
                    inhibitor = nil
                    inhibitorRequest += 1
                case .log(let level, let text): service.logger.log(level: level, "\(text)")
                // Both are repeated when logind appears again.
                case .takeInhibitor, .readSessions: break
                }
            }
        }

        private mutating func readSessions(_ logind: Logind, _ bus: BusConnection) throws(BusError) {
            do throws(BusError) {
                try handle(.sessions(try logind.sessions(bus)), logind, bus)
            } catch {
                guard case .refused = error else { throw error }
                service.logger.warning("logind does not report its sessions: \(error)")
            }
        }

        /// Waits for the next attempt while other work continues; false if the service must end.
        private mutating func waitForNextAttempt() -> Bool {
            let next = ContinuousClock.now + pause
            pause = min(pause * 2, Self.longestPause)
            while ContinuousClock.now < next {
                switch mailbox.wakeup.wait(until: min(next, nextTime ?? next), interruption: end) {
                case .interrupted: return false
                case .woken, .timedOut: break
                }
                for event in dueEvents() { perform(director.receive(event)) }
            }
            return true
        }

        private mutating func finishLock() {
            let deadline = ContinuousClock.now + Self.endTimeout
            while director.isLocking, ContinuousClock.now < deadline {
                _ = mailbox.wakeup.wait(until: deadline, interruption: nil)
                for event in dueEvents() { perform(director.receive(event)) }
            }
            service.logger.info("stopping because of a termination signal")
        }
    }
}
