// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainPolicy

/// The rights of the clients of bridges.
struct BridgePolicyTests {
    private static let bridge = Bridge(
        displayPath: "/usr/libexec/chatelaine/chatelaine-secrets", processID: 3, processStart: 1)

    private static func client(
        _ groups: [String] = ["a"], tier: CallerTier = .installed, processID: Int32 = 7, start: UInt64 = 70,
        bridge: Bridge? = bridge
    ) -> Caller {
        Caller(
            userID: 1000, processID: processID, processStart: start, tier: tier,
            identity: tier == .unidentified ? .unidentified : .installed(path: "/usr/bin/p"), accessGroups: groups,
            displayPath: "/usr/bin/p", bridge: bridge)
    }

    private static func facts(
        _ group: String?, _ number: UInt128 = 1, _ constraints: AccessControl.Flags = []
    ) -> ItemFacts {
        ItemFacts(
            accessGroup: group, accessibility: .whenUnlocked, reference: reference(number), constraints: constraints)
    }

    private static func reference(_ number: UInt128) -> PersistentReference {
        PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: number))
    }

    private static func rules(_ mode: BridgeMode, isStrict: Bool = false) -> AccessRules {
        AccessRules(requiresEnforcedCallers: isStrict, bridges: mode)
    }

    private static let uses: [KeychainPolicy.Operation] = [.readData, .useKey, .update, .delete]
    private static let lists: [KeychainPolicy.Operation] = [
        .probe, .match, .availability, .readAttributes, .readPublic,
    ]

    private enum Outcome: Hashable {
        case granted(GrantRule)
        /// The user decides.
        case prompt(Refusal.Reason)
        /// The mode for bridges decides, by this rule.
        case mode(GrantRule)
        case refused(Refusal)
        case authentication
    }

    private func outcome(
        _ operation: KeychainPolicy.Operation, _ items: [ItemFacts], _ rules: AccessRules,
        by caller: Caller = client(), lockState: LockState = .unlocked, evidence: Evidence = .none
    ) -> Outcome {
        switch AccessPolicy.judge(
            caller, operation, items: items, lockState: lockState, rules: rules, evidence: evidence)
        {
        case .grant(let grant): .granted(grant.rule)
        case .ask(let request): request.opening.map(Outcome.mode) ?? .prompt(request.because)
        case .refuse(let refusal): .refused(refusal)
        case .authenticate: .authentication
        }
    }

    // MARK: Where a client searches

    @Test(arguments: uses + lists)
    func `a client finds the items of all groups except enforced ones, its own first`(
        operation: KeychainPolicy.Operation
    ) throws {
        let scope = try AccessPolicy.scope(of: Self.client(["a", "b"]), for: operation, accessGroup: nil)
        #expect(scope == .everything(own: ["a", "b", CommandGroup.privateItems], withEnforced: false))
        // The same program without the bridge.
        let direct = try AccessPolicy.scope(of: Self.client(["a", "b"], bridge: nil), for: operation, accessGroup: nil)
        #expect(direct == .groups(["a", "b"]))
    }

    @Test func `a client names only groups of its own, and adds only to them`() throws {
        let client = Self.client(["a", "b"])
        for operation in Self.uses + Self.lists + [.add] {
            #expect(try AccessPolicy.scope(of: client, for: operation, accessGroup: "b") == .groups(["b"]))
            for group in ["c", CommandGroup.shared, CommandGroup.privateItems, "enforced:a"] {
                #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
                    try AccessPolicy.scope(of: client, for: operation, accessGroup: group)
                }
            }
        }
        #expect(try AccessPolicy.scope(of: client, for: .add, accessGroup: nil) == .groups(["a"]))
    }

    @Test func `a client changes nothing in the group of tokens`() throws {
        let client = Self.client(["a", AccessPolicy.tokenGroup])
        for operation in [KeychainPolicy.Operation.update, .delete] {
            let scope = try AccessPolicy.scope(of: client, for: operation, accessGroup: nil)
            #expect(!scope.accessGroups.contains(AccessPolicy.tokenGroup))
            #expect(throws: Refusal(.missingEntitlement, .readOnlyGroup)) {
                try AccessPolicy.scope(of: client, for: operation, accessGroup: AccessPolicy.tokenGroup)
            }
        }
    }

    @Test(arguments: BridgeMode.allCases)
    func `a client that cannot be identified gets what a direct caller gets`(mode: BridgeMode) {
        let client = Self.rules(mode).applied(to: Self.client([], tier: .unidentified))
        for operation in Self.uses + Self.lists + [.add] {
            #expect(throws: Refusal(.missingEntitlement, .unidentifiedCaller)) {
                try AccessPolicy.scope(of: client, for: operation, accessGroup: nil)
            }
        }
    }

    // MARK: Applications in a sandbox

    private static let application = Caller(
        userID: 1000, processID: 7, processStart: 70, tier: .interpreter, identity: .application(name: "flatpak:a"),
        accessGroups: ["flatpak:a"], displayPath: "flatpak:a", bridge: bridge)

    @Test(arguments: uses + lists)
    func `an application in a sandbox finds its own items alone, in each mode`(
        operation: KeychainPolicy.Operation
    ) throws {
        let application = Self.application
        #expect(try AccessPolicy.scope(of: application, for: operation, accessGroup: nil) == .groups(["flatpak:a"]))
        #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
            try AccessPolicy.scope(of: application, for: operation, accessGroup: "b")
        }
        let own = Self.facts("flatpak:a")
        for mode in BridgeMode.allCases {
            #expect(outcome(operation, [own], Self.rules(mode), by: application) == .granted(.ownGroup))
            for group in [nil, "b", "enforced:b"] {
                #expect(
                    outcome(operation, [own, Self.facts(group, 2)], Self.rules(mode), by: application)
                        == .refused(Refusal(.itemNotFound, .none)))
            }
        }
    }

    @Test func `a private item is found for an application by the name of its group, and read after an approval`()
        throws
    {
        let (application, group) = (Self.application, CommandGroup.privateItems)
        for operation in Self.lists + [.readData] {
            #expect(try AccessPolicy.scope(of: application, for: operation, accessGroup: group) == .groups([group]))
        }
        for operation in [KeychainPolicy.Operation.add, .update, .delete] {
            #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
                try AccessPolicy.scope(of: application, for: operation, accessGroup: group)
            }
        }
        for mode in BridgeMode.allCases {
            #expect(
                outcome(.readData, [Self.facts(group)], Self.rules(mode), by: application)
                    == .prompt(.otherProgramsItem))
        }
    }

    @Test func `an application in a sandbox has no keychain files`() throws {
        #expect(throws: Refusal(.missingEntitlement, .sandboxedApplication)) {
            try FileKeychainPolicy.scope(of: Self.application)
        }
        #expect(try FileKeychainPolicy.scope(of: Self.client()) == .groups([FileKeychainPolicy.group]))
    }

    // MARK: The modes

    @Test(arguments: BridgeMode.allCases)
    func `own items need no approval, and all items are listed, in each mode`(mode: BridgeMode) {
        let rules = Self.rules(mode)
        for operation in Self.uses { #expect(outcome(operation, [Self.facts("a")], rules) == .granted(.ownGroup)) }
        for operation in Self.lists {
            #expect(outcome(operation, [Self.facts("a")], rules) == .granted(.ownGroup))
            for item in [Self.facts(nil), Self.facts(CommandGroup.privateItems), Self.facts(nil, 1, .userPresence)] {
                #expect(outcome(operation, [Self.facts("a", 2), item], rules) == .granted(.bridgeListing))
            }
        }
    }

    @Test(arguments: uses)
    func `the use of another program's item is prompted for, recorded or allowed, as the mode says`(
        operation: KeychainPolicy.Operation
    ) {
        let items = [Self.facts("a"), Self.facts(nil, 2)]
        #expect(outcome(operation, items, Self.rules(.ask)) == .prompt(.otherProgramsItem))
        #expect(outcome(operation, items, Self.rules(.learn)) == .mode(.bridgesLearn))
        #expect(outcome(operation, items, Self.rules(.open)) == .mode(.bridgesOpen))
        // A direct caller would not even find it.
        for mode in BridgeMode.allCases {
            #expect(
                outcome(operation, items, Self.rules(mode), by: Self.client(bridge: nil))
                    == .refused(Refusal(.itemNotFound, .none)))
        }
    }

    @Test(arguments: uses, [BridgeMode.learn, .open])
    func `private items and items with constraints are prompted for in each mode`(
        operation: KeychainPolicy.Operation, mode: BridgeMode
    ) {
        let closed = [
            Self.facts(CommandGroup.privateItems), Self.facts(nil, 1, .userPresence),
            Self.facts(nil, 1, .applicationPassword), Self.facts(nil, 1, .biometryCurrentSet),
        ]
        for item in closed {
            #expect(outcome(operation, [item], Self.rules(mode)) == .prompt(.otherProgramsItem))
            // One of them closes the whole request.
            #expect(outcome(operation, [Self.facts(nil, 2), item], Self.rules(mode)) == .prompt(.otherProgramsItem))
        }
    }

    @Test func `an approval does not replace the authentication that an item requires`() throws {
        let item = Self.facts(nil, 1, .userPresence)
        guard
            case .ask(let request) = AccessPolicy.judge(
                Self.client(), .readData, items: [item], lockState: .unlocked)
        else {
            Issue.record("not asked")
            return
        }
        let permission = try #require(Permission(request))
        let evidence = Evidence(permissions: [permission])
        #expect(outcome(.readData, [item], .compatible, evidence: evidence) == .authentication)
    }

    @Test(arguments: BridgeMode.allCases)
    func `items of enforced programs are refused, even if a search had found them`(mode: BridgeMode) {
        for operation in Self.uses + Self.lists {
            #expect(
                outcome(operation, [Self.facts("enforced:a")], Self.rules(mode))
                    == .refused(Refusal(.itemNotFound, .none)))
        }
    }

    @Test(arguments: BridgeMode.allCases)
    func `strict mode prompts in each mode, and a locked keychain stays locked`(mode: BridgeMode) {
        let strict = Self.rules(mode, isStrict: true)
        for operation in Self.uses + [.probe, .availability, .readAttributes, .add] {
            for group in ["a", nil] as [String?] {
                #expect(outcome(operation, [Self.facts(group)], strict) == .prompt(.strictMode))
            }
        }
        for operation in [KeychainPolicy.Operation.readData, .useKey, .update, .readAttributes] {
            #expect(
                outcome(operation, [Self.facts(nil)], Self.rules(mode), lockState: .locked)
                    == .refused(Refusal(.interactionNotAllowed, .locked)))
        }
        #expect(
            outcome(.availability, [Self.facts(nil)], Self.rules(mode), lockState: .locked) == .granted(.bridgeListing))
    }

    @Test func `the machine's policy limits the mode, and its lowest tier counts for clients`() throws {
        var policy = MachinePolicy()
        try policy.add("bridges = learn\nminimum-tier = signed\n")
        #expect(!policy.settings.admits(BridgeMode.open.rawValue, for: .bridges))
        #expect(policy.settings.admits(BridgeMode.ask.rawValue, for: .bridges))
        #expect(policy.settings.applied(to: BridgeMode.open.rawValue, of: .bridges) == BridgeMode.learn.rawValue)
        let client = AccessRules([.bridges: BridgeMode.open.rawValue], policy).applied(to: Self.client())
        #expect(throws: Refusal(.missingEntitlement, .machinePolicy)) {
            try AccessPolicy.scope(of: client, for: .readAttributes, accessGroup: nil)
        }
        #expect(throws: MachinePolicy.SyntaxError(line: 1, reason: "bridges must be ask, learn or open")) {
            try policy.add("bridges = closed")
        }
    }

    @Test func `a client moves no other program's item into its own group`() {
        let refusal = Refusal(.missingEntitlement, .foreignAccessGroup)
        func move(_ group: String?, by caller: Caller) -> Refusal? {
            AccessPolicy.refusalOfMove(
                of: [Self.facts("a"), Self.facts(group, 2)], by: caller, to: "a", withNewSecret: true)
        }
        #expect(move(nil, by: Self.client()) == refusal)
        #expect(move(CommandGroup.privateItems, by: Self.client()) == refusal)
        #expect(move("b", by: Self.client(["a", "b"])) == nil)
        #expect(
            AccessPolicy.refusalOfMove(of: [Self.facts(nil)], by: Self.client(), to: nil, withNewSecret: true) == nil)
    }

    // MARK: Approvals

    private func request(
        _ items: [UInt128], _ operation: KeychainPolicy.Operation = .readData, _ mode: BridgeMode = .ask,
        by caller: Caller = client()
    ) throws -> ApprovalRequest {
        let facts = items.map { Self.facts(nil, $0) }
        let decision = AccessPolicy.judge(
            caller, operation, items: facts, lockState: .unlocked, rules: Self.rules(mode))
        guard case .ask(let request) = decision else {
            throw Refusal(.internalError, .none)
        }
        return request
    }

    private func held(_ items: [UInt128], by caller: Caller = client()) throws -> HeldApproval {
        let permission = try #require(Permission(try request(items, by: caller)))
        return try #require(HeldApproval(permission))
    }

    @Test func `"Allow" on a read is held for the same process and the same items`() throws {
        let approvals = [try held([1, 2]), try held([3])]
        func permission(_ request: ApprovalRequest) -> Permission? {
            Permission(request, rememberedBy: [], heldBy: approvals, rules: .compatible)
        }
        #expect(permission(try request([2]))?.rule == .clientApproval)
        #expect(permission(try request([1, 3])) != nil, "of two approvals together")
        #expect(permission(try request([1, 4])) == nil)
        for operation in Self.uses where operation != .readData {
            #expect(permission(try request([1], operation)) == nil)
        }
        let others = [
            Self.client(processID: 8), Self.client(start: 71), Self.client(["b"]), Self.client(tier: .signed),
            Self.client(bridge: Bridge(displayPath: Self.bridge.displayPath, processID: 4, processStart: 1)),
            Self.client(bridge: Bridge(displayPath: Self.bridge.displayPath, processID: 3, processStart: 2)),
        ]
        for other in others { #expect(permission(try request([1], by: other)) == nil) }
    }

    @Test func `only the user's "Allow" on a read through a bridge is held`() throws {
        let lasting = try #require(Permission(try request([1]), isLasting: true))
        #expect(LastingGrant(lasting, rules: .compatible) != nil)
        // Of a program that gets no lasting grant, "Always Allow" holds as "Allow" does.
        let unsigned = try #require(Permission(try request([1], by: Self.client(tier: .unsigned)), isLasting: true))
        #expect(LastingGrant(unsigned, rules: .compatible) == nil && HeldApproval(unsigned) != nil)
        for operation in Self.uses where operation != .readData {
            let permission = try #require(Permission(try request([1], operation)))
            #expect(HeldApproval(permission) == nil)
        }
        let opened = try #require(Permission(openingBy: try request([1], .readData, .open)))
        #expect(HeldApproval(opened) == nil && opened.rule == .bridgesOpen)
        let command = Caller(
            userID: 1000, processID: 7, tier: .installed, identity: .command, accessGroups: ["chatelaine"],
            displayPath: "/usr/bin/chatelaine")
        let ofCommand = try #require(Permission(try request([1], by: command)))
        #expect(HeldApproval(ofCommand) == nil)
    }

    @Test func `remembered grants and held approvals add up, and a program without a lasting tier has only the latter`()
        throws
    {
        let grant = RememberedGrant(
            number: 1, identity: .installed(path: "/usr/bin/p"), tier: .installed, operation: .readData,
            itemClass: .genericPassword, item: ItemIdentifier(value: 1),
            date: Timestamp(secondsSinceReferenceDate: 0))
        func permission(_ request: ApprovalRequest, _ approvals: [HeldApproval]) -> GrantRule? {
            Permission(request, rememberedBy: [grant], heldBy: approvals, rules: .compatible)?.rule
        }
        #expect(permission(try request([1]), []) == .rememberedGrant)
        #expect(permission(try request([1, 2]), []) == nil)
        #expect(permission(try request([1, 2]), [try held([2])]) == .clientApproval)
        let unsigned = Self.client(tier: .unsigned)
        #expect(permission(try request([1], by: unsigned), []) == nil)
        #expect(permission(try request([1], by: unsigned), [try held([1], by: unsigned)]) == .clientApproval)
    }

    @Test func `an approval by the mode ends when the item or the mode changes before it is used`() throws {
        let opened = try #require(Permission(openingBy: try request([1], .readData, .open)))
        let evidence = Evidence(permissions: [opened])
        #expect(
            outcome(.readData, [Self.facts(nil)], Self.rules(.open), evidence: evidence) == .granted(.bridgesOpen))
        #expect(
            outcome(.readData, [Self.facts(CommandGroup.privateItems)], Self.rules(.open), evidence: evidence)
                == .prompt(.otherProgramsItem))
        #expect(
            outcome(.readData, [Self.facts(nil)], Self.rules(.ask), evidence: evidence)
                == .prompt(.otherProgramsItem))
        #expect(Permission(openingBy: try request([1])) == nil)
    }
}
