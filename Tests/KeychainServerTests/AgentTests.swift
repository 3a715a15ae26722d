// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import KeychainHelperWire
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainServer
import KeychainWire
import SecretMemory
import Synchronization
import Testing

/// The service's side of the agent protocol. The test sends the agent's messages.
final class AgentTests {
    /// Who connects next, and whether they still are who they were.
    private final class Peers: Sendable {
        private let state = Mutex((isAgent: true, isSame: true, display: PromptDisplay?.none))
        var isAgent: Bool {
            get { state.withLock { $0.isAgent } }
            set { state.withLock { $0.isAgent = newValue } }
        }
        func become(another: Bool) { state.withLock { $0.isSame = !another } }
        func setDisplay(_ display: PromptDisplay?) { state.withLock { $0.display = display } }

        var identifier: CallerIdentifier {
            CallerIdentifier { [self] _ in
                let place = CallerLocation { [self] in PromptLocation(display: state.withLock { $0.display }) }
                return IdentifiedCaller(RunningService.program, place: place, isAgent: isAgent) { [self] _ in
                    state.withLock { $0.isSame }
                }
            }
        }
    }

    private static let impatient: PromptQueue.Limits = {
        var limits = PromptQueue.Limits()
        (limits.patience, limits.grace) = (.milliseconds(300), .zero)
        return limits
    }()

    private let peers = Peers()
    private let service: RunningService
    private let agents: PromptAgents
    private let prompter: Prompter

    private static let terminal = CallerLocation { PromptLocation(terminal: "/dev/pts/1") }
    private static let user = RunningService.program.userID

    init() throws {
        agents = PromptAgents(clock: .live)
        prompter = agents.prompter(for: Self.user)
        service = try RunningService(identifier: peers.identifier, source: { [agents] in .one($0, agents: agents) })
    }

    deinit { service.stop() }

    private static func prompt(_ purpose: Prompt.Purpose) -> Prompt {
        Prompt(
            purpose, caller: RunningService.program, operation: .readData,
            items: [
                PromptedItem(
                    ItemNames(itemClass: .genericPassword, label: "Mail", place: "example.org", account: "ann"))
            ])
    }

    private static let passcode = prompt(.passcode(wasWrong: false))
    private static let confirmation = prompt(.confirmation(mayRemember: false, needsPasscode: true))

    /// An agent that the service has taken.
    private final class Agent {
        let client: RawClient
        let nonce: [UInt8]

        init(_ service: RunningService) throws {
            client = try service.raw()
            nonce = try client.hello()
            client.send(Request<[UInt8]>.agent.frame(nonce: nonce))
            #expect(try client.answer() == nil)
        }

        func question() throws -> (number: UInt32, request: PromptRequest) {
            let question = try AgentQuestion(try #require(try client.receive()))
            return (question.number, try PromptRequest(question.prompt))
        }

        func answer(_ number: UInt32, _ reply: PromptReply, secret: String? = nil) {
            client.send(
                AgentAnswer.frame(to: number, reply: reply.frame(secret: secret.map { Array($0.utf8) }), nonce: nonce))
        }
    }

    /// A request that is sent on another thread.
    private final class Asked: Sendable {
        private let answer = Mutex<PromptAnswer?>(nil)
        private let done = DispatchSemaphore(value: 0)

        init(
            _ prompter: Prompter, _ prompt: Prompt, for place: CallerLocation = AgentTests.terminal,
            _ withdrawal: Withdrawal? = nil
        ) {
            let isStarted = SystemThread.start { [self] in
                let given = prompter.ask(prompt, for: place, withdrawal: withdrawal)
                answer.withLock { $0 = given }
                done.signal()
            }
            #expect(isStarted)
        }

        /// Returns its result as a text.
        func wait() -> String {
            done.wait()
            return switch answer.withLock({ $0 }) {
            case .notAsked(let reason): "not asked: \(reason)"
            case .cancelled: "cancelled"
            case .timedOut: "timed out"
            case .fallback: "fallback"
            case .denied: "denied"
            case .allowed(let always, let passcode): (always ? "always " : "allowed ") + Self.text(passcode)
            case .secret(let secret): "secret " + Self.text(secret)
            case nil: "nothing"
            }
        }

        private static func text(_ secret: SecretBytes?) -> String {
            secret.map { String(decoding: Array($0.bytes), as: UTF8.self) } ?? "-"
        }
    }

    private func asked(_ prompt: Prompt = passcode, _ withdrawal: Withdrawal? = nil) -> Asked {
        Asked(prompter, prompt, for: Self.terminal, withdrawal)
    }

    // MARK: Asking

    @Test func `what an agent says is the answer, and the question has all that a person should know`() throws {
        let agent = try Agent(service)
        let asked = asked()
        let (number, request) = try agent.question()
        #expect(number == 1)
        #expect(request.purpose == .passcode && request.place.terminal == "/dev/pts/1")
        #expect(request.items.map(\.account.text) == ["ann"] && request.program.path.text == "/test")
        agent.answer(number, .secret(0..<0), secret: "pässcode")
        #expect(asked.wait() == "secret pässcode")

        let second = self.asked(Self.confirmation)
        let next = try agent.question()
        #expect(next.number == 2 && next.request.options == .needsPasscode)
        agent.answer(2, .allowed(always: false, passcode: nil), secret: "1234")
        #expect(second.wait() == "allowed 1234")
        let third = self.asked(Self.confirmation)
        agent.answer(try agent.question().number, .denied)
        #expect(third.wait() == "denied")
    }

    @Test func `without an agent there is no prompt, and the caller is told so at once`() throws {
        // A prompt that waited for an agent would time out instead.
        #expect(asked().wait() == "not asked: none")
        #expect(asked(Self.confirmation).wait() == "not asked: none")
        let agent = try Agent(service)
        agent.client.endSending()
        #expect(agent.client.waitForHangUp())
        #expect(asked().wait() == "not asked: none")
    }

    @Test func `an agent has the questions of its own user, and no others`() throws {
        let agent = try Agent(service)
        let other = Asked(agents.prompter(for: Self.user + 1), Self.passcode)
        #expect(other.wait() == "not asked: none")
        let own = asked()
        agent.answer(try agent.question().number, .cancelled)
        #expect(own.wait() == "cancelled")
    }

    @Test func `the newest agent is asked, and the one before it where that cannot ask or is gone`() throws {
        let (older, newer) = (try Agent(service), try Agent(service))
        var asked = asked()
        let (number, _) = try newer.question()
        newer.client.send(
            AgentAnswer.frame(to: number, reply: HelperRefusal(reason: "no").frame, nonce: newer.nonce))
        older.answer(try older.question().number, .secret(0..<0), secret: "a")
        #expect(asked.wait() == "secret a")
        asked = self.asked()
        _ = try newer.question()
        newer.client.endSending()
        older.answer(try older.question().number, .secret(0..<0), secret: "b")
        #expect(asked.wait() == "secret b")
    }

    @Test func `the oldest of too many agents gives way, and is told so`() throws {
        let four = try (0..<4).map { _ in try Agent(service) }
        let fifth = try Agent(service)
        #expect(try four[0].client.refusal() == Refusal(.notAvailable, .tooManyConnectionsOfUser))
        #expect(four[0].client.waitForHangUp())
        let asked = asked()
        fifth.answer(try fifth.question().number, .cancelled)
        #expect(asked.wait() == "cancelled")
    }

    @Test func `the display of an agent is asked on, but a yes counts there with the passcode only`() throws {
        peers.setDisplay(PromptDisplay(x11: ":5", wayland: nil))
        let agent = try Agent(service)
        let nowhere = CallerLocation { .nowhere }
        let asked = Asked(prompter, Self.confirmation, for: nowhere)
        let (number, request) = try agent.question()
        #expect(request.place.display?.x11 == ":5")
        agent.answer(number, .allowed(always: false, passcode: nil), secret: "1234")
        #expect(asked.wait() == "allowed 1234")
        let withoutPasscode = Self.prompt(.confirmation(mayRemember: true, needsPasscode: false))
        #expect(Asked(prompter, withoutPasscode, for: nowhere).wait() == "not asked: passcodeNeededToAsk")
        #expect(Asked(prompter, withoutPasscode, for: Self.terminal).wait() == "not asked: passcodeNeededToAsk")
    }

    // MARK: Taken back

    @Test func `the agent is told about a withdrawn prompt, and a late answer to it is ignored`() throws {
        let agent = try Agent(service)
        let withdrawal = try #require(Withdrawal())
        let asked = asked(Self.confirmation, withdrawal)
        let (number, _) = try agent.question()
        withdrawal.withdraw()
        #expect(asked.wait() == "cancelled")
        #expect(try AgentWithdrawal(try #require(try agent.client.receive())).number == number)
        let next = self.asked(Self.confirmation)
        let (second, _) = try agent.question()
        agent.answer(number, .allowed(always: false, passcode: nil), secret: "late")
        agent.answer(second, .denied)
        #expect(next.wait() == "denied")
    }

    @Test func `an agent that is silent loses its connection, and does not delay the next question`() throws {
        let older = try Agent(service)
        let silent = try Agent(service)
        #expect(Asked(agents.prompter(for: Self.user, limits: Self.impatient), Self.passcode).wait() == "timed out")
        #expect(silent.client.waitForHangUp())
        let asked = asked()
        older.answer(try older.question().number, .secret(0..<0), secret: "a")
        #expect(asked.wait() == "secret a")
    }

    // MARK: Lies

    enum Lie: CaseIterable {
        case noReply, otherReply, withoutPasscode, alwaysWhereNotOffered, neverAsked, wrongNonce, otherRequest,
            trailing,
            truncated, tooLong
    }

    @Test(arguments: Lie.allCases)
    func `an agent that breaks a rule has said nothing and loses its connection`(_ lie: Lie) throws {
        let agent = try Agent(service)
        let asked = asked(Self.confirmation)
        let (number, _) = try agent.question()
        func answer(
            _ reply: [UInt8], to other: UInt32? = nil, nonce: [UInt8]? = nil
        ) -> [UInt8] {
            AgentAnswer.frame(to: other ?? number, reply: reply, nonce: nonce ?? agent.nonce)
        }
        let yes = PromptReply.allowed(always: false, passcode: nil)
        let right = answer(yes.frame(secret: Array("1234".utf8)))
        let frame: [UInt8] =
            switch lie {
            case .noReply: answer([1, 2, 3])
            case .otherReply: answer(PromptReply.secret(0..<0).frame(secret: [1]))
            case .withoutPasscode: answer(yes.frame)
            case .alwaysWhereNotOffered: answer(PromptReply.allowed(always: true, passcode: nil).frame(secret: [1]))
            case .neverAsked: answer(PromptReply.denied.frame, to: number + 1)
            case .wrongNonce: answer(PromptReply.denied.frame, nonce: [UInt8](repeating: 0, count: 16))
            case .otherRequest: Request<[UInt8]>.status.frame(nonce: agent.nonce)
            case .trailing: [UInt8](right[..<7]) + [right[7] + 1] + right[8...] + [0]
            case .truncated: [1, 0x29, 0, 0, 0, 0, 0, 1, 0]
            case .tooLong: [1, 0x29, 0, 0, 0xFF, 0, 0, 0]
            }
        agent.client.send(frame)
        #expect(asked.wait() == "not asked: none")
        #expect(agent.client.waitForHangUp())
    }

    @Test func `a second answer to a question ends the connection`() throws {
        let agent = try Agent(service)
        let asked = asked()
        let (number, _) = try agent.question()
        agent.answer(number, .secret(0..<0), secret: "a")
        #expect(asked.wait() == "secret a")
        agent.answer(number, .secret(0..<0), secret: "b")
        #expect(agent.client.waitForHangUp())
    }

    @Test func `an agent that floods loses its connection`() throws {
        let agent = try Agent(service)
        let asked = asked()
        _ = try agent.question()
        let flood = [UInt8](repeating: 0xAA, count: 1 << 20)
        for _ in 0..<32 where agent.client.send(flood) {}
        #expect(asked.wait() == "not asked: none")
        #expect(!agent.client.send(flood) || agent.client.waitForHangUp())
    }

    @Test func `an agent that became another program has said nothing`() throws {
        let agent = try Agent(service)
        let asked = asked()
        let (number, _) = try agent.question()
        peers.become(another: true)
        agent.answer(number, .secret(0..<0), secret: "a")
        #expect(asked.wait() == "not asked: none")
        #expect(agent.client.waitForHangUp())
    }

    // MARK: Who may

    @Test func `a program that is not the agent is refused, with a line in the log, and served otherwise`() throws {
        peers.isAgent = false
        let client = try service.raw()
        let nonce = try client.hello()
        client.send(Request<[UInt8]>.agent.frame(nonce: nonce))
        #expect(try client.refusal() == Refusal(.missingEntitlement, .agentOnly))
        client.send(Request<[UInt8]>.status.frame(nonce: nonce))
        #expect(try client.answer() == nil)
        #expect(asked().wait() == "not asked: none")
        #expect(service.auditLog.contains { $0.contains("\"ask-people\"") && $0.contains("refused") })
    }

    @Test func `the agent may ask people and nothing else`() throws {
        let client = try service.raw()
        let nonce = try client.hello()
        client.send(Request<[UInt8]>.status.frame(nonce: nonce))
        #expect(try client.refusal() == Refusal(.missingEntitlement, .agentOnly))
        #expect(client.waitForHangUp())
    }

    @Test func `only the installed agent, and only where the kernel shields it, may ask people`() {
        for tier in CallerTier.allCases {
            let caller = Caller(
                userID: 7, processID: 1, tier: tier, identity: .installed(path: "/usr/bin/chatelaine-agent"),
                accessGroups: [], displayPath: "/usr/bin/chatelaine-agent")
            #expect(ProgramRules.mayAskPeople(caller, isInstalledAgent: true) == (tier == .enforced))
            #expect(!ProgramRules.mayAskPeople(caller, isInstalledAgent: false))
        }
    }

    @Test func `a service that stops sends its agents away, and who waits for an answer gets none`() throws {
        let agent = try Agent(service)
        let asked = asked()
        _ = try agent.question()
        service.tellToStop()
        #expect(asked.wait() == "not asked: none")
        #expect(agent.client.waitForHangUp())
        #expect(service.ended() == .told)
    }
}
