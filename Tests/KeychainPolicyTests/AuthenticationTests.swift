// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// Semantics 5.2 and 5.5: the authentication that is required before an item with constraints is used.
struct AuthenticationTests {
    private typealias Operation = KeychainPolicy.Operation

    private static let item = reference(1)

    private static func reference(_ number: UInt8) -> PersistentReference {
        PersistentReference(
            itemClass: .genericPassword,
            item: ItemIdentifier(bytes: [UInt8](repeating: number, count: 16))!)
    }

    private func facts(_ flags: AccessControl.Flags, _ item: PersistentReference = item) -> ItemFacts {
        ItemFacts(accessGroup: "a", accessibility: .whenUnlocked, reference: item, constraints: flags)
    }

    private func demand(
        _ flags: AccessControl.Flags, _ operation: KeychainPolicy.Operation,
        _ proofs: [AuthenticationProof] = [], by caller: Caller = .program(["a"])
    ) -> AuthenticationDemand? {
        let decision = AccessPolicy.judge(
            caller, operation, items: [facts(flags)], lockState: .unlocked, evidence: Evidence(proofs: proofs))
        if case .authenticate(let demand) = decision { return demand }
        return nil
    }

    @Test(arguments: KeychainPolicy.Operation.allCases)
    func `every look at an item is constrained, a probe too; adding and deleting are not`(
        operation: KeychainPolicy.Operation
    ) {
        let isConstrained = [.probe, .readAttributes, .readPublic, .readData, .update, .useKey].contains(operation)
        for flags in [AccessControl.Flags.userPresence, .devicePasscode, .biometryAny, .biometryCurrentSet] {
            #expect((demand(flags, operation) != nil) == isConstrained)
        }
        // A password is key material, so no owner authentication is required.
        #expect(demand(.applicationPassword, operation) == nil)
        #expect(demand([], operation) == nil)
    }

    @Test func `a key with a constraint on its use is found freely and used by its owner`() {
        let flags: AccessControl.Flags = [.privateKeyUsage, .userPresence]
        for operation in [KeychainPolicy.Operation.probe, .readAttributes, .readData, .update, .delete] {
            #expect(demand(flags, operation) == nil)
        }
        #expect(demand(flags, .useKey) != nil)
        #expect(demand(.privateKeyUsage, .useKey) == nil)
    }

    @Test func `one factor or all of them, as the flags say`() {
        let cases: [(AccessControl.Flags, shown: Set<AuthenticationFactor>, isEnough: Bool)] = [
            (.userPresence, [.passcode], true), (.userPresence, [.biometry], true), (.userPresence, [], false),
            (.devicePasscode, [.biometry], false), (.devicePasscode, [.passcode], true),
            (.biometryAny, [.passcode], false), (.biometryCurrentSet, [.biometry], true),
            ([.biometryAny, .devicePasscode], [.biometry], false),
            ([.biometryAny, .devicePasscode], [.biometry, .passcode], true),
            ([.biometryAny, .and, .devicePasscode], [.passcode], false),
            ([.biometryAny, .or, .devicePasscode], [.passcode], true),
            ([.companion, .or, .devicePasscode], [.passcode], true),
            ([.companion, .devicePasscode], [.passcode, .biometry], false),
        ]
        for (flags, shown, isEnough) in cases {
            let proofs = shown.map { AuthenticationProof($0, for: Self.item) }
            #expect((demand(flags, .readData, proofs) == nil) == isEnough, "\(flags), \(shown)")
        }
    }

    @Test func `two items share what was shown only in one context`() {
        let items = [facts(.userPresence), facts(.userPresence, Self.reference(2))]
        func verdict(_ proofs: [AuthenticationProof]) -> AuthenticationDemand? {
            let decision = AccessPolicy.judge(
                .program(["a"]), .readData, items: items, lockState: .unlocked, evidence: Evidence(proofs: proofs))
            if case .authenticate(let demand) = decision { return demand }
            return nil
        }
        #expect(verdict([])?.item == Self.item)
        #expect(verdict([AuthenticationProof(.passcode, for: Self.item)])?.item == Self.reference(2))
        #expect(verdict([.init(.passcode, for: Self.item), .init(.biometry, for: Self.reference(2))]) == nil)
        #expect(verdict([AuthenticationProof(.passcode, for: nil)]) == nil)
    }

    @Test func `the command lists constrained items, and gets none of their data`() {
        for operation in [KeychainPolicy.Operation.probe, .readAttributes, .readPublic] {
            #expect(demand(.userPresence, operation, by: .administration) == nil)
        }
        #expect(demand(.userPresence, .match) == nil)
        // Another program's item needs an approval first, and then owner authentication.
        let tool = Caller.administration
        let foreign = ItemFacts(
            accessGroup: nil, accessibility: .whenUnlocked, reference: Self.item, constraints: .userPresence)
        var evidence = Evidence.none
        guard
            case .ask(let question) = AccessPolicy.judge(
                tool, .readData, items: [foreign], lockState: .unlocked, evidence: evidence)
        else {
            Issue.record("nobody was asked")
            return
        }
        evidence.permissions = Permission(question).map { [$0] } ?? []
        guard
            case .authenticate = AccessPolicy.judge(
                tool, .readData, items: [foreign], lockState: .unlocked, evidence: evidence)
        else {
            Issue.record("nobody had to show anything")
            return
        }
        evidence.proofs = [AuthenticationProof(.passcode, for: Self.item)]
        guard
            case .grant = AccessPolicy.judge(
                tool, .readData, items: [foreign], lockState: .unlocked, evidence: evidence)
        else {
            Issue.record("not granted")
            return
        }
    }

    @Test func `a locked item is refused before any prompt`() {
        guard
            case .refuse(let refusal) = AccessPolicy.judge(
                .program(["a"]), .readData, items: [facts(.userPresence)], lockState: .locked)
        else {
            Issue.record("not refused")
            return
        }
        #expect(refusal == Refusal(.interactionNotAllowed, .locked))
    }

    @Test func `the missing factor explains why a requirement cannot be met`() {
        let enrolled = AuthenticationState(hasPasscode: true, biometry: .enrolled)
        func obstacle(_ policy: AuthenticationPolicy, _ state: AuthenticationState) -> AuthenticationOutcome? {
            policy.requirement.obstacle(in: state)
        }
        #expect(obstacle(.owner, enrolled) == nil)
        #expect(obstacle(.biometry, enrolled) == nil)
        #expect(obstacle(.owner, AuthenticationState(hasPasscode: true)) == nil)
        #expect(obstacle(.owner, AuthenticationState(hasPasscode: false)) == .passcodeNotSet)
        #expect(obstacle(.biometry, AuthenticationState(hasPasscode: false, biometry: .enrolled)) == .passcodeNotSet)
        #expect(obstacle(.biometry, AuthenticationState(hasPasscode: true)) == .biometryNotAvailable)
        let notEnrolled = AuthenticationState(hasPasscode: true, biometry: .notEnrolled)
        #expect(obstacle(.biometry, notEnrolled) == .biometryNotEnrolled)
        let lockedOut = AuthenticationState(hasPasscode: true, biometry: .lockedOut)
        #expect(obstacle(.biometry, lockedOut) == .biometryLockout)
        #expect(obstacle(.companion, enrolled) == .companionNotAvailable)
        #expect(obstacle(.biometryOrCompanion, enrolled) == nil)
    }
}
