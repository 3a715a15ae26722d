// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// Items that the command stores as private items: every program can run it, so each use needs an approval.
struct PrivateItemTests {
    private typealias Operation = KeychainPolicy.Operation

    private static let command = Caller(
        userID: 1000, processID: 8, tier: .installed, identity: .command,
        accessGroups: [CommandGroup.shared, CommandGroup.privateItems], displayPath: "/usr/bin/chatelaine")

    private static func item(_ group: String?, _ number: UInt128 = 1) -> ItemFacts {
        ItemFacts(
            accessGroup: group, accessibility: .whenUnlocked,
            reference: PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: number)))
    }

    /// Returns the reason of a prompt; nil if there is no prompt.
    private func question(
        _ operation: KeychainPolicy.Operation, _ groups: [String?], by caller: Caller = command,
        rules: AccessRules = .compatible
    ) -> ApprovalRequest? {
        let items = groups.enumerated().map { Self.item($1, UInt128($0 + 1)) }
        guard
            case .ask(let question) = AccessPolicy.judge(
                caller, operation, items: items, lockState: .unlocked, rules: rules)
        else { return nil }
        return question
    }

    @Test(arguments: KeychainPolicy.Operation.allCases)
    func `their use, change and deletion are asked about, their lists and additions are not`(
        operation: KeychainPolicy.Operation
    ) {
        let asks = [Operation.readData, .useKey, .update, .delete].contains(operation)
        #expect(question(operation, [CommandGroup.privateItems])?.because == (asks ? .privateItem : nil))
        #expect(question(operation, [CommandGroup.shared]) == nil)
    }

    @Test func `of shared and private items the private ones are asked about`() {
        let asked = question(.readData, [CommandGroup.shared, CommandGroup.privateItems])
        #expect(asked?.items == [Self.item(nil, 2).reference].compactMap(\.self))
        #expect(question(.delete, [CommandGroup.privateItems, nil])?.because == .otherProgramsItem)
    }

    @Test func `a shared item that becomes private needs no approval, also with another accessibility`() {
        let decision = AccessPolicy.judge(
            Self.command, .update,
            items: [
                Self.item(CommandGroup.shared),
                ItemFacts(accessGroup: CommandGroup.privateItems, accessibility: .whenUnlocked),
            ], lockState: .unlocked)
        #expect(decision.rule == .ownGroup)
    }

    @Test func `a certificate is read without approval, because it is public, and is used or changed with one`() {
        for (operation, asks) in [(Operation.readData, false), (.useKey, true), (.update, true), (.delete, true)] {
            let certificate = ItemFacts(
                accessGroup: CommandGroup.privateItems, accessibility: .whenUnlocked,
                reference: PersistentReference(itemClass: .certificate, item: ItemIdentifier(value: 1)))
            let decision = AccessPolicy.judge(Self.command, operation, items: [certificate], lockState: .unlocked)
            #expect(decision.rule == (asks ? nil : .ownGroup))
        }
    }

    @Test func `one leaves its group only with a new secret`() {
        func refusal(_ groups: [String?], to destination: String?, withNewSecret hasNewSecret: Bool = false) -> Refusal?
        {
            AccessPolicy.refusalOfMove(
                of: groups.map { Self.item($0) }, by: Self.command, to: destination, withNewSecret: hasNewSecret)
        }
        let refused = Refusal(.missingEntitlement, .privateItem)
        #expect(refusal([CommandGroup.privateItems], to: CommandGroup.shared) == refused)
        #expect(refusal([CommandGroup.shared, CommandGroup.privateItems], to: CommandGroup.shared) == refused)
        #expect(refusal([CommandGroup.privateItems], to: CommandGroup.shared, withNewSecret: true) == nil)
        #expect(refusal([CommandGroup.privateItems], to: CommandGroup.privateItems) == nil)
        #expect(refusal([CommandGroup.privateItems], to: nil) == nil)
        #expect(refusal([CommandGroup.shared, nil], to: CommandGroup.privateItems) == nil)
    }

    @Test func `a yes is for this time`() throws {
        let asked = try #require(question(.readData, [CommandGroup.privateItems]))
        #expect(!asked.canBeRemembered(.compatible))
        let permission = try #require(Permission(asked, isLasting: true))
        let decision = AccessPolicy.judge(
            Self.command, .readData, items: [Self.item(CommandGroup.privateItems)], lockState: .unlocked,
            evidence: Evidence(permissions: [permission]))
        #expect(decision.rule == .person)
    }

    @Test func `another program has no way to them`() {
        let mail = Caller(
            userID: 1000, processID: 9, tier: .installed, identity: .installed(path: "/usr/bin/mail"),
            accessGroups: ["installed:/usr/bin/mail"], displayPath: "/usr/bin/mail")
        for operation in [Operation.add, .probe, .readAttributes, .readData, .update, .delete] {
            #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
                try AccessPolicy.scope(of: mail, for: operation, accessGroup: CommandGroup.privateItems)
            }
        }
        #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
            try AccessPolicy.checkMove(by: mail, from: nil, to: CommandGroup.privateItems)
        }
    }

    @Test func `the setting makes the private group the one where the command adds, and changes no other program`() {
        let rules = AccessRules([.makesItemsPrivate: 1])
        #expect(rules.applied(to: Self.command).accessGroups == [CommandGroup.privateItems, CommandGroup.shared])
        #expect(AccessRules([:]).applied(to: Self.command).accessGroups.first == CommandGroup.shared)
        #expect(AccessRules.strictest.applied(to: Self.command).accessGroups.first == CommandGroup.privateItems)
        let mail = Caller.program(["a", "b"])
        #expect(rules.applied(to: mail) == mail)
    }
}
