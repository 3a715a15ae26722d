// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainClient
import KeychainModel
import KeychainServer
import KeychainStore
import SecretMemory
import Synchronization
import Testing

@testable import KeychainPolicy

/// Operations that need an approval: the prompts, their content, and the effect of each answer.
struct GrantTests {
    /// A simulated user who gives the prepared answers, and counts the prompts.
    private final class Person: Sendable {
        enum Answer {
            case notAsked
            case deny
            case allow
            case alwaysAllow
        }

        private struct State {
            var answer = Answer.notAsked
            var passcode = "1234"
            var prompts: [Prompt] = []
            var meanwhile: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        var prompter: Prompter {
            Prompter { [self] prompt, _, _ in
                let meanwhile = state.withLock { state in
                    state.prompts.append(prompt)
                    return state.meanwhile
                }
                meanwhile?()
                return state.withLock { state in
                    let isYes = state.answer == .allow || state.answer == .alwaysAllow
                    guard isYes else { return state.answer == .deny ? .denied : .notAsked() }
                    guard case .confirmation(_, let needsPasscode, _) = prompt.purpose else { return .notAsked() }
                    let passcode = needsPasscode ? SecretBytes(copying: Array(state.passcode.utf8)) : nil
                    return .allowed(always: state.answer == .alwaysAllow, passcode: passcode)
                }
            }
        }

        var answer: Answer {
            get { state.withLock(\.answer) }
            set { state.withLock { $0.answer = newValue } }
        }

        /// The text that the simulated user types if the passcode is required.
        var passcode: String {
            get { state.withLock(\.passcode) }
            set { state.withLock { $0.passcode = newValue } }
        }

        var questions: [Prompt] { state.withLock(\.prompts) }

        var mayRemember: [Bool] {
            questions.map { if case .confirmation(let mayRemember, _, _) = $0.purpose { mayRemember } else { false } }
        }

        /// Of each question: whether it wants the passcode, and says that the one before was wrong.
        var passcodes: [[Bool]] {
            questions.map {
                if case .confirmation(_, let isNeeded, let wasWrong) = $0.purpose { [isNeeded, wasWrong] } else { [] }
            }
        }

        /// Sets an action that runs while the prompt is open.
        func whileThinking(_ body: (@Sendable () -> Void)?) { state.withLock { $0.meanwhile = body } }
    }

    /// Who connects next.
    private final class NextCaller: Sendable {
        private let caller: Mutex<Caller>
        init(_ caller: Caller) { self.caller = Mutex(caller) }
        func become(_ caller: Caller) { self.caller.withLock { $0 = caller } }
        var identifier: CallerIdentifier {
            CallerIdentifier { [self] _ in IdentifiedCaller(caller.withLock { $0 }) { _ in true } }
        }
    }

    private let person = Person()
    private let next: NextCaller
    private let service: RunningService

    private static func command(_ tier: CallerTier = .installed) -> Caller {
        Caller(
            userID: getuid(), processID: getpid(), tier: tier, identity: .command, accessGroups: ["chatelaine"],
            displayPath: "/usr/bin/chatelaine")
    }

    private static func mail(_ tier: CallerTier = .signed) -> Caller {
        Caller(
            userID: getuid(), processID: getpid(), tier: tier,
            identity: .signed(team: "TEAM", identifier: "org.example.mail"), accessGroups: ["TEAM.org.example.mail"],
            displayPath: "/usr/bin/mail")
    }

    init() throws {
        next = NextCaller(Self.command())
        service = try RunningService(identifier: next.identifier, prompter: person.prompter)
    }

    /// A connection of this caller's, which is made with its first request.
    private func client(_ caller: Caller) throws -> KeychainClient {
        next.become(caller)
        let client = service.client()
        _ = try client.status()
        return client
    }

    private let asked = Refusal(.interactionNotAllowed, .otherProgramsItem)
    private let denied = Refusal(.authenticationFailed, .none)
    private let changes = ItemAttributes(empty: .genericPassword)

    private static let mutt = ProgramIdentity.installed(path: "/usr/bin/mutt")

    /// Lets another program than the command read items for good.
    private func remember(_ items: [PersistentReference]) throws {
        let caller = Caller(
            userID: getuid(), processID: getpid(), tier: .installed, identity: Self.mutt, accessGroups: ["mutt"],
            displayPath: "/usr/bin/mutt")
        let question = ApprovalRequest(caller: caller, operation: .readData, items: items, because: .otherProgramsItem)
        let permission = try #require(Permission(question, isLasting: true))
        try service.store.remember(try #require(LastingGrant(permission, rules: .compatible)))
    }

    private func lastLine() throws -> [String: String] { try fields(try #require(service.auditLog.last)) }

    // MARK: Answers

    @Test func `without a user the answer comes at once, and nothing is remembered`() throws {
        defer { service.stop() }
        try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        #expect(try refusal { _ = try command.secrets(try query()) } == asked)
        #expect(try refusal { try command.update(try query(), changes: changes, secret: [1]) } == asked)
        #expect(try refusal { try command.delete(try query()) } == asked)
        #expect(try command.grants().isEmpty)
        let line = try lastLine()
        #expect(line["outcome"] == "refused" && line["reason"] == "otherProgramsItem" && line["granted-by"] == nil)
    }

    @Test func `a no is errSecAuthFailed, changes nothing and is not remembered`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        try mail.addPassword()
        let command = try client(Self.command())
        person.answer = .deny
        #expect(try refusal { _ = try command.secrets(try query()) } == denied)
        #expect(try refusal { try command.update(try query(), changes: changes, secret: [1]) } == denied)
        #expect(try refusal { try command.delete(try query()) } == denied)
        #expect(person.questions.count == 3)
        #expect(try mail.secrets(try query()) == ["correct horse"])
        #expect(try command.grants().isEmpty)
    }

    @Test func `"Allow" is for this time`() throws {
        defer { service.stop() }
        try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        person.answer = .allow
        for time in 1...2 {
            #expect(try command.secrets(try query()) == ["correct horse"])
            #expect(try lastLine()["granted-by"] == "person")
            #expect(person.questions.count == time)
        }
        for question in person.questions {
            #expect(question.operation == .readData && question.itemCount == 1)
            #expect(question.items.map(\.names.place) == ["mail"] && question.items.map(\.names.account) == ["ann"])
            #expect(question.items.map(\.otherGroup) == ["TEAM.org.example.mail"], "the command does not own it")
        }
        #expect(try command.grants().isEmpty)
    }

    @Test func `"Always Allow" is not offered for the command, and is for this time where a prompter says it`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        try mail.addPassword()
        let command = try client(Self.command())
        person.answer = .alwaysAllow
        for secret in ["one", "two"] {
            try command.update(try query(), changes: changes, secret: Array(secret.utf8))
            #expect(try lastLine()["granted-by"] == "person")
            #expect(try mail.secrets(try query()) == [secret])
            #expect(try command.secrets(try query()) == [secret])
        }
        #expect(person.questions.map(\.operation) == [.update, .readData, .update, .readData])
        try command.delete(try query())
        #expect(try lastLine()["granted-by"] == "person")
        #expect(person.mayRemember == Array(repeating: false, count: 5))
        #expect(try command.grants().isEmpty)
    }

    @Test func `a grant of another program or of the command from before does not answer for the command`() throws {
        defer { service.stop() }
        let reference = try client(Self.mail()).addPassword()
        try remember([reference])
        let command = try client(Self.command())
        person.answer = .deny
        #expect(try refusal { _ = try command.secrets(try query()) } == denied)
        #expect(try command.grants().map(\.grant.reference) == [reference])
        try client(Self.mail()).delete(try query())
        #expect(try command.grants().isEmpty, "a grant goes with its item")
    }

    @Test func `the caller's own items need no answer, and the question leaves them out`() throws {
        defer { service.stop() }
        try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        try command.addPassword(account: "own", secret: "own")
        #expect(try command.secrets(try query(account: "own")) == ["own"])
        #expect(try lastLine()["granted-by"] == "own-group")
        #expect(person.questions.isEmpty)
        person.answer = .allow
        #expect(try command.secrets(try query()).count == 2)
        #expect(person.questions.map(\.itemCount) == [1] && person.questions[0].items.map(\.names.account) == ["ann"])
        _ = try command.attributeSets(try query())
        #expect(try lastLine()["granted-by"] == "administration")
    }

    // MARK: How surely

    @Test(arguments: [CallerTier.interpreter, .unsigned])
    func `a program that is not known surely is never allowed for good`(tier: CallerTier) throws {
        defer { service.stop() }
        try client(Self.mail()).addPassword()
        let command = try client(Self.command(tier))
        person.answer = .alwaysAllow
        for time in 1...2 {
            #expect(try command.secrets(try query()) == ["correct horse"])
            #expect(person.questions.count == time)
        }
        #expect(person.mayRemember == [false, false])
        #expect(try command.grants().isEmpty)
    }

    @Test func `in strict mode a program is asked about for its own items, and never for good`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        try mail.addPassword()
        let command = try client(Self.command())
        try command.change([.requiresEnforcedCallers: 1], proof: nil)
        person.answer = .alwaysAllow
        for time in 1...2 {
            #expect(try mail.secrets(try query()) == ["correct horse"])
            #expect(person.questions.count == time)
        }
        person.answer = .deny
        #expect(try refusal { _ = try command.secrets(try query()) } == denied)
        #expect(person.mayRemember == [false, false, false])
        #expect(try client(Self.mail(.enforced)).secrets(try query()) == ["correct horse"])
        person.answer = .notAsked
        let refused = Refusal(.interactionNotAllowed, .strictMode)
        #expect(try refusal { try mail.delete(try query()) } == refused)
        #expect(try refusal { try mail.addPassword(account: "new") } == refused)
        let attributes = ReturnedParts.attributes
        #expect(
            try refusal { _ = try mail.copyMatching(try query(), limit: .all, returning: attributes) { _ in } }
                == refused)
        // The prompt about an addition names the item.
        person.answer = .allow
        try mail.addPassword(account: "new")
        let prompt = try #require(person.questions.last)
        #expect(prompt.operation == .add && prompt.items.map(\.names.account) == ["new"] && prompt.itemCount == 1)
        #expect(prompt.items.map(\.otherGroup) == [nil])
        #expect(person.mayRemember.last == false)
    }

    // MARK: While a person thinks

    @Test func `others are served meanwhile, also with the very item`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        try mail.addPassword()
        let command = try client(Self.command())
        person.answer = .allow
        let seen = Mutex<[String?]>([])
        person.whileThinking {
            // Would wait for ever if the question held the store.
            try? mail.update(
                ItemQuery(.genericPassword), changes: ItemAttributes(empty: .genericPassword),
                secret: Array("newer".utf8))
            let secrets = try? mail.secrets(ItemQuery(.genericPassword))
            seen.withLock { $0 = secrets ?? [] }
        }
        #expect(try command.secrets(try query()) == ["newer"], "what the item holds when the answer comes")
        #expect(seen.withLock { $0 } == ["newer"])
        person.whileThinking {
            try? mail.update(
                ItemQuery(.genericPassword), changes: ItemAttributes(empty: .genericPassword), secret: Array("x".utf8))
        }
        try command.update(try query(), changes: changes, secret: Array("last".utf8))
        #expect(try mail.secrets(try query()) == ["last"])
        #expect(person.questions.count == 2)
    }

    @Test func `an item that comes to match meanwhile is asked about as well, and not without end`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        try mail.addPassword(account: "0")
        let command = try client(Self.command())
        person.answer = .allow
        let count = Atomic<Int>(0)
        person.whileThinking {
            let number = count.add(1, ordering: .relaxed).newValue
            if number <= 2 { _ = try? mail.addPassword(account: "\(number)") }
        }
        #expect(try command.secrets(try query()).count == 3)
        #expect(person.questions.map(\.itemCount) == [1, 2, 3])
        person.whileThinking { _ = try? mail.addPassword(account: "\(count.add(1, ordering: .relaxed).newValue)") }
        #expect(try refusal { try command.delete(try query()) } == asked)
        #expect(person.questions.count == 6)
        #expect(try mail.secrets(try query()).count == 6)
    }

    @Test func `an item that goes meanwhile is not found, and nothing is remembered of it`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        try mail.addPassword()
        let command = try client(Self.command())
        person.answer = .alwaysAllow
        person.whileThinking { try? mail.delete(ItemQuery(.genericPassword)) }
        #expect(try refusal { _ = try command.secrets(try query()) } == Refusal(.itemNotFound, .none))
        #expect(try command.grants().isEmpty)
    }

    @Test func `a keychain that is locked meanwhile stays locked`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        try mail.addPassword()
        let command = try client(Self.command())
        try command.setPasscode(SecretBytes(copying: Array("1234".utf8)), proof: nil)
        person.answer = .allow
        person.whileThinking { try? mail.lock() }
        #expect(try refusal { _ = try command.secrets(try query()) } == Refusal(.interactionNotAllowed, .locked))
    }

    // MARK: With a passcode

    @Test func `with a passcode a yes takes it, and a wrong one is asked for again and counted`() throws {
        defer { service.stop() }
        try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        try command.setPasscode(SecretBytes(copying: Array("1234".utf8)), proof: nil)
        person.answer = .allow
        #expect(try command.secrets(try query()) == ["correct horse"])
        #expect(person.passcodes == [[true, false]])
        person.passcode = "wrong"
        person.answer = .alwaysAllow
        let wrong = Refusal(.authenticationFailed, .wrongSecret)
        #expect(try refusal { _ = try command.secrets(try query()) } == wrong)
        #expect(person.passcodes == [[true, false], [true, false], [true, true], [true, true]])
        #expect(try command.protectors().failedAttempts == 3)
        #expect(try command.grants().isEmpty)
        // After the fifth attempt the next entry must wait, and no prompt is shown whose answer would be ignored.
        let tooMany = Refusal(.authenticationFailed, .tooManyAttempts)
        for _ in 1...2 { #expect(try refusal { _ = try command.secrets(try query()) } == tooMany) }
        #expect(person.questions.count == 6)
    }

    @Test func `a no takes no passcode`() throws {
        defer { service.stop() }
        try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        try command.setPasscode(SecretBytes(copying: Array("1234".utf8)), proof: nil)
        person.answer = .deny
        #expect(try refusal { _ = try command.secrets(try query()) } == denied)
        #expect(try command.protectors().failedAttempts == 0)
    }

    @Test func `a yes from before the passcode was set is asked for again`() throws {
        defer { service.stop() }
        try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        let other = try client(Self.command())
        person.answer = .allow
        person.whileThinking { try? other.setPasscode(SecretBytes(copying: Array("1234".utf8)), proof: nil) }
        #expect(try command.secrets(try query()) == ["correct horse"])
        #expect(person.passcodes == [[false, false], [true, false]])
    }

    // MARK: Looking and taking back

    @Test func `grants are taken back by number, by program and all at once, and leave a line`() throws {
        defer { service.stop() }
        let reference = try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        try remember([reference])
        #expect(try command.revokeGrants(.number(1)) == 1)
        let line = try lastLine()
        #expect(line["action"] == "revoke-grants" && line["outcome"] == "granted")
        #expect(try refusal { _ = try command.revokeGrants(.number(1)) } == Refusal(.itemNotFound, .noSuchGrant))
        #expect(
            try refusal { _ = try command.revokeGrants(.program(.installed(path: "/p"))) }
                == Refusal(.itemNotFound, .noSuchGrant))
        #expect(try command.revokeGrants(.all) == 0)
        try remember([reference])
        let grant = try #require(try command.grants().first)
        #expect(grant.grant.number == 2 && grant.grant.identity == Self.mutt && grant.grant.tier == .installed)
        #expect(grant.grant.operation == .readData && grant.names?.place == "mail" && grant.names?.account == "ann")
        #expect(try command.revokeGrants(.program(Self.mutt)) == 1)
    }

    @Test func `other programs neither see grants nor take them back`() throws {
        defer { service.stop() }
        let refused = Refusal(.missingEntitlement, .administrationOnly)
        let nobody = Caller.unidentified(userID: getuid(), processID: 1, displayPath: "", .notInspectable)
        for caller in [Self.mail(), Self.mail(.enforced), nobody] {
            let refused =
                caller == nobody ? Refusal(.missingEntitlement, .unidentifiedCaller) : refused
            let client = try client(caller)
            #expect(try refusal { _ = try client.grants() } == refused)
            for selection in [GrantSelection.number(1), .all, .program(.command)] {
                #expect(try refusal { _ = try client.revokeGrants(selection) } == refused)
            }
        }
    }

    @Test func `while locked the grants are listed without names, and can be taken back`() throws {
        defer { service.stop() }
        let reference = try client(Self.mail()).addPassword()
        let command = try client(Self.command())
        try remember([reference])
        try command.setPasscode(SecretBytes(copying: Array("1234".utf8)), proof: nil)
        #expect(try command.grants().map(\.names?.place) == ["mail"])
        try command.lock()
        #expect(try command.grants().map(\.names) == [nil])
        #expect(try command.revokeGrants(.number(1)) == 1)
    }

    @Test func `more grants than fit one answer are all listed`() throws {
        defer { service.stop() }
        let mail = try client(Self.mail())
        var references: [PersistentReference] = []
        for number in 0..<300 { references.append(try mail.addPassword(account: "\(number)")) }
        try remember(references)
        let command = try client(Self.command())
        person.answer = .allow
        #expect(try command.secrets(try query()).count == 300)
        #expect(person.questions.map(\.itemCount) == [300] && person.questions.map(\.items.count) == [8])
        let grants = try command.grants()
        #expect(grants.map(\.grant.number) == Array(1...300))
        #expect(Set(grants.compactMap(\.names?.account)).count == 300)
    }
}
