// SPDX-License-Identifier: Apache-2.0

import KeychainModel
@testable import KeychainPolicy
import Testing

/// Which answers turn a question into a grant, and which are remembered.
struct PermissionTests {
    private typealias Operation = KeychainPolicy.Operation

    private static func item(_ number: UInt128) -> PersistentReference {
        PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: number))
    }

    private static func command(_ tier: CallerTier) -> Caller {
        Caller(
            userID: 1000, processID: 8, tier: tier, identity: .command, accessGroups: ["chatelaine"],
            displayPath: "/bin/chatelaine")
    }

    private static func facts(_ numbers: [UInt128], group: String? = nil) -> [ItemFacts] {
        numbers.map { ItemFacts(accessGroup: group, accessibility: .always, reference: item($0)) }
    }

    private func judge(
        _ caller: Caller, _ operation: KeychainPolicy.Operation, _ items: [ItemFacts], _ permission: Permission? = nil,
        rules: AccessRules = .compatible, lockState: LockState = .noPasscode
    ) -> (rule: GrantRule?, question: ApprovalRequest?, refusal: Refusal?) {
        switch AccessPolicy.judge(
            caller, operation, items: items, lockState: lockState, rules: rules,
            evidence: Evidence(permissions: permission.map { [$0] } ?? []))
        {
        case .grant(let grant): (grant.rule, nil, nil)
        case .ask(let question): (nil, question, nil)
        case .authenticate: (nil, nil, nil)
        case .refuse(let refusal): (nil, nil, refusal)
        }
    }

    private func question(
        _ tier: CallerTier = .installed, _ operation: KeychainPolicy.Operation = .readData, _ items: [UInt128] = [1]
    ) throws -> ApprovalRequest {
        try #require(judge(Self.command(tier), operation, Self.facts(items)).question)
    }

    private static let mail = ProgramIdentity.installed(path: "/usr/bin/mail")

    /// About another program than the command.
    private static func mailsQuestion(
        _ tier: CallerTier = .installed, _ operation: KeychainPolicy.Operation = .readData, _ items: [UInt128] = [1]
    ) -> ApprovalRequest {
        let caller = Caller(
            userID: 1000, processID: 9, tier: tier, identity: mail, accessGroups: ["installed:/usr/bin/mail"],
            displayPath: "/usr/bin/mail")
        return ApprovalRequest(
            caller: caller, operation: operation, items: items.map(item), because: .otherProgramsItem)
    }

    private static func grant(
        _ item: UInt128 = 1, _ identity: ProgramIdentity = mail, tier: CallerTier = .installed,
        _ operation: GrantableOperation = .readData, _ itemClass: ItemClass = .genericPassword
    ) -> RememberedGrant {
        RememberedGrant(
            number: 1, identity: identity, tier: tier, operation: operation, itemClass: itemClass,
            item: ItemIdentifier(value: item), date: Timestamp(secondsSinceReferenceDate: 0))
    }

    private static func lastingGrant(_ question: ApprovalRequest, _ rules: AccessRules) -> LastingGrant? {
        Permission(question, isLasting: true).flatMap { LastingGrant($0, rules: rules) }
    }

    private let strict = AccessRules(requiresEnforcedCallers: true)

    // MARK: Questions

    @Test func `a question names the items of others and leaves the caller's own out`() throws {
        let items = Self.facts([1]) + Self.facts([2], group: "chatelaine") + Self.facts([3], group: "elsewhere")
        let question = try #require(judge(Self.command(.installed), .update, items).question)
        #expect(question.items == [Self.item(1), Self.item(3)])
        #expect(question.because == .otherProgramsItem)
    }

    @Test func `in strict mode a question names all items, own ones as well`() throws {
        let items = Self.facts([1, 2], group: "a")
        let question = try #require(judge(.program(["a"], tier: .signed), .readData, items, rules: strict).question)
        #expect(question.items == [Self.item(1), Self.item(2)])
        #expect(question.because == .strictMode)
    }

    @Test func `each grant says by which rule`() throws {
        let command = Self.command(.installed)
        #expect(judge(.program(["a"]), .readData, Self.facts([1], group: "a")).rule == .ownGroup)
        #expect(judge(command, .readData, Self.facts([1], group: "chatelaine")).rule == .ownGroup)
        #expect(judge(command, .readAttributes, Self.facts([1])).rule == .administration)
        let question = try question()
        #expect(judge(command, .readData, Self.facts([1]), Permission(question)).rule == .person)
        let remembered = Permission(Self.mailsQuestion(), rememberedBy: [Self.grant()], rules: .compatible)
        #expect(remembered?.rule == .rememberedGrant)
    }

    // MARK: A person's answer

    @Test func `a request without an answer is refused with its reason, and a denied one without`() throws {
        let question = try question()
        #expect(question.refusalIfUnanswered() == Refusal(.interactionNotAllowed, .otherProgramsItem))
        #expect(question.refusalIfUnanswered(.tooManyPrompts) == Refusal(.interactionNotAllowed, .tooManyPrompts))
        #expect(question.refusalIfDenied == Refusal(.authenticationFailed, .none))
    }

    @Test func `a permission is for the caller, the operation and the items that were asked about, and no others`()
        throws
    {
        let permission = Permission(try question(.installed, .readData, [1, 2]))
        let command = Self.command(.installed)
        #expect(judge(command, .readData, Self.facts([1, 2]), permission).rule == .person)
        #expect(judge(command, .readData, Self.facts([2]), permission).rule == .person)
        #expect(judge(command, .readData, Self.facts([1, 2, 3]), permission).question?.items.count == 3)
        #expect(judge(command, .update, Self.facts([1]), permission).question != nil)
        #expect(judge(command, .delete, Self.facts([1]), permission).question != nil)
        #expect(judge(Self.command(.unsigned), .readData, Self.facts([1]), permission).question != nil)
    }

    @Test func `a permission does not unlock, and gives a program nothing of another's`() throws {
        let permission = Permission(try question())
        let locked = [ItemFacts(accessGroup: nil, accessibility: .whenUnlocked, reference: Self.item(1))]
        #expect(
            judge(Self.command(.installed), .readData, locked, permission, lockState: .locked).refusal
                == Refusal(.interactionNotAllowed, .locked))
        #expect(judge(.program(["a"]), .readData, Self.facts([1]), permission).refusal != nil)
    }

    @Test func `a row that cannot be named is asked about by its number, and covered by no other row's answer`() throws
    {
        let row = PersistentReference(itemClass: .genericPassword, row: 7)
        let damaged = [ItemFacts(accessGroup: nil, accessibility: .always, reference: row)]
        let command = Self.command(.installed)
        let question = try #require(judge(command, .delete, damaged).question)
        #expect(question.items == [row])
        #expect(judge(command, .delete, damaged, Permission(question)).rule == .person)
        let other = Permission(try self.question(.installed, .delete, [7]))
        #expect(judge(command, .delete, damaged, other).question != nil)
        #expect(
            Permission(question, rememberedBy: [Self.grant(7, tier: .installed, .delete)], rules: .compatible)
                == nil)
    }

    // MARK: Remembered grants

    @Test(arguments: [false, true], CallerTier.allCases)
    func `grants answer only for callers known surely enough, and in strict mode only for enforced ones`(
        isStrict: Bool, tier: CallerTier
    ) throws {
        let rules = AccessRules(requiresEnforcedCallers: isStrict)
        let question = Self.mailsQuestion(tier)
        let mayHold = isStrict ? tier == .enforced : tier >= .installed
        #expect(question.canBeRemembered(rules) == mayHold)
        let grant = Self.grant(tier: .unidentified)
        #expect((Permission(question, rememberedBy: [grant], rules: rules) != nil) == mayHold)
        #expect((Self.lastingGrant(question, rules) != nil) == mayHold)
    }

    @Test(arguments: [CallerTier.installed, .signed, .enforced])
    func `no grant answers for the command, which every program can run, and none is made`(tier: CallerTier) throws {
        let question = try question(tier)
        #expect(!question.canBeRemembered(.compatible))
        #expect(
            Permission(question, rememberedBy: [Self.grant(1, .command)], rules: .compatible) == nil,
            "nor one from before that rule")
        #expect(Self.lastingGrant(question, .compatible) == nil)
        #expect(Permission(question, isLasting: true)?.rule == .person, "the answer counts this time")
    }

    @Test(arguments: [
        "/usr/bin/secret-tool", "/usr/bin/busctl", "/usr/bin/gdbus", "/usr/bin/dbus-send", "/usr/bin/socat",
        "/usr/local/bin/secret-tool", "/usr/bin/secret-tool (deleted)", "/usr/bin/pinentry", "/usr/bin/pinentry-gnome3",
        "/usr/lib/git-core/git-credential-libsecret", "/usr/bin/docker-credential-secretservice",
        "/usr/libexec/chatelaine-secrets-import",
    ])
    func `no grant answers for a general client, which every program can run, and none is made`(path: String) throws {
        let identity = ProgramIdentity.installed(path: path)
        for tier in [CallerTier.installed, .enforced] {
            let caller = Caller(
                userID: 1000, processID: 9, tier: tier, identity: identity, accessGroups: ["installed:" + path],
                displayPath: path,
                bridge: Bridge(displayPath: "/usr/libexec/chatelaine-secrets", processID: 3, processStart: 30))
            let question = ApprovalRequest(
                caller: caller, operation: .readData, items: [Self.item(1)], because: .otherProgramsItem)
            #expect(!question.canBeRemembered(.compatible))
            #expect(
                Permission(question, rememberedBy: [Self.grant(1, identity)], rules: .compatible) == nil,
                "nor one from before that rule")
            #expect(Self.lastingGrant(question, .compatible) == nil)
            let answer = try #require(Permission(question, isLasting: true))
            #expect(HeldApproval(answer) != nil, "the answer counts until the process ends")
        }
    }

    @Test func `a program that only looks like a general client holds grants, and a team is responsible for its own`() {
        for path in [
            "/usr/bin/secret-tools", "/usr/bin/secret-tool/mail", "/usr/bin/pinentryx", "/usr/bin/sshfs",
        ] {
            #expect(!ProgramIdentity.installed(path: path).actsForEveryProgram)
        }
        #expect(!ProgramIdentity.signed(team: "TEAM", identifier: "secret-tool").actsForEveryProgram)
        #expect(ProgramIdentity.command.actsForEveryProgram)
    }

    @Test(arguments: CallerTier.allCases, CallerTier.allCases)
    func `a grant does not count where the program is less surely known than when it was given`(
        then: CallerTier, now: CallerTier
    ) throws {
        let permission = Permission(
            Self.mailsQuestion(now), rememberedBy: [Self.grant(tier: then)], rules: .compatible)
        #expect((permission != nil) == (now >= .installed && then <= now))
    }

    @Test func `a grant is for one program, one operation and one item of one class`() throws {
        let question = Self.mailsQuestion()
        for other in [
            Self.grant(1, .installed(path: "/usr/bin/mai")), Self.grant(1, .signed(team: "t", identifier: "i")),
            Self.grant(1, .unsigned(digest: [1])), Self.grant(1, .command), Self.grant(1, .unidentified), Self.grant(2),
            Self.grant(1, tier: .installed, .update), Self.grant(1, tier: .installed, .delete),
            Self.grant(1, tier: .installed, .readData, .internetPassword),
        ] {
            #expect(Permission(question, rememberedBy: [other], rules: .compatible) == nil)
            #expect(Permission(question, rememberedBy: [other, Self.grant()], rules: .compatible) != nil)
        }
    }

    @Test func `programs are the same only to the last byte`() {
        let (composed, decomposed) = ("/bin/\u{E9}", "/bin/e\u{301}")
        let programs: [ProgramIdentity] = [
            .unidentified, .command, .installed(path: composed), .installed(path: decomposed),
            .signed(team: "T", identifier: "i"), .signed(team: "T", identifier: "I"),
            .signed(team: "t", identifier: "i"),
            .unsigned(digest: [1]), .unsigned(digest: [2]),
        ]
        for (place, one) in programs.enumerated() {
            for (otherPlace, other) in programs.enumerated() {
                #expect(one.isExactly(other) == (place == otherPlace), "\(one), \(other)")
            }
        }
    }

    @Test func `every item needs a grant of its own`() throws {
        let question = Self.mailsQuestion(.signed, .delete, [1, 2])
        let (one, two) = (
            Self.grant(1, tier: .installed, .delete), Self.grant(2, tier: .installed, .delete)
        )
        #expect(Permission(question, rememberedBy: [one], rules: .compatible) == nil)
        #expect(Permission(question, rememberedBy: [two, two], rules: .compatible) == nil)
        #expect(Permission(question, rememberedBy: [two, one], rules: .compatible) != nil)
        #expect(Permission(question, rememberedBy: [], rules: .compatible) == nil)
    }

    // MARK: Remembering

    @Test func `only "Always Allow" is remembered, with the program, how surely it was known, and all items`() throws {
        let question = Self.mailsQuestion(.signed, .update, [1, 2])
        let once = try #require(Permission(question))
        #expect(LastingGrant(once, rules: .compatible) == nil)
        let lasting = try #require(Self.lastingGrant(question, .compatible))
        #expect(lasting.identity == Self.mail && lasting.tier == .signed && lasting.operation == .update)
        #expect(lasting.items == [Self.item(1), Self.item(2)])
    }

    @Test func `a program of an untrusted team holds no grant, and a program of a trusted team does`() throws {
        let rules = AccessRules([:], teams: ["KNOWN"])
        for (team, mayHold) in [("KNOWN", true), ("UNKNOWN", false), ("known", false)] {
            for tier in [CallerTier.signed, .enforced] {
                let identity = ProgramIdentity.signed(team: team, identifier: "org.example.mail")
                let caller = rules.applied(
                    to: Caller(
                        userID: 1000, processID: 9, tier: tier, identity: identity, accessGroups: ["g"],
                        displayPath: "/usr/bin/mail"))
                #expect(caller.isOfKnownTeam == mayHold)
                let question = ApprovalRequest(
                    caller: caller, operation: .readData, items: [Self.item(1)], because: .otherProgramsItem)
                #expect(question.canBeRemembered(rules) == mayHold)
                #expect((Self.lastingGrant(question, rules) != nil) == mayHold)
                let grant = Self.grant(1, identity, tier: .signed)
                #expect((Permission(question, rememberedBy: [grant], rules: rules) != nil) == mayHold)
            }
        }
        #expect(AccessRules.strictest.trustedTeams.isEmpty)
    }

    @Test func `what can be remembered has the number of its operation`() {
        for operation in GrantableOperation.allCases {
            #expect(operation.operation.rawValue == operation.rawValue)
            #expect(operation.operation.name == operation.name)
        }
        #expect(
            GrantRule.allCases.map(\.rawValue) == [
                "own-group", "administration", "remembered-grant", "person", "access-object", "file-keychain",
                "bridge-listing", "bridges-learn", "bridges-open", "client-approval",
            ])
    }
}
