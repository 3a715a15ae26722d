// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import KeychainClient
import KeychainHelperWire
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainWire
import SecretMemory
import Synchronization
import Testing

@testable import KeychainServer

/// The recipients of a prompt, its time, and its cancellation. The test sets the prompter's behaviour.
struct PromptQueueTests {
    /// A prompter that waits for the test, or for the prompt to be taken back.
    private final class Screen: Sendable {
        private let state = Mutex<[PromptRequest]>([])
        private let answers = Mutex<[PromptAnswer]>([])
        private let shown = DispatchSemaphore(value: 0)
        private let interruptions = Atomic<Int>(0)
        private let go = try? WakeUp()

        /// Shows, and waits for ``answer(_:)``.
        var waiting: PromptQueue.Show {
            { [self] request, timeout, interruption in
                state.withLock { $0.append(request) }
                shown.signal()
                guard let go else { return .notAsked() }
                let clock = ContinuousClock()
                let end = clock.now + timeout
                while clock.now < end {
                    let readable = interruption.readable + [go.descriptor]
                    let something = try? Readiness.wait(
                        for: readable, hangUpOf: interruption.hungUp, timeout: clock.now.duration(to: end))
                    guard something == true else { continue }
                    // Like a real prompter, it is interrupted regardless of the user's action at that moment.
                    let isInterrupted = try? Readiness.wait(
                        for: interruption.readable, hangUpOf: interruption.hungUp, timeout: .zero)
                    if isInterrupted == true {
                        interruptions.add(1, ordering: .relaxed)
                        return .cancelled
                    }
                    go.drain()
                    return answers.withLock { $0.isEmpty ? .notAsked() : $0.removeFirst() }
                }
                return .timedOut
            }
        }

        /// Answers at once with the prepared outcome.
        func immediate(_ outcome: PromptAnswer) -> PromptQueue.Show {
            { [self] request, _, _ in
                state.withLock { $0.append(request) }
                return outcome
            }
        }

        var requests: [PromptRequest] { state.withLock { $0 } }

        /// The number of prompts that were taken back while they waited.
        var interruptionCount: Int { interruptions.load(ordering: .relaxed) }

        func waitUntilShown() { shown.wait() }

        func answer(_ outcome: PromptAnswer) {
            answers.withLock { $0.append(outcome) }
            go?.signal()
        }
    }

    private final class TestClock: Sendable {
        private let value = Atomic<UInt64>(1_000_000_000_000)
        func advance(by duration: Duration) {
            value.add(UInt64(duration.components.seconds) * 1_000_000_000, ordering: .relaxed)
        }
        var clock: MonotonicClock { MonotonicClock { [self] in value.load(ordering: .relaxed) } }
    }

    private let screen = Screen()
    private static let terminal = CallerLocation { PromptLocation(terminal: "/dev/pts/1") }
    private static let display = PromptDisplay(x11: ":9", wayland: nil)

    private static func caller(_ path: String = "/usr/bin/mail") -> Caller {
        Caller(
            userID: getuid(), processID: getpid(), tier: .installed, identity: .installed(path: path),
            accessGroups: ["tests"], displayPath: path)
    }

    private static func prompt(_ purpose: Prompt.Purpose, _ caller: Caller = caller()) -> Prompt {
        Prompt(purpose, caller: caller, operation: .readData, items: [])
    }

    private static let passcode = prompt(.passcode(wasWrong: false))
    private static let confirmation = prompt(.confirmation(mayRemember: true, needsPasscode: true))

    private func queue(
        _ prompters: [PromptQueue.Show]? = nil, limits: PromptQueue.Limits = .init(), clock: MonotonicClock = .live,
        ownDisplay: PromptDisplay? = nil
    ) -> Prompter {
        PromptQueue(
            limits: limits, clock: clock, ownDisplay: ownDisplay, prompters: prompters ?? [screen.waiting]
        ).prompter
    }

    /// Returns the kind of an answer, without its secret.
    private static func name(_ answer: PromptAnswer) -> String {
        switch answer {
        case .notAsked(let reason): "not asked: \(reason)"
        case .cancelled: "cancelled"
        case .timedOut: "timed out"
        case .fallback: "fallback"
        case .denied: "denied"
        case .allowed(let always, _): always ? "always" : "allowed"
        case .secret: "secret"
        }
    }

    /// Requests a prompt on its own thread.
    private final class PromptRequester: Sendable {
        private let answer = Mutex<PromptAnswer?>(nil)
        private let done = DispatchSemaphore(value: 0)

        init(_ prompter: Prompter, _ prompt: Prompt, _ withdrawal: Withdrawal? = nil) {
            let isStarted = SystemThread.start { [self] in
                let given = prompter.ask(prompt, for: terminal, withdrawal: withdrawal)
                answer.withLock { $0 = given }
                done.signal()
            }
            #expect(isStarted)
        }

        func get() -> PromptAnswer? {
            done.wait()
            return answer.withLock { $0 }
        }
    }

    /// Waits until so many prompts are in the queue.
    private func wait(for count: UInt64, in prompter: Prompter) {
        while prompter.queue()?.now != count { sched_yield() }
    }

    private func answer(of requester: PromptRequester) throws -> String {
        Self.name(try #require(requester.get()))
    }

    @Test func `a waiting prompt is reported as shown when it is shown, and an invisible prompt is not`() throws {
        let prompter = queue()
        let events = Mutex<[String]>([])
        let first = PromptRequester(prompter, Self.passcode)
        screen.waitUntilShown()
        let isAsked = DispatchSemaphore(value: 0)
        let place = CallerLocation {
            isAsked.signal()
            return PromptLocation(terminal: "/dev/pts/1")
        }
        let done = DispatchSemaphore(value: 0)
        let isStarted = SystemThread.start {
            _ = prompter.ask(Self.passcode, for: place) { events.withLock { $0.append("shown") } }
            done.signal()
        }
        #expect(isStarted)
        isAsked.wait()
        events.withLock { $0.append("answered") }
        screen.answer(.cancelled)
        _ = try answer(of: first)
        screen.waitUntilShown()
        screen.answer(.cancelled)
        done.wait()
        #expect(events.withLock { $0 } == ["answered", "shown"])
        _ = queue([]).ask(Self.passcode, for: Self.terminal) { Issue.record("nobody sees it") }
        _ = prompter.ask(Self.passcode, for: .nowhere) { Issue.record("nobody sees it") }
    }

    @Test func `what asks in place of a prompter waits for its turn, and others wait for it`() throws {
        let prompter = queue()
        let events = Mutex<[String]>([])
        let first = PromptRequester(prompter, Self.passcode)
        screen.waitUntilShown()
        let done = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        let isAsking = DispatchSemaphore(value: 0)
        let isStarted = SystemThread.start {
            let answer = prompter.inTurn(Self.caller(), .nowhere) { timeout, _ in
                events.withLock { $0.append("asks for \(timeout)") }
                isAsking.signal()
                go.wait()
                return .allowed(always: false, passcode: nil)
            }
            events.withLock { $0.append(Self.name(answer)) }
            done.signal()
        }
        #expect(isStarted)
        wait(for: 2, in: prompter)
        #expect(events.withLock { $0 } == [])
        screen.answer(.cancelled)
        _ = try answer(of: first)
        isAsking.wait()
        let last = PromptRequester(prompter, Self.passcode)
        wait(for: 2, in: prompter)
        #expect(screen.requests.count == 1)
        go.signal()
        done.wait()
        #expect(events.withLock { $0 } == ["asks for \(PromptQueue.Limits().patience)", "allowed"])
        screen.waitUntilShown()
        screen.answer(.cancelled)
        _ = try answer(of: last)
    }

    @Test func `what asks in place of a prompter can be taken back, and is not asked again after three denials`() throws
    {
        let clock = TestClock()
        let prompter = queue(clock: clock.clock)
        for _ in 0..<3 {
            let answer = prompter.inTurn(Self.caller(), .nowhere) { _, interruption in
                // The bell by which it is taken back.
                interruption.readable.count == 1 ? .denied : .fallback
            }
            #expect(Self.name(answer) == "denied")
        }
        let answer = prompter.inTurn(Self.caller(), .nowhere) { _, _ in
            Issue.record("it is asked again")
            return .denied
        }
        #expect(Self.name(answer) == "not asked: tooManyPrompts")
        clock.advance(by: .seconds(61))
        #expect(Self.name(prompter.inTurn(Self.caller(), .nowhere) { _, _ in .cancelled }) == "cancelled")
    }

    // MARK: Where

    @Test func `where no prompt is possible, the answer comes at once and no prompter is run`() {
        let prompter = queue()
        #expect(Self.name(prompter.ask(Self.passcode, for: .nowhere)) == "not asked: none")
        #expect(Self.name(queue([]).ask(Self.passcode, for: Self.terminal)) == "not asked: none")
        #expect(screen.requests.isEmpty)
    }

    @Test func `a place is searched only for a prompt`() {
        let looks = Atomic<Int>(0)
        let place = CallerLocation {
            looks.add(1, ordering: .relaxed)
            return .nowhere
        }
        #expect(looks.load(ordering: .relaxed) == 0)
        _ = queue().ask(Self.passcode, for: place)
        #expect(looks.load(ordering: .relaxed) == 1)
    }

    @Test func `of programs that act for every program it is said who started them, and of others not`() {
        let place = CallerLocation(starters: { ["/home/ann/game", "/bin/sh", "/usr/bin/xterm", "/usr/bin/sway"] }) {
            PromptLocation(terminal: "/dev/pts/1")
        }
        let command = Caller(
            userID: getuid(), processID: getpid(), tier: .installed, identity: .command, accessGroups: ["chatelaine"],
            displayPath: "/usr/bin/chatelaine")
        let prompter = queue([screen.immediate(.denied)])
        let general = Caller(
            userID: getuid(), processID: getpid(), tier: .installed, identity: .installed(path: "/usr/bin/secret-tool"),
            accessGroups: ["installed:/usr/bin/secret-tool"], displayPath: "/usr/bin/secret-tool",
            bridge: Bridge(displayPath: "/usr/libexec/chatelaine-secrets", processID: 3, processStart: 1))
        _ = prompter.ask(Self.prompt(.passcode(wasWrong: false), command), for: place)
        _ = prompter.ask(Self.prompt(.passcode(wasWrong: false), general), for: place)
        _ = prompter.ask(Self.passcode, for: place)
        let starters = ["/home/ann/game", "/bin/sh", "/usr/bin/xterm"]
        #expect(screen.requests.map { $0.program.starters.map(\.text) } == [starters, starters, []])
    }

    @Test func `without the passcode a confirmation counts only on the display of the service itself`() {
        let open = Self.prompt(.confirmation(mayRemember: true, needsPasscode: false))
        let yes = screen.immediate(.allowed(always: false, passcode: nil))
        let blind = queue([yes])
        #expect(Self.name(blind.ask(open, for: Self.terminal)) == "not asked: passcodeNeededToAsk")
        let callers = CallerLocation { PromptLocation(display: PromptDisplay(x11: ":66", wayland: nil)) }
        #expect(Self.name(blind.ask(open, for: callers)) == "not asked: passcodeNeededToAsk")
        #expect(Self.name(blind.ask(open, for: .nowhere)) == "not asked: none")
        #expect(screen.requests.isEmpty)

        let seeing = queue([yes], ownDisplay: Self.display)
        for place in [Self.terminal, callers, .nowhere] {
            #expect(Self.name(seeing.ask(open, for: place)) == "allowed")
        }
        #expect(screen.requests.map(\.place) == Array(repeating: PromptLocation(display: Self.display), count: 3))
    }

    @Test func `with the passcode the caller's own place comes first, then the display of the service`() {
        let prompter = queue([screen.immediate(.denied)], ownDisplay: Self.display)
        _ = prompter.ask(Self.confirmation, for: Self.terminal)
        _ = prompter.ask(Self.passcode, for: .nowhere)
        #expect(screen.requests.map(\.place.terminal) == ["/dev/pts/1", nil])
        #expect(screen.requests.map(\.place.display) == [nil, Self.display])
    }

    @Test
    func
        `a prompter that cannot prompt leaves it to the next prompter, and without a next prompter there is no prompt`()
    {
        let other = Screen()
        let both = queue([screen.immediate(.notAsked()), other.immediate(.fallback)])
        #expect(Self.name(both.ask(Self.passcode, for: Self.terminal)) == "fallback")
        #expect(screen.requests.count == 1 && screen.requests == other.requests)
        #expect(
            Self.name(queue([screen.immediate(.notAsked())]).ask(Self.passcode, for: Self.terminal))
                == "not asked: none")
    }

    // MARK: Content of prompts

    @Test func `a question names program, team, tier, operation and items, and no text of others reaches it as it is`()
        throws
    {
        let caller = Caller(
            userID: getuid(), processID: 77, tier: .signed,
            identity: .signed(team: "TEAM", identifier: "org.example\nmail"), accessGroups: [],
            displayPath: "/home/ann/\u{202E}liam")
        let named = (0..<10).map {
            PromptedItem(
                ItemNames(itemClass: .internetPassword, label: "Label\t\($0)", place: "host", account: "ann"))
        }
        let prompt = Prompt(
            .applicationPassword(isNew: true, wasWrong: false), caller: caller, operation: .update, items: named,
            itemCount: 12, reason: "because\u{1B}[2J" + String(repeating: "x", count: 2000), cancelTitle: "\n",
            fallbackTitle: "Else")
        _ = queue([screen.immediate(.cancelled)]).ask(prompt, for: Self.terminal)
        let request = try #require(screen.requests.first)
        #expect(request.purpose == .applicationPassword && request.options == .isNew && request.seconds == 120)
        #expect(request.program.path.text == "/home/ann/\u{FFFD}liam" && request.program.process == 77)
        #expect(request.program.team?.text == "TEAM" && request.program.identifier?.text == "org.example mail")
        #expect(request.program.tier == .signed && request.operation == .change)
        #expect(request.items.map(\.label.text) == (0..<8).map { "Label \($0)" } && request.furtherItems == 4)
        #expect(try #require(request.reason?.text).hasPrefix("because\u{FFFD}[2Jxxx"))
        #expect(request.reason?.text.utf8.count == 512)
        #expect(request.cancelTitle == nil && request.fallbackTitle?.text == "Else")
        #expect(try PromptRequest(request.frame) == request, "it can be sent")
    }

    @Test func `a prompt for a client of a bridge names the bridge's file`() throws {
        for (path, name) in [("/usr/libexec/chatelaine-secrets", "chatelaine-secrets"), ("", nil)] {
            let caller = Caller(
                userID: getuid(), processID: getpid(), tier: .installed, identity: .installed(path: "/usr/bin/mail"),
                accessGroups: ["tests"], displayPath: "/usr/bin/mail",
                bridge: Bridge(displayPath: path, processID: 3, processStart: 1))
            let prompt = Self.prompt(.confirmation(mayRemember: true, needsPasscode: true), caller)
            _ = queue([screen.immediate(.cancelled)]).ask(prompt, for: Self.terminal)
            let request = try #require(screen.requests.last)
            #expect(request.program.bridge?.text == name)
            #expect(try PromptRequest(request.frame) == request, "it can be sent")
        }
    }

    @Test(
        arguments: [
            ("chatelaine", PromptOwner(.command, name: PromptText(""))),
            ("chatelaine.private", PromptOwner(.command, name: PromptText(""))),
            ("installed:/usr/bin/mail", PromptOwner(.installedProgram, name: PromptText("/usr/bin/mail"))),
            (
                "enforced:installed:/usr/bin/mail",
                PromptOwner(.installedProgram, name: PromptText("/usr/bin/mail"), isShielded: true)
            ),
            (
                "unsigned:" + String(repeating: "0123456789abcdef", count: 4),
                PromptOwner(.unsignedProgram, name: PromptText("0123456789ab…"))
            ),
            (
                "development:/home/ann/mail/Mail",
                PromptOwner(.developedProgram, name: PromptText("/home/ann/mail/Mail"))
            ),
            ("installed: ", nil),
            ("TEAM.org.example\nmail", PromptOwner(.accessGroup, name: PromptText("TEAM.org.example mail"))),
        ] as [(String, PromptOwner?)])
    func `a question says to whom an item of another program belongs`(group: String, owner: PromptOwner?) throws {
        let names = ItemNames(itemClass: .genericPassword, label: "Mail", place: "", account: "ann")
        let prompt = Prompt(
            .passcode(wasWrong: false), caller: Self.passcode.caller, operation: .readData,
            items: [PromptedItem(names, otherGroup: group), PromptedItem(names)])
        _ = queue([screen.immediate(.cancelled)]).ask(prompt, for: Self.terminal)
        let request = try #require(screen.requests.first)
        #expect(request.items.map(\.owner) == [owner, nil])
        #expect(try PromptRequest(request.frame) == request, "it can be sent")
    }

    // MARK: One at a time

    @Test func `prompts are shown one at a time, and each in its turn`() throws {
        let prompter = queue()
        let first = PromptRequester(prompter, Self.passcode)
        screen.waitUntilShown()
        let others = ["/a", "/b"].map { path in
            let asking = PromptRequester(prompter, Self.prompt(.passcode(wasWrong: false), Self.caller(path)))
            return asking
        }
        #expect(screen.requests.count == 1)
        screen.answer(.secret(SecretBytes(copying: [1])))
        #expect(try answer(of: first) == "secret")
        for _ in others {
            screen.waitUntilShown()
            screen.answer(.cancelled)
        }
        for other in others { #expect(try answer(of: other) == "cancelled") }
        #expect(Set(screen.requests.map(\.program.path.text)) == ["/usr/bin/mail", "/a", "/b"])
    }

    @Test func `a prompt whose turn has come is not taken for a withdrawn prompt`() {
        let prompter = queue([
            { _, _, interruption in
                let isInterrupted = try? Readiness.wait(for: interruption.readable, hangUpOf: [], timeout: .zero)
                return isInterrupted == true ? .cancelled : .fallback
            }
        ])
        let answers = Mutex<Set<String>>([])
        let done = DispatchSemaphore(value: 0)
        for number in 0..<4 {
            let isStarted = SystemThread.start {
                for _ in 0..<500 {
                    let prompt = Self.prompt(.passcode(wasWrong: false), Self.caller("/\(number)"))
                    let answer = Self.name(prompter.ask(prompt, for: Self.terminal))
                    _ = answers.withLock { $0.insert(answer) }
                }
                done.signal()
            }
            #expect(isStarted)
        }
        for _ in 0..<4 { done.wait() }
        #expect(answers.withLock { $0 } == ["fallback"])
    }

    @Test func `a request that leaves the queue does not disturb the shown prompt`() throws {
        let prompter = queue()
        let first = PromptRequester(prompter, Self.passcode)
        screen.waitUntilShown()
        let withdrawal = try #require(Withdrawal())
        withdrawal.withdraw()
        #expect(Self.name(prompter.ask(Self.passcode, for: Self.terminal, withdrawal: withdrawal)) == "cancelled")
        screen.answer(.secret(SecretBytes(copying: [1])))
        #expect(try answer(of: first) == "secret")
    }

    @Test func `eight prompts may wait, and further callers are told at once that there was no prompt`() throws {
        let prompter = queue()
        let first = PromptRequester(prompter, Self.passcode)
        screen.waitUntilShown()
        let withdrawal = try #require(Withdrawal())
        let answers = Mutex<[String]>([])
        let (refused, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for number in 0..<10 {
            let isStarted = SystemThread.start {
                let prompt = Self.prompt(.passcode(wasWrong: false), Self.caller("/\(number)"))
                let answer = prompter.ask(prompt, for: Self.terminal, withdrawal: withdrawal)
                if case .notAsked(.tooManyPrompts) = answer { refused.signal() }
                answers.withLock { $0.append(Self.name(answer)) }
                done.signal()
            }
            #expect(isStarted)
        }
        for _ in 0..<2 { refused.wait() }
        withdrawal.withdraw()
        for _ in 0..<10 { done.wait() }
        let sorted = answers.withLock { $0.sorted() }
        #expect(
            sorted == Array(repeating: "cancelled", count: 8)
                + Array(repeating: "not asked: tooManyPrompts", count: 2))
        screen.answer(.cancelled)
        #expect(try answer(of: first) == "cancelled")
        #expect(screen.requests.count == 1)
    }

    @Test func `two prompts of one program may wait, so that those of other programs find room`() throws {
        let prompter = queue()
        let shown = PromptRequester(prompter, Self.passcode)
        screen.waitUntilShown()
        let waiting = (0..<2).map { _ in PromptRequester(prompter, Self.passcode) }
        wait(for: 3, in: prompter)
        for _ in 0..<10 {
            #expect(Self.name(prompter.ask(Self.passcode, for: Self.terminal)) == "not asked: tooManyPrompts")
        }
        // Requests that ask by other means count as well.
        let asked = prompter.inTurn(Self.caller(), .nowhere) { _, _ in
            Issue.record("it is asked")
            return .denied
        }
        #expect(Self.name(asked) == "not asked: tooManyPrompts")
        let other = PromptRequester(prompter, Self.prompt(.passcode(wasWrong: false), Self.caller("/usr/bin/other")))
        wait(for: 4, in: prompter)
        screen.answer(.secret(SecretBytes(copying: [1])))
        #expect(try answer(of: shown) == "secret")
        // One of them is shown now, so another one may wait.
        screen.waitUntilShown()
        let further = PromptRequester(prompter, Self.passcode)
        wait(for: 4, in: prompter)
        for index in 0..<4 {
            if index > 0 { screen.waitUntilShown() }
            screen.answer(.secret(SecretBytes(copying: [1])))
        }
        for requester in waiting + [other, further] { #expect(try answer(of: requester) == "secret") }
    }

    // MARK: Taking back

    @Test func `the caller can withdraw the prompt while it is shown`() throws {
        let withdrawal = try #require(Withdrawal())
        let asking = PromptRequester(queue(), Self.prompt(.biometry(reader: "Virtual")), withdrawal)
        screen.waitUntilShown()
        withdrawal.withdraw()
        #expect(try answer(of: asking) == "cancelled")
    }

    @Test func `a lock takes confirmations back, shown and waiting, and nothing else`() throws {
        let prompter = queue()
        let confirmation = PromptRequester(prompter, Self.confirmation)
        screen.waitUntilShown()
        let passcode = PromptRequester(prompter, Self.passcode)
        prompter.keychainWasLocked()
        #expect(try answer(of: confirmation) == "cancelled")
        screen.waitUntilShown()
        prompter.keychainWasLocked()
        screen.answer(.secret(SecretBytes(copying: [1])))
        #expect(try answer(of: passcode) == "secret")
    }

    @Test func `a yes that crosses with a lock is none`() throws {
        let lock = Mutex<(@Sendable () -> Void)?>(nil)
        let prompter = queue([
            { _, _, _ in
                lock.withLock { $0 }?()
                return .allowed(always: true, passcode: nil)
            }
        ])
        lock.withLock { $0 = { prompter.keychainWasLocked() } }
        #expect(Self.name(prompter.ask(Self.confirmation, for: Self.terminal)) == "cancelled")
    }

    @Test func `a prompt that is not answered ends, and so does a prompt that waits for its turn`() throws {
        var limits = PromptQueue.Limits()
        limits.patience = .milliseconds(20)
        limits.grace = .milliseconds(20)
        #expect(Self.name(queue(limits: limits).ask(Self.passcode, for: Self.terminal)) == "timed out")

        limits.grace = .seconds(60)
        let prompter = queue(limits: limits)
        let first = PromptRequester(prompter, Self.passcode)
        screen.waitUntilShown()
        screen.waitUntilShown()
        #expect(Self.name(prompter.ask(Self.passcode, for: Self.terminal)) == "timed out")
        screen.answer(.denied)
        #expect(try answer(of: first) == "denied")
        #expect(PromptQueue.Limits().patience == .seconds(120))
    }

    // MARK: Not too often

    @Test func `a program that was refused three times in a minute is not shown for the next one`() {
        let time = TestClock()
        let prompter = queue([screen.immediate(.denied)], clock: time.clock)
        for _ in 1...3 {
            #expect(Self.name(prompter.ask(Self.confirmation, for: Self.terminal)) == "denied")
            time.advance(by: .seconds(5))
        }
        #expect(Self.name(prompter.ask(Self.confirmation, for: Self.terminal)) == "not asked: tooManyPrompts")
        #expect(Self.name(prompter.ask(Self.passcode, for: Self.terminal)) == "not asked: tooManyPrompts")
        let other = Self.prompt(.passcode(wasWrong: false), Self.caller("/usr/bin/other"))
        #expect(Self.name(prompter.ask(other, for: Self.terminal)) == "denied", "another program is not concerned")
        time.advance(by: .seconds(54))
        #expect(Self.name(prompter.ask(Self.confirmation, for: Self.terminal)) == "not asked: tooManyPrompts")
        time.advance(by: .seconds(2))
        #expect(Self.name(prompter.ask(Self.confirmation, for: Self.terminal)) == "denied")
    }

    @Test func `a program under many names is one, and many programs of a user have a bound together`() {
        let time = TestClock()
        let prompter = queue([screen.immediate(.denied)], clock: time.clock)
        func ask(_ identity: ProgramIdentity, _ path: String, user: UInt32 = 1000) -> String {
            let caller = Caller(
                userID: user, processID: 1, tier: .unsigned, identity: identity, accessGroups: ["g"], displayPath: path)
            return Self.name(prompter.ask(Self.prompt(.passcode(wasWrong: false), caller), for: Self.terminal))
        }
        let answers = (1...6).map { ask(.unsigned(digest: [1]), "/link-\($0)") }
        #expect(
            answers == Array(repeating: "denied", count: 3) + Array(repeating: "not asked: tooManyPrompts", count: 3))
        let others = (2...6).map { ask(.unsigned(digest: [$0]), "/program") }
        #expect(
            others == Array(repeating: "denied", count: 3) + Array(repeating: "not asked: tooManyPrompts", count: 2))
        #expect(ask(.unsigned(digest: [9]), "/program", user: 1001) == "denied", "another user is not concerned")
        time.advance(by: .seconds(61))
        #expect(ask(.unsigned(digest: [9]), "/program") == "denied")
    }

    @Test func `refusals that lie more than a minute back do not count, nor do answers`() {
        let time = TestClock()
        let prompter = queue([screen.immediate(.cancelled)], clock: time.clock)
        for _ in 1...6 {
            #expect(Self.name(prompter.ask(Self.passcode, for: Self.terminal)) == "cancelled")
            time.advance(by: .seconds(31))
        }
        let content = queue([screen.immediate(.allowed(always: false, passcode: nil))], clock: time.clock)
        for _ in 1...6 { #expect(Self.name(content.ask(Self.confirmation, for: Self.terminal)) == "allowed") }
    }

    // MARK: A caller that goes

    private static func connected(
        _ prompter: Prompter, limits: KeychainService.Limits = .init()
    ) throws -> RunningService {
        let command = Caller(
            userID: getuid(), processID: getpid(), tier: .installed, identity: .command, accessGroups: ["chatelaine"],
            displayPath: "/usr/bin/chatelaine")
        let mail = caller()
        let connections = Atomic<Int>(0)
        return try RunningService(
            limits: limits,
            identifier: CallerIdentifier { _ in
                // The first connection is that of the program whose item it is.
                let isFirst = connections.add(1, ordering: .relaxed).oldValue == 0
                return IdentifiedCaller(isFirst ? mail : command, place: terminal) { _ in true }
            }, prompter: prompter)
    }

    @Test func `a prompt is taken back when its caller hangs up, and the next one is shown`() throws {
        let service = try Self.connected(queue(ownDisplay: Self.display))
        defer { service.stop() }
        try service.client().addPassword()
        let request = try Request<[UInt8]>.copyMatching(query(), limit: .one, returning: [.data])
        var leaving: RawClient? = try service.raw()
        let nonce = try #require(try leaving?.hello())
        #expect(try #require(leaving).send(request.frame(nonce: nonce)))
        screen.waitUntilShown()
        leaving = nil
        let staying = Mutex<[String?]>([])
        let done = DispatchSemaphore(value: 0)
        let isStarted = SystemThread.start {
            let secrets = try? service.client().secrets(ItemQuery(.genericPassword))
            staying.withLock { $0 = secrets ?? [] }
            done.signal()
        }
        #expect(isStarted)
        screen.waitUntilShown()
        screen.answer(.allowed(always: false, passcode: nil))
        done.wait()
        #expect(staying.withLock { $0 } == ["correct horse"])
    }

    @Test func `stopping the service takes prompts back and does not wait for a person`() throws {
        // The service waits for all answers, so it ends only if it takes the prompt back.
        var limits = KeychainService.Limits()
        limits.stopTimeout = .seconds(3600)
        let service = try Self.connected(queue(ownDisplay: Self.display), limits: limits)
        try service.client().addPassword()
        let raw = try service.raw()
        let request = try Request<[UInt8]>.copyMatching(query(), limit: .one, returning: [.data])
        #expect(raw.send(request.frame(nonce: try raw.hello())))
        screen.waitUntilShown()
        service.stop()
        #expect(screen.interruptionCount == 1)
    }
}
