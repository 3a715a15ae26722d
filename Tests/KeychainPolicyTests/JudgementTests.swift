// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// The decisions about the found items: every operation, data-protection class, lock state, owner and caller.
///
/// There is no test that makes a `Grant` by itself: its initialiser is not accessible outside the policy module, so
/// code that tries does not compile. Neither does code that uses one twice, since it cannot be copied.
struct JudgementTests {
    private static let lockStates: [LockState] = [.noPasscode, .beforeFirstUnlock, .locked, .unlocked]
    private static let operations = KeychainPolicy.Operation.allCases.filter { $0 != .backUp && $0 != .restore }

    /// A decision as a value that can be compared.
    enum Verdict: Hashable {
        case grant(KeychainPolicy.Operation)
        case ask(ApprovalRequest)
        case authenticate(AuthenticationDemand)
        case refuse(Refusal)

        init(_ decision: consuming Decision) {
            switch consume decision {
            case .grant(let grant): self = .grant(grant.operation)
            case .ask(let question): self = .ask(question)
            case .authenticate(let demand): self = .authenticate(demand)
            case .refuse(let refusal): self = .refuse(refusal)
            }
        }
    }

    private func judge(
        _ caller: Caller, _ operation: KeychainPolicy.Operation, _ items: [ItemFacts], _ lockState: LockState
    ) -> Verdict {
        Verdict(AccessPolicy.judge(caller, operation, items: items, lockState: lockState))
    }

    /// Semantics 4.3, written as it stands there: the states in which a class can be used.
    private static func usableStates(_ accessibility: Accessibility) -> Set<LockState> {
        switch accessibility {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly: [.noPasscode, .unlocked]
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: [.noPasscode, .unlocked, .locked]
        case .always, .alwaysThisDeviceOnly: [.noPasscode, .unlocked, .locked, .beforeFirstUnlock]
        case .whenPasscodeSetThisDeviceOnly: [.unlocked]
        }
    }

    private static func lockRefusal(_ state: LockState) -> Refusal {
        state == .noPasscode ? Refusal(.authenticationFailed, .noPasscode) : Refusal(.interactionNotAllowed, .locked)
    }

    @Test(arguments: operations, lockStates)
    func `own items can be used as the class and the lock state allow`(
        operation: KeychainPolicy.Operation, state: LockState
    ) {
        for caller in [Caller.program(["a", "b"]), .program(["b"], tier: .installed)] {
            for accessibility in Accessibility.allCases {
                let verdict = judge(
                    caller, operation, [ItemFacts(accessGroup: "b", accessibility: accessibility)], state)
                let isUsable =
                    operation == .delete || operation == .availability
                    || Self.usableStates(accessibility).contains(state)
                #expect(verdict == (isUsable ? .grant(operation) : .refuse(Self.lockRefusal(state))))
            }
        }
    }

    @Test(arguments: operations, lockStates)
    func `a program never gets another's item, even if a search had found it`(
        operation: KeychainPolicy.Operation, state: LockState
    ) {
        for group in ["c", nil] as [String?] {
            let verdict = judge(
                .program(["a"]), operation, [ItemFacts(accessGroup: group, accessibility: .always)], state)
            #expect(verdict == .refuse(Refusal(.itemNotFound, .none)))
        }
    }

    @Test(arguments: operations, lockStates)
    func `the administration tool may list other programs' items, and must ask for the rest`(
        operation: KeychainPolicy.Operation, state: LockState
    ) {
        for group in ["c", nil] as [String?] {
            for accessibility in Accessibility.allCases {
                let verdict = judge(
                    .administration, operation, [ItemFacts(accessGroup: group, accessibility: accessibility)], state)
                guard
                    operation == .delete || operation == .availability
                        || Self.usableStates(accessibility).contains(state)
                else {
                    #expect(verdict == .refuse(Self.lockRefusal(state)))
                    continue
                }
                switch operation {
                case .probe, .match, .availability, .readAttributes, .readPublic: #expect(verdict == .grant(operation))
                case .add, .readData, .useKey, .update, .delete, .backUp, .restore:
                    guard case .ask(let question) = verdict else {
                        Issue.record("\(operation) of another program's item is \(verdict)")
                        continue
                    }
                    #expect(question.caller == .administration && question.operation == operation)
                }
            }
        }
    }

    @Test(arguments: [KeychainPolicy.Operation.backUp, .restore], lockStates)
    func `backups are for the administration tool alone, while nothing is locked`(
        operation: KeychainPolicy.Operation, state: LockState
    ) {
        let isOpen = state == .noPasscode || state == .unlocked
        switch AccessPolicy.judgeBackup(.administration, operation, lockState: state) {
        case .grant(let grant): #expect(isOpen && grant.operation == operation)
        case .refuse(let refusal): #expect(!isOpen && refusal == Refusal(.interactionNotAllowed, .locked))
        case .ask: Issue.record("nobody is asked")
        case .authenticate: Issue.record("nobody has to show anything")
        }
        // Not by way of its own items either.
        let own = ItemFacts(accessGroup: "a", accessibility: .always)
        for caller in [Caller.program(["a"]), .administration] {
            #expect(
                judge(caller, operation, [own], state) == .refuse(Refusal(.missingEntitlement, .administrationOnly)))
            #expect(throws: Refusal.self) { try AccessPolicy.scope(of: caller, for: operation, accessGroup: nil) }
        }
        switch AccessPolicy.judgeBackup(.program(["a"]), operation, lockState: state) {
        case .refuse(let refusal): #expect(refusal == Refusal(.missingEntitlement, .administrationOnly))
        case .grant: Issue.record("a program may")
        case .ask: Issue.record("nobody is asked")
        case .authenticate: Issue.record("nobody has to show anything")
        }
    }

    @Test func `one foreign item among own ones is enough to ask`() {
        let items = [
            ItemFacts(accessGroup: "chatelaine", accessibility: .always),
            ItemFacts(accessGroup: nil, accessibility: .always),
        ]
        guard case .ask = judge(.administration, .delete, items, .noPasscode) else {
            Issue.record("not asked")
            return
        }
    }

    @Test func `one locked item among readable ones refuses all of them`() {
        let items = [Accessibility.always, .whenUnlocked, .always].map {
            ItemFacts(accessGroup: "a", accessibility: $0)
        }
        #expect(
            judge(.program(["a"]), .readData, items, .locked) == .refuse(Refusal(.interactionNotAllowed, .locked)))
    }

    @Test func `without a passcode nothing of the class that needs one can be added or read`() {
        let item = ItemFacts(accessGroup: "a", accessibility: .whenPasscodeSetThisDeviceOnly)
        for operation in [KeychainPolicy.Operation.add, .readData, .readAttributes, .update] {
            #expect(
                judge(.program(["a"]), operation, [item], .noPasscode)
                    == .refuse(Refusal(.authenticationFailed, .noPasscode)))
        }
    }

    @Test func `the names of operations and tiers never change: they stand in the audit log`() {
        #expect(
            KeychainPolicy.Operation.allCases.map(\.name) == [
                "add", "probe", "read-attributes", "read-data", "update", "delete", "backup", "restore",
                "use-key", "match", "availability", "read-public",
            ])
        #expect(
            CallerTier.allCases.map(\.name) == [
                "unidentified", "interpreter", "unsigned", "installed", "signed", "enforced",
            ])
        #expect(CallerTier.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }
}
