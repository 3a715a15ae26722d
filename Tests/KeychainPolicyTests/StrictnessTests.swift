// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// The access rights if the owner, or a client, requires more than the default; and the group of tokens.
struct StrictnessTests {
    private static let entitled = Caller(
        userID: 1000, processID: 7, tier: .signed, identity: .signed(team: "T", identifier: "app"),
        accessGroups: ["T.shared", "com.apple.token"], hasEntitledGroups: true, displayPath: "/bin/p")

    private static func caller(_ tier: CallerTier) -> Caller {
        Caller(
            userID: 1000, processID: 7, tier: tier, identity: .installed(path: "/bin/p"), accessGroups: ["a"],
            displayPath: "/bin/p")
    }

    private func verdict(
        _ caller: Caller, _ operation: KeychainPolicy.Operation, _ rules: AccessRules
    ) -> JudgementTests.Verdict {
        JudgementTests.Verdict(
            AccessPolicy.judge(
                caller, operation,
                items: [ItemFacts(accessGroup: caller.accessGroups[0], accessibility: .whenUnlocked)],
                lockState: .unlocked, rules: rules))
    }

    @Test(arguments: CallerTier.allCases.filter { $0 != .unidentified })
    func `in strict mode only enforced callers use items without an approval`(tier: CallerTier) {
        let rules = AccessRules(requiresEnforcedCallers: true)
        let caller = Self.caller(tier)
        for operation in [.add, .probe, .readAttributes, .readData, .update, .delete, .useKey]
            as [KeychainPolicy.Operation]
        {
            guard case .ask(let question) = verdict(caller, operation, rules) else {
                #expect(tier == .enforced)
                continue
            }
            #expect(tier != .enforced)
            #expect(question.because == .strictMode)
            #expect(question.operation == operation)
        }
        #expect(verdict(caller, .match, rules) == .grant(.match), "gives the caller nothing")
    }

    @Test(arguments: CallerTier.allCases.filter { $0 != .unidentified })
    func `in keychain files strict mode requires an approval for the same operations`(tier: CallerTier) throws {
        let rules = AccessRules(requiresEnforcedCallers: true)
        let policy = ItemPolicy(.accessObjects, .unlocked, rules)
        let caller = Self.caller(tier)
        let item = PersistentReference(
            itemClass: .certificate, item: try #require(ItemIdentifier(bytes: [UInt8](repeating: 1, count: 16))))
        let facts = [
            ItemFacts(
                accessGroup: FileKeychainPolicy.group, accessibility: FileKeychainPolicy.accessibility, reference: item)
        ]
        for operation in [.add, .probe, .readAttributes, .update, .delete] as [KeychainPolicy.Operation] {
            guard case .ask(let question) = JudgementTests.Verdict(policy.judge(caller, operation, facts)) else {
                #expect(tier == .enforced)
                continue
            }
            #expect(tier != .enforced)
            #expect(question.refusalIfUnanswered() == Refusal(.interactionNotAllowed, .strictMode))
            #expect(!question.canBeRemembered(rules))
            let evidence = Evidence(permissions: [try #require(Permission(question))])
            #expect(policy.judge(caller, operation, facts, evidence: evidence).rule == .person)
        }
        #expect(JudgementTests.Verdict(policy.judge(caller, .match, facts)) == .grant(.match))
        // A certificate has no access object.
        let certificate = GuardedItem(itemClass: .certificate, reference: item, access: nil)
        let rule = policy.judge(caller, .readData, keyUse: nil, guarded: [certificate], evidence: .none).rule
        #expect(rule == (tier == .enforced ? .fileKeychain : nil))
    }

    @Test func `in strict mode an approval of an addition is an answer to that addition alone`() throws {
        let rules = AccessRules(requiresEnforcedCallers: true)
        func decision(_ operation: KeychainPolicy.Operation, _ caller: Caller, _ permission: Permission?) -> Decision {
            AccessPolicy.judge(
                caller, operation, items: [ItemFacts(accessGroup: "a", accessibility: .whenUnlocked)],
                lockState: .unlocked, rules: rules, evidence: Evidence(permissions: permission.map { [$0] } ?? []))
        }
        guard case .ask(let question) = decision(.add, Self.caller(.signed), nil) else {
            Issue.record("not asked about")
            return
        }
        let permission = try #require(Permission(question))
        #expect(decision(.add, Self.caller(.signed), permission).rule == .person)
        #expect(decision(.add, Self.caller(.installed), permission).rule == nil, "of another caller")
        #expect(decision(.readData, Self.caller(.signed), permission).rule == nil)
    }

    @Test func `in strict mode nothing is counted in an explanation for callers that are not enforced`() throws {
        let strict = AccessRules(requiresEnforcedCallers: true)
        for tier in [CallerTier.unsigned, .installed, .signed] {
            #expect(throws: Refusal(.interactionNotAllowed, .strictMode)) {
                try AccessPolicy.checkExplanation(for: Self.caller(tier), rules: strict)
            }
            try AccessPolicy.checkExplanation(for: Self.caller(tier), rules: .compatible)
        }
        try AccessPolicy.checkExplanation(for: Self.caller(.enforced), rules: strict)
    }

    @Test func `a locked item is refused in strict mode as well, without a prompt`() {
        let decision = AccessPolicy.judge(
            Self.caller(.signed), .readData, items: [ItemFacts(accessGroup: "a", accessibility: .whenUnlocked)],
            lockState: .locked, rules: .strictest)
        #expect(JudgementTests.Verdict(decision) == .refuse(Refusal(.interactionNotAllowed, .locked)))
    }

    @Test func `where entitlements are demanded, the group that a program has of itself is gone`() throws {
        let rules = AccessRules(requiresEntitlements: true)
        let plain = rules.applied(to: Self.caller(.installed))
        #expect(plain.accessGroups.isEmpty)
        #expect(plain.identity == .installed(path: "/bin/p"))
        #expect(throws: Refusal(.missingEntitlement, .noEntitlements)) {
            try AccessPolicy.scope(of: plain, for: .probe, accessGroup: nil)
        }
        #expect(rules.applied(to: Self.entitled) == Self.entitled)
        #expect(rules.applied(to: .administration) == .administration)
        #expect(AccessRules.compatible.applied(to: Self.caller(.installed)) == Self.caller(.installed))
    }

    @Test func `settings say how strict a keychain is, and without any it is not`() {
        #expect(AccessRules([:]) == .compatible)
        #expect(
            AccessRules([.requiresEntitlements: 1, .requiresEnforcedCallers: 1, .makesItemsPrivate: 1]) == .strictest)
        #expect(AccessRules([.requiresEntitlements: 0, .requiresEnforcedCallers: 1]).requiresEntitlements == false)
    }

    @Test func `the group of tokens is searched, and neither added to nor changed`() throws {
        func scope(_ operation: KeychainPolicy.Operation, _ group: String? = nil) throws -> SearchScope {
            try AccessPolicy.scope(of: Self.entitled, for: operation, accessGroup: group)
        }
        for operation in [.probe, .readAttributes, .readData] as [KeychainPolicy.Operation] {
            #expect(try scope(operation) == .groups(["T.shared", "com.apple.token"]))
            #expect(try scope(operation, "com.apple.token") == .groups(["com.apple.token"]))
        }
        for operation in [.add, .update, .delete] as [KeychainPolicy.Operation] {
            #expect(try scope(operation) == .groups(["T.shared"]))
            #expect(throws: Refusal(.missingEntitlement, .readOnlyGroup)) { try scope(operation, "com.apple.token") }
        }
    }

    @Test func `only a signed program is told of its team's other groups, and only while attributes can be read`() {
        func isGranted(_ caller: Caller, _ state: LockState) -> Bool {
            AccessPolicy.grantToExplain(to: caller, lockState: state) != nil
        }
        #expect(isGranted(Self.entitled, .unlocked))
        #expect(isGranted(Self.entitled, .noPasscode))
        #expect(!isGranted(Self.entitled, .locked))
        #expect(!isGranted(Self.entitled, .beforeFirstUnlock))
        #expect(!isGranted(Self.caller(.installed), .unlocked))
        #expect(!isGranted(.administration, .unlocked))
    }
}
