// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// Items of programs that the kernel shields are apart from those of the same program without its shield.
struct EnforcedGroupTests {
    private static let path = "installed:/usr/bin/mail"
    private static let enforced = "enforced:installed:/usr/bin/mail"

    private static func mail(_ tier: CallerTier) -> Caller {
        Caller(
            userID: 1000, processID: 7, tier: tier, identity: .installed(path: "/usr/bin/mail"),
            enforcement: tier == .enforced ? .setgid : nil, accessGroups: [tier == .enforced ? enforced : path],
            displayPath: "/usr/bin/mail")
    }

    private func verdict(
        _ caller: Caller, _ operation: KeychainPolicy.Operation, group: String?
    ) -> JudgementTests.Verdict {
        JudgementTests.Verdict(
            AccessPolicy.judge(
                caller, operation,
                items: [
                    ItemFacts(
                        accessGroup: group, accessibility: .whenUnlocked,
                        reference: PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: 1)))
                ], lockState: .unlocked))
    }

    @Test func `the shielded program uses the plain names of its groups`() {
        let mail = Self.mail(.enforced)
        #expect(mail.resolvedGroup(Self.path) == Self.enforced)
        #expect(mail.resolvedGroup(Self.enforced) == Self.enforced)
        #expect(mail.resolvedGroup("installed:/usr/bin/other") == "installed:/usr/bin/other")
        #expect(mail.shownGroup(Self.enforced) == Self.path)
        #expect(Caller.administration.shownGroup(Self.enforced) == Self.enforced, "the owner sees which is which")
    }

    @Test func `without its shield the program has no way to these groups`() {
        let mail = Self.mail(.installed)
        #expect(mail.resolvedGroup(Self.enforced) == Self.enforced && mail.resolvedGroup(Self.path) == Self.path)
        for operation in [KeychainPolicy.Operation.add, .probe, .readAttributes, .readData, .update, .delete] {
            #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
                try AccessPolicy.scope(of: mail, for: operation, accessGroup: Self.enforced)
            }
        }
    }

    @Test func `the command is asked about each use of an enforced program's items, also of their attributes`() throws {
        let scope = try AccessPolicy.scope(of: .administration, for: .readAttributes, accessGroup: nil)
        #expect(scope == .everything(own: ["chatelaine"], withEnforced: false))
        for operation in [KeychainPolicy.Operation.probe, .readAttributes, .readData, .update, .delete, .useKey] {
            guard case .ask = verdict(.administration, operation, group: Self.enforced) else {
                Issue.record("\(operation) is not asked about")
                continue
            }
        }
        #expect(verdict(.administration, .readAttributes, group: nil) == .grant(.readAttributes))
    }

    @Test func `items are moved by the command between the two groups of one program alone`() throws {
        let command = Caller.administration
        try AccessPolicy.checkMove(by: command, from: Self.path, to: Self.enforced)
        try AccessPolicy.checkMove(by: command, from: Self.enforced, to: Self.path)
        let foreign = Refusal(.missingEntitlement, .foreignAccessGroup)
        for (from, to) in [
            (nil, Self.enforced), ("unsigned:00", Self.enforced), (Self.path, "enforced:other"),
            (Self.enforced, "other"),
            (Self.path, "enforced:" + Self.enforced), (Self.enforced, "enforced:" + Self.enforced),
        ] as [(String?, String)] {
            #expect(throws: foreign) { try AccessPolicy.checkMove(by: command, from: from, to: to) }
        }
        #expect(throws: foreign) {
            try AccessPolicy.checkMove(by: Self.mail(.installed), from: Self.path, to: Self.enforced)
        }
        #expect(throws: foreign) {
            try AccessPolicy.checkMove(by: Self.mail(.enforced), from: Self.enforced, to: Self.path)
        }
    }

    @Test func `in keychain files as well the program without its shield is another one`() {
        #expect(Self.mail(.enforced).partition == .enforced)
        #expect(Self.mail(.installed).partition == .installed)
        #expect(Self.mail(.enforced).withoutImplicitGroup.partition == .enforced)
    }
}
