// SPDX-License-Identifier: Apache-2.0

import DBusMessages
import Logging
import SessionLock
import Testing

@Suite struct LockDirectorTests {
    private static let path: ObjectPath = "/org/freedesktop/login1/session/_31"
    private static let desktop = Session(path: path, hasPerson: true, isLocked: false)
    private static let second = Session(
        path: "/org/freedesktop/login1/session/_32", hasPerson: true, isLocked: false)
    private static let cron = Session(path: "/org/freedesktop/login1/session/c1", hasPerson: false, isLocked: false)

    /// Creates a director after its first events, with a session.
    private func director(_ sessions: [Session] = [desktop]) -> LockDirector {
        var director = LockDirector()
        _ = director.receive(.logindAppeared(sessions, isPreparingForSleep: false))
        return director
    }

    /// Returns the actions without the log messages.
    private func deeds(_ actions: [LockDirector.Action]) -> [LockDirector.Action] {
        actions.filter { if case .log = $0 { false } else { true } }
    }

    @Test func `an inhibitor is taken at the beginning, and nothing is locked`() {
        var director = LockDirector()
        #expect(
            deeds(director.receive(.logindAppeared([Self.desktop], isPreparingForSleep: false))) == [.takeInhibitor])
        director = LockDirector()
        #expect(deeds(director.receive(.logindAppeared([], isPreparingForSleep: false))) == [.takeInhibitor])
    }

    @Test func `a locked session locks the keychain`() {
        var director = director()
        #expect(deeds(director.receive(.sessionLocked(Self.path))) == [.lock([.session])])
        #expect(director.isLocking)
        #expect(deeds(director.receive(.lockFinished(.locked))) == [])
        #expect(!director.isLocking)
    }

    @Test func `a session of another user locks nothing`() {
        var director = director()
        #expect(director.receive(.sessionLocked("/org/freedesktop/login1/session/_39")) == [])
        #expect(director.receive(.sessionUnlocked("/org/freedesktop/login1/session/_39")) == [])
    }

    @Test func `an unlocked session is only noted`() {
        var director = director()
        let actions = director.receive(.sessionUnlocked(Self.path))
        #expect(deeds(actions) == [])
        guard case .log(.debug, _)? = actions.first else {
            Issue.record("it was not noted at debug level: \(actions)")
            return
        }
    }

    @Test func `the machine sleeps only when the keys are gone, and is held up again when it wakes`() {
        var director = director()
        #expect(deeds(director.receive(.preparingForSleep(true))) == [.lock([.sleep])])
        #expect(deeds(director.receive(.lockFinished(.locked))) == [.releaseInhibitor])
        #expect(deeds(director.receive(.preparingForSleep(false))) == [.takeInhibitor])
    }

    @Test(arguments: [LockResult.notRunning, .noPasscode, .notWanted])
    func `the machine sleeps where there is nothing to lock`(_ outcome: LockResult) {
        var director = director()
        _ = director.receive(.preparingForSleep(true))
        #expect(deeds(director.receive(.lockFinished(outcome))) == [.releaseInhibitor])
    }

    @Test func `a lock that was under way before does not count for sleep`() {
        var director = director()
        _ = director.receive(.sessionLocked(Self.path))
        #expect(deeds(director.receive(.preparingForSleep(true))) == [])
        #expect(deeds(director.receive(.lockFinished(.locked))) == [.lock([.sleep])])
        #expect(deeds(director.receive(.lockFinished(.locked))) == [.releaseInhibitor])
    }

    @Test func `the machine sleeps after the last of several locks`() {
        var director = director()
        _ = director.receive(.preparingForSleep(true))
        #expect(deeds(director.receive(.sessionLocked(Self.path))) == [])
        #expect(deeds(director.receive(.lockFinished(.notWanted))) == [.lock([.session])])
        #expect(deeds(director.receive(.lockFinished(.locked))) == [.releaseInhibitor])
    }

    @Test func `a lock that ends after the machine has woken again leaves the new inhibitor alone`() {
        var director = director()
        _ = director.receive(.preparingForSleep(true))
        #expect(deeds(director.receive(.preparingForSleep(false))) == [.takeInhibitor])
        #expect(deeds(director.receive(.lockFinished(.locked))) == [])
    }

    @Test func `the machine is held up while locking is tried again after failures`() {
        var director = director()
        _ = director.receive(.preparingForSleep(true))
        #expect(deeds(director.receive(.lockFinished(.failed("no")))) == [.retry(after: .milliseconds(100))])
        #expect(!director.isLocking)
        #expect(deeds(director.receive(.retryDue)) == [.lock([.sleep])])
        #expect(deeds(director.receive(.lockFinished(.failed("no")))) == [.retry(after: .milliseconds(200))])
        #expect(deeds(director.receive(.retryDue)) == [.lock([.sleep])])
        #expect(deeds(director.receive(.lockFinished(.locked))) == [.releaseInhibitor])
        // The count of failures has been reset.
        _ = director.receive(.sessionLocked(Self.path))
        #expect(deeds(director.receive(.lockFinished(.failed("no")))) == [.retry(after: .milliseconds(100))])
    }

    @Test func `a new reason ends the pause after a failure`() {
        var director = director()
        _ = director.receive(.preparingForSleep(true))
        _ = director.receive(.lockFinished(.failed("no")))
        #expect(deeds(director.receive(.sessionLocked(Self.path))) == [.lock([.sleep, .session])])
        // The end of the pause has no effect any more.
        #expect(director.receive(.retryDue) == [])
    }

    @Test func `after ten failures the helper reports an error, and the machine may sleep`() {
        var director = director()
        _ = director.receive(.preparingForSleep(true))
        var pauses: [Duration] = []
        for _ in 1..<10 {
            for case .retry(let pause) in director.receive(.lockFinished(.failed("no"))) { pauses.append(pause) }
            _ = director.receive(.retryDue)
        }
        #expect(pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10].map { .milliseconds($0 * 1000) })
        let last = director.receive(.lockFinished(.failed("no")))
        #expect(deeds(last) == [.releaseInhibitor])
        #expect(last.contains { if case .log(.error, _) = $0 { true } else { false } })
        #expect(!director.isLocking)
    }

    @Test func `the end of the last session locks the keychain, that of another one does not`() {
        var director = director([Self.desktop, Self.second])
        #expect(deeds(director.receive(.sessionsChanged)) == [.readSessions])
        #expect(director.receive(.sessions([Self.second])) == [])
        #expect(deeds(director.receive(.sessions([]))) == [.lock([.logout])])
    }

    @Test func `a background session does not keep the keychain unlocked`() {
        var director = director([Self.desktop, Self.cron])
        #expect(deeds(director.receive(.sessions([Self.cron]))) == [.lock([.logout])])
        _ = director.receive(.lockFinished(.locked))
        // The end of that session is not a logout.
        #expect(director.receive(.sessions([])) == [])
    }

    @Test func `a user who is removed locks the keychain`() {
        var director = director()
        #expect(deeds(director.receive(.userRemoved)) == [.lock([.logout])])
    }

    @Test func `a logout while logind was not running is detected`() {
        var director = director()
        _ = director.receive(.logindGone)
        #expect(
            deeds(director.receive(.logindAppeared([], isPreparingForSleep: false))) == [
                .lock([.logout]), .takeInhibitor,
            ])
    }

    @Test func `a lock that was missed while logind was not running is reported by the desktop`() {
        let locked = Session(path: Self.path, hasPerson: true, isLocked: true)
        var director = LockDirector()
        // At its first appearance, logind reports a session that was locked earlier; the user may have used the
        // keychain since.
        #expect(deeds(director.receive(.logindAppeared([locked], isPreparingForSleep: false))) == [.takeInhibitor])
        _ = director.receive(.logindGone)
        #expect(
            deeds(director.receive(.logindAppeared([locked], isPreparingForSleep: false))) == [
                .lock([.session]), .takeInhibitor,
            ])
    }

    @Test func `a machine that is about to sleep when logind is met is not held up but locked for`() {
        var director = LockDirector()
        #expect(
            deeds(director.receive(.logindAppeared([Self.desktop], isPreparingForSleep: true))) == [.lock([.sleep])])
        #expect(deeds(director.receive(.lockFinished(.locked))) == [.releaseInhibitor])
    }

    @Test func `a refused inhibitor is requested again with growing delays, and reported once`() {
        var director = director()
        var pauses: [Duration] = []
        var warnings = 0
        for _ in 0..<9 {
            for action in director.receive(.inhibitorRefused("no")) {
                if case .retryInhibitor(let pause) = action { pauses.append(pause) }
                if case .log(.warning, _) = action { warnings += 1 }
            }
            #expect(director.receive(.inhibitorDue) == [.takeInhibitor])
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(warnings == 1)
        // The attempts start again after sleep, because logind grants no inhibitor during sleep.
        _ = director.receive(.preparingForSleep(true))
        #expect(director.receive(.inhibitorRefused("no")) == [])
        #expect(director.receive(.inhibitorDue) == [])
        _ = director.receive(.preparingForSleep(false))
        #expect(deeds(director.receive(.inhibitorRefused("no"))) == [.retryInhibitor(after: .seconds(1))])
    }

    @Test func `unexpected answers change nothing`() {
        var director = director()
        #expect(director.receive(.lockFinished(.locked)) == [])
        #expect(director.receive(.retryDue) == [])
    }
}

/// The calls to the keychain and their order.
@Suite struct KeychainLockingTests {
    private actor Calls {
        private(set) var all: [String] = []
        func add(_ call: String) { all.append(call) }
    }

    private struct Failure: Error {}

    private struct Keychain: KeychainLocking {
        var running = true
        var onSleep = true
        var hasPasscode = true
        var error: Failure?
        let calls = Calls()

        func isRunning() -> Bool { running }

        func locksOnSleep() async throws -> Bool {
            await calls.add("locksOnSleep")
            return onSleep
        }

        func lock() async throws -> Bool {
            await calls.add("lock")
            if let error { throw error }
            return hasPasscode
        }
    }

    private func result(_ keychain: Keychain, _ reasons: [LockReason]) async -> (LockResult, [String]) {
        (await keychain.lock(reasons), await keychain.calls.all)
    }

    @Test func `a service that does not run is asked nothing, which would start it`() async {
        #expect(await result(Keychain(running: false), [.session, .sleep]) == (.notRunning, []))
    }

    @Test func `the setting counts for sleep alone`() async {
        #expect(await result(Keychain(onSleep: false), [.sleep]) == (.notWanted, ["locksOnSleep"]))
        #expect(await result(Keychain(onSleep: false), [.sleep, .session]) == (.locked, ["lock"]))
        #expect(await result(Keychain(onSleep: false), [.logout]) == (.locked, ["lock"]))
        #expect(await result(Keychain(), [.sleep]) == (.locked, ["locksOnSleep", "lock"]))
    }

    @Test func `without a passcode there was nothing to lock`() async {
        #expect(await result(Keychain(hasPasscode: false), [.session]) == (.noPasscode, ["lock"]))
    }

    @Test func `a refusal is a failure`() async {
        #expect(await result(Keychain(error: Failure()), [.session]) == (.failed("Failure()"), ["lock"]))
    }
}
