// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainPolicy

/// Development folders: which programs get a group that stays over rebuilds, and which do not.
struct DevelopmentFolderTests {
    private static let path = "/home/ann/mail/.build/x86_64-unknown-linux-gnu/debug/Mail"
    private static let own = "unsigned:01"

    private static func caller(
        _ path: String? = path, top: String = "/home/ann", tier: CallerTier = .unsigned,
        identity: ProgramIdentity = .unsigned(digest: [1])
    ) -> Caller {
        Caller(
            userID: 1000, processID: 7, tier: tier, identity: identity, accessGroups: [own], displayPath: Self.path,
            ownedPath: path.map { UserOwnedPath(path: $0, topFolder: top) })
    }

    private static func groups(_ caller: Caller, _ folders: Set<String> = ["/home/ann/mail"]) -> [String] {
        AccessRules(developmentFolders: folders).applied(to: caller).accessGroups
    }

    @Test func `a program has the group of its folder and name first, and keeps the one of its file`() {
        #expect(Self.groups(Self.caller()) == ["development:/home/ann/mail/Mail", Self.own])
        // A release build is another file in another place, and has the same group.
        let release = Self.caller("/home/ann/mail/.build/x86_64-unknown-linux-gnu/release/Mail")
        #expect(Self.groups(release) == Self.groups(Self.caller()))
        #expect(Self.groups(Self.caller("/home/ann/mail/Other")) == ["development:/home/ann/mail/Other", Self.own])
        let applied = AccessRules(developmentFolders: ["/home/ann/mail"])
        #expect(applied.applied(to: applied.applied(to: Self.caller())) == applied.applied(to: Self.caller()))
    }

    @Test func `of folders in each other the innermost is the one to which items are added`() {
        #expect(
            Self.groups(Self.caller(), ["/home/ann/mail/.build", "/home/ann", "/home/ann/mail", "/home/ann/other"]) == [
                "development:/home/ann/mail/.build/Mail", "development:/home/ann/mail/Mail",
                "development:/home/ann/Mail", Self.own,
            ])
    }

    @Test(arguments: [
        "/home/ann/mai", "/home/ann/mail2", "/home/ann/mail/.build/x86_64-unknown-linux-gnu/debug/Mail", "/home/bob",
        "/home/ann/Mail", "/ann/mail", "/home/ann/mail/",
    ])
    func `a program elsewhere has no such group`(folder: String) {
        #expect(Self.groups(Self.caller(), [folder]) == [Self.own])
    }

    @Test func `a program whose path was not verified has no such group`() {
        #expect(Self.groups(Self.caller(nil)) == [Self.own])
    }

    @Test func `a folder that other users can change, or above which one can be changed, gives no group`() {
        // From this folder on, all is the user's alone. The trusted folder is above it.
        let caller = Self.caller(top: "/home/ann/mail/.build")
        #expect(Self.groups(caller) == [Self.own])
        #expect(Self.groups(caller, ["/home/ann/mail/.build"]).count == 2)
        #expect(Self.groups(Self.caller(top: "/home/ann/mail")).count == 2)
        #expect(Self.groups(Self.caller(top: "/")).count == 2)
        #expect(Self.groups(Self.caller(top: "/home/ann/mai")) == [Self.own])
    }

    @Test func `only unsigned programs have such a group, and so none of them holds a grant or is enforced`() {
        let others: [(CallerTier, ProgramIdentity)] = [
            (.interpreter, .unsigned(digest: [1])), (.unsigned, .command), (.installed, .installed(path: Self.path)),
            (.signed, .signed(team: "T", identifier: "mail")), (.enforced, .installed(path: Self.path)),
            (.unidentified, .unidentified),
        ]
        for (tier, identity) in others {
            #expect(Self.groups(Self.caller(tier: tier, identity: identity)) == [Self.own], "\(tier) \(identity)")
        }
        let rules = AccessRules(developmentFolders: ["/home/ann/mail"])
        let caller = rules.applied(to: Self.caller())
        #expect(caller.tier == .unsigned && caller.identity == .unsigned(digest: [1]))
        let item = PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: 1))
        let question = ApprovalRequest(
            caller: caller, operation: .readData, items: [item], because: .otherProgramsItem)
        #expect(!question.canBeRemembered(rules))
    }

    @Test func `stricter rules take the group away with the others`() throws {
        let entitled = AccessRules(requiresEntitlements: true, developmentFolders: ["/home/ann/mail"])
        #expect(entitled.applied(to: Self.caller()).accessGroups.isEmpty)
        let tier = AccessRules(minimumTier: .installed, developmentFolders: ["/home/ann/mail"])
        #expect(tier.applied(to: Self.caller()).accessGroups.isEmpty)
        #expect(AccessRules.strictest.developmentFolders.isEmpty)
        var policy = MachinePolicy.none
        #expect(AccessRules([:], policy, developmentFolders: ["/a"]).developmentFolders == ["/a"])
        try policy.add("development = off")
        #expect(AccessRules([:], policy, developmentFolders: ["/a"]).developmentFolders.isEmpty)
    }

    @Test(
        arguments: [
            ("/home/ann/mail", true), ("/a", true), ("/a/...", true), ("/", false), ("", false), ("a", false),
            ("/a/", false), ("/a//b", false), ("/a/./b", false), ("/a/..", false), ("/a\u{0}", false),
            ("/a\nb", false), ("/" + String(repeating: "a", count: 511), true),
            ("/" + String(repeating: "a", count: 512), false),
        ])
    func `a path is absolute and has one form`(path: String, isPath: Bool) {
        #expect(DevelopmentFolder.isPath(path) == isPath)
    }

    @Test func `the group names folder and program, and is no other program's`() {
        let group = DevelopmentFolder.group(of: "Mail", in: "/home/ann/mail")
        #expect(DevelopmentFolder.path(ofGroup: group) == "/home/ann/mail/Mail")
        for other in [ProgramIdentity.command, .installed(path: "/a"), .unsigned(digest: [1])] {
            #expect(DevelopmentFolder.path(ofGroup: other.implicitGroup ?? "") == nil)
        }
    }
}
